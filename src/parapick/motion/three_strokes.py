"""The three strokes of a gate: how they share a duration, and how overlapping ones keep the limits of the plate."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, final

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fit import LIMIT_SLACK, Move, PlateLimits, by_duration, by_limits, checked
from parapick.motion.law import Law
from parapick.motion.motion import Motion
from parapick.motion.peaks import Peak
from parapick.motion.pieces import Stroke, Strokes
from parapick.motion.routes import gate_points
from parapick.motion.series import Phase

__all__ = ["ThreeStrokes", "keeping", "within"]

# Range and halvings of the search for the acceleration that gives a duration (m/s2): wider than any machine.
_ACCELERATIONS: Final = (1e-9, 1e12)
_HALVINGS: Final = 100
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
        """The strokes, each as fast as the limits allow."""
        up, over, down = self.lengths
        if self.lift_time is None:
            return by_limits(self.law, up, limits), by_limits(self.law, over, limits), by_limits(self.law, down, limits)
        lift = checked(by_duration(self.law, up, self.lift_time), limits)
        lower = checked(by_duration(self.law, down, self.lift_time), limits)
        return lift, by_limits(self.law, over, limits), lower

    def total(self, moves: tuple[Move, Move, Move]) -> float:
        """Duration of the whole (s)."""
        up, over, down = moves
        return (1.0 - self.overlap) * (up.duration + down.duration) + over.duration

    def motion(self, limits: PlateLimits) -> Motion:
        """The motion at the limits of the strokes."""
        return self.assembled(self.moves(limits))

    def in_time(self, duration: float, limits: PlateLimits) -> Motion:
        """The motion in a given time, all strokes with the same peak acceleration."""
        if not 0.0 < duration < math.inf:
            raise LimitError("duration", f"is {duration:g} s; it must be a finite time greater than 0")
        up, over, down = self.lengths
        if self.lift_time is not None:
            rest = duration - 2.0 * (1.0 - self.overlap) * self.lift_time
            if not rest > 0.0:
                raise LimitError(
                    "lift_time", f"is {self.lift_time:g} s; nothing of {duration:g} s is left for the way over"
                )
            times = (self.lift_time, rest, self.lift_time)
        elif self.law.cruise and (limits.v_max < math.inf or self.law.rise is None):
            return self.assembled(self._searched(duration, limits))
        else:
            # Equal peak acceleration means durations in proportion to the square roots of the lengths.
            roots = [math.sqrt(length) for length in (up, over, down)]
            unit = duration / ((1.0 - self.overlap) * (roots[0] + roots[2]) + roots[1])
            times = tuple(unit * root for root in roots)
        lift, way, lower = (by_duration(self.law, d, t) for d, t in zip((up, over, down), times, strict=True))
        return self.assembled((lift, way, lower))

    def _searched(self, duration: float, limits: PlateLimits) -> tuple[Move, Move, Move]:
        """Strokes by limits, with the acceleration that gives the duration."""

        def moves(acceleration: float) -> tuple[Move, Move, Move]:
            return self.moves(replace(limits, a_max=acceleration))

        low, high = _ACCELERATIONS
        shortest = self.total(moves(high))
        if shortest > duration:
            raise LimitError("duration", f"is {duration:g} s; v_max and j_max alone need {shortest:.6g} s")
        return moves(_bisected(lambda a: self.total(moves(a)) > duration, low, high))

    def assembled(self, moves: tuple[Move, Move, Move]) -> Motion:
        """Strokes in their times."""
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
        phases = tuple(
            Phase(name, stroke.start, stroke.start + stroke.duration)
            for name, stroke in zip(("lift", "over", "lower"), strokes, strict=True)
        )
        return Motion((Strokes(self.start, self.total(moves), strokes),), phases)


def keeping(plan: ThreeStrokes, limits: PlateLimits) -> Motion:
    """Overlapping strokes whose limits are lowered until the plate keeps its own: acceleration and speed in turn.

    Args:
        plan: the strokes.
        limits: limits of the plate.
    """

    def used(speed: float, acceleration: float) -> tuple[float, float]:
        peaks = plan.motion(_scaled(limits, speed, acceleration)).peaks()
        hard = max(peaks.acceleration.value / limits.a_max, _jerk_share(peaks.jerk.value, limits.j_max))
        return peaks.speed.value / limits.v_max, hard

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
    motions = [plan.motion(_scaled(limits, *shares)) for shares in kept]
    return min(motions, key=lambda motion: motion.duration)


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


def _jerk_share(jerk: float, limit: float) -> float:
    return 0.0 if limit == math.inf else jerk / limit


def _above(peak: Peak, limit: float) -> bool:
    return limit < math.inf and peak.value > limit * (1.0 + LIMIT_SLACK)


def within(motion: Motion, limits: PlateLimits, *, per_stroke: bool) -> Motion:
    """The motion itself, if the limits hold.

    Args:
        motion: three strokes in a given time.
        limits: limits of the plate, or of each stroke.
        per_stroke: whether they are limits of each stroke.

    Raises:
        LimitError: a limit is exceeded; says by how much and when.
    """
    if limits == PlateLimits():
        return motion
    if per_stroke:
        piece = motion.pieces[0]
        for stroke in piece.strokes if isinstance(piece, Strokes) else ():
            checked(Move(stroke.profile, float(np.linalg.norm(stroke.vector[:3])), stroke.duration), limits)
        return motion
    peaks = motion.peaks()
    for name, peak, limit, unit in (
        ("v_max", peaks.speed, limits.v_max, "m/s"),
        ("a_max", peaks.acceleration, limits.a_max, "m/s2"),
        ("j_max", peaks.jerk, limits.j_max, "m/s3"),
    ):
        if _above(peak, limit):
            raise LimitError(
                name,
                f"is {limit:g} {unit}; {motion.duration:g} s need {peak.value:.6g} {unit} at {peak.time:.6g} s",
            )
    return motion


def _bisected(too_slow: Callable[[float], bool], low: float, high: float) -> float:
    """Smallest value that is not too slow, on a logarithmic scale."""
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if too_slow(middle) else (low, middle)
    return high
