"""A path run through by a timing: with a law along its length, stopping where it turns sharply."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from parapick.answer import keeps
from parapick.extremes import LIMIT_SLACK
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import PlateLimits, by_duration, by_limits, plate_limits
from parapick.motion.law import Law, law_of
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import Along, Timing
from parapick.motion.path import Path
from parapick.motion.peaks import Peaks
from parapick.motion.route import Route, by_law
from parapick.roots import bisected

KEPT: Final = 1024
"""How many paths and their timings are kept: a pattern is asked for at pace after pace."""


def along(path: Path, timing: Timing, name: str = "path") -> Motion:
    """A path run through by a timing.

    Args:
        path: the path.
        timing: when which length is reached; it must end at the path's length.
        name: name of the phase.

    Raises:
        MotionError: the timing does not stop where the path turns sharply, or ends elsewhere.
    """
    return by_law(Route.along(timed_pieces(path, timing), name))


def timed_pieces(path: Path, timing: Timing) -> tuple[Along, ...]:
    """The pieces of a path, run through by a timing; see `along`."""
    reached = float(timing.at(np.array(timing.duration), "left").s)
    # No limit: the end of a timing is that of its path but for rounding, and so is a stop at rest below.
    if abs(reached - path.length) > LIMIT_SLACK * path.length:
        raise MotionError(f"the timing ends at {reached:.9g} m; the path is {path.length:.9g} m long")
    borders = path.offsets[1:-1]
    start, end = np.zeros(len(borders)), np.full(len(borders), timing.duration)
    _, inner = bisected(lambda t: timing.at(t).s < borders, start, end)
    times = [0.0, *inner.tolist(), timing.duration]
    sharp = path.kinks()
    for s, speed in zip(sharp, timing.at(inner[np.isin(borders, sharp)]).sd, strict=True):
        if abs(speed) > LIMIT_SLACK:
            raise MotionError(
                f"the path turns sharply at {s:.6g} m, where the timing has {speed:.3g} m/s; round the corner or stop"
            )
    return pieces_entered(path, timing, times)


def pieces_entered(path: Path, timing: Timing, times: Sequence[float]) -> tuple[Along, ...]:
    """The pieces of a path, entered and at last left at given times of a timing (n + 1,), s.

    Args:
        path: the path, with n pieces.
        times: when each piece is entered, and when the last is left (n + 1,), s.
    """
    return tuple(
        Along(piece, float(offset), timing, float(start), float(end - start))
        for piece, offset, start, end in zip(path.pieces, path.offsets[:-1], times[:-1], times[1:], strict=True)
    )


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
    return by_law(path_route(path, law, duration, plate_limits(v_max, a_max, j_max), name))


@lru_cache(maxsize=KEPT)
def path_route(path: Path, law: str | Law, duration: float | None, limits: PlateLimits, name: str = "path") -> Route:
    """The route of a smooth path with one law along its length; see `follow_path`."""
    chosen = law_of(law)
    move = by_limits(chosen, path.length, limits) if duration is None else by_duration(chosen, path.length, duration)
    pieces = timed_pieces(path, move)
    slower = 1.0 if limits == PlateLimits() else slowdown(Motion(pieces).peaks(), limits)
    if not keeps(slower, at_most=1.0):
        if duration is not None:
            raise LimitError(
                "duration",
                f"is {duration:g} s; the limits need {duration * slower:.6g} s along this path with this law",
            )
        pieces = timed_pieces(path, replace(move, duration=move.duration * slower))
    return Route.along(pieces, name)


def slowdown(peaks: Peaks, limits: PlateLimits) -> float:
    """How many times longer a motion with these peaks must take, as a whole, for the limits to hold.

    Raises:
        LimitError: a bound on the jerk of a motion whose acceleration jumps.
    """
    slower = max(peaks.speed.value / limits.v_max, math.sqrt(peaks.acceleration.value / limits.a_max))
    if limits.j_max == math.inf:
        return slower
    if peaks.jerk.value == math.inf:
        raise LimitError("j_max", "the acceleration along this path jumps, so no bound on jerk holds; use via points")
    return max(slower, math.cbrt(peaks.jerk.value / limits.j_max))
