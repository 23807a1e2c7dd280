"""Velocities of every part of a plate, and their Jacobians by task coordinates and by joints.

wu2020 (9)-(13) for the two sub-platforms of the screw robot, for any plate: `v_part = (dp/dx) xd = (dp/dx) J_m^-1 qd`.
In wu2020's four-row form H_u(4,4) is 1, not 0 (papers/wu2020, erratum E6): the yaw rate is that of both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.formulas import task_vector
from parapick.mechanism import Robot
from parapick.model.answers import check_square
from parapick.model.model import Model


def part_names(robot: Robot) -> tuple[str, ...]:
    """Names of the plate's parts, in the order of the arrays here."""
    return tuple(part.name for part in robot.plate_pose(task_vector(robot)).parts)


def _slopes(model: Model, x: ArrayLike) -> np.ndarray:
    stacked = model.kernels("part_slopes", x)[0]
    return stacked.reshape(*stacked.shape[:-2], -1, 3, model.robot.dof)


def part_velocities(model: Model, x: ArrayLike, xd: ArrayLike) -> np.ndarray:
    """Velocity of every part (..., parts, 3), m/s.

    Args:
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s.
    """
    return np.einsum("...pij,...j->...pi", _slopes(model, x), reals("xd", xd))


def part_jacobians(model: Model, x: ArrayLike) -> np.ndarray:
    """Jacobian of every part by the joints (..., parts, 3, n): `v_part = J_part qd`; NaN where unreachable.

    Args:
        model: a robot with as many motors as freedoms.
        x: task vectors (..., dof), m and rad.
    """
    check_square(model.robot)
    inverse = np.linalg.inv(model.inverse_jacobian(x))
    return np.einsum("...pij,...jk->...pik", _slopes(model, x), inverse)
