"""Margins along a motion, with the singularities that it crosses between two samples.

Margins are smallest singular values: they touch 0 where the motion crosses a singularity, and a sample rarely lies
there. The determinant of a square matrix changes its sign, so a crossing is seen all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["margins_along"]


def margins_along(model: Model, x: np.ndarray) -> dict[str, np.ndarray]:
    """Every margin along poses (T,) by the name of its singularity; 0 before a crossing, NaN out of reach.

    A kind that a robot does not have is left out.

    Args:
        model: the robot.
        x: poses (T, dof), in the order of the motion.
    """
    crossed = dict(_crossings(model, x))
    found = {}
    for name, margin in zip(("under-mobility", "over-mobility", "internal"), model.margins(x), strict=True):
        values = np.array(margin, dtype=float)
        values[crossed.get(name, [])] = 0.0
        if np.isfinite(values).any():
            found[name] = values
    return found


def _crossings(model: Model, x: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Samples after which a singularity is crossed before the next one, by kind."""
    _, *matrices = model.kernel("constraint_matrices")(x, model.parameters)
    for name, matrix in zip(("over-mobility", "internal"), matrices, strict=False):
        if matrix.shape[-1] == matrix.shape[-2]:
            # Where the robot cannot be there is no matrix, and nothing is crossed.
            sign = np.sign(np.linalg.det(np.nan_to_num(matrix)))
            yield name, np.flatnonzero(sign[1:] * sign[:-1] < 0.0)
