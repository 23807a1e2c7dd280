"""The guards: what is watched at every sample, where, and what follows when one of them trips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.supervision.states import ENERGISED, State

Stopping = Literal["path", "brakes"]
"""How a trip ends the motion: slowed along the path under the law, or by brakes with the drives off."""

TRACKING: Final = 1e-3
"""By how much the plate may miss a reference at the very border of the workspace (m, rad) without leaving it: the
workspace is where a robot is meant to work, and tasks are often as large as it. Stops do not give way. Chosen."""


@final
@dataclass(frozen=True)
class Guard:
    """A guard: a quantity that must stay on one side of a limit.

    Attributes:
        name: what it is called.
        meaning: what is watched, in words.
        stopping: how it ends the motion.
        floor: whether the limit is a lower one, as of slacks and margins.
        armed: states in which it is watched.
        axis: what its columns are: "motor", "leg", "coordinate", or empty for the whole robot.
        truth: whether its quantity is a yes or a no, so that its numbers say nothing.
        measured: whether it is worth saying how near its quantity comes to its limit.
        quantity: what its quantity is: an output of an expression of a joint (`joint_quantities`) or of a pose
            (`pose_quantities`), or a signal as it is read; empty where it is a time that the supervisor counts.
        unit: SI unit of its quantity; of those with a unit per column what they are: "joint", "speed", "acceleration"
            or "effort" of an axis, "slack" or "border" of a pose.
        allowance: by how much the measured pose may be worse than its limit where its reference is not (m, rad).
    """

    name: str
    meaning: str
    stopping: Stopping
    floor: bool = False
    armed: frozenset[State] = ENERGISED
    axis: str = "motor"
    truth: bool = False
    measured: bool = True
    quantity: str = ""
    unit: str = ""
    allowance: float = 0.0


GUARDS: Final = (
    Guard("drive", "a drive reports that it is off", "brakes", truth=True, measured=False, quantity="dead"),
    Guard(
        "jump",
        "acceleration that the encoder angles ask for, beyond what the motors can give",
        "brakes",
        measured=False,
        quantity="jump",
        unit="acceleration",
    ),
    Guard(
        "frozen",
        "an encoder repeats its angle while the reference moves on",
        "brakes",
        truth=True,
        measured=False,
        quantity="frozen",
    ),
    Guard(
        "runaway",
        "following error beyond what a controlled stop may have",
        "brakes",
        armed=frozenset({State.STOPPING}),
        measured=False,
        quantity="error",
        unit="joint",
    ),
    Guard(
        "unrest",
        "time for which the plate has not come to rest though its reference has",
        "brakes",
        axis="",
        truth=True,
        measured=False,
        unit="s",
    ),
    Guard(
        "emergency",
        "the emergency stop is pressed",
        "path",
        axis="",
        truth=True,
        measured=False,
        quantity="emergency",
    ),
    Guard(
        "position",
        "what is left to the stops of joints, yaw and passive joints, and between links",
        "path",
        True,
        quantity="position",
        unit="slack",
    ),
    Guard(
        "workspace",
        "what is left to the border of the stated workspace",
        "path",
        floor=True,
        armed=frozenset({State.READY, State.RUNNING}),
        axis="coordinate",
        quantity="border",
        unit="border",
        allowance=TRACKING,
    ),
    Guard("singularity", "smallest margin to a singularity", "path", True, axis="kind", quantity="margins"),
    Guard("speed", "joint speed, by differences of the encoder angles", "path", quantity="speed", unit="speed"),
    Guard("torque", "torque that the law asks for, at a stretch", "path", quantity="effort", unit="effort"),
    Guard(
        "following",
        "distance of the encoder angles from those that the reference asks for",
        "path",
        quantity="error",
        unit="joint",
    ),
    Guard(
        "deadline",
        "samples in a row at which the torque came too late",
        "path",
        axis="",
        truth=True,
        measured=False,
        quantity="late",
    ),
)
"""Every guard, in the order in which trips of one sample are latched: first those after which no path is followed."""

NAMES: Final = tuple(guard.name for guard in GUARDS)


def guard_of(name: str) -> Guard:
    """The guard of a name.

    Args:
        name: one of `NAMES`.
    """
    return GUARDS[NAMES.index(name)]
