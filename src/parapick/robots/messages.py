"""What pydantic objects to, in our words: a dotted path as in the file, what is wrong, and what would be valid."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from parapick.errors import FileProblem
from parapick.robots.schema import FORMAT, tables
from parapick.toml import in_words

__all__ = ["field_at", "place_of", "problem_of"]


def place_of(error: ErrorDetails) -> tuple[str | int, ...]:
    """Keys and indices (from 0) of the value an error is about; kinds in brackets are not part of it.

    Args:
        error: an entry of pydantic's list of errors.
    """
    return tuple(key for key in error["loc"] if isinstance(key, int) or not key.startswith("<"))


def field_at(error: ErrorDetails) -> FieldInfo | None:
    """The field of a table that an error is about; None for entries of lists and unknown fields.

    Args:
        error: an entry of pydantic's list of errors.
    """
    *place, name = error["loc"] or ("",)
    return _fields(place).get(str(name))


def problem_of(error: ErrorDetails) -> FileProblem:
    """The problem that an error is.

    Args:
        error: an entry of pydantic's list of errors.
    """
    names = [str(key + 1) if isinstance(key, int) else key for key in place_of(error)]
    inside = "kind" if error["type"] == "kind" else error.get("ctx", {}).get("at", "")
    return FileProblem(".".join([*names, inside] if inside else names), _message(error))


def _message(error: ErrorDetails) -> str:
    value, kind = error.get("input"), error["type"]
    if kind == "missing":
        return _missing(error)
    if kind == "extra_forbidden":
        return _unknown(error)
    if kind == "kind":
        given = value.get("kind") if isinstance(value, Mapping) else None
        return f"{'is missing' if given is None else f'is {in_words(given)}'}; it {error['msg']}"
    if kind == "literal_error":
        return f"is {in_words(value)}; it must be {error.get('ctx', {}).get('expected', '')}"
    wanted = {"model_type": "a table", "dict_type": "a table", "string_type": "text in quotes"}.get(kind)
    return error["msg"] if wanted is None else f"is {in_words(value)}; it must be {wanted}"


def _missing(error: ErrorDetails) -> str:
    if error["loc"] == ("format",):
        return f"is missing; write format = {FORMAT} at the top of the file"
    field = field_at(error)
    return "is missing" if field is None else f"is missing: {field.description}"


def _unknown(error: ErrorDetails) -> str:
    *place, name = error["loc"]
    names = list(_fields(place))
    close = get_close_matches(str(name), names, n=2)
    if close:
        return f"is not a field here; did you mean {' or '.join(close)}?"
    owners = sorted({_plain(other) for other, table in tables().items() if name in table.model_fields})
    if owners:
        # TOML gives a line below a table's heading to that table, which is easily forgotten.
        where = [f"to {owner}" if owner else "at the top of the file, before the first table" for owner in owners]
        return f"is not a field here; it belongs {' or '.join(where)}"
    return f"is not a field here; valid are {', '.join(names)}"


def _fields(place: list[Any]) -> dict[str, FieldInfo]:
    table = tables().get(tuple(place))
    return {} if table is None else dict(table.model_fields)


def _plain(place: tuple[str, ...]) -> str:
    return ".".join(name for name in place if not name.startswith("<"))
