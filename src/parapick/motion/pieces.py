"""What motions are made of: pieces that know pose, velocity, acceleration and jerk exactly at any time.

`Strokes` adds strokes that may overlap, each a vector times a time law; `Along` runs along a path by a timing;
`Retimed` and `Placed` are another piece run backwards or slower, turned or moved. A new kind of piece is a new class
with the same four members.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, final

import numpy as np

from parapick.motion.path import PathPiece
from parapick.motion.piecewise import Side
from parapick.motion.placement import Placement
from parapick.motion.profile import Profile, Rates

__all__ = ["Along", "MotionPiece", "Placed", "Retimed", "State", "Stroke", "Strokes", "Timing", "hold_piece"]


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


def hold_piece(pose: Sequence[float], duration: float) -> Strokes:
    """A piece at rest.

    Args:
        pose: task vector (m, rad).
        duration: how long (s).
    """
    return Strokes(tuple(float(value) for value in pose), float(duration))


@final
@dataclass(frozen=True, eq=False)
class Along:
    """A smooth piece of a path, run through by a stretch of a timing.

    Attributes:
        path: the piece.
        offset: length of the whole path before it (m).
        timing: timing of the whole path.
        start: when the piece is entered (s of the timing).
        duration: how long it takes (s).
    """

    path: PathPiece
    offset: float
    timing: Timing
    start: float
    duration: float

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.path.dof

    @property
    def knots(self) -> np.ndarray:
        """Corners of the timing within the piece (s)."""
        inner = np.asarray(self.timing.corners) - self.start
        return np.unique(np.concatenate([[0.0, self.duration], inner[(inner > 0.0) & (inner < self.duration)]]))

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives, by the chain rule."""
        s, sd, sdd, sddd = self.timing.at(np.asarray(t) + self.start, side)
        x, d1, d2, d3 = self.path.at(np.clip(s - self.offset, 0.0, self.path.length))
        v, a, j = sd[..., None], sdd[..., None], sddd[..., None]
        return State(x, d1 * v, d2 * v**2 + d1 * a, d3 * v**3 + 3 * d2 * v * a + d1 * j)


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
        """Those of the piece, in the new time (s)."""
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
        """Those of the piece (s)."""
        return self.piece.knots

    def at(self, t: np.ndarray, side: Side = "right") -> State:
        """Poses and their derivatives."""
        x, *derivatives = self.piece.at(t, side)
        return State(self.placement.points(x), *(self.placement.vectors(value) for value in derivatives))
