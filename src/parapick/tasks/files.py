"""Task files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from parapick.errors import FileProblem, ParameterError
from parapick.forms import FileKind
from parapick.names import file_name
from parapick.tasks.errors import TaskFileError, UnknownTaskError

if TYPE_CHECKING:
    from parapick.forms import Kinds, Reading
    from parapick.tasks.task_kinds import Task

_CSV: Final = ".csv"
"""How the name of a motion ends that is numbers and nothing else."""

_NAMED: Final = 2
"""Most robots of a task that a list names one by one."""


@final
@dataclass(frozen=True)
class TaskEntry:
    """A shipped task.

    Attributes:
        name: name by which it is loaded.
        title: what it is.
        kind: kind of motion.
        robots: names of the robots that it is made for.
        path: its file.
    """

    name: str
    title: str
    kind: str
    robots: tuple[str, ...]
    path: Path

    @property
    def made_for(self) -> str:
        """The robots that it is made for: a few by name, many by their number."""
        return ", ".join(self.robots) if len(self.robots) <= _NAMED else f"{len(self.robots)} robots"


def list_tasks() -> tuple[TaskEntry, ...]:
    """The shipped tasks by name."""
    return TASKS.entries()


def tasks_for(robot: str) -> tuple[str, ...]:
    """Names of the shipped tasks that are made for a robot.

    Args:
        robot: its name.
    """
    return tuple(entry.name for entry in list_tasks() if robot in entry.robots)


def load_task(task: str | os.PathLike[str], settings: Mapping[str, Any] | None = None) -> Task:
    """A shipped task, or one of your own file; `task.motion(model)` makes it a motion.

    Args:
        task: name of a shipped task (`"adept-120"`), or path of a TOML file (`"./mine.toml"`), or of a CSV file
            with a motion (see `read_recording`).
        settings: fields in the place of the file's, by path, each as the file would have it:
            `{"cycles_per_minute": 90, "pick.time": "60 ms"}`. Entries of a list count from 1, and `*` names all.

    Raises:
        UnknownTaskError: no task of this name is shipped.
        TaskFileError: the file cannot be read or does not describe a task, with these settings; it carries every
            problem found.
    """
    if not settings:
        return TASKS.load(task)
    from parapick.paths import set_at

    path = TASKS.find(task)
    if path.suffix.lower() == _CSV:
        from parapick.forms import FORMAT

        document: Any = {"format": FORMAT, "kind": "samples", "name": file_name(path.stem), "file": path.name}
    else:
        document = TASKS.document(path)
    try:
        for field, value in settings.items():
            document = set_at(document, field, value)
    except ParameterError as error:
        raise TASKS.problem(path, error.message, error.path) from error
    changes = (f"{field} = {value}" for field, value in settings.items() if field != "title")
    return TASKS.made(path, document).entitled(changes)


def _form() -> Kinds:
    from parapick.tasks.task_kinds import file_form

    return file_form()


def _read(document: Mapping[str, Any], path: Path) -> Reading[Task]:
    from parapick.tasks.task_kinds import read_task

    return read_task(document, path.parent)


def _sampled(path: Path) -> Reading[Task]:
    """The task of a CSV file with a motion."""
    from parapick.files import UnreadableError
    from parapick.tasks.sampled import SampledTask, read_recording

    try:
        recording = read_recording(path)
    except UnreadableError as error:
        return None, (FileProblem("", error.reason),)
    return SampledTask(name=path.stem, title=f"the motion of {path.name}", file=recording), ()


def _entry(path: Path, document: Mapping[str, Any]) -> TaskEntry:
    return TaskEntry(path.stem, document["title"], document["kind"], tuple(document["robots"]), path)


def _is_task(document: Mapping[str, Any]) -> bool:
    """Whether a document names a kind of task; tables of robots have kinds of their own."""
    return document.get("kind") in tuple(_form().kinds)


TASKS: Final = FileKind(
    name="task",
    plural="tasks",
    folder=Path(__file__).parent,
    doc="A task for parapick.",
    outline="format, name and kind",
    form=_form,
    reader=_read,
    entry=_entry,
    columns={"name": "name", "kind": "kind", "made for": "made_for", "title": "title"},
    data={"paths": "path", "robots": "robots"},
    endings={_CSV: _sampled},
    marks=_is_task,
    refused=TaskFileError,
    unknown=UnknownTaskError,
)
"""Task files: TOML files, and motions as CSV files."""
