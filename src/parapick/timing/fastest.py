"""The fastest timing of a path or a route: under motor torque and speed and limits of the plate, with friction.

Where a path turns sharply the plate stops. Between stops the squared speed over the length is the largest that meets
every limit (`speed_profile`), on a grid that is refined until the limits hold between its nodes too (`refinement`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Protocol, final, runtime_checkable

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.mechanism import Load
from parapick.motion import LimitError, Motion, Path, Route, plate_limits
from parapick.motors import TorqueLimit
from parapick.timing.as_shared import kept_as_shared
from parapick.timing.cool_cycle import cool_cycle
from parapick.timing.endurance import borne
from parapick.timing.limits_along import PathLimits
from parapick.timing.refinement import TimedStretch, fastest_stretches
from parapick.timing.timed_paths import RouteTiming

if TYPE_CHECKING:
    from parapick.model import Model


class GivesMotion(Protocol):
    """A task: what gives a motion for a robot."""

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot."""
        ...


@runtime_checkable
class GivesRoute(Protocol):
    """A task whose path does not depend on its timing."""

    def route(self, model: Model | None = None) -> Route:
        """The route, for a robot.

        Args:
            model: the robot; None for none in particular.
        """
        ...


@final
@dataclass(frozen=True)
class TimingLimits:
    """What the fastest timing must hold; the arguments of `fastest_along` of the same names.

    Attributes:
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side), or None for no limit.
        speed: whether the peak speed of the drives is a limit, or which share of it.
        v_max: largest speed of the plate (m/s); None for no limit, as below.
        a_max: largest acceleration of the plate (m/s2).
        j_max: largest jerk of the plate (m/s3).
        yaw_rate: largest yaw rate (rad/s).
        yaw_acceleration: largest yaw acceleration (rad/s2).
        share: share that is used of what the file limits at every instant beside the peaks of its motors.
        rated: what every motor bears if the motion is repeated again and again: the "rated" torque of the drives,
            numbers (N m, motor side), or None for no limit.
        joint_jerk: whether the jerk of joints that the file states is a limit.
    """

    torque: TorqueLimit = "peak"
    speed: bool | float = True
    v_max: float | None = None
    a_max: float | None = None
    j_max: float | None = None
    yaw_rate: float = math.inf
    yaw_acceleration: float = math.inf
    share: float = 1.0
    rated: TorqueLimit = None
    joint_jerk: bool = True

    def of(self, model: Model) -> PathLimits:
        """The limits of a robot along any path.

        Raises:
            LimitError: limits that cannot hold.
        """
        plate = plate_limits(self.v_max, self.a_max, self.j_max)
        for which, value in (("yaw_rate", self.yaw_rate), ("yaw_acceleration", self.yaw_acceleration)):
            if not value > 0.0:
                raise LimitError(which, f"is {value:g}; no motion holds it, it must be greater than 0")
        torque, speed = _motor_limits(model, self.torque, self.speed)
        yaw = self.yaw_rate, self.yaw_acceleration
        return PathLimits(model, torque, speed, plate.v_max, plate.a_max, *yaw, self.share, self.joint_jerk)


_PEAKS = TimingLimits()


def fastest_along(
    model: Model,
    path: Path | Route,
    *,
    torque: TorqueLimit = "peak",
    speed: bool | float = True,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
    yaw_rate: float = math.inf,
    yaw_acceleration: float = math.inf,
    payload: Load | None = None,
    end_speeds: tuple[float, float] = (0.0, 0.0),
    name: str = "path",
    rated: TorqueLimit = None,
) -> Motion:
    """Run through a path or a route as fast as a robot can.

    Some limit is reached at every instant, but for the switches between them. Torques are those of the motors, with
    gravity, dry and viscous friction and the losses of the gearboxes. A redundant robot's motors share by the
    rule of the model, or else by least peak.

    A route keeps its rests, what is carried and what its stretches are called; its own laws are left aside.

    Args:
        path: the path, or the route. Where it turns sharply the plate stops.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one per motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate, its Euclidean norm (m/s3).
        yaw_rate: largest yaw rate (rad/s).
        yaw_acceleration: largest yaw acceleration (rad/s2).
        payload: what is carried beyond the gripper, along the whole path, or where a route carries something: a mass
            (kg), a mass with its unit such as "500 g", or a `Payload`; that of the model, else of the route, if not
            given.
        end_speeds: speeds along the path at its start and at its end (m/s); a route starts and ends at rest.
        name: name of the phase of a path.
        rated: what heats no motor too much if the motion is repeated again and again: "rated" torque of the drives,
            numbers (N m, motor side, one or one per motor), or None for no limit. Where it decides, the timing is the
            optimum of all stretches together; with a bound on jerk it is run slower as a whole instead.

    Raises:
        StrokeError: a path without length.
        MotionError: a path with another number of coordinates than the robot.
        UnreachablePathError: the path leads where the robot cannot go.
        SingularPathError: the path leads through a singularity.
        HoldingTorqueError: a motor cannot hold the plate somewhere on the path.
        OverheatingError: a motor is too hot when it holds the plate.
        LimitError: limits that cannot hold, or nothing that bounds the acceleration.
        MissingMassError: a robot without masses, asked to keep torques.
    """
    limits = TimingLimits(torque, speed, v_max, a_max, j_max, yaw_rate, yaw_acceleration, rated=rated)
    (motion,) = fastest_each(model, path, limits, payloads=payload, end_speeds=end_speeds, name=name)
    if isinstance(motion, ParapickError):
        raise motion
    return motion


def fastest_each(
    models: Model | list[Model],
    paths: Path | Route | list[Path | Route],
    limits: TimingLimits | list[TimingLimits] = _PEAKS,
    *,
    payloads: Load | list[Load | None] | None = None,
    end_speeds: tuple[float, float] | list[tuple[float, float]] = (0.0, 0.0),
    name: str = "path",
) -> list[Motion | ParapickError]:
    """The fastest timings of many paths, or of one path by many robots, side by side; see `fastest_along`.

    Each of the arguments is one for all timings, or a list with one for each.

    Args:
        models: the robots.
        paths: the paths or routes.
        limits: what must hold.
        payloads: what is carried along the paths, in the place of what routes carry.
        end_speeds: speeds along the paths at start and end (m/s).
        name: name of the phase of a path.

    Returns:
        For each the motion, or as a value what `fastest_along` would raise.

    Raises:
        ParameterError: lists of different lengths.
    """
    asked = [_Asked(*each) for each in _matched(models, paths, limits, payloads, end_speeds)]
    return [one.motion(timing) for one, timing in zip(asked, _timings(asked, name), strict=True)]


def timings_each(
    models: Model | list[Model],
    paths: Path | Route | list[Path | Route],
    limits: TimingLimits | list[TimingLimits] = _PEAKS,
    *,
    name: str = "path",
) -> list[FastestTiming | ParapickError]:
    """As `fastest_each` by limits of an instant alone: timings that can be cooled without being found again.

    Args:
        models: the robots.
        paths: the paths or routes.
        limits: what must hold.
        name: name of the phase of a path.

    Returns:
        For each the timing, or as a value what `fastest_along` would raise.
    """
    return _timings([_Asked(*each) for each in _matched(models, paths, limits, None, (0.0, 0.0))], name)


@final
@dataclass(frozen=True, eq=False)
class FastestTiming:
    """The fastest timing of a path or a route by limits of an instant.

    Attributes:
        model: the robot, with its payload.
        motion: the motion.
        route: what was timed.
        profiles: the profiles along its courses.
    """

    model: Model
    motion: Motion
    route: RouteTiming
    profiles: tuple[TimedStretch, ...]

    def cooled(self, rated: TorqueLimit = "rated") -> Motion:
        """The fastest motion that heats no motor too much if it is repeated again and again; see `fastest_along`.

        Args:
            rated: as for `fastest_along`.

        Raises:
            OverheatingError: a motor is too hot when it holds the plate.
        """
        return kept_as_shared(self.model, cool_cycle(self.model, self.route, self.profiles, self.motion, rated))


@final
@dataclass(frozen=True, eq=False)
class _Asked:
    """A timing that is asked for; the arguments of `fastest_each`."""

    model: Model
    path: Path | Route
    limits: TimingLimits
    payload: Load | None
    speeds: tuple[float, float]

    def timing(self, name: str) -> RouteTiming | ParapickError:
        """What has to be timed of the path or the route, or why it cannot be."""
        model, limits = self.model, self.limits
        try:
            whole = self.path if isinstance(self.path, Route) else Route.along(self.path, name)
            if whole is self.path and any(self.speeds):
                raise LimitError("end_speeds", "is for a path; a route starts and ends at rest")
            if limits.rated is not None and any(self.speeds):
                raise LimitError("rated", "is for a motion that is repeated, which starts and ends at rest")
            borne(model.motors, limits.rated)
            route = whole.with_payload(model.payload if self.payload is None else self.payload)
            return RouteTiming.of(limits.of(model), limits.j_max or math.inf, route, self.speeds)
        except ParapickError as error:
            return error

    def timed(
        self, timing: RouteTiming | ParapickError, timed: list[TimedStretch | ParapickError]
    ) -> FastestTiming | ParapickError:
        """The timing by the profiles of all its courses, or why there is none."""
        try:
            if isinstance(timing, ParapickError):
                return timing
            motion = timing.motion(timed)
            # Speeds that are asked for at the ends are not those of a motion that is slowed.
            motion = motion if any(self.speeds) else kept_as_shared(self.model, motion)
            model = self.model if self.payload is None else self.model.with_payload(self.payload)
            profiles = tuple(stretch for stretch in timed if isinstance(stretch, TimedStretch))
            return FastestTiming(model, motion, timing, profiles)
        except ParapickError as error:
            return error

    def motion(self, timing: FastestTiming | ParapickError) -> Motion | ParapickError:
        """The motion of a timing, as cool as it is asked for, or why there is none."""
        if isinstance(timing, ParapickError) or self.limits.rated is None:
            return timing if isinstance(timing, ParapickError) else timing.motion
        try:
            return timing.cooled(self.limits.rated)
        except ParapickError as error:
            return error


def _timings(asked: list[_Asked], name: str) -> list[FastestTiming | ParapickError]:
    """All timings that are asked for, found side by side."""
    timings = [one.timing(name) for one in asked]
    runs = [[] if isinstance(timing, ParapickError) else [*chain(*timing.runs)] for timing in timings]
    timed = iter(fastest_stretches([*chain(*runs)]))
    return [
        one.timed(timing, [*islice(timed, len(own))]) for one, timing, own in zip(asked, timings, runs, strict=True)
    ]


def _matched(*lists: Any) -> Iterator[tuple[Any, ...]]:
    """What belongs to each timing, of lists with one for each and of values that are for all."""
    listed = [values for values in lists if isinstance(values, list)]
    count = len(listed[0]) if listed else 1
    if any(len(values) != count for values in listed):
        lengths = ", ".join(str(len(values)) for values in listed)
        raise ParameterError(
            "fastest_each", f"lists of {lengths}; they must be of one length, with one for each timing"
        )
    return zip(*(values if isinstance(values, list) else [values] * count for values in lists), strict=True)


def fastest_cycle(
    model: Model,
    motion: Motion | Route | GivesRoute | GivesMotion,
    *,
    torque: TorqueLimit = "peak",
    speed: bool | float = True,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
    rated: TorqueLimit = None,
) -> Motion:
    """Take the path of a motion as fast as a robot can.

    The path stays exactly what it is. Where strokes overlap that is the curve on which their laws lead the plate, which
    is then run through without a stop; where the plate stopped and changed its direction, it stops. Rests keep their
    durations, what is carried is carried over the same stretches, and phases begin and end at the same places. Motions
    that meet something on a moving belt have to be planned instead.

    Args:
        motion: the motion, from rest to rest, a route, or a task; its own limits and times are left aside.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one per motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate (m/s2).
        j_max: largest jerk of the plate (m/s3); not where strokes that overlap make the curvature jump.
        rated: what heats no motor too much if the motion is repeated; see `fastest_along`.

    Raises:
        MotionError: a motion that meets something that moves, that does not rest at its ends or where its payload
            changes, or that turns on the spot; and what `fastest_along` raises.
    """
    if isinstance(motion, GivesRoute):
        route = motion.route(model)
    elif isinstance(motion, Route):
        route = motion
    else:
        route = Route.of(motion if isinstance(motion, Motion) else motion.motion(model))
    return fastest_along(model, route, torque=torque, speed=speed, v_max=v_max, a_max=a_max, j_max=j_max, rated=rated)


def _motor_limits(model: Model, torque: TorqueLimit, speed: bool | float) -> tuple[np.ndarray, np.ndarray]:
    """Largest torque (N m) and speed (rad/s) of every motor (n,), at its joint."""
    if not 0.0 <= speed < math.inf:
        raise LimitError("speed", f"is {speed:g}; it must be true, false or a share of the peak speed")
    motors = model.motors
    try:
        most = motors.torque(torque)
    except ParameterError as error:
        raise LimitError(error.path, error.message) from error
    fastest_turn = speed * motors.peak_speed if speed else np.full(motors.count, math.inf)
    return most * motors.ratio, fastest_turn / motors.ratio
