"""Routes: where a task leads the plate, where it rests and what it carries; a time law or a robot's motors say when.

A route is stretches of path from rest to rest, with rests between them. A stretch that has a time law knows how the law
runs through it, so that `by_law` makes the motion; every stretch has a path, which `parapick.timing.fastest` times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.mechanism import Load, Payload
from parapick.motion.errors import MotionError
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import MotionPiece, path_of, retimed
from parapick.motion.path import Path
from parapick.motion.series import PayloadStep, Phase
from parapick.motion.splines import sampled_pieces
from parapick.motion.strokes import hold_piece
from parapick.motion.timed_curve import lengths_covered
from parapick.roots import bisected

# A plate slower than this (m/s, rad/s) stands still: rounding of a law's end is far below.
_STILL: Final = 1e-9
# An instant met to this distance (s) is meant exactly.
_INSTANT: Final = 1e-9
# Share of the length of a stretch within which a place is where one of its pieces begins.
_AT_BORDER: Final = 1e-9


@final
@dataclass(frozen=True, eq=False)
class Stretch:
    """A stretch of a route, from rest to rest, or a rest.

    Attributes:
        course: pieces of a motion by a time law, which know their path; or a path that has no law.
        load: the payload that is carried, which may be nothing yet; None where the tool stays empty in any case.
    """

    course: Path | tuple[MotionPiece, ...]
    load: Payload | None = None

    @cached_property
    def path(self) -> Path:
        """Where it leads; a path without pieces at rest."""
        if isinstance(self.course, Path):
            return self.course
        return Path(tuple(part for piece in self.course for part in path_of(piece).pieces))

    @property
    def resting(self) -> bool:
        """Whether it is a rest."""
        return not isinstance(self.course, Path) and not self.path.pieces

    @property
    def pieces(self) -> tuple[MotionPiece, ...]:
        """How its law runs through it.

        Raises:
            MotionError: it has no law.
        """
        if isinstance(self.course, Path):
            raise MotionError(f"a stretch of {self.path.length:.6g} m has no time law; time its route with `fastest`")
        return self.course

    @property
    def extent(self) -> float:
        """How long it is: its duration by its law (s), or its length where it has none (m)."""
        return self.course.length if isinstance(self.course, Path) else float(self._times[-1])

    @cached_property
    def _times(self) -> np.ndarray:
        """When its pieces begin, and the end of the last (n + 1,), s."""
        return np.cumsum([0.0, *(piece.duration for piece in self.pieces)])

    @cached_property
    def _lengths(self) -> np.ndarray:
        """Lengths at which its pieces begin, and the whole at the end (n + 1,), m."""
        return np.cumsum([0.0, *(path_of(piece).length for piece in self.pieces)])

    def length(self, at: float) -> float:
        """Length of the path (m) up to a place.

        Args:
            at: the place: an instant of its law (s), or a length where it has none (m).
        """
        if isinstance(self.course, Path):
            return at
        i = int(np.clip(np.searchsorted(self._times, at, side="right") - 1, 0, len(self.course) - 1))
        piece, time = self.course[i], at - float(self._times[i])
        before = piece.knots[piece.knots < time]
        covered = lengths_covered(piece, np.append(before, min(time, piece.duration)))[-1] if len(before) else 0.0
        return min(float(self._lengths[i] + covered), float(self._lengths[i + 1]))

    def time(self, length: float) -> float:
        """When its law reaches a length (s).

        Args:
            length: length of the path (m).
        """
        border = np.abs(self._lengths - length) <= _AT_BORDER * self._lengths[-1]
        if border.any():
            return float(self._times[int(np.argmax(border))])
        i = int(np.clip(np.searchsorted(self._lengths, length) - 1, 0, len(self.pieces) - 1))
        piece, rest = self.pieces[i], length - float(self._lengths[i])
        at_knots, knots = lengths_covered(piece, piece.knots), piece.knots
        k = int(np.clip(np.searchsorted(at_knots, rest) - 1, 0, len(knots) - 2))

        def before(t: np.ndarray) -> bool:
            return bool(at_knots[k] + lengths_covered(piece, np.array([knots[k], float(t)]))[-1] < rest)

        _, time = bisected(before, knots[k], knots[k + 1])
        return float(self._times[i] + time)

    def reversed(self) -> Stretch:
        """The stretch from its end to its start; a rest is its own."""
        if isinstance(self.course, Path):
            return replace(self, course=self.course.reversed())
        return self if self.resting else replace(self, course=tuple(retimed(p, -1.0) for p in reversed(self.course)))


class RoutePosition(NamedTuple):
    """A place on a route: its part, and where on it: an instant of its law (s) or, without one, a length (m)."""

    part: int
    at: float


class Mark(NamedTuple):
    """A named stretch of a route, such as `lift`, from place to place; those of different names may overlap."""

    name: str
    start: RoutePosition
    end: RoutePosition


@final
@dataclass(frozen=True, eq=False)
class Route:
    """What a task gives: stretches of path from rest to rest, rests, names, and what is carried where.

    Attributes:
        parts: stretches, rests among them, one after the other.
        marks: what parts of it are called, in the order in which they are reported.
        after: what is carried when it has ended.
    """

    parts: tuple[Stretch, ...]
    marks: tuple[Mark, ...] = ()
    after: Payload | None = None

    @staticmethod
    def along(course: Path | MotionPiece | Sequence[MotionPiece], phases: str | Sequence[Phase] = "path") -> Route:
        """A route of a single stretch, or a rest.

        Args:
            course: a path, or the pieces of a motion from rest to rest that know their path.
            phases: a name for the whole, or what instants of its law are called.
        """
        if not isinstance(course, Path):
            course = tuple(course) if isinstance(course, Sequence) else (course,)
        stretch = Stretch(course)
        named = (Phase(phases, 0.0, stretch.extent),) if isinstance(phases, str) else phases
        return Route((stretch,), tuple(Mark(p.name, RoutePosition(0, p.start), RoutePosition(0, p.end)) for p in named))

    @staticmethod
    def resting(pose: Sequence[float], duration: float, name: str = "dwell") -> Route:
        """A rest; a route without parts where it takes no time.

        Args:
            pose: where (m, rad).
            duration: how long (s).
            name: what it is called.
        """
        if duration == 0.0:
            return Route(())
        return Route.along(hold_piece(pose, duration), name)

    @staticmethod
    def of(motion: Motion) -> Route:
        """The route of a motion, put together from what its pieces state of their paths.

        A stretch ends where a piece begins at rest.

        Args:
            motion: the motion, from rest to rest.

        Raises:
            MotionError: a piece has no path that could be timed again, the motion does not rest at an end, or its
                payload changes on the way of a piece.
        """
        parts = tuple(_parts(motion))
        starts = np.cumsum([0.0, *(part.extent for part in parts)])
        _check_rests(motion, starts)

        def place(t: float) -> RoutePosition:
            part = int(np.clip(np.searchsorted(starts, t + _INSTANT, side="right") - 1, 0, len(parts) - 1))
            return RoutePosition(part, min(max(t - float(starts[part]), 0.0), parts[part].extent))

        marks = tuple(Mark(phase.name, place(phase.start), place(phase.end)) for phase in motion.phases)
        return Route(parts, marks, _load(motion, motion.duration))

    @staticmethod
    def through(t: ArrayLike, x: ArrayLike, name: str = "path") -> Route:
        """A route from samples, for motions that are known no better, such as those of a file of numbers.

        Its path is the curve of cubic splines through the poses by time, which start and end at rest wherever the
        plate stands still from one sample to the next.

        Args:
            t: times (N,), s, rising.
            x: poses (N, dof), m and rad; the first and the last are at rest.
            name: what the stretches are called; rests are called `dwell`.

        Raises:
            MotionError: times that do not rise, samples that do not belong together, are no finite numbers or are too
                few, or a plate that only rests or turns on the spot.
        """
        whole = Route(())
        for piece in sampled_pieces(t, x):
            whole = whole.then(Route.along(piece, name if path_of(piece).pieces else "dwell"))
        return whole

    def then(self, other: Route) -> Route:
        """This route, then another one that starts where this one ends.

        Args:
            other: the route that follows.
        """
        shift = len(self.parts)
        moved = (Mark(name, *(RoutePosition(p.part + shift, p.at) for p in ends)) for name, *ends in other.marks)
        return Route(self.parts + other.parts, (*self.marks, *moved), other.after)

    def reversed(self, names: Mapping[str, str] | None = None) -> Route:
        """The route from its end to its start, with what is carried on each of its parts.

        Args:
            names: new names by the old ones; others stay.
        """
        last, renamed = len(self.parts) - 1, names or {}

        def mirrored(place: RoutePosition) -> RoutePosition:
            return RoutePosition(last - place.part, self.parts[place.part].extent - place.at)

        marks = [Mark(renamed.get(name, name), mirrored(end), mirrored(start)) for name, start, end in self.marks]
        parts = tuple(part.reversed() for part in reversed(self.parts))
        return Route(parts, tuple(sorted(marks, key=lambda mark: mark.start)))

    def carrying(self, load: Load) -> Route:
        """The route with a load on all of its parts.

        Args:
            load: a mass (kg), a mass with its unit such as "500 g", or a `Payload`.
        """
        carried = Payload.of(load)
        return replace(self, parts=tuple(replace(part, load=carried) for part in self.parts))

    def bearing(self, load: Load) -> Route:
        """The route with a load on all of its parts, or as it is where that is nothing: a way back.

        Args:
            load: as for `carrying`.
        """
        return self.carrying(load) if Payload.of(load) else self

    def with_payload(self, load: Load | None) -> Route:
        """The route with another payload wherever it bears one; on all of its parts where it bears none.

        Args:
            load: as for `Motion.with_payload`.
        """
        if load is None:
            return self
        if all(part.load is None for part in self.parts):
            return replace(self.carrying(load), after=Payload.of(load))
        carried = Payload.of(load)
        parts = (part if part.load is None else replace(part, load=carried) for part in self.parts)
        return replace(self, parts=tuple(parts), after=None if self.after is None else carried)

    def timed(self, runs: Sequence[tuple[MotionPiece, ...]], when: Callable[[RoutePosition], float]) -> Motion:
        """The motion of a timing of the route.

        Args:
            runs: the pieces of a motion, for every part.
            when: the instant of a place from the start of its part (s).
        """
        starts = [*accumulate((sum(piece.duration for piece in run) for run in runs), initial=0.0)]
        pieces = tuple(piece for run in runs for piece in run)
        phases = tuple(
            Phase(name, *(starts[place.part] + when(place) for place in (start, end)))
            for name, start, end in self.marks
        )
        loads = [None, *(part.load for part in self.parts), self.after]
        changes = zip(starts, pairwise(loads), strict=True)
        steps = (PayloadStep(time, new) for time, (old, new) in changes if new != old)
        return Motion(pieces, phases, tuple(steps))


def by_law(route: Route) -> Motion:
    """The motion of a route by the time laws of its stretches.

    Raises:
        MotionError: a stretch has no law.
    """
    return route.timed([part.pieces for part in route.parts], lambda place: place.at)


def _parts(motion: Motion) -> Iterator[Stretch]:
    """The motion cut where a piece of it begins at rest: rests, and stretches of pieces that follow without one."""
    open_pieces: tuple[MotionPiece, ...] = ()
    opened = 0.0
    for piece, start in zip(motion.pieces, motion.starts.tolist(), strict=False):
        moving = bool(path_of(piece).pieces)
        if open_pieces and (not moving or _speed(motion, start) <= _STILL):
            yield Stretch(open_pieces, _load(motion, opened))
            open_pieces = ()
        if moving:
            opened = opened if open_pieces else start
            open_pieces += (piece,)
        else:
            yield Stretch((piece,), _load(motion, start))
    if open_pieces:
        yield Stretch(open_pieces, _load(motion, opened))


def _load(motion: Motion, t: float) -> Payload | None:
    """What the motion bears from an instant on; None where it bears nothing."""
    steps = [step.load for step in motion.bearing if step.time <= t + _INSTANT]
    return steps[-1] if steps else None


def _speed(motion: Motion, t: float) -> float:
    """Largest rate of any coordinate (m/s, rad/s); before the end, not behind it."""
    return float(np.abs(motion.at(t, "left" if t > 0.0 else "right").xd).max())


def _check_rests(motion: Motion, starts: np.ndarray) -> None:
    """Raise if the motion does not begin and end at rest, or its payload changes on the way."""
    for name, t in (("starts", 0.0), ("ends", motion.duration)):
        if _speed(motion, t) > _STILL:
            raise MotionError(
                f"the motion {name} at {_speed(motion, t):.6g} m/s; only one from rest to rest can be timed as a cycle"
            )
    for step in motion.payload:
        if np.abs(starts - step.time).min() > _INSTANT:
            raise MotionError(
                f"the payload changes at {step.time:.6g} s, on the way of a piece; it must change where a piece begins "
                "at rest"
            )
