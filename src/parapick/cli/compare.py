"""`parapick compare`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import DEFAULT_TASK, Json, TaskChoice, load_with_masses
from parapick.cli.tables import busy


def compare(
    *robots: Annotated[str, Parameter(help="Two or more: shipped robots, or paths of TOML files.")],
    asked: TaskChoice = DEFAULT_TASK,
    equal_torque: Annotated[bool, Parameter(negative=())] = False,
    as_json: Json = False,
) -> int:
    """Several robots on one task, side by side, each in the middle of its own workspace.

    Args:
        robots: Two or more: shipped robots, or paths of TOML files.
        asked: Which task.
        equal_torque: Give every robot drives with the total peak torque of the first one's.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_comparison
    from parapick.evaluation import compare as compared

    models = [load_with_masses(robot, None, None) for robot in robots]
    with busy("comparing " + ", ".join(model.robot.name for model in models)):
        found = compared(models, **asked.read(), equal_torque=equal_torque)
    return print_comparison(found, as_json=as_json)
