"""Numbers per joint or per task coordinate: how they are stated, checked and spread.

A gain may be given once for all axes or as a tuple with one per axis. `prepared` checks the numbers of a description
and spreads those given once, so that one compiled loop serves both ways of stating them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import numpy as np

from parapick.errors import FileProblem
from parapick.fields import quantity, quantity_of
from parapick.mechanism import SLIDING, Robot

Numbers = float | tuple[float, ...]
"""A number for all axes, or one per axis."""

D = TypeVar("D")

_AXIS: Final = "axis"
_JOINT: Final = "joint"
_TASK: Final = "task"
_GAIN: Final = "gain"


def _per(axis: str) -> Callable[..., Any]:
    """What makes a dataclass field with a number for all axes of a kind, or one per axis."""

    def stated(
        unit: str,
        doc: str,
        *,
        default: Any = dataclasses.MISSING,
        above: float | None = None,
        at_least: float | None = None,
        at_most: float | None = None,
        one_of: tuple[float, ...] = (),
    ) -> Any:
        """A dataclass field with a number for all axes, or one per axis.

        Args:
            unit: SI unit. Of joints that turn: joints that slide take N and m in the place of N m and rad; of lengths
                in task space: angles take rad in the place of m.
            doc: one line of meaning.
            default: value where none is given; without it the field is required.
            above: values must be greater than this.
            at_least: values must not be less than this.
            at_most: values must not be greater than this.
            one_of: the only values allowed.
        """
        field = quantity(unit, doc, above=above, at_least=at_least, at_most=at_most, one_of=one_of)
        return dataclasses.field(default=default, metadata={**field.metadata, _AXIS: axis})

    return stated


per_joint = _per(_JOINT)
"""A field with a number for all joints, or one per joint."""

per_task = _per(_TASK)
"""A field with a number for all task coordinates, or one per coordinate."""

per_gain = _per(_GAIN)
"""A field with a number for all axes of a law's gains, or one per axis: joints or task coordinates, as the law has."""

_SLIDING: Final = {"N m": "N", "rad": "m", "kg m2": "kg"}
"""Units of joints that turn, and those in their place where joints slide."""


def joint_unit(robot: Robot, unit: str) -> str:
    """The unit of a number per joint, on a robot whose joints may slide instead of turning.

    Args:
        unit: SI unit for joints that turn, such as "N m s/rad".
    """
    if any(axis is not SLIDING for axis in robot.axes):
        return unit
    for turning, sliding in _SLIDING.items():
        unit = unit.replace(turning, sliding)
    return unit


def axis_of(field: dataclasses.Field[Any]) -> str:
    """What numbers of a field are per: "joint", "task", "gain", or nothing.

    Args:
        field: a field of a description.
    """
    return field.metadata.get(_AXIS, "")


def gain_axis(law: Any) -> str:
    """What the first gain of a law is per: "joint" or "task".

    Args:
        law: a control law, or its class.
    """
    stated = (field.metadata[_AXIS] for field in dataclasses.fields(law) if field.name in ("kp", "slope"))
    return next(stated, _JOINT)


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


def prepared(description: D, robot: Robot, path: str = "", axis: str = _JOINT) -> tuple[D, list[FileProblem]]:
    """The same description with its numbers made floats and spread over the axes, and what is wrong with them.

    Args:
        description: a frozen dataclass whose numbers are stated by `quantity`, `per_joint`, `per_task` or `per_gain`.
        robot: whose axes they are.
        path: name of the description itself, for messages.
        axis: what numbers per gain are per, "joint" or "task".
    """
    counts = {_JOINT: robot.motors, _TASK: robot.dof}
    changes: dict[str, Any] = {}
    problems: list[FileProblem] = []
    for field in dataclasses.fields(description):  # pyright: ignore[reportArgumentType]
        value, name = getattr(description, field.name), f"{path}.{field.name}" if path else field.name
        stated, per = quantity_of(field), axis_of(field)
        if stated is not None:
            spread, wrong = _spread(value, counts.get(axis if per == _GAIN else per))
            if per == _JOINT:
                stated = dataclasses.replace(stated, unit=joint_unit(robot, stated.unit))
            problems += [FileProblem(name, wrong)] if wrong else axis_problems(name, spread, stated)
            changes[field.name] = spread
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            changes[field.name], below = prepared(value, robot, name, axis)
            problems += below
    return dataclasses.replace(description, **changes), problems  # pyright: ignore[reportArgumentType, reportCallIssue]
