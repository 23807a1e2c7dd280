"""Which of several equal extremes is told: the first, so that rounding does not decide.

There and back are equally hard; which of the two has the larger torque in its sixteenth digit says nothing.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["TIE", "first_largest", "first_smallest"]

TIE: Final = 1e-9
"""Share of the largest magnitude by which two values may differ and still count as equal: above what rounding makes of
the same value at another place, below anything that is printed."""


def first_largest(values: np.ndarray) -> int:
    """Index into the flat values of the first that is the largest, ties counted as equal; NaN is left aside.

    Args:
        values: any shape, at least one of them a number.
    """
    flat = values.ravel()
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
