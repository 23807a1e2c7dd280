"""`parapick check`."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from cyclopts import Parameter

from parapick.cli.app import WRONG_INPUT
from parapick.cli.arguments import Json
from parapick.cli.tables import print_json, say
from parapick.errors import RobotFileError

__all__ = ["check"]


def check(file: Annotated[str, Parameter(help="Path of a TOML file.")], /, *, as_json: Json = False) -> int:
    """Check a robot file and report all its problems at once."""
    from parapick.mechanism.doubts import doubts
    from parapick.robots import check_file, load_robot

    problems = check_file(file)
    doubtful = () if problems else doubts(load_robot(file).robot)
    if as_json:
        listed = {"problems": problems, "doubts": doubtful}
        told = {name: [dataclasses.asdict(problem) for problem in found] for name, found in listed.items()}
        print_json({"file": file, "valid": not problems, **told})
        return WRONG_INPUT if problems else 0
    if problems:
        raise RobotFileError(file, problems)
    say(f"{file} is a valid robot{', with doubts:' if doubtful else ''}")
    for doubt in doubtful:
        say(f"  {doubt}", indent="    ")
    return 0
