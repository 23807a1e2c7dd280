"""The search of a tuning on problems whose best candidate is known, with curved requirements and without any way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize

from parapick.errors import ParameterError
from parapick.search import APART, missing
from parapick.tuning import NoGainsError, SearchEffort
from parapick.tuning.gain_search import (
    CANDIDATES_MAX,
    BestCandidate,
    GainProblem,
    _first as first,
    best_gains,
    check_effort,
    continued,
)
from parapick.tuning.goals import Goal, LoopMargins
from parapick.tuning.trial import UNSTABLE
from parapick.tuning.tuning import _nominal_best as nominal_best, best_of

EFFORT = SearchEffort(candidates=32)
ASKED = Goal(delay=2e-3, singular=0.5)


def problem_of(
    objective: Callable[[np.ndarray], np.ndarray], slacks: Callable[[np.ndarray], np.ndarray]
) -> GainProblem:
    """A problem whose limits are known by their slacks alone."""
    return GainProblem(objective, slacks, lambda row: missing(slacks(row)) == 0.0)


def valley(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Where a bowl is lowest, and how steep it is each way."""
    generator = np.random.default_rng(seed)
    return generator.uniform(0.5, 1.2, 2), generator.uniform(0.5, 4.0, 2)


@pytest.mark.parametrize("seed", range(6))
def test_it_ends_where_another_solver_does(seed: int) -> None:
    """A bowl whose lowest point lies beyond a circle that must not be left."""
    low, steep = valley(seed)

    def objective(rows: np.ndarray) -> np.ndarray:
        return 1.0 + (steep * (rows - low) ** 2).sum(axis=1)

    def slacks(row: np.ndarray) -> np.ndarray:
        return np.array([0.5 - (row**2).sum(), 1.0 - row[0] - 0.2 * row[1]])

    best = best_gains(problem_of(objective, slacks), np.array([0.1, 0.1]), EFFORT)
    held = {"type": "ineq", "fun": slacks}
    other = minimize(lambda row: objective(row[None])[0], [0.3, 0.3], bounds=[(0, 1)] * 2, constraints=held).x
    assert best.violation == 0.0
    assert missing(slacks(best.row)) == 0.0
    assert best.objective == pytest.approx(objective(other[None])[0], rel=2e-4)
    assert best.objective == objective(best.row[None])[0]


def test_it_leaves_a_corner_that_only_polls_see() -> None:
    """Steps need slopes; where the objective has a fold, polls go on."""
    problem = problem_of(lambda rows: 1.0 + np.abs(rows - [0.3, 0.7]).max(axis=1), lambda row: np.ones(1))
    best = best_gains(problem, np.array([0.9, 0.1]), EFFORT)
    assert best.row == pytest.approx([0.3, 0.7], abs=2e-3)


def test_where_nothing_keeps_what_it_must_the_nearest_is_given() -> None:
    problem = problem_of(lambda rows: rows.sum(axis=1), lambda row: np.array([-0.1 - abs(row[0] - 0.6)]))
    best = best_gains(problem, np.array([0.2]), EFFORT)
    assert best.violation == pytest.approx(0.1, abs=1e-3)
    assert best.row == pytest.approx([0.6], abs=1e-3)


def test_a_start_that_misses_its_margins_is_brought_to_keep_them() -> None:
    start = BestCandidate(np.array([0.9, 0.9]), 1.81, 0.4)
    problem = problem_of(
        lambda rows: 1.0 + (1.0 - rows[:, 0]) + (rows[:, 1] - 0.25) ** 2, lambda row: np.array([0.5 - row[0]])
    )
    best = continued(problem, start, EFFORT)
    assert best.violation == 0.0
    assert best.row == pytest.approx([0.5, 0.25], abs=2e-2)
    assert best.row[0] <= 0.5


def test_starts_are_the_best_and_apart() -> None:
    rows = np.array([[0.5], [0.5 + 0.9 * APART], [0.5 - 1.1 * APART], [0.95], [0.1]])
    values = np.array([1.0, 2.0, 3.0, 0.5, np.inf])
    problem = problem_of(lambda many: np.ones(len(many)), lambda row: np.array([0.9 - row[0]]))
    starts = first(problem, rows, values)
    assert [one.objective for one in starts] == [1.0, 3.0]


def test_slopes_are_those_of_the_problem_and_point_inward_at_a_bound() -> None:
    problem = problem_of(
        lambda rows: np.exp(rows @ [1.0, -2.0]), lambda row: np.array([1.0 - row[0], row @ [3.0, 1.0]])
    )
    for row in (np.array([0.4, 0.5]), np.array([1.0, 0.999])):
        place = problem.sloped(problem.place(row))
        assert place is not None
        assert place.goal.slopes[0] == pytest.approx(place.objective * np.array([1.0, -2.0]), rel=1e-9)
        assert place.kept.slopes == pytest.approx(np.array([[-1.0, 0.0], [3.0, 1.0]]), rel=1e-9, abs=1e-12)


def test_where_a_neighbour_is_of_another_kind_there_are_no_slopes() -> None:
    """A loop that goes unstable has one slack; a run that goes astray has no objective."""
    row = np.array([0.5])
    cliff = problem_of(lambda rows: np.ones(len(rows)), lambda at: np.ones(2) if at[0] <= 0.5 else -np.ones(1))
    assert cliff.sloped(cliff.place(row)) is None
    astray = problem_of(lambda rows: np.where(rows[:, 0] > 0.5, np.inf, 1.0), lambda at: np.ones(1))
    assert astray.sloped(astray.place(row)) is None
    lost = astray.place(np.array([0.7]))
    assert lost.objective == np.inf
    assert len(lost.kept.values) == 0


@pytest.mark.parametrize(
    ("effort", "said"),
    [
        (SearchEffort(candidates=0), "candidates: is 0"),
        (SearchEffort(candidates=CANDIDATES_MAX + 1), "candidates: is"),
        (SearchEffort(poses=0), "poses: is 0"),
        (SearchEffort(seed=-1), "seed: is -1"),
    ],
)
def test_an_effort_that_cannot_be(effort: SearchEffort, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        check_effort(effort)
    check_effort(SearchEffort(candidates=1, poses=1))


@dataclass(frozen=True)
class Stated:
    """A trial whose scenarios are bowls about a point each, and whose loops all keep the same."""

    scenarios: tuple[float, ...]
    slack: Callable[[np.ndarray], float] = lambda row: 1.0
    goal: Goal = ASKED
    runs: tuple[int, ...] = ()

    @property
    def space(self) -> object:
        return SimpleNamespace(
            given=np.array([0.5]), values=lambda row: {"law.kp": float(row[0])}, numbers=lambda rows: rows
        )

    def objective(self, rows: np.ndarray) -> np.ndarray:
        return np.max([1.0 + (rows[:, 0] - one) ** 2 for one in self.scenarios], axis=0)

    def slacks(self, row: np.ndarray) -> np.ndarray:
        return np.array([self.slack(row)])

    def keeps(self, row: np.ndarray) -> bool:
        return self.slack(row) >= 0.0

    def margins(self, law: np.ndarray) -> LoopMargins:
        return LoopMargins(True, 1e-3, 0.25, 0.9)


def test_the_best_for_the_first_scenario_is_that_of_the_first_alone() -> None:
    trial = Stated((0.2, 0.8))
    assert best_of(trial, EFFORT).row == pytest.approx([0.5], abs=1e-3)
    assert nominal_best(trial, EFFORT).row == pytest.approx([0.2], abs=1e-3)
    assert nominal_best(Stated((0.2,)), EFFORT) is None
    assert nominal_best(replace(trial, slack=lambda row: -1.0), EFFORT) is None


def test_why_there_are_no_gains() -> None:
    def refused(trial: Stated) -> NoGainsError:
        with pytest.raises(NoGainsError) as error:
            best_of(trial, EFFORT)
        return error.value

    # A pole that is a quarter outside, and least so at 0.75.
    unstable = refused(Stated((0.2,), lambda row: -UNSTABLE - 0.25 - abs(row[0] - 0.75)))
    assert "magnitude of at least 1.25" in str(unstable)
    assert unstable.nearest == pytest.approx({"law.kp": 0.75}, abs=1e-3)
    short = refused(Stated((0.2,), lambda row: -0.5))
    assert "keeps a delay margin of 2 ms and a singular value of 0.5: the best keeps 1 ms and 0.25" in str(short)
    assert "diverges" in str(refused(Stated((np.inf,))))
