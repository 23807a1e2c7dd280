"""The earliest meeting among fixed candidates: the first rung of a ladder of times that holds, then finer rungs.

The ladder is the same whatever the limits, and so are the rungs between two of its rungs. A candidate that keeps some
limits keeps looser ones too. So looser limits find the same first rung or an earlier one, the same or an earlier one
among the finer rungs below it, and so on: never a later meeting. Limits may say from which rung on it is worth looking,
and which goal can no longer win; neither changes what is found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.belts.candidates import Candidates, Departure, Goals, shapes
from parapick.belts.limit_use import Cell, Use, exact_use
from parapick.belts.phases import approached
from parapick.belts.types import Approach

LONGEST: Final = 10.0
"""The longest time up to a meeting that is looked for (s): without it a search for what cannot be met has no end."""

# The ladder of times (s), 6 % apart. On a coarser one a short chance to meet would be overlooked.
_LADDER: Final = np.geomspace(1e-3, LONGEST, 159)
# Every so many rungs are looked at to see where the scan begins; see `HOPELESS`.
_STRIDE: Final = 6
# Parts into which the time between two rungs is divided, so many times: to 6e-5 of T.
_PARTS: Final = 4
_ROUNDS: Final = 5
# What the samples hide is made good by meeting later by this share of T, by twice as much if that does not do, ...
_LATER: Final = 2e-4


@final
@dataclass(frozen=True, eq=False)
class Found:
    """What a search comes to.

    Attributes:
        goal: which goal is met.
        time: when (s after the departure); infinite if never.
        approach: how; None if never.
        use: shares of the limits: of the intercept, or of what was tried in vain; None if there was nothing to try.
    """

    goal: int
    time: float
    approach: Approach | None
    use: Use | None


def earliest(cell: Cell, start: Departure, goals: Goals, before: float = math.inf) -> Found:
    """The meeting after which everything is done earliest.

    Args:
        cell: robot, with what it carries, laws and limits.
        start: where and when it starts.
        goals: what is met, and what is to be done then.
        before: how early all must be done to be of interest (s after the departure).
    """
    rungs = [_rungs(spans) for spans in goals.spans]
    low, high = _scanned(cell, start, goals, rungs, before)
    low, high = _refined(cell, start, goals, low, high)
    order = np.argsort(high + goals.cost)
    for goal in order[np.isfinite((high + goals.cost)[order])].tolist():
        last = rungs[goal][-1]
        found = _settled(cell, start, goals, goal, high[goal], last)
        if found is not None:
            return found
    return Found(-1, math.inf, None, _tried_in_vain(cell, start, goals, rungs) if math.isinf(before) else None)


def _rungs(spans: tuple[tuple[float, float], ...]) -> np.ndarray:
    """The rungs of the ladder within spans, with both ends of each span."""
    inside = [_LADDER[(low < _LADDER) & (high > _LADDER)] for low, high in spans]
    ends = [end for span in spans for end in np.clip(span, _LADDER[0], LONGEST)]
    return np.unique(np.concatenate([*inside, ends]))


def _scanned(
    cell: Cell, start: Departure, goals: Goals, rungs: list[np.ndarray], before: float
) -> tuple[np.ndarray, np.ndarray]:
    """For each goal the rung two before the first that holds, and that one (goals,); infinite without one."""
    count, tried = len(rungs), shapes(coarse=True)
    step, length = _first_steps(cell, start, goals, rungs), np.array([len(times) for times in rungs])
    low, high = np.full(count, math.inf), np.full(count, math.inf)
    open_ = (step < length) & np.isfinite(goals.cost)
    while open_.any():
        which = np.flatnonzero(open_)
        pairs = [(goal, k) for goal in which for k in range(step[goal], min(step[goal] + 3, length[goal]))]
        goal, index = np.array(pairs).T
        time = np.array([rungs[g][k] for g, k in pairs])
        candidates = Candidates.of(start, goal, time, tried)
        good = candidates.take(candidates.holds(cell, start, goals))
        for g in np.unique(good.goal):
            high[g] = good.time[good.goal == g].min()
            k = int(np.searchsorted(rungs[g], high[g]))
            low[g] = rungs[g][max(k - 2, 0)]
        step[which] = [index[goal == g].max() + 1 for g in which]
        before = min(before, float((high + goals.cost).min()))
        ahead = np.array([times[min(k, len(times) - 1)] for times, k in zip(rungs, step, strict=True)])
        open_ = (step < length) & np.isinf(high) & (ahead + goals.cost < before)
    return low, high


def _first_steps(cell: Cell, start: Departure, goals: Goals, rungs: list[np.ndarray]) -> np.ndarray:
    """The first rung of each goal at which some shape may hold (goals,)."""
    pairs = [(goal, k) for goal, times in enumerate(rungs) for k in range(0, len(times), _STRIDE)]
    goal = np.array([goal for goal, _ in pairs])
    time = np.array([rungs[g][k] for g, k in pairs])
    candidates = Candidates.of(start, goal, time, shapes(coarse=True), waiting=False)
    hopeful = candidates.hopeful(cell, start, goals)
    first = np.array([len(times) for times in rungs])
    for g, times in enumerate(rungs):
        worth = candidates.time[(candidates.goal == g) & hopeful]
        if len(worth):
            first[g] = max(0, int(np.searchsorted(times, worth.min())) - _STRIDE + 1)
    return first


def _refined(
    cell: Cell, start: Departure, goals: Goals, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The first finer rungs that hold, for every goal that may still win."""
    low, high, parts, tried = low.copy(), high.copy(), 2 * _PARTS, shapes(coarse=False)
    for _ in range(_ROUNDS):
        finish = high + goals.cost
        which = np.flatnonzero(np.isfinite(high) & (low + goals.cost < finish.min()) & (low < high))
        if len(which) == 0:
            break
        steps = np.arange(1, parts) / parts
        time = low[which, None] + (high[which] - low[which])[:, None] * steps
        candidates = Candidates.of(start, np.repeat(which, len(steps)), time.ravel(), tried)
        good = candidates.take(candidates.holds(cell, start, goals))
        for row, g in enumerate(which):
            ends = np.array([low[g], *time[row], high[g]])
            held = good.time[good.goal == g]
            k = int(np.searchsorted(ends, held.min())) if len(held) else parts
            low[g], high[g] = ends[k - 1], ends[k]
        parts = _PARTS
    return low, high


def _settled(cell: Cell, start: Departure, goals: Goals, goal: int, time: float, last: float) -> Found | None:
    """Choose an intercept and check it without samples; meet a little later where they hid something."""
    later = _LATER
    while True:
        candidates = Candidates.of(start, np.array([goal]), np.array([time]), shapes(coarse=False))
        candidates = candidates.take(candidates.holds(cell, start, goals))
        # Straight before bent, then the gentlest: what uses least of all limits together. One of each bend will do.
        gentle = np.sum(candidates.use(cell, start, goals), axis=0)
        order = np.lexsort((gentle, np.abs(candidates.bend)))
        _, first = np.unique(candidates.bend[order], return_index=True)
        for index in order[np.sort(first)].tolist():
            approach = candidates.approach(index, start, goals)
            pose = goals.at(np.array([goal]), np.array([time]))[0].tolist()
            motion = approached(start.pose, start.velocity, pose, goals.velocity.tolist(), approach, cell.work)
            use = exact_use(cell, motion)
            if use.holds[0]:
                return Found(goal, time, approach, use)
        if time >= last:
            return None
        time, later = min(last, time * (1.0 + later)), 2.0 * later


def _tried_in_vain(cell: Cell, start: Departure, goals: Goals, rungs: list[np.ndarray]) -> Use | None:
    """Shares of the limits of what was tried for the first goal that anything was tried for."""
    goal = next((g for g, times in enumerate(rungs) if len(times)), None)
    if goal is None:
        return None
    time = rungs[goal][::_STRIDE]
    return Candidates.of(start, np.full(len(time), goal), time, shapes(coarse=True)).use(cell, start, goals)
