"""Which value comes nearest to its limit, where some are unknown or infinite."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.extremes import nearest_to_limit


@pytest.mark.parametrize("limit", [np.inf, 5.0])
def test_an_infinite_value_is_above_every_limit(limit: float) -> None:
    size = np.array([[0.0, 3.0], [np.nan, 4.0], [np.inf, 1.0]])
    assert nearest_to_limit(size, np.array([limit, 2.0])) == (2, 0)
    assert nearest_to_limit(size[:2], np.array([limit, 2.0])) == (1, 1)


def test_without_limits_it_is_the_largest() -> None:
    assert nearest_to_limit(np.array([[0.0, 3.0], [np.nan, 4.0]]), np.array([np.inf, np.inf])) == (1, 1)
