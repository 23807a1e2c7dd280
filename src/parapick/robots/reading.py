"""From a parsed TOML document to a description, with every problem found on the way.

A value that cannot be read does not hide what else is wrong: it is set aside as unknown, and the rest is checked.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from parapick.errors import FileProblem
from parapick.mechanism.checks import problems
from parapick.mechanism.robot import Robot, WorkingMode
from parapick.robots.contents import RobotFile
from parapick.robots.numbers import LENIENT, UNKNOWN, kind_of
from parapick.robots.schema import FORMAT, NOT_IN_FILES, file_model, tables

__all__ = ["paths", "read_document"]

_SIGN: Final = {"+": 1.0, "-": -1.0}


def read_document(document: Mapping[str, Any]) -> tuple[RobotFile | None, tuple[FileProblem, ...]]:
    """The robot of a document and everything that is wrong with it; no robot where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
    """
    errors: list[ErrorDetails] = []
    try:
        file = file_model().model_validate(document)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        file = _without(document, errors)
    found = [_problem(error) for error in errors]
    if any(problem.path == "format" for problem in found):
        # The other fields may mean something else in another format.
        return None, tuple(problem for problem in found if problem.path == "format")
    contents = None if file is None else _contents(file)
    if contents is not None:
        known = {problem.path for problem in found}
        later = [*problems(contents.robot), *_source_problems(contents)]
        found.extend(problem for problem in later if not _is_under(problem.path, known))
    return (None if found else contents), tuple(found)


def _contents(file: BaseModel) -> RobotFile:
    values = {name: getattr(file, name) for name in type(file).model_fields}
    modes = values.pop("working_modes") or {"default": "+" * values["base"].count}
    description, sources = values.pop("description"), values.pop("sources")
    del values["format"]
    default = modes["default"]
    named = tuple(WorkingMode(name, signs) for name, signs in modes.items() if name != "default")
    branches = tuple(_SIGN[sign] for sign in modes.get(default, default))
    return RobotFile(Robot(**values, branches=branches, modes=named), description, sources)


def _is_under(path: str, known: Iterable[str]) -> bool:
    return any(path == other or path.startswith(f"{other}.") for other in known)


def _place(error: ErrorDetails) -> tuple[Any, ...]:
    """Keys and indices (from 0) of the value an error is about; kinds in brackets are not part of it."""
    return tuple(key for key in error["loc"] if not (isinstance(key, str) and key.startswith("<")))


def _problem(error: ErrorDetails) -> FileProblem:
    names = [str(key + 1) if isinstance(key, int) else key for key in _place(error)]
    at = error.get("ctx", {}).get("at", "")
    path = ".".join([*names, *([at] if at else []), *(["kind"] if error["type"] == "kind" else [])])
    return FileProblem(path, _message(error))


def _message(error: ErrorDetails) -> str:
    value, kind = error.get("input"), error["type"]
    if kind == "missing":
        return _missing(error)
    if kind == "extra_forbidden":
        return _unknown(error)
    if kind == "kind":
        given = value.get("kind") if isinstance(value, Mapping) else None
        return f"{'is missing' if given is None else f'is {kind_of(given)}'}; it {error['msg'].removeprefix('kind ')}"
    if kind in ("model_type", "dict_type", "model_attributes_type"):
        return f"is {kind_of(value)}; it must be a table"
    if kind == "string_type":
        return f"is {kind_of(value)}; it must be text in quotes"
    if kind == "literal_error":
        return f"is {kind_of(value)}; it must be {error.get('ctx', {}).get('expected', '')}"
    return error["msg"]


def _missing(error: ErrorDetails) -> str:
    *place, name = error["loc"]
    field = _fields(tuple(place)).get(str(name))
    if name == "format" and not place:
        return f"is missing; write format = {FORMAT} at the top of the file"
    return f"is missing: {field.description}" if field is not None else "is missing"


def _fields(place: tuple[Any, ...]) -> dict[str, Any]:
    table = tables().get(place)
    return {} if table is None else dict(table.model_fields)


def _unknown(error: ErrorDetails) -> str:
    *place, name = error["loc"]
    names = list(_fields(tuple(place)))
    close = get_close_matches(str(name), names, n=2)
    if close:
        return f"is not a field here; did you mean {' or '.join(close)}?"
    owners = {_plain(other) or "the top of the file" for other, table in tables().items() if name in table.model_fields}
    if owners:
        return f"is not a field here; it belongs to {' or '.join(sorted(owners))}"
    return f"is not a field here; valid are {', '.join(names)}"


def _plain(place: tuple[str, ...]) -> str:
    return ".".join(name for name in place if not name.startswith("<"))


def _without(document: Mapping[str, Any], errors: list[ErrorDetails]) -> BaseModel | None:
    """The document read without what is wrong in it: unknown numbers, defaults elsewhere; None where that fails."""
    rest = copy.deepcopy(dict(document))
    for error in errors:
        node: Any = rest
        *place, name = _place(error) or ("",)
        for key in place:
            node = node[key]
        field = _fields(tuple(error["loc"][:-1])).get(str(name))
        if error["type"] == "extra_forbidden" or (error["type"] != "missing" and field and not field.is_required()):
            node.pop(name, None)
        else:
            node[name] = UNKNOWN
    try:
        return file_model().model_validate(rest, context=LENIENT)
    except ValidationError:
        return None


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
