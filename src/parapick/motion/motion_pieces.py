"""What motions are made of: pieces that know pose, velocity, acceleration and jerk exactly at any time.

`Strokes` adds strokes that may overlap, each a vector times a time law; `Along` runs along a path by a timing;
`Retimed` and `Placed` are another piece run backwards or slower, turned or moved; `Synchronized` is one whose instants
are those of something that moves. A new kind of piece is a new class with the members of `MotionPiece`, and with those
of `OnPath` if its path can be timed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, final, runtime_checkable

import numpy as np

from parapick.motion.errors import MotionError
from parapick.motion.path import Path, PathPiece, placed_piece
from parapick.motion.piecewise import Side
from parapick.motion.placement import Placement
from parapick.motion.profile import Rates


class State(NamedTuple):
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
    def dof(self) -> int:
        """Length of the task vector."""
        ...

    @property
    def knots(self) -> np.ndarray:
        """Times (s) from the start of the piece where its formula changes, both ends included."""
        ...

    def at(self, t: np.ndarray, side: Side = "right") -> State:
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

    def length(self, t: float) -> float:
        """Length of the path (m) that is covered at a time.

        Args:
            t: time from the start of the piece (s).
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


def stated(piece: MotionPiece) -> OnPath:
    """The piece as one that states its path.

    Args:
        piece: the piece.

    Raises:
        MotionError: it is of a kind that states none.
    """
    if not isinstance(piece, OnPath):
        raise MotionError(
            f"a piece of the kind {type(piece).__name__} has no path that could be timed again; sample the motion and "
            "give Route.through its times and poses"
        )
    return piece


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
    def dof(self) -> int:
        """Length of the task vector."""
        return self.piece.dof

    @property
    def knots(self) -> np.ndarray:
        """Corners of the timing within the piece (s)."""
        inner = np.asarray(self.timing.corners) - self.start
        return np.unique(np.concatenate([[0.0, self.duration], inner[(inner > 0.0) & (inner < self.duration)]]))

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives, by the chain rule."""
        s, sd, sdd, sddd = self.timing.at(np.asarray(t) + self.start, side)
        x, d1, d2, d3 = self.piece.at(np.clip(s - self.offset, 0.0, self.piece.length))
        v, a, j = sd[..., None], sdd[..., None], sddd[..., None]
        return State(x, d1 * v, d2 * v**2 + d1 * a, d3 * v**3 + 3 * d2 * v * a + d1 * j)

    def path(self) -> Path:
        """The piece of the path."""
        return Path((self.piece,))

    def length(self, t: float) -> float:
        """What the timing says (m)."""
        covered = float(self.timing.at(np.array(t + self.start)).s) - self.offset
        return min(max(covered, 0.0), self.piece.length)


@final
@dataclass(frozen=True, eq=False)
class Retimed:
    """Another piece at another rate: 0.5 runs it at half the speed, -1 backwards.

    Attributes:
        piece: the piece.
        rate: how much of the piece's own time passes in one second; not zero.
    """

    piece: MotionPiece
    rate: float

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return self.piece.duration / abs(self.rate)

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.piece.dof

    @property
    def knots(self) -> np.ndarray:
        """Knots of the piece in the new time (s)."""
        return np.sort(self._own_zero + self.piece.knots / self.rate)

    @property
    def _own_zero(self) -> float:
        return self.duration if self.rate < 0.0 else 0.0

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives."""
        if self.rate < 0.0:
            side = "left" if side == "right" else "right"
        state = self.piece.at((np.asarray(t) - self._own_zero) * self.rate, side)
        return State(*(value * self.rate**k for k, value in enumerate(state)))

    def path(self) -> Path:
        """That of the piece, from its end where it runs backwards."""
        path = stated(self.piece).path()
        return path if self.rate > 0.0 else path.reversed()

    def length(self, t: float) -> float:
        """What the piece has covered (m), or what it has yet to cover where it runs backwards."""
        piece = stated(self.piece)
        covered = piece.length((t - self._own_zero) * self.rate)
        return covered if self.rate > 0.0 else piece.path().length - covered


@final
@dataclass(frozen=True, eq=False)
class Placed:
    """Another piece, turned and moved in the workspace.

    Attributes:
        piece: the piece.
        placement: turn and shift.
    """

    piece: MotionPiece
    placement: Placement

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return self.piece.duration

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.piece.dof

    @property
    def knots(self) -> np.ndarray:
        """Knots of the piece (s)."""
        return self.piece.knots

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives."""
        x, *derivatives = self.piece.at(t, side)
        return State(self.placement.points(x), *(self.placement.vectors(value) for value in derivatives))

    def path(self) -> Path:
        """That of the piece, turned and moved."""
        return Path(tuple(placed_piece(part, self.placement) for part in stated(self.piece).path().pieces))

    def length(self, t: float) -> float:
        """What the piece has covered (m)."""
        return stated(self.piece).length(t)


@final
@dataclass(frozen=True, eq=False)
class Synchronized:
    """Another piece whose instants are those of something that moves, such as an item on a belt.

    Attributes:
        piece: the piece.
    """

    piece: MotionPiece

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return self.piece.duration

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.piece.dof

    @property
    def knots(self) -> np.ndarray:
        """Knots of the piece (s)."""
        return self.piece.knots

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives."""
        return self.piece.at(t, side)

    def path(self) -> Path:
        """Raise: at other times the plate would miss what it meets."""
        raise MotionError(
            "the motion meets something that moves, so that its path depends on its timing; plan it with "
            'timing = "fastest" instead'
        )

    def length(self, t: float) -> float:
        """What the piece has covered (m)."""
        return stated(self.piece).length(t)


def is_synchronized(piece: MotionPiece) -> bool:
    """Whether the instants of a piece are those of something that moves.

    Args:
        piece: the piece.
    """
    if isinstance(piece, (Retimed, Placed)):
        return is_synchronized(piece.piece)
    return isinstance(piece, Synchronized)
