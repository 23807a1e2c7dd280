"""What a file describes, a robot, a task or a controller, with all its problems and doubts, as an answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from parapick.answer import Answer, Column, Table
from parapick.control import files as controllers
from parapick.control.errors import ControllerFileError, UnknownControllerError
from parapick.errors import Doubt, FileProblem, RobotFileError, UnknownRobotError
from parapick.files import UnreadableError
from parapick.model import Model, all_doubts
from parapick.robots import form as robots
from parapick.robots import load_robot
from parapick.robots.files import find as find_robot
from parapick.robots.reading import read_robot
from parapick.tasks import kinds as tasks
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.files import check_task
from parapick.tasks.files import find as find_task
from parapick.toml import read_toml

FileKind = Literal["robot", "task", "controller"]

_NEITHER: Final = (
    "describes neither a robot nor a task nor a controller: a robot file has format, name, home and the tables [base], "
    "[limb] and [plate], a task file has format, name and kind, a controller file has format, name and the table [law]"
)
_READERS: Final = {"robot": read_robot, "controller": controllers.read_controller}
_ERRORS: Final = {"robot": RobotFileError, "task": TaskFileError, "controller": ControllerFileError}


def file_answer(file: str | os.PathLike[str]) -> Answer:
    """Whether a file describes a robot, a task or a controller: refused with all its problems, or with its doubts.

    Args:
        file: path of a TOML file, or name of a shipped robot, task or controller.

    Raises:
        UnknownRobotError: it is not a path, and nothing of this name is shipped.
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


def _read(file: str | os.PathLike[str]) -> tuple[FileKind | None, tuple[FileProblem, ...]]:
    """What a file describes, None where that cannot be told, and everything that is wrong with it."""
    path = _find(file)
    if path.suffix.lower() == ".csv":
        return "task", check_task(path)
    try:
        document = read_toml(path, "a robot, task or controller file")
    except UnreadableError as error:
        return None, (FileProblem("", error.reason),)
    what = recognised(document)
    if what is None:
        return None, (FileProblem("", _NEITHER),)
    if what == "task":
        return what, tasks.read_task(document, path.parent)[1]
    return what, _READERS[what](document)[1]


def recognised(document: Mapping[str, Any]) -> FileKind | None:
    """What a document describes: that with most fields of its own; None for nothing.

    Args:
        document: a TOML file as nested dictionaries.
    """
    fields: dict[FileKind, set[str]] = {
        "task": {name for table in tasks.file_form().forms for name in table.entries},
        "robot": set(robots.file_form().entries),
        "controller": set(controllers.file_form().entries),
    }
    counts: dict[FileKind, int] = {}
    for kind, names in fields.items():
        others = (other for one, other in fields.items() if one != kind)
        counts[kind] = len(names.difference(*others) & document.keys())
    if isinstance(document.get("law"), Mapping) and "kind" not in document:
        # Tasks have a law too, of time, and a kind.
        counts["controller"] += 1
    best = max(counts, key=lambda kind: counts[kind])
    return best if counts[best] else None


def _find(file: str | os.PathLike[str]) -> Path:
    try:
        return controllers.find(file)
    except UnknownControllerError:
        pass
    try:
        return find_robot(file)
    except UnknownRobotError as error:
        try:
            return find_task(file)
        except UnknownTaskError as other:
            # The error of that whose names come closer to what was meant.
            raise (other if other.close and not error.close else error) from None
