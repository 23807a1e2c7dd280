"""`parapick check`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from parapick.catalogue import file_answer, kinds_in_words
from parapick.cli.arguments import Json
from parapick.cli.exits import WRONG_INPUT
from parapick.cli.tables import busy
from parapick.errors import ParapickError


def check(  # noqa: D103 (stated below: it names the kinds)
    file: Annotated[str, Parameter(help=f"Path of a TOML file, or name of a shipped {kinds_in_words()}.")],
    /,
    *,
    as_json: Json = False,
) -> int:
    from parapick.cli.printing import print_answer

    with busy("looking at the file"):
        answer = file_answer(file)
    if answer.refusal and not as_json:
        raise ParapickError(answer.refusal)
    return WRONG_INPUT if print_answer(answer, as_json=as_json) else 0


check.__doc__ = f"Check a {kinds_in_words()} file: all its problems at once, and its doubts."
