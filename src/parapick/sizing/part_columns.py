"""The columns of a catalogue's files: which there are, of which field of a drive each is, and in which unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from parapick.fields import Quantity, quantity_of
from parapick.mechanism import Drive
from parapick.sizing.parts import PARTS_OF_DRIVE

MOTOR: Final[Mapping[str, str]] = {
    "rated_torque": "rated_torque",
    "stall_torque": "stall_torque",
    "peak_torque": "peak_torque",
    "rated_speed": "rated_speed",
    "peak_speed": "peak_speed",
    "inertia": "inertia",
    "encoder_inertia": "encoder_inertia",
    "brake_torque": "brake.torque",
    "brake_inertia": "brake.inertia",
    "brake_closing_time": "brake.closing_time",
    "brake_opening_time": "brake.opening_time",
    "resistance": "winding.resistance",
    "torque_constant": "winding.torque_constant",
    "thermal_time": "winding.thermal_time",
    "temperature_max": "winding.temperature_max",
    "ambient": "winding.ambient",
}
"""Columns of numbers of a motor, each with its path within a drive."""

GEARBOX: Final[Mapping[str, str]] = {
    "ratio": "ratio",
    "efficiency": "efficiency",
    "inertia": "gearbox_inertia",
    "peak_torque": "gearbox.peak_torque",
    "peak_speed": "gearbox.peak_speed",
    "nominal_torque": "gearbox.nominal_torque",
    "mean_torque": "gearbox.mean_torque",
    "static_friction": "gearbox.static_friction",
    "viscous_friction": "gearbox.viscous_friction",
}
"""Columns of numbers of a gearbox, each with its path within a drive."""

MASS: Final = Quantity("kg", "mass of the part", at_least=0.0)
PRICE: Final = Quantity("", "price of the part", at_least=0.0)
"""What a part weighs and costs; no field of a drive."""

SPEED: Final = Quantity("rad/s", "speed of a point of a curve", at_least=0.0)
TORQUE: Final = Quantity("N m", "torque of a point of a curve", at_least=0.0)
"""A point of a curve."""


def quantity_at(path: str) -> Quantity:
    """What the field of a drive at a path states: unit, meaning and bounds.

    Args:
        path: path within a drive, such as "winding.resistance".
    """
    table, _, name = path.rpartition(".")
    kind = PARTS_OF_DRIVE[table] if table else Drive
    (stated,) = (quantity_of(field) for field in fields(kind) if field.name == name)
    if stated is None:
        raise KeyError(path)
    return stated


def columns_of(table: Mapping[str, str]) -> dict[str, Quantity]:
    """What every column of numbers of a file holds, mass and price among them.

    Args:
        table: `MOTOR` or `GEARBOX`.
    """
    return {**{column: quantity_at(path) for column, path in table.items()}, "mass": MASS, "price": PRICE}
