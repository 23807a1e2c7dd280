"""Comparisons that rounding must not decide: the first of equal extremes, and limits that are met exactly.

There and back are equally hard; which of the two has the larger torque in its sixteenth digit says nothing.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["LIMIT_SLACK", "TIE", "TOUCH", "first_largest", "first_smallest", "largest_first", "nearest_to_limit"]

TIE: Final = 1e-9
"""Share of the largest magnitude by which two values may differ and still count as equal: above what rounding makes of
the same value at another place, below anything that is printed."""

LIMIT_SLACK: Final = 1e-9
"""Share by which a limit may be exceeded and still counts as met: what rounding makes of a fit to the limit."""

TOUCH: Final = 1e-12
"""A limit of reach met to this distance (m, rad) is kept: a motion to the very limit overshoots it by rounding."""


def first_largest(values: np.ndarray) -> int:
    """Index into the flat values of the first that is the largest, ties counted as equal; NaN is left aside.

    Args:
        values: any shape, at least one of them a number.
    """
    flat = values.ravel()
    least, top = float(flat.min()), float(flat.max())
    if np.isfinite(least) and np.isfinite(top):
        return int(np.argmax(flat >= top - TIE * max(-least, top)))
    top = float(np.nanmax(flat))
    finite = np.abs(flat[np.isfinite(flat)])
    slack = TIE * float(finite.max(initial=0.0)) if np.isfinite(top) else 0.0
    return int(np.argmax(flat >= top - slack))


def first_smallest(values: np.ndarray) -> int:
    """Index into the flat values of the first that is the smallest, ties counted as equal; NaN is left aside.

    Args:
        values: any shape, at least one of them a number.
    """
    return first_largest(-values)


def largest_first(values: np.ndarray) -> np.ndarray:
    """Indices (N,) of values from the largest to the smallest, those of equal ones in their own order.

    Args:
        values: (N,), all finite.
    """
    order = np.argsort(-values, kind="stable")
    slack = TIE * float(np.abs(values).max(initial=0.0))
    smaller = np.diff(values[order], prepend=values[order[:1]]) < -slack
    return order[np.lexsort((order, np.cumsum(smaller)))]


def nearest_to_limit(size: np.ndarray, limit: np.ndarray) -> tuple[int, ...]:
    """Index of the magnitude that comes nearest to, or furthest above, its limit.

    Where none has a limit, or only motors at rest have one, it is that of the largest of all.

    Args:
        size: magnitudes (..., n), NaN where unknown; infinite on the rim of reach.
        limit: limit of every motor (n,), infinite where it has none.
    """
    # An infinite magnitude is above every limit, also above one that is infinite.
    share = np.divide(size, limit, out=size.astype(float), where=np.isfinite(size))
    if not np.nanmax(share) > 0.0:
        share = size
    return tuple(int(i) for i in np.unravel_index(first_largest(share), share.shape))
