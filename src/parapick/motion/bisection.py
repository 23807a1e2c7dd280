"""Where a condition turns: brackets that are halved until they are as short as rounding lets them be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

HALVINGS: Final = 60
"""Halvings after which a bracket is shorter than double precision can tell."""


def bisected(
    before: Callable[[np.ndarray], np.ndarray | bool],
    low: np.ndarray | float,
    high: np.ndarray | float,
    halvings: int = HALVINGS,
) -> tuple[np.ndarray, np.ndarray]:
    """Brackets (...) around where a condition turns from true, as it is at `low`, to false, as it is at `high`."""
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    for _ in range(halvings if low.size else 0):
        middle = 0.5 * (low + high)
        earlier = before(middle)
        low, high = np.where(earlier, middle, low), np.where(earlier, high, middle)
    return low, high
