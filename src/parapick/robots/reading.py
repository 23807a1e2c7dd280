"""From a parsed TOML document to a description, with every problem found on the way.

A value that cannot be read does not hide what else is wrong: it is set aside as unknown, and the rest is checked.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from parapick.errors import FileProblem
from parapick.mechanism.checks import problems
from parapick.mechanism.robot import Robot, WorkingMode
from parapick.robots.contents import RobotFile
from parapick.robots.messages import field_at, place_of, problem_of
from parapick.robots.numbers import LENIENT, UNKNOWN
from parapick.robots.schema import NOT_IN_FILES, file_model

__all__ = ["paths", "read_document"]

_SIGN: Final = {"+": 1.0, "-": -1.0}

_STAND_INS: Final[dict[str, Any]] = {
    "name": "unnamed",
    "limb": {"arm": UNKNOWN, "rod_length": UNKNOWN},
    "plate": {"kind": "point"},
    "home": [UNKNOWN] * 3,
}
"""What takes the place of a section that cannot be read, so that the other sections can be checked."""

_HINGES_ON_PLATE: Final = ("home", "base.angles", "base.points")
"""What is checked against the plate, and is not to be judged by a stand-in for it."""

_HINGES_ON_ROD_MODEL: Final = ("limb.rod_center",)
"""What is checked against the rod model, and is not to be judged by the default for one that cannot be read."""


def read_document(document: Mapping[str, Any]) -> tuple[RobotFile | None, tuple[FileProblem, ...]]:
    """The robot of a document and everything that is wrong with it; no robot where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
    """
    try:
        contents = _contents(file_model().model_validate(document))
    except ValidationError as error:
        return None, _all_problems(document, error.errors(include_url=False))
    found = (*problems(contents.robot, documented=contents.cites_document), *_source_problems(contents))
    return (None if found else contents), found


def _all_problems(document: Mapping[str, Any], errors: list[ErrorDetails]) -> tuple[FileProblem, ...]:
    """The problems of form, and those of sense that can be told in spite of them."""
    found = [problem_of(error) for error in errors]
    wrong_format = [problem for problem in found if problem.path == "format"]
    if wrong_format:
        # The other fields may mean something else in another format.
        return tuple(wrong_format)
    contents, stand_ins = _rest(document, errors)
    if contents is not None:
        known = [problem.path for problem in found]
        known += [*stand_ins, *(f"sources.{name}" for name in stand_ins)]
        known += _HINGES_ON_PLATE if "plate" in stand_ins else ()
        known += _HINGES_ON_ROD_MODEL if "limb.rod_model" in known else ()
        later = (*problems(contents.robot, documented=contents.cites_document), *_source_problems(contents))
        found += [problem for problem in later if not any(_is_in(problem.path, path) for path in known)]
    return tuple(found)


def _is_in(path: str, other: str) -> bool:
    return path == other or path.startswith(f"{other}.")


def _contents(file: BaseModel) -> RobotFile:
    values = {name: getattr(file, name) for name in type(file).model_fields}
    modes = values.pop("working_modes") or {"default": "+" * values["base"].count}
    description, sources = values.pop("description"), values.pop("sources")
    del values["format"]
    default = modes["default"]
    named = tuple(WorkingMode(name, signs) for name, signs in modes.items() if name != "default")
    branches = tuple(_SIGN[sign] for sign in modes.get(default, default))
    return RobotFile(Robot(**values, branches=branches, modes=named), description, sources)


def _rest(document: Mapping[str, Any], errors: list[ErrorDetails]) -> tuple[RobotFile | None, set[str]]:
    """What the document says apart from its errors, and the sections that were replaced by a stand-in for it."""
    rest = _without(document, errors)
    try:
        return _contents(file_model().model_validate(rest, context=LENIENT)), set()
    except ValidationError as error:
        sections = {str(place_of(item)[0]) for item in error.errors() if item["loc"]}
    rest |= {name: value for name, value in _STAND_INS.items() if name in sections}
    try:
        return _contents(file_model().model_validate(rest, context=LENIENT)), sections
    except ValidationError:
        return None, sections


def _without(document: Mapping[str, Any], errors: list[ErrorDetails]) -> dict[str, Any]:
    """The document with defaults, or else unknown values, where there are errors."""
    rest = copy.deepcopy(dict(document))
    for error in errors:
        node: Any = rest
        *place, name = place_of(error)
        try:
            for key in place:
                node = node[key]
        except (KeyError, IndexError):
            # An earlier error has taken the whole of it out.
            continue
        field = field_at(error)
        has_default = field is not None and not field.is_required()
        if error["type"] == "extra_forbidden" or (error["type"] != "missing" and has_default):
            node.pop(name, None)
        else:
            node[name] = UNKNOWN
    return rest


def _source_problems(contents: RobotFile) -> Iterator[FileProblem]:
    known = tuple(paths(contents.robot))
    for path in contents.sources:
        if path not in known:
            close = get_close_matches(path, known, n=2)
            hint = f"did you mean {' or '.join(close)}?" if close else "name the path of a field, such as limb.arm"
            yield FileProblem(f"sources.{path}", f"is not a field of this robot; {hint}")


def paths(node: Any, prefix: str = "") -> Iterator[str]:
    """Every path of a file for which a source may be given.

    Args:
        node: a description, or a part of it.
        prefix: path of the part, with a dot behind it.
    """
    if isinstance(node, tuple):
        items = [(str(index), item) for index, item in enumerate(node, start=1)]
    elif dataclasses.is_dataclass(node):
        items = [(field.name, getattr(node, field.name)) for field in dataclasses.fields(node)]
    else:
        return
    for name, item in items:
        if prefix or name not in NOT_IN_FILES:
            yield f"{prefix}{name}"
            yield from paths(item, f"{prefix}{name}.")
    if isinstance(node, Robot):
        yield from ("working_modes", *(f"working_modes.{name}" for name in ("default", *(m.name for m in node.modes))))
