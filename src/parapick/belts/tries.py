"""Many intercepts at once: every ramp, bend and wait that may be tried to meet something at given instants.

An intercept `v = v0 + (v1 - v0) W(t/T) + V b(t) + U c(t)` is linear in its displacement, its end velocities and its
bend once the share `t_a / T` of its ramps is chosen. Four functions of `t/T` for each share therefore give any number
of intercepts, as the batched kernels like them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final, final

import numpy as np

from parapick.belts.types import Approach, ConveyorLimits, PickPlace
from parapick.belts.use import WAY, Cell, Series, fits, use
from parapick.motion.law import Law
from parapick.motion.tracking import intercept

__all__ = ["SHARES", "Departure", "Goal", "Tries", "tried"]

SHARES: Final = tuple(0.5 * 0.95**k for k in range(43))
"""Shares t_a / T that may be tried, close enough for the best of them to cost less than 0.5 % of T."""

# Samples of an intercept, the instants where its formula changes among them.
_SAMPLES: Final = 96
# Bends that are tried where no straight intercept will do, as shares of the mean speed. They move the path aside by at
# most half of that share of the distance.
_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.1, -1.1)
# From rest an intercept may also take these multiples of the least time there is for its distance, after a wait.
_GOING: Final = (1.3, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0)
# A wait is worth while if the intercept takes at most this share of the time up to the meeting.
_WAITING: Final = 0.8
# An intercept takes at most this long (s), or the last of the multiples above; what comes later is waited for.
_UNHURRIED: Final = 1.5
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
class Tries:
    """Intercepts to try.

    Attributes:
        time: instants of meeting (n,), s.
        duration: T (n,), s.
        share: indices of the ramp shares (n,).
        bend: U (n, dof), m/s.
    """

    time: np.ndarray
    duration: np.ndarray
    share: np.ndarray
    bend: np.ndarray

    def take(self, which: np.ndarray) -> Tries:
        """Some of them.

        Args:
            which: indices, or a mask.
        """
        return Tries(self.time[which], self.duration[which], self.share[which], self.bend[which])

    def joined(self, other: Tries) -> Tries:
        """These and others.

        Args:
            other: the others.
        """
        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))
        return Tries(*(np.concatenate(pair) for pair in pairs))

    def approach(self, index: int, start: Departure) -> Approach:
        """One of them as an approach.

        Args:
            index: which.
            start: where and when it starts.
        """
        duration, bend = float(self.duration[index]), tuple(self.bend[index].tolist())
        wait = max(0.0, float(self.time[index]) - start.time - duration)
        return Approach(duration, duration * SHARES[self.share[index]], bend if any(bend) else (), wait)


def tried(
    cell: Cell, start: Departure, goal: Goal, times: np.ndarray, shares: np.ndarray, bending: np.ndarray
) -> tuple[Tries, np.ndarray, np.ndarray]:
    """Try straight intercepts at instants, and bent ones where reach or margins stand against them.

    Args:
        cell: robot, with what it carries, laws and limits.
        start: where and when they start.
        goal: what they meet.
        times: instants of meeting (m,), s.
        shares: indices of the ramp shares to try.
        bending: those of them to try with bends.

    Returns:
        The tries (n,), which of them keep all limits (n,), and how much of each they use (n, quantities).
    """
    tries = _straight(cell.limits, start, goal, times, shares)
    used = use(cell, _series(cell.work, start, goal, tries))
    good = fits(used)
    met = np.isin(tries.time, tries.time[good])
    blocked = tries.take(~met & ~fits(used[:, WAY]) & np.isin(tries.share, bending))
    if len(blocked.time) == 0:
        return tries, good, used
    bent = _bent(start, goal, blocked)
    used_bent = use(cell, _series(cell.work, start, goal, bent))
    return tries.joined(bent), np.concatenate([good, fits(used_bent)]), np.concatenate([used, used_bent])


def _straight(limits: ConveyorLimits, start: Departure, goal: Goal, times: np.ndarray, shares: np.ndarray) -> Tries:
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
    return Tries(time, duration, share, np.zeros((len(time), len(start.pose))))


def _bent(start: Departure, goal: Goal, tries: Tries) -> Tries:
    """Tries with bends to both sides, horizontally and square to the way."""
    way = goal.pose(tries.time) - np.array(start.pose)
    square = np.zeros_like(way)
    square[:, 0], square[:, 1] = -way[:, 1], way[:, 0]
    long_enough = np.linalg.norm(square, axis=1) > _NO_CHORD
    square, kept = square[long_enough], tries.take(long_enough)
    shares = np.repeat(_BENDS, len(square))
    many = kept.take(np.tile(np.arange(len(square)), len(_BENDS)))
    bend = np.tile(square, (len(_BENDS), 1)) * (shares / many.duration)[:, None]
    return Tries(many.time, many.duration, many.share, bend)


@lru_cache(maxsize=32)
def _basis(law: Law, yaw_law: Law) -> np.ndarray:
    """Unit intercepts (3, shares, 5, samples) by displacement, both velocities and bend, and the yaw.

    The first axis is position, velocity and acceleration; the samples of each share are its own.
    """
    found = []
    for share in SHARES:
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


def _series(work: PickPlace, start: Departure, goal: Goal, tries: Tries) -> Series:
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
