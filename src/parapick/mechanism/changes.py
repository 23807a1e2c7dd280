"""Other numbers for a description: by their path, as SI numbers or as texts with a unit such as `"350 mm"`.

A path names one number. `limb.arm.*` names every entry of a list at once. A number that a description leaves out, such
as `drive.rated_torque`, can be stated where its field takes one number.
"""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeVar

import numpy as np

from parapick import units
from parapick.errors import ParameterError, ParapickError
from parapick.fields import Quantity, quantity_of
from parapick.mechanism.brake import Brake
from parapick.mechanism.bus import Bus
from parapick.mechanism.drive import Drive
from parapick.mechanism.gearbox import Gearbox
from parapick.mechanism.robot import Robot
from parapick.mechanism.winding import Winding
from parapick.parameters import Follow, followed, leaves
from parapick.paths import EVERY, set_at

D = TypeVar("D")

_CLOSE: Final = 4
"""Most paths that a message takes for what may be meant."""

_LISTED: Final = 12
"""Most paths that a message lists; with more of them it names the first ones."""


def replaced(description: D, changes: Mapping[str, float | str]) -> D:
    """The same description with some parameters changed.

    Args:
        description: the description.
        changes: new value by path: a number (SI), or a text with its unit.

    Raises:
        ParameterError: a path is not a parameter of this description, or the value is not a finite number of its unit.
    """
    known = dict(leaves(description))
    numbers: dict[str, float] = {}
    for path, value in changes.items():
        paths = [one for one in known if _matches(one, path)]
        if not paths:
            raise ParameterError(path, _refusal(description, path, tuple(known)))
        numbers |= {one: _number(description, one, value, path) for one in paths}
    for path, number in numbers.items():
        description = set_at(description, path, number)
    return description


def stated(robot: Robot, changes: Mapping[str, float | str]) -> Robot:
    """The same robot with other numbers, those among them that it does not state yet.

    A robot whose file says nothing of its drives has direct ones, so that their numbers can be stated too.

    Args:
        changes: new value by path: a number (SI), or a text with its unit.

    Raises:
        ParameterError: as by `replaced`.
    """
    for path in changes:
        robot = _opened(robot, path.split("."))
    return replaced(robot, changes)


def names_something(robot: Robot, path: str) -> bool:
    """Whether a robot has, or could have, anything at a path: a number, a list, a table or structure.

    Args:
        path: the path, in which `*` stands for every entry of a list.
    """
    plain = path.removesuffix(f".{EVERY}")
    return _found(_opened(robot, plain.split(".")), plain)


def _opened(node: D, names: list[str]) -> D:
    """The same description with a place for the number of a path, NaN; as it is where it has one or takes none."""
    if not dataclasses.is_dataclass(node) or isinstance(node, type):
        return node
    name, *below = names
    field = next((field for field in dataclasses.fields(node) if field.name == name), None)
    if field is None:
        return node
    before: Any = getattr(node, name)
    after = before
    if below:
        after = _opened(_absent_table(node, name) if before is None else before, below)
    elif before is None and quantity_of(field) is not None and _takes_one_number(node, name):
        after = math.nan
    return node if after is before else dataclasses.replace(node, **{name: after})


def _absent_table(node: Any, name: str) -> Any:
    """The drive, or the part of one, that stands for one that is not stated; None for any other table."""
    if isinstance(node, Robot):
        return {"drive": node.limb.direct, "bus": Bus()}.get(name)
    if isinstance(node, Drive):
        return {"gearbox": Gearbox(), "brake": Brake(), "winding": Winding()}.get(name)
    return Drive() if name == "drive" else None


def _takes_one_number(node: Any, name: str) -> bool:
    return float in typing.get_args(typing.get_type_hints(type(node))[name])


def _matches(path: str, pattern: str) -> bool:
    """Whether a path is the one of a pattern, in which a star stands for the number of an entry."""
    if EVERY not in pattern:
        return path == pattern
    names, wanted = path.split("."), pattern.split(".")
    pairs = zip(names, wanted, strict=False)
    return len(names) == len(wanted) and all(a == b or (b == EVERY and a.isdigit()) for a, b in pairs)


def _number(description: Any, path: str, value: Any, given: str) -> float:
    """A new value in SI.

    Args:
        description: the description.
        path: the number.
        value: what is given for it.
        given: the path as it was given, for messages.
    """
    if isinstance(value, str):
        field = _quantity_at(description, path)
        try:
            return units.parse(value, "" if field is None else field.unit)
        except ParapickError as error:
            raise ParameterError(given, str(error)) from error
    if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
        raise ParameterError(given, f"{value!r} is not a number")
    if not np.isfinite(value):
        raise ParameterError(given, f"{value} is not a finite number")
    return float(value)


def _quantity_at(description: Any, path: str) -> Quantity | None:
    """What the field of a number states of it; None for a number by itself, such as the coefficient of a polynomial."""
    node, names = description, path.split(".")
    for i, name in enumerate(names):
        field = next((field for field in dataclasses.fields(node) if field.name == name), None)
        node, quantity = getattr(node, name), None if field is None else quantity_of(field)
        if isinstance(node, Follow):
            return None
        if quantity is not None:
            entry = names[i + 1 :]
            return quantity.entry(int(entry[-1]) - 1) if entry else quantity
    return None


def _found(description: Any, path: str) -> bool:
    try:
        followed(description, path)
    except KeyError:
        return False
    return True


def _refusal(description: Any, path: str, known: tuple[str, ...]) -> str:
    """Why there is no parameter of a path, and what could be meant."""
    parent, _, entry = path.rpartition(".")
    if not _found(description, path):
        one = entry.isdigit() or entry == EVERY
        if one and parent in known:
            return f"is not a parameter of this robot: {parent} is one number for all; set that"
        if one and _found(description, parent) and not isinstance(followed(description, parent), tuple):
            return _refusal(description, parent, known)
        return f"is not a parameter of this robot; {_close(path, known)}"
    node, below = followed(description, path), [name for name in known if name.startswith(f"{path}.")]
    if isinstance(node, Follow):
        listed = " or ".join(below)
        return f"follows {node.of} by a polynomial; change {node.of}, or its coefficients: {listed}"
    if isinstance(node, tuple) and below:
        return f"is not a single number: name one, as {below[0]}, up to {below[-1]}, or all of them by {path}.{EVERY}"
    if below:
        return f"is a table, not a number; it has {', '.join(_first(below))}"
    if node is None:
        return "is not stated in the robot's file; state it there"
    return f"is structure, not a number: it is {node!r}, and with another one this would be another robot file"


def _first(names: list[str]) -> Iterator[str]:
    yield from names[:_LISTED]
    if len(names) > _LISTED:
        yield "..."


def _close(path: str, known: tuple[str, ...]) -> str:
    close = [name for name in known if name.startswith(path) or name.rpartition(".")[2] == path]
    close = close[:_CLOSE] or get_close_matches(path, known, n=_CLOSE)
    return f"did you mean {' or '.join(close)}?" if close else f"valid are {', '.join(known)}"
