"""A smooth path through via points: a cubic spline with continuous curvature, parameterised by its length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.arrays import reals
from parapick.motion.arc_length import LengthTable, by_length, speed_and_slope
from parapick.motion.errors import MotionError, check_stroke
from parapick.motion.path import Path, PathRates

# Parts into which each piece of the spline is cut to tabulate its length: places are then good to about 1e-12 of a
# piece, unless the curve nearly stops (see _CUSP).
_PARTS: Final = 32
# The parameter is the chord length, so the curve's speed is about 1. Where it falls to a twentieth the curve all but
# turns on the spot and no plate can follow it. The speed changes by about 3 along a piece, so that this many looks at
# each piece cannot miss a stop.
_CUSP: Final = 0.05
_LOOKS: Final = 257


@final
@dataclass(frozen=True, eq=False)
class Curve:
    """A cubic as a piece of a path, from one via point to the next.

    Attributes:
        span: range of its parameter, from 0, m of chord.
        coefficients: lowest power of the parameter first (4, dof).
    """

    span: float
    coefficients: np.ndarray

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.coefficients.shape[-1]

    @property
    def curvature(self) -> None:
        """The curvature changes along the curve."""
        return

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        return self._table.length

    @cached_property
    def _table(self) -> LengthTable:
        def speed(u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return speed_and_slope(*self.derivatives(u)[1:3])

        return LengthTable.of(speed, np.linspace(0.0, self.span, _PARTS + 1))

    def derivatives(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Point and its first three derivatives by the parameter (..., dof).

        Args:
            u: parameters (...), m of chord.
        """
        h = np.asarray(u)[..., None]
        c0, c1, c2, c3 = self.coefficients
        third = np.broadcast_to(6 * c3, (*np.shape(u), self.dof))
        return c0 + h * (c1 + h * (c2 + h * c3)), c1 + h * (2 * c2 + 3 * h * c3), 2 * c2 + 6 * h * c3, third

    def slowest(self) -> tuple[float, float]:
        """Smallest speed of the curve by its parameter, and where, as a share of the span."""
        velocity = self.derivatives(np.linspace(0.0, self.span, _LOOKS))[1]
        speed = np.linalg.norm(velocity[..., :3], axis=-1)
        return float(speed.min()), float(np.argmin(speed)) / (_LOOKS - 1)

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start, by the chain rule."""
        return by_length(*self.derivatives(self._table.parameter(np.asarray(s, dtype=float))))


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
    from scipy.interpolate import CubicSpline

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
    curves = [Curve(float(h), spline.c[::-1, i]) for i, h in enumerate(chords)]
    for i, curve in enumerate(curves):
        speed, share = curve.slowest()
        if speed < _CUSP:
            near = i + 1 + round(share)
            raise MotionError(
                f"the path all but turns on the spot near via point {near}; move that point or add another"
            )
    return Path(tuple(curves))


def _end(direction: Sequence[float] | None, dof: int) -> tuple[int, np.ndarray]:
    """Which derivative a spline has at an end, and its value (dof,): a unit tangent, or no second derivative."""
    vector = np.zeros(dof)
    if direction is None:
        return 2, vector
    vector[:3] = direction[:3]
    norm = float(np.linalg.norm(vector))
    check_stroke("the direction at an end", norm)
    return 1, vector / norm
