"""Measures at a pose as expressions of a symbolic robot: margin, conditioning, acceleration, stiffness; for folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, final

import casadi as ca

from parapick.capability.acceleration import ball_only
from parapick.capability.effort import Settings
from parapick.capability.stiffness import axial_rigidity, stiffness_expression
from parapick.fields import label, quantity
from parapick.formulas import expression_of, gripper_column, held_together
from parapick.mechanism import NOTHING, Payload, Robot, motor_ratings
from parapick.motors import JUDGED, LEAST_NORM, SERVO


@final
@dataclass(frozen=True, kw_only=True)
class Elasticity:
    """What gives way where stiffness is asked for: servos, and rods and arms where they are not rigid."""

    servo: float = quantity(
        "",
        "stiffness of the position loop of each motor at its joint (N m/rad; N/m on rails)",
        default=SERVO,
        above=0.0,
    )
    rods: Literal["rigid", "file"] = label(
        '"rigid", or "file" for E A of limb.rod_modulus and its section', default="rigid"
    )
    arms: float | None = quantity(
        "", "bending stiffness E I of an arm (N m2); rigid if not given", default=None, above=0.0
    )


_RIGID: Final = Elasticity()


@final
@dataclass(frozen=True)
class PoseSettings:
    """What measures at a pose are asked for with.

    Attributes:
        payload: what the tool holds beyond its gripper, in the place of what tasks carry; None for those, and nothing
            at a pose.
        elasticity: what gives way.
        sharing: how a redundant robot's motors share.
    """

    payload: Payload | None = None
    elasticity: Elasticity = _RIGID
    sharing: str = JUDGED

    def key(self, wanted: tuple[str, ...]) -> str:
        """Text of all that changes the expressions of some measures, for the names of kernels.

        Args:
            wanted: names of `POSE_EXPRESSIONS`.
        """
        own = {"acceleration": (self.payload or NOTHING, self.sharing), "stiffness": self.elasticity}
        return " ".join(f"{name} {own.get(name, '')}".strip() for name in wanted)


PLAIN_SETTINGS: Final = PoseSettings()


def _margin(robot: Robot, x: Any, _: PoseSettings) -> Any:
    """Smallest margin to a singularity."""
    whole = expression_of("margins", robot)
    least = ca.fmin(ca.fmin(whole.outputs["under"], whole.outputs["over"]), whole.outputs["internal"])
    return ca.substitute(least, whole.inputs["x"], x)


def _conditioning(robot: Robot, x: Any, _: PoseSettings) -> Any:
    whole = expression_of("indices", robot)
    return ca.substitute(whole.outputs["conditioning"], whole.inputs["x"], x)


def _acceleration(robot: Robot, x: Any, settings: PoseSettings) -> Any:
    """Acceleration in any direction at rest, by the peak torque of the drives, with what the tool holds; m/s2."""
    drives: Any = robot.motor_drives()
    peaks = motor_ratings(robot, "peak_torque")
    limits = ca.vertcat(*(drive.ratio * drive.efficiency * peak for drive, peak in zip(drives, peaks, strict=True)))
    load = held_together(gripper_column(robot), ca.DM((settings.payload or NOTHING).vector()))
    least_norm = robot.redundant and settings.sharing == LEAST_NORM
    asked = Settings(load, limits, 1.0, 1.0, 0.0, 0.0, lossy=True, least_norm=least_norm)
    whole = ball_only(robot, asked, "whole" if robot.dof == 3 else "slice", False)
    return ca.substitute(whole.outputs["min_max"], whole.inputs["x"], x)


def _stiffness(robot: Robot, x: Any, settings: PoseSettings) -> Any:
    """Stiffness in the softest direction; N/m."""
    elastic = settings.elasticity
    rods: Any = 0.0
    if elastic.rods == "file":
        rods = 1.0 / axial_rigidity(robot.limb)
    arms = 0.0 if elastic.arms is None else 1.0 / elastic.arms
    servos = ca.SX(robot.motors, 1) + elastic.servo
    asked = Settings(ca.SX.zeros(5), servos, 1.0, 1.0, rods, arms)
    whole = stiffness_expression(robot, asked)
    return ca.substitute(whole.outputs["smallest"], whole.inputs["x"], x)


PoseExpression = Callable[[Robot, Any, PoseSettings], Any]

POSE_EXPRESSIONS: Final[dict[str, PoseExpression]] = {
    "margin": _margin,
    "conditioning": _conditioning,
    "acceleration": _acceleration,
    "stiffness": _stiffness,
}
"""Each an expression of a symbolic robot, a pose and the settings."""
