"""`parapick show`."""

from __future__ import annotations

from parapick.cli.arguments import Json, RobotName


def show(robot: RobotName, /, *, as_json: Json = False) -> int:
    """Show a robot: its legs, working modes, and numbers with sources."""
    from parapick.cli.printing import print_answer
    from parapick.robots import load_robot
    from parapick.robots.robot_answer import robot_answer

    return print_answer(robot_answer(load_robot(robot)), as_json=as_json)
