"""The earliest intercept of something that moves, among ramps, bends and waits, such that every limit holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.belts.phases import approached
from parapick.belts.tries import SHARES, Departure, Goal, tried
from parapick.belts.types import Approach, ConveyorLimits
from parapick.belts.use import Cell, exact_use, fits

__all__ = ["Found", "Seen", "earliest", "scanned"]

# A scan tries every third ramp share, and every ninth with bends; what is found is refined with those around it.
_COARSE: Final = slice(0, len(SHARES), 3)
_COARSE_BENT: Final = slice(0, len(SHARES), 9)
_AROUND: Final = 2
# Instants of meeting are scanned in steps of 6 %, finer where an item is in reach for a short while only.
_STEP: Final = 1.06
_LEAST_STEPS: Final = 24
_CHUNK: Final = 6
# Between the last instant that fails and the first that holds, the earliest is found by halving: to 1e-4 of T.
_HALVINGS: Final = 10
# What the samples hide is made good by meeting later, in steps of at least this share of T.
_LATER: Final = 2e-4
_REPAIRS: Final = 40


@final
@dataclass(frozen=True, eq=False)
class Found:
    """What a search comes to.

    Attributes:
        time: when it is met (s); NaN if never.
        approach: how; None if never.
        used: shares of the limits of what was tried last (n, quantities), to tell why not.
    """

    time: float
    approach: Approach | None
    used: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """What samples show.

    Attributes:
        time: the earliest instant of meeting (s); NaN if there is none.
        shares: indices of the ramp shares that come into question then.
        used: shares of the limits of what was tried last (n, quantities).
    """

    time: float
    shares: np.ndarray
    used: np.ndarray


def earliest(cell: Cell, start: Departure, goal: Goal) -> Found:
    """The earliest meeting whose intercept keeps all limits: a scan over the instants, then halving.

    Straight intercepts are tried first; where the plate could but reach or margins stand against it, they are bent
    sideways. The intercept that is chosen is checked once more without samples.

    Args:
        cell: robot, with what it carries, laws and limits.
        start: where and when it starts.
        goal: what is met.
    """
    used = np.zeros((0, 1))
    for low, high in goal.spans:
        begin = low
        while begin <= high:
            seen = scanned(cell, start, replace(goal, spans=((begin, high),)))
            used = seen.used
            if math.isnan(seen.time):
                break
            found = _settled(cell, start, goal, seen, high)
            if found is not None:
                return found
            begin = seen.time + (_STEP - 1.0) * (seen.time - start.time)
    return Found(math.nan, None, used)


def scanned(cell: Cell, start: Departure, goal: Goal) -> Seen:
    """The earliest instant of meeting as samples show it.

    Args:
        cell: robot, with what it carries, laws and limits.
        start: where and when it starts.
        goal: what is met.
    """
    used, every = np.zeros((0, 1)), np.arange(len(SHARES))
    for low, high in goal.spans:
        times = _instants(cell.limits, start, goal, low, high)
        for begin in range(0, len(times), _CHUNK):
            chunk = times[begin : begin + _CHUNK]
            tries, good, used = tried(cell, start, goal, chunk, every[_COARSE], every[_COARSE_BENT])
            if good.any():
                first = float(tries.time[good].min())
                found = tries.share[good & (tries.time == first)]
                seen = Seen(first, every[np.abs(every[:, None] - found).min(axis=1) <= _AROUND], used)
                # Finer ramp shares may hold even a little before the last instant that failed.
                before = times[times < first][-2:]
                return _refined(cell, start, goal, float(before[0]), seen) if len(before) else seen
    return Seen(math.nan, every, used)


def _instants(limits: ConveyorLimits, start: Departure, goal: Goal, low: float, high: float) -> np.ndarray:
    """Instants of meeting to try within a span: none that no motion under the plate's limits could keep."""
    # The shortest time anything takes: to change the velocity, or a thousandth of a second.
    gap = np.array(goal.velocity[:3]) - np.array(start.velocity[:3])
    least = max(1e-3, float(np.linalg.norm(gap)) / limits.a_max)
    first, last = max(low - start.time, least), high - start.time
    if not last >= first:
        return np.zeros(0)
    steps = max(_LEAST_STEPS, math.ceil(math.log(last / first) / math.log(_STEP))) if last > first else 0
    durations = np.geomspace(first, last, steps + 1)
    durations[[0, -1]] = first, last
    way = goal.pose(start.time + durations)[:, :3] - np.array(start.pose[:3])
    mean = 0.5 * (np.array(goal.velocity[:3]) + np.array(start.velocity[:3]))
    aside = np.linalg.norm(way - mean * durations[:, None], axis=1)
    # Full acceleration one way and full braking cover a T^2 / 4 beside the mean of both velocities.
    possible = (aside <= 0.25 * limits.a_max * durations**2) & (np.linalg.norm(way, axis=1) <= limits.v_max * durations)
    return start.time + durations[possible]


def _refined(cell: Cell, start: Departure, goal: Goal, bad: float, seen: Seen) -> Seen:
    """The earliest instant between one that fails and one that holds."""
    good = seen.time
    for _ in range(_HALVINGS):
        middle = 0.5 * (bad + good)
        holds = tried(cell, start, goal, np.array([middle]), seen.shares, seen.shares)[1].any()
        bad, good = (bad, middle) if holds else (middle, good)
    return replace(seen, time=good)


def _settled(cell: Cell, start: Departure, goal: Goal, seen: Seen, last: float) -> Found | None:
    """Choose an intercept and check it without samples; meet a little later where they hid something."""
    time = seen.time
    for _ in range(_REPAIRS):
        tries, good, used = tried(cell, start, goal, np.array([time]), seen.shares, seen.shares)
        step = _LATER
        if good.any():
            # Straight before bent, then the gentlest: what uses least of all limits together.
            order = np.lexsort((used.sum(axis=1), tries.bend.any(axis=1), ~good))
            approach = tries.approach(int(order[0]), start)
            pose = goal.pose(np.array([time]))[0]
            motion = approached(start.pose, start.velocity, pose.tolist(), goal.velocity, approach, cell.work)
            exact = exact_use(cell, motion)
            if fits(exact)[0]:
                return Found(time, approach, exact)
            step = float(np.clip(exact.max() - 1.0, _LATER, _STEP - 1.0))
        time += step * (time - start.time)
        if time > last:
            return None
    return None
