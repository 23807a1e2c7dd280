"""Polls and random steps: objectives with folds, limits, ends, and the same result from the same seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from parapick.search import PollRule, RandomRule, best_drawn, polled
from parapick.search.polls import FIRST

RULE = PollRule(polls=200, closest=1e-5, seed=1)
Objective = Callable[[np.ndarray], np.ndarray]


def folded(lowest: tuple[float, ...]) -> Objective:
    """The largest distance along an axis: smooth nowhere where it matters."""
    return lambda rows: np.abs(rows - np.array(lowest)).max(axis=1)


@pytest.mark.parametrize("lowest", [(0.3, 0.7), (0.0, 1.0), (0.5,), (0.2, 0.4, 0.9)])
def test_they_come_to_the_bottom_of_a_fold(lowest: tuple[float, ...]) -> None:
    objective = folded(lowest)
    start = np.full(len(lowest), 0.6)
    ended = polled(start, float(objective(start[None])[0]), objective, RULE)
    assert ended.shares == pytest.approx(lowest, abs=1e-3)
    assert ended.objective == objective(ended.shares[None])[0]
    assert ended.end == "converged"


def test_no_candidate_that_misses_its_limits_is_taken() -> None:
    ended = polled(np.array([0.2, 0.2]), 0.7, folded((0.9, 0.9)), RULE, lambda row: row.sum() <= 1.0)
    assert ended.shares.sum() <= 1.0
    assert ended.objective == pytest.approx(0.4, abs=1e-3)


def test_they_end_where_it_is_enough_and_where_there_are_no_more() -> None:
    objective = folded((0.9,))
    start = np.array([0.1])
    enough = polled(start, 0.8, objective, PollRule(200, 1e-5, 1, enough=0.3))
    assert enough.end == "converged"
    assert 0.1 < enough.objective <= 0.3
    short = polled(start, 0.8, objective, PollRule(1, 1e-5, 1))
    assert (short.end, short.shares) == ("steps used up", pytest.approx([0.1 + FIRST]))


def test_candidates_stay_within_the_bounds_and_none_is_the_start() -> None:
    seen: list[np.ndarray] = []

    def objective(rows: np.ndarray) -> np.ndarray:
        seen.append(rows)
        return np.ones(len(rows))

    start = np.array([0.0, 1.0])
    polled(start, 0.5, objective, PollRule(5, 1e-5, 1))
    candidates = np.concatenate(seen)
    assert candidates.min() >= 0.0
    assert candidates.max() <= 1.0
    assert np.any(candidates != start, axis=1).all()


def test_the_best_draw_is_improved_by_steps_from_it() -> None:
    wanted = np.array([[2.0, -1.0], [0.5, 0.0]])

    def worth(numbers: np.ndarray) -> float:
        return -float(np.linalg.norm(numbers - wanted))

    drawn = best_drawn(worth, (2, 2), RandomRule(20, 0, 0.3, seed=4))
    stepped = best_drawn(worth, (2, 2), RandomRule(20, 400, 0.3, seed=4))
    random = np.random.default_rng(4)
    assert drawn.worth == max(worth(random.standard_normal((2, 2))) for _ in range(20))
    assert drawn.worth < stepped.worth
    assert stepped.worth > -0.4
    assert stepped.end == "steps used up"
    again = best_drawn(worth, (2, 2), RandomRule(20, 400, 0.3, seed=4))
    assert again.numbers is not None
    assert np.array_equal(again.numbers, stepped.numbers)


def test_without_a_candidate_that_has_a_value_there_is_none() -> None:
    nothing = best_drawn(lambda numbers: -np.inf, (3,), RandomRule(4, 4, 0.3, seed=0))
    assert (nothing.numbers, nothing.end) == (None, "no value at its start")
