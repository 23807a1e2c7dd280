"""`parapick new`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Json


def new(
    name: Annotated[str, Parameter(help="Name of the robot; its file is NAME.toml. It may begin with a folder.")],
    /,
    *,
    like: str = "delta-4",
    as_json: Json = False,
) -> int:
    """Write a robot file to start from, with the meaning of every field.

    A file that is there already is left alone.

    Args:
        name: Name of the robot.
        like: The robot that it starts as: a shipped one, or the path of a TOML file.
        as_json: Print one JSON document instead.
    """
    from parapick.answer import Answer
    from parapick.cli.outputs import check_place
    from parapick.cli.printing import print_answer
    from parapick.robots import new_robot

    check_place(Path(name))
    path = new_robot(name, like)
    notes = (f"change its numbers, then: parapick check {path}",)
    answer = Answer("new", f"{path.stem} is the same robot as {like}, to be changed.", notes=notes)
    return print_answer(answer, as_json=as_json, files={"robot": path})
