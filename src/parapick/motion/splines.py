"""Cubic splines: smooth paths through via points, and samples of a motion as pieces between rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.motion.errors import MotionError, check_stroke
from parapick.motion.motion_pieces import MotionPiece, MotionState
from parapick.motion.path import Path
from parapick.motion.profile import Side
from parapick.motion.spline_curve import SplineCurve
from parapick.motion.strokes import hold_piece
from parapick.motion.timed_curve import TimedCurve

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

# Poses that differ by no more than this (m, rad) are the same: files are written with fewer digits.
_SAME: Final = 1e-9
# Fewest samples of a stretch between rests: with two, nothing says how the plate gets from one to the other.
_FEWEST: Final = 3
# Parts into which each piece between via points is cut to tabulate its length: places are then good to about 1e-12 of a
# piece, unless the curve nearly stops (see _CUSP).
_PARTS: Final = 32
# The same of samples, which lie closer together.
_FEW_PARTS: Final = 16
# The parameter is the chord length, so the curve's speed is about 1. Where it falls to a twentieth the curve all but
# turns on the spot and no plate can follow it. The speed changes by about 3 along a piece, so that this many looks at
# each piece cannot miss a stop.
_CUSP: Final = 0.05
_LOOKS: Final = 257


@final
@dataclass(frozen=True, eq=False)
class SplinePiece:
    """A cubic spline through poses by time, or by whatever else its parameter is.

    Attributes:
        spline: the spline (dof coordinates); its first break is 0.
    """

    spline: PPoly

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.spline.x[-1])

    @property
    def knots(self) -> np.ndarray:
        """Times of the poses (s)."""
        return self._table[0]

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.ndarray]:
        """Knots and coefficients of the spline, which takes its time to hand them out."""
        return np.asarray(self.spline.x), np.asarray(self.spline.c)

    def at(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Poses and their derivatives; only the jerk jumps, which is that of what comes."""
        del side
        # All derivatives at once take less time than a call of the spline for each.
        knots, coefficients = self._table
        part = np.searchsorted(knots[1:-1], t, side="right")
        c3, c2, c1, c0 = coefficients[:, part]
        u = (t - knots[part])[..., None]
        x, xd, xdd = ((c3 * u + c2) * u + c1) * u + c0, (3.0 * c3 * u + 2.0 * c2) * u + c1, 6.0 * c3 * u + 2.0 * c2
        return MotionState(x, xd, xdd, 6.0 * c3)

    def path(self) -> Path:
        """The curve of the spline."""
        return Path((self._curve,))

    def curve(self, parts: int = _FEW_PARTS) -> SplineCurve:
        """The curve by its length, which is tabulated in so many parts between two knots."""
        return SplineCurve(TimedCurve(self, tuple(self.knots.tolist()), parts, sided=False), *self._table)

    @cached_property
    def _curve(self) -> SplineCurve:
        poses = self.spline(self.knots)
        if np.linalg.norm(np.diff(poses[:, :3], axis=0), axis=1).max() <= _SAME:
            pose = ", ".join(f"{value:.4g}" for value in poses[0])
            raise MotionError(f"the plate turns on the spot at ({pose}): a path by its length cannot say so")
        return self.curve()


def via_path(
    points: Sequence[Sequence[float]],
    start_direction: Sequence[float] | None = None,
    end_direction: Sequence[float] | None = None,
) -> Path:
    """A smooth path through via points, with continuous direction and curvature.

    Args:
        points: at least two task vectors: (x, y, z) in m, or with yaw in rad, which is splined along.
        start_direction: direction (x, y, z) at the start; without it the path starts straight.
        end_direction: direction (x, y, z) at the end; without it the path ends straight.

    Raises:
        StrokeError: two neighbouring points are the same.
        MotionError: too few points, or a curve that all but turns on the spot.
    """
    from scipy.interpolate import CubicSpline, PPoly

    if len(points) < 2 or len({len(point) for point in points}) != 1:
        raise MotionError("via points: give at least two, all with the same number of coordinates")
    values = reals("points", points)
    chords = np.linalg.norm(np.diff(values[:, :3], axis=0), axis=-1)
    for i, chord in enumerate(chords):
        check_stroke(f"the way from via point {i + 1} to via point {i + 2}", float(chord))
    ends = tuple(_end(direction, values.shape[1]) for direction in (start_direction, end_direction))
    nodes = np.concatenate([[0.0], np.cumsum(chords)])
    # SciPy's stubs know the names of conditions only.
    spline = CubicSpline(nodes, values, bc_type=ends)  # pyright: ignore[reportArgumentType]
    _check_cusps(spline(np.linspace(nodes[:-1], nodes[1:], _LOOKS, axis=-1), 1))
    # Each piece has its own third derivative at both ends.
    pieces = (SplinePiece(PPoly(spline.c[:, [i]], [0.0, chord])) for i, chord in enumerate(chords))
    return Path(tuple(piece.curve(_PARTS) for piece in pieces))


def _check_cusps(velocity: np.ndarray) -> None:
    """Raise if a curve all but stops, by its velocities at looks (pieces, looks, dof) into its pieces."""
    speed = np.linalg.norm(velocity[..., :3], axis=-1)
    for i, slow in enumerate(speed.min(axis=1) < _CUSP):
        if slow:
            near = i + 1 + round(int(np.argmin(speed[i])) / (_LOOKS - 1))
            raise MotionError(
                f"the path all but turns on the spot near via point {near}; move that point or add another"
            )


def _end(direction: Sequence[float] | None, dof: int) -> tuple[int, np.ndarray]:
    """Which derivative a spline has at an end, and its value (dof,): a unit tangent, or no second derivative."""
    vector = np.zeros(dof)
    if direction is None:
        return 2, vector
    vector[:3] = direction[:3]
    norm = float(np.linalg.norm(vector))
    check_stroke("the direction at an end", norm)
    return 1, vector / norm


def sampled_pieces(t: ArrayLike, x: ArrayLike) -> Iterator[MotionPiece]:
    """Samples as pieces: rests where the plate stands still from one sample to the next, splines between them."""
    from scipy.interpolate import CubicSpline

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
            own = slice(first, last + 1)
            yield SplinePiece(CubicSpline(times[own] - times[first], poses[own], bc_type="clamped"))


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
            raise MotionError(f"{name} is not a finite number in sample {row + 1}")
    if (falling := np.flatnonzero(np.diff(t) <= 0.0)).size:
        row = int(falling[0])
        raise MotionError(f"t goes from {t[row]:.9g} s to {t[row + 1]:.9g} s in sample {row + 2}; times must rise")
