"""`parapick check`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from parapick.cli.app import WRONG_INPUT
from parapick.cli.arguments import Json
from parapick.cli.tables import busy, print_json, say

if TYPE_CHECKING:
    from parapick.errors import Doubt


def check(
    file: Annotated[str, Parameter(help="Path of a TOML file, or name of a shipped robot, task or controller.")],
    /,
    *,
    as_json: Json = False,
) -> int:
    """Check a robot, task or controller file: all its problems at once, and what is doubtful about it."""
    from parapick.cli.file_check import check_description

    checked = check_description(file)
    doubtful = _doubts(file) if checked.what == "robot" and not checked.problems else ()
    if as_json:
        listed = {"problems": checked.problems, "doubts": doubtful}
        entries = {name: [dataclasses.asdict(entry) for entry in found] for name, found in listed.items()}
        print_json({"file": file, "what": checked.what, "valid": not checked.problems, **entries})
        return WRONG_INPUT if checked.problems else 0
    checked.raise_if_wrong()
    say(f"{file} is a valid {checked.what}{', with doubts:' if doubtful else ''}")
    for doubt in doubtful:
        say(f"  {doubt}", indent="    ")
    return 0


def _doubts(file: str) -> tuple[Doubt, ...]:
    from parapick.model import Model, all_doubts
    from parapick.robots import load_robot

    with busy("looking at home and workspace"):
        return all_doubts(Model(load_robot(file).robot))
