"""`parapick compare`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import DEFAULT_TASK, Json, Names, TaskChoice, as_options, names_in, note_doubts
from parapick.cli.groups import ASKED
from parapick.cli.progress import watched
from parapick.cli.settings import NO_ROBOT_SETTINGS, RobotSettings


def compare(
    *robots: Annotated[
        str,
        Parameter(
            help="Two or more: shipped robots, or paths of TOML files; a variant states numbers of its own, such as "
            "par4:limb.arm=400mm,plate.mass=0.3kg."
        ),
    ],
    asked: TaskChoice = DEFAULT_TASK,
    settings: RobotSettings = NO_ROBOT_SETTINGS,
    sections: Annotated[Names, Parameter(group=ASKED)] = "",
    equal_torque: Annotated[bool, Parameter(negative=(), group=ASKED, show_default=False)] = False,
    as_json: Json = False,
) -> int:
    """Several robots on one task, side by side, each in the middle of its own workspace.

    Args:
        robots: Two or more: shipped robots, or paths of TOML files; a variant states numbers of its own, such as
            par4:limb.arm=400mm,plate.mass=0.3kg.
        asked: Which task.
        settings: What the robots have otherwise than their files state.
        sections: Compute these sections of `evaluate` only, such as reach,torque.
        equal_torque: Give every robot drives with the total peak torque of the first one's.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.printing import print_comparison
    from parapick.cli.variants import models_of
    from parapick.evaluation import compare as compared

    models, unset = models_of(robots, settings)
    note_doubts(*models)
    chosen = names_in(sections) or None
    with watched(f"comparing {len(models)} robots") as doing, as_options("sections"):
        comparison = compared(models, **asked.read(), sections=chosen, equal_torque=equal_torque, progress=doing)
    changes = {**settings.stated, **asked.stated}
    return print_comparison(replace(comparison, notes=(*unset, *comparison.notes), settings=changes), as_json=as_json)
