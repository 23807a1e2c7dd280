"""What a file describes, a robot or a task, told from its fields; and everything that is wrong with it as that."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, final

from parapick.errors import FileProblem, RobotFileError, UnknownRobotError
from parapick.files import UnreadableError
from parapick.robots import form as robots
from parapick.robots.files import find as find_robot
from parapick.robots.reading import read_robot
from parapick.tasks import kinds as tasks
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.files import find as find_task
from parapick.toml import read_toml

_NEITHER: Final = (
    "describes neither a robot nor a task: a robot file has format, name, home and the tables [base], [limb] and "
    "[plate], a task file has format, name and kind"
)


@final
@dataclass(frozen=True)
class Checked:
    """What came of checking a file.

    Attributes:
        file: the file, or the name of a shipped robot or task.
        what: what it describes; None where that cannot be told.
        problems: everything that is wrong with it.
    """

    file: str
    what: Literal["robot", "task"] | None
    problems: tuple[FileProblem, ...]

    def raise_if_wrong(self) -> None:
        """Raise if there are problems.

        Raises:
            TaskFileError: with all problems of a task.
            RobotFileError: with all problems of a robot, or of a file that is neither.
        """
        if self.problems:
            raise (TaskFileError if self.what == "task" else RobotFileError)(self.file, self.problems)


def check_description(file: str | os.PathLike[str]) -> Checked:
    """Everything that is wrong with a robot file or a task file, whichever it is.

    Args:
        file: path of a TOML file, or name of a shipped robot or task.

    Raises:
        UnknownRobotError: it is not a path, and neither a robot nor a task of this name is shipped.
        UnknownTaskError: the same, where the name comes close to that of a task.
    """
    name = os.fspath(file)
    try:
        document = read_toml(_find(file), "a robot or task file")
    except UnreadableError as error:
        return Checked(name, None, (FileProblem("", error.reason),))
    what = recognised(document)
    if what is None:
        return Checked(name, None, (FileProblem("", _NEITHER),))
    return Checked(name, what, (read_robot if what == "robot" else tasks.read_task)(document)[1])


def recognised(document: Mapping[str, Any]) -> Literal["robot", "task"] | None:
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
