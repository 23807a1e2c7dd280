"""The best gains of a tuning: a spread over the bounds, then steps of linear programmes, then polls.

Slopes of objective and margins are found by differences, all candidates in lanes, so that steps can follow a margin
that is just kept; no step leaves what is kept. Not all is smooth here, so polls go on where steps end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple, final

import numpy as np

from parapick.errors import ParameterError
from parapick.limits import MOST, count_objection
from parapick.search import (
    NOT_KEPT,
    End,
    Objective,
    Pieces,
    PollRule,
    SearchPlace,
    StepRule,
    descended,
    first_apart,
    missing,
    polled,
    sobol_shares,
)

DIFFERENCE: Final = 4e-3
"""Share of a range over which slopes are found: small against what bends, large against encoder steps."""

SHORTER: Final = (0.9, 0.7, 0.4)
"""Shares of a step that are tried where the whole one leaves what must be kept."""

STARTS: Final = 2
"""Candidates of the spread from which steps begin."""

CORNERS: Final = 4
"""Free numbers up to which all corners of the bounds are tried."""

CANDIDATES_MAX: Final = MOST["candidates"]
"""Most candidates of a spread: minutes of native runs."""

CHECKED: Final = 48
"""Candidates of the spread, best first, whose margins are looked at before any is taken that merely violates least."""


@final
@dataclass(frozen=True)
class SearchEffort:
    """How much is tried.

    Attributes:
        candidates: candidates of the spread over the bounds.
        steps: most steps of linear programs.
        polls: most polls around the best.
        close: distance of a poll, as a share of the ranges, at which it ends.
        poses: poses along the motion at which margins are looked at.
        seed: of the random directions and of the spread.
    """

    candidates: int = 256
    steps: int = 30
    polls: int = 40
    close: float = 1e-4
    poses: int = 3
    seed: int = 0


def check_effort(effort: SearchEffort) -> None:
    """Raise if an effort cannot be meant.

    Raises:
        ParameterError: fewer than one candidate or pose, or more candidates than there may be.
    """
    if not 1 <= effort.candidates <= CANDIDATES_MAX:
        raise ParameterError("candidates", f"is {effort.candidates}; it must be from 1 to {CANDIDATES_MAX}")
    if effort.poses < 1:
        raise ParameterError("poses", f"is {effort.poses}; a motion needs at least one pose")
    if effort.seed < 0:
        raise ParameterError("seed", f"is {effort.seed}; it must be at least 0")
    if objection := count_objection("seed", effort.seed):
        raise ParameterError("seed", objection)


class BestCandidate(NamedTuple):
    """The best candidate of a search.

    Attributes:
        row: the candidate as shares of its ranges (d,).
        objective: its objective.
        violation: 0 where it keeps what it must.
        end: how the search that came to it ended; empty where it was only spread.
    """

    row: np.ndarray
    objective: float
    violation: float
    end: End | None = None


Slacks = Callable[[np.ndarray], np.ndarray]
"""What a candidate (d,) keeps beyond what it must, of every scenario and pose, as shares (k,); negative is missing."""


@final
@dataclass(frozen=True, eq=False)
class GainProblem:
    """Candidates of a tuning as a problem of searches.

    Attributes:
        objective: objectives of candidates as shares of their ranges.
        slacks: what a candidate keeps beyond what it must.
        keeps: whether none of its slacks is negative, which may be known before all of them are.
    """

    objective: Objective
    slacks: Slacks
    keeps: Callable[[np.ndarray], bool]

    def place(self, shares: np.ndarray) -> SearchPlace:
        """A candidate with its objective and its slacks; without slacks where its run does not do its work.

        Args:
            shares: where its numbers lie in their ranges (d,).
        """
        value = self.objective(shares[None])
        slacks = self.slacks if np.isfinite(value[0]) else lambda _: np.empty(0)
        return SearchPlace(shares, _unsloped(value), lambda: _unsloped(slacks(shares)))

    def violations(self, rows: np.ndarray) -> np.ndarray:
        """What candidates miss (m,).

        Args:
            rows: candidates as shares of their ranges (m, d).
        """
        return np.array([missing(self.slacks(row)) for row in rows])

    def sloped(self, place: SearchPlace) -> SearchPlace | None:
        """The same candidate with slopes by differences, inward at a bound; None where a neighbour has other slacks.

        Args:
            place: the candidate.
        """
        steps = np.where(place.shares + DIFFERENCE > 1.0, -DIFFERENCE, DIFFERENCE)
        neighbours = place.shares + np.diag(steps)
        values = self.objective(neighbours)
        slacks = [self.slacks(row) for row in neighbours]
        kept = place.kept.values
        if (
            place.objective <= 0.0
            or not np.all(np.isfinite(values))
            or any(len(others) != len(kept) for others in slacks)
        ):
            return None
        # Of the logarithm, which is straighter where an objective grows by decades.
        rise = place.objective * np.log(np.maximum(values, 1e-300) / place.objective) / steps
        change = (np.array(slacks) - kept) / steps[:, None]
        limits = Pieces(kept, change.T)
        return replace(place, goal=Pieces(place.goal.values, rise[None]), limits=lambda: limits)


def _unsloped(values: np.ndarray) -> Pieces:
    return Pieces(values, np.empty((0, 0)))


def best_gains(problem: GainProblem, given: np.ndarray, effort: SearchEffort) -> BestCandidate:
    """The best candidate that keeps what it must; where none does, the one that misses it least.

    Args:
        given: a candidate to start with (d,), where it lies within the bounds.
        effort: how much is tried.
    """
    rows = _spread(given, effort)
    starts = _first(problem, rows, problem.objective(rows))
    if starts[0].violation > 0.0:
        return continued(problem, starts[0], effort)
    best = min((_stepped(problem, start, effort) for start in starts), key=lambda candidate: candidate.objective)
    return _polled(problem, best, effort)


def continued(problem: GainProblem, best: BestCandidate, effort: SearchEffort) -> BestCandidate:
    """The best candidate that keeps what it must, from one on: first to where it keeps it, then to where it is best.

    Args:
        best: the candidate to start from.
        effort: how much is tried.
    """
    if best.violation > 0.0:
        rule = PollRule(effort.polls, effort.close, effort.seed, enough=0.0)
        nearest = polled(best.row, best.violation, problem.violations, rule)
        objective = float(problem.objective(nearest.shares[None])[0])
        best = BestCandidate(nearest.shares, objective, missing(problem.slacks(nearest.shares)), NOT_KEPT)
    if best.violation > 0.0 or not np.isfinite(best.objective):
        return best
    return _polled(problem, _stepped(problem, best, effort), effort)


def _spread(given: np.ndarray, effort: SearchEffort) -> np.ndarray:
    """Candidates over the bounds: the one given, the corners, and a Sobol sequence."""
    d = len(given)
    corners = np.array([*product((0.0, 1.0), repeat=d)]) if d <= CORNERS else np.zeros((0, d))
    inside = given[None] if np.all((given >= 0.0) & (given <= 1.0)) else np.zeros((0, d))
    return np.vstack([inside, corners, sobol_shares(d, effort.candidates, effort.seed)])


def _first(problem: GainProblem, rows: np.ndarray, values: np.ndarray) -> list[BestCandidate]:
    """The best candidates of the spread that keep what they must, apart; otherwise the one that misses it least."""
    order = np.argsort(values, kind="stable")
    ranked = order[np.isfinite(values[order])][:CHECKED]
    starts = first_apart(rows[ranked], STARTS, keeps=lambda place: problem.keeps(rows[ranked[place]]))
    if starts:
        return [BestCandidate(rows[k], float(values[k]), 0.0) for k in ranked[starts].tolist()]
    # Most of what is left misses more: of the spread a part is looked at.
    looked = [*dict.fromkeys([*ranked.tolist(), *order[:: max(1, len(order) // CHECKED)].tolist()])]
    violations = problem.violations(rows[looked])
    least = int(np.argmin(violations))
    return [BestCandidate(rows[looked[least]], float(values[looked[least]]), float(violations[least]))]


def _stepped(problem: GainProblem, best: BestCandidate, effort: SearchEffort) -> BestCandidate:
    """Steps of linear programmes from a candidate that keeps what it must."""
    rule = StepRule(effort.steps, weight=np.inf, tries=SHORTER, closest=effort.close)
    place, _, end = descended(problem, best.row, rule)
    return BestCandidate(place.shares, place.objective, 0.0, end)


def _polled(problem: GainProblem, best: BestCandidate, effort: SearchEffort) -> BestCandidate:
    """Polls around a candidate that keeps what it must."""
    rule = PollRule(effort.polls, effort.close, effort.seed)
    ended = polled(best.row, best.objective, problem.objective, rule, problem.keeps)
    return BestCandidate(ended.shares, ended.objective, 0.0, ended.end)
