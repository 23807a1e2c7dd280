"""Controller files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from parapick.control.errors import ControllerFileError, UnknownControllerError
from parapick.forms import FileKind

if TYPE_CHECKING:
    from parapick.control.controller import Controller
    from parapick.forms import Reading, TableForm


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
    return CONTROLLERS.entries()


def load_controller(controller: str | os.PathLike[str]) -> Controller:
    """A shipped controller, or one of your own file.

    Args:
        controller: name of a shipped controller (`"wu2020-fit1"`), or path of a TOML file (`"./mine.toml"`).

    Raises:
        UnknownControllerError: no controller of this name is shipped.
        ControllerFileError: the file cannot be read or does not describe a controller; it carries every problem found.
    """
    return CONTROLLERS.load(controller)


def _form() -> TableForm:
    from parapick.control.reading import file_form

    return file_form()


def _read(document: Mapping[str, Any], _path: Path) -> Reading[Controller]:
    from parapick.control.reading import read_controller

    return read_controller(document)


def _entry(path: Path, document: Mapping[str, Any]) -> ControllerEntry:
    return ControllerEntry(path.stem, document["title"], document["law"]["kind"], path)


def _is_controller(document: Mapping[str, Any]) -> bool:
    """Whether a document has a control law: tasks have a law too, of time, and a kind."""
    return isinstance(document.get("law"), Mapping) and "kind" not in document


def _unknown(name: str, known: tuple[str, ...]) -> UnknownControllerError:
    from parapick.control.laws import LAWS
    from parapick.robots import ROBOTS
    from parapick.tasks import TASKS

    other = next((kind.name for kind in (ROBOTS, TASKS) if name in kind.shipped()), "")
    return UnknownControllerError(name, known, tuple(LAWS), other)


CONTROLLERS: Final = FileKind(
    name="controller",
    plural="controllers",
    folder=Path(__file__).parent,
    doc="A controller for parapick, and the plant that it meets.",
    outline="format, name and the table [law]",
    form=_form,
    reader=_read,
    entry=_entry,
    columns={"name": "name", "law": "law", "title": "title"},
    marks=_is_controller,
    refused=ControllerFileError,
    unknown=_unknown,
)
"""Controller files."""
