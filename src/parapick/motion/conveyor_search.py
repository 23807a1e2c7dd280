"""The earliest intercept of something that moves, among ramps, bends and waits, such that every limit holds.

An intercept `v = v0 + (v1 - v0) W(t/T) + V b(t) + U c(t)` is linear in its displacement, its end velocities and its
bend once the share `t_a / T` of its ramps is chosen. Four functions of `t/T` for each share therefore give any number
of intercepts at once, as the batched kernels like them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Final, final

import numpy as np

from parapick.motion.conveyor_phases import approached
from parapick.motion.conveyor_types import Approach, ConveyorLimits, PickPlace
from parapick.motion.conveyor_use import WAY, Cell, Series, exact_use, fits, use
from parapick.motion.law import Law
from parapick.motion.tracking import intercept

__all__ = ["Departure", "Found", "Goal", "Seen", "earliest", "scanned"]

# Shares t_a / T that may be tried, close enough for the best of them to cost less than 0.5 % of T. A scan tries every
# third; what is found is refined with those around it.
_SHARES: Final = tuple(0.5 * 0.95**k for k in range(43))
_COARSE: Final = np.arange(0, len(_SHARES), 3)
# Samples of an intercept, the instants where its formula changes among them.
_SAMPLES: Final = 96
# Bends that are tried where no straight intercept will do, in a scan with every third of its ramp shares; as shares of
# the mean speed. They move the path aside by at most half of that share of the distance.
_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.1, -1.1)
# From rest an intercept may also take these multiples of the least time there is for its distance, after a wait.
_GOING: Final = (1.3, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0)
# A wait is worth while if the intercept takes at most this share of the time up to the meeting.
_WAITING: Final = 0.8
# An intercept takes at most this long (s), or the last of the multiples above; what comes later is waited for.
_UNHURRIED: Final = 1.5
# Instants of meeting are scanned in steps of 6 %, finer where an item is in reach for a short while only.
_STEP: Final = 1.06
_LEAST_STEPS: Final = 24
_CHUNK: Final = 6
# Between the last instant that fails and the first that holds, the earliest is found by halving: to 1e-4 of T.
_HALVINGS: Final = 10
# What the samples hide is made good by meeting later, in steps of at least this share of T.
_LATER: Final = 2e-4
_REPAIRS: Final = 40
# Two directions closer than this (m) give no sideways direction for a bend.
_NO_CHORD: Final = 1e-6


@final
@dataclass(frozen=True)
class Departure:
    """Where and when an intercept starts.

    Attributes:
        pose: task vector (m, rad).
        velocity: m/s, rad/s.
        time: s.
    """

    pose: tuple[float, ...]
    velocity: tuple[float, ...]
    time: float

    @property
    def resting(self) -> bool:
        """Whether it may wait there."""
        return not any(self.velocity)


@final
@dataclass(frozen=True)
class Goal:
    """What is to be met.

    Attributes:
        pose: task vectors (n, dof) of the meeting at instants (n,).
        velocity: its velocity (dof numbers).
        spans: instants (from, to), s, at which it may be met.
    """

    pose: Callable[[np.ndarray], np.ndarray]
    velocity: tuple[float, ...]
    spans: tuple[tuple[float, float], ...]


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


@final
@dataclass(frozen=True, eq=False)
class _Tries:
    """Intercepts to try (n,): instant of meeting, duration, index of the ramp share and bend (n, dof)."""

    time: np.ndarray
    duration: np.ndarray
    share: np.ndarray
    bend: np.ndarray

    def take(self, which: np.ndarray) -> _Tries:
        return _Tries(self.time[which], self.duration[which], self.share[which], self.bend[which])

    def joined(self, other: _Tries) -> _Tries:
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return _Tries(*(np.concatenate(pair) for pair in pairs))


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
    used = np.zeros((0, 1))
    for low, high in goal.spans:
        times = _instants(cell.limits, start, goal, low, high)
        for begin in range(0, len(times), _CHUNK):
            tries, good, used = _tried(cell, start, goal, times[begin : begin + _CHUNK], _COARSE)
            if good.any():
                first = float(tries.time[good].min())
                around = tries.share[good & (tries.time == first)][:, None] + np.arange(-2, 3)
                seen = Seen(first, np.unique(np.clip(around, 0, len(_SHARES) - 1)), used)
                # Finer ramp shares may hold even a little before the last instant that failed.
                before = times[times < first][-2:]
                return _refined(cell, start, goal, float(before[0]), seen) if len(before) else seen
    return Seen(math.nan, _COARSE, used)


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


def _tried(
    cell: Cell, start: Departure, goal: Goal, times: np.ndarray, shares: np.ndarray
) -> tuple[_Tries, np.ndarray, np.ndarray]:
    """Try straight intercepts at instants, and bent ones where reach or margins stand against them."""
    tries = _straight(cell.limits, start, goal, times, shares)
    used = use(cell, _series(cell.work, start, goal, tries))
    good = fits(used)
    met = np.isin(tries.time, tries.time[good])
    bending = np.isin(tries.share, shares[::3] if shares is _COARSE else shares)
    candidates = tries.take(~met & ~fits(used[:, WAY]) & bending)
    if len(candidates.time) == 0:
        return tries, good, used
    bent = _bent(start, goal, candidates)
    used_bent = use(cell, _series(cell.work, start, goal, bent))
    both = _Tries(
        *(np.concatenate([getattr(tries, f), getattr(bent, f)]) for f in ("time", "duration", "share", "bend"))
    )
    return both, np.concatenate([good, fits(used_bent)]), np.concatenate([used, used_bent])


def _straight(limits: ConveyorLimits, start: Departure, goal: Goal, times: np.ndarray, shares: np.ndarray) -> _Tries:
    """Straight tries of several ramp shares, that go at once or, from rest, wait and go faster."""
    way = np.linalg.norm(goal.pose(times)[:, :3] - np.array(start.pose[:3]), axis=1)
    least = np.maximum(way / limits.v_max, 2.0 * np.sqrt(way / limits.a_max))
    whole = times - start.time
    at_once = whole <= np.maximum(_UNHURRIED, _GOING[-1] * least)
    time, duration = times[at_once], whole[at_once]
    if start.resting:
        later = least[:, None] * np.array(_GOING)
        worth = (later > 0.0) & (later <= _WAITING * whole[:, None])
        time = np.concatenate([time, np.broadcast_to(times[:, None], later.shape)[worth]])
        duration = np.concatenate([duration, later[worth]])
    share = np.tile(shares, len(time))
    time, duration = np.repeat(time, len(shares)), np.repeat(duration, len(shares))
    return _Tries(time, duration, share, np.zeros((len(time), len(start.pose))))


def _bent(start: Departure, goal: Goal, tries: _Tries) -> _Tries:
    """Tries with bends to both sides, horizontally and square to the way."""
    way = goal.pose(tries.time) - np.array(start.pose)
    square = np.zeros_like(way)
    square[:, 0], square[:, 1] = -way[:, 1], way[:, 0]
    long_enough = np.linalg.norm(square, axis=1) > _NO_CHORD
    square, kept = square[long_enough], tries.take(long_enough)
    shares = np.repeat(_BENDS, len(square))
    many = kept.take(np.tile(np.arange(len(square)), len(_BENDS)))
    bend = np.tile(square, (len(_BENDS), 1)) * (shares / many.duration)[:, None]
    return _Tries(many.time, many.duration, many.share, bend)


@lru_cache(maxsize=32)
def _basis(law: Law, yaw_law: Law) -> np.ndarray:
    """Unit intercepts (3, shares, 5, samples) by displacement, both velocities and bend, and the yaw.

    The first axis is position, velocity and acceleration; the samples of each share are its own.
    """
    found = []
    for share in _SHARES:
        unit = intercept(
            (0.0, 0.0, 0.0, 0.0),
            (1.0, 0.0, 0.0, 0.0),
            duration=1.0,
            ramp_time=share,
            start_velocity=(0.0, 1.0, 0.0, 0.0),
            end_velocity=(0.0, 0.0, 1.0, 0.0),
            bend=(0.0, 0.0, 0.0, 1.0),
            law=law,
        )
        profile = yaw_law.profile()
        tau = _filled(np.union1d(unit.knots, profile.corners))
        turning = profile.at(tau)
        found.append(
            [np.concatenate([state.T, turn[None]]) for state, turn in zip(unit.at(tau), turning[:3], strict=True)]
        )
    return np.array(found).swapaxes(0, 1)


def _filled(knots: np.ndarray) -> np.ndarray:
    """Samples of the whole time, evenly between the knots: the longest gaps are split first."""
    parts = np.ones(len(knots) - 1, dtype=int)
    while parts.sum() < _SAMPLES:
        parts[np.argmax(np.diff(knots) / parts)] += 1
    inner = [
        np.linspace(low, high, count, endpoint=False) for low, high, count in zip(knots, knots[1:], parts, strict=False)
    ]
    return np.concatenate([*inner, knots[-1:]])


def _series(work: PickPlace, start: Departure, goal: Goal, tries: _Tries) -> Series:
    """The tries at the samples (n, samples, dof)."""
    basis = _basis(work.law, work.yaw_law)
    x0, T = np.array(start.pose), tries.duration[:, None]
    way = goal.pose(tries.time) - x0
    vectors = np.stack([way, T * np.array(start.velocity), T * np.array(goal.velocity), T * tries.bend], axis=1)
    found = []
    for order in range(3):
        functions = basis[order][tries.share]
        # (n, samples, dof), from (n, 4, samples) and (n, 4, dof)
        value = np.matmul(functions[:, :4].transpose(0, 2, 1), vectors)
        if len(x0) == 4:
            value[:, :, 3] = way[:, 3:] * functions[:, 4]
        found.append(value / T[:, :, None] ** order)
    return Series(found[0] + x0, found[1], found[2])


def _refined(cell: Cell, start: Departure, goal: Goal, bad: float, seen: Seen) -> Seen:
    """The earliest instant between one that fails and one that holds."""
    good = seen.time
    for _ in range(_HALVINGS):
        middle = 0.5 * (bad + good)
        holds = _tried(cell, start, goal, np.array([middle]), seen.shares)[1].any()
        bad, good = (bad, middle) if holds else (middle, good)
    return replace(seen, time=good)


def _settled(cell: Cell, start: Departure, goal: Goal, seen: Seen, last: float) -> Found | None:
    """Choose an intercept and check it without samples; meet a little later where they hid something."""
    time = seen.time
    for _ in range(_REPAIRS):
        tries, good, used = _tried(cell, start, goal, np.array([time]), seen.shares)
        step = _LATER
        if good.any():
            # Straight before bent, then the gentlest: what uses least of all limits together.
            order = np.lexsort((used.sum(axis=1), tries.bend.any(axis=1), ~good))
            approach = _approach(tries, int(order[0]), start)
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


def _approach(tries: _Tries, index: int, start: Departure) -> Approach:
    duration = float(tries.duration[index])
    bend = tuple(tries.bend[index].tolist())
    wait = max(0.0, float(tries.time[index]) - start.time - duration)
    return Approach(duration, duration * _SHARES[tries.share[index]], bend if any(bend) else (), wait)
