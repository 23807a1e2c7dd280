"""Strokes that may overlap, as a piece of a motion that knows its path.

Between two knots a single stroke leads along a line, and so do several along one direction; strokes in different
directions lead along a curve. Their velocities at looks between the knots say which it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.motion.errors import MotionError
from parapick.motion.motion_pieces import MotionState
from parapick.motion.path import STRAIGHT, Line, Path
from parapick.motion.profile import Profile, Side
from parapick.motion.timed_curve import TimedCurve
from parapick.motion.together import distinct

# Speeds (m/s, rad/s), lengths (m) and times (s) that are rounding.
_STILL: Final = 1e-12
# Share of the largest velocity that is rounding of sums of strokes, such as what is left of one and its negative.
_ROUNDING: Final = 1e-12
# Shares of the time between two knots at which the direction is looked at: more than a law's polynomial has powers, so
# that none keeps its direction at all of them and not between.
_SHARES: Final = (np.arange(24) + 0.5) / 24


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


@final
@dataclass(frozen=True, eq=False)
class _Ranked:
    """The first strokes of several pieces, or the second ones, and so on.

    Attributes:
        profiles: the profiles that occur.
        which: profile of every piece (n,); -1 where it has no such stroke.
        starts: when they begin (n,), s.
        durations: how long they last (n,), s.
        vectors: what they add (n, dof).
    """

    profiles: Sequence[Profile]
    which: np.ndarray
    starts: np.ndarray
    durations: np.ndarray
    vectors: np.ndarray

    @staticmethod
    def of(strokes: Sequence[Sequence[Stroke]]) -> _Ranked:
        """One stroke of every piece, or none (n)."""
        every = [stroke for own in strokes for stroke in own]
        has = np.array([len(own) for own in strokes], dtype=bool)
        profiles, numbers = distinct(stroke.profile for stroke in every)
        which, starts, durations = np.full(len(has), -1), np.zeros(len(has)), np.ones(len(has))
        vectors = np.zeros((len(has), len(every[0].vector)))
        which[has], vectors[has] = numbers, [stroke.vector for stroke in every]
        starts[has], durations[has] = np.array([(stroke.start, stroke.duration) for stroke in every]).T
        return _Ranked(profiles, which, starts, durations, vectors)

    def add(self, state: MotionState, index: np.ndarray, t: np.ndarray, side: Side) -> None:
        """Add the strokes of the pieces (N,) at times (N,), s, to their states."""
        which = self.which[index]
        for number, profile in enumerate(self.profiles):
            here = np.flatnonzero(which == number)
            own = index[here]
            durations = self.durations[own]
            for order, value in enumerate(profile.at((t[here] - self.starts[own]) / durations, side)):
                state[order][here] += (value / durations**order)[:, None] * self.vectors[own]


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
    def knots(self) -> np.ndarray:
        """Starts, corners and ends of the strokes (s)."""
        times = [stroke.start + stroke.duration * stroke.profile.corners for stroke in self.strokes]
        inner = np.concatenate([np.zeros(0), *times])
        return np.unique(np.concatenate([[0.0, self.duration], inner[(inner > 0.0) & (inner < self.duration)]]))

    def at(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Poses and their derivatives: the sum over the strokes."""
        state = MotionState(*np.zeros((4, *np.shape(t), len(self.origin))))
        state.x[...] = self.origin
        if self.velocity:
            state.x[...] += np.asarray(t)[..., None] * np.array(self.velocity)
            state.xd[...] = self.velocity
        for profile, starts, durations, vectors in self._alike:
            rates = profile.at((np.asarray(t)[..., None] - starts) / durations, side)
            for order, value in enumerate(rates):
                state[order][...] += value @ (vectors / durations[:, None] ** order)
        return state

    @staticmethod
    def together(pieces: Sequence[Strokes]) -> Callable[[np.ndarray, np.ndarray, Side], MotionState]:
        """Several such pieces as one function; see `parapick.motion.together`.

        Args:
            pieces: those that it is of, in the order of the index.
        """
        origins = np.array([own.origin for own in pieces], dtype=float)
        velocities = np.array([own.velocity or np.zeros(origins.shape[1]) for own in pieces])
        most = max(len(own.strokes) for own in pieces)
        ranks = [_Ranked.of([own.strokes[rank : rank + 1] for own in pieces]) for rank in range(most)]

        def at(index: np.ndarray, t: np.ndarray, side: Side) -> MotionState:
            state = MotionState(*np.zeros((4, len(t), origins.shape[1])))
            state.x[...] = origins[index] + t[:, None] * velocities[index]
            state.xd[...] = velocities[index]
            for rank in ranks:
                rank.add(state, index, t, side)
            return state

        return at

    @cached_property
    def _alike(self) -> list[tuple[Profile, np.ndarray, np.ndarray, np.ndarray]]:
        """Strokes of one profile together, which is asked once for all: starts and durations (k,), vectors (k, dof)."""
        groups: dict[int, list[Stroke]] = {}
        for stroke in self.strokes:
            groups.setdefault(id(stroke.profile), []).append(stroke)
        return [
            (
                own[0].profile,
                np.array([stroke.start for stroke in own]),
                np.array([stroke.duration for stroke in own]),
                np.array([stroke.vector for stroke in own]),
            )
            for own in groups.values()
        ]

    def path(self) -> Path:
        """Lines where strokes lead in one direction, curves where they overlap in several.

        Raises:
            MotionError: the plate rests between strokes or turns on the spot.
        """
        return self._path

    @cached_property
    def _path(self) -> Path:
        parts = self._parts()
        pieces = tuple(part for part in parts if part is not None)
        if pieces and len(pieces) < len(parts):
            raise MotionError(
                f"the plate rests within a piece of {self.duration:g} s; make the rest a piece of its own"
            )
        return Path(pieces)

    def _parts(self) -> list[Line | TimedCurve | None]:
        """The path by its parts, None for a rest; neighbours at rest, on one line or of one smooth curve are one."""
        knots = self.knots
        # Ends of strokes that should meet may miss each other by rounding.
        knots = knots[np.append(True, np.diff(knots) > _STILL)]
        x, smooth = self.at(knots).x, self._smooth(knots)
        velocities = self.at(knots[:-1, None] + np.diff(knots)[:, None] * _SHARES).xd
        kinds = [_is_straight(velocity, pose) for velocity, pose in zip(velocities, x, strict=False)]

        def goes_on(i: int) -> bool:
            """Whether the plate goes on from knot i as it came."""
            if kinds[i - 1] is not kinds[i]:
                return False
            return kinds[i] is None or (_one_line(*x[i - 1 : i + 2]) if kinds[i] else bool(smooth[i]))

        bounds = [0, *(i for i in range(1, len(kinds)) if not goes_on(i)), len(kinds)]

        def part(first: int, last: int) -> Line | TimedCurve | None:
            if kinds[first]:
                return Line(tuple(x[first].tolist()), tuple(x[last].tolist()))
            return None if kinds[first] is None else TimedCurve(self, tuple(knots[first : last + 1].tolist()))

        return [part(first, last) for first, last in itertools.pairwise(bounds)]

    def _smooth(self, t: np.ndarray) -> np.ndarray:
        """Where neither direction nor curvature jumps: the plate moves there, and its acceleration does not jump."""
        left, right = self.at(t, "left"), self.at(t, "right")
        size = np.maximum(np.abs(left.xdd).max(axis=-1), np.abs(right.xdd).max(axis=-1))
        moving = np.linalg.norm(left.xd[..., :3], axis=-1) > _STILL
        return moving & (np.abs(right.xdd - left.xdd).max(axis=-1) <= STRAIGHT * size)


def _is_straight(velocities: np.ndarray, pose: np.ndarray) -> bool | None:
    """Whether the plate goes straight on and never back, by its velocities (looks, dof) from a pose; None at rest."""
    if np.abs(velocities).max() <= _STILL:
        return None
    speeds = np.linalg.norm(velocities[:, :3], axis=1)
    if speeds.max() <= _STILL:
        here = ", ".join(f"{value:.4g}" for value in pose)
        raise MotionError(f"the plate turns on the spot at ({here}): a path by its length cannot say so")
    direction = velocities[int(np.argmax(speeds))] / speeds.max()
    along = velocities[:, :3] @ direction[:3]
    across = velocities - along[:, None] * direction
    return bool(max(np.abs(across).max(), -along.min()) <= _ROUNDING * speeds.max())


def hold_piece(pose: Sequence[float], duration: float) -> Strokes:
    """A piece at rest at a pose (m, rad) for a duration (s)."""
    return Strokes(tuple(float(value) for value in pose), float(duration))


def _one_line(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> bool:
    """Whether the way from b to c goes on as that from a to b did; one of hardly any length goes anywhere."""
    lengths = [float(np.linalg.norm((end - start)[:3])) for start, end in ((a, b), (b, c))]
    if min(lengths) <= _STILL:
        return False
    turn = (c - b) / lengths[1] - (b - a) / lengths[0]
    # Directions of short lines are known as well as their ends.
    return bool(np.abs(turn).max() <= STRAIGHT + _STILL / min(lengths))
