"""The rod-pair matrices of nabat2005 as numbers: J_tp of (8), J_int of (11), and the determinants D_ijk of (16).

A plate on rod pairs keeps its orientation where J_int has full rank: where any of its largest minors is not zero (15).
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from parapick.errors import ParameterError
from parapick.model import Model


def rod_pair_matrix(model: Model, x: ArrayLike) -> np.ndarray:
    """J_tp (..., 2 legs, dof + k): rates of all rod lengths by task rates and the k internal speeds, nabat2005 (8).

    Rows 2i and 2i + 1 are the rods of leg i, in m/s per m/s and per rad/s.

    Args:
        x: task vectors (..., dof), m and rad.

    Raises:
        ParameterError: the robot has no rod pairs, or its file does not give their spacing.
    """
    _check_pairs(model)
    if model.robot.limb.rod_spacing is None:
        raise ParameterError("limb.rod_spacing", "is not in the file; the rows of single rods depend on it")
    return model.kernels("rod_pair_matrix", x)[0]


def internal_matrix(model: Model, x: ArrayLike) -> np.ndarray:
    """J_int (..., legs, k), dimensionless: unit rods, unit spacings, nabat2005 (11).

    Args:
        x: task vectors (..., dof), m and rad.

    Raises:
        ParameterError: the robot has no rod pairs.
    """
    _check_pairs(model)
    return model.kernels("constraint_matrices", x)[2]


def pair_determinants(model: Model, x: ArrayLike) -> dict[str, np.ndarray]:
    """D_ijk (...) by name: an internal singularity is where all of them are 0, nabat2005 (15), (16).

    They are those of legs i, j and k where the plate has three internal speeds, D_1234 of a plate like H4's, with four.

    Args:
        x: task vectors (..., dof), m and rad.

    Raises:
        ParameterError: the robot has no rod pairs.
    """
    return largest_minors(internal_matrix(model, x))


def largest_minors(internal: np.ndarray) -> dict[str, np.ndarray]:
    """The largest minors of J_int (...) by the legs whose rows they have.

    Args:
        internal: J_int (..., legs, k).
    """
    legs, speeds = internal.shape[-2:]
    several = itertools.combinations(range(legs), speeds)
    return {f"D_{''.join(str(i + 1) for i in rows)}": np.linalg.det(internal[..., rows, :]) for rows in several}


def _check_pairs(model: Model) -> None:
    """Raise if the robot's plate is not held by rod pairs."""
    if model.robot.limb.rods != 2 or len(model.kernels("constraint_matrices", model.robot.home)) < 3:
        raise ParameterError(model.robot.name, "has no rod pairs that keep its plate level; it has no such matrix")
