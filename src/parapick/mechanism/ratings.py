"""What limits the motors of a robot by its file: one number or expression per motor, arms first; None without a limit.

A motor and its joint may be limited by several fields. This is where they become one: speeds by the motor, by the end
of its curve, by its gearbox and by the joint; torques by the motor and by the start of its curve.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import casadi as ca

if TYPE_CHECKING:
    from parapick.mechanism.robot import Robot

SPEED_FIELDS: Final = ("peak_speed", "curve.peak", "gearbox.peak_speed", "limits.joint_speed")
"""What limits the speed of a motor, as its drive has it; the last one is the robot's."""


def motor_ratings(robot: Robot, name: str) -> tuple[Any, ...]:
    """A rating of every motor.

    Args:
        robot: the description, its numbers resolved, or with symbols in its fields.
        name: "peak_torque", "rated_torque", "continuous_torque" (at standstill) or "peak_speed", at the shaft;
            "gearbox_torque" or "gearbox_mean_torque", at the output of the gearbox; "joint_acceleration", "joint_jerk".
    """
    if name.startswith("joint_"):
        return robot.joint_motion_limits(name.removeprefix("joint_"))
    drives = robot.motor_drives()
    if name == "continuous_torque":
        return tuple(_continuous(drive) for drive in drives)
    if name == "gearbox_mean_torque":
        return tuple(None if drive.gearbox is None else drive.gearbox.mean_limit for drive in drives)
    if name == "gearbox_torque":
        return tuple(None if drive.gearbox is None else drive.gearbox.peak_torque for drive in drives)
    if name == "peak_speed":
        return tuple(_least(bounds.values()) for bounds in speed_bounds(robot))
    own = (getattr(drive, name) for drive in drives)
    if name != "peak_torque":
        return tuple(own)
    return tuple(_least((value, _starting(drive))) for value, drive in zip(own, drives, strict=True))


def jerk_ratings(robot: Robot, mass: Any) -> tuple[Any, ...]:
    """Largest jerk of every joint with a payload: what `limits.jerk_over_payload` leaves of it.

    Between its points the share is straight, before the first and behind the last it stays what it is there.

    Args:
        robot: the description, its numbers resolved, or with symbols in its fields.
        mass: of what is carried beyond the gripper (kg), a number or an expression.
    """
    jerks, points = motor_ratings(robot, "joint_jerk"), robot.limits.jerk_over_payload
    if points is None:
        return jerks
    share: Any = points[0][1]
    for (start, before), (end, after) in pairwise(points):
        share = share + (after - before) * ca.fmin(ca.fmax((mass - start) / (end - start), 0.0), 1.0)
    return tuple(None if jerk is None else jerk * share for jerk in jerks)


def speed_bounds(robot: Robot) -> tuple[dict[str, Any], ...]:
    """What bounds the speed of every motor at its shaft, by `SPEED_FIELDS`; None where it does not.

    Args:
        robot: the description, its numbers resolved, or with symbols in its fields.
    """
    joints = robot.joint_motion_limits("speed")
    bounds = []
    for drive, joint in zip(robot.motor_drives(), joints, strict=True):
        end = None if drive.peak_curve is None else drive.peak_curve[-1][0]
        gearbox = None if drive.gearbox is None else drive.gearbox.peak_speed
        turned = None if joint is None else drive.ratio * joint
        bounds.append(dict(zip(SPEED_FIELDS, (drive.peak_speed, end, gearbox, turned), strict=True)))
    return tuple(bounds)


def _starting(drive: Any) -> Any:
    """The torque at the start of a drive's curve, which is its largest; None without a curve."""
    return None if drive.peak_curve is None else drive.peak_curve[0][1]


def _continuous(drive: Any) -> Any:
    """Continuous torque of a drive at standstill: the start of its curve, or else the one that holds at all speeds."""
    return drive.rated_torque if drive.continuous_curve is None else drive.continuous_curve[0][1]


def _least(bounds: Any) -> Any:
    """The least of numbers or expressions; None where all are."""
    stated = [bound for bound in bounds if bound is not None]
    if all(isinstance(bound, float) for bound in stated):
        return min(stated, default=None)
    return reduce(ca.fmin, stated)
