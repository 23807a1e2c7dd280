"""The fastest timing of a path: under motor torque and speed and limits of the plate, with gravity and friction.

Where a path turns sharply the plate stops. Between stops the squared speed over the length is the largest that meets
every limit (`passes`), on a grid that is refined until the limits hold between its nodes too (`stretch`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from parapick.errors import ParameterError
from parapick.model.motors import TorqueLimit
from parapick.model.payload import Load
from parapick.motion.errors import LimitError, MotionError, StrokeError
from parapick.motion.fit import plate_limits
from parapick.motion.motion import Motion
from parapick.motion.path import STRAIGHT, Path
from parapick.motion.pieces import Along
from parapick.motion.series import Phase
from parapick.timing.grid import Grid, first_grid
from parapick.timing.jerk import check_smooth, jerk_bounded
from parapick.timing.rows import PathLimits
from parapick.timing.steps import Steps
from parapick.timing.stretch import fastest_stretch

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["fastest"]


def fastest(
    model: Model,
    path: Path,
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
    """Run through a path as fast as a robot can.

    Some limit is reached at every instant, but for the switches between them. Torques are those of the motors, with
    gravity, dry and viscous friction and the losses of the gearboxes. A redundant robot's motors share by least peak.

    Args:
        model: the robot.
        path: the path. Where it turns sharply the plate stops.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one a motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s).
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2).
        j_max: largest jerk of the plate, its Euclidean norm (m/s3).
        yaw_rate: largest yaw rate (rad/s).
        yaw_acceleration: largest yaw acceleration (rad/s2).
        payload: what is carried along the path on top of what the model holds: a mass (kg), a mass with its unit such
            as "500 g", or a `Payload`.
        start_speed: speed along the path at its start (m/s).
        end_speed: speed along the path at its end (m/s).
        name: name of the phase.

    Raises:
        StrokeError: a path without length.
        MotionError: a path with another number of coordinates than the robot.
        UnreachablePathError: the path leads where the robot cannot go.
        SingularPathError: the path leads through a singularity.
        HoldingTorqueError: a motor cannot hold the plate somewhere on the path.
        LimitError: limits that cannot hold, or nothing that bounds the acceleration.
        MissingMassError: a robot without masses, asked to keep torques.
    """
    _check_path(model, path)
    plate = plate_limits(v_max, a_max, j_max)
    loaded = model if payload is None else model.carrying(payload)
    for which, value in (("yaw_rate", yaw_rate), ("yaw_acceleration", yaw_acceleration)):
        if not value > 0.0:
            raise LimitError(which, f"is {value:g}; no motion holds it, it must be greater than 0")
    motors = _motor_limits(model, torque, speed)
    limits = PathLimits(loaded, *motors, plate.v_max, plate.a_max, yaw_rate, yaw_acceleration)
    if not limits.limited and plate.a_max == math.inf:
        raise LimitError("a_max", "without torques it is what bounds the acceleration; give it")
    for which, value in (("start_speed", start_speed), ("end_speed", end_speed)):
        if not 0.0 <= value < math.inf:
            raise LimitError(which, f"is {value:g} m/s; it must be 0 or greater")
    stops = _stops(path)
    speeds = [start_speed, *[0.0] * (len(stops) - 2), end_speed]
    parts = [
        _timed(limits, plate.j_max, first_grid(path, first, last), *ends)
        for first, last, *ends in zip(stops[:-1], stops[1:], speeds[:-1], speeds[1:], strict=True)
    ]
    motion = _motion(path, Steps.joined(tuple(parts)), name)
    return motion.carrying(payload, 0.0, motion.duration) if payload else motion


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
    nothing = np.zeros(len(stretch.grid.h))
    return Steps(
        stretch.durations, stretch.grid.s[:-1], np.sqrt(stretch.u[:-1]), stretch.acceleration, nothing, nothing
    )


def _motion(path: Path, steps: Steps, name: str) -> Motion:
    first = np.searchsorted(steps.s, path.offsets[:-1])
    times = np.append(steps.corners[first], steps.duration)
    pieces = tuple(
        Along(piece, float(offset), steps, float(start), float(end - start))
        for piece, offset, start, end in zip(path.pieces, path.offsets[:-1], times[:-1], times[1:], strict=True)
    )
    return Motion(pieces, (Phase(name, 0.0, steps.duration),))
