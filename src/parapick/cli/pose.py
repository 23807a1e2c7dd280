"""`parapick pose`."""

from __future__ import annotations

from parapick.cli.arguments import Coordinate, Json, Mode, RobotName, load, task_vector


def pose(
    robot: RobotName,
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    yaw: Coordinate | None = None,
    /,
    *,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Put a robot at a pose: joint angles, slack, margins.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_answer
    from parapick.model.pose_answer import pose_answer

    model = load(robot, mode)
    return print_answer(pose_answer(model, task_vector(model.robot, (x, y, z), yaw)), as_json=as_json)
