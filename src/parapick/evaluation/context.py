"""What the sections of an evaluation share: the robot along the motion of its task, and the paces of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, final

from parapick.errors import ParapickError
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.pace import Pace, fastest_pace, own_pace, tires
from parapick.evaluation.paces import Paces, pace_or_reason
from parapick.evaluation.run import Run
from parapick.model import Model
from parapick.motion import LimitError, Motion, Route
from parapick.motors import Motors
from parapick.ride import Ride, Samples, limits_jerk
from parapick.tasks import MoveTask, PlannedTask
from parapick.timing import FastestTiming, timings_each

if TYPE_CHECKING:
    from parapick.control import Controller
    from parapick.evaluation.closed_loops import ClosedLoops
    from parapick.tasks import Task


@final
@dataclass(frozen=True, eq=False)
class Context:
    """A robot along the motion of a task.

    Attributes:
        run: the robot on the motion of the task, and what must hold there.
        task: the task; None where a motion was given.
        planned: the task as it was planned; its motion is that at its own pace, which is another one where a pace was
            asked for.
        controllers: by name, those that the task is simulated with; the usual ones if empty.
    """

    run: Run
    task: Task | None
    planned: PlannedTask
    controllers: Mapping[str, Controller] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model, motion: Motion, task: Task | None = None, planned: PlannedTask | None = None) -> Context:
        """A robot on a motion, sampled as for verdicts.

        Args:
            task: the task that it is of; None for a motion by itself.
            planned: the task as it was planned; the motion itself if not given.
        """
        planned = planned or PlannedTask(motion)
        return cls(Run.of(model, motion, planned.picks), task, planned)

    @property
    def own_motion(self) -> Motion:
        """The motion at the task's own pace."""
        return self.planned.motion

    @property
    def items(self) -> int:
        """Items of a pattern, or of a belt; 1 where the task is no such."""
        picks = self.planned.picks
        return 1 if picks is None else picks.picked

    @cached_property
    def largest_rate(self) -> float | None:
        """Most items per minute of its row that the robot keeps up with; None where no row brings the items."""
        if self.planned.row is None:
            return None
        work, plan = self.planned.row
        return work.largest_rate(plan)

    @property
    def ride(self) -> Ride:
        """The robot along the samples of the motion."""
        return self.run.ride

    @property
    def model(self) -> Model:
        """The robot."""
        return self.ride.model

    @property
    def motors(self) -> Motors:
        """What the drives allow."""
        return self.model.motors

    @property
    def motion(self) -> Motion:
        """The motion of the task."""
        return self.run.motion

    @property
    def samples(self) -> Samples:
        """The motion as it is sampled (T samples), both sides of every corner included."""
        return self.ride.samples

    @cached_property
    def no_pace(self) -> str:
        """Why no pace makes the motion possible; empty where one may."""
        if self.run.no_torque:
            return self.run.no_torque
        broken = [requirement for requirement in self.run.path_requirements if not requirement.ok]
        return f"no pace makes it possible: {broken[0].text}" if broken else ""

    @cached_property
    def paces(self) -> Paces:
        """How fast the task can be done each way; none where it meets belts, or no pace makes it possible."""
        if self.motion.is_synchronized or self.no_pace:
            return Paces(self.motion, items=self.items)
        own_law, no_own_law = pace_or_reason(self._own_pace)
        timed, no_timed = pace_or_reason(lambda: self.fastest_pace)
        return Paces(self.motion, own_law, timed, no_own_law, no_timed, self.items)

    def _own_pace(self) -> Pace | None:
        """The pace by the task's own law; None where nothing limits it, or where rods alone would."""
        if limiting_of(self.run.load_requirements) is None or not self.motors.rated:
            return None
        return own_pace(self.run, self.task or self.own_motion, self.own_motion)

    @cached_property
    def fastest_pace(self) -> Pace:
        """The path of the task, as fast as the drives can run through it again and again.

        Raises:
            MotionError: there is no such timing.
            ParameterError: no cycle is slow enough, such as for motors that get too hot when they hold the plate.
        """
        (pace,) = self.fastest_paces([self.model])
        if isinstance(pace, ParapickError):
            raise pace
        return pace

    @cached_property
    def loops(self) -> ClosedLoops:
        """The task in closed loop under every controller."""
        from parapick.evaluation.closed_loops import closed_loops

        return closed_loops(self.run, self.controllers)

    @cached_property
    def route(self) -> Route:
        """Where the task leads, what is carried and where it rests.

        A motion that was given, or that is not the task's own at its own pace, states its route itself.
        """
        own = self.motion is self.own_motion and not self.motion.is_synchronized
        if isinstance(self.task, MoveTask) and own:
            try:
                return self.task.route(self.model)
            except LimitError:
                # The pace breaks a limit by the task's law; its motion is the one by the limits alone, run slower.
                pass
        return Route.of(self.motion)

    def fastest_paces(self, models: list[Model]) -> list[Pace | ParapickError]:
        """The path of the task, as fast as robots can run through it, or why one cannot; see `fastest_pace`.

        Args:
            models: the robots, this one or changed ones, which are timed side by side.
        """
        timed = timings_each(models, self.route)
        motions = [one if isinstance(one, ParapickError) else one.motion for one in timed]
        quickest = [_run(model, motion) for model, motion in zip(models, motions, strict=True)]
        # Under a bound on jerk sums are kept by a slower pace as a whole, which a pace is in any case.
        able = [i for i, model in enumerate(models) if not limits_jerk(model)]
        worn = [i for i in able if isinstance(run := quickest[i], Run) and tires(run)]
        cool = {i: _run(models[i], _cooled(timed[i])) for i in worn}
        return [_pace(run, cool.get(i)) for i, run in enumerate(quickest)]


def _cooled(timing: FastestTiming | ParapickError) -> Motion | ParapickError:
    """The motion of a timing that heats no motor too much, or why there is none."""
    try:
        return timing if isinstance(timing, ParapickError) else timing.cooled()
    except ParapickError as error:
        return error


def _run(model: Model, motion: Motion | ParapickError) -> Run | ParapickError:
    return motion if isinstance(motion, ParapickError) else Run.of(model, motion)


def _pace(quickest: Run | ParapickError, cool: Run | ParapickError | None) -> Pace | ParapickError:
    """The pace on the fastest timing, by limits of every instant and, where one breaks, by sums over the cycle."""
    if isinstance(quickest, ParapickError):
        return quickest
    try:
        return fastest_pace(quickest, cool if isinstance(cool, Run) else None)
    except ParapickError as error:
        return error
