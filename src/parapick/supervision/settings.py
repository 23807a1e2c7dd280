"""What a supervisor is told: the limits of its guards, how it homes, how it stops."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, final

from parapick.control import Numbers, per_joint
from parapick.fields import label, quantity
from parapick.model import HOME_MARGIN

REDUCED_SPEED: Final = 0.25
"""Speed of the plate (m/s) while homing: the reduced speed of ISO 10218-1 for robots under a person's hand."""

FOLLOWING: Final = 0.05
"""Following error (rad, m of carriages) where none is given: 3 degrees, of an arm of 0.35 m 17 mm. Chosen."""


@final
@dataclass(frozen=True)
class GuardLimits:
    """Limits of the guards; None switches one off. None of them may lie outside what the robot's file states."""

    position: float | None = quantity(
        "", "what must be left to every stop of the file (rad, m)", default=0.0, at_least=0.0
    )
    workspace: float | None = quantity(
        "", "what must be left to the border of the file's workspace (m, rad)", default=0.0, at_least=0.0
    )
    singularity: float | None = quantity(
        "", "smallest margin to every kind of singularity", default=HOME_MARGIN, above=0.0
    )
    speed: Numbers | str | None = label(
        'joint speeds (rad/s, m/s), or "file" for the peak speed of the drives', default="file"
    )
    torque: Numbers | str | None = label(
        'torques at the joints (N m, N), or "file" for the limit that the loop has', default="file"
    )
    torque_time: float = quantity("s", "how long a torque beyond its limit may be asked for", default=0.02, above=0.0)
    following: Numbers | None = per_joint("rad", "following error of the joints", default=FOLLOWING, above=0.0)
    deadline: int | None = label("how many samples in a row may come too late before it trips, at least 1", default=3)


GUARD_FIELDS: Final = tuple(field.name for field in fields(GuardLimits))
"""Limits that can be given."""


@final
@dataclass(frozen=True)
class Supervisor:
    """The supervisor of a loop."""

    guards: GuardLimits = label("limits of its guards", default=GuardLimits())
    homing_speed: float = quantity("m/s", "largest speed of the plate while homing", default=REDUCED_SPEED, above=0.0)
    stop_time: float = quantity(
        "s",
        "time in which the speed along the path falls to zero, or longer where torques ask for it",
        default=0.05,
        above=0.0,
    )
    stop_reserve: float = quantity(
        "", "share of the torque limits that a planned stop leaves to the law", default=0.1, at_least=0.0, at_most=0.9
    )
    brake: Numbers | None = per_joint(
        "N m", "torque of the brakes at the joints; the torque limits of the loop if not given", default=None, above=0.0
    )
    start: tuple[float, ...] | None = label(
        "task vector at which the robot is switched on (m, rad); home if not given", default=None
    )
