"""The fastest timing of a path or a route: under motor torque and speed and limits of the plate, with friction.

Where a path turns sharply the plate stops. Between stops the squared speed over the length is the largest that meets
every limit (`speed_profile`), on a grid that is refined until the limits hold between its nodes too (`refinement`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from parapick.errors import ParameterError
from parapick.model.motors import TorqueLimit
from parapick.model.payload import Load
from parapick.motion.errors import LimitError, MotionError, StrokeError
from parapick.motion.fitting import plate_limits
from parapick.motion.motion import Motion
from parapick.motion.motion_pieces import MotionPiece, retimed
from parapick.motion.path import STRAIGHT, Path
from parapick.motion.route import Route, RoutePosition, Stretch
from parapick.motion.series import Phase
from parapick.timing.grid import Grid, first_grid
from parapick.timing.jerk import check_smooth, jerk_bounded
from parapick.timing.limits_along import PathLimits
from parapick.timing.refinement import fastest_stretch
from parapick.timing.timing_steps import Steps, steps_along

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
        """The route, for a robot."""
        ...


def fastest(
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
    start_speed: float = 0.0,
    end_speed: float = 0.0,
    name: str = "path",
) -> Motion:
    """Run through a path or a route as fast as a robot can.

    Some limit is reached at every instant, but for the switches between them. Torques are those of the motors, with
    gravity, dry and viscous friction and the losses of the gearboxes. A redundant robot's motors share by least peak.

    A route keeps its rests, what is carried and what its stretches are called; its own laws are left aside.

    Args:
        model: the robot.
        path: the path, or the route. Where it turns sharply the plate stops.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one per motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate, its Euclidean norm (m/s3).
        yaw_rate: largest yaw rate (rad/s).
        yaw_acceleration: largest yaw acceleration (rad/s2).
        payload: what is carried along a path on top of what the model holds: a mass (kg), a mass with its unit such as
            "500 g", or a `Payload`. A route says itself what is carried.
        start_speed: speed along the path at its start (m/s); a route starts at rest.
        end_speed: speed along the path at its end (m/s); a route ends at rest.
        name: name of the phase of a path.

    Raises:
        StrokeError: a path without length.
        MotionError: a path with another number of coordinates than the robot.
        UnreachablePathError: the path leads where the robot cannot go.
        SingularPathError: the path leads through a singularity.
        HoldingTorqueError: a motor cannot hold the plate somewhere on the path.
        LimitError: limits that cannot hold, or nothing that bounds the acceleration.
        MissingMassError: a robot without masses, asked to keep torques.
    """
    plate = plate_limits(v_max, a_max, j_max)
    for which, value in (("yaw_rate", yaw_rate), ("yaw_acceleration", yaw_acceleration)):
        if not value > 0.0:
            raise LimitError(which, f"is {value:g}; no motion holds it, it must be greater than 0")
    motors = _motor_limits(model, torque, speed)
    limits = PathLimits(model, *motors, plate.v_max, plate.a_max, yaw_rate, yaw_acceleration)
    if isinstance(path, Route):
        for which, value in (("payload", payload), ("start_speed", start_speed), ("end_speed", end_speed)):
            if value:
                raise LimitError(which, "is for a path; a route says what it carries, and starts and ends at rest")
        # A way back takes as long as the way there if torques are the same at negated velocities.
        lossless = torque is None or not (model.motors.jumping or model.motors.viscous.any())
        return _timed_route(limits, plate.j_max, path, lossless=lossless)
    carried = limits if payload is None else replace(limits, model=model.carrying(payload))
    pieces = _run(carried, plate.j_max, path, (start_speed, end_speed))
    motion = Motion(pieces)
    motion = replace(motion, phases=(Phase(name, 0.0, motion.duration),))
    return motion.carrying(payload, 0.0, motion.duration) if payload else motion


def fastest_cycle(
    model: Model,
    motion: Motion | Route | GivesRoute | GivesMotion,
    *,
    torque: TorqueLimit = "peak",
    speed: bool | float = True,
    v_max: float | None = None,
    a_max: float | None = None,
    j_max: float | None = None,
) -> Motion:
    """Take the path of a motion as fast as a robot can.

    The path stays exactly what it is. Where strokes overlap that is the curve on which their laws lead the plate, which
    is then run through without a stop; where the plate stopped and changed its direction, it stops. Rests keep their
    durations, what is carried is carried over the same stretches, and phases begin and end at the same places. Motions
    that meet something on a moving belt have to be planned instead.

    Args:
        model: the robot.
        motion: the motion, from rest to rest, a route, or a task; its own limits and times are left aside.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one per motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate (m/s2).
        j_max: largest jerk of the plate (m/s3); not where strokes that overlap make the curvature jump.

    Raises:
        MotionError: a motion that meets something that moves, that does not rest at its ends or where its payload
            changes, or that turns on the spot; and what `fastest` raises.
    """
    if isinstance(motion, GivesRoute):
        route = motion.route(model)
    elif isinstance(motion, Route):
        route = motion
    else:
        route = Route.of(motion if isinstance(motion, Motion) else motion.motion(model))
    return fastest(model, route, torque=torque, speed=speed, v_max=v_max, a_max=a_max, j_max=j_max)


def _timed_route(limits: PathLimits, j_max: float, route: Route, *, lossless: bool) -> Motion:
    """The fastest motion along a route; lossless, a way back takes as long as the way there."""
    runs: list[tuple[MotionPiece, ...]] = []
    for i, part in enumerate(route.parts):
        if part.resting:
            runs.append(part.pieces)
            continue
        known = _known(part, zip(route.parts[:i], runs, strict=True), lossless=lossless)
        model = limits.model.carrying(part.load) if part.load else limits.model
        runs.append(known or _run(replace(limits, model=model), j_max, part.path))

    def when(place: RoutePosition) -> float:
        part = route.parts[place.part]
        return place.at if part.resting else Stretch(runs[place.part]).time(part.length(place.at))

    return route.timed(runs, when)


def _known(
    stretch: Stretch, timed: Iterable[tuple[Stretch, tuple[MotionPiece, ...]]], *, lossless: bool
) -> tuple[MotionPiece, ...] | None:
    """What is known of a stretch: it has been timed already, or its way back has."""
    pieces = stretch.path.pieces
    for other, run in timed:
        if other.resting or other.load != stretch.load:
            continue
        if other.path.pieces == pieces:
            return run
        if lossless and other.path.reversed().pieces == pieces:
            return tuple(retimed(piece, -1.0) for piece in reversed(run))
    return None


def _run(
    limits: PathLimits, j_max: float, path: Path, speeds: tuple[float, float] = (0.0, 0.0)
) -> tuple[MotionPiece, ...]:
    """A path run through by its fastest timing, from one speed to another (m/s)."""
    _check_path(limits.model, path)
    if not limits.limited and limits.a_max == math.inf:
        raise LimitError("a_max", "without torques it is what bounds the acceleration; give it")
    for which, value in zip(("start_speed", "end_speed"), speeds, strict=True):
        if not 0.0 <= value < math.inf:
            raise LimitError(which, f"is {value:g} m/s; it must be 0 or greater")
    stops = _stops(path)
    ends = [speeds[0], *[0.0] * (len(stops) - 2), speeds[1]]
    parts = [
        _timed(limits, j_max, first_grid(path, first, last), start, end)
        for first, last, start, end in zip(stops[:-1], stops[1:], ends[:-1], ends[1:], strict=True)
    ]
    return steps_along(path, Steps.joined(parts))


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


def _check_path(model: Model, path: Path) -> None:
    """Raise if a path has no length, or another number of coordinates than the robot."""
    if not path.pieces or not 0.0 < path.length < math.inf:
        raise StrokeError("the path", path.length if path.pieces else 0.0)
    if path.dof != model.robot.dof:
        raise MotionError(
            f"the path has {path.dof} coordinates; {model.robot.name} has {model.robot.dof}: "
            f"{', '.join(model.robot.task_names)}"
        )


def _stops(path: Path) -> list[int]:
    """Pieces before which the plate must stand still, the first and the one after the last included."""
    inner = path.offsets[1:-1]
    jump = np.abs(path.at(inner, "right").d1 - path.at(inner, "left").d1).max(axis=-1, initial=0.0)
    return [0, *(np.flatnonzero(jump > STRAIGHT) + 1).tolist(), len(path.pieces)]


def _timed(limits: PathLimits, j_max: float, grid: Grid, start: float, end: float) -> Steps:
    if j_max < math.inf:
        check_smooth(grid)
    stretch = fastest_stretch(limits, grid, start, end)
    if j_max < math.inf:
        return jerk_bounded(limits, stretch, j_max, start, end)
    return Steps.of_squares(stretch.grid.s, stretch.u)
