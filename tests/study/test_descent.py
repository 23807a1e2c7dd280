"""The gradient search on problems whose best design is known by another solver: corners, ends of ranges, starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.optimize import minimize

from parapick.study.descent import CONVERGED, INSIDE, RADIUS, descended
from parapick.study.slopes import Pieces


@dataclass(frozen=True, eq=False)
class Bowls:
    """The largest of several bowls `|d - center|^2 + height`, with a disk of some radius that designs stay in."""

    centers: np.ndarray
    heights: np.ndarray
    low: np.ndarray
    high: np.ndarray
    radius: float = np.inf

    @property
    def size(self) -> np.ndarray:
        return np.where(self.high > self.low, self.high - self.low, 1.0)

    def pieces(self, design: np.ndarray) -> tuple[Pieces, Pieces]:
        apart = design - self.centers
        goal = Pieces((apart**2).sum(axis=1) + self.heights, 2.0 * apart * self.size)
        if not np.isfinite(self.radius):
            return goal, Pieces(np.empty(0), np.empty((0, len(design))))
        left = self.radius**2 - (design**2).sum() - INSIDE
        return goal, Pieces(np.array([left]), -2.0 * design[None] * self.size)

    def value(self, design: np.ndarray) -> float:
        return float(self.pieces(design)[0].values.max())

    def by_another_solver(self) -> np.ndarray:
        """The best design by SLSQP: the level that no bowl exceeds, made as low as can be."""
        first = np.append(np.clip(np.zeros(len(self.low)), self.low, self.high), 1e3)
        held = [{"type": "ineq", "fun": lambda v: v[-1] - self.pieces(v[:-1])[0].values}]
        held += [{"type": "ineq", "fun": lambda v: self.pieces(v[:-1])[1].values}] if np.isfinite(self.radius) else []
        ends = [*zip(self.low, self.high, strict=True), (None, None)]
        return minimize(lambda v: v[-1], first, bounds=ends, constraints=held, options={"ftol": 1e-14}).x[:-1]


def bowls(seed: int, *, radius: float = np.inf, count: int = 6) -> Bowls:
    generator = np.random.default_rng(seed)
    high = generator.uniform(1.0, 3.0, 2)
    return Bowls(generator.uniform(-1.5, 1.5, (count, 2)), generator.uniform(0.5, 1.0, count), -high, high, radius)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("radius", [np.inf, 0.4])
def test_it_ends_where_another_solver_does(seed: int, radius: float) -> None:
    problem = bowls(seed, radius=radius)
    ended = descended(problem, np.random.default_rng(seed + 100).uniform(problem.low, problem.high), 200)
    best = problem.by_another_solver()
    assert ended.end == CONVERGED
    assert problem.value(ended.design) == pytest.approx(problem.value(best), rel=1e-5)
    assert np.hypot(*ended.design) <= radius


def test_a_step_is_at_most_a_share_of_every_range() -> None:
    far = Bowls(np.array([[9.0, 0.9]]), np.ones(1), np.array([0.0, 0.0]), np.array([10.0, 1.0]))
    ended = descended(far, np.zeros(2), 1)
    assert ended.end == "steps used up"
    assert ended.design == pytest.approx(RADIUS * far.size)
    # The second step may be twice as long, since the first kept its promise.
    assert descended(far, np.zeros(2), 2).design == pytest.approx(3.0 * RADIUS * far.size)


def test_ends_of_ranges_hold_and_a_number_without_a_range_stays() -> None:
    low, high = np.array([-1.0, 0.3]), np.array([0.5, 0.3])
    ended = descended(Bowls(np.array([[2.0, -2.0]]), np.ones(1), low, high), np.array([-0.7, 0.3]), 50)
    assert ended.end == CONVERGED
    assert ended.design.tolist() == pytest.approx([0.5, 0.3], abs=1e-12)
    assert ended.design[1] == 0.3


def test_a_start_outside_is_brought_inside_though_it_costs() -> None:
    problem = Bowls(np.array([[2.0, 0.0]]), np.ones(1), np.full(2, -3.0), np.full(2, 3.0), radius=1.0)
    ended = descended(problem, np.array([2.0, 0.5]), 100)
    assert ended.end == CONVERGED
    assert ended.design == pytest.approx([1.0, 0.0], abs=1e-4)
    assert np.hypot(*ended.design) <= 1.0


def test_an_objective_of_nothing_is_scaled_by_one() -> None:
    problem = Bowls(np.array([[0.5, 0.5], [-0.5, 0.5]]), np.array([-0.5, -0.5]), np.full(2, -1.0), np.full(2, 1.0))
    assert problem.value(np.zeros(2)) == 0.0
    ended = descended(problem, np.zeros(2), 100)
    assert problem.value(ended.design) == pytest.approx(-0.25, abs=1e-6)
