"""The fastest timing of straight and round pieces under limits on the plate's speed and acceleration, in closed form.

With `u = v^2` over the length s, a piece of curvature 1/R allows `(du/ds / 2)^2 + (u / R)^2 <= a^2`. On a line u
changes at the rate 2a. On a circle, `u = a R sin(phi)` with `dphi/ds = 2 / R` until `phi = pi / 2`, where all
acceleration goes into turning and the speed stays `sqrt(a R)`. In time that is a lemniscate sine:
`v = sqrt(a R) sl(t sqrt(a / R))`, which solves `(dw/dx)^2 = 1 - w^4`. One pass forwards and one backwards give the
speeds between the pieces; within a piece the plate speeds up, keeps the highest speed allowed and slows down.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import plate_limits
from parapick.motion.gathering import gathered
from parapick.motion.path import Path
from parapick.motion.profile import Rates, Side

# A time met to this distance (s) is meant exactly.
_INSTANT: Final = 1e-12
# A stretch shorter than this share of its piece is what rounding left of none.
_NOTHING: Final = 1e-12
_ROOT: Final = math.sqrt(2.0)


def lemniscate_sine(x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """`sl(x)` and its derivative, by Jacobi's functions of parameter 1/2: `sn / (sqrt(2) dn)` at `sqrt(2) x`."""
    from scipy.special import ellipj

    sn, cn, dn, _ = ellipj(_ROOT * np.asarray(x, dtype=float), 0.5)
    return sn / (_ROOT * dn), cn / dn**2


def arcsl(w: float) -> float:
    """Inverse of the lemniscate sine on [0, 1]: the integral of `1 / sqrt(1 - w^4)`."""
    from scipy.special import ellipkinc

    return float(ellipkinc(math.atan2(_ROOT * w, math.sqrt(1.0 - w * w)), 0.5)) / _ROOT


@final
@dataclass(frozen=True)
class CornerStretch:
    """A stretch at full acceleration or constant speed.

    Attributes:
        start: length at its start (m).
        duration: s.
        speed: speed at its start (m/s).
        acceleration: of the plate (m/s2); negative where it slows down, 0 where it keeps its speed.
        radius: m; infinite on a line and where the speed stays.
    """

    start: float
    duration: float
    speed: float
    acceleration: float
    radius: float

    def at(self, t: np.ndarray) -> Rates:
        """Lengths (m) and their derivatives at times from the start of the stretch (s)."""
        if self.radius == math.inf:
            speed = self.speed + self.acceleration * t
            s = self.start + (self.speed + 0.5 * self.acceleration * t) * t
            return Rates(s, speed, np.full_like(speed, self.acceleration), np.zeros_like(speed))
        size, sense = abs(self.acceleration), math.copysign(1.0, self.acceleration)
        rate, top = math.sqrt(size / self.radius), math.sqrt(size * self.radius)
        first = arcsl(min(1.0, self.speed / top))
        (w0, slope0), (w, slope) = lemniscate_sine(first), lemniscate_sine(first + sense * rate * t)
        turned = np.arctan2(w**2, slope) - np.arctan2(w0**2, slope0)
        s = self.start + sense * self.radius / 2 * turned
        return Rates(s, top * w, self.acceleration * slope, -2.0 * size * rate * w**3)


@final
@dataclass(frozen=True, eq=False)
class CornerTiming:
    """Stretches one after the other.

    Attributes:
        stretches: the stretches.
    """

    stretches: tuple[CornerStretch, ...]

    @property
    def corners(self) -> np.ndarray:
        """When the stretches begin, and the end of the last (s)."""
        return np.cumsum([0.0, *(stretch.duration for stretch in self.stretches)])

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.corners[-1])

    def at(self, t: np.ndarray, side: Side = "right") -> Rates:
        """Lengths and their derivatives by time."""
        t = np.asarray(t, dtype=float)
        before, corners = -_INSTANT if side == "left" else _INSTANT, self.corners
        index = np.clip(np.searchsorted(corners, t + before, side=side) - 1, 0, len(self.stretches) - 1)
        return Rates(*gathered(index, lambda i, here: self.stretches[i].at(t[here] - corners[i])))


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
    runs = zip(pieces, path.offsets[:-1].tolist(), itertools.pairwise(nodes), strict=True)
    return CornerTiming(tuple(stretch for piece, start, ends in runs for stretch in piece.stretches(start, *ends)))


def _node_speeds(pieces: Sequence[_Piece]) -> list[float]:
    """Squared speeds (m2/s2) between the pieces: at rest at both ends, otherwise as high as both sides allow."""
    caps = [0.0, *(min(a.cap, b.cap) for a, b in itertools.pairwise(pieces)), 0.0]
    for i, piece in enumerate(pieces):
        caps[i + 1] = min(caps[i + 1], piece.reached(piece.run_up(caps[i]) + piece.length))
    for i, piece in reversed(list(enumerate(pieces))):
        caps[i] = min(caps[i], piece.reached(piece.run_up(caps[i + 1]) + piece.length))
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

    def run_up(self, u: float) -> float:
        """Length (m) over which full acceleration leads from rest to a squared speed."""
        if self.radius == math.inf:
            return u / (2 * self.a_max)
        return math.asin(min(1.0, u / (self.a_max * self.radius))) * self.radius / 2

    def reached(self, length: float) -> float:
        """Squared speed (m2/s2) that full acceleration reaches over a length from rest."""
        if self.radius == math.inf:
            return min(self.cap, 2 * self.a_max * length)
        return min(self.cap, self.a_max * self.radius * math.sin(min(2 * length / self.radius, math.pi / 2)))

    def stretches(self, start: float, u0: float, u1: float) -> Iterator[CornerStretch]:
        """Speed up from `u0`, keep the highest speed, slow down to `u1`."""
        first, last = self.run_up(u0), self.run_up(u1)
        meet = min(0.5 * (first + last + self.length), self.run_up(self.cap))
        v0, top, v1 = math.sqrt(u0), math.sqrt(self.reached(meet)), math.sqrt(u1)
        up, down = meet - first, meet - last
        kept = self.length - up - down
        if up > _NOTHING * self.length:
            yield CornerStretch(start, self._time(v0, top), v0, self.a_max, self.radius)
        if kept > _NOTHING * self.length:
            yield CornerStretch(start + up, kept / top, top, 0.0, math.inf)
        if down > _NOTHING * self.length:
            yield CornerStretch(start + self.length - down, self._time(v1, top), top, -self.a_max, self.radius)

    def _time(self, slow: float, fast: float) -> float:
        """Time (s) from one speed to another at full acceleration."""
        if self.radius == math.inf:
            return (fast - slow) / self.a_max
        first, last = (arcsl(min(1.0, v / math.sqrt(self.a_max * self.radius))) for v in (slow, fast))
        return (last - first) * math.sqrt(self.radius / self.a_max)
