"""The two numbers of any zonotope, by the same facets as those of robots: for other machines, and for checks."""

from __future__ import annotations

from typing import Any, NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.capability.kernels import matrix_kernel
from parapick.capability.section import Section
from parapick.capability.zonotope import ball, farthest
from parapick.errors import ShapeError


class Zonotope(NamedTuple):
    """Two numbers of a batch of zonotopes.

    Attributes:
        min_max: radius of the largest ball about the origin (...); negative where the origin lies outside.
        max: distance of the farthest point from the origin (...).
    """

    min_max: np.ndarray
    max: np.ndarray


def zonotope_indices(generators: ArrayLike, center: ArrayLike | None = None) -> Zonotope:
    """Largest ball about the origin in the zonotopes `center + sum_k [-1, 1] g_k`, and their farthest points.

    Args:
        generators: g_k as columns (..., d, n), d = 3 or 4.
        center: their middles (..., d); the origin if not given.
    """
    matrix = reals("generators", generators)
    if matrix.ndim < 2 or matrix.shape[-2] not in (3, 4) or matrix.shape[-1] < matrix.shape[-2] - 1:
        raise ShapeError("generators", matrix.shape, "(..., d, n) with d = 3 or 4 and at least d - 1 generators")
    d, n = matrix.shape[-2:]
    middle = np.zeros(d) if center is None else reals("center", center)
    kernel = matrix_kernel("zonotope", d, n, _formula)
    return Zonotope(*kernel(matrix.reshape(*matrix.shape[:-2], d * n), middle))


def _formula(matrix: Any, center: Any) -> dict[str, Any]:
    d, n = matrix.shape
    section = Section(matrix, ca.SX.ones(n), -center, ca.SX.eye(d))
    return {"min_max": ball(section), "max": farthest(section)}
