"""Routes: straight ways, the gate of pick-and-place benchmarks, rounded corners, and yaw along a path."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.motion.errors import MotionError, check_stroke
from parapick.motion.gathering import gathered
from parapick.motion.law import Law, law_of
from parapick.motion.path import STRAIGHT, Arc, Line, Path, PathPiece, PathRates
from parapick.motion.profile import Profile
from parapick.motion.together import distinct, together


def line_path(start: Sequence[float], end: Sequence[float]) -> Path:
    """A straight path.

    Args:
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).

    Raises:
        StrokeError: both are the same point.
    """
    return rounded_path((start, end))


def gate_path(start: Sequence[float], end: Sequence[float], height: float = 0.025, corner_radius: float = 0.0) -> Path:
    """Up, over and down: the path of pick-and-place benchmarks.

    Args:
        start: where it starts (x, y, z), m.
        end: where it ends (x, y, z), m.
        height: how far it rises above the higher of the two (m).
        corner_radius: radius of both corners (m); 0 leaves them sharp.

    Raises:
        StrokeError: a height or a way over of zero.
        MotionError: a radius that does not fit.
    """
    return rounded_path(gate_points(start, end, height), corner_radius)


def gate_points(start: Sequence[float], end: Sequence[float], height: float) -> tuple[tuple[float, ...], ...]:
    """Start, the point above it, the point above the end, end."""
    check_stroke("height", height)
    check_stroke("the way over", math.dist(start[:2], end[:2]))
    top = max(start[2], end[2]) + height
    return tuple(start[:3]), (start[0], start[1], top), (end[0], end[1], top), tuple(end[:3])


def rounded_path(points: Sequence[Sequence[float]], corner_radius: float = 0.0) -> Path:
    """Straight pieces between points, the corners rounded by circles.

    Args:
        points: points (x, y, z) in m; without rounding they may also have a yaw (rad).
        corner_radius: radius of every corner (m); 0 leaves them sharp.

    Raises:
        StrokeError: two neighbouring points are the same.
        MotionError: the radius does not fit between neighbouring corners, or a corner turns back on itself.
    """
    if not 0.0 <= corner_radius < math.inf:
        raise MotionError(f"corner_radius is {corner_radius:g} m; it must be 0 or greater")
    corners = [tuple(float(value) for value in point) for point in points]
    for i, (a, b) in enumerate(itertools.pairwise(corners)):
        check_stroke(f"the way from point {i + 1} to point {i + 2}", math.dist(a[:3], b[:3]))
    if corner_radius == 0.0:
        return Path(tuple(Line(a, b) for a, b in itertools.pairwise(corners)))
    return _rounded([np.array(corner[:3]) for corner in corners], corner_radius)


def _rounded(corners: list[np.ndarray], radius: float) -> Path:
    directions = [(b - a) / np.linalg.norm(b - a) for a, b in itertools.pairwise(corners)]
    angles = [_angle(a, b) for a, b in itertools.pairwise(directions)]
    # What a rounded corner takes from both of its neighbours: R tan(angle / 2).
    shares = [0.0, *(math.tan(angle / 2) for angle in angles), 0.0]
    for i, (a, b) in enumerate(itertools.pairwise(corners)):
        most = float(np.linalg.norm(b - a)) / max(shares[i] + shares[i + 1], math.ulp(1.0))
        if radius > most * (1.0 + STRAIGHT):
            raise MotionError(
                f"corner_radius is {radius:g} m; between points {i + 1} and {i + 2} at most {most:.6g} m fit"
            )
    pieces: list[PathPiece] = []
    position = corners[0]
    for corner, share, before, after, angle in zip(
        corners[1:], shares[1:], directions, [*directions[1:], directions[-1]], [*angles, 0.0], strict=True
    ):
        entry = corner - radius * share * before
        if np.linalg.norm(entry - position) > STRAIGHT * radius:
            pieces.append(Line(tuple(position), tuple(entry)))
        if angle > STRAIGHT:
            normal = (after - math.cos(angle) * before) / math.sin(angle)
            pieces.append(Arc(tuple(entry), tuple(before), tuple(normal), radius, angle))
        position = corner + radius * share * after
    return Path(tuple(pieces))


def _angle(before: np.ndarray, after: np.ndarray) -> float:
    """Angle between unit vectors (rad), good near 0; a corner that turns back has no circle."""
    angle = 2 * math.atan2(float(np.linalg.norm(after - before)), float(np.linalg.norm(after + before)))
    if angle > math.pi - STRAIGHT:
        raise MotionError("a path that turns back on itself cannot be rounded; stop there instead")
    return angle


def with_yaw(path: Path, start: float, end: float, law: str | Law = "3-4-5") -> Path:
    """The path with a yaw that follows its length.

    Args:
        path: the path.
        start: yaw at its start (rad).
        end: yaw at its end (rad).
        law: how the yaw goes from one to the other; its second derivative must not jump.

    Raises:
        MotionError: the acceleration of the law jumps, so that of the yaw would jump on the way.
    """
    profile = law_of(law).profile()
    if profile.acceleration.jumps():
        raise MotionError(
            f"yaw cannot follow a path by {law_of(law).name}, whose acceleration jumps; use 3-4-5 or cycloid"
        )
    pieces = (
        _YawedPiece(piece, float(offset), path.length, (start, end), profile)
        for piece, offset in zip(path.pieces, path.offsets[:-1], strict=True)
    )
    return Path(tuple(pieces))


@final
@dataclass(frozen=True, eq=False)
class _YawedPiece:
    """A piece with yaw as a function of the length along the whole path."""

    piece: PathPiece
    offset: float
    total: float
    yaw: tuple[float, float]
    profile: Profile

    @property
    def length(self) -> float:
        return self.piece.length

    @property
    def curvature(self) -> float | None:
        return self.piece.curvature

    def at(self, s: np.ndarray) -> PathRates:
        first, last = self.yaw
        share = self.profile.at((np.asarray(s) + self.offset) / self.total)
        return _yawed(self.piece.at(s), share, np.array(first), np.array(last - first), np.array(self.total))

    @staticmethod
    def together(pieces: Sequence[_YawedPiece]) -> Callable[[np.ndarray, np.ndarray], PathRates]:
        """Several pieces as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        inner, (profiles, which) = together([own.piece for own in pieces]), distinct(own.profile for own in pieces)
        offset, total = (np.array([getattr(own, name) for own in pieces]) for name in ("offset", "total"))
        first, last = np.array([own.yaw for own in pieces]).T

        def at(index: np.ndarray, s: np.ndarray) -> PathRates:
            shares = (s + offset[index]) / total[index]
            share = gathered(which[index], lambda i, here: profiles[i].at(shares[here]))
            return _yawed(inner(index, s), share, first[index], (last - first)[index], total[index])

        return at


def _yawed(
    rates: Sequence[np.ndarray], share: Sequence[np.ndarray], first: np.ndarray, turn: np.ndarray, total: np.ndarray
) -> PathRates:
    """Points and derivatives of a path with a yaw: a share of a turn (rad) over a length (m), from a first one on."""
    columns = [turn * value / total**k for k, value in enumerate(share)]
    columns[0] = columns[0] + first
    return PathRates(
        *(np.concatenate([r[..., :3], c[..., None]], axis=-1) for r, c in zip(rates, columns, strict=True))
    )
