"""Fewer instants of a series: none of its extremes is lost."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.answer import Series
from parapick.export.thinning import kept_instants

T = np.linspace(0.0, 1.0, 1001)


def series(*curves: np.ndarray) -> Series:
    return Series("a", "m", T, np.column_stack(curves), tuple(map(str, range(len(curves)))))


@pytest.mark.parametrize("every", [1, 2, 7, 400, 5000])
def test_first_last_and_extremes_are_kept(every: int) -> None:
    rng = np.random.default_rng(0)
    noisy, gaps = rng.normal(size=1001), rng.normal(size=1001)
    gaps[rng.random(1001) < 0.3] = np.nan
    parts = (series(noisy), series(gaps, np.full(1001, np.nan)))
    kept = kept_instants(parts, every)
    assert kept[0] == 0
    assert kept[-1] == 1000
    assert np.all(np.diff(kept) > 0)
    assert np.diff(kept).max() <= every
    for curve in (noisy, gaps):
        assert np.nanmax(curve[kept]) == np.nanmax(curve)
        assert np.nanmin(curve[kept]) == np.nanmin(curve)
    assert len(kept) <= 1001 // every + 6


def test_all_are_kept_where_each_is() -> None:
    assert kept_instants((series(T),), 1).tolist() == list(range(1001))
