"""Where searches start: an even spread over the unit cube, and of ranked candidates the first that lie apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from parapick.search.sobol import sobol_points

APART: Final = 0.05
"""Starts differ by at least this share of a range, so that they are not all in one valley."""

APART_LEAST: Final = 1e-6
"""Distance below which starts are no longer kept apart where there are too few."""

CLIPPED: Final = 1e-12
"""Distance of a share from 0 and 1, at least: quantiles of the normal distribution are finite between them."""


def sobol_shares(size: int, count: int, seed: int) -> np.ndarray:
    """Points of a scrambled Sobol sequence (count, size), each greater than 0 and less than 1.

    Args:
        size: numbers of a point.
        count: how many points.
        seed: of the scrambling.
    """
    # Whole powers of two, which such a sequence is made for; the rest is left out.
    shares = sobol_points(size, math.ceil(math.log2(count)), seed)[:count]
    return np.clip(shares, CLIPPED, 1 - CLIPPED)


def distance(shares: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far candidates are from others (...): the largest difference of a share.

    Args:
        shares: where their numbers lie in their ranges (..., d).
        others: likewise.
    """
    return np.max(np.abs(shares - others), axis=-1)


def first_apart(
    ranked: np.ndarray, count: int, apart: float = APART, keeps: Callable[[int], bool] | None = None
) -> list[int]:
    """Rows of the first candidates that are some way from each other; fewer than asked for where there are not enough.

    Args:
        ranked: candidates (m, d), the best first.
        count: how many at most.
        apart: least distance between any two.
        keeps: called with a row that is apart from those before it; whether it may be a start. All may if not given.
    """
    chosen: list[int] = []
    for row in range(len(ranked)):
        if len(chosen) == count:
            break
        if chosen and distance(ranked[row], ranked[chosen]).min() < apart:
            continue
        if keeps is None or keeps(row):
            chosen.append(row)
    return chosen


def starts_apart(ranked: np.ndarray, count: int) -> list[int]:
    """Rows of as many starts as are asked for, `APART` or as far as there are enough; otherwise some of them twice.

    Args:
        ranked: candidates (m, d), the best first, at least one.
        count: how many.
    """
    apart = APART
    while True:
        chosen = first_apart(ranked, count, apart)
        if len(chosen) == count:
            return chosen
        if apart < APART_LEAST:
            # Fewer candidates than starts: the last ones are searched from again.
            return [chosen[i % len(chosen)] for i in range(count)]
        apart /= 2
