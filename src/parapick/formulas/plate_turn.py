"""What yaw does to a plate: its points, their slopes, and the turn of the tool."""

from __future__ import annotations

import casadi as ca

from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import task_vector
from parapick.mechanism import Robot


def plate_turn(robot: Robot) -> Expression:
    """Plate points (m), what yaw does to them (m/rad), and turns of the tool a turn of the plate."""
    x = task_vector(robot)
    plate = robot.plate_pose(x)
    points = ca.horzcat(*plate.points)
    slope = ca.reshape(ca.jacobian(ca.vec(points), x[3]), 3, -1)
    outputs = {"points": points.T, "slope": slope.T, "tool_ratio": ca.jacobian(plate.tool.yaw, x[3])}
    return Expression({"x": x}, outputs)
