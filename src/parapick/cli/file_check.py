"""What a file describes, a robot, a task or a controller, by its fields; and all that is wrong with it as that."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, final

from parapick.control import files as controllers
from parapick.control.errors import ControllerFileError, UnknownControllerError
from parapick.errors import FileProblem, RobotFileError, UnknownRobotError
from parapick.files import UnreadableError
from parapick.robots import form as robots
from parapick.robots.files import find as find_robot
from parapick.robots.reading import read_robot
from parapick.tasks import kinds as tasks
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.files import find as find_task
from parapick.toml import read_toml

Kind = Literal["robot", "task", "controller"]

_NEITHER: Final = (
    "describes neither a robot nor a task nor a controller: a robot file has format, name, home and the tables [base], "
    "[limb] and [plate], a task file has format, name and kind, a controller file has format, name and the table [law]"
)
_READERS: Final = {"robot": read_robot, "task": tasks.read_task, "controller": controllers.read_controller}
_ERRORS: Final = {"robot": RobotFileError, "task": TaskFileError, "controller": ControllerFileError}


@final
@dataclass(frozen=True)
class Checked:
    """What came of checking a file.

    Attributes:
        file: the file, or the name of a shipped robot, task or controller.
        what: what it describes; None where that cannot be told.
        problems: everything that is wrong with it.
    """

    file: str
    what: Kind | None
    problems: tuple[FileProblem, ...]

    def raise_if_wrong(self) -> None:
        """Raise if there are problems.

        Raises:
            TaskFileError: with all problems of a task.
            ControllerFileError: with all problems of a controller.
            RobotFileError: with all problems of a robot, or of a file that is none of them.
        """
        if self.problems:
            raise _ERRORS[self.what or "robot"](self.file, self.problems)


def check_description(file: str | os.PathLike[str]) -> Checked:
    """Everything that is wrong with a robot, task or controller file, whichever it is.

    Args:
        file: path of a TOML file, or name of a shipped robot, task or controller.

    Raises:
        UnknownRobotError: it is not a path, and nothing of this name is shipped.
        UnknownTaskError: the same, where the name comes close to that of a task.
    """
    name = os.fspath(file)
    try:
        document = read_toml(_find(file), "a robot, task or controller file")
    except UnreadableError as error:
        return Checked(name, None, (FileProblem("", error.reason),))
    what = recognised(document)
    if what is None:
        return Checked(name, None, (FileProblem("", _NEITHER),))
    return Checked(name, what, _READERS[what](document)[1])


def recognised(document: Mapping[str, Any]) -> Kind | None:
    """What a document describes: that with most fields of its own; None for nothing.

    Args:
        document: a TOML file as nested dictionaries.
    """
    fields: dict[Kind, set[str]] = {
        "task": {name for table in tasks.file_form().forms for name in table.entries},
        "robot": set(robots.file_form().entries),
        "controller": set(controllers.file_form().entries),
    }
    counts: dict[Kind, int] = {}
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
