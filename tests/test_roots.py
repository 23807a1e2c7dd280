"""Brackets that are halved, against SciPy's root finder for whole arrays."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.roots import bisected, halvings_to


def test_roots_are_those_of_scipy() -> None:
    find_root = pytest.importorskip("scipy.optimize.elementwise").find_root
    rng = np.random.default_rng(7)
    shift, power = rng.uniform(0.1, 5.0, (4, 5)), rng.uniform(0.5, 3.0, (4, 5))

    def excess(x: np.ndarray, shift: np.ndarray, power: np.ndarray) -> np.ndarray:
        return x**power - shift

    low, high = bisected(lambda x: excess(x, shift, power) < 0.0, np.zeros((4, 5)), np.full((4, 5), 30.0))
    oracle = find_root(excess, (np.zeros((4, 5)), np.full((4, 5), 30.0)), args=(shift, power))
    assert oracle.success.all()
    np.testing.assert_allclose(low, oracle.x, rtol=1e-12)
    assert np.all(excess(low, shift, power) < 0.0)
    assert np.all(excess(high, shift, power) >= 0.0)


def test_a_jump_is_enclosed_from_both_sides() -> None:
    low, high = bisected(lambda x: x <= 2.0, 0.0, 10.0)
    assert low <= 2.0 < high
    assert high - low < 1e-14 * 2.0 + np.spacing(2.0)


def test_a_bracket_may_run_downward() -> None:
    low, high = bisected(lambda x: x > 3.0, 10.0, 0.0)
    assert low > 3.0 >= high
    assert low == pytest.approx(3.0, abs=1e-14)


def test_geometric_brackets_are_halved_in_logarithm() -> None:
    low, high = bisected(lambda x: x < 5.0, 1e-6, 1e6, 3, geometric=True)
    assert high / low == pytest.approx((1e6 / 1e-6) ** (1 / 8))
    assert low < 5.0 <= high


def test_nothing_is_asked_of_no_brackets() -> None:
    def never(x: np.ndarray) -> np.ndarray:
        raise AssertionError(f"asked at {x}")

    low, high = bisected(never, np.zeros(0), np.zeros(0))
    assert low.shape == high.shape == (0,)


@pytest.mark.parametrize(("width", "tolerance"), [(1.0, 1.0), (1.0, 0.3), (10.0, 1e-9), (0.5, 2.0)])
def test_halvings_reach_the_tolerance_and_no_more_than_that(width: float, tolerance: float) -> None:
    halvings = halvings_to(width, tolerance)
    assert width / 2**halvings <= tolerance
    assert halvings == 0 or width / 2 ** (halvings - 1) > tolerance
