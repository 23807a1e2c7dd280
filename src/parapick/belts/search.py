"""The earliest meeting among fixed candidates, on a ladder of times that does not depend on the limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from parapick.belts.candidates import Candidates, Goals, shapes
from parapick.belts.ladder import STRIDE, rungs_within, shortest
from parapick.belts.limit_use import Use, exact_use
from parapick.belts.types import Approach


@final
@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search comes to.

    Attributes:
        time: when (s after the departure); infinite if never.
        approach: how; None if never.
        use: shares of the limits: of the intercept, or of what was tried in vain; None if there was nothing to try.
    """

    time: float
    approach: Approach | None
    use: Use | None


def meeting_times(goals: Goals, before: float = math.inf) -> np.ndarray:
    """When goals can be met (goals,), s after the departure; infinite if never, or not done before some time (s)."""
    return _shortest(goals, partial(_held, goals), before)


def earliest(goals: Goals, before: float = math.inf) -> SearchResult:
    """The earliest meeting with one goal, if all is done before some time (s after the departure).

    What the samples of the search hid is no meeting on any rung, so that looser limits find the same one or an earlier.
    """
    settled: dict[float, SearchResult] = {}

    def held(goal: np.ndarray, time: np.ndarray, *, coarse: bool) -> np.ndarray:
        good = _held(goals, goal, time, coarse=coarse)
        for k in np.flatnonzero(good).tolist():
            if intercept := _settled(goals, float(time[k])):
                settled[float(time[k])] = intercept
                break
            good[k] = False
        return good

    time = float(_shortest(goals, held, before)[0])
    if time < math.inf:
        return settled[time]
    return SearchResult(math.inf, None, _tried_in_vain(goals) if math.isinf(before) else None)


def _shortest(goals: Goals, held: Callable[..., np.ndarray], before: float) -> np.ndarray:
    """The first instants (goals,), s, at which goals are met; `held` says which are, by `coarse` or all shapes."""

    def hopeful(goal: np.ndarray, time: np.ndarray) -> np.ndarray:
        candidates = Candidates.of(goals, goal, time, shapes(coarse=True), waiting=False)
        return np.asarray(candidates.hopeful().reshape(len(goal), -1).any(axis=1))

    rungs = [rungs_within(*spans) for spans in goals.spans]
    return shortest(rungs, hopeful, partial(held, coarse=True), partial(held, coarse=False), goals.cost, before)


def _held(goals: Goals, goal: np.ndarray, time: np.ndarray, *, coarse: bool) -> np.ndarray:
    """Whether goals (n,) are met at times (n,), s, by a shape that keeps the limits at its samples (n,)."""
    candidates = Candidates.of(goals, goal, time, shapes(coarse=coarse))
    good = candidates.take(candidates.holds())
    return np.asarray(np.isin(goal + 1j * time, good.goal + 1j * good.time))


def _settled(goals: Goals, time: float) -> SearchResult | None:
    """The intercept that meets a goal at a time (s), checked without samples; None where they hid something."""
    candidates = Candidates.of(goals, np.zeros(1, dtype=int), np.array([time]), shapes(coarse=False))
    candidates = candidates.take(candidates.holds())
    # Straight before bent, then the gentlest: what uses least of all limits together. One of each bend will do.
    order = np.lexsort((np.sum(candidates.use(), axis=0), np.abs(candidates.bend)))
    _, first = np.unique(candidates.bend[order], return_index=True)
    for index in order[np.sort(first)].tolist():
        approach = candidates.approach(index)
        use = exact_use(goals.cell, candidates.law_motion(approach, index))
        if use.holds[0]:
            return SearchResult(time, approach, use)
    return None


def _tried_in_vain(goals: Goals) -> Use:
    """Shares of the limits of what was tried."""
    time = rungs_within(*goals.spans[0])[::STRIDE]
    return Candidates.of(goals, np.zeros(len(time), dtype=int), time, shapes(coarse=True)).use()
