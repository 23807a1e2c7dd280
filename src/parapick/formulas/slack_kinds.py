"""The kinds of slack, in words: what must be left of a reach or of a limit, and what is wrong where nothing is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True)
class Slack:
    """A kind of slack: what must be left of a reach or of a limit.

    Attributes:
        name: of the limit, such as "joint".
        field: name of its values in `Reach`.
        unit: of its values, m or rad; that of joints is the robot's: see `Reach.unit`.
        per_leg: whether every leg has its own; otherwise there is one for the whole robot.
        fault: what is wrong where it is negative, in a few words.
        missing: the same as a clause, with a place for the amount that is missing.
    """

    name: str
    field: str
    unit: str
    per_leg: bool
    fault: str
    missing: str

    @property
    def title(self) -> str:
        """What it is called beside other quantities, such as "joint slack"."""
        return f"{self.name} slack"


_LEANS: Final = "the rod leans {} further sideways than its ball joints allow"
_NEARER: Final = "two links come {} nearer to each other than allowed"

SLACKS: Final = (
    Slack("leg", "legs", "m", True, "a leg does not reach", "the rod is {} too {}"),
    Slack("joint", "joints", "rad", True, "joint limit", "the joint limit is exceeded by {}"),
    Slack("elbow", "elbow", "rad", True, "elbow limit", "the limit of the elbow angle is exceeded by {}"),
    Slack("cone", "cone", "rad", True, "ball joint limit", _LEANS),
    Slack("yaw", "yaw", "rad", False, "yaw limit", "the yaw limit of the plate is exceeded by {}"),
    Slack("clearance", "clearance", "m", False, "links too close", _NEARER),
)
"""Every kind of slack, in the order in which a pose is looked at: legs first, for without them joints have no angles;
then the driven joints, the passive ones (elbow, ball joints), the yaw of the plate, and last the clearance."""

FAULTS: Final = ("", "pose", *(kind.name for kind in SLACKS))
"""What can be wrong with a pose: that it is not a number, or a slack; a fault is an index into this list."""
