"""Numbers with their unit, as files and the command line write them: `"350 mm"`, `"45 deg"`, `"17 kg mm2"`.

Conversion is exact rational arithmetic rounded once, so `"350 mm"` is the very float 0.35.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

from parapick.errors import ParameterError, ParapickError

__all__ = ["RANGES", "UNITS", "bare_number", "parse", "pattern", "quantity", "range_objection", "rewritten"]

_PI: Final = Fraction(3141592653589793238462643383279502884197, 10**39)
_MILLI, _CENTI, _MICRO = Fraction(1, 10**3), Fraction(1, 10**2), Fraction(1, 10**6)
# The international inch and pound, and the force of a kilogram by standard gravity: exact by definition.
_INCH, _POUND, _KGF = Fraction(254, 10**4), Fraction(45359237, 10**8), Fraction(980665, 10**5)
_OUNCE, _LBF = _POUND / 16, _POUND * _KGF

UNITS: Final[dict[str, dict[str, Fraction]]] = {
    "": {"": Fraction(1), "%": _CENTI},
    "m": {"m": Fraction(1), "mm": _MILLI, "cm": _CENTI, "um": _MICRO, "inch": _INCH},
    "rad": {"rad": Fraction(1), "mrad": _MILLI, "deg": _PI / 180},
    "kg": {"kg": Fraction(1), "g": _MILLI, "lb": _POUND, "oz": _OUNCE},
    "kg m2": {"kg m2": Fraction(1), "kg cm2": _CENTI**2, "kg mm2": _MICRO, "g cm2": _MILLI * _CENTI**2, "g m2": _MILLI},
    "N m": {
        "N m": Fraction(1),
        "mN m": _MILLI,
        "N mm": _MILLI,
        "N cm": _CENTI,
        "kgf cm": _KGF * _CENTI,
        "oz in": _LBF / 16 * _INCH,
        "lb in": _LBF * _INCH,
    },
    "N": {"N": Fraction(1), "mN": _MILLI, "kN": Fraction(1000), "kgf": _KGF, "lbf": _LBF},
    "N s/m": {"N s/m": Fraction(1), "N s/mm": Fraction(1000)},
    "N m s/rad": {"N m s/rad": Fraction(1), "N m s": Fraction(1), "mN m s/rad": _MILLI, "N m s/deg": 180 / _PI},
    "rad/s": {"rad/s": Fraction(1), "deg/s": _PI / 180, "rpm": _PI / 30, "1/min": _PI / 30},
    "rad/s2": {"rad/s2": Fraction(1), "deg/s2": _PI / 180},
    "rad/s3": {"rad/s3": Fraction(1), "deg/s3": _PI / 180},
    "s": {"s": Fraction(1), "ms": _MILLI},
    "m/s": {"m/s": Fraction(1), "mm/s": _MILLI, "m/min": Fraction(1, 60)},
    "m/s2": {"m/s2": Fraction(1), "mm/s2": _MILLI},
    "m/s3": {"m/s3": Fraction(1), "mm/s3": _MILLI},
    "Hz": {"Hz": Fraction(1), "kHz": Fraction(1000), "1/s": Fraction(1)},
    "1/s": {"1/s": Fraction(1), "1/ms": Fraction(1000)},
    "1/s2": {"1/s2": Fraction(1), "1/ms2": Fraction(10**6)},
    "1/s3": {"1/s3": Fraction(1), "1/ms3": Fraction(10**9)},
    "N m/rad": {"N m/rad": Fraction(1), "N m/deg": 180 / _PI},
    "N m/(rad s)": {"N m/(rad s)": Fraction(1), "N m/(deg s)": 180 / _PI},
    "J": {"J": Fraction(1), "mJ": _MILLI},
    "kg2/J": {"kg2/J": Fraction(1)},
    "A": {"A": Fraction(1), "mA": _MILLI},
    "N m/A": {"N m/A": Fraction(1), "mN m/A": _MILLI},
    "N/A": {"N/A": Fraction(1)},
    "V": {"V": Fraction(1), "kV": Fraction(1000)},
    "ohm": {"ohm": Fraction(1), "mohm": _MILLI},
    "F": {"F": Fraction(1), "mF": _MILLI, "uF": _MICRO},
    "degC": {"degC": Fraction(1)},
    "m/(N m)": {"m/(N m)": Fraction(1), "mm/(N m)": _MILLI},
    "Pa": {"Pa": Fraction(1), "MPa": Fraction(10**6), "GPa": Fraction(10**9), "N/mm2": Fraction(10**6)},
}
"""Per SI unit of a field, the units a value may be written in and what one of them is in SI."""

_NAMES: Final = {
    "": "a pure number",
    "m": "a length",
    "rad": "an angle",
    "kg": "a mass",
    "kg m2": "a moment of inertia",
    "N m": "a torque",
    "N": "a force",
    "N s/m": "a viscous friction coefficient of a carriage",
    "N m s/rad": "a viscous friction coefficient",
    "rad/s": "an angular speed",
    "rad/s2": "an angular acceleration",
    "rad/s3": "an angular jerk",
    "s": "a time",
    "m/s": "a speed",
    "m/s2": "an acceleration",
    "m/s3": "a jerk",
    "Hz": "a frequency",
    "1/s": "a gain",
    "1/s2": "a gain",
    "1/s3": "a gain",
    "N m/rad": "a gain",
    "N m/(rad s)": "a gain",
    "J": "an energy",
    "kg2/J": "a rate of adaptation",
    "A": "a current",
    "N m/A": "a torque constant",
    "N/A": "a force constant",
    "V": "a voltage",
    "ohm": "a resistance",
    "F": "a capacitance",
    "degC": "a temperature",
    "m/(N m)": "a compliance",
    "Pa": "a modulus",
}

RANGES: Final[dict[str, tuple[float, float]]] = {
    "": (1e-12, 1e12),
    "m": (1e-12, 1e6),
    "rad": (1e-12, 1e6),
    "kg": (1e-12, 1e9),
    "kg m2": (1e-15, 1e12),
    "N m": (1e-12, 1e12),
    "N": (1e-12, 1e12),
    "N s/m": (1e-12, 1e12),
    "N m s/rad": (1e-12, 1e12),
    "rad/s": (1e-9, 1e9),
    "rad/s2": (1e-9, 1e12),
    "rad/s3": (1e-9, 1e15),
    "s": (1e-9, 1e9),
    "m/s": (1e-9, 1e9),
    "m/s2": (1e-9, 1e12),
    "m/s3": (1e-9, 1e15),
    "Hz": (1e-9, 1e9),
    "Pa": (1.0, 1e15),
}
"""Per SI unit, the smallest number that can be meant where zero cannot, and the largest magnitude of any.

From a picometre to a thousand kilometres, from a nanosecond to thirty years: no robot comes near either end, while
squares, cubes and quotients of several such numbers stay far within what a double holds (1e-308 to 1e308)."""

_RANGE: Final = (1e-15, 1e15)
"""The same for other units, such as those of gains."""

_NUMBER: Final = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_TEXT: Final = re.compile(rf"\s*(?P<number>{_NUMBER})(?P<gap>\s*)(?P<unit>.*?)\s*", re.DOTALL)
_SPELLINGS: Final = str.maketrans({"²": "2", "^": "", "·": "", "*": "", "µ": "u", "μ": "u", "°": "deg"})
# Longer numbers are no measurement, and turning them into fractions costs time.
_TEXT_MAX: Final = 80


def parse(text: str, unit: str, *, bare: bool = False) -> float:
    """The SI value of a number with its unit.

    Args:
        text: such as `"350 mm"`; spaces, `*`, `^` and `²` are read as usual.
        unit: SI unit of the quantity, a key of `UNITS`.
        bare: whether a number without a unit is taken as SI; otherwise it is refused.

    Raises:
        ParapickError: not a number, not a finite one, or a unit of something else.
    """
    match = _TEXT.fullmatch(text) if len(text) <= _TEXT_MAX else None
    if match is None or not math.isfinite(float(match["number"])):
        raise ParapickError(f"{_shown(text)} is not a finite number with a unit; {_valid(unit)}")
    factor = _factor(match["unit"], unit)
    if factor is None and not match["unit"]:
        if not bare:
            raise ParapickError(f"{_shown(text)} has no unit; {_valid(unit)}")
        factor = Fraction(1)
    if factor is None:
        raise ParapickError(f"{_shown(text)} is not {_NAMES[unit]}; {_valid(unit)}")
    value = _scaled(match["number"], factor)
    if not math.isfinite(value):
        raise ParapickError(f"{_shown(text)} is too large to compute with")
    return value


def bare_number(text: str) -> float | None:
    """The number of a text that has no unit, as the command line takes it for SI; None for any other text.

    Args:
        text: such as `"0.35"`.
    """
    match = _TEXT.fullmatch(text) if len(text) <= _TEXT_MAX else None
    return None if match is None or match["unit"] else float(match["number"])


def quantity(name: str, value: float | str, unit: str) -> float:
    """An argument in SI that may be a text with its unit.

    Args:
        name: name of the argument, for messages.
        value: a number (SI), or a text such as `"350 mm"`.
        unit: SI unit of the quantity, a key of `UNITS`.

    Raises:
        ParameterError: a text that is not such a quantity, or has no unit; or something that is not a number.
    """
    if isinstance(value, str):
        try:
            return parse(value, unit)
        except ParapickError as error:
            raise ParameterError(name, str(error)) from error
    try:
        if isinstance(value, bool):
            raise TypeError
        return float(value)
    except (TypeError, ValueError) as error:
        raise ParameterError(name, f"is {value!r}; {_valid(unit)}, or a number in SI") from error


def range_objection(value: float, unit: str, *, positive: bool = False) -> str | None:
    """Why a number is none that can be meant, and what would be valid; None when it can.

    Args:
        value: the number (SI).
        unit: SI unit of the quantity, a key of `UNITS` or another one.
        positive: whether the number must be greater than zero; only then it can be too small, because elsewhere a tiny
            number is what rounding leaves of zero.
    """
    smallest, largest = RANGES.get(unit, _RANGE)
    name = f" {unit}" if unit else ""
    if not abs(value) <= largest:
        return f"is {value:g}{name}; it must be at most {largest:g}{name}, with either sign"
    if positive and 0.0 < value < smallest:
        return f"is {value:g}{name}; it must be at least {smallest:g}{name}"
    return None


def rewritten(old: str, value: float, unit: str) -> str | None:
    """A new value written in the unit of an old text; None when that text would not read back as the very same float.

    Args:
        old: text with the unit to keep, such as `"350 mm"`.
        value: new value (SI).
        unit: SI unit of the quantity, a key of `UNITS`.
    """
    match = _TEXT.fullmatch(old)
    factor = _factor(match["unit"], unit) if match else None
    if match is None or factor is None or not math.isfinite(value):
        return None
    amount = math.copysign(_rounded(Fraction(value) / factor), value)
    for number in (f"{amount:.12g}", f"{amount:.15g}", repr(amount), f"{amount:.17g}"):
        if math.isfinite(amount) and _scaled(number, factor) == value:
            return f"{number}{match['gap']}{match['unit']}"
    return None


def pattern(unit: str) -> str:
    """A regular expression (ECMA 262) for texts of a quantity in its plain spellings, for the JSON Schema.

    Args:
        unit: SI unit of the quantity, a key of `UNITS`.
    """
    spellings = sorted((name for name in UNITS[unit] if name), key=len, reverse=True)
    alternatives = "|".join(
        re.sub(r"(\w)2", r"\1(\\^?2|²)", re.sub(r"[()]", r"\\\g<0>", name)).replace(" ", r"[ ·*]?")
        for name in spellings
    )
    return rf"^\s*{_NUMBER}\s*({alternatives})\s*$"


def _factor(spelling: str, unit: str) -> Fraction | None:
    known = {"".join(name.split()): factor for name, factor in UNITS[unit].items()}
    return known.get("".join(spelling.translate(_SPELLINGS).split()))


def _scaled(number: str, factor: Fraction) -> float:
    plain = float(number)
    if plain == 0.0 or factor == 1:
        return plain
    return _rounded(Fraction(number) * factor)


def _rounded(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf


def _valid(unit: str) -> str:
    names = [name for name in UNITS[unit] if name]
    if not unit:
        return "it is a pure number: write it without quotes"
    return f"{_NAMES[unit]} is written in {', '.join(names[:-1])} or {names[-1]}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _TEXT_MAX else f"{text[:_TEXT_MAX]}...")
