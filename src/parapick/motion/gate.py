"""One way of a pick-and-place cycle: straight, or up, over and down with stops, overlap or rounded corners."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal, final

import numpy as np

from parapick.arrays import reals
from parapick.motion.corner_ramps import CornerRamps, corner_ramps, ramps_by_duration, takes_corners
from parapick.motion.corners import fastest_rounded
from parapick.motion.errors import LimitError, MotionError, check_stroke
from parapick.motion.fitting import PlateLimits, fitted_move, plate_limits, shortest_duration
from parapick.motion.law import Law, law_of
from parapick.motion.motion import Motion
from parapick.motion.path import Path
from parapick.motion.route import Route, by_law
from parapick.motion.run import KEPT, path_route, pieces_entered, timed_pieces
from parapick.motion.shapes import gate_path, line_path, with_yaw
from parapick.motion.strokes import Stroke, Strokes
from parapick.motion.three_strokes import ThreeStrokes, check_plate, check_strokes, fastest_overlap, route_of

# Time (s) in which strokes without a law's own times trace their curve. Only an s-curve with a jerk time notices it.
_UNIT: Final = 1.0
# Law by which strokes trace their curve where theirs is "fastest", which is none of strokes.
_SMOOTH: Final = "3-4-5"

Pose = tuple[float, ...]


def straight(
    start: Sequence[float],
    end: Sequence[float],
    *,
    law: str | Law = "trapezoidal",
    duration: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
) -> Motion:
    """A straight motion from rest to rest; yaw goes along.

    Args:
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        law: name of a law, or a law.
        duration: time (s); without it the limits decide.
        v_max: largest speed (m/s).
        a_max: largest acceleration (m/s2).
        j_max: largest jerk (m/s3).

    Raises:
        StrokeError: start and end are the same point.
        LimitError: limits that cannot hold, or too few of them.
        UnknownLawError: no law of that name.
    """
    return by_law(straight_route(start, end, law, duration, plate_limits(v_max, a_max, j_max)))


def straight_route(
    start: Sequence[float], end: Sequence[float], law: str | Law | None, duration: float | None, limits: PlateLimits
) -> Route:
    """A straight route, see `straight`; without a law one that has none.

    Args:
        start: pose at its start (m, rad).
        end: pose at its end.
        law: its time law; None for a route without one.
        duration: how long it takes (s); as long as the limits need if None.
    """
    first, last = _poses(start, end)
    distance = math.dist(first[:3], last[:3])
    check_stroke("the way from start to end", distance)
    if law is None:
        return Route.along(line_path(first, last), "over")
    move = fitted_move(law_of(law), distance, duration, limits)
    stroke = Stroke(0.0, move.duration, tuple(np.subtract(last, first).tolist()), move.profile)
    return Route.along(Strokes(first, move.duration, (stroke,)), "over")


def gate(
    start: Sequence[float],
    end: Sequence[float],
    *,
    height: float = 0.025,
    law: str | Law = "trapezoidal",
    duration: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    overlap: float = 0.0,
) -> Motion:
    """Up, over and down, from rest to rest, in three strokes; yaw turns on the way over. `Gate` has further ways.

    Args:
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        height: how far it rises above the higher of the two (m).
        law: name of a law, or a law.
        duration: time (s); without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        overlap: share of the vertical strokes that overlaps the way over, from 0 (stops) to 1.

    Raises:
        StrokeError: a height or a way over of zero.
        LimitError: limits that cannot hold, or too few of them.
        MotionError: an overlap that does not fit.
        UnknownLawError: no law of that name.
    """
    return by_law(Gate(height, law, plate_limits(v_max, a_max), overlap).route(start, end, duration))


@final
@dataclass(frozen=True)
class Gate:
    """How a plate goes up, over and down.

    Without a radius the motion is three strokes, each by the law. The way over begins when the share `overlap` of the
    lifting time is left, and lowering begins when as much of its own time is left before the way over ends:
    `T = (1 - overlap) T_lift + T_over + (1 - overlap) T_lower`. With a radius the plate runs along the rounded path
    without a stop: by a law that takes the corners at a constant speed and keeps its peak acceleration there too (see
    `corner_ramps`) or, with `law="fastest"`, as fast as speed and acceleration allow. A path that begins with a corner,
    and a law whose jerk is bounded, are run through by the law along the whole length.

    With limits the strokes are as fast as they may be; the limits hold for the plate, so overlapping strokes get what
    keeps the Euclidean norm. With a duration all strokes get the same peak acceleration, the smallest that does it;
    limits that are given too are checked.

    Attributes:
        height: how far it rises above the higher end (m).
        law: name of a law, a law, or "fastest" with a corner radius.
        limits: speed, acceleration and jerk of the plate.
        overlap: share of the vertical strokes that overlaps the way over, from 0 (stops) to 1.
        corner_radius: radius of the corners (m) instead of stops or overlap.
        lift_time: duration of each vertical stroke (s), instead of what limits or the common acceleration give.
        per_stroke: limits hold for each stroke alone and not for the plate, whose norm exceeds them by up to the square
            root of two where strokes overlap.
    """

    height: float = 0.025
    law: str | Law | Literal["fastest"] = "trapezoidal"
    limits: PlateLimits = field(default_factory=PlateLimits)
    overlap: float = 0.0
    corner_radius: float | None = None
    lift_time: float | None = None
    per_stroke: bool = False

    def route(self, start: Sequence[float], end: Sequence[float], duration: float | None = None) -> Route:
        """The route by the law.

        Args:
            start: task vector of the start (m, rad).
            end: task vector of the end (m, rad).
            duration: time (s); without it the limits decide.
        """
        first, last = _poses(start, end)
        if self.corner_radius is not None:
            return self._rounded(self._path(first, last, self.corner_radius), duration)
        if self.law == "fastest":
            raise MotionError('law "fastest" is for rounded corners; give a corner_radius')
        return _stroked(self._strokes(first, last), duration, self.limits, per_stroke=self.per_stroke)

    def untimed(self, start: Sequence[float], end: Sequence[float]) -> Route:
        """The route that a robot's motors time: limits and times are left aside.

        Where strokes overlap, it leads along the curve that they trace by their law with equal accelerations.

        Args:
            start: task vector of the start (m, rad).
            end: task vector of the end (m, rad).
        """
        first, last = _poses(start, end)
        if self.corner_radius is not None:
            return Route.along(self._path(first, last, self.corner_radius), "over")
        law = _SMOOTH if self.law == "fastest" else self.law
        return route_of(replace(self, law=law)._strokes(first, last).by_duration(_UNIT, PlateLimits()))

    def pace(self, start: Sequence[float], end: Sequence[float]) -> Callable[[float], float]:
        """Duration (s) by the acceleration (m/s2) of every stroke, or along a rounded path.

        It keeps the limits of speed and jerk of the strokes, or along the path.

        Args:
            start: task vector of the start (m, rad).
            end: task vector of the end (m, rad).
        """
        first, last = _poses(start, end)
        if self.corner_radius is None:
            plan = self._strokes(first, last)
            return lambda acceleration: plan.by_limits(replace(self.limits, a_max=acceleration)).duration
        law, path = law_of(self.law), self._path(first, last, self.corner_radius)
        if takes_corners(path, law, self.limits):
            return lambda acceleration: corner_ramps(path, law, replace(self.limits, a_max=acceleration)).duration
        length = path.length
        return lambda acceleration: shortest_duration(law, length, replace(self.limits, a_max=acceleration))

    def _strokes(self, start: Pose, end: Pose) -> ThreeStrokes:
        if not 0.0 <= self.overlap <= 1.0:
            raise MotionError(f"overlap is {self.overlap:g}; it must be between 0 (stops) and 1 (100 %)")
        return ThreeStrokes(start, end, self.height, law_of(self.law), self.overlap, self.lift_time)

    def _path(self, start: Pose, end: Pose, radius: float) -> Path:
        """The path with rounded corners."""
        if self.overlap or self.lift_time is not None:
            raise MotionError("corner_radius goes with neither overlap nor lift_time: a rounded corner is not a stroke")
        if not 0.0 < radius < math.inf:
            raise MotionError(f"corner_radius is {radius:g} m; it must be greater than 0 (for stops leave it out)")
        return _rounded_path(start, end, self.height, radius)

    def _rounded(self, path: Path, duration: float | None) -> Route:
        if self.law != "fastest" and takes_corners(path, law_of(self.law), self.limits):
            ramps = self._ramps(path, law_of(self.law), duration)
            return Route.along(pieces_entered(path, ramps, ramps.entries), "over")
        if self.law != "fastest":
            return path_route(path, self.law, duration, self.limits, "over")
        if duration is not None or self.limits.j_max < math.inf:
            raise LimitError("law", '"fastest" follows from v_max and a_max alone; leave duration and j_max out')
        timing = fastest_rounded(path, v_max=self.limits.v_max, a_max=self.limits.a_max)
        return Route.along(timed_pieces(path, timing), "over")

    def _ramps(self, path: Path, law: Law, duration: float | None) -> CornerRamps:
        """The timing of a rounded path that keeps its peak acceleration in the corners."""
        if duration is not None:
            return ramps_by_duration(path, law, duration, self.limits)
        if self.limits.a_max == math.inf:
            raise LimitError("a_max", "is not given; without it, or a duration, the way takes no time")
        return corner_ramps(path, law, self.limits)


@lru_cache(maxsize=KEPT)
def _stroked(plan: ThreeStrokes, duration: float | None, limits: PlateLimits, *, per_stroke: bool) -> Route:
    """The route of strokes by their law, in a time (s) or by the limits."""
    if duration is not None:
        strokes = plan.by_duration(duration, limits)
        (check_strokes if per_stroke else check_plate)(strokes, limits)
        return route_of(strokes)
    alone = per_stroke or plan.overlap == 0.0
    return route_of(plan.by_limits(limits) if alone else fastest_overlap(plan, limits))


@lru_cache(maxsize=KEPT)
def _rounded_path(start: Pose, end: Pose, height: float, radius: float) -> Path:
    path = gate_path(start, end, height, radius)
    return with_yaw(path, start[3], end[3]) if len(start) == 4 else path


def _poses(start: Sequence[float], end: Sequence[float]) -> tuple[Pose, Pose]:
    if len(start) != len(end) or len(start) not in (3, 4):
        raise MotionError(f"start has {len(start)} and end {len(end)} coordinates; both must have 3, or 4 with yaw")
    first, last = reals("start", start), reals("end", end)
    return tuple(first.tolist()), tuple(last.tolist())
