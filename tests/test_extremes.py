"""Which values are the largest, and which nearest to their limits, where some are unknown, infinite or equal."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.extremes import TIE, largest_first, nearest_to_limit


@pytest.mark.parametrize("limit", [np.inf, 5.0])
def test_an_infinite_value_is_above_every_limit(limit: float) -> None:
    size = np.array([[0.0, 3.0], [np.nan, 4.0], [np.inf, 1.0]])
    assert nearest_to_limit(size, np.array([limit, 2.0])) == (2, 0)
    assert nearest_to_limit(size[:2], np.array([limit, 2.0])) == (1, 1)


def test_without_limits_it_is_the_largest() -> None:
    assert nearest_to_limit(np.array([[0.0, 3.0], [np.nan, 4.0]]), np.array([np.inf, np.inf])) == (1, 1)


@pytest.mark.parametrize("noise", [0.0, 0.4 * TIE, -0.4 * TIE])
def test_rounding_does_not_order_equal_values(noise: float) -> None:
    values = np.array([1.0, 2.0 - 2.0 * noise, 3.0, 2.0 + 2.0 * noise, 1.0 + noise, 2.0])
    assert largest_first(values).tolist() == [2, 1, 3, 5, 0, 4]
    assert largest_first(-values).tolist() == [0, 4, 1, 3, 5, 2]


def test_what_differs_by_more_is_ordered() -> None:
    assert largest_first(np.array([1.0, 1.0 + 2.0 * TIE, 0.5])).tolist() == [1, 0, 2]
    assert largest_first(np.array([])).tolist() == []
