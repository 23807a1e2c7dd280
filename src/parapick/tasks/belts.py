"""Tasks on moving belts: one cycle from a belt to another, or a stream of items; see `parapick.belts`.

Tables and fields have the names of the arguments there: `[pick]` and `[place]` hold belt, strokes and place, the task
itself what is common to both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, final

from parapick.belts import (
    Anywhere,
    BeltError,
    ConveyorLimits,
    Item,
    PickPlace,
    PickPlan,
    Slots,
    Stream,
    plan,
    stream,
)
from parapick.belts.checks import check_belt, check_limits, check_work
from parapick.belts.traffic import check_place, check_traffic
from parapick.errors import FileProblem
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.motion import Motion
from parapick.tasks import types as kinds
from parapick.tasks.belt_tables import Arriving, PickTable, PlaceTable, handling_of
from parapick.tasks.moves import fitting, moved

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["ConveyorTask", "StreamTask"]

_STRICT: Final = {"extra": "forbid"}


@final
@dataclass(frozen=True, kw_only=True)
class ConveyorTask:
    """One cycle from a belt to another; see `plan`.

    Attributes:
        name: short name.
        title: one line that says what it is.
        kind: "conveyor".
        frame: where `start` and the points of the belts are counted from.
        pick: the belt with the item.
        place: the belt where it is put.
        start: pose at rest from which it starts (m, rad); the robot's home if not given.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        margin: what every margin to a singularity keeps.
        yaw_rate: largest yaw rate (rad/s).
        yaw_acceleration: largest yaw acceleration (rad/s2).
        motor_speed: share of the drives' peak speed that may be used.
        motor_torque: share of the drives' peak torque that may be used.
        timing: "law" for intercepts by a law, "fastest" for the same ways as fast as the drives allow.
        stop_time: duration of the stop behind the last ascent (s); without it the limits decide.
        payload: mass of the item (kg).
        dead_time: how old readings of the belts are when they are stamped (s).
        sources: where numbers come from, by field.
    """

    __pydantic_config__ = _STRICT

    name: kinds.OwnName
    title: kinds.Title = ""
    kind: Literal["conveyor"] = "conveyor"
    frame: kinds.Frame = "base"
    pick: PickTable
    place: PlaceTable
    start: kinds.OwnPose = None
    v_max: kinds.Speed = None
    a_max: kinds.Acceleration = None
    margin: kinds.Margin = 0.1
    yaw_rate: kinds.YawRate = None
    yaw_acceleration: kinds.YawAcceleration = None
    motor_speed: kinds.Rate = None
    motor_torque: kinds.Rate = None
    timing: kinds.Timing = "law"
    stop_time: kinds.Seconds = None
    payload: kinds.Mass = 0.0
    dead_time: kinds.Delay = 0.0
    sources: kinds.Sources = field(default_factory=dict)

    def plan(self, model: Model) -> PickPlan:
        """The cycle, planned for a robot.

        Args:
            model: the robot.
        """
        center, start = _center(model, self)
        target = self.place.target(center)
        if isinstance(target, Slots):
            raise MotionError(f"{self.name}: one item is put into one box; leave pitch out")
        return plan(model, self.pick.item(center), target, _work(self), _limits(self), start=start)

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot: without one there is nothing to plan with.

        Args:
            model: the robot.
        """
        return self.plan(_needed(self, model)).motion

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot: belts, limits and times that cannot be."""
        return _problems(self)


@final
@dataclass(frozen=True, kw_only=True)
class StreamTask:
    """A stream of items from a belt to another; see `stream`.

    Attributes:
        name: short name.
        title: one line that says what it is.
        kind: "stream".
        frame: where `start` and the points of the belts are counted from.
        items: what comes along.
        pick: the belt with the items.
        place: the belt where they are put.
        start: pose at rest from which it starts (m, rad); the robot's home if not given.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        margin: what every margin to a singularity keeps.
        yaw_rate: largest yaw rate (rad/s).
        yaw_acceleration: largest yaw acceleration (rad/s2).
        motor_speed: share of the drives' peak speed that may be used.
        motor_torque: share of the drives' peak torque that may be used.
        timing: "law" for intercepts by a law, "fastest" for the same ways as fast as the drives allow.
        stop_time: duration of the stop behind the last ascent (s); without it the limits decide.
        payload: mass of an item (kg).
        dead_time: how old the planner takes readings to be (s).
        sources: where numbers come from, by field.
    """

    __pydantic_config__ = _STRICT

    name: kinds.OwnName
    title: kinds.Title = ""
    kind: Literal["stream"] = "stream"
    frame: kinds.Frame = "base"
    items: Arriving
    pick: PickTable
    place: PlaceTable
    start: kinds.OwnPose = None
    v_max: kinds.Speed = None
    a_max: kinds.Acceleration = None
    margin: kinds.Margin = 0.1
    yaw_rate: kinds.YawRate = None
    yaw_acceleration: kinds.YawAcceleration = None
    motor_speed: kinds.Rate = None
    motor_torque: kinds.Rate = None
    timing: kinds.Timing = "law"
    stop_time: kinds.Seconds = None
    payload: kinds.Mass = 0.0
    dead_time: kinds.Delay = 0.0
    sources: kinds.Sources = field(default_factory=dict)

    def stream(self, model: Model) -> Stream:
        """What a robot makes of the stream.

        Args:
            model: the robot.
        """
        center, start = _center(model, self)
        return stream(
            model,
            self.items.traffic(self.pick.item(center)),
            self.place.target(center),
            _work(self),
            _limits(self),
            self.items.seed,
            tolerance=self.items.tolerance or math.inf,
            start=start,
        )

    def motion(self, model: Model | None = None) -> Motion:
        """All cycles of the stream, for a robot, with the rests between them.

        Args:
            model: the robot.
        """
        return self.stream(_needed(self, model)).motion()

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot: belts, traffic, limits and times that cannot be."""
        return _problems(self)


def _needed(task: ConveyorTask | StreamTask, model: Model | None) -> Model:
    if model is None:
        raise MotionError(f"{task.name}: a task of kind {task.kind!r} is planned for a robot; give one")
    return model


def _center(model: Model, task: ConveyorTask | StreamTask) -> tuple[tuple[float, ...], tuple[float, ...] | None]:
    """What places are counted from, and the start in the robot's base."""
    center = moved(model, task.frame, (0.0, 0.0, 0.0))
    return center, None if task.start is None else fitting(model, moved(model, task.frame, task.start))


def _work(task: ConveyorTask | StreamTask) -> PickPlace:
    return PickPlace(
        handling_of(task.pick),
        handling_of(task.place),
        task.stop_time,
        task.payload,
        task.dead_time,
        timing=task.timing,
    )


def _limits(task: ConveyorTask | StreamTask) -> ConveyorLimits:
    return ConveyorLimits(
        _or_any(task.v_max),
        _or_any(task.a_max),
        task.margin,
        _or_any(task.yaw_rate),
        _or_any(task.yaw_acceleration),
        task.motor_speed,
        task.motor_torque,
    )


def _or_any(limit: float | None) -> float:
    return math.inf if limit is None else limit


def _problems(task: ConveyorTask | StreamTask) -> tuple[FileProblem, ...]:
    """What cannot be, whatever the robot."""
    found: list[FileProblem] = []
    nowhere = (0.0, 0.0, 0.0)
    item, target = task.pick.item(nowhere), task.place.target(nowhere)
    for name, belt in (("pick", item.belt), ("place", target.belt)):
        try:
            check_belt(belt)
        except BeltError as error:
            found.append(FileProblem(name, str(error).partition(": ")[2]))
    for check in (lambda: check_work(_work(task)), lambda: check_limits(_limits(task))):
        try:
            check()
        except LimitError as error:
            found.append(FileProblem(error.name, error.message))
    if found:
        return tuple(found)
    return _alone(target) if isinstance(task, ConveyorTask) else _together(task, item, target)


def _alone(target: Item | Anywhere | Slots) -> tuple[FileProblem, ...]:
    """Fields that mean nothing for one item."""
    if isinstance(target, Slots):
        return (FileProblem("place.pitch", "is for a task of kind 'stream'; one item is put into one box"),)
    return ()


def _together(task: StreamTask, item: Item, target: Item | Anywhere | Slots) -> tuple[FileProblem, ...]:
    """Fields that mean nothing for a stream, and a stream that cannot be."""
    unused = [name for name in ("position", "time", "across") if getattr(task.pick, name)]
    found = [FileProblem(f"pick.{name}", "is for a task of kind 'conveyor'; see [items]") for name in unused]
    try:
        check_place(target)
    except MotionError as error:
        found.append(FileProblem("place", str(error).partition(": ")[2]))
    try:
        check_traffic(task.items.traffic(item))
    except MotionError as error:
        found.append(FileProblem("items", str(error)))
    return tuple(found)
