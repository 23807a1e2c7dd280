"""Numbers of an unlikely size: a robot in metres that was written in millimetres, without the unit.

A number without a unit is SI. Who forgets a unit is wrong by a factor of a thousand or so, which these bounds notice
without knowing more of the robot; they are far from anything that is built for picking and placing.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, final

from parapick.errors import Doubt
from parapick.fields import quantity_of
from parapick.mechanism.changes import replaced
from parapick.mechanism.robot import Robot
from parapick.parameters import leaves
from parapick.units import UNITS

LENGTH_MAX: Final = 5.0
"""Largest length of a robot (m): the links of the largest Deltas have 1.5 m."""

MASS_MAX: Final = 100.0
"""Largest mass of a moving part (kg): such robots carry some kilograms, and their parts weigh less than they carry."""

ANGLE_MAX: Final = 2 * math.pi
"""Largest angle (rad): a whole turn."""

TORQUE_MAX: Final = 1e4
"""Largest torque of a motor, or friction torque at a joint (N m)."""

FORCE_MAX: Final = 1e5
"""Largest force of a linear motor (N): the largest iron-core motors give 20 kN."""

CARRIAGE_SPEED_MAX: Final = 50.0
"""Largest speed of a carriage (m/s): linear axes end near 10 m/s."""

SPEED_MAX: Final = 1300.0
"""Largest speed of a motor (rad/s), 12,400 rpm: servo motors end at 6,000 to 12,000 rpm, whose number alone would be
6,000."""

RATIO_MAX: Final = 1000.0
"""Largest ratio of a gearbox: a fast joint behind it would need a motor of 100,000 rpm."""

GRAVITY: Final = (1.0, 30.0)
"""Smallest and largest gravity (m/s2) other than none: the Moon has 1.6, Jupiter 25."""

MODULUS: Final = (1e8, 2e12)
"""Smallest and largest Young's modulus of a rod (Pa): soft plastic has 2e8, diamond 1.1e12."""

SWITCHING_MAX: Final = 2.0
"""Longest time in which a brake closes or opens (s): holding brakes of servo motors take 10 to 200 ms."""

VOLTAGE: Final = (10.0, 2000.0)
"""Smallest and largest voltage of a bus (V): drives have 24 to 800 V."""

CAPACITANCE_MAX: Final = 1.0
"""Largest capacitance of a bus (F): capacitors of drives have some hundred uF each."""

RESISTANCE_MAX: Final = 1e4
"""Largest resistance of a winding or a brake resistor (ohm): those of drives have 0.1 to 500 ohm."""

TORQUE_CONSTANT_MAX: Final = 50.0
"""Largest torque constant (N m/A): servo motors have 0.1 to 3, direct drives ten."""

TEMPERATURE_MAX: Final = 300.0
"""Largest temperature of a winding, and of what is around it (degC): its insulation ends near 180."""

METRES: Final = 2.0
"""Lengths (m) from which on a message has them in m; below, in mm, as people write them."""

_SHOWN: Final = 4
"""Entries of a list that are quoted in a message."""


@final
@dataclass(frozen=True)
class Size:
    """How large numbers of one kind are.

    Attributes:
        low: smallest amount other than 0 (SI).
        high: largest amount (SI).
        units: units that people write and may forget, the likeliest first.
        text: the bounds in words.
    """

    low: float
    high: float
    units: tuple[str, ...]
    text: str

    def holds(self, value: float) -> bool:
        """Whether a number (SI) has this size; 0 always has, and so has what is not a number."""
        return not (abs(value) > self.high or 0.0 < abs(value) < self.low)


SIZES: Final = {
    "m": Size(0.0, LENGTH_MAX, ("mm",), f"lengths of such a robot are at most {LENGTH_MAX:g} m"),
    "kg": Size(0.0, MASS_MAX, ("g",), f"masses of its parts are at most {MASS_MAX:g} kg"),
    "rad": Size(0.0, ANGLE_MAX, ("deg",), "its angles are at most 2 pi (360 deg)"),
    "N m": Size(0.0, TORQUE_MAX, ("N mm",), f"torques of its motors are at most {TORQUE_MAX:g} N m"),
    "N": Size(0.0, FORCE_MAX, ("mN",), f"forces of its motors are at most {FORCE_MAX:g} N"),
    "m/s": Size(0.0, CARRIAGE_SPEED_MAX, ("mm/s",), f"its carriages go with at most {CARRIAGE_SPEED_MAX:g} m/s"),
    "rad/s": Size(0.0, SPEED_MAX, ("rpm", "deg/s"), f"its motors turn with at most {SPEED_MAX:g} rad/s (12400 rpm)"),
    "m/s2": Size(*GRAVITY, ("mm/s2",), "gravity is 0, or between {:g} and {:g} m/s2".format(*GRAVITY)),
    "Pa": Size(*MODULUS, ("GPa", "MPa"), "moduli of rods lie between 0.1 and 2000 GPa"),
    "V": Size(*VOLTAGE, ("kV",), "voltages of a bus lie between {:g} and {:g} V".format(*VOLTAGE)),
    "F": Size(0.0, CAPACITANCE_MAX, ("uF", "mF"), f"capacitances of a bus are at most {CAPACITANCE_MAX:g} F"),
    "ohm": Size(0.0, RESISTANCE_MAX, ("mohm",), f"resistances of drives are at most {RESISTANCE_MAX:g} ohm"),
    "N m/A": Size(0.0, TORQUE_CONSTANT_MAX, ("mN m/A",), f"torque constants are at most {TORQUE_CONSTANT_MAX:g} N m/A"),
    "degC": Size(0.0, TEMPERATURE_MAX, (), f"temperatures of a motor are at most {TEMPERATURE_MAX:g} degC"),
    "switching": Size(0.0, SWITCHING_MAX, ("ms",), f"brakes switch within {SWITCHING_MAX:g} s"),
    "ratio": Size(0.0, RATIO_MAX, (), f"ratios of its gears are at most {RATIO_MAX:g}"),
}
"""How large the numbers of a description are, by their SI unit; `ratio` for those of gearboxes and belts, `switching`
for times of brakes."""

_KINDS: Final = {"closing_time": "switching", "opening_time": "switching"}
"""Kinds of sizes of fields that share their unit with others."""


def size_doubts(robot: Robot) -> tuple[Doubt, ...]:
    """Fields with numbers of an unlikely size, each with the unit probably meant.

    Args:
        robot: the description, without numbers that follow others.
    """
    return tuple(doubt for field in _fields(robot, "") if (doubt := _doubt(field)) is not None)


def as_meant(robot: Robot) -> Robot:
    """The description as it was probably meant: with the forgotten units.

    Args:
        robot: the description, without numbers that follow others.
    """
    changes: dict[str, float] = {}
    for field in _fields(robot, ""):
        meant = field.meant()
        changes |= {path: in_unit(value, field.unit, meant) for path, value in field.unlikely() if meant}
    return replaced(robot, changes) if changes else robot


def length_text(length: float) -> str:
    """A length in words: in mm, or in m where it is some metres.

    Args:
        length: the length (m).
    """
    return f"{length:g} m" if abs(length) >= METRES else f"{1e3 * length:g} mm"


def in_unit(value: float, unit: str, other: str) -> float:
    """What a number would be (SI) had it been written in another unit.

    Args:
        value: the number (SI).
        unit: its SI unit, a key of `UNITS`.
        other: the other unit, such as "mm".
    """
    return value * float(UNITS[unit][other])


def likely_unit(value: float, unit: str, low: float, high: float) -> str:
    """The unit, not SI, in which a number would lie between two bounds, nearest to their middle; empty if in none.

    Args:
        value: the number as it stands (SI).
        unit: its SI unit, a key of `UNITS`.
        low: lower bound (SI), greater than 0.
        high: upper bound (SI).
    """
    if not low > 0.0:
        # The bounds of next to nothing are rounded to nothing.
        return ""
    middle = (math.log(low) + math.log(high)) / 2
    amounts = {name: in_unit(value, unit, name) for name in UNITS[unit] if name != unit}
    fits = [name for name, amount in amounts.items() if low <= amount <= high]
    return min(fits, key=lambda name: abs(math.log(amounts[name]) - middle), default="")


def perhaps(values: Iterable[float], unit: str) -> str:
    """The end of a message, `; perhaps "300 mm" is meant`, as a file would have it; empty without a unit.

    Args:
        values: the numbers as they stand.
        unit: the unit probably meant.
    """
    if not unit:
        return ""
    texts = [f'"{value:g} {unit}"' for value in values]
    return f"; perhaps {_listed(texts)} {'is' if len(texts) == 1 else 'are'} meant"


@final
@dataclass(frozen=True)
class _Field:
    """A field of a description: its path, the kind and SI unit of its numbers, and the numbers by their own path."""

    path: str
    size: Size
    unit: str
    numbers: tuple[tuple[str, float], ...]

    def unlikely(self) -> list[tuple[str, float]]:
        """The numbers of an unlikely size."""
        return [(path, value) for path, value in self.numbers if not self.size.holds(value)]

    def meant(self) -> str:
        """The unit in which all of them would have a likely size; empty where there is none."""
        values = [value for _, value in self.unlikely()]
        fits = (u for u in self.size.units if all(self.size.holds(in_unit(value, self.unit, u)) for value in values))
        return next(fits, "") if values else ""


def _fields(node: Any, prefix: str) -> Iterator[_Field]:
    for field in dataclasses.fields(node):
        path, value, stated = f"{prefix}{field.name}", getattr(node, field.name), quantity_of(field)
        if path == "home":
            # The one list whose numbers differ in kind: three lengths and an angle.
            numbers = tuple(leaves(value, path))
            yield _Field(path, SIZES["m"], "m", numbers[:3])
            yield _Field("home.4", SIZES["rad"], "rad", numbers[3:])
        elif stated is not None and stated.units:
            for place, unit in enumerate(stated.units, start=1):
                numbers = tuple(number for number in leaves(value, path) if number[0].endswith(f".{place}"))
                if unit in SIZES:
                    yield _Field(path, SIZES[unit], unit, numbers)
        elif stated is not None and field.name.endswith("_acceleration"):
            # Gravity is the one acceleration whose size is known.
            continue
        elif stated is not None:
            kind = "ratio" if field.name.endswith("ratio") else _KINDS.get(field.name, stated.unit)
            if kind in SIZES:
                yield _Field(path, SIZES[kind], stated.unit, tuple(leaves(value, path)))
        elif dataclasses.is_dataclass(value):
            yield from _fields(value, f"{path}.")


def _doubt(field: _Field) -> Doubt | None:
    values = [value for _, value in field.unlikely()]
    if not values:
        return None
    single = len(field.numbers) == 1
    amounts = _listed([f"{value:g} {field.unit}".rstrip() for value in values])
    meant = field.meant()
    return Doubt(
        field.path,
        f"{'is' if single else 'has'} {amounts}, but {field.size.text}{perhaps(values, meant)}",
        meant,
    )


def _listed(texts: list[str]) -> str:
    """Texts in a row, the last after an "and"; a long row is cut."""
    if len(texts) > _SHOWN:
        return f"{', '.join(texts[:_SHOWN])}, ..."
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
