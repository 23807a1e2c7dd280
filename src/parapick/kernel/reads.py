"""Which parts of a description an expression depends on: those that were read while it was written.

Two robots of which only one has a gripper have the same kinematics, but not the same structure. While expressions are
written, the description is watched: each field that is read is noted by its path. Whoever writes them again from a
description that is the same at all these paths reads the same, one after the other, and writes the same expressions;
what a description says elsewhere does not matter. Only the places of numbers differ, which are found by their paths.

Nobody needs to state what an expression depends on, so nobody can forget to. Who looks at more than is needed (compares
descriptions, walks over all fields) depends on more, and shares less.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Final, TypeVar, final

import numpy as np

D = TypeVar("D")

_ABSENT: Final = "absent"
"""Text of a path that a description does not have."""


@final
class Reads:
    """Notes of what was read of a description."""

    def __init__(self) -> None:
        self._noted: set[str] = set()
        self._links: dict[str, tuple[str, ...]] = {}

    @property
    def paths(self) -> list[str]:
        """Path of every field that was read, and of what it follows from; tuples count from 1."""
        return sorted(self._noted.union(*(self._links.get(path, ()) for path in self._noted)))

    def link(self, path: str, others: tuple[str, ...]) -> None:
        """Let reading a field count as reading others.

        Args:
            path: path of the field.
            others: paths from which its value was made.
        """
        self._links[path] = (*self._links.get(path, ()), *others)

    def watched(self, description: D, path: str = "") -> D:
        """The same description, which notes what is read of it.

        Args:
            description: a tree of frozen dataclasses and tuples, with numbers or symbols in its fields.
            path: path of the description itself.
        """
        node: Any = description
        if type(node) is tuple:
            return tuple(self.watched(item, _join(path, str(place))) for place, item in enumerate(node, 1))  # pyright: ignore[reportReturnType]
        if not dataclasses.is_dataclass(node):
            return description
        copy: Any = object.__new__(_watching(type(node), path, self._noted))
        for name, item in vars(node).items():
            object.__setattr__(copy, name, self.watched(item, _join(path, name)))
        return copy


class _Watched:
    """What every watched description is, beside its own kind."""


def is_watched(node: object) -> bool:
    """Whether a description is watched; its numbers are resolved then, and who looks at its fields leaves a note.

    Args:
        node: a description.
    """
    return issubclass(type(node), _Watched)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _watching(kind: type, path: str, noted: set[str]) -> type:
    """A class for one description: the same kind to everybody who asks, but reading a field leaves a note."""
    fields = {field.name: _join(path, field.name) for field in dataclasses.fields(kind)}

    def read(self: object, name: str) -> Any:
        if name in fields:
            noted.add(fields[name])
        elif name == "__dict__":
            noted.update(fields.values())
        return object.__getattribute__(self, name)

    asked = property(lambda _: kind)
    members = {"__getattribute__": read, "__class__": asked, "__module__": kind.__module__, "__hash__": kind.__hash__}
    return type(kind.__name__, (kind, _Watched), members)


def parts(structure: object, paths: list[str]) -> list[tuple[str, str]]:
    """What a structure is at some paths: texts by path, equal for all structures from which the same is read.

    A description among them counts by its class only, since what is read of it has paths of its own.

    Args:
        structure: the structure of a recipe.
        paths: as noted by `Reads`.
    """
    return [(path, _text(structure, path)) for path in paths]


def number_paths(structure: object, path: str = "") -> Iterator[str]:
    """Path of every number of a structure, in the order of its fields.

    Args:
        structure: the structure of a recipe.
        path: path of the structure itself.
    """
    if isinstance(structure, float):
        yield path
    elif type(structure) is tuple:
        for place, item in enumerate(structure, 1):
            yield from number_paths(item, _join(path, str(place)))
    elif dataclasses.is_dataclass(structure):
        for field in dataclasses.fields(structure):
            yield from number_paths(getattr(structure, field.name), _join(path, field.name))


def _text(structure: object, path: str) -> str:
    """What a structure is at a path."""
    node: Any = structure
    for name in path.split("."):
        items = _items(node)
        if name not in items:
            return _ABSENT
        node = items[name]
    return _shape(node)


def _items(node: Any) -> dict[str, Any]:
    """What is in a description or a tuple, by the next name of a path."""
    if type(node) is tuple:
        return {str(place): item for place, item in enumerate(node, 1)}
    return vars(node) if dataclasses.is_dataclass(node) else {}


def _shape(node: Any) -> str:
    """A leaf as it is, a number as any number, a tuple by what is in it, a description by its class."""
    node = node.item() if isinstance(node, np.generic) else node
    if isinstance(node, float):
        return "float"
    if type(node) is tuple:
        return f"({', '.join(map(_shape, node))})"
    if dataclasses.is_dataclass(node):
        return f"{type(node).__module__}.{type(node).__qualname__}"
    return repr(node)
