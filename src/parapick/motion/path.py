"""Where the plate goes, without saying when: a path by its length, made of smooth pieces.

The length is that of the translation (x, y, z); yaw is a further coordinate that follows along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple, Protocol, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.motion.gathering import Places, gathered
from parapick.motion.profile import Side
from parapick.motion.together import Evaluated, distinct, together

STRAIGHT: Final = 1e-9
"""Directions that differ by less than this angle (rad) are the same: far below what changes an acceleration, far above
rounding."""


class PathRates(NamedTuple):
    """Points of a path (..., dof) and their first three derivatives by the length."""

    x: np.ndarray
    d1: np.ndarray
    d2: np.ndarray
    d3: np.ndarray


class PathPiece(Protocol):
    """A smooth piece of a path: twice continuously differentiable."""

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        ...

    @property
    def curvature(self) -> float | None:
        """Curvature (1/m) where it is the same everywhere, otherwise None."""
        ...

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths (...) from the start of the piece (m)."""
        ...


@final
@dataclass(frozen=True)
class Line:
    """A straight piece.

    Attributes:
        start: task vector of its start (m, and rad for yaw).
        end: task vector of its end; yaw goes along evenly.
    """

    start: tuple[float, ...]
    end: tuple[float, ...]

    @property
    def length(self) -> float:
        """Distance between the ends (m)."""
        return math.dist(self.start[:3], self.end[:3])

    @property
    def curvature(self) -> float:
        """A line is straight."""
        return 0.0

    @property
    def _direction(self) -> np.ndarray:
        """What a metre along the line adds (dof,)."""
        return (np.array(self.end) - np.array(self.start)) / self.length

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start."""
        start = np.array(self.start)
        d1 = np.broadcast_to(self._direction, (*np.shape(s), len(start)))
        return PathRates(start + np.asarray(s)[..., None] * d1, d1, np.zeros_like(d1), np.zeros_like(d1))

    @staticmethod
    def together(pieces: Sequence[Line]) -> Callable[[np.ndarray, np.ndarray], PathRates]:
        """Several lines as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        starts, directions = np.array([line.start for line in pieces]), np.array([line._direction for line in pieces])

        def at(index: np.ndarray, s: np.ndarray) -> PathRates:
            d1 = directions[index]
            return PathRates(starts[index] + s[:, None] * d1, d1, np.zeros_like(d1), np.zeros_like(d1))

        return at


@final
@dataclass(frozen=True)
class Arc:
    """A piece of a circle, tangent to `direction` at its start and bending towards `normal`.

    Attributes:
        start: its start (m).
        direction: unit vector along the path at the start.
        normal: unit vector from the start to the centre, perpendicular to `direction`.
        radius: radius (m).
        angle: angle of the arc (rad).
    """

    start: tuple[float, float, float]
    direction: tuple[float, float, float]
    normal: tuple[float, float, float]
    radius: float
    angle: float

    @property
    def length(self) -> float:
        """Length of the arc (m)."""
        return self.radius * self.angle

    @property
    def curvature(self) -> float:
        """One over the radius."""
        return 1.0 / self.radius

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start."""
        numbers = (np.array(value) for value in (self.start, self.direction, self.normal, self.radius))
        return _on_circle(np.asarray(s)[..., None], *numbers)

    @staticmethod
    def together(pieces: Sequence[Arc]) -> Callable[[np.ndarray, np.ndarray], PathRates]:
        """Several arcs as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        rows = [(arc.start, arc.direction, arc.normal, (arc.radius,)) for arc in pieces]
        tables = [np.array(column) for column in zip(*rows, strict=True)]
        return lambda index, s: _on_circle(s[:, None], *(table[index] for table in tables))


def _on_circle(
    s: np.ndarray, start: np.ndarray, along: np.ndarray, across: np.ndarray, radius: np.ndarray
) -> PathRates:
    """Points of circles (..., 3) and their derivatives at lengths from their starts (..., 1), m."""
    turn = s / radius
    cosine, sine = np.cos(turn), np.sin(turn)
    d1 = cosine * along + sine * across
    d2 = (cosine * across - sine * along) / radius
    return PathRates(start + radius * (sine * along + (1.0 - cosine) * across), d1, d2, -d1 / radius**2)


@final
@dataclass(frozen=True)
class Placement:
    """A turn about the z axis and a shift. The yaw of the plate does not turn along; it is shifted only.

    Attributes:
        azimuth: angle of the turn (rad).
        shift: what is added afterwards, (x, y, z) in m and, where there is yaw, rad.
    """

    azimuth: float
    shift: tuple[float, ...]

    def rates(self, rates: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Task vectors (..., dof) turned and shifted, then their derivatives, turned."""
        x, *derivatives = (self._turned(value) for value in rates)
        dof = x.shape[-1]
        return x + np.array([*self.shift, 0.0][:dof]), *derivatives

    def _turned(self, v: np.ndarray) -> np.ndarray:
        cosine, sine = math.cos(self.azimuth), math.sin(self.azimuth)
        turned = np.array(v, dtype=float)
        turned[..., 0] = cosine * v[..., 0] - sine * v[..., 1]
        turned[..., 1] = sine * v[..., 0] + cosine * v[..., 1]
        return turned


@final
@dataclass(frozen=True)
class _ChangedPiece:
    """A piece turned and moved, or without a placement run through from its end to its start."""

    piece: PathPiece
    placement: Placement | None = None

    @property
    def length(self) -> float:
        return self.piece.length

    @property
    def curvature(self) -> float | None:
        return self.piece.curvature

    def at(self, s: np.ndarray) -> PathRates:
        if self.placement is not None:
            return PathRates(*self.placement.rates(self.piece.at(s)))
        x, d1, d2, d3 = self.piece.at(self.length - np.asarray(s))
        return PathRates(x, -d1, d2, -d3)

    @staticmethod
    def together(pieces: Sequence[_ChangedPiece]) -> Callable[[np.ndarray, np.ndarray], PathRates]:
        """Several changed pieces as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        inner, (placements, which) = together([own.piece for own in pieces]), distinct(own.placement for own in pieces)
        length = np.array([own.length for own in pieces])

        def at(index: np.ndarray, s: np.ndarray) -> PathRates:
            def changed(i: int, here: Places) -> Sequence[np.ndarray]:
                own, placement = index[here], placements[i]
                if placement is not None:
                    return placement.rates(inner(own, s[here]))
                x, d1, d2, d3 = inner(own, length[own] - s[here])
                return x, -d1, d2, -d3

            return PathRates(*gathered(which[index], changed))

        return at


def placed_piece(piece: PathPiece, placement: Placement) -> PathPiece:
    """A piece turned and moved in the workspace."""
    return _ChangedPiece(piece, placement)


def reversed_piece(piece: PathPiece) -> PathPiece:
    """A piece run through from its end to its start."""
    if isinstance(piece, Line):
        return Line(piece.end, piece.start)
    if not isinstance(piece, _ChangedPiece):
        return _ChangedPiece(piece)
    return piece.piece if piece.placement is None else replace(piece, piece=reversed_piece(piece.piece))


@final
@dataclass(frozen=True, eq=False)
class Path:
    """Smooth pieces, one after the other.

    Attributes:
        pieces: the pieces; each starts where the one before ends.
    """

    pieces: tuple[PathPiece, ...]

    @cached_property
    def dof(self) -> int:
        """Length of the task vector: 3, or 4 with yaw."""
        return self.pieces[0].at(np.zeros(1)).x.shape[-1]

    @cached_property
    def offsets(self) -> np.ndarray:
        """Length from the start at which each piece begins, and the whole length at the end (n + 1,), m."""
        return np.append(0.0, np.cumsum(self._lengths))

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        return float(self.offsets[-1])

    def at(self, s: ArrayLike, side: Side = "right") -> PathRates:
        """Points (..., dof) and their first three derivatives by the length.

        Args:
            s: lengths from the start (...), m.
            side: which limit to take where two pieces meet.
        """
        s = reals("s", s)
        index = np.clip(np.searchsorted(self.offsets, s, side=side) - 1, 0, len(self.pieces) - 1)
        return PathRates(*gathered(index, lambda i, here: self.pieces[i].at(s[here] - self.offsets[i])))

    def in_pieces(self, index: np.ndarray, s: np.ndarray) -> PathRates:
        """Points (N, dof) and derivatives in given pieces, as these have them at their ends too.

        Args:
            index: the pieces (N,).
            s: lengths from the start of the path (N,), m; those outside of a piece count as its nearer end.
        """
        lengths = self._lengths[index]
        return PathRates(*self._evaluated(index, np.minimum(np.maximum(s - self.offsets[index], 0.0), lengths)))

    @cached_property
    def _lengths(self) -> np.ndarray:
        return np.array([piece.length for piece in self.pieces])

    @cached_property
    def _evaluated(self) -> Evaluated:
        return together(self.pieces)

    @cached_property
    def _turns(self) -> np.ndarray:
        """How the direction changes where pieces meet (n - 1, dof)."""
        ends = np.array([piece.at(np.array([0.0, piece.length])).d1 for piece in self.pieces])
        return ends[1:, 0] - ends[:-1, 1]

    def kinks(self) -> tuple[float, ...]:
        """Lengths (m) at which the path turns sharply: a plate must stop there."""
        angle = np.linalg.norm(self._turns[:, :3], axis=-1)
        return tuple(float(s) for s in self.offsets[1:-1][angle > STRAIGHT])

    def stops(self) -> list[int]:
        """Pieces before which a plate must stand still, the first and the one after the last included.

        It stops where the path turns sharply, and where the yaw does.
        """
        jump = np.abs(self._turns).max(axis=-1)
        return [0, *(np.flatnonzero(jump > STRAIGHT) + 1).tolist(), len(self.pieces)]

    def placed(self, azimuth: float = 0.0, shift: Sequence[float] = (0.0, 0.0, 0.0)) -> Path:
        """The path turned about the z axis, then shifted; yaw is shifted only.

        Args:
            azimuth: angle of the turn (rad).
            shift: what is added afterwards (m, and rad for yaw).
        """
        placement = Placement(azimuth, tuple(shift))
        return Path(tuple(placed_piece(piece, placement) for piece in self.pieces))

    def reversed(self) -> Path:
        """The path from its end to its start."""
        return Path(tuple(reversed_piece(piece) for piece in reversed(self.pieces)))
