"""`parapick check`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Json
from parapick.cli.exits import WRONG_INPUT
from parapick.cli.tables import busy
from parapick.errors import ParapickError


def check(
    file: Annotated[str, Parameter(help="Path of a TOML file, or name of a shipped robot, task, controller or study.")],
    /,
    *,
    as_json: Json = False,
) -> int:
    """Check a robot, task, controller or study file: all its problems at once, and its doubts."""
    from parapick.cli.printing import print_answer
    from parapick.study.file_answer import file_answer

    with busy("looking at the file"):
        answer = file_answer(file)
    if answer.refusal and not as_json:
        raise ParapickError(answer.refusal)
    return WRONG_INPUT if print_answer(answer, as_json=as_json) else 0
