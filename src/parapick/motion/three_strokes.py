"""The three strokes of a gate: how they share a duration, and how overlapping ones keep the limits of the plate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, final

import numpy as np

from parapick.model.extremes import LIMIT_SLACK
from parapick.motion.bisection import bisected
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import (
    Move,
    PlateLimits,
    by_duration,
    by_limits,
    check_duration,
    check_move,
)
from parapick.motion.law import Law
from parapick.motion.motion import Motion
from parapick.motion.route import Route
from parapick.motion.series import Phase
from parapick.motion.shapes import gate_points
from parapick.motion.strokes import Stroke, Strokes

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
    """Lift, way over and lowering whose times are still open.

    Attributes:
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        height: how far it rises above the higher of the two (m).
        law: time law of every stroke.
        overlap: share of the vertical strokes that overlaps the way over.
        lift_time: duration of each vertical stroke (s), where it is given.
    """

    start: tuple[float, ...]
    end: tuple[float, ...]
    height: float
    law: Law
    overlap: float
    lift_time: float | None

    @property
    def lengths(self) -> tuple[float, float, float]:
        """Lift, way over, lowering (m)."""
        low, high, far, down = gate_points(self.start, self.end, self.height)
        return math.dist(low, high), math.dist(high, far), math.dist(far, down)

    def moves(self, limits: PlateLimits) -> tuple[Move, Move, Move]:
        """The strokes, each as fast as the limits allow.

        Args:
            limits: limits of every stroke.
        """
        up, over, down = self.lengths
        if self.lift_time is None:
            return by_limits(self.law, up, limits), by_limits(self.law, over, limits), by_limits(self.law, down, limits)
        lift, lower = (by_duration(self.law, length, self.lift_time) for length in (up, down))
        for move in (lift, lower):
            check_move(move, limits)
        return lift, by_limits(self.law, over, limits), lower

    def total(self, moves: tuple[Move, Move, Move]) -> float:
        """Duration of the whole (s).

        Args:
            moves: the strokes.
        """
        up, over, down = moves
        return (1.0 - self.overlap) * (up.duration + down.duration) + over.duration

    def by_limits(self, limits: PlateLimits) -> Strokes:
        """The strokes in their times, each as fast as the limits allow.

        Args:
            limits: limits of every stroke.
        """
        return self.overlapped(self.moves(limits))

    def by_duration(self, duration: float, limits: PlateLimits) -> Strokes:
        """The strokes in a given time, all with the same peak acceleration.

        Args:
            duration: time of the whole (s).
            limits: limits of every stroke; where a law has a cruise, the speed bounds it.
        """
        check_duration(duration)
        up, over, down = self.lengths
        if self.lift_time is not None:
            rest = duration - 2.0 * (1.0 - self.overlap) * self.lift_time
            if not rest > 0.0:
                raise LimitError(
                    "lift_time", f"is {self.lift_time:g} s; nothing of {duration:g} s is left for the way over"
                )
            times = (self.lift_time, rest, self.lift_time)
        elif self.law.cruise and (limits.v_max < math.inf or self.law.rise is None):
            return self.overlapped(self._searched(duration, limits))
        else:
            # Equal peak acceleration means durations in proportion to the square roots of the lengths.
            roots = [math.sqrt(length) for length in (up, over, down)]
            unit = duration / ((1.0 - self.overlap) * (roots[0] + roots[2]) + roots[1])
            times = tuple(unit * root for root in roots)
        lift, way, lower = (by_duration(self.law, d, t) for d, t in zip((up, over, down), times, strict=True))
        return self.overlapped((lift, way, lower))

    def _searched(self, duration: float, limits: PlateLimits) -> tuple[Move, Move, Move]:
        """Strokes by limits, with the acceleration that gives the duration."""

        def moves(logarithm: float) -> tuple[Move, Move, Move]:
            return self.moves(replace(limits, a_max=math.exp(logarithm)))

        low, high = map(math.log, _ACCELERATIONS)
        shortest = self.total(moves(high))
        if shortest > duration:
            raise LimitError("duration", f"is {duration:g} s; v_max and j_max alone need {shortest:.6g} s")
        return moves(float(bisected(lambda a: self.total(moves(float(a))) > duration, low, high)[1]))

    def overlapped(self, moves: tuple[Move, Move, Move]) -> Strokes:
        """Strokes in their times.

        Args:
            moves: lift, way over, lowering.

        Raises:
            MotionError: lifting would not end before lowering begins.
        """
        up, over, down = moves
        if self.overlap * (up.duration + down.duration) > over.duration * (1.0 + LIMIT_SLACK):
            most = over.duration / (up.duration + down.duration)
            raise MotionError(
                f"overlap is {self.overlap:g}; lifting would not end before lowering begins. With them at most "
                f"{most:.4g} is possible"
            )
        points = [np.array(point) for point in gate_points(self.start, self.end, self.height)]
        turn = [last - first for first, last in zip(self.start[3:], self.end[3:], strict=True)]
        vectors = [np.diff([a, b], axis=0)[0].tolist() for a, b in pairwise(points)]
        over_start = (1.0 - self.overlap) * up.duration
        over_end = over_start + over.duration
        starts = (0.0, over_start, over_end - self.overlap * down.duration)
        extras = ([0.0] * len(turn), turn, [0.0] * len(turn))
        strokes = tuple(
            Stroke(start, move.duration, (*vector, *extra), move.profile)
            for start, move, vector, extra in zip(starts, moves, vectors, extras, strict=True)
        )
        return Strokes(self.start, self.total(moves), strokes)


def route_of(strokes: Strokes) -> Route:
    """The route of lift, way over and lowering.

    Args:
        strokes: the three strokes.
    """
    names = zip(("lift", "over", "lower"), strokes.strokes, strict=True)
    return Route.along(strokes, [Phase(name, stroke.start, stroke.end) for name, stroke in names])


def fastest_overlap(plan: ThreeStrokes, limits: PlateLimits) -> Strokes:
    """Overlapping strokes whose limits are lowered until the plate keeps its own: acceleration and speed in turn.

    Args:
        plan: the strokes.
        limits: limits of the plate.
    """

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
        if max(used(speed, acceleration)) <= 1.0 + LIMIT_SLACK:
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
    if (above := used(high) - 1.0) <= LIMIT_SLACK:
        return high
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
    """Raise if a stroke exceeds limits of its own.

    Args:
        strokes: the strokes.
        limits: limits of every stroke.

    Raises:
        LimitError: a limit is exceeded; says by how much.
    """
    for stroke in strokes.strokes:
        check_move(Move(stroke.profile, float(np.linalg.norm(stroke.vector[:3])), stroke.duration), limits)


def check_plate(strokes: Strokes, limits: PlateLimits) -> None:
    """Raise if the plate exceeds limits.

    Args:
        strokes: the strokes.
        limits: limits of the plate.

    Raises:
        LimitError: a limit is exceeded; says by how much and when.
    """
    if limits == PlateLimits():
        return
    peaks = Motion((strokes,)).peaks()
    for name, peak, limit, unit in (
        ("v_max", peaks.speed, limits.v_max, "m/s"),
        ("a_max", peaks.acceleration, limits.a_max, "m/s2"),
        ("j_max", peaks.jerk, limits.j_max, "m/s3"),
    ):
        if limit < math.inf and peak.value > limit * (1.0 + LIMIT_SLACK):
            raise LimitError(
                name,
                f"is {limit:g} {unit}; {strokes.duration:g} s need {peak.value:.6g} {unit} at {peak.time:.6g} s",
            )
