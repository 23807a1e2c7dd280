"""A timing made a little longer, to the very duration that is wanted: ends, way and stops stay as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from parapick.motion.errors import LimitError
from parapick.motion.motion import Motion
from parapick.motion.pieces import Along
from parapick.motion.timing.steps import Steps

__all__ = ["lasting"]

# Halvings that find how much slower: beyond double precision.
_HALVINGS: Final = 60
# Shares of a duration that may be added: accelerations change by about ten times that share, which callers allow for.
_MOST: Final = 1e-3


def lasting(motion: Motion, duration: float) -> Motion:
    """A motion along one path, timed by `fastest` without a bound on jerk, made to last a little longer.

    Squared speeds are lowered by a small share of themselves in the middle of the path, by less towards its ends and
    not at all there.

    Args:
        motion: the motion.
        duration: how long it is to last (s), at most a thousandth longer than it does.

    Raises:
        LimitError: a duration that is too short or too long.
    """
    pieces = [piece for piece in motion.pieces if isinstance(piece, Along) and isinstance(piece.timing, Steps)]
    if len(pieces) != len(motion.pieces) or not motion.duration <= duration <= motion.duration * (1.0 + _MOST):
        raise LimitError("duration", f"is {duration:g} s; it must be from {motion.duration:g} s to a thousandth more")
    steps = pieces[0].timing
    assert isinstance(steps, Steps)  # noqa: S101, looked at above
    s = np.append(steps.s, steps.at(np.array(steps.duration), "left").s)
    u = np.append(steps.sd, steps.at(np.array(steps.duration), "left").sd) ** 2
    x = (s - s[0]) / (s[-1] - s[0])
    bump = (4.0 * x * (1.0 - x)) ** 2
    low, high = 0.0, 0.5
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _durations(s, u * (1.0 - middle * bump)).sum() < duration else (low, middle)
    slower = u * (1.0 - high * bump)
    h, nothing = np.diff(s), np.zeros(len(s) - 1)
    new = Steps(_durations(s, slower), s[:-1], np.sqrt(slower[:-1]), np.diff(slower) / (2.0 * h), nothing, nothing)
    first = np.searchsorted(new.s, [piece.offset for piece in pieces])
    times = np.append(new.corners[first], new.duration)
    timed = tuple(
        Along(piece.path, piece.offset, new, float(start), float(end - start))
        for piece, start, end in zip(pieces, times[:-1], times[1:], strict=True)
    )
    stretch = new.duration / motion.duration
    return Motion(timed, tuple(replace(p, start=p.start * stretch, end=p.end * stretch) for p in motion.phases))


def _durations(s: np.ndarray, u: np.ndarray) -> np.ndarray:
    speed = np.sqrt(u)
    return 2.0 * np.diff(s) / (speed[:-1] + speed[1:])
