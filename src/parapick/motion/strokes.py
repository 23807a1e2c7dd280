"""Strokes that may overlap, as a piece of a motion that knows its path.

Between two knots a single stroke leads along a line, and so do several along one direction; strokes in different
directions lead along a curve. Which of them are active there, and what they leave behind, says which it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, final

import numpy as np

from parapick.motion.errors import MotionError
from parapick.motion.motion_pieces import State
from parapick.motion.path import STRAIGHT, Line, Path
from parapick.motion.piecewise import Side
from parapick.motion.profile import Profile
from parapick.motion.timed_curve import TimedCurve

# Speeds (m/s, rad/s), lengths (m) and times (s) that are rounding.
_STILL: Final = 1e-12
# Share of the largest velocity that is rounding of sums of strokes, such as what is left of one and its negative.
_ROUNDING: Final = 1e-12


@final
@dataclass(frozen=True, eq=False)
class Stroke:
    """A vector that is added over a stretch of time, as its profile says.

    Attributes:
        start: when it begins (s).
        duration: how long it lasts (s).
        vector: what it adds (dof,): m, and rad for yaw; of a profile that ends moving, per duration.
        profile: how.
    """

    start: float
    duration: float
    vector: tuple[float, ...]
    profile: Profile

    @property
    def end(self) -> float:
        """When it ends (s)."""
        return self.start + self.duration


class _Part(NamedTuple):
    """A piece of the path of strokes, with the instants (s) between which they lead along it; none is a rest."""

    piece: Line | TimedCurve | None
    start: float
    end: float


@final
@dataclass(frozen=True, eq=False)
class Strokes:
    """A piece of superposed strokes: `x(t) = origin + velocity t + sum of vector_k s_k((t - start_k) / duration_k)`.

    Attributes:
        origin: pose at its start (dof,).
        duration: how long it takes (s).
        strokes: the strokes.
        velocity: velocity at its start, which stays unless a stroke changes it (dof,); zero if not given.
    """

    origin: tuple[float, ...]
    duration: float
    strokes: tuple[Stroke, ...] = ()
    velocity: tuple[float, ...] = ()

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return len(self.origin)

    @property
    def knots(self) -> np.ndarray:
        """Starts, corners and ends of the strokes (s)."""
        times = [stroke.start + stroke.duration * stroke.profile.corners for stroke in self.strokes]
        inner = np.concatenate([np.zeros(0), *times])
        return np.unique(np.concatenate([[0.0, self.duration], inner[(inner > 0.0) & (inner < self.duration)]]))

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives: the sum over the strokes."""
        x, xd, xdd, xddd = (np.zeros((*np.shape(t), self.dof)) for _ in range(4))
        x += np.array(self.origin)
        if self.velocity:
            x += np.asarray(t)[..., None] * np.array(self.velocity)
            xd += np.array(self.velocity)
        for stroke in self.strokes:
            rates = stroke.profile.at((np.asarray(t) - stroke.start) / stroke.duration, side)
            vector = np.array(stroke.vector)
            x += rates.s[..., None] * vector
            xd += rates.sd[..., None] * (vector / stroke.duration)
            xdd += rates.sdd[..., None] * (vector / stroke.duration**2)
            xddd += rates.sddd[..., None] * (vector / stroke.duration**3)
        return State(x, xd, xdd, xddd)

    def path(self) -> Path:
        """Lines where strokes lead in one direction, curves where they overlap in several.

        Raises:
            MotionError: the plate rests between strokes or turns on the spot.
        """
        return self._path

    def length(self, t: float) -> float:
        """Length covered (m)."""
        covered = 0.0
        for piece, start, end in self._parts:
            if piece is not None and t > start:
                if t >= end:
                    covered += piece.length
                elif isinstance(piece, Line):
                    covered += float(np.linalg.norm((self.at(np.array(t)).x - piece.start)[:3]))
                else:
                    covered += piece.covered(t)
        return covered

    @cached_property
    def _path(self) -> Path:
        pieces = tuple(part.piece for part in self._parts if part.piece is not None)
        if pieces and len(pieces) < len(self._parts):
            raise MotionError(
                f"the plate rests within a piece of {self.duration:g} s; make the rest a piece of its own"
            )
        return Path(pieces)

    @cached_property
    def _parts(self) -> tuple[_Part, ...]:
        """The path by its parts; neighbours that are both at rest, on one line or of one smooth curve are one."""
        knots = self.knots
        # Ends of strokes that should meet may miss each other by rounding.
        knots = knots[np.append(True, np.diff(knots) > _STILL)]
        x, smooth = self.at(knots).x.tolist(), self._smooth(knots)
        parts: list[_Part] = []
        for i, (start, end) in enumerate(itertools.pairwise(knots.tolist())):
            straight = self._straight(start, end)
            piece = TimedCurve(self, (start, end)) if straight is False else None
            part = _Part(Line(tuple(x[i]), tuple(x[i + 1])) if straight else piece, start, end)
            joined = _joined(parts[-1], part, smooth=bool(smooth[i])) if parts else None
            parts = [*parts[:-1], joined] if joined else [*parts, part]
        return tuple(parts)

    def _straight(self, start: float, end: float) -> bool | None:
        """Whether the plate goes straight on between two neighbouring knots; None where it rests.

        There the velocity is a sum of powers of the time, and of sines and cosines, times vectors: it keeps its
        direction if all these vectors have one.
        """
        vectors = self._velocity_terms(start, end)
        if np.abs(vectors).max() <= _STILL:
            return None
        speeds = np.linalg.norm(vectors[:, :3], axis=1)
        if speeds.max() <= _STILL:
            pose = ", ".join(f"{value:.4g}" for value in self.at(np.array(start)).x)
            raise MotionError(f"the plate turns on the spot at ({pose}): a path by its length cannot say so")
        direction = vectors[int(np.argmax(speeds))] / speeds.max()
        across = vectors - (vectors[:, :3] @ direction[:3])[:, None] * direction
        return bool(np.abs(across).max() <= _ROUNDING * speeds.max()) and self._one_way(start, end, direction[:3])

    def _velocity_terms(self, start: float, end: float) -> np.ndarray:
        """What the powers, sines and cosines of the time between two knots are multiplied by in the velocity (k, dof).

        The time counts from the first knot to the second as from 0 to 1.
        """
        vectors = {("power", 0.0): np.array(self.velocity or (0.0,) * self.dof)}
        for stroke in self.strokes:
            first, last = ((t - stroke.start) / stroke.duration for t in (start, end))
            for key, factor in stroke.profile.velocity.terms(first, last).items():
                vectors[key] = vectors.get(key, 0.0) + factor * np.array(stroke.vector) / stroke.duration
        return np.array(list(vectors.values()))

    def _one_way(self, start: float, end: float, direction: np.ndarray) -> bool:
        """Whether the plate never goes back along a line between two neighbouring knots.

        The speed of a stroke rises or falls throughout between knots, so that it is least at one of its ends.
        """
        slowest = most = float(np.dot(self.velocity[:3], direction)) if self.velocity else 0.0
        for stroke in self.strokes:
            first, last = ((t - stroke.start) / stroke.duration for t in (start, end))
            speed, part = stroke.profile.velocity, float(np.dot(stroke.vector[:3], direction)) / stroke.duration
            ends = part * float(speed(first)), part * float(speed(last, "left"))
            slowest, most = slowest + min(ends), most + max(ends)
        return bool(slowest * most >= 0.0 or min(abs(slowest), abs(most)) <= _ROUNDING * max(abs(slowest), abs(most)))

    def _smooth(self, t: np.ndarray) -> np.ndarray:
        """Where neither direction nor curvature jumps: the plate moves there, and its acceleration does not jump."""
        left, right = self.at(t, "left"), self.at(t, "right")
        size = np.maximum(np.abs(left.xdd).max(axis=-1), np.abs(right.xdd).max(axis=-1))
        moving = np.linalg.norm(left.xd[..., :3], axis=-1) > _STILL
        return moving & (np.abs(right.xdd - left.xdd).max(axis=-1) <= STRAIGHT * size)


def hold_piece(pose: Sequence[float], duration: float) -> Strokes:
    """A piece at rest.

    Args:
        pose: task vector (m, rad).
        duration: how long (s).
    """
    return Strokes(tuple(float(value) for value in pose), float(duration))


def _joined(first: _Part, second: _Part, *, smooth: bool) -> _Part | None:
    """Two parts as one, where the second goes on as the first did; otherwise None."""
    one, other = first.piece, second.piece
    if one is None and other is None:
        return _Part(None, first.start, second.end)
    if isinstance(one, Line) and isinstance(other, Line) and _one_line(one, other):
        return _Part(Line(one.start, other.end), first.start, second.end)
    if isinstance(one, TimedCurve) and isinstance(other, TimedCurve) and smooth:
        return _Part(TimedCurve(one.piece, (*one.knots, second.end)), first.start, second.end)
    return None


def _one_line(first: Line, second: Line) -> bool:
    """Whether one goes on as the other did; a line of hardly any length goes anywhere."""
    if min(first.length, second.length) <= _STILL:
        return False
    along = [(np.array(line.end) - np.array(line.start)) / line.length for line in (first, second)]
    # Directions of short lines are known as well as their ends.
    return bool(np.abs(along[1] - along[0]).max() <= STRAIGHT + _STILL / min(first.length, second.length))
