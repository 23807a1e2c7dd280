"""Intercepts as candidates: fixed shapes, for any time they may take, thousands of them at once.

An intercept `v = v0 + (v1 - v0) W(t/T) + V b(t) + U c(t)` is linear in its displacement, its end velocities and its
bend once the share `t_a / T` of its ramps is chosen. Four functions of `t/T` for each share therefore give any number
of intercepts, as the batched kernels like them. Which shapes there are does not depend on the limits.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final, NamedTuple, final

import numpy as np

from parapick.belts.limit_use import HOPELESS, SAMPLES, Cell, Series, Use, effort, limit_use, limits_hold
from parapick.belts.types import Approach, PickPlace
from parapick.motion.law import Law
from parapick.motion.tracking import intercept

SHARES: Final = tuple(0.5 * 0.95**k for k in range(43))
"""Shares t_a / T of the ramps. With fewer the best of them would cost more than 0.5 % of T."""

# Bends as shares of the mean speed: they move the path aside by at most half of that share of the distance. Without
# them no path leads around a singular line.
_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.1, -1.1)
COARSE: Final = 3
"""Of the ramps every so many are tried in a scan; of the samples every so many, twice, are looked at first. Without it
a plan takes three times as long."""

# Times (s) that an intercept from rest may take when there is more: the rest is waited. Without them what comes late
# would be met slowly, on a path that leads far away.
_GOING: Final = 0.05 * 2.0 ** np.arange(8)


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
@dataclass(frozen=True, eq=False)
class Goals:
    """Places above a belt of which one is to be met, by the time since the departure.

    Attributes:
        pose: task vectors at the departure (goals, dof).
        drift: how they move (dof numbers): at the speed of the belt, or not at all where any place will do.
        velocity: velocity with which they are met (dof numbers).
        spans: from when to when each may be met ((from, to), ...), s after the departure.
        cost: what is to be done after the meeting (goals,), s.
    """

    pose: np.ndarray
    drift: np.ndarray
    velocity: np.ndarray
    spans: tuple[tuple[tuple[float, float], ...], ...]
    cost: np.ndarray

    def at(self, goal: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Task vectors (n, dof).

        Args:
            goal: which goals (n,).
            time: when (n,), s after the departure.
        """
        return self.pose[goal] + self.drift * time[:, None]


class Shapes(NamedTuple):
    """Ramps and bends, each (n,): indices of `SHARES`, and bends as shares of the mean speed."""

    share: np.ndarray
    bend: np.ndarray

    def take(self, which: np.ndarray) -> Shapes:
        """Some of them.

        Args:
            which: a mask.
        """
        return Shapes(self.share[which], self.bend[which])


@lru_cache(maxsize=2)
def shapes(*, coarse: bool) -> Shapes:
    """The shapes that are tried: straight ones with all ramps, bent ones with some.

    Args:
        coarse: fewer of the straight ones, for a scan.
    """
    straight = np.arange(0, len(SHARES), COARSE if coarse else 1)
    bent = np.arange(0, len(SHARES) // 2, 4 * COARSE if coarse else 2 * COARSE)
    share = np.concatenate([straight, np.repeat(bent, len(_BENDS))])
    return Shapes(share, np.concatenate([np.zeros(len(straight)), np.tile(_BENDS, len(bent))]))


@final
@dataclass(frozen=True, eq=False)
class Candidates:
    """Intercepts, each array (n,).

    Attributes:
        goal: which goal is met.
        time: when (s after the departure).
        duration: T (s), at most that time.
        share: indices of the ramp shares.
        bend: bends as shares of the mean speed.
    """

    goal: np.ndarray
    time: np.ndarray
    duration: np.ndarray
    share: np.ndarray
    bend: np.ndarray

    @staticmethod
    def of(start: Departure, goal: np.ndarray, time: np.ndarray, tried: Shapes, *, waiting: bool = True) -> Candidates:
        """All shapes for goals at times; from rest also those that wait first.

        Args:
            start: where and when they start.
            goal: which goals (n,).
            time: when (n,), s after the departure.
            tried: the shapes.
            waiting: whether those that wait are wanted.
        """
        duration = time
        if start.resting and waiting:
            later = np.nonzero(0.8 * time[:, None] > _GOING)
            goal, duration = np.append(goal, goal[later[0]]), np.append(time, _GOING[later[1]])
            time = np.append(time, time[later[0]])
        count = len(tried.share)
        each = (np.repeat(value, count) for value in (goal, time, duration))
        return Candidates(*each, np.tile(tried.share, len(goal)), np.tile(tried.bend, len(goal)))

    def take(self, which: np.ndarray) -> Candidates:
        """Some of them.

        Args:
            which: indices, or a mask.
        """
        return Candidates(*(getattr(self, field.name)[which] for field in fields(self)))

    def series(self, work: PickPlace, start: Departure, goals: Goals, step: int = 1) -> Series:
        """Them at their samples (n, samples, dof).

        Args:
            work: the laws.
            start: where and when they start.
            goals: what they meet.
            step: 1 for all samples, 2 for every other.
        """
        x0, T = np.array(start.pose), self.duration[:, None]
        path = goals.at(self.goal, self.time) - x0
        velocities = T * np.array(start.velocity), T * goals.velocity
        vectors = np.stack([path, *velocities, _aside(path) * self.bend[:, None]], axis=1)
        basis, states = _basis(work.law, work.yaw_law)[..., ::step], []
        for order in range(3):
            functions = basis[order][self.share]
            # (n, samples, dof), from (n, 4, samples) and (n, 4, dof)
            value = np.matmul(functions[:, :4].transpose(0, 2, 1), vectors)
            if len(x0) == 4:
                value[:, :, 3] = path[:, 3:] * functions[:, 4]
            states.append(value / T[:, :, None] ** order)
        return Series(states[0] + x0, states[1], states[2])

    def holds(self, cell: Cell, start: Departure, goals: Goals) -> np.ndarray:
        """Which of them keep all limits at their samples (n,).

        Args:
            cell: robot, with what it carries, laws and limits.
            start: where and when they start.
            goals: what they meet.
        """
        good = limits_hold(cell, self.series(cell.work, start, goals, 2 * COARSE))
        good[good] = limits_hold(cell, self.take(good).series(cell.work, start, goals))
        return good

    def use(self, cell: Cell, start: Departure, goals: Goals) -> Use:
        """How much of the limits they use.

        Args:
            cell: robot, with what it carries, laws and limits.
            start: where and when they start.
            goals: what they meet.
        """
        return limit_use(cell, self.series(cell.work, start, goals))

    def hopeful(self, cell: Cell, start: Departure, goals: Goals) -> np.ndarray:
        """Which of them, or some like them that take a little longer, may keep the limits (n,).

        Args:
            cell: robot, with what it carries, laws and limits.
            start: where and when they start.
            goals: what they meet.
        """
        return effort(cell, self.series(cell.work, start, goals, 4 * COARSE)) <= HOPELESS

    def approach(self, index: int, start: Departure, goals: Goals) -> Approach:
        """One of them as an approach.

        Args:
            index: which.
            start: where and when it starts.
            goals: what it meets.
        """
        one = self.take(np.array([index]))
        duration, wait = float(one.duration[0]), float(one.time[0] - one.duration[0])
        path = goals.at(one.goal, one.time) - np.array(start.pose)
        bend = (_aside(path) * one.bend[:, None] / duration)[0]
        aside = tuple(bend.tolist()) if one.bend[0] else ()
        return Approach(duration, duration * SHARES[one.share[0]], aside, wait)


def _aside(path: np.ndarray) -> np.ndarray:
    """Horizontal vectors (n, dof) square to paths and as long as those are seen from above."""
    square = np.zeros_like(path)
    square[:, 0], square[:, 1] = -path[:, 1], path[:, 0]
    return square


@lru_cache(maxsize=32)
def _basis(law: Law, yaw_law: Law) -> np.ndarray:
    """Unit intercepts (3, shares, 5, samples) by displacement, both velocities and bend, and the yaw.

    The first axis is position, velocity and acceleration; the samples of each share are its own.
    """
    tables, turning = [], yaw_law.profile()
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
        tau = _filled(np.union1d(unit.knots, turning.corners))
        states = zip(unit.at(tau), turning.at(tau)[:3], strict=True)
        tables.append([np.concatenate([state.T, turn[None]]) for state, turn in states])
    return np.array(tables).swapaxes(0, 1)


def _filled(knots: np.ndarray) -> np.ndarray:
    """Samples of the whole time, evenly between the knots: the longest gaps are split first."""
    parts = np.ones(len(knots) - 1, dtype=int)
    while parts.sum() < SAMPLES:
        parts[np.argmax(np.diff(knots) / parts)] += 1
    inner = [
        np.linspace(low, high, count, endpoint=False) for low, high, count in zip(knots, knots[1:], parts, strict=False)
    ]
    return np.concatenate([*inner, knots[-1:]])
