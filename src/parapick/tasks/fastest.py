"""`fastest`: a task, a motion, a route or a path, run through as fast as a robot can."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from parapick.motion import Motion, Path, Route
from parapick.motors import TorqueLimit
from parapick.robots import RobotChoice, model_of
from parapick.tasks.choosing import TaskChoice, task_of
from parapick.timing import GivesRoute, fastest_along
from parapick.units import quantity

if TYPE_CHECKING:
    from parapick.mechanism import Load
    from parapick.model import Model


def fastest(
    robot: RobotChoice,
    task: TaskChoice | Path | Route,
    *,
    torque: TorqueLimit = "peak",
    speed: bool | float = True,
    v_max: float | str | None = None,
    a_max: float | str | None = None,
    j_max: float | str | None = None,
    yaw_rate: float | str = math.inf,
    yaw_acceleration: float | str = math.inf,
    payload: Load | None = None,
    end_speeds: tuple[float, float] = (0.0, 0.0),
    rated: TorqueLimit = None,
) -> Motion:
    """Run through a task, a motion, a route or a path as fast as a robot can.

    The path stays exactly what it is; rests keep their durations, and what is carried is carried over the same
    stretches. Some limit is reached at every instant, but for the switches between them. What `fastest_along` and
    `fastest_cycle` of `parapick.timing` say holds here.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: a task, the name of a shipped task, the path of a file; a motion, a route, or a path.
        torque: "peak" or "rated" torque of the drives, numbers (N m, motor side, one or one per motor), or None for no
            limit.
        speed: whether the peak speed of the drives is a limit, where their file states one, or which share of it.
        v_max: largest speed of the plate (m/s, or a text such as "5 m/s").
        a_max: largest acceleration of the plate, its Euclidean norm (m/s2, or a text).
        j_max: largest jerk of the plate, its Euclidean norm (m/s3, or a text).
        yaw_rate: largest yaw rate (rad/s, or a text such as "720 deg/s").
        yaw_acceleration: largest yaw acceleration (rad/s2, or a text).
        payload: what is carried beyond the gripper; that of the model, else of the task, if not given.
        end_speeds: speeds along a path at its start and at its end (m/s); anything else starts and ends at rest.
        rated: what heats no motor too much if the motion is repeated again and again: "rated" torque of the drives,
            numbers (N m, motor side, one or one per motor), or None for no limit. Where it decides, the timing is the
            optimum of all strokes together.

    Raises:
        MotionError: a motion that meets something that moves, or that does not rest at its ends.
        UnreachablePathError: the path leads where the robot cannot go.
        SingularPathError: the path leads through a singularity.
        HoldingTorqueError: a motor cannot hold the plate somewhere on the path.
        OverheatingError: a motor is too hot when it holds the plate.
        LimitError: limits that cannot hold, or nothing that bounds the acceleration.
        MissingMassError: a robot without masses, asked to keep torques.
    """
    model = model_of(robot)
    return fastest_along(
        model,
        _path_of(task, model),
        torque=torque,
        speed=speed,
        v_max=None if v_max is None else quantity("v_max", v_max, "m/s"),
        a_max=None if a_max is None else quantity("a_max", a_max, "m/s2"),
        j_max=None if j_max is None else quantity("j_max", j_max, "m/s3"),
        yaw_rate=quantity("yaw_rate", yaw_rate, "rad/s"),
        yaw_acceleration=quantity("yaw_acceleration", yaw_acceleration, "rad/s2"),
        payload=payload,
        end_speeds=end_speeds,
        rated=rated,
    )


def _path_of(task: TaskChoice | Path | Route, model: Model) -> Path | Route:
    if isinstance(task, (Path, Route)):
        return task
    work = task_of(task)
    if isinstance(work, GivesRoute):
        return work.route(model)
    return Route.of(work if isinstance(work, Motion) else work.motion(model))
