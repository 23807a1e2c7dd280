"""What is left to the border of the workspace that a robot's file states, as expressions."""

from __future__ import annotations

import math
from typing import Any

import casadi as ca

from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import task_vector
from parapick.mechanism import Robot


def border(robot: Robot) -> Expression:
    """Slack to the border, m; of robots with yaw also that of yaw, rad. Infinite without a stated workspace."""
    x, region = task_vector(robot), robot.workspace
    slack: list[Any] = [ca.SX(math.inf)] * (robot.dof - 2) if region is None else region.slack_expressions(x)
    return Expression({"x": x}, {"border": ca.vertcat(*slack)})
