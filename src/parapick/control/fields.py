"""Numbers that there are one a joint or one a task coordinate: how they are stated, checked and spread.

A gain may be given once for all axes or as a tuple with one an axis. `prepared` checks the numbers of a description and
spreads those given once, so that one compiled loop serves both ways of stating them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import numpy as np

from parapick.errors import FileProblem
from parapick.fields import quantity, quantity_of
from parapick.mechanism.robot import Robot

Numbers = float | tuple[float, ...]
"""A number for all axes, or one an axis."""

D = TypeVar("D")

_AXIS: Final = "axis"
_JOINT: Final = "joint"
_TASK: Final = "task"


def per_joint(
    unit: str,
    doc: str,
    *,
    default: Any = dataclasses.MISSING,
    above: float | None = None,
    at_least: float | None = None,
    one_of: tuple[float, ...] = (),
) -> Any:
    """A dataclass field with a number for all joints, or one a joint.

    Args:
        unit: SI unit.
        doc: one line of meaning.
        default: value where none is given; without it the field is required.
        above: values must be greater than this.
        at_least: values must not be less than this.
        one_of: the only values allowed.
    """
    stated = quantity(unit, doc, above=above, at_least=at_least, one_of=one_of)
    return dataclasses.field(default=default, metadata={**stated.metadata, _AXIS: _JOINT})


def per_task(
    unit: str,
    doc: str,
    *,
    default: Any = dataclasses.MISSING,
    above: float | None = None,
    at_least: float | None = None,
    one_of: tuple[float, ...] = (),
) -> Any:
    """A dataclass field with a number for all task coordinates, or one a coordinate.

    Args:
        unit: SI unit for lengths; angles take rad in the place of m.
        doc: one line of meaning.
        default: value where none is given; without it the field is required.
        above: values must be greater than this.
        at_least: values must not be less than this.
        one_of: the only values allowed.
    """
    stated = quantity(unit, doc, above=above, at_least=at_least, one_of=one_of)
    return dataclasses.field(default=default, metadata={**stated.metadata, _AXIS: _TASK})


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _spread(value: Any, count: int | None) -> tuple[Any, str | None]:
    """A value as float, or as tuple of `count` floats; and what is wrong with it."""
    if value is None:
        return None, None
    if _is_number(value):
        return (float(value) if count is None else (float(value),) * count), None
    if count is None or not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str):
        return value, f"is {value!r}; it must be a number"
    numbers = tuple(value)
    if not all(_is_number(number) for number in numbers):
        return value, f"is {value!r}; it must hold numbers only"
    if len(numbers) != count:
        return value, f"has {len(numbers)} numbers; it must have {count}, or be one number for all"
    return tuple(float(number) for number in numbers), None


def axis_problems(path: str, value: Any, stated: Any) -> list[FileProblem]:
    """What is wrong with the size of checked numbers.

    Args:
        path: name of the field.
        value: a float, a tuple of floats, or None.
        stated: the field's `Quantity`.
    """
    numbers = () if value is None else value if isinstance(value, tuple) else (value,)
    for index, number in enumerate(numbers, start=1):
        name = f"{path}.{index}" if isinstance(value, tuple) and len(set(numbers)) > 1 else path
        if not math.isfinite(number):
            return [FileProblem(name, f"is {number}; it must be a finite number")]
        objection = stated.objection(number)
        if objection:
            return [FileProblem(name, objection)]
    return []


def prepared(description: D, robot: Robot, path: str = "") -> tuple[D, list[FileProblem]]:
    """The same description with its numbers made floats and spread over the axes, and what is wrong with them.

    Args:
        description: a frozen dataclass whose numbers are stated by `quantity`, `per_joint` or `per_task`.
        robot: whose axes they are.
        path: name of the description itself, for messages.
    """
    counts = {_JOINT: robot.motors, _TASK: robot.dof}
    changes: dict[str, Any] = {}
    problems: list[FileProblem] = []
    for field in dataclasses.fields(description):  # pyright: ignore[reportArgumentType]
        value, name = getattr(description, field.name), f"{path}.{field.name}" if path else field.name
        stated = quantity_of(field)
        if stated is not None:
            spread, wrong = _spread(value, counts.get(field.metadata.get(_AXIS, "")))
            problems += [FileProblem(name, wrong)] if wrong else axis_problems(name, spread, stated)
            changes[field.name] = spread
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            changes[field.name], below = prepared(value, robot, name)
            problems += below
    return dataclasses.replace(description, **changes), problems  # pyright: ignore[reportArgumentType, reportCallIssue]
