"""Timings of a given duration: a fastest one made a little longer, or one between a fast and a slow one.

The limits along a path are convex in squared speed and acceleration but for viscous friction, so what lies between two
timings that keep them keeps them too. Way, ends and stops stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from parapick.motion.bisection import bisected
from parapick.motion.errors import LimitError
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import Along
from parapick.motion.path import Path
from parapick.motion.run import pieces_entered
from parapick.motion.series import Phase
from parapick.timing.timing_steps import Steps

# Share of a duration that may be added without another timing: accelerations change by about ten times that share,
# which callers allow for.
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
    if not motion.duration <= duration <= motion.duration * (1.0 + _MOST):
        raise LimitError("duration", f"is {duration:g} s; it must be from {motion.duration:g} s to a thousandth more")
    s, u = _profile(motion)
    x = (s - s[0]) / (s[-1] - s[0])
    bump = (4.0 * x * (1.0 - x)) ** 2
    return _rebuilt(motion, s, lambda share: u * (1.0 - 0.5 * share * bump), duration)


def between(quick: Motion, slow: Motion, duration: float) -> Motion:
    """A motion between two along the same path, timed by `fastest` without a bound on jerk, with the same end speeds.

    Args:
        quick: the shorter one.
        slow: the longer one.
        duration: how long it is to last (s).

    Raises:
        LimitError: a duration that does not lie between theirs.
    """
    if not quick.duration <= duration <= slow.duration:
        raise LimitError("duration", f"is {duration:g} s; it must be from {quick.duration:g} s to {slow.duration:g} s")
    (s_quick, u_quick), (s_slow, u_slow) = _profile(quick), _profile(slow)
    s = np.union1d(s_quick, s_slow)
    first, last = np.interp(s, s_quick, u_quick), np.interp(s, s_slow, u_slow)
    return _rebuilt(quick, s, lambda share: first + share * (last - first), duration)


def _profile(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of the nodes and squared speeds there (N + 1,), between which the latter are linear."""
    steps = _steps(motion)
    end = steps.at(np.array(steps.duration), "left")
    return np.append(steps.s, end.s), np.append(steps.sd, end.sd) ** 2


def _steps(motion: Motion) -> Steps:
    timings = {id(piece.timing): piece.timing for piece in motion.pieces if isinstance(piece, Along)}
    (timing,) = timings.values()
    if not isinstance(timing, Steps):
        raise LimitError("duration", "only a motion along one path by the fastest timing can be made to last")
    return timing


def _rebuilt(motion: Motion, s: np.ndarray, profile: Callable[[float], np.ndarray], duration: float) -> Motion:
    """The motion with a profile of squared speeds that falls with a share from 0 to 1, so that it takes a duration."""
    _, share = bisected(lambda share: bool(_durations(s, profile(float(share))).sum() < duration), 0.0, 1.0)
    u, nothing = profile(float(share)), np.zeros(len(s) - 1)
    steps = Steps(_durations(s, u), s[:-1], np.sqrt(u[:-1]), np.diff(u) / (2.0 * np.diff(s)), nothing, nothing)
    pieces = [piece for piece in motion.pieces if isinstance(piece, Along)]
    entered = steps.corners[np.searchsorted(steps.s, [piece.offset for piece in pieces])]
    path = Path(tuple(piece.piece for piece in pieces))
    timed = pieces_entered(path, steps, [*entered.tolist(), steps.duration])
    return Motion(timed, (Phase(motion.phases[0].name, 0.0, steps.duration),))


def _durations(s: np.ndarray, u: np.ndarray) -> np.ndarray:
    speed = np.sqrt(u)
    return 2.0 * np.diff(s) / (speed[:-1] + speed[1:])
