"""Samples of a motion as pieces: cubic splines by time between rests, for motions that are known no better."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.motion.errors import MotionError
from parapick.motion.motion_pieces import MotionPiece, State
from parapick.motion.path import Path
from parapick.motion.piecewise import Side
from parapick.motion.strokes import hold_piece
from parapick.motion.timed_curve import TimedCurve

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

# Poses that differ by no more than this (m, rad) are the same: files are written with fewer digits.
_SAME: Final = 1e-9
# Fewest samples of a stretch between rests: with two, nothing says how the plate gets from one to the other.
_FEWEST: Final = 3


@final
@dataclass(frozen=True, eq=False)
class SampledPiece:
    """A cubic spline through poses by time, at rest at both ends.

    Attributes:
        t: times of the poses from its start (N,), s.
        x: poses (N, dof), m and rad.
    """

    t: np.ndarray
    x: np.ndarray

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.t[-1])

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.x.shape[1]

    @property
    def knots(self) -> np.ndarray:
        """Times of the poses (s)."""
        return self.t

    @cached_property
    def _spline(self) -> CubicSpline:
        from scipy.interpolate import CubicSpline

        return CubicSpline(self.t, self.x, bc_type="clamped")

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives; only the jerk jumps, which is that of what comes."""
        del side
        return State(*(self._spline(t, k) for k in range(4)))

    def path(self) -> Path:
        """The curve of the spline."""
        return Path((self._curve,))

    def length(self, t: float) -> float:
        """Length covered (m)."""
        return self._curve.covered(t)

    @cached_property
    def _curve(self) -> TimedCurve:
        if np.linalg.norm(np.diff(self.x[:, :3], axis=0), axis=1).max() <= _SAME:
            pose = ", ".join(f"{value:.4g}" for value in self.x[0])
            raise MotionError(f"the plate turns on the spot at ({pose}): a path by its length cannot say so")
        return TimedCurve(self, tuple(self.t.tolist()))


def sampled_pieces(t: ArrayLike, x: ArrayLike) -> Iterator[MotionPiece]:
    """Samples as pieces: rests where the plate stands still from one sample to the next, splines between them.

    Args:
        t: times (N,), s, rising.
        x: poses (N, dof), m and rad.

    Raises:
        MotionError: times that do not rise, samples that do not belong together, are no finite numbers or are too few.
    """
    times, poses = reals("t", t), reals("x", x)
    _check_samples(times, poses)
    still = np.abs(np.diff(poses, axis=0)).max(axis=1) <= _SAME
    bounds = [0, *(np.flatnonzero(np.diff(still)) + 1).tolist(), len(still)]
    for first, last in pairwise(bounds):
        if still[first]:
            yield hold_piece(poses[first].tolist(), float(times[last] - times[first]))
        elif last - first + 1 < _FEWEST:
            raise MotionError(
                f"from {times[first]:.6g} s to {times[last]:.6g} s the plate moves between two samples; give at least "
                f"{_FEWEST} of every movement"
            )
        else:
            yield SampledPiece(times[first : last + 1] - times[first], poses[first : last + 1])


def _check_samples(t: np.ndarray, x: np.ndarray) -> None:
    """Raise if times and poses are no time series of a plate."""
    if t.ndim != 1 or x.ndim != 2 or len(t) != len(x) or len(t) < _FEWEST or x.shape[1] not in (3, 4):
        raise MotionError(
            f"t has the shape {t.shape} and x {x.shape}; give at least {_FEWEST} times (N,) and poses (N, 3), or "
            "(N, 4) with yaw"
        )
    for name, values in (("t", t), ("x", x)):
        if not np.isfinite(values).all():
            row = int(np.argwhere(~np.isfinite(values))[0, 0])
            raise MotionError(f"{name} is no finite number in sample {row + 1}")
    if (falling := np.flatnonzero(np.diff(t) <= 0.0)).size:
        row = int(falling[0])
        raise MotionError(f"t goes from {t[row]:.9g} s to {t[row + 1]:.9g} s in sample {row + 2}; times must rise")
