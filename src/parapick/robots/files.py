"""Finding and reading robot files: the shipped ones by name, a user's own by path."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from parapick import files, toml
from parapick.errors import FileProblem, PlausibilityWarning, RobotFileError, UnknownRobotError
from parapick.robots.contents import RobotEntry, RobotFile

if TYPE_CHECKING:
    from parapick.answer import Answer
    from parapick.model import Model

_KIND: Final = "a robot file"
_SHIPPED: Final = Path(__file__).parent

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
    from parapick.mechanism.doubts import doubts
    from parapick.model import Model

    description = load_robot(robot).robot
    doubtful = [str(doubt) for doubt in doubts(description)]
    text = f"{description.name}: " + "\n  ".join(doubtful)
    if doubtful and text not in _WARNED:
        _WARNED.add(text)
        warnings.warn(text, PlausibilityWarning, stacklevel=2)
    return Model(description)


def load_robot(robot: str | os.PathLike[str]) -> RobotFile:
    """The description of a robot with its sources and its text.

    Args:
        robot: name of a shipped robot, or path of a TOML file.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        RobotFileError: the file cannot be read or does not describe a robot; it carries every problem found.
    """
    from parapick.robots.reading import read_robot

    path = find(robot)
    contents, problems = read_robot(parsed(path, read_text(path)))
    if contents is None:
        raise RobotFileError(str(path), problems)
    return replace(contents, path=path)


def check_file(robot: str | os.PathLike[str]) -> tuple[FileProblem, ...]:
    """Everything that is wrong with a robot file; empty when it describes a robot.

    Args:
        robot: path of a TOML file, or name of a shipped robot.

    Raises:
        UnknownRobotError: it is not a path, and no robot of this name is shipped.
    """
    find(robot)
    try:
        load_robot(robot)
    except RobotFileError as error:
        return error.problems
    return ()


def list_robots() -> tuple[RobotEntry, ...]:
    """The shipped robots by name."""
    return tuple(_entry(path) for path in _shipped().values())


def robots_answer() -> Answer:
    """The shipped robots, as an answer."""
    from parapick.answer import shipped_answer

    shown = {"name": "name", "motors": "motors", "freedoms": "dof", "plate": "plate", "title": "title"}
    return shipped_answer("robots", list_robots(), shown)


def find(robot: str | os.PathLike[str]) -> Path:
    """The file of a robot; a path is anything with a slash or ending in `.toml`, and need not exist.

    Args:
        robot: name of a shipped robot in any case, or path of a TOML file.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
    """
    name = os.fspath(robot) if isinstance(robot, (str, os.PathLike)) else repr(robot)
    path = files.described(robot if isinstance(robot, os.PathLike) else name, _shipped())
    if path is None:
        close = get_close_matches(name.strip().lower(), _shipped(), n=3)
        raise UnknownRobotError(name, tuple(close), tuple(_shipped()))
    return path


def read_text(path: Path) -> str:
    """The text of a file.

    Args:
        path: the file.

    Raises:
        RobotFileError: there is no such file, it is not a readable text file, or it is too large.
    """
    try:
        return files.read_text(path, toml.SIZE_MAX, _KIND)
    except files.UnreadableError as error:
        raise _refused(path, error.reason) from error


def parsed(path: Path, text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Args:
        path: where it is from, for the message.
        text: the text.

    Raises:
        RobotFileError: it is not TOML, or holds more than a robot file does; the message has the line.
    """
    try:
        return toml.parsed(path, text, _KIND)
    except files.UnreadableError as error:
        raise _refused(path, error.reason) from error


def _refused(path: Path, message: str) -> RobotFileError:
    return RobotFileError(str(path), (FileProblem("", message),))


def _shipped() -> dict[str, Path]:
    return {path.stem: path for path in sorted(_SHIPPED.glob("*.toml"))}


def _entry(path: Path) -> RobotEntry:
    # Shipped files are valid by test, so a plain look is enough and spares the libraries that a check needs.
    document = parsed(path, read_text(path))
    base, plate = document["base"], document["plate"]
    arms = len(base["angles"] if "angles" in base else base["points"])
    return RobotEntry(
        name=document["name"],
        title=document["title"],
        dof=len(document["home"]),
        motors=arms + _own_motors(plate),
        plate=plate["kind"],
        path=path,
    )


def _own_motors(plate: dict[str, Any]) -> int:
    """Motors of the plate itself: two nuts of a spindle, one of a telescope."""
    return 2 if plate["kind"] == "spindle" else int("telescope" in plate)
