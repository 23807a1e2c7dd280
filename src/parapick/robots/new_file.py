"""A robot file to start from: another robot's numbers under a new name, with the meaning of every field beside it.

Fields that the other file leaves out stand there as comments, so that the file also says what could be stated.
"""

from __future__ import annotations

import dataclasses
import os
import re
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import tomlkit

from parapick.errors import FileProblem, RobotFileError
from parapick.fields import Label, Quantity, statement_of
from parapick.files import write_text
from parapick.forms import FORMAT
from parapick.mechanism import Robot
from parapick.names import TITLE_MAX, name_objection
from parapick.parameters import identical
from parapick.robots.files import ROBOTS, load_robot
from parapick.robots.form import NOT_IN_FILES
from parapick.robots.reading import read_robot
from parapick.robots.robot_file import BEGUN, RobotFile
from parapick.robots.writing import modes

_HEAD: Final = """\
# {name}: a robot for parapick, begun as a copy of {like}. Change its numbers and check it: parapick check {name}.toml
# A number is SI (m, rad, kg, N m, s); a text carries its unit, as in "350 mm" or "45 deg".
# A line that begins with #: is a field that is not stated; take the #: away to state it.
"""
_UNSTATED: Final = "#:"
"""What stands before a field that is not stated; what explains one begins with a plain #."""

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
"""A key that TOML takes without quotes."""


def new_path(path: str | os.PathLike[str]) -> Path:
    """The file of a new robot: the path with the ending .toml, which may be left out.

    Args:
        path: file to write, named after the robot.
    """
    given = Path(path)
    return given if given.suffix.lower() == ".toml" or not given.name else given.with_name(f"{given.name}.toml")


def new_robot(path: str | os.PathLike[str], like: str | os.PathLike[str] = "delta-4", *, replace: bool = False) -> Path:
    """Write a robot file to start from and return its path; nothing is overwritten unless that is asked for.

    Args:
        path: file to write, named after the robot; the ending .toml may be left out.
        like: the robot whose numbers it starts with: name of a shipped one, or path of a file.
        replace: whether a file of this name is replaced.

    Raises:
        UnknownRobotError: no robot of this name is shipped.
        RobotFileError: the other file is no robot, the name is none for a robot, or there is such a file already.
    """
    target = new_path(path)
    objection = name_objection(target.stem)
    if objection:
        raise ROBOTS.problem(target, objection, "name")
    if not replace and os.path.lexists(target):
        raise ROBOTS.problem(target, "is there already and is left alone; choose another name")
    write_text(target, starting_text(target.stem, load_robot(like)))
    return target


def starting_text(name: str, like: RobotFile) -> str:
    """The text of a robot file to start from, which describes the same robot under a new name.

    Args:
        name: name of the new robot.
        like: the robot that it starts as; read from a file.
    """
    path = like.path or ROBOTS.find(like.robot.name)
    document = tomlkit.parse(ROBOTS.text(path))
    begun = (like.robot.title or like.robot.name).removeprefix(BEGUN)
    document["name"], document["title"] = name, f"{BEGUN}{begun}"[:TITLE_MAX]
    wanted = dataclasses.replace(like.robot, name=name, title=document["title"])
    sources, problems = _begun_sources(like, kept=()), ()
    for _ in range(2):
        text = _text(name, like, document, sources)
        again, problems = read_robot(ROBOTS.document(path, text))
        if again is not None and identical(again.robot, wanted):
            return text
        # What no body can have is taken only as a document's number: these sources stay as they are.
        sources = _begun_sources(like, kept=tuple(problem.path for problem in problems))
    raise RobotFileError(str(path), problems or (FileProblem("", "would not read back as the same robot"),))


def _text(name: str, like: RobotFile, document: Mapping[str, Any], sources: Mapping[str, str]) -> str:
    """The text of the new file."""
    return "\n".join(
        [
            _HEAD.format(name=name, like=like.robot.name),
            f"format = {FORMAT}",
            *_fields(like.robot, document),
            "# what the robot is and how the file was made, on several lines",
            f'{_UNSTATED}description = """"""',
            *_tables(like.robot, document, ""),
            *_mapping("working_modes", "which elbows: the default, and one + or - per arm by name", modes(like.robot)),
            *_mapping("sources", "where each number comes from; say so anew where you change one", sources),
            "",
        ]
    )


def _begun_sources(like: RobotFile, kept: tuple[str, ...]) -> dict[str, str]:
    """The sources of a copy, which hold whether its numbers are changed or not: where the numbers were begun.

    Args:
        like: the robot that is copied.
        kept: paths whose sources stay as they are.
    """
    sources = {}
    for path, source in like.sources.items():
        stays = source.startswith(BEGUN) or any(f"{one}.".startswith(f"{path}.") for one in kept)
        sources[path] = source if stays else f"{BEGUN}that of {like.robot.name}: {source}"
    return sources


def _fields(node: Any, table: Mapping[str, Any] | None) -> Iterator[str]:
    """Lines of the fields of a table that are no tables themselves; the kind first, unstated ones as comments."""
    for field in sorted(dataclasses.fields(node), key=lambda field: field.name != "kind"):
        stated = statement_of(field)
        if stated is None or field.name in NOT_IN_FILES or _described(node, field) is not None:
            continue
        unit = f" ({stated.unit_words})" if isinstance(stated, Quantity) and stated.unit_words else ""
        yield f"# {stated.doc}{unit}"
        if table is not None and field.name in table:
            yield f"{field.name} = {table[field.name].as_string()}"
        else:
            yield f"{_UNSTATED}{field.name} ={_default(field)}"


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default is None or field.default is dataclasses.MISSING:
        return ""
    return f" {tomlkit.item(field.default).as_string()}"


def _tables(node: Any, table: Mapping[str, Any] | None, prefix: str) -> Iterator[str]:
    """Lines of the tables below a table; those that are not stated as comments."""
    for field in dataclasses.fields(node):
        inner = _described(node, field)
        if inner is None:
            continue
        path, own = f"{prefix}{field.name}", None if table is None else table.get(field.name)
        sign, stated = "" if own is not None else _UNSTATED, statement_of(field)
        doc = stated.doc if isinstance(stated, Label) else ""
        lines = [f"{sign}[{path}]", *_fields(inner, own)]
        yield from ("", f"# {doc}", *lines)
        yield from _tables(inner, own, f"{path}.")


def _described(node: Any, field: dataclasses.Field[Any]) -> Any:
    """The table that a field holds, or could hold where it holds nothing; None where it holds no table."""
    value = getattr(node, field.name)
    if dataclasses.is_dataclass(value) and isinstance(statement_of(field), Label):
        return value
    if value is not None or not isinstance(statement_of(field), Label):
        return None
    if field.name == "drive" and isinstance(node, Robot):
        return node.limb.direct
    kinds = [kind for kind in get_args(typing.get_type_hints(type(node))[field.name]) if dataclasses.is_dataclass(kind)]
    return _blank(kinds[0]) if kinds else None


def _blank(kind: Any) -> Any:
    """A table of a kind whose required numbers are nothing."""
    return kind(**{f.name: None for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING})


def _mapping(name: str, doc: str, entries: Mapping[str, str]) -> Iterator[str]:
    """Lines of a table of texts; nothing where there are none."""
    if entries:
        yield from ("", f"# {doc}", f"[{name}]")
    for key, text in entries.items():
        shown = key if _BARE.fullmatch(key) else tomlkit.item(key).as_string()
        yield f"{shown} = {tomlkit.item(text).as_string()}"
