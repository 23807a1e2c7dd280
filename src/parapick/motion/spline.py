"""A smooth path through via points: a cubic spline with continuous curvature, parameterised by its length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.arrays import reals
from parapick.motion.errors import MotionError, check_stroke
from parapick.motion.lengths import LengthTable
from parapick.motion.path import Path, PathRates

__all__ = ["Curve", "via_path"]

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
        return LengthTable.of(self._speeds, np.linspace(0.0, self.span, _PARTS + 1))

    def _speeds(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Speed of the curve by its parameter, and its slope."""
        _, c1, c2, _ = self.derivatives(u)
        speed = self._speed(u)
        return speed, _dot(c1, c2)[..., 0] / speed

    def derivatives(self, u: np.ndarray) -> tuple[np.ndarray, ...]:
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
        speed = self._speed(np.linspace(0.0, self.span, _LOOKS))
        return float(speed.min()), float(np.argmin(speed)) / (_LOOKS - 1)

    def _speed(self, u: np.ndarray) -> np.ndarray:
        return np.linalg.norm(self.derivatives(u)[1][..., :3], axis=-1)

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start, by the chain rule."""
        c0, c1, c2, c3 = self.derivatives(self._table.parameter(np.asarray(s, dtype=float)))
        speed = np.linalg.norm(c1[..., :3], axis=-1, keepdims=True)
        slope = _dot(c1, c2) / speed
        bend = (_dot(c2, c2) + _dot(c1, c3) - slope**2) / speed
        # Derivatives of the parameter by the length.
        u1 = 1.0 / speed
        u2 = -slope * u1**3
        u3 = -bend * u1**4 - 3 * slope * u1**2 * u2
        return PathRates(c0, c1 * u1, c2 * u1**2 + c1 * u2, c3 * u1**3 + 3 * c2 * u1 * u2 + c1 * u3)


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
    if len(points) < 2 or len({len(point) for point in points}) != 1:
        raise MotionError("via points: give at least two, all with the same number of coordinates")
    values = reals("points", points)
    chords = np.linalg.norm(np.diff(values[:, :3], axis=0), axis=-1)
    for i, chord in enumerate(chords):
        check_stroke(f"the way from via point {i + 1} to via point {i + 2}", float(chord))
    slopes = _slopes(values, chords, _tangent(start_direction, values), _tangent(end_direction, values))
    curves = [Curve(float(h), c) for h, c in zip(chords, _coefficients(values, chords, slopes), strict=True)]
    for i, curve in enumerate(curves):
        speed, share = curve.slowest()
        if speed < _CUSP:
            near = i + 1 + round(share)
            raise MotionError(
                f"the path all but turns on the spot near via point {near}; move that point or add another"
            )
    return Path(tuple(curves))


def _tangent(direction: Sequence[float] | None, values: np.ndarray) -> np.ndarray | None:
    if direction is None:
        return None
    vector = np.zeros(values.shape[1])
    vector[:3] = direction[:3]
    norm = float(np.linalg.norm(vector))
    check_stroke("the direction at an end", norm)
    return vector / norm


def _slopes(values: np.ndarray, chords: np.ndarray, first: np.ndarray | None, last: np.ndarray | None) -> np.ndarray:
    """Derivatives at the via points that make the second derivative continuous; natural where none is given."""
    count = len(values)
    matrix, right = np.zeros((count, count)), np.zeros_like(values)
    secants = np.diff(values, axis=0) / chords[:, None]
    for i in range(1, count - 1):
        before, after = chords[i - 1], chords[i]
        matrix[i, i - 1 : i + 2] = after, 2 * (before + after), before
        right[i] = 3 * (after * secants[i - 1] + before * secants[i])
    matrix[0, :2], right[0] = ((2.0, 1.0), 3 * secants[0]) if first is None else ((1.0, 0.0), first)
    matrix[-1, -2:], right[-1] = ((1.0, 2.0), 3 * secants[-1]) if last is None else ((0.0, 1.0), last)
    return np.linalg.solve(matrix, right)


def _coefficients(values: np.ndarray, chords: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    h = chords[:, None]
    secants = np.diff(values, axis=0) / h
    quadratic = (3 * secants - 2 * slopes[:-1] - slopes[1:]) / h
    cubic = (slopes[:-1] + slopes[1:] - 2 * secants) / h**2
    return np.stack([values[:-1], slopes[:-1], quadratic, cubic], axis=1)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sum(a[..., :3] * b[..., :3], axis=-1, keepdims=True)
