"""Robot files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from parapick.errors import Doubt, PlausibilityWarning, RobotFileError, UnknownRobotError
from parapick.forms import FileKind
from parapick.robots.robot_file import RobotEntry, RobotFile

if TYPE_CHECKING:
    from parapick.forms import Reading, TableForm
    from parapick.mechanism import Robot
    from parapick.model import Model

REMEMBERED: Final = 64
"""Robots whose text is read and judged once, as long as it stays the same: more than are shipped."""

_WARNED: Final[set[str]] = set()
"""Doubts that were warned of: once a process is enough, wherever a robot is loaded."""


def load(robot: str | os.PathLike[str]) -> Model:
    """The model of a shipped robot, or of your own file.

    Args:
        robot: name of a shipped robot (`"par4"`), or path of a TOML file (`"./mine.toml"`).

    Warns:
        PlausibilityWarning: numbers that are probably not meant, once a process; `all_doubts` has them as values.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        RobotFileError: the file cannot be read or does not describe a robot; it carries every problem found.
    """
    from parapick.model import Model

    description = load_robot(robot).robot
    doubtful = _doubtful(description)
    text = f"{description.name}: " + "\n  ".join(doubtful)
    if doubtful and text not in _WARNED:
        _WARNED.add(text)
        warnings.warn(text, PlausibilityWarning, stacklevel=2)
    return Model(description)


@lru_cache(REMEMBERED)
def _doubtful(robot: Robot) -> tuple[str, ...]:
    from parapick.mechanism import doubts

    return tuple(map(str, doubts(robot)))


def load_robot(robot: str | os.PathLike[str]) -> RobotFile:
    """The description of a robot with its sources and its text.

    Args:
        robot: name of a shipped robot, or path of a TOML file.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        RobotFileError: the file cannot be read or does not describe a robot; it carries every problem found.
    """
    return ROBOTS.load(robot)


def list_robots() -> tuple[RobotEntry, ...]:
    """The shipped robots by name."""
    return ROBOTS.entries()


def _form() -> TableForm:
    from parapick.robots.form import file_form

    return file_form()


def _read(document: Mapping[str, Any], path: Path) -> Reading[RobotFile]:
    from parapick.robots.reading import read_robot

    contents, problems = read_robot(document)
    return (None if contents is None else replace(contents, path=path)), problems


@lru_cache(REMEMBERED)
def _read_text(path: Path, text: str) -> Reading[RobotFile]:
    return _read(ROBOTS.document(path, text), path)


def _entry(path: Path, document: Mapping[str, Any]) -> RobotEntry:
    base = document["base"]
    plate = document["plate"]
    arms = len(base["angles"] if "angles" in base else base["points"])
    return RobotEntry(
        name=document["name"],
        title=document["title"],
        dof=len(document["home"]),
        motors=arms + _plate_motors(plate),
        plate=plate["kind"],
        path=path,
    )


def _plate_motors(plate: Mapping[str, Any]) -> int:
    """Motors of the plate itself: two nuts of a spindle, one of a telescope."""
    return 2 if plate["kind"] == "spindle" else int("telescope" in plate)


def _doubts(contents: RobotFile) -> Sequence[Doubt]:
    from parapick.model import Model, all_doubts

    return all_doubts(Model(contents.robot))


ROBOTS: Final = FileKind(
    name="robot",
    plural="robots",
    folder=Path(__file__).parent,
    doc="A robot for parapick.",
    outline="format, name, home and the tables [base], [limb] and [plate]",
    form=_form,
    reader=_read,
    entry=_entry,
    from_text=_read_text,
    columns={"name": "name", "motors": "motors", "freedoms": "dof", "plate": "plate", "title": "title"},
    doubts=_doubts,
    refused=RobotFileError,
    unknown=UnknownRobotError,
)
"""Robot files."""
