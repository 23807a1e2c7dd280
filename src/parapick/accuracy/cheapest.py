"""The cheapest tolerances with which errors of the plate keep their targets at every pose.

In u = log m, with multiples m of the ordinary tolerances, the cost sum p_j exp(-k_j u_j) is convex, and so is the
logarithm h_i of every size over its target for one standard deviation and the worst case, since their squares are
posynomials of m: a geometric programme, whose only minimum is the cheapest set (Boyd et al. 2007). Where one pose
alone decides, and no bound does, Lagrange's condition is `k_j cost_j = mu e_j`, with the elasticity
e_j = (m_j / size) d size / d m_j: of one standard deviation, the share of tolerance j in the variance.

    min t f(u) - sum_i log(-h_i(u)) - sum_j log(u_j - low_j) - sum_j log(high_j - u_j),   t growing

is solved by Newton's method (interior point). At its minimum the cost is at most (number of limits) / t above the
least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

import numpy as np

from parapick.accuracy.cost import CostModel
from parapick.accuracy.error_norms import ErrorSpread
from parapick.extremes import first_largest, largest_first

GAP: Final = 1e-8
"""Share of the cost by which it may miss the least."""

GROWTH: Final = 10.0
"""Factor of t from one centre to the next."""

STEPS: Final = 200
"""Newton steps to a centre at most; ten are usual."""

DECREMENT: Final = 1e-9
"""Half the square of Newton's decrement at which a centre counts as found."""

SHRINK: Final = 0.5
ARMIJO: Final = 0.1
"""A step that promises too much is halved until it keeps a tenth of its promise."""

FEW: Final = 4
"""Poses that are added at once to those that decide."""

KEPT: Final = 1e-9
"""Share by which rounding may miss a target."""

NEAR: Final = 1e-4
"""Distance of log m from a bound below which a tolerance is at it."""


@final
@dataclass(frozen=True, eq=False)
class ErrorGoal:
    """An error of the plate, and what it must keep.

    Attributes:
        spread: the error at poses.
        norm: a name of `NORMS`.
        target: what its size must not exceed (m, rad).
    """

    spread: ErrorSpread
    norm: str
    target: float

    def logs(self, multiples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logarithm of size over target at every pose (N,), and its slopes by log m, the elasticities (N, T).

        Args:
            multiples: m of every free tolerance (T,).
        """
        sizes = self.spread.sizes(self.norm, multiples)
        values = np.maximum(sizes.values, np.finfo(float).tiny)
        return np.log(values / self.target), sizes.slopes * multiples / values[:, None]


class Floor(NamedTuple):
    """Why no tolerances keep a target.

    Attributes:
        goal: which of the goals.
        pose: number of the pose at which most is missing.
        size: size of the error there with every tolerance at its finest (m, rad).
        shares: elasticities there: what each free tolerance has in it (T,); what is missing to 1 is stated.
    """

    goal: int
    pose: int
    size: float
    shares: np.ndarray


def cheapest(costs: CostModel, goals: Sequence[ErrorGoal]) -> np.ndarray | Floor:
    """Multiples of the ordinary tolerances (T,) with the least cost; or why none within the bounds keep the targets.

    Few poses decide. So the poses that count are found as they are missed: what is cheapest for some of them, and keeps
    the targets at all, is cheapest for all.

    Args:
        costs: what tolerances cost, and their bounds.
        goals: what must be kept.
    """
    missing = floor_of(goals, costs.finest)
    if missing is not None:
        return missing
    rows = [_largest(goal.logs(costs.coarsest)[0]) for goal in goals]
    while True:
        some = [replace(goal, spread=goal.spread.at(chosen)) for goal, chosen in zip(goals, rows, strict=True)]
        multiples = _cheapest_at(costs, some)
        logs = [goal.logs(multiples)[0] for goal in goals]
        more = [np.union1d(chosen, _largest(values)) for chosen, values in zip(rows, logs, strict=True)]
        known = all(len(wider) == len(chosen) for wider, chosen in zip(more, rows, strict=True))
        if known or max(values.max() for values in logs) <= KEPT:
            return multiples
        rows = more


def _largest(values: np.ndarray) -> np.ndarray:
    """Numbers of the few poses at which a goal is missed most, in order."""
    return np.sort(largest_first(values)[:FEW])


def _cheapest_at(costs: CostModel, goals: Sequence[ErrorGoal]) -> np.ndarray:
    """Multiples with the least cost for all poses of goals, which the finest keep."""
    low, high = np.log(costs.finest), np.log(costs.coarsest)
    room = -max(float(goal.logs(costs.finest)[0].max()) for goal in goals)
    # Elasticities add up to 1 at most, so that half the room is left.
    u = low + np.minimum(0.5 * room, 0.01 * (high - low))
    limits = sum(len(goal.spread.stated_magnitude) for goal in goals) + 2 * len(low)
    # At first the limits weigh more than the cost: a way that hugs a limit from the start is long.
    weight = 1.0 / float(costs.costs(np.exp(u)).sum())
    while limits / weight > GAP * costs.costs(np.exp(u)).sum():
        u = _centre(_Barrier(costs, tuple(goals), low, high, weight), u)
        weight *= GROWTH
    at_bound = np.where(u - low < NEAR, low, np.where(high - u < NEAR, high, u))
    beyond = max(float(goal.logs(np.exp(at_bound))[0].max()) for goal in goals)
    # What is next to a bound goes there, and the others pay for it.
    return np.exp(np.where(at_bound == u, u - max(beyond, 0.0), at_bound)) if beyond < NEAR else np.exp(u)


def floor_of(goals: Sequence[ErrorGoal], multiples: np.ndarray) -> Floor | None:
    """Which goal these tolerances do not keep, the one that misses most; None where they keep all.

    Args:
        goals: the goals.
        multiples: m of every free tolerance (T,).
    """
    logs = [goal.logs(multiples) for goal in goals]
    worst = int(np.argmax([values.max() for values, _ in logs]))
    values, slopes = logs[worst]
    pose = first_largest(values)
    if values[pose] < 0.0:
        return None
    return Floor(worst, pose, goals[worst].target * float(np.exp(values[pose])), slopes[pose])


@final
@dataclass(frozen=True, eq=False)
class _Barrier:
    """The function whose minimum is a centre, for one weight t."""

    costs: CostModel
    goals: tuple[ErrorGoal, ...]
    low: np.ndarray
    high: np.ndarray
    weight: float

    def value(self, u: np.ndarray) -> float:
        """Its value; infinite where a limit is not kept."""
        rooms = [-goal.logs(np.exp(u))[0] for goal in self.goals]
        rooms += [u - self.low, self.high - u]
        if any((room <= 0.0).any() for room in rooms):
            return np.inf
        return self.weight * float(self.costs.costs(np.exp(u)).sum()) - sum(float(np.log(r).sum()) for r in rooms)

    def slopes(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient (T,) and Hessian (T, T); that of h, 2 (diag e - e e'), is exact for one standard deviation."""
        cost, powers = self.costs.costs(np.exp(u)), self.costs.exponents
        below, above = 1.0 / (u - self.low), 1.0 / (self.high - u)
        gradient = -self.weight * powers * cost - below + above
        hessian = np.diag(self.weight * powers**2 * cost + below**2 + above**2)
        for goal in self.goals:
            values, shares = goal.logs(np.exp(u))
            pull = -1.0 / values
            gradient = gradient + pull @ shares
            hessian = hessian + (shares * (pull**2 - 2 * pull)[:, None]).T @ shares + np.diag(2 * pull @ shares)
        return gradient, hessian


def _centre(barrier: _Barrier, u: np.ndarray) -> np.ndarray:
    """The minimum of a barrier from a point that keeps every limit, by damped Newton steps."""
    value = barrier.value(u)
    for _ in range(STEPS):
        gradient, hessian = barrier.slopes(u)
        step = -np.linalg.solve(hessian, gradient)
        promise = -float(gradient @ step)
        if promise / 2 < DECREMENT:
            break
        length = 1.0
        while (there := barrier.value(u + length * step)) > value - ARMIJO * length * promise and length > 1e-12:
            length *= SHRINK
        if length <= 1e-12:
            break
        u, value = u + length * step, there
    return u
