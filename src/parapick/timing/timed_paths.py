"""Routes on their way to a motion: the stretches that must be timed, and the motion that their profiles make."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import final

import numpy as np

from parapick.errors import MotionError, ParapickError
from parapick.mechanism import NOTHING
from parapick.motion import (
    LimitError,
    Motion,
    MotionPiece,
    Path,
    Route,
    RoutePosition,
    Stretch,
    StrokeError,
    retimed,
)
from parapick.timing.grid import first_grid
from parapick.timing.jerk import jerk_bounded
from parapick.timing.jerk_bounds import JerkBounds
from parapick.timing.limits_along import PathLimits
from parapick.timing.refinement import Course, TimedStretch
from parapick.timing.timing_steps import Steps, steps_along


def courses_of(limits: PathLimits, path: Path, speeds: tuple[float, float] = (0.0, 0.0)) -> list[Course]:
    """The stretches of a path between stops, from one speed to another (m/s); raises where it cannot be timed."""
    robot = limits.model.robot
    if not path.pieces or not 0.0 < path.length < math.inf:
        raise StrokeError("the path", path.length if path.pieces else 0.0)
    if path.dof != robot.dof:
        names = ", ".join(robot.task_names)
        raise MotionError(f"the path has {path.dof} coordinates; {robot.name} has {robot.dof}: {names}")
    if not limits.bounded:
        raise LimitError("a_max", "without torques it is what bounds the acceleration; give it")
    if not all(0.0 <= value < math.inf for value in speeds):
        raise LimitError("end_speeds", f"are {speeds[0]:g} and {speeds[1]:g} m/s; they must be 0 or greater")
    stops = path.stops()
    ends = [speeds[0], *[0.0] * (len(stops) - 2), speeds[1]]
    return [Course(limits, path, pieces, both) for pieces, both in zip(pairwise(stops), pairwise(ends), strict=True)]


@final
@dataclass(frozen=True, eq=False)
class RouteTiming:
    """A route and what of it has to be timed; stretches that are alike are timed once.

    Attributes:
        route: the route.
        runs: the courses of each stretch that is timed.
        sources: for every part but rests which run is its, and whether it is its way back.
        j_max: largest jerk of the plate (m/s3).
    """

    route: Route
    runs: tuple[list[Course], ...]
    sources: dict[int, tuple[int, bool]]
    j_max: float

    @staticmethod
    def of(limits: PathLimits, j_max: float, route: Route, speeds: tuple[float, float]) -> RouteTiming:
        """The timing of a route, of which each stretch starts and ends at given speeds (m/s)."""
        # A way back takes as long as the way there if torques are the same at negated velocities.
        lossless = not limits.limited or not (limits.motors.jumping or limits.motors.viscous.any())
        distinct: list[Stretch] = []
        sources: dict[int, tuple[int, bool]] = {}
        for number, part in enumerate(route.parts):
            if not part.resting:
                known = _known(part, distinct, lossless=lossless)
                distinct += [part] if known is None else []
                sources[number] = known or (len(distinct) - 1, False)
        models = [limits.model.with_payload(part.load or NOTHING) for part in distinct]
        held = [replace(limits, model=model) for model in models]
        runs = [courses_of(own, part.path, speeds) for own, part in zip(held, distinct, strict=True)]
        for course in (course for run in runs for course in run):
            bounds = JerkBounds.of(course.limits, j_max)
            if bounds.bounded:
                bounds.check_smooth(first_grid(course.path, *course.pieces))
        return RouteTiming(route, tuple(runs), sources, j_max)

    @property
    def smooth(self) -> bool:
        """Whether the jerk of the plate or of a joint has a bound."""
        return any(JerkBounds.of(course.limits, self.j_max).bounded for run in self.runs for course in run)

    @property
    def often(self) -> np.ndarray:
        """How often each course is run through in the route (courses,), its way back with it."""
        counts = np.zeros(len(self.runs))
        for source, _ in self.sources.values():
            counts[source] += 1.0
        return np.repeat(counts, [len(run) for run in self.runs])

    @property
    def resting(self) -> float:
        """Time of all rests of the route (s)."""
        return sum(part.extent for part in self.route.parts if part.resting)

    def motion(self, timed: Sequence[TimedStretch | ParapickError]) -> Motion:
        """The motion by the profiles of all courses, one after the other; raises the first of their errors."""
        remaining = iter(timed)
        there = [self._pieces([(course, next(remaining)) for course in run]) for run in self.runs]
        runs = [part.pieces if part.resting else () for part in self.route.parts]
        for number, (source, back) in self.sources.items():
            pieces = there[source]
            runs[number] = tuple(retimed(piece, -1.0) for piece in reversed(pieces)) if back else pieces

        def when(place: RoutePosition) -> float:
            part, run = self.route.parts[place.part], runs[place.part]
            if part.resting or place.at == 0.0:
                return place.at
            whole = place.at == part.extent
            return sum(piece.duration for piece in run) if whole else Stretch(run).time(part.length(place.at))

        return self.route.timed(runs, when)

    def _pieces(self, timed: Sequence[tuple[Course, TimedStretch | ParapickError]]) -> tuple[MotionPiece, ...]:
        steps = []
        for course, stretch in timed:
            if isinstance(stretch, ParapickError):
                raise stretch
            bounds, squares = JerkBounds.of(course.limits, self.j_max), (stretch.grid.nodes, stretch.u)
            steps.append(jerk_bounded(course, stretch, bounds) if bounds.bounded else Steps.of_squares(*squares))
        return steps_along(timed[0][0].path, Steps.joined(steps))


def _known(stretch: Stretch, timed: Sequence[Stretch], *, lossless: bool) -> tuple[int, bool] | None:
    """Which of the stretches that are timed is this one, or its way back; None where none is."""
    pieces = stretch.path.pieces
    for number, other in enumerate(timed):
        if (other.load or NOTHING) == (stretch.load or NOTHING):
            if other.path.pieces == pieces:
                return number, False
            if lossless and other.path.reversed().pieces == pieces:
                return number, True
    return None
