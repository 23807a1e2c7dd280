"""How every part of a plate moves with the task coordinates."""

from __future__ import annotations

import casadi as ca

from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import task_vector
from parapick.mechanism import Robot


def part_slopes(robot: Robot) -> Expression:
    """dp/dx of every part, one below the other (3 parts, dof)."""
    x = task_vector(robot)
    rows = ca.vertcat(*(ca.jacobian(part.point, x) for part in robot.plate_pose(x).parts))
    return Expression({"x": x}, {"slopes": ca.densify(rows)})
