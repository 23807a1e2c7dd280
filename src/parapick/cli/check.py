"""`parapick check`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from parapick.cli.app import WRONG_INPUT
from parapick.cli.arguments import Json
from parapick.cli.tables import busy, print_json, say
from parapick.errors import RobotFileError

if TYPE_CHECKING:
    from parapick.errors import Doubt

__all__ = ["check"]


def check(file: Annotated[str, Parameter(help="Path of a TOML file.")], /, *, as_json: Json = False) -> int:
    """Check a robot file: all its problems at once, and what is doubtful about it."""
    from parapick.robots import check_file

    problems = check_file(file)
    doubtful = () if problems else _doubts(file)
    if as_json:
        listed = {"problems": problems, "doubts": doubtful}
        entries = {name: [dataclasses.asdict(entry) for entry in found] for name, found in listed.items()}
        print_json({"file": file, "valid": not problems, **entries})
        return WRONG_INPUT if problems else 0
    if problems:
        raise RobotFileError(file, problems)
    say(f"{file} is a valid robot{', with doubts:' if doubtful else ''}")
    for doubt in doubtful:
        say(f"  {doubt}", indent="    ")
    return 0


def _doubts(file: str) -> tuple[Doubt, ...]:
    from parapick.model import Model, all_doubts
    from parapick.robots import load_robot

    with busy("looking at home and workspace"):
        return all_doubts(Model(load_robot(file).robot))
