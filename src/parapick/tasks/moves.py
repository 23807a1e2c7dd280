"""Tasks: motions described by a page of numbers, to be made for any robot.

Field names are the arguments of the functions that make the motion. Coordinates are those of the robot's base or, with
`frame = "workspace"`, counted from the middle of the robot's workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, final

from parapick.fields import POSE, label, like, quantity
from parapick.motion.along import follow_path
from parapick.motion.cycle import ADEPT_HEIGHT, ADEPT_WIDTH, adept_cycle, check_corners, check_poses, workspace_center
from parapick.motion.errors import MotionError
from parapick.motion.gate import gate, straight
from parapick.motion.law import Law, law_of
from parapick.motion.law_form import LawForm
from parapick.motion.motion import Motion
from parapick.motion.spline import via_path
from parapick.tasks.common import Frame, MoveTask, SingleMoveTask
from parapick.tasks.timing import given_for, timed_for

if TYPE_CHECKING:
    from parapick.model import Model


@final
@dataclass(frozen=True, kw_only=True)
class AdeptTask(MoveTask):
    """The Adept cycle there and back; see `adept_cycle`."""

    kind: Literal["adept"] = label("the Adept cycle there and back", default="adept")
    cycles_per_minute: float | None = quantity(
        "", "cycles a minute; without it the limits decide", default=None, above=0.0
    )
    law: Law | Literal["fastest"] = label("time law", default=law_of("trapezoidal"), form=LawForm(fastest=True))
    overlap: float = quantity(
        "", "share of the vertical strokes that overlaps the horizontal one", default=0.0, at_least=0.0, at_most=1.0
    )
    corner_radius: float | None = quantity("m", "radius of the corners", default=None, above=0.0)
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

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none.

        Args:
            model: the robot.
        """
        center = None if self.center is None else moved(model, self.frame, self.center)
        given = given_for(self, {"cycles_per_minute": self.cycles_per_minute, "lift_time": self.lift_time})
        motion = adept_cycle(
            model,
            cycles_per_minute=given.rate(self.cycles_per_minute, self.dwell),
            v_max=given.v_max,
            a_max=given.a_max,
            j_max=given.j_max,
            law=given.law,
            overlap=self.overlap,
            corner_radius=self.corner_radius,
            lift_time=self.lift_time,
            width=self.width,
            height=self.height,
            yaw=self.yaw,
            center=center,
            azimuth=self.azimuth,
            dwell=self.dwell,
            payload=self.payload,
            one_way=self.one_way and not given.fastest,
            per_stroke=self.per_stroke,
        )
        return timed_for(self, model, motion)


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

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none.

        Args:
            model: the robot.
        """
        start, end = (fitting(model, moved(model, self.frame, pose)) for pose in (self.start, self.end))
        if model is not None:
            check_corners(model, start, end, self.height)
        given = given_for(self, {"duration": self.duration, "lift_time": self.lift_time})
        motion = gate(
            start,
            end,
            height=self.height,
            law=given.law,
            duration=given.duration(self.duration),
            v_max=given.v_max,
            a_max=given.a_max,
            j_max=given.j_max,
            overlap=self.overlap,
            corner_radius=self.corner_radius,
            lift_time=self.lift_time,
            per_stroke=self.per_stroke,
        )
        return timed_for(self, model, _finished(motion, self.payload, there_and_back=self.there_and_back))


@final
@dataclass(frozen=True, kw_only=True)
class LineTask(SingleMoveTask):
    """A straight motion; see `straight`."""

    kind: Literal["line"] = label("a straight move between two poses", default="line")
    start: tuple[float, ...] = like(GateTask, "start")
    end: tuple[float, ...] = like(GateTask, "end")
    law: Law = label("time law", default=law_of("trapezoidal"), form=LawForm())

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none.

        Args:
            model: the robot.
        """
        start, end = (fitting(model, moved(model, self.frame, pose)) for pose in (self.start, self.end))
        if model is not None:
            check_poses(model, {"start": start, "end": end})
        given = given_for(self, {"duration": self.duration})
        motion = straight(
            start,
            end,
            law=given.law,
            duration=given.duration(self.duration),
            v_max=given.v_max,
            a_max=given.a_max,
            j_max=given.j_max,
        )
        return timed_for(self, model, _finished(motion, self.payload, there_and_back=self.there_and_back))


@final
@dataclass(frozen=True, kw_only=True)
class ViaTask(SingleMoveTask):
    """A smooth motion through via points; see `via_path` and `follow_path`."""

    kind: Literal["via"] = label("a smooth move through via points", default="via")
    points: tuple[tuple[float, ...], ...] = quantity("", "poses on the path", units=POSE, entries=2)
    start_direction: tuple[float, float, float] | None = quantity("", "direction at the start", default=None)
    end_direction: tuple[float, float, float] | None = quantity("", "direction at the end", default=None)
    law: Law = label("time law along the length", default=law_of("3-4-5"), form=LawForm())

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none.

        Args:
            model: the robot.
        """
        points = [fitting(model, moved(model, self.frame, point)) for point in self.points]
        if model is not None:
            check_poses(model, {f"via point {i}": point for i, point in enumerate(points, start=1)})
        path = via_path(points, self.start_direction, self.end_direction)
        given = given_for(self, {"duration": self.duration})
        duration = given.duration(self.duration)
        motion = follow_path(
            path, given.law, duration=duration, v_max=given.v_max, a_max=given.a_max, j_max=given.j_max
        )
        return timed_for(self, model, _finished(motion, self.payload, there_and_back=self.there_and_back))


def moved(model: Model | None, frame: Frame, pose: Sequence[float]) -> tuple[float, ...]:
    """A pose in the robot's base.

    Args:
        model: the robot; None leaves the pose where it is.
        frame: what the pose is counted from.
        pose: task vector, or a point (m, rad).
    """
    if frame == "base" or model is None:
        return tuple(pose)
    return (*(workspace_center(model) + pose[:3]).tolist(), *pose[3:])


def fitting(model: Model | None, pose: tuple[float, ...]) -> tuple[float, ...]:
    """A pose with as many coordinates as the robot has; a yaw that is not given is 0.

    Args:
        model: the robot; None leaves the pose as it is.
        pose: three or four coordinates (m, rad).

    Raises:
        MotionError: a yaw for a robot that has none.
    """
    dof = len(pose) if model is None else model.robot.dof
    if len(pose) > dof and pose[3] != 0.0:
        raise MotionError(f"a yaw of {pose[3]:g} rad is asked for; this robot has no yaw")
    return (*pose, 0.0)[:dof] if len(pose) < dof else pose[:dof]


def _finished(motion: Motion, payload: float, *, there_and_back: bool) -> Motion:
    loaded = motion.carrying(payload, 0.0, motion.duration)
    return loaded.then(motion.reversed()) if there_and_back else loaded
