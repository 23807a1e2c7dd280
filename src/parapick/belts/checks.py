"""Whether belts, cycles and limits are possible at all; what the robot says to them is found out when planning."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.belts.errors import BeltError
from parapick.belts.types import Belt, ConveyorLimits, PickPlace
from parapick.errors import ParameterError
from parapick.model.payload import Payload
from parapick.motion.errors import LimitError

# A belt that is slower than this (m/s) is meant to stand still; times would lose their digits.
_SLOWEST: Final = 1e-6


def check_belt(belt: Belt) -> None:
    """Whether a belt is one.

    Args:
        belt: the belt.

    Raises:
        BeltError: a point, direction, speed or window that cannot be.
    """
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


def check_work(work: PickPlace) -> None:
    """Whether what is to be done can be.

    Args:
        work: what is done in a cycle.

    Raises:
        LimitError: a height, time or mass out of range.
    """
    for role, handling in (("pick", work.pick), ("place", work.place)):
        _positive(f"{role}.lift", handling.lift, "m")
        _positive(f"{role}.rest", handling.rest, "s")
        _positive(f"{role}.stroke_time", handling.stroke_time, "s")
    _positive("stop_time", work.stop_time, "s")
    if work.timing not in ("law", "fastest"):
        raise LimitError("timing", f"is {work.timing!r}; it must be 'law' or 'fastest'")
    try:
        Payload.of(work.payload)
    except ParameterError as error:
        raise LimitError(error.path, error.message) from error
    if not 0.0 <= work.dead_time < math.inf:
        raise LimitError("dead_time", f"is {work.dead_time:g} s; it must be 0 or greater")


def check_limits(limits: ConveyorLimits) -> None:
    """Whether limits can hold and say enough.

    Args:
        limits: the limits.

    Raises:
        LimitError: a limit out of range, or none from which a duration would follow.
    """
    for name in ("v_max", "a_max", "yaw_rate", "yaw_acceleration", "motor_speed", "motor_torque"):
        value = getattr(limits, name)
        if value is not None and not value > 0.0:
            raise LimitError(name, f"is {value:g}; no motion holds it, it must be greater than 0")
    if not 0.0 <= limits.margin < math.inf:
        raise LimitError("margin", f"is {limits.margin:g}; it must be 0 or greater")
    if math.isinf(limits.a_max) and limits.motor_torque is None:
        raise LimitError("a_max", "give a finite acceleration or motor_torque; otherwise no intercept is too fast")


def _positive(name: str, value: float | None, unit: str) -> None:
    if value is not None and not 0.0 < value < math.inf:
        raise LimitError(name, f"is {value:g} {unit}; it must be a finite number greater than 0")
