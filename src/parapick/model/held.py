"""What the tool holds, as an expression: the gripper, which is among the robot's numbers, and a load on top of it."""

from __future__ import annotations

from typing import Any, Final

import casadi as ca
import numpy as np

from parapick.mechanism.parameters import structure, symbols_of, values
from parapick.mechanism.robot import Robot

_LEAST: Final = 1e-30
"""Mass (kg) that stands in for nothing where the centre of nothing is asked for; its square is still above zero."""


def gripper_column(robot: Robot) -> Any:
    """Mass, offset and inertia of the gripper, 5 x 1.

    Args:
        robot: with symbols or numbers in its fields, resolved.
    """
    gripper = robot.gripper
    return ca.vertcat(gripper.mass, *gripper.offset, gripper.inertia)


def held_together(one: Any, other: Any) -> Any:
    """Two loads held together, 5 x 1: the formula of `payload.combined` as an expression.

    Args:
        one: a load as kernels take it, 5 x 1.
        other: likewise.
    """
    mass = one[0] + other[0]
    share = other[0] / ca.fmax(mass, _LEAST)
    apart = other[1:4] - one[1:4]
    inertia = one[4] + other[4] + one[0] * share * (apart[0] ** 2 + apart[1] ** 2)
    return ca.vertcat(mass, one[1:4] + share * apart, inertia)


def gripper_slopes(robot: Robot) -> np.ndarray:
    """Slopes of the five numbers of the gripper by all numbers of a robot (5, all), also where they follow others.

    Args:
        robot: the robot.
    """
    numbers, symbolic = symbols_of(structure(robot))
    jacobian = ca.jacobian(gripper_column(symbolic), numbers)
    return np.array(ca.Function("gripper", [numbers], [jacobian])(values(robot)))
