"""What heats motors as an expression: their torque, and their speed where a file states continuous torques over it."""

from __future__ import annotations

from typing import Any

import casadi as ca

from parapick.formulas.torque_curve import curve_lines
from parapick.mechanism import Robot


def motor_heat(robot: Robot, torque: Any, speed: Any) -> Any:
    """What heats every motor (n x 1), (N m)2, as `motors.Motors.heat` has it for arrays: `tau^2 + C(0)^2 - C(w)^2`.

    Args:
        robot: with numbers or symbols in its fields.
        torque: torques at the shafts (n x 1), N m.
        speed: speeds of the shafts (n x 1), rad/s.
    """
    heat = []
    for i, drive in enumerate(robot.motor_drives()):
        own, points = torque[i] * torque[i], drive.continuous_curve
        if points is not None:
            continuous = ca.fmax(curve_lines(points, ca.fabs(speed[i]))[0].torque, 0)
            own = own + points[0][1] * points[0][1] - continuous * continuous
        heat.append(own)
    return ca.vertcat(*heat)
