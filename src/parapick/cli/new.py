"""`parapick new`."""

from __future__ import annotations

import os
from typing import Annotated

from cyclopts import Parameter

from parapick.cli.arguments import Json
from parapick.cli.outputs import Force, WrittenFile
from parapick.cli.replacing import check_file
from parapick.errors import ParapickError


def new(
    name: Annotated[str, Parameter(help="Name of the robot; its file is NAME.toml. It may begin with a folder.")],
    /,
    *,
    like: str = "delta-4",
    force: Force = False,
    as_json: Json = False,
) -> int:
    """Write a robot file to start from, with the meaning of every field.

    A file that is there already is left alone; with --force a robot file is replaced.

    Args:
        name: Name of the robot.
        like: The robot that it starts as: a shipped one, or the path of a TOML file.
        force: Whether a robot file of this name is replaced.
        as_json: Print one JSON document instead.
    """
    from parapick.answer import Answer
    from parapick.cli.printing import print_answer
    from parapick.robots import new_path, new_robot

    if name.endswith(("/", os.sep)):
        raise ParapickError(f"{name}: is a folder; give the name of the robot behind it")
    path = new_path(name)
    replaces = check_file(path, "a robot file", force=force)
    new_robot(path, like, replace=replaces)
    notes = (f"change its numbers, then: parapick check {path}",)
    answer = Answer("new", f"{path.stem} is the same robot as {like}, to be changed.", notes=notes)
    return print_answer(answer, as_json=as_json, files={"robot": WrittenFile("robot", path, replaces)})
