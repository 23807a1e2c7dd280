"""One way of a pick-and-place cycle: straight, or up, over and down with stops, overlap or rounded corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from parapick.arrays import reals
from parapick.motion.along import along, follow_path
from parapick.motion.corners import fastest_rounded
from parapick.motion.errors import LimitError, MotionError, check_stroke
from parapick.motion.fit import PlateLimits, fit, plate_limits
from parapick.motion.law import Law, law_of
from parapick.motion.motion import Motion
from parapick.motion.pieces import Stroke, Strokes
from parapick.motion.routes import gate_path, with_yaw
from parapick.motion.series import Phase
from parapick.motion.three_strokes import ThreeStrokes, keeping, within

__all__ = ["gate", "straight"]


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
    first, last = _poses(start, end)
    distance = math.dist(first[:3], last[:3])
    check_stroke("the way from start to end", distance)
    move = fit(law, distance, duration=duration, v_max=v_max, a_max=a_max, j_max=j_max)
    stroke = Stroke(0.0, move.duration, tuple(np.subtract(last, first).tolist()), move.profile)
    return Motion((Strokes(first, move.duration, (stroke,)),), (Phase("over", 0.0, move.duration),))


def gate(
    start: Sequence[float],
    end: Sequence[float],
    *,
    height: float = 0.025,
    law: str | Law | Literal["fastest"] = "trapezoidal",
    duration: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
    overlap: float = 0.0,
    corner_radius: float | None = None,
    lift_time: float | None = None,
    per_stroke: bool = False,
) -> Motion:
    """Up, over and down, from rest to rest; yaw turns on the way over.

    Without a radius the motion is three strokes, each by the law. The way over begins when the share `overlap` of the
    lifting time is left, and lowering begins when as much of its own time is left before the way over ends:
    `T = (1 - overlap) T_lift + T_over + (1 - overlap) T_lower`. With a radius the plate runs along the rounded path
    without a stop, by one law along its length or, with `law="fastest"`, as fast as speed and acceleration allow.

    With limits the strokes are as fast as they may be; the limits hold for the plate, so overlapping strokes get what
    keeps the Euclidean norm. With a duration all strokes get the same peak acceleration, the smallest that does it;
    limits that are given too are checked.

    Args:
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        height: how far it rises above the higher of the two (m).
        law: name of a law, a law, or "fastest" with a corner radius.
        duration: time (s); without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate (m/s3).
        overlap: share of the vertical strokes that overlaps the way over, from 0 (stops) to 1.
        corner_radius: radius of the corners (m) instead of stops or overlap.
        lift_time: duration of each vertical stroke (s), instead of what limits or the common acceleration give.
        per_stroke: limits hold for each stroke alone and not for the plate, whose norm exceeds them by up to the square
            root of two where strokes overlap.

    Raises:
        StrokeError: a height or a way over of zero.
        LimitError: limits that cannot hold, or too few of them.
        MotionError: an overlap or a radius that does not fit.
        UnknownLawError: no law of that name.
    """
    first, last = _poses(start, end)
    limits = plate_limits(v_max, a_max, j_max)
    if corner_radius is not None:
        if overlap or lift_time is not None:
            raise MotionError("corner_radius goes with neither overlap nor lift_time: a rounded corner is no stroke")
        return _rounded(first, last, height, law, duration, limits, corner_radius)
    if law == "fastest":
        raise MotionError('law "fastest" is for rounded corners; give a corner_radius')
    if not 0.0 <= overlap <= 1.0:
        raise MotionError(f"overlap is {overlap:g}; it must be between 0 (stops) and 1 (100 %)")
    plan = ThreeStrokes(first, last, height, law_of(law), overlap, lift_time)
    if duration is not None:
        return within(plan.in_time(duration, limits), limits, per_stroke=per_stroke)
    return plan.motion(limits) if per_stroke or overlap == 0.0 else keeping(plan, limits)


def _poses(start: Sequence[float], end: Sequence[float]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if len(start) != len(end) or len(start) not in (3, 4):
        raise MotionError(f"start has {len(start)} and end {len(end)} coordinates; both must have 3, or 4 with yaw")
    first, last = reals("start", start), reals("end", end)
    return tuple(first.tolist()), tuple(last.tolist())


def _rounded(
    start: tuple[float, ...],
    end: tuple[float, ...],
    height: float,
    law: str | Law,
    duration: float | None,
    limits: PlateLimits,
    radius: float,
) -> Motion:
    if not 0.0 < radius < math.inf:
        raise MotionError(f"corner_radius is {radius:g} m; it must be greater than 0 (for stops leave it out)")
    path = gate_path(start, end, height, radius)
    if len(start) == 4:
        path = with_yaw(path, start[3], end[3])
    if law != "fastest":
        bounds = (None if bound == math.inf else bound for bound in (limits.v_max, limits.a_max, limits.j_max))
        speed, acceleration, jerk = bounds
        return follow_path(path, law, duration=duration, v_max=speed, a_max=acceleration, j_max=jerk, name="over")
    if duration is not None or limits.j_max < math.inf:
        raise LimitError("law", '"fastest" follows from v_max and a_max alone; leave duration and j_max out')
    return along(path, fastest_rounded(path, v_max=limits.v_max, a_max=limits.a_max), "over")
