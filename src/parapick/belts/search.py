"""The earliest meeting among fixed candidates, on a ladder of times that does not depend on the limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import final

import numpy as np

from parapick.belts.candidates import Candidates, Goals, shapes
from parapick.belts.ladder import STRIDE, TICK, rungs_within, shortest
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

    def held(goal: np.ndarray, time: np.ndarray, *, coarse: bool) -> np.ndarray:
        candidates = Candidates.of(goals, goal, time, shapes(coarse=coarse))
        good = candidates.take(candidates.holds())
        return np.asarray(np.isin(goal + 1j * time, good.goal + 1j * good.time))

    def hopeful(goal: np.ndarray, time: np.ndarray) -> np.ndarray:
        candidates = Candidates.of(goals, goal, time, shapes(coarse=True), waiting=False)
        return np.asarray(candidates.hopeful().reshape(len(goal), -1).any(axis=1))

    rungs = [rungs_within(*spans) for spans in goals.spans]
    return shortest(rungs, hopeful, partial(held, coarse=True), partial(held, coarse=False), goals.cost, before)


def earliest(goals: Goals, before: float = math.inf) -> SearchResult:
    """The earliest meeting with one goal, if all is done before some time (s after the departure)."""
    time = float(meeting_times(goals, before)[0])
    found = _settled(goals, time, goals.spans[0][-1][1]) if time < math.inf else None
    if found is None:
        found = SearchResult(math.inf, None, _tried_in_vain(goals) if math.isinf(before) else None)
    return found


def _settled(goals: Goals, time: float, last: float) -> SearchResult | None:
    """Choose an intercept and check it without samples; meet a little later where they hid something."""
    later = TICK
    while True:
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
        if time >= last:
            return None
        time, later = min(last, time * (1.0 + later)), 2.0 * later


def _tried_in_vain(goals: Goals) -> Use:
    """Shares of the limits of what was tried."""
    time = rungs_within(*goals.spans[0])[::STRIDE]
    return Candidates.of(goals, np.zeros(len(time), dtype=int), time, shapes(coarse=True)).use()
