"""`parapick compare`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from parapick.cli.app import UNREACHABLE
from parapick.cli.arguments import Amount, Json, load_with_masses
from parapick.cli.evaluate import Pace, kilograms
from parapick.cli.tables import busy, print_json, print_table, say

if TYPE_CHECKING:
    from parapick.evaluation import Comparison

__all__ = ["compare"]


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
    from parapick.evaluation import compare as compared
    from parapick.evaluation import plain_comparison

    models = [load_with_masses(robot, None, None) for robot in robots]
    with busy("comparing " + ", ".join(model.robot.name for model in models)):
        found = compared(
            models,
            task,
            payload=kilograms(payload),
            cycles_per_minute=cycles_per_minute,
            equal_torque=equal_torque,
        )
    if as_json:
        print_json(plain_comparison(found))
    else:
        _print(found)
    able = [made is not None and made.verdict.ok for made in found.evaluations]
    return 0 if all(able) else UNREACHABLE


def _print(found: Comparison) -> None:
    from parapick.cli.evaluate_tables import print_verdict

    for robot, reason, made in zip(found.robots, found.refused, found.evaluations, strict=True):
        print_verdict(f"NO: {robot} cannot do this: {reason}" if made is None else made.verdict.text)
    say(f"task: {found.title}")
    say()
    rows = [[str(name), *(_cell(name, cell) for cell in cells)] for name, *cells in found.table.rows]
    print_table(found.table.heads, rows, numbers=range(1, len(found.table.heads)))
    for text in found.notes:
        say()
        say(text)


def _cell(name: object, cell: object) -> str:
    """A cell in four digits; what is possible at most is rounded to what is kept."""
    from parapick.cli.evaluate_tables import cell_text
    from parapick.evaluation.comparing import LARGEST
    from parapick.evaluation.words import at_most

    if name in LARGEST and isinstance(cell, float) and 0.0 < cell < math.inf:
        return at_most(cell, 4)
    return cell_text(cell)
