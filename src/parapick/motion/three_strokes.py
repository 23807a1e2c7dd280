"""The three strokes of a gate: how they share a duration, and how overlapping ones keep the limits of the plate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.answer import keeps
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import (
    Move,
    PlateLimits,
    by_duration,
    check_duration,
    check_limits,
    check_move,
    fitted_move,
    shortest_duration,
)
from parapick.motion.law import Law
from parapick.motion.motion import Motion
from parapick.motion.route import Route
from parapick.motion.series import Phase
from parapick.motion.shapes import gate_points
from parapick.motion.strokes import Stroke, Strokes
from parapick.roots import bisected

# Range of the search for the acceleration that gives a duration (m/s2): wider than any machine.
_ACCELERATIONS: Final = (1e-9, 1e12)
# Steps of the search for stroke limits that keep the plate's, turns between acceleration and speed in it, and the share
# of a limit that may be given away.
_TRIES: Final = 24
_TURNS: Final = 4
_GIVEN_AWAY: Final = 1e-6
# Two strokes at right angles never give more than the square root of two of either.
_RIGHT_ANGLE: Final = 1.0 / math.sqrt(2.0)


@final
@dataclass(frozen=True)
class ThreeStrokes:
    """Lift, way over and lowering by one law whose times are still open; `Gate` says what each field is."""

    start: tuple[float, ...]
    end: tuple[float, ...]
    height: float
    law: Law
    overlap: float
    lift_time: float | None

    @cached_property
    def vectors(self) -> np.ndarray:
        """Lift, way over with the turn of the yaw, lowering (3, dof), m and rad."""
        vectors = np.zeros((3, len(self.start)))
        vectors[:, :3] = np.diff(gate_points(self.start, self.end, self.height), axis=0)
        vectors[1, 3:] = np.subtract(self.end[3:], self.start[3:])
        return vectors

    @property
    def lengths(self) -> tuple[float, float, float]:
        """Lift, way over, lowering (m)."""
        up, over, down = np.linalg.norm(self.vectors[:, :3], axis=1).tolist()
        return up, over, down

    def total(self, up: float, over: float, down: float) -> float:
        """Duration of the whole (s) from those of the strokes."""
        return (1.0 - self.overlap) * (up + down) + over

    def by_limits(self, limits: PlateLimits) -> Strokes:
        """The strokes in their times, each as fast as the limits allow."""
        return self._overlapped(self._moves(limits))

    def by_duration(self, duration: float, limits: PlateLimits) -> Strokes:
        """The strokes in a given time (s), all with the same peak acceleration.

        Where a law has a cruise, the speed of the limits bounds it.
        """
        check_duration(duration)
        if self.lift_time is not None:
            rest = duration - 2.0 * (1.0 - self.overlap) * self.lift_time
            if not rest > 0.0:
                raise LimitError(
                    "lift_time", f"is {self.lift_time:g} s; nothing of {duration:g} s is left for the way over"
                )
            times = (self.lift_time, rest, self.lift_time)
        elif self.law.cruise and (limits.v_max < math.inf or self.law.rise is None):
            return self._overlapped(self._searched(duration, limits))
        else:
            # Equal peak acceleration means durations in proportion to the square roots of the lengths.
            roots = [math.sqrt(length) for length in self.lengths]
            times = tuple(duration / self.total(*roots) * root for root in roots)
        return self._overlapped([by_duration(self.law, d, t) for d, t in zip(self.lengths, times, strict=True)])

    def _moves(self, limits: PlateLimits) -> list[Move]:
        """The strokes, each as fast as the limits allow or, where it is given, in the lifting time."""
        times = (self.lift_time, None, self.lift_time)
        return [fitted_move(self.law, d, t, limits) for d, t in zip(self.lengths, times, strict=True)]

    def _searched(self, duration: float, limits: PlateLimits) -> list[Move]:
        """Strokes by limits, with the acceleration that gives the duration."""

        def bounded(logarithm: float) -> PlateLimits:
            return replace(limits, a_max=math.exp(logarithm))

        def total(logarithm: float) -> float:
            up, over, down = (shortest_duration(self.law, d, bounded(logarithm)) for d in self.lengths)
            return self.total(up, over, down)

        low, high = map(math.log, _ACCELERATIONS)
        if (shortest := total(high)) > duration:
            raise LimitError("duration", f"is {duration:g} s; v_max and j_max alone need {shortest:.6g} s")
        return self._moves(bounded(float(bisected(lambda a: total(float(a)) > duration, low, high)[1])))

    def _overlapped(self, moves: Sequence[Move]) -> Strokes:
        """Strokes in their times; lifting must end before lowering begins."""
        up, over, down = (move.duration for move in moves)
        if not keeps(self.overlap * (up + down), at_most=over):
            raise MotionError(
                f"overlap is {self.overlap:g}; lifting would not end before lowering begins. With them at most "
                f"{over / (up + down):.4g} is possible"
            )
        over_start = (1.0 - self.overlap) * up
        starts = (0.0, over_start, over_start + over - self.overlap * down)
        strokes = tuple(
            Stroke(start, move.duration, tuple(vector), move.profile)
            for start, move, vector in zip(starts, moves, self.vectors.tolist(), strict=True)
        )
        return Strokes(self.start, self.total(up, over, down), strokes)


def route_of(strokes: Strokes) -> Route:
    """The route of lift, way over and lowering."""
    names = zip(("lift", "over", "lower"), strokes.strokes, strict=True)
    return Route.along(strokes, [Phase(name, stroke.start, stroke.end) for name, stroke in names])


def fastest_overlap(plan: ThreeStrokes, limits: PlateLimits) -> Strokes:
    """Overlapping strokes whose limits are lowered until the plate keeps its own: acceleration and speed in turn."""

    def used(speed: float, acceleration: float) -> tuple[float, float]:
        peaks = Motion((plan.by_limits(_scaled(limits, speed, acceleration)),)).peaks()
        jerk = 0.0 if limits.j_max == math.inf else peaks.jerk.value / limits.j_max
        return peaks.speed.value / limits.v_max, max(peaks.acceleration.value / limits.a_max, jerk)

    def hardest(speed: float) -> float:
        return _largest(lambda share: used(speed, share)[1])

    def quickest(acceleration: float) -> float:
        return _largest(lambda share: used(share, acceleration)[0])

    kept = [(_RIGHT_ANGLE, _RIGHT_ANGLE)]
    speed = 1.0
    for _ in range(_TURNS):
        acceleration = hardest(speed)
        if keeps(max(used(speed, acceleration)), at_most=1.0):
            kept.append((speed, acceleration))
            if speed == 1.0:
                break
        speed = quickest(acceleration)
    return min((plan.by_limits(_scaled(limits, *shares)) for shares in kept), key=lambda strokes: strokes.duration)


def _scaled(limits: PlateLimits, speed: float, acceleration: float) -> PlateLimits:
    return PlateLimits(limits.v_max * speed, limits.a_max * acceleration, limits.j_max * acceleration)


def _largest(used: Callable[[float], float]) -> float:
    """Largest share of the strokes' limits at which no more than all of the plate's is used, but for a millionth.

    Secants and halvings in turn: the first are fast, the second get past jumps.
    """
    low, high = _RIGHT_ANGLE, 1.0
    share = used(high)
    if keeps(share, at_most=1.0):
        return high
    above = share - 1.0
    below = used(low) - 1.0
    for i in range(_TRIES):
        if below > -_GIVEN_AWAY:
            break
        aim = 0.5 if i % 2 else (-below - 0.5 * _GIVEN_AWAY) / (above - below)
        middle = low + aim * (high - low)
        excess = used(middle) - 1.0
        if excess <= 0.0:
            low, below = middle, excess
        else:
            high, above = middle, excess
    return low


def check_strokes(strokes: Strokes, limits: PlateLimits) -> None:
    """Raise `LimitError` if a stroke exceeds limits of its own."""
    for stroke in strokes.strokes:
        check_move(Move(stroke.profile, float(np.linalg.norm(stroke.vector[:3])), stroke.duration), limits)


def check_plate(strokes: Strokes, limits: PlateLimits) -> None:
    """Raise `LimitError` if the plate exceeds limits."""
    if limits == PlateLimits():
        return
    peaks = Motion((strokes,)).peaks()
    three = (peaks.speed, peaks.acceleration, peaks.jerk)
    instants = [f" at {peak.time:.6g} s" for peak in three]
    check_limits(limits, [peak.value for peak in three], f"{strokes.duration:g} s", instants)
