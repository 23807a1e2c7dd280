"""Velocities of every part of a plate, and their Jacobians by task coordinates and by joints.

wu2020 (9)-(13) for the two sub-platforms of the screw robot, for any plate: `v_part = (dp/dx) xd = (dp/dx) J_m^-1 qd`.
In wu2020's four-row form H_u(4,4) is 1, not 0 (papers/wu2020.toml, erratum E6): the yaw rate is that of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError
from parapick.mechanism.robot import Robot
from parapick.model.expression import Expression
from parapick.model.kinematics import task_vector

if TYPE_CHECKING:
    from parapick.model.asked import AskedModel


def part_slopes(robot: Robot) -> Expression:
    """dp/dx of every part, one below the other (3 parts, dof)."""
    x = task_vector(robot)
    rows = ca.vertcat(*(ca.jacobian(part.point, x) for part in robot.plate_pose(x).parts))
    return Expression({"x": x}, {"slopes": ca.densify(rows)})


def part_names(robot: Robot) -> tuple[str, ...]:
    """Names of the plate's parts, in the order of the arrays here.

    Args:
        robot: the description.
    """
    return tuple(part.name for part in robot.plate_pose(task_vector(robot)).parts)


def _slopes(model: AskedModel, x: ArrayLike) -> np.ndarray:
    stacked = model.kernel("part_slopes")(x, model.parameters)[0]
    return stacked.reshape(*stacked.shape[:-2], -1, 3, model.robot.dof)


def part_velocities(model: AskedModel, x: ArrayLike, xd: ArrayLike) -> np.ndarray:
    """Velocity of every part (..., parts, 3), m/s.

    Args:
        model: the robot.
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s.
    """
    return np.einsum("...pij,...j->...pi", _slopes(model, x), reals("xd", xd))


def part_jacobians(model: AskedModel, x: ArrayLike) -> np.ndarray:
    """Jacobian of every part by the joints (..., parts, 3, n): `v_part = J_part qd`; NaN where unreachable.

    Args:
        model: a robot with as many motors as freedoms.
        x: task vectors (..., dof), m and rad.
    """
    if model.robot.redundant:
        raise ParameterError(model.robot.name, "has more motors than freedoms, so its joints are no coordinates")
    inverse = np.linalg.inv(model.inverse_jacobian(x))
    return np.einsum("...pij,...jk->...pik", _slopes(model, x), inverse)
