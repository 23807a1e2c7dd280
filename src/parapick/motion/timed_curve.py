"""The curve on which a stretch of a motion leads the plate, by its length: `x(t(s))` with the time as the parameter.

A table has the length by the time, its inverse follows by Newton's method, and derivatives by the chain rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.gathering import gathered
from parapick.motion.motion_pieces import MotionPiece, MotionState
from parapick.motion.path import PathRates

# Gauss points with which the length of a part is found: to rounding where the speed is smooth within a part.
_GAUSS: Final = np.polynomial.legendre.leggauss(10)
# Most Newton steps from length to parameter. Half of them are spent where a curve starts almost from rest, so that the
# length grows with the third power of the parameter; elsewhere four reach rounding. A step by less than this share of
# a part is the last: what it leaves is about the square of it.
_NEWTON: Final = 12
_NEAR: Final = 1e-9
# Parts between two instants in each of which a length is summed up: with four it is good to rounding.
_PARTS: Final = 4
# Share of the largest speed below which the plate counts as resting at an end of a curve: there curvatures are
# quotients of nothing by nothing, and the curve is replaced by its chord, which is shorter than a micrometre.
_SLOW: Final = 1e-4
# Looks at the time between two knots for the largest speed.
_LOOKS: Final = 33
# Looks towards an end at rest for the first instant that is not slow.
_TOWARDS_REST: Final = np.geomspace(1e-6, 0.5, 400)


@final
@dataclass(frozen=True, eq=False)
class LengthTable:
    """The length of a curve at nodes of its parameter, and between them the quintic with the same speeds and slopes.

    Attributes:
        nodes: parameters, rising (N + 1,).
        lengths: lengths from the first node (N + 1,), m.
        coefficients: of the length from the start of each part, by powers 0 to 5 of the parameter from there (6, N).
    """

    nodes: np.ndarray
    lengths: np.ndarray
    coefficients: np.ndarray

    @staticmethod
    def of(speed: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], nodes: np.ndarray) -> LengthTable:
        """A table from the speed of a curve by its parameter (...) with its slope, smooth between nodes (N + 1,)."""
        points, weights = _GAUSS
        h = np.diff(nodes)
        parts = 0.5 * h * (speed(nodes[:-1, None] + 0.5 * h[:, None] * (1.0 + points))[0] @ weights)
        v, a = speed(nodes)
        v0, v1, a0, a1 = v[:-1], v[1:], a[:-1], a[1:]
        # What a quadratic from the start misses at the end: in the length, the speed and its slope.
        p, q, r = parts - h * (v0 + h * a0 / 2), (v1 - v0 - h * a0) * h, (a1 - a0) * h**2
        coefficients = np.stack(
            [
                np.zeros_like(h),
                v0,
                a0 / 2,
                (10 * p - 4 * q + r / 2) / h**3,
                (-15 * p + 7 * q - r) / h**4,
                (6 * p - 3 * q + r / 2) / h**5,
            ]
        )
        return LengthTable(nodes, np.concatenate([[0.0], np.cumsum(parts)]), coefficients)

    @property
    def length(self) -> float:
        """Length of the whole curve (m)."""
        return float(self.lengths[-1])

    def parameter(self, s: np.ndarray) -> np.ndarray:
        """Parameters (...) at lengths (...) from the first node (m)."""
        part = np.searchsorted(self.lengths[1:-1], s, side="right")
        h = (self.nodes[1:] - self.nodes[:-1])[part]
        rest = s - self.lengths[part]
        _, c1, c2, c3, c4, c5 = self.coefficients[:, part]
        u = h * rest / (self.lengths[part + 1] - self.lengths[part])
        for _ in range(_NEWTON):
            over = u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5)))) - rest
            slope = c1 + u * (2 * c2 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))
            before, u = u, np.minimum(np.maximum(u - over / slope, 0.0), h)
            if (np.abs(u - before) <= _NEAR * h).all():
                break
        return self.nodes[part] + u


@final
@dataclass(frozen=True, eq=False)
class TimedCurve:
    """The curve of a stretch of a piece of a motion, by its length.

    Attributes:
        piece: the piece.
        knots: instants (s of the piece) from start to end between which its formula does not change.
        parts: parts between two knots in which the length is tabulated.
        sided: whether the piece has two sides at its knots, between which its derivatives jump.
    """

    piece: MotionPiece
    knots: tuple[float, ...]
    parts: int = 16
    sided: bool = True

    @property
    def curvature(self) -> None:
        """The curvature changes along the curve."""
        return

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        return float(self.chords.sum() + self.table.length)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """From when to when the plate is not slow."""
        start, end = self.knots[0], self.knots[-1]
        least = _SLOW * float(self._speed(np.linspace(start, end, _LOOKS * len(self.knots))).max())
        ends = []
        for edge, way in ((start, end - start), (end, start - end)):
            looks = np.concatenate([[edge], edge + way * _TOWARDS_REST])
            ends.append(float(looks[int(np.argmax(self._speed(looks) >= least))]))
        return ends[0], ends[1]

    @cached_property
    def table(self) -> LengthTable:
        """The length by the parameter, between the chords."""
        first, last = self._ends
        bounds = [first, *(knot for knot in self.knots if first < knot < last), last]
        nodes = [np.linspace(a, b, self.parts, endpoint=False) for a, b in itertools.pairwise(bounds)]
        return LengthTable.of(self._speed_and_slope, np.append(np.concatenate(nodes), last))

    @cached_property
    def _tips(self) -> np.ndarray:
        """Start, where the plate stops being slow, where it begins to be again, and end (4, dof)."""
        return self._inside(np.array([self.knots[0], *self._ends, self.knots[-1]])).x

    @cached_property
    def chords(self) -> np.ndarray:
        """Lengths of the chords at both ends (2,), m; 0 at an end that is not at rest."""
        return np.linalg.norm((self._tips[1::2] - self._tips[::2])[:, :3], axis=-1)

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start, by the chain rule."""
        s = np.asarray(s, dtype=float)
        inside = np.minimum(np.maximum(s - self.chords[0], 0.0), self.table.length)
        rates = _by_length(self._inside(self.table.parameter(inside)))
        return rates._replace(x=self.with_chords(rates.x, s))

    def with_chords(self, x: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Points (..., dof) at lengths (...) from the start, m; on the chords where these are."""
        (before, after), tips = self.chords, self._tips
        total = before + self.table.length + after
        if before > 0.0:
            share = np.clip(s / before, 0.0, 1.0)[..., None]
            x = np.where(share < 1.0, tips[0] + share * (tips[1] - tips[0]), x)
        if after > 0.0:
            share = np.clip((total - s) / after, 0.0, 1.0)[..., None]
            x = np.where(share < 1.0, tips[3] + share * (tips[2] - tips[3]), x)
        return x

    def _speed(self, t: np.ndarray) -> np.ndarray:
        return np.linalg.norm(self._inside(t).xd[..., :3], axis=-1)

    def _speed_and_slope(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        _, xd, xdd, _ = self._inside(t)
        speed = np.linalg.norm(xd[..., :3], axis=-1)
        return speed, _dot(xd, xdd)[..., 0] / speed

    def _inside(self, t: np.ndarray) -> MotionState:
        """States at times (...), at both ends as they are inside."""
        if not self.sided:
            return self.piece.at(t)
        late = np.asarray(t > 0.5 * (self.knots[0] + self.knots[-1]))
        return MotionState(*gathered(late, lambda half, here: self.piece.at(t[here], "left" if half else "right")))


def lengths_covered(piece: MotionPiece, times: np.ndarray) -> np.ndarray:
    """Lengths (N,), m, that a piece of a motion covers up to instants (N,), s, rising from one between two knots.

    Between two instants its formula must not change.
    """
    points, weights = _GAUSS
    nodes = np.linspace(times[:-1], times[1:], _PARTS + 1, axis=-1)
    h = np.diff(nodes, axis=-1)
    at = nodes[:, :-1, None] + 0.5 * h[..., None] * (1.0 + points)
    speed = np.linalg.norm(piece.at(at.ravel()).xd[:, :3], axis=-1).reshape(at.shape)
    return np.concatenate([[0.0], np.cumsum(np.sum(0.5 * h * (speed @ weights), axis=-1))])


def _by_length(state: MotionState) -> PathRates:
    """Points of a curve with their derivatives by its length, from those by the time."""
    x, c1, c2, c3 = state
    speed = np.sqrt(_dot(c1, c1))
    slope = _dot(c1, c2) / speed
    bend = (_dot(c2, c2) + _dot(c1, c3) - slope**2) / speed
    # Derivatives of the parameter by the length.
    u1 = 1.0 / speed
    u2 = -slope * u1**3
    u3 = -bend * u1**4 - 3 * slope * u1**2 * u2
    return PathRates(x, c1 * u1, c2 * u1**2 + c1 * u2, c3 * u1**3 + 3 * c2 * u1 * u2 + c1 * u3)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("...i,...i", a[..., :3], b[..., :3])[..., None]
