"""The gradient search: from a start to the nearest best design by sequential linear programmes in a trust region.

The best design of a peak under reach requirements is a corner: as many pieces hold as there are free numbers, and it is
smooth between none of them. So each step solves the linear programme of all pieces that can matter,

    min t + w s   with   piece_j + slope_j d <= t,   slack_j + slope_j d >= -s,   |d| <= radius,   s >= 0

by HiGHS, and once more with the slacks found at its end, which keeps steps along curved requirements. Steps that do
not keep what the programme promised are taken back and the radius shrinks. At a corner this converges quadratically.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, final

import numpy as np

from parapick.study.measures import MEASURES
from parapick.study.slopes import (
    Pieces,
    along,
    limit_pieces,
    measure_pieces,
    reach_pieces,
    requirement_pieces,
)
from parapick.study.work import Work

RADIUS: Final = 0.1
"""First step at most, as a share of each range."""

RADIUS_LEAST: Final = 1e-7
"""A radius below this share of each range ends the search: designs are no more different than a tenth of a micrometre
of a metre."""

PROMISE_LEAST: Final = 1e-8
"""A promised gain below this share of the objective ends the search."""

WEIGHT: Final = 100.0
"""What a unit of a missing slack costs (rad, m, or a share of a bound) beside the objective as a share of itself: more
than an objective can gain by it, since no design halves its torque by a hundredth of a radian."""

INSIDE: Final = 1e-9
"""How far inside every requirement the search stays (rad, m, or a share), so that rounding does not end outside."""

FURTHER_INSIDE: Final = 1e-6
"""The same where places between the points of the study were added: these move with the design, by ever less."""


LEVEL: Final = 1e-12
"""A slack that changes by less over all ranges (rad, m, or a share) does not depend on the design; rounding is less."""


@final
@dataclass(frozen=True, eq=False)
class Problem:
    """What the search makes as good as can be.

    Attributes:
        work: what designs are evaluated with.
        low: smallest values of the free numbers (free,), SI.
        high: largest values (free,), SI; where they equal the smallest, the number is kept.
    """

    work: Work
    low: np.ndarray
    high: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """Extent of every range (free,), 1 where there is none."""
        return np.where(self.high > self.low, self.high - self.low, 1.0)

    def pieces(self, design: np.ndarray) -> tuple[Pieces, Pieces]:
        """Pieces of the objective, whose largest counts, and slacks of the requirements; slopes in shares of ranges.

        Args:
            design: values of the free numbers (free,), SI.
        """
        work = self.work
        names = dict.fromkeys((work.objectives[0], *(one.measure for one in work.requirements)))
        driven = work.rated or any(MEASURES[name].source == "motion" for name in names)
        motions = [along(work, series, design) for series in work.series] if driven and work.weighed else []
        pieces = {name: measure_pieces(work, MEASURES[name], design, motions) for name in names}
        inside = FURTHER_INSIDE if work.further else INSIDE
        goal, sign = pieces[work.objectives[0]], -1.0 if MEASURES[work.objectives[0]].most else 1.0
        slacks = [reach_pieces(work, design), limit_pieces(work, design, motions) if motions else _NOTHING]
        slacks += [requirement_pieces(one, MEASURES[one.measure], pieces[one.measure]) for one in work.requirements]
        values = np.concatenate([slack.values for slack in slacks]) - inside
        slopes = np.concatenate([slack.slopes.reshape(-1, len(design)) for slack in slacks]) * self.size
        # What no free number changes decides no step: the slack of a task that touches the workspace it moves with.
        moving = ~(np.abs(slopes).sum(axis=1) <= LEVEL)
        return Pieces(sign * goal.values, sign * goal.slopes * self.size), Pieces(values[moving], slopes[moving])


_NOTHING: Final = Pieces(np.empty(0), np.empty(0))
"""No pieces at all."""

CONVERGED: Final = "converged"

End = Literal["converged", "steps used up", "no value at its start", "no step could be computed"]
"""How a search ended: no step promises anything; it had no more steps; its start has no objective or no requirement,
such as at a singular pose; or a linear programme was not solved."""


class Descent(NamedTuple):
    """Where a search ended.

    Attributes:
        design: values of the free numbers (free,), SI.
        steps: linear programmes that were solved.
        end: how it ended.
    """

    design: np.ndarray
    steps: int
    end: End


@final
@dataclass(frozen=True, eq=False)
class _Place:
    """A design on the way.

    Attributes:
        design: the design.
        goal: pieces of the objective.
        held: slacks of the requirements.
    """

    design: np.ndarray
    goal: Pieces
    held: Pieces

    @property
    def objective(self) -> float:
        """The largest piece; infinite where the robot cannot follow."""
        largest = float(np.max(self.goal.values))
        return largest if np.isfinite(largest) else np.inf

    @property
    def missing(self) -> float:
        """What is missing of the requirement that lacks most; infinite where one has no value."""
        least = float(np.min(self.held.values, initial=np.inf))
        return np.inf if np.isnan(least) else max(0.0, -least)


def descended(problem: Problem, start: np.ndarray, steps_max: int) -> Descent:
    """The best design near a start.

    Args:
        problem: what is searched.
        start: values of the free numbers (free,), SI.
        steps_max: most linear programmes.
    """
    here, radius = _place(problem, start), RADIUS
    scale = abs(here.objective) or 1.0
    if not np.isfinite(_merit(here, scale)):
        return Descent(start, 0, "no value at its start")
    for step in range(1, steps_max + 1):
        move, promise = _move(problem, here, here.held.values, radius, scale)
        if np.isnan(promise):
            return Descent(here.design, step, "no step could be computed")
        if promise <= PROMISE_LEAST:
            return Descent(here.design, step, "converged")
        there = _place(problem, here.design + problem.size * move)
        gain = _merit(here, scale) - _merit(there, scale)
        if gain < 0.5 * promise and np.isfinite(gain):
            # The slacks at the end of the step, carried back along its slopes: the requirements as curved as they are.
            curved = _carried(here, there, move)
            again, _ = _move(problem, here, curved, radius, scale)
            other = _place(problem, here.design + problem.size * again)
            if _merit(other, scale) < _merit(there, scale):
                there, gain, move = other, _merit(here, scale) - _merit(other, scale), again
        if gain > 0.1 * promise:
            here = there
            radius = min(0.5, 2.0 * radius) if gain > 0.7 * promise else radius
        else:
            radius = min(radius, float(np.max(np.abs(move)))) / 3.0
        if radius < RADIUS_LEAST:
            return Descent(here.design, step, "converged")
    return Descent(here.design, steps_max, "steps used up")


def _place(problem: Problem, design: np.ndarray) -> _Place:
    inside = np.clip(design, problem.low, problem.high)
    return _Place(inside, *problem.pieces(inside))


def _merit(place: _Place, scale: float) -> float:
    return place.objective / scale + WEIGHT * place.missing


def _carried(here: _Place, there: _Place, move: np.ndarray) -> np.ndarray:
    """Slacks at the start that would end, along its slopes, where they truly are at the end."""
    if len(here.held.values) != len(there.held.values):
        return here.held.values
    return there.held.values - here.held.slopes @ move


def _move(problem: Problem, here: _Place, slacks: np.ndarray, radius: float, scale: float) -> tuple[np.ndarray, float]:
    """The step of a linear programme, in shares of the ranges, and the gain in merit that it promises.

    The gain is NaN where the programme is not solved.
    """
    from scipy.optimize import linprog

    size, count = problem.size, len(here.design)
    low = np.maximum(-radius, (problem.low - here.design) / size)
    high = np.minimum(radius, (problem.high - here.design) / size)
    # Pieces that no step within the radius can bring to matter are left out.
    reach = radius * np.abs(here.goal.slopes).sum(axis=1)
    top = here.goal.values + reach >= np.max(here.goal.values - reach)
    near = slacks <= radius * np.abs(here.held.slopes).sum(axis=1)
    rows = [
        np.column_stack([here.goal.slopes[top] / scale, -np.ones(top.sum()), np.zeros(top.sum())]),
        np.column_stack([-here.held.slopes[near], np.zeros(near.sum()), -np.ones(near.sum())]),
    ]
    limits = np.concatenate([-here.goal.values[top] / scale, slacks[near]])
    costs = np.concatenate([np.zeros(count), [1.0, WEIGHT]])
    bounds = [*zip(low, high, strict=True), (None, None), (0.0, None)]
    solution = linprog(costs, A_ub=np.concatenate(rows), b_ub=limits, bounds=bounds, method="highs")
    if solution.x is None:
        return np.zeros(count), np.nan
    return solution.x[:count], _merit(here, scale) - float(solution.fun)
