"""Controller files: finding and reading them, the shipped ones by name, a user's own by path; and their JSON Schema."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, final

from parapick import forms
from parapick.answer import Answer, shipped_answer
from parapick.control.controller import Controller
from parapick.control.errors import ControllerFileError, UnknownControllerError
from parapick.control.laws import LAWS
from parapick.errors import FileProblem
from parapick.files import UnreadableError, described
from parapick.toml import read_toml

_SHIPPED: Final = Path(__file__).parent
_KIND: Final = "a controller file"

_OTHERS: Final = {"kind": "a task file", "plate": "a robot file", "limb": "a robot file", "home": "a robot file"}
"""Fields that controller files do not have, and the files that have them."""


@final
@dataclass(frozen=True)
class ControllerEntry:
    """A shipped controller.

    Attributes:
        name: name by which it is loaded.
        title: what it is.
        law: name of its control law.
        path: its file.
    """

    name: str
    title: str
    law: str
    path: Path


def list_controllers() -> tuple[ControllerEntry, ...]:
    """The shipped controllers by name."""
    documents = {path: _parsed(path) for path in _shipped().values()}
    return tuple(
        ControllerEntry(path.stem, text["title"], text["law"]["kind"], path) for path, text in documents.items()
    )


def controllers_answer() -> Answer:
    """The shipped controllers, as an answer."""
    return shipped_answer("controllers", list_controllers(), {"name": "name", "law": "law", "title": "title"})


@cache
def file_form() -> forms.TableForm:
    """The form of a controller file."""
    table = forms.table_of(Controller)
    entries = {**table.entries, "name": replace(table.entries["name"], default=None)}
    return forms.file_of(replace(table, name="ControllerFile", entries=entries, what="of a controller"))


def controller_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of controller files, for editors and other programs."""
    return forms.json_schema(file_form(), "ControllerFile", "A controller for parapick, and the plant that it meets.")


def read_controller(document: Mapping[str, Any]) -> tuple[Controller | None, tuple[FileProblem, ...]]:
    """The controller of a document and everything that is wrong with it; no controller where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
    """
    for field, what in _OTHERS.items():
        if field in document:
            return None, (FileProblem("", f"is {what}, for it has {field}; {_KIND} has a table [law]"),)
    table, values, problems = forms.read_document(file_form(), document)
    if table is None or problems:
        return None, problems
    controller: Controller = table.make(values)
    wrong = (*forms.source_problems(controller.sources, forms.paths(controller)), *controller.problems())
    return (None if wrong else controller), wrong


def load_controller(controller: str | os.PathLike[str]) -> Controller:
    """A shipped controller, or one of your own file.

    Args:
        controller: name of a shipped controller (`"wu2020-fit1"`), or path of a TOML file (`"./mine.toml"`).

    Raises:
        UnknownControllerError: no controller of this name is shipped.
        ControllerFileError: the file cannot be read or does not describe a controller; it carries every problem found.
    """
    path = find(controller)
    found, problems = read_controller(_parsed(path))
    if found is None:
        raise ControllerFileError(str(path), problems)
    return found


def find(controller: str | os.PathLike[str]) -> Path:
    """The file of a controller; a path is anything with a slash or ending in `.toml`, and need not exist.

    Args:
        controller: name of a shipped controller in any case, or path of a TOML file.

    Raises:
        UnknownControllerError: no controller of this name is shipped.
    """
    path = described(controller, _shipped())
    if path is None:
        name = os.fspath(controller)
        raise UnknownControllerError(name, tuple(_shipped()), tuple(LAWS), _other(name))
    return path


def _other(name: str) -> str:
    """What else is shipped by a name: "robot", "task", or nothing."""
    from parapick.robots import list_robots
    from parapick.tasks import list_tasks

    lists = {"robot": list_robots(), "task": list_tasks()}
    return next((what for what, entries in lists.items() if name in {entry.name for entry in entries}), "")


def _shipped() -> dict[str, Path]:
    return {path.stem: path for path in sorted(_SHIPPED.glob("*.toml"), key=lambda path: path.stem)}


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path, _KIND)
    except UnreadableError as error:
        raise ControllerFileError(str(path), (FileProblem("", error.reason),)) from error
