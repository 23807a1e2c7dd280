"""Fewer instants of sampled quantities, such that no largest and no smallest value is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from parapick.answer import Series


def kept_instants(series: Sequence[Series], every: int) -> np.ndarray:
    """Places of the instants that stand for all, in their order.

    They are one of `every`, the first and the last, and those where a curve of a series is largest or smallest.

    Args:
        series: quantities over one time axis.
        every: of so many instants one is kept.
    """
    count = len(series[0].t)
    if every <= 1:
        return np.arange(count)
    kept = {*range(0, count, every), count - 1}
    for curve in (curve for one in series for curve in one.values.T):
        if np.isfinite(curve).any():
            kept |= {int(np.nanargmax(curve)), int(np.nanargmin(curve))}
    return np.array(sorted(kept))
