"""The shortest of a ladder of times, the same whatever the limits, and of finer rungs between its rungs.

What keeps some limits keeps looser ones too. So looser limits find the same first rung or an earlier one, the same or
an earlier one among the finer rungs below it, and so on: never a longer time. Limits may say from which rung on it is
worth looking, and what can no longer win; neither changes what is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

LADDER: Final = 0.5e-3 * 1.06 ** np.arange(171)
"""The rungs (s), up to 10 s. On a coarser ladder a short chance would be overlooked, a shorter one leaves out much."""

STRIDE: Final = 6
"""Every so many rungs, and places along a belt, are tried first. One by one they would take three times as long."""

PARTS: Final = 6
"""Parts into which the time between two rungs is divided. Fewer need more rounds, more need more motions."""

ROUNDS: Final = 4
"""How often: 6 % become 1e-4. With fewer, what differs by a thousandth would not be told apart."""

TICK: Final = 1e-4
"""Share of a time that does not matter. Without it a search for an instant has no end."""

Looks = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Whether something is so (m,), for indices of things (m,) and times (m,), s."""


def rungs_within(*spans: tuple[float, float]) -> np.ndarray:
    """The rungs within spans of time (from, to), s, with both ends of each."""
    inside = [LADDER[(low < LADDER) & (high > LADDER)] for low, high in spans]
    ends = [end for span in spans for end in np.clip(span, LADDER[0], LADDER[-1])]
    return np.unique(np.concatenate([*inside, ends]))


def shortest(
    rungs: list[np.ndarray],
    hopeful: Looks,
    holds: Looks,
    finely: Looks,
    cost: np.ndarray | None = None,
    before: float = math.inf,
    rounds: int = ROUNDS,
) -> np.ndarray:
    """Shortest times (n,) at which things hold, s; infinite for what never does or cannot win.

    Args:
        rungs: the rungs of each thing, s.
        hopeful: whether a thing may hold at a time or a little later.
        holds: whether it holds, as it is tried on the ladder.
        finely: whether it holds, tried more closely.
        cost: what comes on top of the time of each (n,), s: the smallest sum wins; all are wanted if not given.
        before: sums from which on nothing is of interest (s).
        rounds: how often it is tried more closely; 0 where it only matters whether it holds.
    """
    if cost is not None:
        rungs = [_worth(times, more, before) for times, more in zip(rungs, cost.tolist(), strict=True)]
    if not any(map(len, rungs)):
        return np.full(len(rungs), math.inf)
    low, high = _scanned(rungs, hopeful, holds, cost, before)
    for _ in range(rounds):
        wins = True if cost is None else low + cost < (high + cost).min()
        which = np.flatnonzero(np.isfinite(high) & (low < high) & wins)
        if len(which) == 0:
            break
        steps = np.linspace(low[which], high[which], PARTS + 1, axis=1)
        holding = finely(np.repeat(which, PARTS - 1), steps[:, 1:-1].ravel()).reshape(len(which), -1)
        k, row = np.where(holding.any(axis=1), np.argmax(holding, axis=1), PARTS - 1), np.arange(len(which))
        low[which], high[which] = steps[row, k], steps[row, k + 1]
    return high


def _worth(times: np.ndarray, cost: float, before: float) -> np.ndarray:
    """Rungs that can win, with two more: the finer ones that follow begin two below the first that holds."""
    return times[: np.count_nonzero(times + cost < before) + 2] if cost < before else times[:0]


def _scanned(
    rungs: list[np.ndarray], hopeful: Looks, holds: Looks, cost: np.ndarray | None, before: float
) -> tuple[np.ndarray, np.ndarray]:
    """The rung two before the first that holds, and that one (n,); infinite without one."""
    length = np.array([len(times) for times in rungs])
    table = np.full((len(rungs), 2 * length.max() + STRIDE), math.inf)
    for row, times in zip(table, rungs, strict=True):
        row[: len(times)] = times
    low, high = np.full(len(rungs), math.inf), np.full(len(rungs), math.inf)
    step = _first_steps(rungs, hopeful)
    active = np.flatnonzero(step < length)
    width = STRIDE // 2
    while len(active):
        k = step[active, None] + np.arange(width)
        times = table[active[:, None], k]
        there = np.isfinite(times)
        holding = there.copy()
        holding[there] = holds(np.broadcast_to(active[:, None], there.shape)[there], times[there])
        any_holds = holding.any(axis=1)
        first = step[active] + np.argmax(holding, axis=1)
        high[active[any_holds]] = table[active, first][any_holds]
        low[active[any_holds]] = table[active, np.maximum(first - 2, 0)][any_holds]
        step[active] += width
        left = ~any_holds & (step[active] < length[active])
        if cost is not None:
            before = min(before, float((high + cost).min()))
            left &= table[active, np.maximum(step[active] - 2, 0)] + cost[active] < before
        else:
            width = min(2 * width, length.max())
        active = active[left]
    return low, high


def _first_steps(rungs: list[np.ndarray], hopeful: Looks) -> np.ndarray:
    """Index of the first rung of each thing at which it may hold (n,)."""
    which = np.concatenate([np.full(len(times[::STRIDE]), k) for k, times in enumerate(rungs)])
    some = np.concatenate([times[::STRIDE] for times in rungs])
    worth = hopeful(which, some)
    first = np.array([len(times) for times in rungs])
    for k in np.unique(which[worth]):
        first[k] = max(0, int(np.searchsorted(rungs[k], some[(which == k) & worth].min())) - STRIDE + 1)
    return first
