"""Writing a robot to a file, in the words of the file it came from: comments, order and units stay.

Only values that changed are written anew. What is written is read back before the file is replaced, so a saved robot
is the same robot, bit for bit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from parapick.errors import FileProblem, ParapickError, RobotFileError
from parapick.files import as_templates, write_text
from parapick.robots.files import ROBOTS, load_robot
from parapick.robots.robot_file import OWN, RobotFile

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model


def save(
    robot: Model | Robot | RobotFile,
    path: str | os.PathLike[str],
    *,
    sources: Mapping[str, str] | None = None,
) -> Path:
    """Write a robot to a TOML file and return its path.

    The file that stands there gives comments, order, units, text and sources; where there is none, the shipped file
    of the same name does. A number that changes keeps no source of the old one: unless a new one is given, its source
    says in the place of which number it stands.

    Args:
        robot: a model, a description, or the contents of a file.
        path: file to write, ending in `.toml`. A robot file in its place is replaced in one step; any other file is
            left alone.
        sources: where numbers are from, by path, in addition to what the file says or in its place.

    Raises:
        RobotFileError: the description is not a robot, or the file cannot be written.
    """
    from parapick.robots.reading import read_robot

    target = _target(path)
    with as_templates():
        template = _template(robot, target)
        contents = _contents(robot, template, sources or {})
        texts = _texts(contents, template)
    problems: tuple[FileProblem, ...] = ()
    for text in texts:
        again, problems = read_robot(ROBOTS.document(target, text))
        if again is not None and _same(again, contents):
            _write(target, text)
            return target
    raise RobotFileError(str(target), problems or (FileProblem("", "would not read back as the same robot"),))


def _target(path: str | os.PathLike[str]) -> Path:
    target = Path(path)
    if target.suffix.lower() != ".toml":
        raise ROBOTS.problem(target, "a robot file has a name that ends in .toml")
    return target


def _template(robot: Model | Robot | RobotFile, target: Path) -> RobotFile | None:
    """The file whose words to keep."""
    description = _description(robot)
    if target.exists():
        try:
            existing = load_robot(target.absolute())
        except RobotFileError as error:
            message = "there is a file that is not a valid robot; it is left alone: choose another name or remove it"
            raise ROBOTS.problem(target, message) from error
        return existing if _fits(existing, description) else None
    if isinstance(robot, RobotFile) and robot.path is not None and robot.path.exists():
        return load_robot(robot.path)
    if description.name in ROBOTS.shipped():
        shipped = load_robot(description.name)
        return shipped if _fits(shipped, description) else None
    return None


def _description(robot: Model | Robot | RobotFile) -> Robot:
    from parapick.mechanism import Robot

    return robot if isinstance(robot, Robot) else robot.robot


def _fits(template: RobotFile, robot: Robot) -> bool:
    """Whether the comments of a file can be about a robot: the same kinds and as many legs."""
    other = template.robot
    return (type(other.base), type(other.plate), other.arms) == (type(robot.base), type(robot.plate), robot.arms)


def _contents(robot: Model | Robot | RobotFile, template: RobotFile | None, sources: Mapping[str, str]) -> RobotFile:
    from parapick.parameters import leaves, symbolic
    from parapick.robots.reading import source_paths

    given = robot if isinstance(robot, RobotFile) else template
    # Plain floats: a number of NumPy would not be written alike.
    plain = _description(robot)
    description = symbolic(plain, [float(value) for _, value in leaves(plain)])
    if given is None:
        return RobotFile(description, "", dict(sources))
    known = set(source_paths(description))
    kept = {path: text for path, text in given.sources.items() if path in known}
    changed = {} if template is None else _changed_sources(template, given, description)
    return RobotFile(description, given.description, {**kept, **changed, **sources})


def _changed_sources(template: RobotFile, given: RobotFile, robot: Robot) -> dict[str, str]:
    """Sources of the numbers that are not those of the file any more, by path.

    Args:
        template: the file that is changed.
        given: the contents whose sources are written; a source that they state anew stays.
        robot: what is written.
    """
    from parapick.parameters import leaves, units_of

    before, units = dict(leaves(template.robot)), dict(units_of(template.robot))
    sources = {}
    for path, value in leaves(robot):
        source = template.source_of(path)
        same = path not in before or before[path] == value
        if same or path.startswith("branches") or source is None or given.source_of(path) != source:
            continue
        unit = units.get(path, "")
        cited = "" if source.startswith(OWN) else f", {source}"
        sources[path] = f"chosen: in the place of {before[path]:.6g}{f' {unit}' if unit else ''}{cited}"
    return sources


def _texts(contents: RobotFile, template: RobotFile | None) -> list[str]:
    """The file to write: the template brought up to date, and as second choice one from scratch."""
    from parapick.robots.writing import fresh, updated

    texts = [fresh(contents)]
    if template is not None and template.path is not None:
        texts.insert(0, updated(ROBOTS.text(template.path), template, contents))
    return texts


def _same(one: RobotFile, other: RobotFile) -> bool:
    from parapick.parameters import identical

    same_words = one.sources == other.sources and one.description == other.description
    return same_words and identical(one.robot, other.robot)


def _write(target: Path, text: str) -> None:
    try:
        write_text(target, text)
    except ParapickError as error:
        message = str(error).removeprefix(f"{target}: ")
        raise ROBOTS.problem(target, message) from error
