"""`parapick show`."""

from __future__ import annotations

from dataclasses import replace

from parapick.cli.arguments import PLAIN, RobotName, Shared, load


def show(robot: RobotName, /, *, shared: Shared = PLAIN) -> int:
    """Show a robot: legs, working modes, numbers with sources, and its tasks.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        shared: What the robot has otherwise than its file states, and how the answer is printed.
    """
    from parapick.cli.printing import print_answer
    from parapick.robots import load_robot, robot_answer
    from parapick.tasks import tasks_for

    file, settings = load_robot(robot), shared.stated
    sources = {**file.sources, **dict.fromkeys(shared.settings.stated, "set here")}
    contents = file if shared == PLAIN else replace(file, robot=load(robot, shared).robot, sources=sources)
    answer, tasks = robot_answer(contents), tasks_for(contents.robot.name)
    summary = {"tasks": ", ".join(tasks)} if tasks else {}
    answer = replace(answer, summary={**answer.summary, **summary}, data={**answer.data, "tasks": list(tasks)})
    return print_answer(answer, as_json=shared.as_json, settings=settings)
