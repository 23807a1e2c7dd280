"""Values at dotted paths: in the tables and lists of a document, and in frozen descriptions.

`pick.time` is the field `time` of the table `pick`; entries of lists and tuples count from 1, as in `base.angles.2`,
and `base.angles.*` is every entry.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from parapick.errors import ParameterError
from parapick.toml import in_words

__all__ = ["EVERY", "set_at"]

EVERY: Final = "*"
"""What stands in a path for every entry of a list."""


def set_at(node: Any, path: str, value: Any) -> Any:
    """The same with another value at a path; what is given stays as it is.

    Tables on the way that are not there are made. Entries of lists and fields of descriptions must be there.

    Args:
        node: a table, a list, a tuple or a frozen description, with such in it.
        path: names with dots between them.
        value: what is to stand there.

    Raises:
        ParameterError: there is no place for it; carries the path, and says what is there.
    """
    return _set(node, path.split("."), value, path)


def _set(node: Any, names: Sequence[str], value: Any, path: str) -> Any:
    if not names:
        return value
    name, *below = names
    if node is None:
        return {name: _set(None, below, value, path)}
    if isinstance(node, Mapping):
        return {**node, name: _set(node.get(name), below, value, path)}
    if isinstance(node, (list, tuple)):
        return _set_entries(node, name, below, value, path)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        return _set_field(node, name, below, value, path)
    raise ParameterError(path, f"is not there: above it the file has {in_words(node)}")


def _set_entries(node: list[Any] | tuple[Any, ...], name: str, below: Sequence[str], value: Any, path: str) -> Any:
    """A list, or a tuple, with the value in one of its entries, or in all of them."""
    numbers = range(1, len(node) + 1)
    chosen = [number for number in numbers if name in (EVERY, str(number))]
    if not chosen:
        has = f"the list has entries 1 to {len(node)}" if node else "the list is empty"
        raise ParameterError(path, f"is not there: {has}")
    items = zip(numbers, node, strict=True)
    return type(node)(_set(item, below, value, path) if number in chosen else item for number, item in items)


def _set_field(node: Any, name: str, below: Sequence[str], value: Any, path: str) -> Any:
    """A frozen description with the value in one of its fields."""
    names = [field.name for field in dataclasses.fields(node)]
    if name not in names:
        raise ParameterError(path, f"is not there: {type(node).__name__} has {', '.join(names)}")
    return dataclasses.replace(node, **{name: _set(getattr(node, name), below, value, path)})
