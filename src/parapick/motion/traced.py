"""The way that a motion takes, without its timing: as a path that another timing can run through.

Pieces along a path have it already. Of strokes, what is straight is a line; what is curved, because strokes overlap or
a belt moves along, is the curve itself, `x(t(s))` with the time as a function of the length.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.errors import MotionError
from parapick.motion.lengths import LengthTable
from parapick.motion.path import STRAIGHT, Line, Path, PathPiece, PathRates, placed_piece, reversed_piece
from parapick.motion.pieces import Along, MotionPiece, Placed, Retimed, State, Strokes
from parapick.motion.piecewise import Side

__all__ = ["Rest", "Traced", "path_of", "way_of"]

# Parts between two knots in which the length is tabulated.
_PARTS: Final = 16
# Share of the largest speed below which the plate counts as resting at an end of a curve: there curvatures are
# quotients of nothing by nothing, and the curve is replaced by its chord, which is shorter than a micrometre.
_SLOW: Final = 1e-4
# Looks at an interval to see whether it is straight or at rest.
_LOOKS: Final = 33
# Looks towards an end at rest for the first instant that is not slow.
_TOWARDS_REST: Final = np.geomspace(1e-6, 0.5, 400)
# Speeds (m/s, rad/s), ways (m) and times (s) that are rounding.
_STILL: Final = 1e-12


@final
@dataclass(frozen=True)
class Rest:
    """A stretch of a motion that leads nowhere.

    Attributes:
        duration: how long (s).
    """

    duration: float


@final
@dataclass(frozen=True, eq=False)
class Traced:
    """The curve of a stretch of strokes, by its length.

    Attributes:
        piece: the strokes.
        knots: instants (s of the piece) from start to end between which their formula does not change.
    """

    piece: Strokes
    knots: tuple[float, ...]

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.piece.dof

    @property
    def curvature(self) -> None:
        """The curvature changes along the curve."""
        return

    @property
    def length(self) -> float:
        """Length of the translation (m)."""
        return float(self._chords.sum() + self._table.length)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """From when to when the plate is not slow."""
        start, end = self.knots[0], self.knots[-1]
        whole = _speed(_inside(self.piece, np.linspace(start, end, _LOOKS * len(self.knots)), self.knots))
        least, found = _SLOW * float(whole.max()), []
        for edge, way in ((start, end - start), (end, start - end)):
            looks = np.concatenate([[edge], edge + way * _TOWARDS_REST])
            speed = _speed(_inside(self.piece, looks, self.knots))
            found.append(float(looks[int(np.argmax(speed >= least))]))
        return found[0], found[1]

    @cached_property
    def _table(self) -> LengthTable:
        first, last = self._ends
        inner = [knot for knot in self.knots if first < knot < last]
        bounds = [first, *inner, last]
        nodes = [np.linspace(a, b, _PARTS, endpoint=False) for a, b in itertools.pairwise(bounds)]
        return LengthTable.of(self._speeds, np.append(np.concatenate(nodes), last))

    def _speeds(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        state = _inside(self.piece, t, self.knots)
        speed = _speed(state)
        return speed, np.einsum("...d,...d->...", state.xd[..., :3], state.xdd[..., :3]) / speed

    @cached_property
    def _tips(self) -> np.ndarray:
        """Start, where the plate stops being slow, where it begins to be again, and end (4, dof)."""
        times = np.array([self.knots[0], *self._ends, self.knots[-1]])
        return _inside(self.piece, times, self.knots).x

    @cached_property
    def _chords(self) -> np.ndarray:
        """Lengths of the chords at both ends (2,), m; 0 at an end that is not at rest."""
        return np.linalg.norm((self._tips[1::2] - self._tips[::2])[:, :3], axis=-1)

    def at(self, s: np.ndarray) -> PathRates:
        """Points and derivatives at lengths from the start, by the chain rule."""
        s = np.asarray(s, dtype=float)
        before, after = self._chords
        along = np.clip(s - before, 0.0, self._table.length)
        x, xd, xdd, xddd = _inside(self.piece, self._table.parameter(along), self.knots)
        speed = np.linalg.norm(xd[..., :3], axis=-1, keepdims=True)
        slope = _dot(xd, xdd) / speed
        bend = (_dot(xdd, xdd) + _dot(xd, xddd) - slope**2) / speed
        # Derivatives of the time by the length.
        t1 = 1.0 / speed
        t2 = -slope * t1**3
        t3 = -bend * t1**4 - 3 * slope * t1**2 * t2
        points = self._with_chords(x, s, before, after)
        return PathRates(points, xd * t1, xdd * t1**2 + xd * t2, xddd * t1**3 + 3 * xdd * t1 * t2 + xd * t3)

    def _with_chords(self, x: np.ndarray, s: np.ndarray, before: float, after: float) -> np.ndarray:
        tips, total = self._tips, before + self._table.length + after
        if before > 0.0:
            share = np.clip(s / before, 0.0, 1.0)[..., None]
            x = np.where(share < 1.0, tips[0] + share * (tips[1] - tips[0]), x)
        if after > 0.0:
            share = np.clip((total - s) / after, 0.0, 1.0)[..., None]
            x = np.where(share < 1.0, tips[3] + share * (tips[2] - tips[3]), x)
        return x


def path_of(piece: MotionPiece) -> Path:
    """The way of a piece of a motion that does not rest.

    Args:
        piece: the piece.

    Raises:
        MotionError: the plate rests or turns on the spot.
    """
    way = way_of(piece)
    found = tuple(part for part in way if not isinstance(part, Rest))
    if len(found) < len(way):
        raise MotionError(f"the plate rests within a piece of {piece.duration:g} s; make the rest a piece of its own")
    return Path(found)


def way_of(piece: MotionPiece) -> tuple[PathPiece | Rest, ...]:
    """The way of a piece of a motion: pieces of a path, with the rests between them.

    Args:
        piece: the piece.

    Raises:
        MotionError: the plate turns on the spot, which no path by length can say.
    """
    if isinstance(piece, Along):
        return (piece.path,)
    if isinstance(piece, Strokes):
        return _joined(piece)
    if isinstance(piece, Placed):
        placement = piece.placement
        return tuple(part if isinstance(part, Rest) else placed_piece(part, placement) for part in way_of(piece.piece))
    if isinstance(piece, Retimed):
        way = [Rest(p.duration / abs(piece.rate)) if isinstance(p, Rest) else p for p in way_of(piece.piece)]
        if piece.rate < 0.0:
            way = [part if isinstance(part, Rest) else reversed_piece(part) for part in reversed(way)]
        return tuple(way)
    raise MotionError(f"a piece of the kind {type(piece).__name__} has no path that could be timed again")


def _joined(piece: Strokes) -> tuple[PathPiece | Rest, ...]:
    """The way of strokes; neighbours that are both at rest, on one line or of one curve are one."""
    knots = piece.knots
    # Ends of strokes that should meet may miss each other by rounding.
    knots = knots[np.append(True, np.diff(knots) > _STILL)]
    smooth = _smooth(piece, knots)
    found: list[PathPiece | Rest] = []
    for i, state in enumerate(_looked(piece, knots)):
        start, end, last = float(knots[i]), float(knots[i + 1]), found[-1] if found else None
        part = _interval(piece, state, start, end)
        if isinstance(part, Rest) and isinstance(last, Rest):
            found[-1] = Rest(last.duration + part.duration)
        elif isinstance(part, Line) and isinstance(last, Line) and _one_line(last, part):
            found[-1] = Line(last.start, part.end)
        elif isinstance(part, Traced) and isinstance(last, Traced) and smooth[i]:
            found[-1] = Traced(piece, (*last.knots, end))
        else:
            found.append(part)
    return tuple(found)


def _looked(piece: Strokes, knots: np.ndarray) -> list[State]:
    """Looks at every interval between knots, at its ends as it is inside."""
    times = np.linspace(knots[:-1], knots[1:], _LOOKS, axis=1)
    state, ends = piece.at(times), piece.at(times[:, -1], "left")
    for whole, last in zip(state, ends, strict=True):
        whole[:, -1] = last
    return [State(*(value[i] for value in state)) for i in range(len(times))]


def _interval(piece: Strokes, state: State, start: float, end: float) -> Line | Traced | Rest:
    speed = _speed(state)
    if np.abs(state.xd).max() <= _STILL:
        return Rest(end - start)
    if speed.max() <= _STILL:
        pose = ", ".join(f"{value:.4g}" for value in state.x[0])
        raise MotionError(f"the plate turns on the spot at ({pose}): a path by its length cannot say so")
    moving = speed > _SLOW * speed.max()
    direction = state.xd[moving] / speed[moving, None]
    if np.abs(direction - direction[0]).max() <= STRAIGHT:
        return Line(tuple(state.x[0].tolist()), tuple(state.x[-1].tolist()))
    return Traced(piece, (start, end))


def _one_line(first: Line, second: Line) -> bool:
    """Whether one goes on as the other did; a line of hardly any length goes anywhere."""
    if min(first.length, second.length) <= _STILL:
        return False
    along = [(np.array(line.end) - np.array(line.start)) / line.length for line in (first, second)]
    # Directions of short lines are known as well as their ends.
    return bool(np.abs(along[1] - along[0]).max() <= STRAIGHT + _STILL / min(first.length, second.length))


def _smooth(piece: Strokes, t: np.ndarray) -> np.ndarray:
    """Where neither direction nor curvature jumps: the plate moves there, and its acceleration does not jump."""
    left, right = piece.at(t, "left"), piece.at(t, "right")
    size = np.maximum(np.abs(left.xdd).max(axis=-1), np.abs(right.xdd).max(axis=-1))
    return (_speed(left) > _STILL) & (np.abs(right.xdd - left.xdd).max(axis=-1) <= STRAIGHT * size)


def _inside(piece: Strokes, t: np.ndarray, knots: tuple[float, ...]) -> State:
    """States at times (...), at both ends as they are inside."""
    flat = np.ravel(t)
    late = flat > 0.5 * (knots[0] + knots[-1])
    out = [np.empty((len(flat), piece.dof)) for _ in range(4)]
    halves: tuple[tuple[np.ndarray, Side], ...] = ((~late, "right"), (late, "left"))
    for here, side in halves:
        for whole, part in zip(out, piece.at(flat[here], side), strict=True):
            whole[here] = part
    return State(*(value.reshape(*np.shape(t), piece.dof) for value in out))


def _speed(state: State) -> np.ndarray:
    return np.linalg.norm(state.xd[..., :3], axis=-1)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sum(a[..., :3] * b[..., :3], axis=-1, keepdims=True)
