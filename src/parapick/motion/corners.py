"""The fastest timing of straight and round pieces under limits on the plate's speed and acceleration, in closed form.

With `u = v^2` over the length s, a piece of curvature 1/R allows `(du/ds / 2)^2 + (u / R)^2 <= a^2`. On a line u
changes at the rate 2a. On a circle, `u = a R sin(phi)` with `dphi/ds = 2 / R` until `phi = pi / 2`, where all
acceleration goes into turning and the speed stays `sqrt(a R)`. In time that is a lemniscate sine:
`v = sqrt(a R) sl(t sqrt(a / R))`. One pass forwards and one backwards give the speeds between the pieces; within a
piece the plate speeds up, keeps the highest speed allowed and slows down.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import plate_limits
from parapick.motion.lemniscate import arcsl, sl, sl_slope
from parapick.motion.path import Path
from parapick.motion.piecewise import Side
from parapick.motion.profile import Rates

# A time met to this distance (s) is meant exactly.
_INSTANT: Final = 1e-12
# A stretch shorter than this share of its piece is what rounding left of none.
_NOTHING: Final = 1e-12


@final
@dataclass(frozen=True)
class Straight:
    """A stretch of constant acceleration along the path.

    Attributes:
        start: length at its start (m).
        duration: s.
        speed: speed at its start (m/s).
        acceleration: along the path (m/s2).
    """

    start: float
    duration: float
    speed: float
    acceleration: float

    def at(self, t: np.ndarray) -> Rates:
        """Lengths and their derivatives.

        Args:
            t: times from the start of the stretch (s).
        """
        speed = self.speed + self.acceleration * t
        s = self.start + (self.speed + 0.5 * self.acceleration * t) * t
        return Rates(s, speed, np.full_like(speed, self.acceleration), np.zeros_like(speed))


@final
@dataclass(frozen=True)
class Round:
    """A stretch of a circle at full acceleration, part of which turns and the rest speeds up or slows down.

    Attributes:
        start: length at its start (m).
        duration: s.
        radius: m.
        acceleration: of the plate (m/s2).
        phase: argument of the lemniscate sine at its start.
        sense: 1 while it speeds up, -1 while it slows down.
    """

    start: float
    duration: float
    radius: float
    acceleration: float
    phase: float
    sense: float

    def at(self, t: np.ndarray) -> Rates:
        """Lengths and their derivatives.

        Args:
            t: times from the start of the stretch (s).
        """
        rate = math.sqrt(self.acceleration / self.radius)
        argument = self.phase + self.sense * rate * t
        w, slope = sl(argument), sl_slope(argument)
        turned = np.arctan2(w**2, slope) - np.arctan2(*(f(self.phase) for f in (_square, sl_slope)))
        return Rates(
            self.start + self.sense * self.radius / 2 * turned,
            math.sqrt(self.acceleration * self.radius) * w,
            self.sense * self.acceleration * slope,
            -2.0 * self.acceleration * rate * w**3,
        )


def _square(x: float) -> np.ndarray:
    return sl(x) ** 2


@final
@dataclass(frozen=True, eq=False)
class CornerTiming:
    """Stretches one after the other.

    Attributes:
        stretches: the stretches.
    """

    stretches: tuple[Straight | Round, ...]

    @property
    def corners(self) -> np.ndarray:
        """When the stretches begin, and the end of the last (s)."""
        return self._corners

    @cached_property
    def _corners(self) -> np.ndarray:
        return np.concatenate([[0.0], np.cumsum([stretch.duration for stretch in self.stretches])])

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.corners[-1])

    def at(self, t: np.ndarray, side: Side = "right") -> Rates:
        """Lengths and their derivatives by time.

        Args:
            t: times (...), s.
            side: which limit to take where the acceleration jumps.
        """
        t = np.asarray(t, dtype=float)
        before = -_INSTANT if side == "left" else _INSTANT
        index = np.clip(np.searchsorted(self.corners, t + before, side=side) - 1, 0, len(self.stretches) - 1)
        rates = [np.full(t.shape, np.nan) for _ in range(4)]
        for i in np.unique(index):
            here = index == i
            for whole, part in zip(rates, self.stretches[i].at(t[here] - self.corners[i]), strict=True):
                whole[here] = part
        return Rates(*rates)


def fastest_rounded(path: Path, *, a_max: float, v_max: float | None = None) -> CornerTiming:
    """The fastest timing of a path of lines and circles, from rest to rest.

    Args:
        path: lines and arcs without sharp corners.
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        v_max: largest speed of the plate (m/s); None for no limit.

    Raises:
        MotionError: a path that turns sharply or has other pieces.
        LimitError: a limit that is not greater than zero, or no bound on the acceleration.
    """
    limits = plate_limits(v_max, a_max)
    if limits.a_max == math.inf:
        raise LimitError("a_max", "give a finite acceleration")
    if path.kinks():
        raise MotionError(f"the path turns sharply at {path.kinks()[0]:.6g} m; give its corners a radius")
    pieces = [_Piece.of(piece.length, piece.curvature, limits.v_max, limits.a_max) for piece in path.pieces]
    nodes = _node_speeds(pieces)
    stretches = [
        stretch
        for piece, start, u0, u1 in zip(pieces, path.offsets[:-1], nodes[:-1], nodes[1:], strict=True)
        for stretch in piece.stretches(float(start), u0, u1)
    ]
    return CornerTiming(tuple(stretches))


def _node_speeds(pieces: Sequence[_Piece]) -> list[float]:
    """Squared speeds (m2/s2) between the pieces: at rest at both ends, otherwise as high as both sides allow."""
    caps = [0.0, *(min(a.cap, b.cap) for a, b in itertools.pairwise(pieces)), 0.0]
    for i, piece in enumerate(pieces):
        caps[i + 1] = min(caps[i + 1], piece.advanced(caps[i]))
    for i, piece in reversed(list(enumerate(pieces))):
        caps[i] = min(caps[i], piece.advanced(caps[i + 1]))
    return caps


@final
@dataclass(frozen=True)
class _Piece:
    """A piece of a path with the largest squared speed it allows."""

    length: float
    radius: float
    a_max: float
    cap: float

    @staticmethod
    def of(length: float, curvature: float | None, v_max: float, a_max: float) -> _Piece:
        if curvature is None:
            raise MotionError("the fastest timing in closed form is for lines and circles; this path has another curve")
        radius = math.inf if curvature == 0.0 else 1.0 / curvature
        return _Piece(length, radius, a_max, min(v_max**2, a_max * radius))

    def advanced(self, u: float) -> float:
        """Squared speed after the whole piece at full acceleration, from squared speed `u`."""
        if self.radius == math.inf:
            return min(self.cap, u + 2 * self.a_max * self.length)
        angle = self._angle(u) + 2 * self.length / self.radius
        return self.cap if angle >= math.pi / 2 else min(self.cap, self.a_max * self.radius * math.sin(angle))

    def stretches(self, start: float, u0: float, u1: float) -> list[Straight | Round]:
        """Speed up from `u0`, keep the highest speed, slow down to `u1`."""
        if self.radius == math.inf:
            top = min(self.cap, 0.5 * (u0 + u1) + self.a_max * self.length)
            up, down = (top - u0) / (2 * self.a_max), (top - u1) / (2 * self.a_max)
        else:
            angles = self._angle(u0), self._angle(u1)
            meet = min(0.5 * sum(angles) + self.length / self.radius, self._angle(self.cap))
            top = self.a_max * self.radius * math.sin(meet)
            up, down = ((meet - angle) * self.radius / 2 for angle in angles)
        kept = self.length - up - down
        parts: list[Straight | Round] = []
        if up > _NOTHING * self.length:
            parts.append(self._changing(start, u0, top, 1.0))
        if kept > _NOTHING * self.length:
            parts.append(Straight(start + up, kept / math.sqrt(top), math.sqrt(top), 0.0))
        if down > _NOTHING * self.length:
            parts.append(self._changing(start + self.length - down, top, u1, -1.0))
        return parts

    def _changing(self, start: float, u0: float, u1: float, sense: float) -> Straight | Round:
        if self.radius == math.inf:
            v0, v1 = math.sqrt(u0), math.sqrt(u1)
            return Straight(start, abs(v1 - v0) / self.a_max, v0, sense * self.a_max)
        first, last = (arcsl(math.sqrt(min(1.0, u / (self.a_max * self.radius)))) for u in (u0, u1))
        duration = abs(last - first) * math.sqrt(self.radius / self.a_max)
        return Round(start, duration, self.radius, self.a_max, first, sense)

    def _angle(self, u: float) -> float:
        return math.asin(min(1.0, u / (self.a_max * self.radius)))
