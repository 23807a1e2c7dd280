"""What a file describes, a robot or a task, with all its problems and doubts, as an answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from parapick.answer import Answer, Column, Table
from parapick.errors import Doubt, FileProblem, RobotFileError, UnknownRobotError
from parapick.files import UnreadableError
from parapick.model import Model, all_doubts
from parapick.robots import form as robots
from parapick.robots import load_robot
from parapick.robots.files import find as find_robot
from parapick.robots.reading import read_robot
from parapick.tasks import kinds as tasks
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.files import find as find_task
from parapick.toml import read_toml

Kind = Literal["robot", "task"]

_NEITHER: Final = (
    "describes neither a robot nor a task: a robot file has format, name, home and the tables [base], [limb] and "
    "[plate], a task file has format, name and kind"
)
_READERS: Final = {"robot": read_robot, "task": tasks.read_task}
_ERRORS: Final = {"robot": RobotFileError, "task": TaskFileError}


def file_answer(file: str | os.PathLike[str]) -> Answer:
    """Whether a file describes a robot or a task: refused with all its problems, or with what is doubtful about it.

    Args:
        file: path of a TOML file, or name of a shipped robot or task.

    Raises:
        UnknownRobotError: it is not a path, and neither a robot nor a task of this name is shipped.
        UnknownTaskError: the same, where the name comes close to that of a task.
    """
    name = os.fspath(file)
    what, problems = _read(file)
    doubts = all_doubts(Model(load_robot(file).robot)) if what == "robot" and not problems else ()
    return Answer(
        key="check",
        title=f"{name} is {'no' if problems else 'a'} valid {what or 'file'}{', with doubts:' if doubts else ''}",
        tables=(_table("problems", problems, "path", "message"), _table("doubts", doubts, "path", "message", "meant")),
        notes=tuple(map(str, doubts)),
        data={"file": name, "what": what},
        refusal=str(_ERRORS[what or "robot"](name, problems)) if problems else "",
    )


def _table(name: str, entries: Sequence[FileProblem | Doubt], *fields: str) -> Table:
    rows = tuple(tuple(getattr(entry, field) for field in fields) for entry in entries)
    return Table(name, name, tuple(map(Column, fields)), rows, printed=0)


def _read(file: str | os.PathLike[str]) -> tuple[Kind | None, tuple[FileProblem, ...]]:
    """What a file describes, None where that cannot be told, and everything that is wrong with it."""
    try:
        document = read_toml(_find(file), "a robot or task file")
    except UnreadableError as error:
        return None, (FileProblem("", error.reason),)
    what = recognised(document)
    if what is None:
        return None, (FileProblem("", _NEITHER),)
    return what, _READERS[what](document)[1]


def recognised(document: Mapping[str, Any]) -> Kind | None:
    """What a document describes: that which has more of its fields; None for neither.

    Args:
        document: a TOML file as nested dictionaries.
    """
    robot = set(robots.file_form().entries)
    task = {name for table in tasks.file_form().forms for name in table.entries}
    of_robot, of_task = (len(own & document.keys()) for own in (robot - task, task - robot))
    if of_robot > of_task:
        return "robot"
    return "task" if of_task else None


def _find(file: str | os.PathLike[str]) -> Path:
    try:
        return find_robot(file)
    except UnknownRobotError as error:
        try:
            return find_task(file)
        except UnknownTaskError as other:
            # The error of that whose names come closer to what was meant.
            raise (other if other.close and not error.close else error) from None
