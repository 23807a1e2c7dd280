"""Margins of a robot along a series of poses, singularities that it crosses between two of them included."""

from __future__ import annotations

import numpy as np

from parapick.model import MARGIN_KINDS, Model, Room


def margins_along(model: Model, x: np.ndarray) -> dict[str, np.ndarray]:
    """Every margin (T,) by the name of its singularity; 0 before a crossing, NaN out of reach.

    Margins are smallest singular values: they touch 0 where the motion crosses a singularity, and a sample rarely lies
    there. The determinant of a square matrix changes its sign, so a crossing is seen all the same. A kind that a robot
    does not have is left out.

    Args:
        model: the robot.
        x: task vectors (T, dof) in their order, m and rad.
    """
    around = Room(model).around(x)
    determinants = (np.ones_like(around.under), around.plate_determinant, around.internal_determinant)
    margins = {}
    for name, margin, determinant in zip(MARGIN_KINDS, around.margins, determinants, strict=True):
        values = np.array(margin, dtype=float)
        # Where the robot cannot be the determinant is NaN, and nothing is crossed.
        values[np.flatnonzero(determinant[1:] * determinant[:-1] < 0.0)] = 0.0
        if np.isfinite(values).any():
            margins[name] = values
    return margins
