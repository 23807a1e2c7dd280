"""Programmes of steps with few rows against the same with all of them, solved by HiGHS at once."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from parapick.search import magnitudes
from parapick.search.linear_programme import FIRST, StepProgramme, lowest

ROWS = 40 * FIRST


def programme(seed: int, unknowns: int, weight: float) -> StepProgramme:
    """Random pieces and limits, far more than a programme begins with; none of the limits is missed at rest."""
    draw = np.random.default_rng(seed)
    return StepProgramme(
        values=draw.uniform(0.0, 0.1, ROWS),
        rise=draw.standard_normal((ROWS, unknowns)),
        slacks=draw.uniform(0.0, 0.1, ROWS),
        change=draw.standard_normal((ROWS, unknowns)),
        low=np.full(unknowns, -0.2),
        high=np.full(unknowns, 0.3),
        weight=weight,
    )


def with_all_rows(step: StepProgramme) -> np.ndarray:
    """Step, largest piece and what is missing, of the programme with every row."""
    none, one = np.zeros((ROWS, 1)), np.ones((ROWS, 1))
    rows = np.vstack([np.hstack([step.rise, -one, none]), np.hstack([-step.change, none, -one])])
    elastic = np.isfinite(step.weight)
    costs = [*np.zeros(len(step.low)), 1.0, step.weight if elastic else 0.0]
    bounds = [*zip(step.low, step.high, strict=True), (None, None), (0.0, None if elastic else 0.0)]
    return linprog(costs, A_ub=rows, b_ub=np.concatenate([-step.values, step.slacks]), bounds=bounds).x


@pytest.mark.parametrize("weight", [100.0, np.inf])
@pytest.mark.parametrize("unknowns", [1, 3, 6])
def test_few_rows_have_the_solution_of_all(unknowns: int, weight: float) -> None:
    for seed in range(4):
        step = programme(seed, unknowns, weight)
        solution, whole = step.solved(), with_all_rows(step)
        assert solution is not None
        np.testing.assert_allclose(solution.move, whole[:-2], rtol=0.0, atol=1e-9)
        lack = whole[-1] * (weight if np.isfinite(weight) else 0.0)
        assert solution.least == pytest.approx(whole[-2] + lack, abs=1e-9)


def test_limits_that_no_step_keeps_have_no_solution() -> None:
    step = programme(0, 2, np.inf)
    step.slacks[-1], step.change[-1] = -1.0, 0.0
    assert step.solved() is None


def test_what_is_missing_everywhere_is_missed_least() -> None:
    step = programme(0, 2, 100.0)
    step.slacks[-1], step.change[-1] = -1.0, 0.0
    solution = step.solved()
    assert solution is not None
    assert solution.least == pytest.approx(with_all_rows(step)[-2:] @ [1.0, 100.0], abs=1e-7)


def test_the_lowest_are_the_first_of_equal_ones_in_order() -> None:
    assert lowest(np.array([3.0, 1.0, 2.0, 1.0, 1.0]), 3).tolist() == [1, 3, 4]
    assert lowest(np.array([2.0, 1.0]), 5).tolist() == [0, 1]


def test_magnitudes_are_sums_of_absolute_slopes() -> None:
    slopes = np.random.default_rng(1).standard_normal((50, 4))
    np.testing.assert_allclose(magnitudes(slopes), np.abs(slopes).sum(axis=1), rtol=1e-14)
