"""`parapick compare`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Json, load_with_masses
from parapick.cli.evaluate import Pace, kilograms
from parapick.cli.tables import busy


def compare(
    *robots: Annotated[str, Parameter(help="Two or more: shipped robots, or paths of TOML files.")],
    task: str | None = None,
    payload: Amount = None,
    cycles_per_minute: Pace = None,
    equal_torque: Annotated[bool, Parameter(negative=())] = False,
    as_json: Json = False,
) -> int:
    """Several robots on one task, side by side, each in the middle of its own workspace.

    Args:
        robots: Two or more: shipped robots, or paths of TOML files.
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 a minute if not given.
        payload: Mass carried from pick to place instead of that of the task, such as 500g.
        cycles_per_minute: Cycles a minute, there and back, instead of those of the task.
        equal_torque: Give every robot drives with the total peak torque of the first one's.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_comparison
    from parapick.evaluation import compare as compared

    models = [load_with_masses(robot, None, None) for robot in robots]
    with busy("comparing " + ", ".join(model.robot.name for model in models)):
        found = compared(
            models,
            task,
            payload=kilograms(payload),
            cycles_per_minute=cycles_per_minute,
            equal_torque=equal_torque,
        )
    return print_comparison(found, as_json=as_json)
