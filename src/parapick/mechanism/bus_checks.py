"""What is wrong with a bus whose single numbers are fine: parts without the others they need, voltages out of order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from parapick.errors import FileProblem
from parapick.mechanism.bus import Bus
from parapick.mechanism.curve_checks import known

RISING: Final = ("voltage", "brake_voltage", "voltage_max")
"""Voltages in the order in which a bus comes to them: fed by the mains, braked, switched off."""


def bus_problems(bus: Bus | None, path: str = "bus") -> Iterator[FileProblem]:
    """What is wrong with a bus beyond its single numbers.

    Args:
        bus: the bus, its numbers settled; None without.
        path: its path in the file.
    """
    if bus is None:
        return
    if bus.voltage is None:
        yield FileProblem(f"{path}.voltage", 'is missing; a bus needs the voltage of its mains, such as "560 V"')
    stated = [(name, getattr(bus, name)) for name in RISING if known((getattr(bus, name),))]
    for (lower, low), (upper, high) in pairwise(stated):
        if high <= low:
            text = f"is {high:g} V; it must be above {path}.{lower} = {low:g} V"
            yield FileProblem(f"{path}.{upper}", text)
    if bus.brake_resistance is not None and bus.brake_voltage is None:
        text = f"is missing; {path}.brake_resistance needs the voltage from which on it is switched on"
        yield FileProblem(f"{path}.brake_voltage", text)
    if bus.brake_voltage is not None and bus.brake_resistance is None:
        text = f"is missing; {path}.brake_voltage switches it on: state it, or leave the voltage out"
        yield FileProblem(f"{path}.brake_resistance", text)
