"""How the gripper's mass, offset and inertia follow from the numbers of a robot."""

from __future__ import annotations

import casadi as ca
import numpy as np

from parapick.formulas import gripper_column
from parapick.mechanism import Robot
from parapick.parameters import structure, symbols_of, values


def gripper_slopes(robot: Robot) -> np.ndarray:
    """Slopes of the five numbers of the gripper by all numbers of a robot (5, all), also where they follow others."""
    numbers, symbolic = symbols_of(structure(robot))
    jacobian = ca.jacobian(gripper_column(symbolic), numbers)
    return np.array(ca.Function("gripper", [numbers], [jacobian])(values(robot)))
