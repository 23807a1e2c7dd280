"""What the tool holds, as an expression: the gripper, which is among the robot's numbers, and a load on top of it."""

from __future__ import annotations

from typing import Any, Final

import casadi as ca

from parapick.mechanism import Robot

_LEAST: Final = 1e-30
"""Mass (kg) that stands in for nothing where the centre of nothing is asked for; its square is still above zero."""


def gripper_column(robot: Robot) -> Any:
    """Mass, offset and inertia of the gripper, 5 x 1.

    Args:
        robot: with symbols or numbers in its fields, resolved.
    """
    gripper = robot.gripper
    return ca.vertcat(gripper.mass, *gripper.offset, gripper.inertia)


def held_together(first: Any, second: Any) -> Any:
    """Two loads held together, 5 x 1: the formula of `payload.combined` as an expression.

    Args:
        first: a load as kernels take it, 5 x 1.
        second: another load, 5 x 1.
    """
    mass = first[0] + second[0]
    share = second[0] / ca.fmax(mass, _LEAST)
    apart = second[1:4] - first[1:4]
    inertia = first[4] + second[4] + first[0] * share * (apart[0] ** 2 + apart[1] ** 2)
    return ca.vertcat(mass, first[1:4] + share * apart, inertia)
