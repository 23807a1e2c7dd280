"""Bodies that lie in the workspace as a whole: not only their corners, and not only their points of a grid.

A body is cut into cells until the room around the middle of every cell covers it. That proves that each pose in it
belongs to the workspace.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from parapick.mechanism.region import Box, Cylinder, Workspace

__all__ = ["Radius", "largest", "largest_rectangle", "lies_inside"]

Radius = Callable[[np.ndarray], np.ndarray]
"""Room (n,), m, around places (n, 3), m: nothing nearer than that is outside; negative or NaN where a place is."""

CELLS: Final = 1_000_000
"""Cells that are still open at once, more than which a body is given up: it lies along the rim with a whole face."""


def lies_inside(radius: Radius, body: Workspace, finest: float) -> bool:
    """Whether a whole body lies inside, proven cell by cell.

    False also where it comes so near to the rim that cells smaller than the finest would be needed.

    Args:
        radius: room around places.
        body: an upright cylinder or a box; it may be flat. Its yaw is not looked at.
        finest: half the diagonal of the smallest cells (m).
    """
    low, high = _ends(body)
    while len(low):
        middle, half = (low + high) / 2, (high - low) / 2
        room = radius(_places(body, middle))
        if not np.all(room >= 0):
            return False
        if isinstance(body, Cylinder):
            # A step of azimuth is longest at the outer radius.
            half = half * np.stack([np.ones(len(high)), high[:, 0], np.ones(len(high))], axis=-1)
        size = np.linalg.norm(half, axis=-1)
        open_ = np.flatnonzero(size > room)
        if len(open_) > CELLS or np.any(size[open_] < finest):
            return False
        axis = np.argmax(half[open_], axis=-1)
        low, high, cut = low[open_], high[open_], middle[open_, axis]
        upper, lower = low.copy(), high.copy()
        row = np.arange(len(open_))
        upper[row, axis] = lower[row, axis] = cut
        low, high = np.concatenate([low, upper]), np.concatenate([lower, high])
    return True


def _ends(body: Workspace) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest coordinates (1, 3): x, y, z of a box, radius, azimuth, z of a cylinder."""
    if isinstance(body, Cylinder):
        low, high = [0.0, 0.0, body.z_min], [body.radius, 2 * math.pi, body.z_max]
    else:
        low, high = [body.x_min, body.y_min, body.z_min], [body.x_max, body.y_max, body.z_max]
    return np.array([low]), np.array([high])


def _places(body: Workspace, coordinates: np.ndarray) -> np.ndarray:
    """Places (n, 3), m, at coordinates of a body (n, 3)."""
    if isinstance(body, Box):
        return coordinates
    distance, azimuth, z = coordinates.T
    return np.stack([body.x + distance * np.cos(azimuth), body.y + distance * np.sin(azimuth), z], axis=-1)


def largest(fits: Callable[[float], bool], most: float, tolerance: float) -> float:
    """The largest size that fits, found by bisection on the side that does; 0 where none does.

    Args:
        fits: whether a size fits; smaller sizes then fit too.
        most: the largest size to be asked for.
        tolerance: width to which the size is narrowed.
    """
    if fits(most):
        return most
    low, high = 0.0, most
    while high - low > tolerance:
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def largest_rectangle(mask: np.ndarray) -> tuple[int, int, int, int]:
    """First and last row and column of the largest rectangle of true points; rows reversed where there is none.

    Row by row, the run of true points that ends there is a histogram, whose largest rectangle a stack of rising bars
    finds.

    Args:
        mask: points of a plane (n, m).
    """
    runs = np.zeros(mask.shape[1], dtype=int)
    best, found = 0, (0, -1, 0, -1)
    for i, row in enumerate(mask):
        runs = np.where(row, runs + 1, 0)
        stack: list[int] = []
        for j in range(len(runs) + 1):
            height = runs[j] if j < len(runs) else 0
            while stack and runs[stack[-1]] >= height:
                tall = int(runs[stack.pop()])
                start = stack[-1] + 1 if stack else 0
                if tall * (j - start) > best:
                    best, found = tall * (j - start), (i - tall + 1, i, start, j - 1)
            stack.append(j)
    return found
