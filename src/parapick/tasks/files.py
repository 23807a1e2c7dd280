"""Finding and reading task files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final, final, get_type_hints

from parapick.answer import Answer, Column, Table
from parapick.errors import FileProblem
from parapick.files import UnreadableError
from parapick.tasks.belts import ConveyorTask, StreamTask
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.kinds import KINDS, Task
from parapick.toml import in_words, read_toml

FORMAT: Final = 1
"""The format of task files that this version reads."""

_SHIPPED: Final = Path(__file__).parent


@final
@dataclass(frozen=True)
class TaskEntry:
    """A shipped task.

    Attributes:
        name: name by which it is loaded.
        title: what it is.
        kind: kind of motion.
        path: its file.
    """

    name: str
    title: str
    kind: str
    path: Path


def list_tasks() -> tuple[TaskEntry, ...]:
    """The shipped tasks by name."""
    entries = []
    for path in sorted(_SHIPPED.glob("*.toml"), key=lambda path: path.stem):
        # Shipped files are valid by test, so a plain look is enough and spares the library that a check needs.
        document = _parsed(path)
        entries.append(TaskEntry(path.stem, document["title"], document["kind"], path))
    return tuple(entries)


def tasks_answer() -> Answer:
    """The shipped tasks, as an answer."""
    entries = list_tasks()
    rows = tuple((entry.name, entry.kind, entry.title) for entry in entries)
    return Answer(
        key="tasks",
        title="shipped tasks",
        tables=(Table("tasks", "", tuple(map(Column, ("name", "kind", "title"))), rows),),
        data={"paths": {entry.name: str(entry.path) for entry in entries}},
    )


def load_task(task: str | os.PathLike[str]) -> Task:
    """A shipped task, or one of your own file; `task.motion(model)` makes it a motion.

    Args:
        task: name of a shipped task (`"adept-120"`), or path of a TOML file (`"./mine.toml"`).

    Raises:
        UnknownTaskError: no task of this name is shipped.
        TaskFileError: the file cannot be read or does not describe a task; it carries every problem found.
    """
    path = _find(task)
    found, problems = read_document(_parsed(path))
    if found is None:
        raise TaskFileError(str(path), problems)
    return found


def check_task(task: str | os.PathLike[str]) -> tuple[FileProblem, ...]:
    """Everything that is wrong with a task file; empty when it describes a task.

    Args:
        task: path of a TOML file, or name of a shipped task.

    Raises:
        UnknownTaskError: it is not a path, and no task of this name is shipped.
    """
    path = _find(task)
    try:
        return read_document(_parsed(path))[1]
    except TaskFileError as error:
        return error.problems


def task_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of the task files of a kind, for editors.

    Args:
        kind: a key of `KINDS`.
    """
    schema = _adapter(kind).json_schema()
    schema["properties"]["format"] = {"const": FORMAT}
    return schema


def _find(task: str | os.PathLike[str]) -> Path:
    name = os.fspath(task)
    if isinstance(task, os.PathLike) or "/" in name or os.sep in name or name.lower().endswith(".toml"):
        return Path(name)
    shipped = {path.stem: path for path in sorted(_SHIPPED.glob("*.toml"))}
    if name not in shipped:
        raise UnknownTaskError(name, tuple(shipped))
    return shipped[name]


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path, "a task file")
    except UnreadableError as error:
        raise TaskFileError(str(path), (FileProblem("", error.reason),)) from error


@cache
def _adapter(kind: str) -> Any:
    """What pydantic makes of a kind of task; making it takes longer than reading a file with it."""
    from pydantic import TypeAdapter

    return TypeAdapter(KINDS[kind])


def read_document(document: dict[str, Any]) -> tuple[Task | None, tuple[FileProblem, ...]]:
    """The task of a document and everything that is wrong with it; no task where there is a problem.

    Args:
        document: a TOML file as nested dictionaries; its format is taken out.
    """
    from pydantic import ValidationError

    version, kind = document.pop("format", None), document.get("kind")
    if isinstance(version, bool) or version != FORMAT:
        given = "is missing" if version is None else f"is {in_words(version)}"
        return None, (FileProblem("format", f"{given}; write format = {FORMAT}"),)
    if not isinstance(kind, str) or kind not in KINDS:
        given = "is missing" if kind is None else f"is {in_words(kind)}"
        close = get_close_matches(kind, KINDS, n=1) if isinstance(kind, str) else []
        hint = f"did you mean {close[0]}? " if close else ""
        return None, (FileProblem("kind", f"{given}; {hint}It must be {', '.join(KINDS)}"),)
    try:
        found = _adapter(kind).validate_python(document)
    except ValidationError as error:
        return None, tuple(_problem(kind, item) for item in error.errors(include_url=False))
    wrong = _unknown_sources(kind, found.sources)
    if isinstance(found, (ConveyorTask, StreamTask)):
        wrong += found.problems()
    return (None if wrong else found), wrong


def _problem(kind: str, item: Mapping[str, Any]) -> FileProblem:
    *table, name = item["loc"]
    names = _names(kind, table)
    path = ".".join(str(key) for key in (*table, name))
    reason = str(item["type"])
    if reason in ("missing", "missing_argument", "missing_keyword_only_argument"):
        return FileProblem(path, "is missing")
    if reason in ("unexpected_keyword_argument", "extra_forbidden"):
        close = get_close_matches(str(name), names, n=2)
        hint = f"did you mean {' or '.join(close)}?" if close else f"valid are {', '.join(names)}"
        what = f"[{table[0]}]" if table else f"a task of kind {kind!r}"
        return FileProblem(path, f"is not a field of {what}; {hint}")
    if reason == "parapick":
        return FileProblem(path, str(item["msg"]))
    if reason == "literal_error":
        return FileProblem(path, f"is {in_words(item['input'])}; it must be {item['ctx']['expected']}")
    must = {"string_type": "text in quotes", "dict_type": "a table", "dataclass_type": "a table"}.get(reason)
    return FileProblem(path, f"is {in_words(item['input'])}; it must be {must}" if must else str(item["msg"]).lower())


def _names(kind: str, table: Sequence[str]) -> list[str]:
    """Fields of a kind of task, or of one of its tables."""
    owner: Any = KINDS[kind]
    for key in table:
        owner = get_type_hints(owner).get(key)
    return [field.name for field in fields(owner)] if is_dataclass(owner) else []


def _unknown_sources(kind: str, sources: Mapping[str, str]) -> tuple[FileProblem, ...]:
    names = _names(kind, ())
    return tuple(
        FileProblem(f"sources.{name}", f"is not a field of a task of kind {kind!r}; valid are {', '.join(names)}")
        for name in sources
        if name not in names and name.partition(".")[2] not in _names(kind, name.split(".")[:1])
    )
