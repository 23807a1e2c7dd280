"""Tasks: motions described by a page of numbers, to be made for any robot.

Field names are the arguments of the functions that make the motion. Coordinates are those of the robot's base or, with
`frame = "workspace"`, counted from the middle of the robot's workspace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, final

from parapick.motion.adept import ADEPT_HEIGHT, ADEPT_WIDTH, cycle_ends, move_time, there_and_back
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import PlateLimits, plate_limits
from parapick.motion.gate import Gate, straight_route
from parapick.motion.law import law_of
from parapick.motion.motion import Motion
from parapick.motion.robot_poses import check_corners, check_poses, workspace_center
from parapick.motion.route import Route, by_law
from parapick.motion.run import path_route
from parapick.motion.via import via_path
from parapick.tasks import types as kinds
from parapick.timing import fastest

if TYPE_CHECKING:
    from parapick.model import Model

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
        return _motion(self, model)

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
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
        return there_and_back(there, (pick, place), self.dwell, self.payload)


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
        return _motion(self, model)

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
        """
        start, end = (fitting(model, moved(model, self.frame, pose)) for pose in (self.start, self.end))
        if model is not None:
            check_corners(model, start, end, self.height)
        gate = _gate(self)
        route = gate.untimed(start, end) if self.timing == "fastest" else gate.route(start, end, self.duration)
        return _loaded(self, route)


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
        return _motion(self, model)

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
        """
        start, end = (fitting(model, moved(model, self.frame, pose)) for pose in (self.start, self.end))
        if model is not None:
            check_poses(model, {"start": start, "end": end})
        law = None if self.timing == "fastest" else self.law
        return _loaded(self, straight_route(start, end, law, self.duration, _limits(self)))


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
        return _motion(self, model)

    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
        """
        points = [fitting(model, moved(model, self.frame, point)) for point in self.points]
        if model is not None:
            check_poses(model, {f"via point {i}": point for i, point in enumerate(points, start=1)})
        path = via_path(points, self.start_direction, self.end_direction)
        if self.timing == "fastest":
            return _loaded(self, Route.along(path))
        return _loaded(self, path_route(path, self.law, self.duration, _limits(self)))


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


# What the fastest timing has no use for, and what to do instead.
_SETTLED: Final = 'timing = "fastest" follows from the motors and the limits; leave this out'
_PER_PLATE: Final = 'with timing = "fastest" limits hold for the plate, not for its strokes; leave this out'
_UNUSED: Final = {
    "duration": _SETTLED,
    "lift_time": _SETTLED,
    "cycles_per_minute": _SETTLED,
    "per_stroke": _PER_PLATE,
}

_Move = AdeptTask | GateTask | LineTask | ViaTask


def _motion(task: _Move, model: Model | None) -> Motion:
    """The motion of a task with the timing it asks for.

    Raises:
        LimitError: a field that its timing has no use for.
        MotionError: no robot to follow the fastest timing from; and what `fastest` raises.
    """
    if task.timing == "law":
        return by_law(task.route(model))
    for name, reason in _UNUSED.items():
        if getattr(task, name, None):
            raise LimitError(name, reason)
    if model is None:
        raise MotionError(f'{task.name}: timing = "fastest" follows from a robot; give one')
    return fastest(model, task.route(model), v_max=task.v_max, a_max=task.a_max, j_max=task.j_max)


def _limits(task: _Move) -> PlateLimits:
    return plate_limits(task.v_max, task.a_max, task.j_max)


def _gate(task: AdeptTask | GateTask) -> Gate:
    radius, per_stroke = task.corner_radius, task.per_stroke
    return Gate(task.height, task.law, _limits(task), task.overlap, radius, task.lift_time, per_stroke)


def _loaded(task: GateTask | LineTask | ViaTask, there: Route) -> Route:
    """The way there with the load, and the way back without it where the task wants one."""
    loaded = there.carrying(task.payload)
    return loaded.then(there.reversed()) if task.there_and_back else loaded
