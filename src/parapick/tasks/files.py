"""Finding and reading task files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, final

from parapick.answer import Answer, shipped_answer
from parapick.errors import FileProblem
from parapick.files import UnreadableError, described
from parapick.forms import FORMAT
from parapick.names import file_name
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.kinds import Task, read_task
from parapick.tasks.sampled import SampledTask, read_recording
from parapick.toml import in_words, read_toml

_SHIPPED: Final = Path(__file__).parent

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
    entries = []
    for path in sorted(_SHIPPED.glob("*.toml"), key=lambda path: path.stem):
        # Shipped files are valid by test, so a plain look is enough and spares the library that a check needs.
        document = _parsed(path)
        entries.append(TaskEntry(path.stem, document["title"], document["kind"], tuple(document["robots"]), path))
    return tuple(entries)


def tasks_answer() -> Answer:
    """The shipped tasks, as an answer."""
    entries = list_tasks()
    shown = {"name": "name", "kind": "kind", "made for": "made_for", "title": "title"}
    answer = shipped_answer("tasks", entries, shown)
    return replace(answer, data={**answer.data, "robots": {entry.name: list(entry.robots) for entry in entries}})


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
            `{"cycles_per_minute": 90, "pick.time": "60 ms"}`.

    Raises:
        UnknownTaskError: no task of this name is shipped.
        TaskFileError: the file cannot be read or does not describe a task, with these settings; it carries every
            problem found.
    """
    path = find(task)
    if path.suffix.lower() != ".csv":
        document = _parsed(path)
    elif settings:
        document = {"format": FORMAT, "kind": "samples", "name": file_name(path.stem), "file": path.name}
    else:
        return _sampled(path)
    for field, value in (settings or {}).items():
        try:
            document = _with(document, field.split("."), value)
        except KeyError as error:
            raise TaskFileError(str(path), (FileProblem(field, error.args[0]),)) from error
    found, problems = read_task(document, path.parent)
    if found is None:
        raise TaskFileError(str(path), problems)
    return found.entitled(f"{field} = {value}" for field, value in (settings or {}).items() if field != "title")


def _with(node: Any, names: Sequence[str], value: Any) -> Any:
    """A part of a document with another value in it.

    Args:
        node: a table, a list, or None for a table that is not there.
        names: path of the value from there; entries of lists count from 1.
        value: the value as a file would have it.

    Raises:
        KeyError: there is no place for it.
    """
    if not names:
        return value
    name, *rest = names
    if isinstance(node, list):
        if not (name.isdigit() and 0 < int(name) <= len(node)):
            raise KeyError(f"is not there: the list has entries 1 to {len(node)}")
        return [_with(item, rest, value) if i == int(name) else item for i, item in enumerate(node, start=1)]
    if node is not None and not isinstance(node, Mapping):
        raise KeyError(f"is not there: above it the file has {in_words(node)}")
    table = node or {}
    return {**table, name: _with(table.get(name), rest, value)}


def _sampled(path: Path) -> SampledTask:
    """The task of a CSV file with a motion."""
    try:
        recording = read_recording(path)
    except UnreadableError as error:
        raise TaskFileError(str(path), (FileProblem("", error.reason),)) from error
    return SampledTask(name=path.stem, title=f"the motion of {path.name}", file=recording)


def check_task(task: str | os.PathLike[str]) -> tuple[FileProblem, ...]:
    """Everything that is wrong with a task file; empty when it describes a task.

    Args:
        task: path of a TOML file, or name of a shipped task.

    Raises:
        UnknownTaskError: it is not a path, and no task of this name is shipped.
    """
    try:
        load_task(task)
    except TaskFileError as error:
        return error.problems
    return ()


def find(task: str | os.PathLike[str]) -> Path:
    """The file of a task; a path is anything with a slash or ending in `.toml` or `.csv`, and need not exist.

    Args:
        task: name of a shipped task in any case, or path of a TOML file, or of a CSV file with a motion.

    Raises:
        UnknownTaskError: no task of this name is shipped.
    """
    shipped = {path.stem: path for path in sorted(_SHIPPED.glob("*.toml"))}
    own = os.fspath(task).lower().endswith(".csv")
    path = described(Path(task) if own else task, shipped)
    if path is None:
        raise UnknownTaskError(os.fspath(task), tuple(shipped))
    return path


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path, "a task file")
    except UnreadableError as error:
        raise TaskFileError(str(path), (FileProblem("", error.reason),)) from error
