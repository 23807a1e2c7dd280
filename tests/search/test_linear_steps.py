"""Searches by linear programmes where another solver knows the best candidate: corners, ends of ranges, starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from parapick.search import CONVERGED, Descent, Free, Pieces, SearchPlace, Space, StepRule, descended
from parapick.search.linear_steps import RADIUS

INSIDE = 1e-9


@dataclass(frozen=True, eq=False)
class Bowls:
    """The largest of several bowls `|d - center|^2 + height`, with a disk of some radius that designs stay in."""

    centers: np.ndarray
    heights: np.ndarray
    low: np.ndarray
    high: np.ndarray
    radius: float = np.inf

    @property
    def ranges(self) -> Space:
        return Space(tuple(Free(f"d{i}", "", *ends) for i, ends in enumerate(zip(self.low, self.high, strict=True))))

    def place(self, shares: np.ndarray) -> SearchPlace:
        goal, limits = self.pieces(self.ranges.values(shares))
        return SearchPlace(shares, goal, lambda: limits)

    def sloped(self, place: SearchPlace) -> SearchPlace:
        return place

    def pieces(self, design: np.ndarray) -> tuple[Pieces, Pieces]:
        apart = design - self.centers
        goal = Pieces((apart**2).sum(axis=1) + self.heights, 2.0 * apart * self.ranges.extent)
        if not np.isfinite(self.radius):
            return goal, Pieces(np.empty(0), np.empty((0, len(design))))
        left = self.radius**2 - (design**2).sum() - INSIDE
        return goal, Pieces(np.array([left]), -2.0 * design[None] * self.ranges.extent)

    def value(self, design: np.ndarray) -> float:
        return float(self.pieces(design)[0].values.max())

    def by_another_solver(self) -> np.ndarray:
        """The best design by SLSQP: the level that no bowl exceeds, made as low as can be."""
        first = np.append(np.clip(np.zeros(len(self.low)), self.low, self.high), 1e3)
        held = [{"type": "ineq", "fun": lambda v: v[-1] - self.pieces(v[:-1])[0].values}]
        held += [{"type": "ineq", "fun": lambda v: self.pieces(v[:-1])[1].values}] if np.isfinite(self.radius) else []
        ends = [*zip(self.low, self.high, strict=True), (None, None)]
        return minimize(lambda v: v[-1], first, bounds=ends, constraints=held, options={"ftol": 1e-14}).x[:-1]


def ended_from(problem: Bowls, start: np.ndarray, steps: int, **rule: Any) -> tuple[Descent, np.ndarray]:
    """How a search from a design ended, and where."""
    ended = descended(problem, problem.ranges.shares(start), StepRule(steps, **rule))
    return ended, problem.ranges.values(ended.place.shares)


def bowls(seed: int, *, radius: float = np.inf, count: int = 6) -> Bowls:
    generator = np.random.default_rng(seed)
    high = generator.uniform(1.0, 3.0, 2)
    return Bowls(generator.uniform(-1.5, 1.5, (count, 2)), generator.uniform(0.5, 1.0, count), -high, high, radius)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("radius", [np.inf, 0.4])
def test_it_ends_where_another_solver_does(seed: int, radius: float) -> None:
    problem = bowls(seed, radius=radius)
    start = np.random.default_rng(seed + 100).uniform(problem.low, problem.high)
    ended, design = ended_from(problem, start, 200)
    best = problem.by_another_solver()
    assert ended.end == CONVERGED
    assert problem.value(design) == pytest.approx(problem.value(best), rel=1e-5)
    assert np.hypot(*design) <= radius


def test_a_step_is_at_most_a_share_of_every_range() -> None:
    far = Bowls(np.array([[9.0, 0.9]]), np.ones(1), np.array([0.0, 0.0]), np.array([10.0, 1.0]))
    ended, design = ended_from(far, np.zeros(2), 1)
    assert ended.end == "steps used up"
    assert design == pytest.approx(RADIUS * far.high)
    # The second step may be twice as long, since the first kept its promise.
    assert ended_from(far, np.zeros(2), 2)[1] == pytest.approx(3.0 * RADIUS * far.high)


def test_ends_of_ranges_hold_and_a_number_without_a_range_stays() -> None:
    low, high = np.array([-1.0, 0.3]), np.array([0.5, 0.3])
    ended, design = ended_from(Bowls(np.array([[2.0, -2.0]]), np.ones(1), low, high), np.array([-0.7, 0.3]), 50)
    assert ended.end == CONVERGED
    assert design.tolist() == pytest.approx([0.5, 0.3], abs=1e-12)
    assert design[1] == 0.3


def test_a_start_outside_is_brought_inside_though_it_costs() -> None:
    problem = Bowls(np.array([[2.0, 0.0]]), np.ones(1), np.full(2, -3.0), np.full(2, 3.0), radius=1.0)
    ended, design = ended_from(problem, np.array([2.0, 0.5]), 100)
    assert ended.end == CONVERGED
    assert design == pytest.approx([1.0, 0.0], abs=1e-4)
    assert np.hypot(*design) <= 1.0


def test_an_objective_of_nothing_is_scaled_by_one() -> None:
    problem = Bowls(np.array([[0.5, 0.5], [-0.5, 0.5]]), np.array([-0.5, -0.5]), np.full(2, -1.0), np.full(2, 1.0))
    assert problem.value(np.zeros(2)) == 0.0
    _, design = ended_from(problem, np.zeros(2), 100)
    assert problem.value(design) == pytest.approx(-0.25, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_where_nothing_may_be_missing_no_place_on_the_way_misses_anything(seed: int) -> None:
    """From a start inside a disk, by whole and shorter steps, to where another solver ends."""
    visited: list[SearchPlace] = []

    class Watched(Bowls):
        def sloped(self, place: SearchPlace) -> SearchPlace:
            visited.append(place)
            return place

    problem = bowls(seed, radius=0.4)
    watched = Watched(problem.centers, problem.heights, problem.low, problem.high, 0.4)
    ended, design = ended_from(watched, np.array([0.1, -0.1]), 300, weight=np.inf, tries=(0.9, 0.7, 0.4))
    assert max(place.missing for place in [*visited, ended.place]) == 0.0
    assert len(visited) >= 2
    assert problem.value(design) == pytest.approx(problem.value(problem.by_another_solver()), rel=1e-6)


def test_a_start_that_misses_what_must_not_be_missing_has_no_value() -> None:
    problem = bowls(0, radius=0.4)
    ended, design = ended_from(problem, np.array([0.9, 0.9]), 10, weight=np.inf)
    assert (ended.end, ended.steps) == ("no value at its start", 0)
    assert design == pytest.approx([0.9, 0.9])


def test_a_correction_follows_a_curved_limit() -> None:
    """Along a circle: the straight step leaves it by its square, the corrected one by far less."""
    problem = Bowls(np.array([[0.0, 3.0]]), np.ones(1), np.full(2, -1.0), np.full(2, 1.0), radius=0.9)
    start = np.array([0.85, -0.2])
    straight = RADIUS * 2.0
    _, design = ended_from(problem, start, 1)
    assert design[1] == pytest.approx(start[1] + straight, abs=1e-6)
    left = 0.81 - float(design @ design)
    linear = 0.81 - float(start @ start) - 2.0 * float(start @ (design - start))
    # What the slopes of the start say is left at its end, and what is: the square of the step between them.
    assert linear - left == pytest.approx(float((design - start) @ (design - start)), rel=1e-6)
    assert left > -0.01


@pytest.mark.parametrize("missing", ["slopes", "programme"])
def test_without_a_step_it_says_so(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = bowls(1)
    if missing == "slopes":
        monkeypatch.setattr(Bowls, "sloped", lambda *_: None)
    else:
        monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: SimpleNamespace(x=None))
    ended, design = ended_from(problem, np.zeros(2), 10)
    assert (ended.end, ended.steps) == ("no step could be computed", 1)
    assert design == pytest.approx(np.zeros(2), abs=1e-12)


def test_a_wide_radius_at_which_to_end_ends_sooner() -> None:
    problem = bowls(2, radius=0.4)
    start = np.array([0.1, -0.1])
    fine, coarse = (ended_from(problem, start, 200, closest=closest)[0] for closest in (1e-7, 3e-2))
    assert coarse.end == fine.end == CONVERGED
    assert coarse.steps <= fine.steps
    assert fine.place.objective <= coarse.place.objective + 1e-9
    none = ended_from(replace(problem), start, 0)[0]
    assert none.end == "steps used up"


@dataclass(frozen=True, eq=False)
class Misled:
    """The distance from the middle of a range, with slopes of the wrong sign, and what was asked of candidates."""

    values: list[float]
    limits: list[float]

    def place(self, shares: np.ndarray) -> SearchPlace:
        value = 1.0 + abs(shares[0] - 0.5)
        self.values.append(float(shares[0]))

        def asked() -> Pieces:
            self.limits.append(float(shares[0]))
            return Pieces(np.array([1.0]), np.zeros((1, 1)))

        return SearchPlace(shares, Pieces(np.array([value]), np.array([[-1.0]])), asked)

    def sloped(self, place: SearchPlace) -> SearchPlace:
        return place


def test_limits_are_not_asked_for_where_a_shorter_step_gains_nothing() -> None:
    problem = Misled([], [])
    ended = descended(problem, np.array([0.5]), StepRule(3, np.inf, tries=(0.9, 0.7, 0.4)))
    assert ended.place.shares == 0.5
    # The start; then of three steps each the whole one, the corrected one, and the shorter ones.
    whole = [RADIUS / 3.0**k for k in range(3) for _ in range(2)]
    assert problem.limits == pytest.approx([0.5, *(0.5 + move for move in whole)])
    assert len(problem.values) == 1 + 3 * (2 + 3)
