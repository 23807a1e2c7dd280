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

__all__ = ["Departure", "Found", "Goal", "earliest", "scanned"]

# Shares t_a / T that are tried. In steps of 1/24 all instants where the modified trapezoid changes its formula lie on
# a grid of 96 steps.
_SHARES: Final = tuple(k / 24 for k in range(12, 1, -1))
_SAMPLES: Final = 96
# Bends that are tried where no straight intercept will do, with every third of the ramp shares; as shares of the mean
# speed. They move the path aside by at most half of that share of the distance.
_BENT_SHARES: Final = 3
_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.1, -1.1)
# From rest an intercept may also take these multiples of the least time there is for its distance, after a wait.
_GOING: Final = (1.3, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0)
# A wait is worth while if the intercept takes at most this share of the time up to the meeting.
_WAITING: Final = 0.8
# Instants of meeting are scanned in steps of 6 %, finer where an item is in reach for a short while only.
_STEP: Final = 1.06
_LEAST_STEPS: Final = 24
_CHUNK: Final = 6
# Between the last instant that fails and the first that holds, the earliest is found by halving: to 6e-5 of T.
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
            time, used = scanned(cell, start, replace(goal, spans=((begin, high),)))
            if math.isnan(time):
                break
            found = _settled(cell, start, goal, time, high)
            if found is not None:
                return found
            begin = time + (_STEP - 1.0) * (time - start.time)
    return Found(math.nan, None, used)


def scanned(cell: Cell, start: Departure, goal: Goal) -> tuple[float, np.ndarray]:
    """The earliest instant of meeting as samples show it (s), NaN if there is none, and the shares tried last.

    Args:
        cell: robot, with what it carries, laws and limits.
        start: where and when it starts.
        goal: what is met.
    """
    used = np.zeros((0, 1))
    for low, high in goal.spans:
        times = _instants(cell.limits, start, goal, low, high)
        for begin in range(0, len(times), _CHUNK):
            tries, good, used = _tried(cell, start, goal, times[begin : begin + _CHUNK])
            if good.any():
                first = tries.time[good].min()
                before = times[times < first]
                return (_refined(cell, start, goal, float(before[-1]), first) if len(before) else float(first)), used
    return math.nan, used


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


def _tried(cell: Cell, start: Departure, goal: Goal, times: np.ndarray) -> tuple[_Tries, np.ndarray, np.ndarray]:
    """Try straight intercepts at instants, and bent ones where reach or margins stand against them."""
    tries = _straight(cell.limits, start, goal, times)
    used = use(cell, _series(cell.work, start, goal, tries))
    good = fits(used)
    met = np.isin(tries.time, tries.time[good])
    candidates = tries.take(~met & ~fits(used[:, WAY]) & (tries.share % _BENT_SHARES == 0))
    if len(candidates.time) == 0:
        return tries, good, used
    bent = _bent(start, goal, candidates)
    used_bent = use(cell, _series(cell.work, start, goal, bent))
    both = _Tries(
        *(np.concatenate([getattr(tries, f), getattr(bent, f)]) for f in ("time", "duration", "share", "bend"))
    )
    return both, np.concatenate([good, fits(used_bent)]), np.concatenate([used, used_bent])


def _straight(limits: ConveyorLimits, start: Departure, goal: Goal, times: np.ndarray) -> _Tries:
    """Straight tries of every ramp share, that go at once or, from rest, wait and go faster."""
    whole = times - start.time
    time, duration = times, whole
    if start.resting:
        way = np.linalg.norm(goal.pose(times)[:, :3] - np.array(start.pose[:3]), axis=1)
        least = np.maximum(way / limits.v_max, 2.0 * np.sqrt(way / limits.a_max))
        time = np.repeat(times, 1 + len(_GOING))
        duration = np.concatenate([whole[:, None], least[:, None] * np.array(_GOING)], axis=1).ravel()
        whole = np.repeat(whole, 1 + len(_GOING))
        kept = (duration > 0.0) & ((duration <= _WAITING * whole) | (duration == whole))
        time, duration = time[kept], duration[kept]
    share = np.tile(np.arange(len(_SHARES)), len(time))
    time, duration = np.repeat(time, len(_SHARES)), np.repeat(duration, len(_SHARES))
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
def _basis(law: Law, yaw_law: Law) -> tuple[np.ndarray, np.ndarray]:
    """Unit intercepts by displacement, both velocities and bend (3, shares, 4, samples), and the yaw (3, samples).

    The first axis is position, velocity and acceleration.
    """
    tau = np.linspace(0.0, 1.0, _SAMPLES + 1)
    units = [
        intercept(
            (0.0, 0.0, 0.0, 0.0),
            (1.0, 0.0, 0.0, 0.0),
            duration=1.0,
            ramp_time=share,
            start_velocity=(0.0, 1.0, 0.0, 0.0),
            end_velocity=(0.0, 0.0, 1.0, 0.0),
            bend=(0.0, 0.0, 0.0, 1.0),
            law=law,
        ).at(tau)
        for share in _SHARES
    ]
    turning = yaw_law.profile().at(tau)
    return np.array([[unit[k].T for unit in units] for k in range(3)]), np.array(turning[:3])


def _series(work: PickPlace, start: Departure, goal: Goal, tries: _Tries) -> Series:
    """The tries at the samples (n, samples, dof)."""
    basis, turning = _basis(work.law, work.yaw_law)
    x0, T = np.array(start.pose), tries.duration[:, None]
    way = goal.pose(tries.time) - x0
    vectors = np.stack(
        [way, T * np.array(start.velocity), T * np.array(goal.velocity), T * tries.bend],
        axis=1,
    )
    found = []
    for order in range(3):
        # (n, samples, dof), from (n, 4, samples) and (n, 4, dof)
        value = np.matmul(basis[order][tries.share].transpose(0, 2, 1), vectors)
        if len(x0) == 4:
            value[:, :, 3] = way[:, 3:] * turning[order]
        found.append(value / T[:, :, None] ** order)
    return Series(found[0] + x0, found[1], found[2])


def _refined(cell: Cell, start: Departure, goal: Goal, bad: float, good: float) -> float:
    """The earliest instant between one that fails and one that holds."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (bad + good)
        holds = _tried(cell, start, goal, np.array([middle]))[1].any()
        bad, good = (bad, middle) if holds else (middle, good)
    return good


def _settled(cell: Cell, start: Departure, goal: Goal, time: float, last: float) -> Found | None:
    """Choose an intercept and check it without samples; meet a little later where they hid something."""
    for _ in range(_REPAIRS):
        tries, good, used = _tried(cell, start, goal, np.array([time]))
        if good.any():
            # Straight before bent, then the gentlest: what uses least of all limits together.
            order = np.lexsort((used.sum(axis=1), tries.bend.any(axis=1), ~good))
            best = int(order[0])
            approach = _approach(tries, best, start)
            pose = goal.pose(np.array([time]))[0]
            motion = approached(start.pose, start.velocity, pose.tolist(), goal.velocity, approach, cell.work)
            exact = exact_use(cell, motion)
            if fits(exact)[0]:
                return Found(time, approach, exact)
            step = max(_LATER, float(exact.max()) - 1.0) if exact.max() < math.inf else _STEP - 1.0
        else:
            step = _LATER
        time += min(step, _STEP - 1.0) * (time - start.time)
        if time > last:
            return None
    return None


def _approach(tries: _Tries, index: int, start: Departure) -> Approach:
    duration = float(tries.duration[index])
    bend = tuple(tries.bend[index].tolist())
    wait = max(0.0, float(tries.time[index]) - start.time - duration)
    return Approach(duration, duration * _SHARES[tries.share[index]], bend if any(bend) else (), wait)
