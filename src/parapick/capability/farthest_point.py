"""The farthest point of bodies that half-spaces bound, one body at a time: where a file limits more than torques."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

LEAST_ROOM: Final = 1e-9
"""Radius of the largest ball, as a share of the nearest bound, below which a body is flat: rounding is less."""

ROOMY: Final = 1e-3
"""Nearest bound, as a share of the middle one, from which on y = 0 is far enough inside for Qhull to turn about it."""


def vertices_of(normals: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Corners (k, r) of the body `normals . y <= bounds`; none where it is empty or flat.

    Args:
        normals: of the half-spaces (p, r), of length 1, or 0 for one that is none.
        bounds: of the half-spaces (p,).
    """
    from scipy.spatial import HalfspaceIntersection, QhullError

    real = np.isfinite(bounds) & np.any(normals != 0.0, axis=1)
    rows, right = normals[real], bounds[real]
    middle, radius = np.zeros(normals.shape[1]), float(right.min(initial=math.inf))
    # Most bodies have y = 0 well inside, and need no programme to find a point that is.
    if not radius > ROOMY * float(np.median(np.abs(right))):
        middle, radius = _inside(rows, right)
    if not radius > LEAST_ROOM * max(1.0, float(np.abs(right).min(initial=math.inf))):
        return np.empty((0, normals.shape[1]))
    try:
        return HalfspaceIntersection(np.column_stack([rows, -right]), middle).intersections
    except QhullError:
        return np.empty((0, normals.shape[1]))


def farthest_of(normals: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Largest length of a y in bodies (...); NaN where a body has no y, or is unknown.

    Args:
        normals: of the half-spaces (..., p, r).
        bounds: of the half-spaces (..., p).
    """
    shape = bounds.shape[:-1]
    answers = np.full(shape, math.nan)
    for place in np.ndindex(*shape):
        if not np.isnan(bounds[place]).any():
            corners = vertices_of(normals[place], bounds[place])
            if len(corners):
                answers[place] = np.linalg.norm(corners, axis=1).max()
    return answers


def _inside(rows: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle and radius of the largest ball in a body."""
    from scipy.optimize import linprog

    width = rows.shape[1]
    answer = linprog(
        np.append(np.zeros(width), -1.0),
        A_ub=np.column_stack([rows, np.ones(len(rows))]),
        b_ub=right,
        bounds=[(None, None)] * width + [(0.0, None)],
        method="highs",
    )
    return (answer.x[:-1], float(answer.x[-1])) if answer.status == 0 else (np.zeros(width), math.nan)
