"""Margins along a motion, with the singularities that it crosses between two samples.

Margins are smallest singular values: they touch 0 where the motion crosses a singularity, and a sample rarely lies
there. The determinant of a square matrix changes its sign, so a crossing is seen all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from parapick.model.room import Room

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
    along = Room(model).around(x)
    kinds = (
        ("under-mobility", along.under, np.ones_like(along.under)),
        ("over-mobility", along.over, along.plate_determinant),
        ("internal", along.internal, along.internal_determinant),
    )
    found = {}
    for name, margin, determinant in kinds:
        values = np.array(margin, dtype=float)
        # Where the robot cannot be the determinant is NaN, and nothing is crossed.
        values[np.flatnonzero(determinant[1:] * determinant[:-1] < 0.0)] = 0.0
        if np.isfinite(values).any():
            found[name] = values
    return found
