"""Tasks: motions described by a page of numbers, to be made for any robot.

Field names are the arguments of the functions that make the motion. Coordinates are those of the robot's base or, with
`frame = "workspace"`, counted from the middle of the robot's workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, final

from parapick.motion.along import follow_path
from parapick.motion.cycle import ADEPT_HEIGHT, ADEPT_WIDTH, adept_cycle, check_corners, check_poses, workspace_center
from parapick.motion.errors import MotionError
from parapick.motion.gate import gate, straight
from parapick.motion.law import law_of
from parapick.motion.motion import Motion
from parapick.motion.spline import via_path
from parapick.tasks import types as kinds
from parapick.tasks.timing import given_for, timed_for

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["AdeptTask", "GateTask", "LineTask", "ViaTask", "fitting", "moved"]

# Read by pydantic at the edge: a field that is not known is a mistake.
_STRICT: Final = {"extra": "forbid"}


@final
@dataclass(frozen=True, kw_only=True)
class AdeptTask:
    """The Adept cycle there and back; see `adept_cycle`.

    Attributes:
        name: short name.
        title: one line that says what it is.
        kind: "adept".
        frame: where `center` is counted from.
        cycles_per_minute: cycles a minute; without it the limits decide.
        v_max: largest speed of the plate (m/s), or of each stroke with `per_stroke`.
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2), or of each stroke with `per_stroke`.
        j_max: largest jerk of the plate (m/s3), or of each stroke with `per_stroke`.
        law: time law.
        overlap: share of the vertical strokes that overlaps the way over.
        corner_radius: radius of the corners (m).
        lift_time: duration of each vertical stroke (s).
        width: way over (m).
        height: lift (m).
        yaw: yaw at pick and at place (rad).
        center: point halfway between pick and place (m).
        azimuth: direction from pick to place (rad).
        dwell: rest at pick and at place (s).
        payload: mass carried from pick to place (kg).
        one_way: whether `cycles_per_minute` counts single moves.
        per_stroke: whether limits hold for each stroke alone; where strokes overlap the plate then exceeds them, by up
            to the square root of two.
        timing: "law", or "fastest" for the same way as fast as the robot's motors and the limits allow.
        sources: where numbers come from, by field.
    """

    __pydantic_config__ = _STRICT

    name: kinds.OwnName
    title: kinds.Title = ""
    kind: Literal["adept"] = "adept"
    frame: kinds.Frame = "base"
    cycles_per_minute: kinds.Rate = None
    v_max: kinds.Speed = None
    a_max: kinds.Acceleration = None
    j_max: kinds.Jerk = None
    law: kinds.AnyLaw = field(default_factory=lambda: law_of("trapezoidal"))
    overlap: kinds.Share = 0.0
    corner_radius: kinds.Radius = None
    lift_time: kinds.Seconds = None
    width: kinds.Length = ADEPT_WIDTH
    height: kinds.Length = ADEPT_HEIGHT
    yaw: kinds.Pair = (0.0, 0.0)
    center: kinds.Point = None
    azimuth: kinds.Angle = 0.0
    dwell: kinds.Rests = (0.0, 0.0)
    payload: kinds.Mass = 0.0
    one_way: kinds.Switch = False
    per_stroke: kinds.Switch = False
    timing: kinds.Timing = "law"
    sources: kinds.Sources = field(default_factory=dict)

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
class GateTask:
    """Up, over and down between any two points; see `gate`.

    Attributes:
        name: short name.
        title: one line that says what it is.
        kind: "gate".
        frame: where the poses are counted from.
        start: pose at the start (m, rad).
        end: pose at the end (m, rad).
        height: lift above the higher of the two (m).
        duration: time one way (s); without it the limits decide.
        v_max: largest speed of the plate (m/s), or of each stroke with `per_stroke`.
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2), or of each stroke with `per_stroke`.
        j_max: largest jerk of the plate (m/s3), or of each stroke with `per_stroke`.
        law: time law.
        overlap: share of the vertical strokes that overlaps the way over.
        corner_radius: radius of the corners (m).
        lift_time: duration of each vertical stroke (s).
        payload: mass carried on the way there (kg).
        there_and_back: whether the way back follows.
        per_stroke: whether limits hold for each stroke alone; where strokes overlap the plate then exceeds them, by up
            to the square root of two.
        timing: "law", or "fastest" for the same way as fast as the robot's motors and the limits allow.
        sources: where numbers come from, by field.
    """

    __pydantic_config__ = _STRICT

    name: kinds.OwnName
    title: kinds.Title = ""
    kind: Literal["gate"] = "gate"
    frame: kinds.Frame = "base"
    start: kinds.Pose
    end: kinds.Pose
    height: kinds.Length = ADEPT_HEIGHT
    duration: kinds.Seconds = None
    v_max: kinds.Speed = None
    a_max: kinds.Acceleration = None
    j_max: kinds.Jerk = None
    law: kinds.AnyLaw = field(default_factory=lambda: law_of("trapezoidal"))
    overlap: kinds.Share = 0.0
    corner_radius: kinds.Radius = None
    lift_time: kinds.Seconds = None
    payload: kinds.Mass = 0.0
    there_and_back: kinds.Switch = False
    per_stroke: kinds.Switch = False
    timing: kinds.Timing = "law"
    sources: kinds.Sources = field(default_factory=dict)

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
class LineTask:
    """A straight motion; see `straight`.

    Attributes:
        name: short name.
        title: one line that says what it is.
        kind: "line".
        frame: where the poses are counted from.
        start: pose at the start (m, rad).
        end: pose at the end (m, rad).
        duration: time one way (s); without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate (m/s3).
        law: time law.
        payload: mass carried on the way there (kg).
        there_and_back: whether the way back follows.
        timing: "law", or "fastest" for the same way as fast as the robot's motors and the limits allow.
        sources: where numbers come from, by field.
    """

    __pydantic_config__ = _STRICT

    name: kinds.OwnName
    title: kinds.Title = ""
    kind: Literal["line"] = "line"
    frame: kinds.Frame = "base"
    start: kinds.Pose
    end: kinds.Pose
    duration: kinds.Seconds = None
    v_max: kinds.Speed = None
    a_max: kinds.Acceleration = None
    j_max: kinds.Jerk = None
    law: kinds.OneLaw = field(default_factory=lambda: law_of("trapezoidal"))
    payload: kinds.Mass = 0.0
    there_and_back: kinds.Switch = False
    timing: kinds.Timing = "law"
    sources: kinds.Sources = field(default_factory=dict)

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
class ViaTask:
    """A smooth motion through via points; see `via_path` and `follow_path`.

    Attributes:
        name: short name.
        title: one line that says what it is.
        kind: "via".
        frame: where the points are counted from.
        points: poses on the way (m, rad).
        start_direction: direction at the start.
        end_direction: direction at the end.
        duration: time one way (s); without it the limits decide.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate (m/s3).
        law: time law along the length.
        payload: mass carried on the way there (kg).
        there_and_back: whether the way back follows.
        timing: "law", or "fastest" for the same way as fast as the robot's motors and the limits allow.
        sources: where numbers come from, by field.
    """

    __pydantic_config__ = _STRICT

    name: kinds.OwnName
    title: kinds.Title = ""
    kind: Literal["via"] = "via"
    frame: kinds.Frame = "base"
    points: kinds.Poses
    start_direction: kinds.Direction = None
    end_direction: kinds.Direction = None
    duration: kinds.Seconds = None
    v_max: kinds.Speed = None
    a_max: kinds.Acceleration = None
    j_max: kinds.Jerk = None
    law: kinds.OneLaw = field(default_factory=lambda: law_of("3-4-5"))
    payload: kinds.Mass = 0.0
    there_and_back: kinds.Switch = False
    timing: kinds.Timing = "law"
    sources: kinds.Sources = field(default_factory=dict)

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


def moved(model: Model | None, frame: kinds.Frame, pose: Sequence[float]) -> tuple[float, ...]:
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
