"""Intercepts as candidates: fixed shapes, for any time they may take, thousands of them at once.

An intercept `v = v0 + (v1 - v0) W(t/T) + V b(t) + U c(t)` is linear in its displacement, its end velocities and its
bend once the share `t_a / T` of its ramps is chosen. Four functions of `t/T` for each share therefore give any number
of intercepts, as the batched kernels like them. Which shapes there are does not depend on the limits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

import numpy as np

from parapick.belts.limit_use import HOPELESS, SAMPLES, Cell, MotionBatch, Use, effort, limit_use, limits_hold
from parapick.belts.phases import approached
from parapick.belts.types import Approach
from parapick.motion import Law, Motion, Side, intercept

SHARES: Final = tuple(0.5 * 0.95**k for k in range(43))
"""Shares t_a / T of the ramps. With fewer the best of them would cost more than 0.5 % of T."""

# Bends as shares of the mean speed: they move the path aside by at most half of that share of the distance. Without
# them no path leads around a singular line.
_BENDS: Final = (0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.1, -1.1)
COARSE: Final = 3
"""Of the ramps every so many are tried in a scan, of those of bent shapes twice as many are left out, and four times in
a scan; of the samples every so many, twice, are tried first. Without it a plan takes three times as long."""

# Times (s) that an intercept from rest may take when there is more: the rest is waited. Without them what comes late
# would be met slowly, on a path that leads far away.
_GOING: Final = 0.05 * 2.0 ** np.arange(8)


# How often the functions of an intercept are derived by time: those of place, velocity, acceleration and jerk, and the
# jumps of the acceleration.
_ORDERS: Final = (0, 1, 2, 3, 2)


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
    """Places above a belt of which a robot that leaves somewhere is to meet one, by the time since the departure.

    Attributes:
        cell: robot, with what it carries, laws and limits.
        start: where and when the intercepts start.
        pose: task vectors at the departure (goals, dof).
        drift: how they move (dof numbers): at the speed of the belt, or not at all where any place will do.
        velocity: velocity with which they are met (dof numbers).
        spans: from when to when each may be met ((from, to), ...), s after the departure.
        cost: what is to be done after the meeting (goals,), s.
    """

    cell: Cell
    start: Departure
    pose: np.ndarray
    drift: np.ndarray
    velocity: np.ndarray
    spans: tuple[tuple[tuple[float, float], ...], ...]
    cost: np.ndarray

    def at(self, goal: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Task vectors (n, dof) of goals (n,) at times (n,), s after the departure."""
        return self.pose[goal] + self.drift * time[:, None]


@lru_cache(maxsize=2)
def shapes(*, coarse: bool) -> tuple[np.ndarray, np.ndarray]:
    """Ramps (indices of `SHARES`) and bends of the shapes that are tried, each (n,): `coarse` are fewer, for a scan."""
    straight = np.arange(0, len(SHARES), COARSE if coarse else 1)
    bent = np.arange(0, len(SHARES) // 2, 4 * COARSE if coarse else 2 * COARSE)
    share = np.concatenate([straight, np.repeat(bent, len(_BENDS))])
    return share, np.concatenate([np.zeros(len(straight)), np.tile(_BENDS, len(bent))])


@final
@dataclass(frozen=True, eq=False)
class Candidates:
    """Intercepts, each array (n,).

    Attributes:
        goals: what they meet, and from where.
        goal: which goal is met.
        time: when (s after the departure).
        duration: T (s), at most that time.
        share: indices of the ramp shares.
        bend: bends as shares of the mean speed.
    """

    goals: Goals
    goal: np.ndarray
    time: np.ndarray
    duration: np.ndarray
    share: np.ndarray
    bend: np.ndarray

    @staticmethod
    def of(
        goals: Goals, goal: np.ndarray, time: np.ndarray, tried: tuple[np.ndarray, np.ndarray], *, waiting: bool = True
    ) -> Candidates:
        """All shapes for goals (n,) at times (n,), s after the departure; from rest also those that wait for a goal."""
        duration = time
        if goals.start.resting and waiting and goals.drift.any():
            later = np.nonzero(time[:, None] > _GOING)
            goal, duration = np.append(goal, goal[later[0]]), np.append(time, _GOING[later[1]])
            time = np.append(time, time[later[0]])
        goal, time, duration = (np.repeat(value, len(tried[0])) for value in (goal, time, duration))
        share, bend = (np.tile(value, len(goal) // len(tried[0])) for value in tried)
        return Candidates(goals, goal, time, duration, share, bend)

    def take(self, which: np.ndarray) -> Candidates:
        """Those of some indices, or of a mask."""
        arrays = (self.goal, self.time, self.duration, self.share, self.bend)
        return Candidates(self.goals, *(value[which] for value in arrays))

    def series(self, step: int = 1) -> MotionBatch:
        """Their states at every so many of their samples."""
        start, work = self.goals.start, self.goals.cell.work
        x0, T = np.array(start.pose), self.duration[:, None]
        path = self.goals.at(self.goal, self.time) - x0
        velocities = T * np.array(start.velocity), T * self.goals.velocity
        vectors = np.stack([path, *velocities, _aside(path) * self.bend[:, None]], axis=1)
        basis, states = _basis(work.law, work.yaw_law)[..., ::step], []
        for k, order in enumerate(_ORDERS if self.goals.cell.limits_jerk else _ORDERS[:3]):
            functions = basis[k][self.share]
            # (n, samples, dof), from (n, 4, samples) and (n, 4, dof)
            value = np.matmul(functions[:, :4].transpose(0, 2, 1), vectors)
            if len(x0) == 4:
                value[:, :, 3] = path[:, 3:] * functions[:, 4]
            states.append(value / T[:, :, None] ** order)
        batch = MotionBatch(states[0] + x0, states[1], states[2])
        return batch.with_jerks(*states[3:]) if self.goals.cell.limits_jerk else batch

    def holds(self) -> np.ndarray:
        """Which of them keep all limits at their samples (n,)."""
        good = limits_hold(self.goals.cell, self.series(2 * COARSE))
        good[good] = limits_hold(self.goals.cell, self.take(good).series())
        return good

    def use(self) -> Use:
        """How much of the limits they use."""
        return limit_use(self.goals.cell, self.series())

    def hopeful(self) -> np.ndarray:
        """Which of them, or some like them that take a little longer, may keep the limits (n,)."""
        return effort(self.goals.cell, self.series(4 * COARSE)) <= HOPELESS

    def approach(self, index: int = 0) -> Approach:
        """One of them as an approach."""
        duration, wait = float(self.duration[index]), float(self.time[index] - self.duration[index])
        path = self.goals.at(self.goal[[index]], self.time[[index]]) - np.array(self.goals.start.pose)
        bend = (_aside(path) * self.bend[index] / duration)[0]
        aside = tuple(bend.tolist()) if self.bend[index] else ()
        return Approach(duration, duration * SHARES[self.share[index]], aside, wait)

    def law_motion(self, approach: Approach, index: int = 0) -> Motion:
        """One of them, which is an approach too, as a motion by the law."""
        start, goals = self.goals.start, self.goals
        pose = goals.at(self.goal[[index]], self.time[[index]])[0].tolist()
        return approached(start.pose, start.velocity, pose, goals.velocity.tolist(), approach, goals.cell.work)


def _aside(path: np.ndarray) -> np.ndarray:
    """Horizontal vectors (n, dof) square to paths and as long as those are seen from above."""
    square = np.zeros_like(path)
    square[:, 0], square[:, 1] = -path[:, 1], path[:, 0]
    return square


@lru_cache(maxsize=32)
def _basis(law: Law, yaw_law: Law) -> np.ndarray:
    """Unit intercepts (5, shares, 5, samples) by displacement, both velocities and bend, and the yaw.

    The first axis is position, velocity, acceleration, jerk, and by how much the acceleration jumps; the samples of
    each share are its own.
    """
    tables, turning = [], yaw_law.profile()
    for share in SHARES:
        unit = intercept(
            (0.0, 0.0, 0.0, 0.0),
            (1.0, 0.0, 0.0, 0.0),
            duration=1.0,
            ramp_time=share,
            velocities=((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)),
            bend=(0.0, 0.0, 0.0, 1.0),
            law=law,
        )
        tau = _filled(np.union1d(unit.knots, turning.corners))
        states = zip(_with_jumps(unit.state, tau), _with_jumps(turning.at, tau), strict=True)
        tables.append([np.concatenate([state.reshape(len(tau), -1).T, turn[None]]) for state, turn in states])
    return np.array(tables).swapaxes(0, 1)


def _with_jumps(at: Callable[[np.ndarray, Side], tuple[np.ndarray, ...]], tau: np.ndarray) -> list[np.ndarray]:
    """What a function of time gives at shares (samples,) from 0 to 1, and by how much its third value jumps there."""
    after, before = at(tau, "right"), at(tau, "left")
    jump = after[2] - before[2]
    # Beyond its ends nothing is accelerated.
    jump[0], jump[-1], after[3][-1] = after[2][0], before[2][-1], before[3][-1]
    return [*after, jump]


def _filled(knots: np.ndarray) -> np.ndarray:
    """Samples of the whole time, evenly between the knots: the longest gaps are split first."""
    parts = np.ones(len(knots) - 1, dtype=int)
    while parts.sum() < SAMPLES:
        parts[np.argmax(np.diff(knots) / parts)] += 1
    inner = [
        np.linspace(low, high, count, endpoint=False) for low, high, count in zip(knots, knots[1:], parts, strict=False)
    ]
    return np.concatenate([*inner, knots[-1:]])
