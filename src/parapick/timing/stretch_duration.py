"""Timings of a given duration: a fastest one made a little longer, or one between a fast and a slow one.

The limits along a path are convex in squared speed and acceleration but for viscous friction, so what lies between two
timings that keep them keeps them too. Way, ends and stops stay as they are.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.motion import Along, LimitError, Motion, Path, Phase
from parapick.roots import bisected
from parapick.timing.timing_steps import Steps, mean_times, steps_along

# Share of a duration that may be added without another timing: accelerations change by about ten times that share,
# which callers allow for.
_MOST: Final = 1e-3


def lasting(motion: Motion, duration: float) -> Motion:
    """A motion along one path, timed by `fastest` without a bound on jerk, made to last longer by a thousandth at most.

    Squared speeds are lowered by a small share of themselves in the middle of the path, by less towards its ends and
    not at all there.

    Args:
        duration: how long it lasts (s): that of the motion, or up to a thousandth more.

    Raises:
        LimitError: a duration that is too short or too long.
    """
    if not motion.duration <= duration <= motion.duration * (1.0 + _MOST):
        raise LimitError("duration", f"is {duration:g} s; it must be from {motion.duration:g} s to a thousandth more")
    s, u = _profile(motion)
    x = (s - s[0]) / (s[-1] - s[0])
    bump = (4.0 * x * (1.0 - x)) ** 2
    return _rebuilt(motion, s, u, u * (1.0 - 0.5 * bump), duration)


def between(quick: Motion, slow: Motion, duration: float) -> Motion:
    """A motion between two along one path, timed by `fastest` without a bound on jerk, with the same end speeds.

    Args:
        quick: the shorter motion.
        slow: the longer motion.
        duration: how long it lasts (s), between theirs.

    Raises:
        LimitError: a duration that does not lie between theirs.
    """
    if not quick.duration <= duration <= slow.duration:
        raise LimitError("duration", f"is {duration:g} s; it must be from {quick.duration:g} s to {slow.duration:g} s")
    (s_quick, u_quick), (s_slow, u_slow) = _profile(quick), _profile(slow)
    s = np.union1d(s_quick, s_slow)
    return _rebuilt(quick, s, np.interp(s, s_quick, u_quick), np.interp(s, s_slow, u_slow), duration)


def _profile(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of the nodes and squared speeds there (N + 1,), between which the latter are linear."""
    timings = {id(piece.timing): piece.timing for piece in motion.pieces if isinstance(piece, Along)}
    (steps,) = timings.values()
    if not isinstance(steps, Steps):
        raise LimitError("duration", "only a motion along one path by the fastest timing can be made to last")
    end = steps.at(np.array(steps.duration), "left")
    return np.append(steps.s, end.s), np.append(steps.sd, end.sd) ** 2


def _rebuilt(motion: Motion, s: np.ndarray, fast: np.ndarray, slow: np.ndarray, duration: float) -> Motion:
    """The motion with squared speeds (N + 1,) between fast and slow ones, so that it takes a duration."""

    def mixed(share: float) -> np.ndarray:
        return fast + share * (slow - fast)

    _, share = bisected(lambda share: bool(mean_times(s, mixed(float(share))).sum() < duration), 0.0, 1.0)
    steps = Steps.of_squares(s, mixed(float(share)))
    path = Path(tuple(piece.piece for piece in motion.pieces if isinstance(piece, Along)))
    return Motion(steps_along(path, steps), (Phase(motion.phases[0].name, 0.0, steps.duration),))
