"""The dimensions and masses of a robot: which of its parameters a designer can change, each with its unit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Final

from parapick.fields import quantity_of
from parapick.mechanism.robot import Robot

_ROOTS: Final = ("base", "limb", "plate", "drive")
"""Parts of a description whose numbers make the machine; home, limits and workspace are not built."""

_UNITS: Final = ("m", "kg", "kg m2", "N m s/rad", "N s/m")
"""Lengths, masses, inertias and viscous friction. Angles and directions have no share by which they could change."""

_MORE: Final = tuple(
    f"{drive}.{number}"
    for drive in ("drive", "plate.drive", "plate.telescope.drive")
    for number in ("ratio", "friction.coulomb")
)
"""Numbers of drives that have another unit, or none."""


def dimensions(robot: Robot) -> dict[str, str]:
    """Unit of every dimension and mass by its path.

    Args:
        robot: the description.
    """
    stated = (number for root in _ROOTS for number in _walk(getattr(robot, root), root))
    return {path: unit for path, unit in stated if unit in _UNITS or path in _MORE}


def _walk(node: Any, path: str) -> Iterator[tuple[str, str]]:
    if not dataclasses.is_dataclass(node):
        return
    for field in dataclasses.fields(node):
        stated, value = quantity_of(field), getattr(node, field.name)
        if stated is None:
            yield from _walk(value, f"{path}.{field.name}")
        else:
            yield from _numbers(value, f"{path}.{field.name}", stated.unit)


def _numbers(value: Any, path: str, unit: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, float):
        yield path, unit
    elif isinstance(value, tuple):
        for index, item in enumerate(value, start=1):
            yield from _numbers(item, f"{path}.{index}", unit)
