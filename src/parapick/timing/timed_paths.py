"""Paths and routes on their way to a motion: the stretches that must be timed, and what their profiles make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, final

from parapick.errors import ParapickError
from parapick.model.payload import Load
from parapick.motion.errors import LimitError, MotionError, StrokeError
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import MotionPiece, retimed
from parapick.motion.path import Path
from parapick.motion.route import Route, RoutePosition, Stretch
from parapick.timing.grid import first_grid
from parapick.timing.jerk import check_smooth, jerk_bounded
from parapick.timing.limits_along import PathLimits
from parapick.timing.refinement import Course, TimedStretch
from parapick.timing.timing_steps import Steps, steps_along

if TYPE_CHECKING:
    from parapick.model import Model


@final
@dataclass(frozen=True, eq=False)
class Run:
    """A path that is run through, with stops where it turns sharply.

    Attributes:
        path: the path.
        courses: its stretches between stops.
        j_max: largest jerk of the plate (m/s3).
    """

    path: Path
    courses: tuple[Course, ...]
    j_max: float

    @staticmethod
    def of(limits: PathLimits, j_max: float, path: Path, speeds: tuple[float, float] = (0.0, 0.0)) -> Run:
        """A run from one speed to another (m/s); raises for what cannot be timed at all."""
        _check_path(limits.model, path)
        if not limits.limited and limits.a_max == math.inf:
            raise LimitError("a_max", "without torques it is what bounds the acceleration; give it")
        if not all(0.0 <= value < math.inf for value in speeds):
            raise LimitError("end_speeds", f"are {speeds[0]:g} and {speeds[1]:g} m/s; they must be 0 or greater")
        stops = path.stops()
        ends = [speeds[0], *[0.0] * (len(stops) - 2), speeds[1]]
        courses = [
            Course(limits, path, pieces, both) for pieces, both in zip(pairwise(stops), pairwise(ends), strict=True)
        ]
        for course in courses if j_max < math.inf else ():
            check_smooth(first_grid(path, *course.pieces))
        return Run(path, tuple(courses), j_max)

    def pieces(self, timed: Iterator[TimedStretch | ParapickError]) -> tuple[MotionPiece, ...]:
        """The path by the profiles of its stretches; raises the first of their errors."""
        steps = []
        for course, stretch in zip(self.courses, list(islice(timed, len(self.courses))), strict=True):
            if isinstance(stretch, ParapickError):
                raise stretch
            bounded = self.j_max < math.inf
            steps.append(
                jerk_bounded(course, stretch, self.j_max)
                if bounded
                else Steps.of_squares(stretch.grid.nodes, stretch.u)
            )
        return steps_along(self.path, Steps.joined(steps))


@final
@dataclass(frozen=True, eq=False)
class Job:
    """A motion that is asked for.

    Attributes:
        runs: the paths that have to be timed for it.
        motion: makes it from them.
    """

    runs: tuple[Run, ...]
    motion: Callable[[Sequence[tuple[MotionPiece, ...]]], Motion]

    def timed(self, timed: Iterator[TimedStretch | ParapickError]) -> Motion | ParapickError:
        """The motion by the profiles of its courses, which are taken from those of all; or why there is none."""
        own = list(islice(timed, sum(len(run.courses) for run in self.runs)))
        profiles = iter(own)
        try:
            return self.motion([run.pieces(profiles) for run in self.runs])
        except ParapickError as error:
            return error


def path_job(
    limits: PathLimits, j_max: float, path: Path, speeds: tuple[float, float], name: str, payload: Load | None
) -> Job:
    """The motion along a path with one phase; what is carried is in the model of the limits already."""

    def motion(runs: Sequence[tuple[MotionPiece, ...]]) -> Motion:
        motion = Motion(runs[0]).named(name)
        return motion.carrying(payload, 0.0, motion.duration) if payload else motion

    return Job((Run.of(limits, j_max, path, speeds),), motion)


def route_job(limits: PathLimits, j_max: float, route: Route) -> Job:
    """The motion along a route, of which stretches that are alike are timed once."""
    # A way back takes as long as the way there if torques are the same at negated velocities.
    lossless = not limits.limited or not (limits.motors.jumping or limits.motors.viscous.any())
    distinct: list[Stretch] = []
    sources: dict[int, tuple[int, bool]] = {}
    for number, part in enumerate(route.parts):
        if not part.resting:
            known = _known(part, distinct, lossless=lossless)
            distinct += [part] if known is None else []
            sources[number] = known or (len(distinct) - 1, False)

    def motion(timed: Sequence[tuple[MotionPiece, ...]]) -> Motion:
        runs = [part.pieces if part.resting else () for part in route.parts]
        for number, (source, back) in sources.items():
            there = timed[source]
            runs[number] = tuple(retimed(piece, -1.0) for piece in reversed(there)) if back else there

        def when(place: RoutePosition) -> float:
            part = route.parts[place.part]
            return place.at if part.resting else Stretch(runs[place.part]).time(part.length(place.at))

        return route.timed(runs, when)

    models = [limits.model.carrying(part.load) if part.load else limits.model for part in distinct]
    runs = [
        Run.of(replace(limits, model=model), j_max, part.path) for part, model in zip(distinct, models, strict=True)
    ]
    return Job(tuple(runs), motion)


def _known(stretch: Stretch, timed: Sequence[Stretch], *, lossless: bool) -> tuple[int, bool] | None:
    """Which of the stretches that are timed is this one, or its way back; None where none is."""
    pieces = stretch.path.pieces
    for number, other in enumerate(timed):
        if other.load == stretch.load:
            if other.path.pieces == pieces:
                return number, False
            if lossless and other.path.reversed().pieces == pieces:
                return number, True
    return None


def _check_path(model: Model, path: Path) -> None:
    """Raise if a path has no length, or another number of coordinates than the robot."""
    if not path.pieces or not 0.0 < path.length < math.inf:
        raise StrokeError("the path", path.length if path.pieces else 0.0)
    if path.dof != model.robot.dof:
        raise MotionError(
            f"the path has {path.dof} coordinates; {model.robot.name} has {model.robot.dof}: "
            f"{', '.join(model.robot.task_names)}"
        )
