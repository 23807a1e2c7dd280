"""Tasks on moving belts: one cycle from a belt to another, or a stream of items; see `parapick.belts`.

Tables and fields have the names of the arguments there: `[pick]` and `[place]` hold belt, strokes and place, `[items]`
what comes along, the task itself what is common to both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, final

from parapick.belts import (
    BeltError,
    ConveyorLimits,
    PickPlace,
    PickPlan,
    Slots,
    Stream,
    check_belt,
    check_limits,
    check_place,
    check_traffic,
    check_work,
    plan,
    stream,
)
from parapick.errors import FileProblem, MotionError
from parapick.fields import POSE, label, like, quantity
from parapick.mechanism import Payload
from parapick.motion import LimitError, Motion
from parapick.tasks.base_task import AnyTask, fitting, moved
from parapick.tasks.belt_tables import Arriving, PickTable, PlaceTable, allowed_misses

if TYPE_CHECKING:
    from parapick.model import Model


@dataclass(frozen=True, kw_only=True)
class BeltTask(AnyTask):
    """The fields of every task on belts."""

    pick: PickTable = label("the belt with the items, what is done there, and where the item is")
    place: PlaceTable = label("the belt where items are put, what is done there, and where they are put")
    start: tuple[float, ...] | None = quantity(
        "", "pose at rest from which it starts; the robot's home if not given", default=None, units=POSE
    )
    v_max: float | None = like(ConveyorLimits, "v_max", default=None)
    a_max: float | None = like(ConveyorLimits, "a_max", default=None)
    margin: float = like(ConveyorLimits, "margin")
    yaw_rate: float | None = like(ConveyorLimits, "yaw_rate", default=None)
    yaw_acceleration: float | None = like(ConveyorLimits, "yaw_acceleration", default=None)
    motor_speed: float | None = like(ConveyorLimits, "motor_speed")
    motor_torque: float | None = like(ConveyorLimits, "motor_torque")
    timing: Literal["law", "fastest"] = like(PickPlace, "timing")
    stop_time: float | None = like(PickPlace, "stop_time")
    payload: float | Payload = like(PickPlace, "payload")
    dead_time: float = like(PickPlace, "dead_time")


@final
@dataclass(frozen=True, kw_only=True)
class ConveyorTask(BeltTask):
    """One cycle from a belt to another; see `plan`."""

    kind: Literal["conveyor"] = label("one cycle from a belt to another", default="conveyor")

    def plan(self, model: Model) -> PickPlan:
        """The cycle, planned for a robot."""
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
        return self.plan(_needed(model, self.name, self.kind)).motion

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot: belts, limits and times that cannot be."""
        found = tuple(_problems(self))
        if not found and isinstance(self.place.target((0.0, 0.0, 0.0)), Slots):
            return (FileProblem("place.pitch", "is for a task of kind 'stream'; one item is put into one box"),)
        return found


@final
@dataclass(frozen=True, kw_only=True)
class StreamTask(BeltTask):
    """A stream of items from a belt to another; see `stream`."""

    kind: Literal["stream"] = label("a stream of items from a belt to another", default="stream")
    items: Arriving = label("what comes along")
    allow_missed: float = allowed_misses()

    def stream(self, model: Model) -> Stream:
        """What a robot makes of the stream."""
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
        return self.stream(_needed(model, self.name, self.kind)).motion()

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot: belts, traffic, limits and times that cannot be."""
        return tuple(_problems(self)) or tuple(_stream_problems(self))


def _needed(model: Model | None, name: str, kind: str) -> Model:
    if model is None:
        raise MotionError(f"{name}: a task of kind {kind!r} is planned for a robot; give one")
    return model


def _center(model: Model, task: BeltTask) -> tuple[tuple[float, ...], tuple[float, ...] | None]:
    """What places are counted from, and the start in the robot's base."""
    center = moved(model, task.frame, _NOWHERE)
    return center, None if task.start is None else fitting(model, moved(model, task.frame, task.start))


def _work(task: BeltTask) -> PickPlace:
    return PickPlace(
        task.pick.handling, task.place.handling, task.stop_time, task.payload, task.dead_time, timing=task.timing
    )


def _limits(task: BeltTask) -> ConveyorLimits:
    """The limits that the task states; those of `ConveyorLimits` for the others."""
    stated = {field.name: getattr(task, field.name) for field in fields(ConveyorLimits)}
    return ConveyorLimits(**{name: limit for name, limit in stated.items() if limit is not None})


_NOWHERE = (0.0, 0.0, 0.0)
"""Where places are counted from while there is no robot."""


def _problems(task: BeltTask) -> Iterator[FileProblem]:
    """Belts, limits and times that cannot be, whatever the robot."""
    yield from _objection("pick", lambda: check_belt(task.pick.belt))
    yield from _objection("place", lambda: check_belt(task.place.belt))
    yield from _objection("", lambda: check_work(_work(task)))
    yield from _objection("", lambda: check_limits(_limits(task)))


def _stream_problems(task: StreamTask) -> Iterator[FileProblem]:
    """Fields that mean nothing for a stream, and a stream that cannot be."""
    for name in ("position", "time", "across"):
        if getattr(task.pick, name):
            yield FileProblem(f"pick.{name}", "is for a task of kind 'conveyor'; see [items]")
    yield from _objection("place", lambda: check_place(task.place.target(_NOWHERE)))
    yield from _objection("items", lambda: check_traffic(task.items.traffic(task.pick.item(_NOWHERE))))


def _objection(path: str, check: Callable[[], None]) -> Iterator[FileProblem]:
    """The problem that a check raises, if any: at the limit that it names, or at the table that was checked."""
    try:
        check()
    except LimitError as error:
        yield FileProblem(f"{path}.{error.name}" if path else error.name, error.message)
    except BeltError as error:
        yield FileProblem(path, error.message)
    except MotionError as error:
        yield FileProblem(path, str(error))
