"""From a start to the nearest best candidate by sequential linear programmes in a trust region.

The best candidate of a peak under limits is a corner: as many pieces hold as there are free numbers, and it is smooth
between none of them. So each step solves the linear programme of all pieces that can matter,

    min t + w s   with   piece_j + slope_j d <= t,   slack_j + slope_j d >= -s,   |d| <= radius,   s >= 0

by HiGHS, and where its end does not keep what the programme promised once more with the slacks found there, carried
back along their slopes (second-order correction), which keeps steps along curved limits. Steps that still do not keep
the promise are taken back and the radius shrinks. At a corner this converges quadratically.

An infinite weight w means s = 0: from a start that keeps every limit none is ever left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Protocol, final

import numpy as np

from parapick.search.bounds import missing
from parapick.search.ends import CONVERGED, NO_STEP, NO_VALUE, STEPS_USED_UP, End
from parapick.search.linear_programme import StepProgramme

RADIUS: Final = 0.1
"""First step at most, as a share of each range."""

RADIUS_MOST: Final = 0.5
"""Any step at most, as a share of each range."""

RADIUS_LEAST: Final = 1e-7
"""A radius below this share of each range ends a search: designs are no more different than a tenth of a micrometre of
a metre."""

PROMISE_LEAST: Final = 1e-8
"""A promised gain below this share of the objective ends a search."""

WEIGHT: Final = 100.0
"""What a unit of a missing slack costs (rad, m, or a share of a bound) beside the objective as a share of itself: more
than an objective can gain by it, since no design halves its torque by a hundredth of a radian."""

CORRECTED: Final = 0.5
"""Share of its promise below which a step is corrected."""

TAKEN: Final = 0.1
"""Share of its promise above which a step is taken."""

TRUSTED: Final = 0.7
"""Share of its promise above which the next step may be longer."""


class Pieces(NamedTuple):
    """Smooth pieces of an objective or of limits at one candidate.

    Attributes:
        values: the pieces (k,).
        slopes: their slopes by the free numbers (k, d); empty where they are not known yet.
    """

    values: np.ndarray
    slopes: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class SearchPlace:
    """A candidate on the way of a search.

    Attributes:
        shares: where its numbers lie in their ranges (d,).
        goal: pieces of the objective, whose largest counts.
        limits: gives the slacks of the limits; asked once, and only where the objective does not decide.
    """

    shares: np.ndarray
    goal: Pieces
    limits: Callable[[], Pieces]

    @cached_property
    def kept(self) -> Pieces:
        """Slacks of the limits; negative is missing."""
        return self.limits()

    @property
    def objective(self) -> float:
        """The largest piece; infinite where there is none."""
        largest = float(np.max(self.goal.values))
        return largest if np.isfinite(largest) else np.inf

    @property
    def missing(self) -> float:
        """What is missing of the slack that lacks most; infinite where one has no value."""
        return missing(self.kept.values)


def magnitudes(slopes: np.ndarray) -> np.ndarray:
    """What each piece changes by at most within steps of 1 (k,): the sum of the magnitudes of its slopes.

    Args:
        slopes: slopes of pieces (k, d).
    """
    # A product with ones: sums along an axis of few numbers take several times as long.
    return np.abs(slopes) @ np.ones(slopes.shape[1])


class SmoothProblem(Protocol):
    """What a search by linear programmes makes as good as can be."""

    def place(self, shares: np.ndarray) -> SearchPlace:
        """A candidate with its pieces, and their slopes where they cost nothing more.

        Args:
            shares: where its numbers lie in their ranges (d,).
        """
        ...

    def sloped(self, place: SearchPlace) -> SearchPlace | None:
        """The same candidate with slopes in shares of ranges; None where it has none.

        Args:
            place: the candidate.
        """
        ...


@final
@dataclass(frozen=True)
class StepRule:
    """How steps are taken.

    Attributes:
        steps: most linear programmes.
        weight: what a unit of a missing slack costs; infinite where nothing may be missing, from a start that misses
            nothing.
        tries: shares of a step that are tried, one after the other, where the whole one does not keep its promise.
        closest: radius, as a share of the ranges, at which it ends.
    """

    steps: int
    weight: float = WEIGHT
    tries: tuple[float, ...] = ()
    closest: float = RADIUS_LEAST


class Descent(NamedTuple):
    """Where a search ended.

    Attributes:
        place: the candidate.
        steps: linear programmes that were solved.
        end: how it ended.
    """

    place: SearchPlace
    steps: int
    end: End


def descended(problem: SmoothProblem, start: np.ndarray, rule: StepRule) -> Descent:
    """The best candidate near a start.

    Args:
        problem: what is searched.
        start: where its numbers lie in their ranges (d,).
        rule: how steps are taken.
    """
    here = problem.place(np.clip(start, 0.0, 1.0))
    steps = _Steps(problem, rule, abs(here.objective) or 1.0)
    if not np.isfinite(steps.merit(here)):
        return Descent(here, 0, NO_VALUE)
    radius = RADIUS
    for number in range(1, rule.steps + 1):
        sloped = problem.sloped(here)
        if sloped is None:
            return Descent(here, number, NO_STEP)
        move, promise = steps.programme(sloped, sloped.kept.values, radius)
        if np.isnan(promise):
            return Descent(here, number, NO_STEP)
        if promise <= PROMISE_LEAST:
            return Descent(here, number, CONVERGED)
        step = steps.tried(sloped, steps.corrected(sloped, steps.step(sloped, move, promise), radius))
        if step.gain > TAKEN * step.promise:
            here = step.there
            radius = min(RADIUS_MOST, 2.0 * radius) if step.gain > TRUSTED * promise else radius
        else:
            radius = min(radius, float(np.max(np.abs(step.move)))) / 3.0
        if radius < rule.closest:
            return Descent(here, number, CONVERGED)
    return Descent(here, rule.steps, STEPS_USED_UP)


class _Step(NamedTuple):
    """A step in shares of the ranges (d,), where it leads, and what of the merit it promised and gained."""

    move: np.ndarray
    there: SearchPlace
    promise: float
    gain: float


@final
@dataclass(frozen=True, eq=False)
class _Steps:
    """Steps of a search, by the merit: the objective as a share of its size at the start, and what is missing."""

    problem: SmoothProblem
    rule: StepRule
    scale: float

    def merit(self, place: SearchPlace) -> float:
        """What is made as small as can be."""
        lack = place.missing
        return place.objective / self.scale + (self.rule.weight * lack if lack > 0.0 else 0.0)

    def step(self, here: SearchPlace, move: np.ndarray, promise: float) -> _Step:
        """A step, taken."""
        there = self.problem.place(np.clip(here.shares + move, 0.0, 1.0))
        return _Step(move, there, promise, self.merit(here) - self.merit(there))

    def tried(self, here: SearchPlace, step: _Step) -> _Step:
        """The step, or the first of its shares that keeps enough of its promise; the whole one where none does."""
        for share in self.rule.tries:
            if step.gain > TAKEN * step.promise:
                break
            move, promise = share * step.move, share * step.promise
            there = self.problem.place(np.clip(here.shares + move, 0.0, 1.0))
            # What is missing only adds to the merit: where the objective gains too little, limits need not be known.
            if self.merit(here) - there.objective / self.scale <= TAKEN * promise:
                continue
            gain = self.merit(here) - self.merit(there)
            if gain > TAKEN * promise:
                return _Step(move, there, promise, gain)
        return step

    def corrected(self, here: SearchPlace, step: _Step, radius: float) -> _Step:
        """The step, or where it does not keep its promise the one along limits as curved as its end shows them."""
        there = step.there.kept.values
        comparable = np.isfinite(step.there.objective) and np.isfinite(step.there.missing)
        if step.gain >= CORRECTED * step.promise or not comparable or len(there) != len(here.kept.values):
            return step
        # Slacks at the start that would end, along their slopes, where they truly are at the end.
        carried = there - here.kept.slopes @ step.move
        move, promise = self.programme(here, carried, radius)
        if np.isnan(promise):
            return step
        other = self.step(here, move, step.promise)
        return min(step, other, key=lambda taken: (self.merit(taken.there), taken.there.missing))

    def programme(self, here: SearchPlace, slacks: np.ndarray, radius: float) -> tuple[np.ndarray, float]:
        """The step of a linear programme, in shares of the ranges, and the gain in merit that it promises.

        The gain is NaN where the programme is not solved.
        """
        goal, rise, change = here.goal.values, here.goal.slopes, here.kept.slopes
        # Pieces that no step within the radius can bring to matter are left out.
        reach = radius * magnitudes(rise)
        top = goal + reach >= np.max(goal - reach)
        near = slacks <= radius * magnitudes(change)
        solution = StepProgramme(
            values=goal[top] / self.scale,
            rise=rise[top] / self.scale,
            slacks=slacks[near],
            change=change[near],
            low=np.maximum(-radius, -here.shares),
            high=np.minimum(radius, 1.0 - here.shares),
            weight=self.rule.weight,
        ).solved()
        if solution is None:
            return np.zeros(len(here.shares)), np.nan
        return solution.move, self.merit(here) - solution.least
