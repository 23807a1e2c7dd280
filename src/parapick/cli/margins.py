"""`parapick margins`."""

from __future__ import annotations

from parapick.cli.arguments import PLAIN, Coordinate, RobotName, Shared, load, pose_given
from parapick.cli.tables import busy


def margins(
    robot: RobotName,
    x: Coordinate | None = None,
    y: Coordinate | None = None,
    z: Coordinate | None = None,
    yaw: Coordinate | None = None,
    /,
    *,
    shared: Shared = PLAIN,
) -> int:
    """How far a robot is from its singularities, at a pose or over its workspace.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: over the workspace of the file.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.capability import workspace_margins
    from parapick.cli.printing import print_answer
    from parapick.inspection import margins_answer

    model = load(robot, shared)
    pose = pose_given(model.robot, (x, y, z), yaw)
    with busy("looking at the poses of the workspace"):
        answer = margins_answer(model, pose) if pose else workspace_margins(model)
    return print_answer(answer, as_json=shared.as_json, settings=shared.stated)
