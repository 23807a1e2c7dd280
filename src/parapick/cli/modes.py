"""`parapick modes`."""

from __future__ import annotations

from dataclasses import replace

from parapick.cli.arguments import PLAIN, Coordinate, RobotName, Shared, load, pose_given
from parapick.cli.tables import busy


def modes(
    robot: RobotName,
    x: Coordinate | None = None,
    y: Coordinate | None = None,
    z: Coordinate | None = None,
    yaw: Coordinate | None = None,
    /,
    *,
    shared: Shared = PLAIN,
) -> int:
    """Working modes with the room they leave, and assembly modes, at a pose.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: at the robot's home.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        shared: Working mode whose joint angles the assembly modes are of, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.inspection import modes_answer

    model = load(robot, shared)
    pose = pose_given(model.robot, (x, y, z), yaw) or list(model.robot.home)
    default = load(robot, replace(shared, mode=None)).working_mode.signs
    with busy("looking at the modes"):
        answer = modes_answer(model, pose, default)
    return print_answer(answer, as_json=shared.as_json, settings=shared.stated)
