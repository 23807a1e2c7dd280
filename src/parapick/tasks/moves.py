"""Tasks: motions described by a page of numbers, to be made for any robot.

Field names are the arguments of the functions that make the motion. Coordinates are those of the robot's base or, with
`frame = "workspace"`, counted from the middle of the robot's workspace.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, final

from parapick.fields import POSE, label, like, quantity
from parapick.motion import (
    ADEPT_HEIGHT,
    ADEPT_WIDTH,
    Gate,
    Law,
    LawForm,
    Route,
    check_corners,
    cycle_ends,
    law_of,
    move_time,
    path_route,
    straight_route,
    there_and_back,
    via_path,
)
from parapick.ride import check_poses
from parapick.tasks.base_task import CycleTask, SingleMoveTask, fitting, moved

if TYPE_CHECKING:
    from parapick.model import Model


@final
@dataclass(frozen=True, kw_only=True)
class AdeptTask(CycleTask):
    """The Adept cycle there and back; see `adept_cycle`."""

    kind: Literal["adept"] = label("the Adept cycle there and back", default="adept")
    lift_time: float | None = quantity("s", "duration of each vertical stroke", default=None, above=0.0)
    width: float = quantity("m", "horizontal distance from pick to place", default=ADEPT_WIDTH, above=0.0)
    height: float = quantity("m", "lift above the higher end", default=ADEPT_HEIGHT, above=0.0)
    yaw: tuple[float, float] = quantity("rad", "yaw at pick and at place", default=(0.0, 0.0))
    center: tuple[float, float, float] | None = quantity("m", "point halfway between pick and place", default=None)
    azimuth: float = quantity("rad", "direction from pick to place", default=0.0)
    dwell: tuple[float, float] = quantity(
        "s", "rest at pick and at place", default=(0.0, 0.0), at_least=0.0, spread=True
    )
    one_way: bool = label("whether cycles_per_minute counts single moves", default=False)
    per_stroke: bool = label(
        "whether v_max, a_max and j_max hold for each stroke alone; where strokes overlap the plate then exceeds them, "
        "by up to the square root of two",
        default=False,
    )

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads.

        Args:
            model: the robot; None for a motion that no robot is named for.
        """
        center = None if self.center is None else moved(model, self.frame, self.center)
        pick, place = cycle_ends(model, self.width, self.yaw, center, self.azimuth)
        if model is not None:
            check_corners(model, pick, place, self.height)
        if self.timing == "fastest":
            there = _gate(self).untimed(pick, place)
        else:
            rate = self.cycles_per_minute
            duration = None if rate is None else move_time(rate, self.dwell, one_way=self.one_way)
            there = _gate(self).route(pick, place, duration)
        return there_and_back(there, (pick, place), self.dwell, self.payload, self.payload_back)

    @property
    def stated_pace(self) -> tuple[str, float, float] | None:
        """The field that states the pace, its number, and how many of it are one cycle; None without a pace."""
        if self.cycles_per_minute is None:
            return None
        return "cycles_per_minute", self.cycles_per_minute, 2.0 if self.one_way else 1.0

    @property
    def resting(self) -> float:
        """Time of both rests (s)."""
        return sum(self.dwell)

    def at_pace(self, cycles_per_minute: float | None) -> AdeptTask:
        """The task at another pace, there and back; None for what the limits allow.

        Args:
            cycles_per_minute: cycles per minute.
        """
        return replace(self, cycles_per_minute=cycles_per_minute, one_way=False)


@final
@dataclass(frozen=True, kw_only=True)
class GateTask(SingleMoveTask):
    """Up, over and down between any two points; see `gate`."""

    kind: Literal["gate"] = label("up, over and down between two poses", default="gate")
    start: tuple[float, ...] = quantity("", "pose at the start", units=POSE)
    end: tuple[float, ...] = quantity("", "pose at the end", units=POSE)
    height: float = like(AdeptTask, "height")
    law: Law | Literal["fastest"] = like(AdeptTask, "law")
    overlap: float = like(AdeptTask, "overlap")
    corner_radius: float | None = like(AdeptTask, "corner_radius")
    lift_time: float | None = like(AdeptTask, "lift_time")
    per_stroke: bool = like(AdeptTask, "per_stroke")

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads.

        Args:
            model: the robot; None for a motion that no robot is named for.
        """
        start, end = (fitting(model, moved(model, self.frame, pose)) for pose in (self.start, self.end))
        if model is not None:
            check_corners(model, start, end, self.height)
        gate = _gate(self)
        route = gate.untimed(start, end) if self.timing == "fastest" else gate.route(start, end, self.duration)
        return self.loaded(route)


@final
@dataclass(frozen=True, kw_only=True)
class LineTask(SingleMoveTask):
    """A straight motion; see `straight`."""

    kind: Literal["line"] = label("a straight move between two poses", default="line")
    start: tuple[float, ...] = like(GateTask, "start")
    end: tuple[float, ...] = like(GateTask, "end")
    law: Law = label("time law", default=law_of("trapezoidal"), form=LawForm())

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads.

        Args:
            model: the robot; None for a motion that no robot is named for.
        """
        start, end = (fitting(model, moved(model, self.frame, pose)) for pose in (self.start, self.end))
        if model is not None:
            check_poses(model, {"start": start, "end": end})
        law = None if self.timing == "fastest" else self.law
        return self.loaded(straight_route(start, end, law, self.duration, self.limits))


@final
@dataclass(frozen=True, kw_only=True)
class ViaTask(SingleMoveTask):
    """A smooth motion through via points; see `via_path` and `follow_path`."""

    kind: Literal["via"] = label("a smooth move through via points", default="via")
    points: tuple[tuple[float, ...], ...] = quantity("", "poses on the path", units=POSE, entries=2)
    start_direction: tuple[float, float, float] | None = quantity("", "direction at the start", default=None)
    end_direction: tuple[float, float, float] | None = quantity("", "direction at the end", default=None)
    law: Law = label("time law along the length", default=law_of("3-4-5"), form=LawForm())

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads.

        Args:
            model: the robot; None for a motion that no robot is named for.
        """
        points = [fitting(model, moved(model, self.frame, point)) for point in self.points]
        if model is not None:
            check_poses(model, {f"via point {i}": point for i, point in enumerate(points, start=1)})
        path = via_path(points, self.start_direction, self.end_direction)
        if self.timing == "fastest":
            return self.loaded(Route.along(path))
        return self.loaded(path_route(path, self.law, self.duration, self.limits))


def _gate(task: AdeptTask | GateTask) -> Gate:
    radius, per_stroke = task.corner_radius, task.per_stroke
    return Gate(task.height, task.law, task.limits, task.overlap, radius, task.lift_time, per_stroke)
