"""Bodies that lie in the workspace as a whole: not only their corners, and not only their points of a grid.

A body is cut into cells until the room around the middle of every cell covers it. That proves that each pose in it
belongs to the workspace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np

from parapick.mechanism import (
    Box,
    Cylinder,
    Workspace,
)
from parapick.roots import bisected, halvings_to

Body = TypeVar("Body", Box, Cylinder)

Radius = Callable[[np.ndarray], np.ndarray]
"""Room (n,), m, around places (n, 3), m: nothing nearer than that is outside; negative or NaN where a place is."""

BATCH: Final = 4096
"""Cells looked at in one call: enough to make the price of a call disappear."""

LATTICE: Final = (5, 33, 5)
"""Places looked at before all else, along x, y, z or radius, azimuth, z: the price of a few cells."""

CELLS: Final = 1_000_000
"""Cells after which a body is given up: one that lies along the rim with a whole face. It takes half a second."""


def lies_inside(radius: Radius, body: Workspace, finest: float) -> bool:
    """Whether a whole body lies inside, proven cell by cell.

    False also where it comes so near to the rim that cells smaller than the finest, or too many, would be needed.

    Args:
        radius: room around places.
        body: an upright cylinder or a box; it may be flat. Its yaw is not looked at.
        finest: half the diagonal of the smallest cells (m).
    """
    # The body as one cell (1, 2, 3).
    left, looked_at = np.array([ends[1:] for ends in body.bounds[:3]]).T[None], 0
    if not np.all(radius(body.places(_lattice(left[0]))) >= 0):
        return False
    while len(left):
        # The last first: these lie deepest, so that what fails is found before all that holds is proven.
        cells, left = left[-BATCH:], left[:-BATCH]
        looked_at += len(cells)
        middle, half = cells.mean(axis=1), body.halves(cells)
        size, room = np.linalg.norm(half, axis=-1), radius(body.places(middle))
        if looked_at > CELLS or not np.all(room >= 0) or np.any(finest > size[size > room]):
            return False
        open_ = np.flatnonzero(size > room)
        open_ = open_[np.argsort(room[open_] / size[open_])[::-1]]
        left = np.concatenate([left, _cut(cells[open_], np.argmax(half[open_], axis=-1), middle[open_])])
    return True


def _lattice(cell: np.ndarray) -> np.ndarray:
    """Coordinates (n, 3) spread over a cell (2, 3), its ends included: most bodies that fail do so at one of them."""
    ends = (np.linspace(low, high, count) for low, high, count in zip(*cell, LATTICE, strict=True))
    return np.stack(np.meshgrid(*ends, indexing="ij"), axis=-1).reshape(-1, 3)


def _cut(cells: np.ndarray, axis: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Both halves (2 n, 2, 3) of cells (n, 2, 3), cut across an axis (n,) at their middle (n, 3), side by side."""
    row = np.arange(len(cells))
    lower, upper = cells.copy(), cells.copy()
    lower[row, 1, axis] = upper[row, 0, axis] = middle[row, axis]
    return np.stack([lower, upper], axis=1).reshape(-1, 2, 3)


def largest(fits: Callable[[float], bool], most: float, tolerance: float, least: float = 0.0) -> float:
    """The largest size that fits, found by bisection on the side that does; 0 where not even the least does.

    Args:
        fits: whether a size fits; smaller sizes then fit too.
        most: the largest size to be asked for.
        tolerance: width to which the size is narrowed.
        least: the smallest size of interest.
    """
    if least >= most or not fits(least):
        return 0.0
    if fits(most):
        return most
    return float(bisected(lambda size: fits(float(size)), least, most, halvings_to(most - least, tolerance))[0])


def largest_rectangles(mask: np.ndarray) -> list[tuple[int, int, int, int]]:
    """First and last row and column of every largest rectangle of true points; none where no point is true.

    Row by row, the run of true points that ends there is a histogram, whose largest rectangles a stack of rising bars
    finds.

    Args:
        mask: points of a plane (n, m).
    """
    runs = np.zeros(mask.shape[1], dtype=int)
    best: int = 1
    rectangles: dict[tuple[int, int, int, int], None] = {}
    for i, row in enumerate(mask):
        runs = np.where(row, runs + 1, 0)
        stack: list[int] = []
        for j in range(len(runs) + 1):
            height = runs[j] if j < len(runs) else 0
            while stack and runs[stack[-1]] >= height:
                tall = int(runs[stack.pop()])
                start = stack[-1] + 1 if stack else 0
                size = tall * (j - start)
                if size > best:
                    best, rectangles = size, {}
                if size == best:
                    rectangles[i - tall + 1, i, start, j - 1] = None
            stack.append(j)
    return list(rectangles)
