"""`parapick pose`."""

from __future__ import annotations

from parapick.cli.arguments import PLAIN, Coordinate, RobotName, Shared, load, task_vector


def pose(
    robot: RobotName,
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    yaw: Coordinate | None = None,
    /,
    *,
    shared: Shared = PLAIN,
) -> int:
    """Put a robot at a pose: joint angles, slack, margins.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.inspection import pose_answer

    model = load(robot, shared)
    answer = pose_answer(model, task_vector(model.robot, (x, y, z), yaw))
    return print_answer(answer, as_json=shared.as_json, settings=shared.stated)
