"""`parapick compare`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import DEFAULT_TASK, Json, TaskChoice, load, note_doubts
from parapick.cli.settings import NO_ROBOT_SETTINGS, RobotSettings
from parapick.cli.tables import busy


def compare(
    *robots: Annotated[str, Parameter(help="Two or more: shipped robots, or paths of TOML files.")],
    asked: TaskChoice = DEFAULT_TASK,
    settings: RobotSettings = NO_ROBOT_SETTINGS,
    equal_torque: Annotated[bool, Parameter(negative=())] = False,
    as_json: Json = False,
) -> int:
    """Several robots on one task, side by side, each in the middle of its own workspace.

    Args:
        robots: Two or more: shipped robots, or paths of TOML files.
        asked: Which task.
        settings: What the robots have otherwise than their files state.
        equal_torque: Give every robot drives with the total peak torque of the first one's.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_comparison
    from parapick.evaluation import compare as compared

    models, unset = settings.applied_to_all([load(robot) for robot in robots])
    for model in models:
        note_doubts(model)
    with busy(f"comparing {len(models)} robots") as doing:
        found = compared(models, **asked.read(), equal_torque=equal_torque, progress=doing)
    stated = {**settings.stated, **asked.settings.stated}
    return print_comparison(replace(found, notes=(*unset, *found.notes), settings=stated), as_json=as_json)
