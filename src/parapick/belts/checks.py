"""Whether belts, cycles and limits are possible at all; what the robot says to them is found out when planning."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any, Final

import numpy as np

from parapick.belts.errors import BeltError
from parapick.belts.types import Belt, ConveyorLimits, PickPlace
from parapick.errors import ParameterError
from parapick.fields import quantity_of
from parapick.mechanism import Payload
from parapick.motion import LimitError

# A belt that is slower than this (m/s) is meant to stand still; times would lose their digits.
_SLOWEST: Final = 1e-6


def check_belt(belt: Belt) -> None:
    """Raise `BeltError` if a point, direction, speed or window cannot be that of a belt."""
    if len(belt.point) != 3 or not np.isfinite(belt.point).all():
        raise BeltError(belt.name, f"its point is {belt.point}; it must be three finite numbers (m)")
    if len(belt.direction) != 3 or not np.isfinite(belt.direction).all() or math.hypot(*belt.direction[:2]) == 0.0:
        raise BeltError(belt.name, f"its direction is {belt.direction}; it must be a vector that is not vertical")
    if not 0.0 <= belt.speed < math.inf:
        raise BeltError(
            belt.name, f"its speed is {belt.speed:g} m/s; it must be 0 or greater, its direction says where to"
        )
    if 0.0 < belt.speed < _SLOWEST:
        raise BeltError(belt.name, f"its speed is {belt.speed:g} m/s; what takes days to pass is a table, with speed 0")
    low, high = belt.window
    if not low < high:
        raise BeltError(belt.name, f"its window goes from {low:g} to {high:g} m; it must end behind its start")


def check_numbers(description: Any, role: str = "") -> None:
    """Raise `LimitError` if a number of a description is not what its field allows; infinite only where it is so."""
    for field in fields(description):
        stated, value = quantity_of(field), getattr(description, field.name)
        if stated is None or not isinstance(value, int | float) or value == field.default:
            continue
        if objection := stated.objection(value):
            raise LimitError(role + field.name, objection)


def check_work(work: PickPlace) -> None:
    """Raise `LimitError` if a height, time or mass of a cycle is out of range."""
    for role, part in (("pick.", work.pick), ("place.", work.place), ("", work)):
        check_numbers(part, role)
    if work.timing not in ("law", "fastest"):
        raise LimitError("timing", f"is {work.timing!r}; it must be 'law' or 'fastest'")
    try:
        Payload.of(work.payload)
    except ParameterError as error:
        raise LimitError(error.path, error.message) from error


def check_limits(limits: ConveyorLimits) -> None:
    """Raise `LimitError` if a limit is out of range, or none is there from which a duration would follow."""
    check_numbers(limits)
    if math.isinf(limits.a_max) and limits.motor_torque is None:
        raise LimitError("a_max", "give a finite acceleration or motor_torque; otherwise no intercept is too fast")
