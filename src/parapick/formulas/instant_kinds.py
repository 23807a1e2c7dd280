"""The limits of an instant that a robot's file may state beside the peaks of its motors, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.formulas.dynamics import missing_masses
from parapick.mechanism import Robot, motor_ratings


@final
@dataclass(frozen=True)
class InstantLimit:
    """A kind of limit that holds at every instant of a motion.

    Attributes:
        key: name of its values in the kernel, and of its measure.
        title: what it is called beside other requirements.
        part: what it is a limit of, one each.
        words: what its values are, in a few words.
        fields: where a file states it.
        weighed: whether it depends on the masses of the robot.
        of_state: whether place, velocity and acceleration say it; the jerk of a motion is more than these.
    """

    key: str
    title: str
    part: Literal["motor", "rod"]
    words: str
    fields: str
    weighed: bool = True
    of_state: bool = True


INSTANT: Final = (
    InstantLimit("curve", "motor torque at speed", "motor", "torque at speed", "drive.curve.peak"),
    InstantLimit("gearbox", "gearbox torque, peak", "motor", "gearbox torque", "drive.gearbox.peak_torque"),
    InstantLimit(
        "acceleration", "joint acceleration", "motor", "joint acceleration", "limits.joint_acceleration", weighed=False
    ),
    InstantLimit("jerk", "joint jerk", "motor", "joint jerk", "limits.joint_jerk", weighed=False, of_state=False),
    InstantLimit("rod_pull", "rod pull", "rod", "pull", "limits.rod_pull"),
    InstantLimit("rod_push", "rod push, stated", "rod", "push", "limits.rod_push"),
)
"""Every kind, in the order in which answers list them."""


def instant_kinds(robot: Robot) -> tuple[InstantLimit, ...]:
    """The limits of an instant that a robot's file states, and that can be computed with the masses it states."""
    stated = tuple(kind for kind in INSTANT if states(robot, kind))
    weighed = not stated or not missing_masses(robot)
    return tuple(kind for kind in stated if weighed or not kind.weighed)


def states(robot: Robot, kind: InstantLimit) -> bool:
    """Whether a robot's file states a limit of a kind.

    Args:
        kind: the kind.
    """
    if kind.key == "curve":
        return any(drive.peak_curve is not None for drive in robot.motor_drives())
    if kind.part == "rod":
        return getattr(robot.limits, kind.key) is not None
    ratings = {"gearbox": "gearbox_torque", "acceleration": "joint_acceleration", "jerk": "joint_jerk"}
    return any(rating is not None for rating in motor_ratings(robot, ratings[kind.key]))
