"""The walk over a frozen description: its floats are its parameters, everything else is its structure.

A description is a tree of frozen dataclasses and tuples. The dotted path of a float, such as `limb.arm` or
`base.angles.2` (tuples count from 1, as the documents count legs), is its one name: in the file, in
`with_parameters`, for sources and studies.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar, final

import casadi as ca
import numpy as np

from parapick.fields import Quantity, quantity_of
from parapick.kernel import Reads, is_watched

__all__ = [
    "D",
    "Follow",
    "followed",
    "identical",
    "leaves",
    "link",
    "mapped",
    "resolved",
    "structure",
    "symbolic",
    "symbols_of",
    "units_of",
    "values",
]

D = TypeVar("D")


@final
@dataclasses.dataclass(frozen=True)
class Follow:
    """A parameter that follows another one by a polynomial: `value = c0 + c1 u + c2 u^2 + ...` with `u` the other.

    corbel2010 (50), (51) are of this form: the mass of a rod follows its length.

    Attributes:
        of: path of the parameter that is followed.
        coefficients: c0, c1, ... in SI units.
    """

    of: str
    coefficients: tuple[float, ...]

    def value(self, u: Any) -> Any:
        """Value of the polynomial.

        Args:
            u: value of the parameter that is followed, a number or an expression.
        """
        total: Any = 0.0
        for coefficient in reversed(self.coefficients):
            total = total * u + coefficient
        return total


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Names of the fields of a dataclass; none of any other class."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


def _items(node: Any) -> Iterator[tuple[str, Any]]:
    for name in _field_names(type(node)):
        yield name, getattr(node, name)
    if isinstance(node, tuple):
        for index, item in enumerate(node, start=1):
            yield str(index), item


def leaves(description: Any, prefix: str = "") -> Iterator[tuple[str, float]]:
    """Path and value of every parameter, in the order of the fields.

    Args:
        description: a frozen dataclass, a tuple, or a leaf.
        prefix: path of the description itself.
    """
    if isinstance(description, float):
        yield prefix, description
        return
    for name, item in _items(description):
        yield from leaves(item, f"{prefix}.{name}" if prefix else name)


def _numbers(node: Any) -> list[float]:
    if isinstance(node, float):
        return [node]
    items = node if isinstance(node, tuple) else [getattr(node, name) for name in _field_names(type(node))]
    return [number for item in items for number in _numbers(item)]


def units_of(description: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and SI unit of every parameter that a field states.

    Args:
        description: a frozen dataclass; anything else has none.
        path: path of the description itself.
    """
    for field in dataclasses.fields(description) if dataclasses.is_dataclass(description) else ():
        stated, value = quantity_of(field), getattr(description, field.name)
        own = f"{path}.{field.name}" if path else field.name
        if stated is None:
            yield from units_of(value, own)
        elif not isinstance(value, Follow):
            yield from ((leaf, _unit_at(stated, leaf, own)) for leaf, _ in leaves(value, own))


def _unit_at(stated: Quantity, leaf: str, field: str) -> str:
    """Unit of a number of a field, by its path: entries of a list may differ."""
    entry = leaf.removeprefix(field).rpartition(".")[2]
    return stated.entry(int(entry) - 1).unit if entry else stated.unit


def values(description: Any) -> np.ndarray:
    """The parameters as one vector, in the order of `leaves`.

    Args:
        description: a frozen dataclass.
    """
    return np.array(_numbers(description))


def mapped(description: D, change: Callable[[str, float], Any], path: str = "") -> D:
    """The same description with something else in the place of its floats.

    Args:
        description: a frozen dataclass, a tuple, or a leaf.
        change: what takes the place of a float, by its path and value.
        path: path of the description itself.
    """
    node: Any = description
    if isinstance(node, float):
        return change(path, node)
    new = {name: mapped(item, change, f"{path}.{name}" if path else name) for name, item in _items(node)}
    if isinstance(node, tuple):
        return tuple(new.values())  # pyright: ignore[reportReturnType]
    return dataclasses.replace(node, **new) if new else node


def symbolic(description: D, symbols: Sequence[Any]) -> D:
    """The same description with symbols in the place of its floats.

    Args:
        description: a frozen dataclass.
        symbols: one a float, in the order of `leaves`.
    """
    remaining = iter(symbols)
    return mapped(description, lambda _path, _value: next(remaining))


def symbols_of(structure: D, reads: Reads | None = None) -> tuple[ca.SX, D]:
    """A column of symbols for the numbers of a structure, and the description with them in its fields, resolved.

    Args:
        structure: what `structure` gives.
        reads: notes what is read of the description; None: nobody does.
    """
    parameters = ca.SX.sym("p", sum(1 for _ in leaves(structure)))
    description = resolved(symbolic(structure, ca.vertsplit(parameters)))
    if reads is None:
        return parameters, description
    link(reads, structure)
    return parameters, reads.watched(description)


def link(reads: Reads, structure: Any, path: str = "") -> None:
    """Let reading a number that follows another one count as reading how it follows, and the other.

    Args:
        reads: notes what is read of the resolved description.
        structure: the description before it was resolved.
        path: path of the description among what is noted.
    """
    prefix = f"{path}." if path else ""
    for place, follow in _follows(structure):
        # A tuple of numbers is read as a whole, by the field that has it.
        field = re.sub(r"(\.\d+)+$", "", place)
        others = (f"{place}.of", f"{place}.coefficients", follow.of)
        reads.link(f"{prefix}{field}", tuple(f"{prefix}{other}" for other in others))


def _follows(node: Any, path: str = "") -> Iterator[tuple[str, Follow]]:
    """Every number that follows another one, with its path."""
    if isinstance(node, Follow):
        yield path, node
        return
    for name, item in _items(node):
        yield from _follows(item, f"{path}.{name}" if path else name)


def structure(description: D) -> D:
    """The same description with every float zeroed: equal for all robots that share their kernels.

    Args:
        description: a frozen dataclass.
    """
    return mapped(description, lambda _path, _value: 0.0)


def identical(one: Any, other: Any) -> bool:
    """Whether two descriptions, or parts of them, are the same in every bit: 0 and -0 differ, NaN equals itself.

    Args:
        one: a frozen dataclass, a tuple, or a leaf.
        other: what it is compared with.
    """
    return structure(one) == structure(other) and values(one).tobytes() == values(other).tobytes()


def followed(description: Any, path: str) -> Any:
    """Value at a path; `KeyError` when there is none.

    Args:
        description: a frozen dataclass.
        path: names with dots between them, such as `limb.arm`.
    """
    node = description
    for name in path.split("."):
        items = dict(_items(node))
        node = items[name]
    return node


def resolved(description: D) -> D:
    """The same description with every `Follow` replaced by its value (a number, or an expression).

    Args:
        description: a frozen dataclass.
    """

    def visit(node: Any) -> Any:
        if isinstance(node, Follow):
            return node.value(followed(description, node.of))
        if isinstance(node, (float, int, str)) or node is None or is_watched(node):
            return node
        items = dict(_items(node))
        new = {name: visit(item) for name, item in items.items()}
        if all(new[name] is item for name, item in items.items()):
            return node
        return tuple(new.values()) if isinstance(node, tuple) else dataclasses.replace(node, **new)

    return visit(description)
