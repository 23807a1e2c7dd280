"""A guard's quantity against its limit, as a requirement: what tripped, and how near the others came."""

from __future__ import annotations

import math
from dataclasses import replace

from parapick.answer import Place, Requirement, against
from parapick.supervision import Guard


def guarded(
    guard: Guard, column: str, value: float, limit: float, unit: str, time: float, pose: tuple[float, ...]
) -> Requirement:
    """A guard's quantity against its limit.

    Args:
        column: what it is about, such as "motor 2" or "yaw"; empty for the whole robot.
        value: its quantity (SI).
        limit: its limit.
        unit: unit of both.
        time: when (s).
        pose: task vector of the plate then (m, rad).
    """
    subject = f"{guard.name} of {column}" if column else guard.name
    part, _, number = column.partition(" ")
    place = Place(time, pose, int(number or 0), part)
    suffix = f" {unit}" if unit else ""
    # Where encoders say what no pose has, what follows from a pose has no value.
    amount = "no value" if math.isnan(value) else f"{value:.4g}{suffix}"
    requirement = against(
        guard.name,
        subject,
        value,
        unit=unit,
        at_least=limit if guard.floor else None,
        at_most=None if guard.floor else limit,
        place=place,
        state=f"{amount}, limit {limit:.4g}{suffix}",
    )
    return replace(requirement, brief=subject, text=f"{subject}, {place}") if guard.truth else requirement


def whose(requirement: Requirement) -> str:
    """What a guard's requirement is about, such as "motor 2" or "yaw"; empty where it is about the whole robot."""
    place = requirement.place
    return "" if place is None else place.whose or place.part
