"""Where a condition turns: brackets that are halved, all of them at once.

A yes or no is enough, so it finds where a limit begins to be broken as well as the root of a function:
`bisected(lambda x: f(x) < 0.0, low, high)`. Where a function is dear and smooth, those who ask it take secants instead
(`motion/three_strokes.py`, `tasks/pick_place.py`, `timing/turning.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

__all__ = ["HALVINGS", "bisected", "halvings_to"]

HALVINGS: Final = 60
"""Halvings after which a bracket is shorter than double precision can tell."""


def bisected(
    before: Callable[[np.ndarray], np.ndarray | bool],
    low: np.ndarray | float,
    high: np.ndarray | float,
    halvings: int = HALVINGS,
    *,
    geometric: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Brackets (...) around where a condition turns from true, as it is at `low`, to false, as it is at `high`.

    Args:
        before: whether the condition holds at values (...).
        low: ends (...) at which it holds; it is not asked there.
        high: ends (...) at which it does not; one may be below its `low`.
        halvings: how often brackets are halved.
        geometric: halve them in logarithm; both ends are then greater than 0.
    """
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    for _ in range(halvings if low.size else 0):
        middle = np.sqrt(low * high) if geometric else 0.5 * (low + high)
        earlier = before(middle)
        low, high = np.where(earlier, middle, low), np.where(earlier, high, middle)
    return low, high


def halvings_to(width: float, tolerance: float) -> int:
    """Halvings after which a bracket is no wider than a tolerance, at least none.

    Args:
        width: of the bracket.
        tolerance: greater than 0, in the same unit.
    """
    return max(0, math.ceil(math.log2(width / tolerance))) if width > tolerance else 0
