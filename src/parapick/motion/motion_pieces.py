"""What motions are made of: pieces that know pose, velocity, acceleration and jerk exactly at any time.

`Strokes` adds strokes that may overlap, each a vector times a time law; `Along` runs along a path by a timing;
`Changed` is another piece run backwards or slower, turned or moved, or bound to the instants of something that moves.
A new kind of piece is a new class with the members of `MotionPiece`, and with that of `OnPath` if its path can be
timed again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, final, runtime_checkable

import numpy as np

from parapick.motion.errors import MotionError
from parapick.motion.gathering import Places, gathered
from parapick.motion.path import Path, PathPiece, Placement, placed_piece
from parapick.motion.profile import Rates, Side, opposite
from parapick.motion.together import distinct, together


class MotionState(NamedTuple):
    """Task vectors (..., dof) with their first three derivatives by time; m and rad."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    xddd: np.ndarray


class MotionPiece(Protocol):
    """A piece of a motion."""

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        ...

    @property
    def knots(self) -> np.ndarray:
        """Times (s) from the start of the piece where its formula changes, both ends included."""
        ...

    def at(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Poses and their derivatives.

        Args:
            t: times from the start of the piece (N,), s.
            side: which limit to take where the acceleration jumps.
        """
        ...


@runtime_checkable
class OnPath(Protocol):
    """What a piece of a motion states of its path, so that another timing can run through it."""

    def path(self) -> Path:
        """The path; one without pieces where the plate rests.

        Raises:
            MotionError: there is none that could be timed again; says why.
        """
        ...


class Timing(Protocol):
    """When which length of a path is reached; never backwards."""

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        ...

    @property
    def corners(self) -> np.ndarray:
        """Times (s) where the formula changes, both ends included."""
        ...

    def at(self, t: np.ndarray, side: Side = "right") -> Rates:
        """Lengths (m) and their derivatives by time.

        Args:
            t: times (...), s.
            side: which limit to take where the acceleration jumps.
        """
        ...


def path_of(piece: MotionPiece) -> Path:
    """The path of a piece; raises `MotionError` for a kind that states none."""
    if not isinstance(piece, OnPath):
        raise MotionError(
            f"a piece of the kind {type(piece).__name__} has no path that could be timed again; sample the motion and "
            "give Route.through its times and poses"
        )
    return piece.path()


@final
@dataclass(frozen=True, eq=False)
class Along:
    """A smooth piece of a path, run through by a stretch of a timing.

    Attributes:
        piece: the piece of the path.
        offset: length of the whole path before it (m).
        timing: timing of the whole path.
        start: when the piece is entered (s of the timing).
        duration: how long it takes (s).
    """

    piece: PathPiece
    offset: float
    timing: Timing
    start: float
    duration: float

    @property
    def knots(self) -> np.ndarray:
        """Corners of the timing within the piece (s)."""
        inner = np.asarray(self.timing.corners) - self.start
        return np.unique(np.concatenate([[0.0, self.duration], inner[(inner > 0.0) & (inner < self.duration)]]))

    def at(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Poses and their derivatives, by the chain rule."""
        rates = self.timing.at(np.asarray(t) + self.start, side)
        return _by_time(self.piece.at(np.clip(rates.s - self.offset, 0.0, self.piece.length)), rates)

    @staticmethod
    def together(pieces: Sequence[Along]) -> Callable[[np.ndarray, np.ndarray, Side], MotionState]:
        """Several such pieces as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        timings, which = distinct(own.timing for own in pieces)
        timed, along = together(timings), together([own.piece for own in pieces])
        start, offset = (np.array([getattr(own, name) for own in pieces]) for name in ("start", "offset"))
        length = np.array([own.piece.length for own in pieces])

        def at(index: np.ndarray, t: np.ndarray, side: Side) -> MotionState:
            rates = Rates(*timed(which[index], t + start[index], side))
            return _by_time(along(index, np.clip(rates.s - offset[index], 0.0, length[index])), rates)

        return at

    def path(self) -> Path:
        """The piece of the path."""
        return Path((self.piece,))


@final
@dataclass(frozen=True, eq=False)
class Changed:
    """Another piece at another rate, elsewhere, or bound to its instants.

    Attributes:
        piece: the piece.
        rate: how much of the piece's own time passes in one second: 0.5 runs it at half the speed, -1 backwards.
        placement: turn and shift in the workspace, if any.
        synchronized: whether its instants are those of something that moves, such as an item on a belt.
    """

    piece: MotionPiece
    rate: float = 1.0
    placement: Placement | None = None
    synchronized: bool = False

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return self.piece.duration / abs(self.rate)

    @property
    def knots(self) -> np.ndarray:
        """Knots of the piece in the new time (s)."""
        return np.sort(self._own_zero + self.piece.knots / self.rate)

    @property
    def _own_zero(self) -> float:
        return self.duration if self.rate < 0.0 else 0.0

    def at(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Poses and their derivatives."""
        side = side if self.rate > 0.0 else opposite(side)
        own = self.piece.at((np.asarray(t) - self._own_zero) * self.rate, side)
        state = MotionState(*(value * self.rate**k for k, value in enumerate(own)))
        return state if self.placement is None else MotionState(*self.placement.rates(state))

    @staticmethod
    def together(pieces: Sequence[Changed]) -> Callable[[np.ndarray, np.ndarray, Side], MotionState]:
        """Several changed pieces as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        inner, (placements, which) = together([own.piece for own in pieces]), distinct(own.placement for own in pieces)
        rate, zero = np.array([own.rate for own in pieces]), np.array([own._own_zero for own in pieces])

        def at(index: np.ndarray, t: np.ndarray, side: Side) -> MotionState:
            own = (t - zero[index]) * rate[index]

            def run(backwards: int, here: Places) -> Sequence[np.ndarray]:
                return inner(index[here], own[here], opposite(side) if backwards else side)

            state = gathered((rate[index] < 0.0).astype(int), run)
            state = [value * rate[index, None] ** k for k, value in enumerate(state)]

            def moved(i: int, here: Places) -> Sequence[np.ndarray]:
                own, placement = [value[here] for value in state], placements[i]
                return own if placement is None else placement.rates(own)

            return MotionState(*(state if placements == [None] else gathered(which[index], moved)))

        return at

    def path(self) -> Path:
        """That of the piece, turned and moved, from its end where it runs backwards."""
        if self.synchronized:
            raise MotionError(
                "the motion meets something that moves, so that its path depends on its timing; plan it with "
                'timing = "fastest" instead'
            )
        path = path_of(self.piece)
        if self.placement is not None:
            path = Path(tuple(placed_piece(part, self.placement) for part in path.pieces))
        return path if self.rate > 0.0 else path.reversed()


def _by_time(path: Sequence[np.ndarray], rates: Rates) -> MotionState:
    """Points of a path with their derivatives by time, from those by the length and those of the length by time."""
    x, d1, d2, d3 = path
    v, a, j = (value[..., None] for value in rates[1:])
    return MotionState(x, d1 * v, d2 * v**2 + d1 * a, d3 * v**3 + 3 * d2 * v * a + d1 * j)


def retimed(piece: MotionPiece, rate: float) -> MotionPiece:
    """A piece at another rate, see `Changed`; the piece itself where a change takes the one before back.

    Args:
        rate: how many times as fast.
    """
    whole = replace(piece, rate=rate * piece.rate) if isinstance(piece, Changed) else Changed(piece, rate)
    unchanged = whole.rate == 1.0 and whole.placement is None and not whole.synchronized
    return whole.piece if unchanged else whole


def is_synchronized(piece: MotionPiece) -> bool:
    """Whether the instants of a piece are those of something that moves."""
    return isinstance(piece, Changed) and (piece.synchronized or is_synchronized(piece.piece))
