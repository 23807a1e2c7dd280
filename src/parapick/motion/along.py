"""A path run through by a timing: with a law along its length, stopping where it turns sharply."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fit import LIMIT_SLACK, PlateLimits, by_duration, by_limits, plate_limits
from parapick.motion.law import Law, law_of
from parapick.motion.motion import Motion
from parapick.motion.path import Path
from parapick.motion.pieces import Along, Timing
from parapick.motion.series import Phase

__all__ = ["along", "follow_path"]

# Halvings that find when a length is reached: beyond double precision.
_HALVINGS: Final = 60


def along(path: Path, timing: Timing, name: str = "path") -> Motion:
    """A path run through by a timing.

    Args:
        path: the path.
        timing: when which length is reached; it must end at the path's length.
        name: name of the phase.

    Raises:
        MotionError: the timing does not stop where the path turns sharply, or ends elsewhere.
    """
    reached = float(timing.at(np.array(timing.duration), "left").s)
    if abs(reached - path.length) > LIMIT_SLACK * path.length:
        raise MotionError(f"the timing ends at {reached:.9g} m; the path is {path.length:.9g} m long")
    times = np.array([0.0, *(_when(timing, float(s)) for s in path.offsets[1:-1]), timing.duration])
    sharp = path.kinks()
    for s, speed in zip(sharp, timing.at(times[np.isin(path.offsets, sharp)]).sd, strict=True):
        if abs(speed) > LIMIT_SLACK:
            raise MotionError(
                f"the path turns sharply at {s:.6g} m, where the timing has {speed:.3g} m/s; round the corner or stop"
            )
    pieces = tuple(
        Along(piece, float(offset), timing, float(start), float(end - start))
        for piece, offset, start, end in zip(path.pieces, path.offsets[:-1], times[:-1], times[1:], strict=True)
    )
    return Motion(pieces, (Phase(name, 0.0, timing.duration),))


def _when(timing: Timing, s: float) -> float:
    """When a length is first reached (s), by bisection."""
    low, high = 0.0, timing.duration
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if timing.at(np.array(middle)).s < s else (low, middle)
    return high


def follow_path(
    path: Path,
    law: str | Law = "3-4-5",
    *,
    duration: float | None = None,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
    name: str = "path",
) -> Motion:
    """A smooth path with one law along its length.

    Limits hold for the plate: the acceleration is the Euclidean norm of what the law and the path's curvature give. A
    law that is fitted to the limits along a straight line of the same length is slowed as a whole until they hold.

    Args:
        path: a path without sharp corners.
        law: name of a law, or a law.
        duration: time (s); without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate (m/s2).
        j_max: largest jerk of the plate (m/s3).
        name: name of the phase.

    Raises:
        MotionError: a path that turns sharply.
        LimitError: limits that cannot hold, or too few of them.
    """
    chosen, limits = law_of(law), plate_limits(v_max, a_max, j_max)
    move = by_limits(chosen, path.length, limits) if duration is None else by_duration(chosen, path.length, duration)
    motion = along(path, move, name)
    slower = _needed(motion, limits)
    if slower <= 1.0 + LIMIT_SLACK:
        return motion
    if duration is not None:
        raise LimitError(
            "duration", f"is {duration:g} s; the limits need {duration * slower:.6g} s along this path with this law"
        )
    return along(path, replace(move, duration=move.duration * slower), name)


def _needed(motion: Motion, limits: PlateLimits) -> float:
    """How many times longer a motion must take for the limits to hold."""
    peaks = motion.peaks()
    slower = max(peaks.speed.value / limits.v_max, math.sqrt(peaks.acceleration.value / limits.a_max))
    if limits.j_max == math.inf:
        return slower
    if peaks.jerk.value == math.inf:
        raise LimitError("j_max", "the acceleration along this path jumps, so no bound on jerk holds; use via points")
    return max(slower, math.cbrt(peaks.jerk.value / limits.j_max))
