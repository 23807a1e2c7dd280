"""Numbers and places in words, as people read them: millimetres, degrees, three or four digits."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np

_SHOWN: Final = {"m": ("mm", 1e3), "rad": ("deg", 180.0 / math.pi)}
"""SI unit -> unit in which people read it, and its factor; other units are read as they are."""

_RAISED: Final = {"2": "²", "3": "³"}
"""Exponents as they are printed on a page."""

_NOTHING: Final = 5e-7
"""Millimetres or degrees below which a slack is rounding, and shown as 0."""

_EXPONENT: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)\b")
_SUPERSCRIPT: Final = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")

_ROUNDING: Final = 1e-9
"""Share by which a number may lie beside a round one and still be it."""


def display_unit(unit: str) -> tuple[str, float]:
    """Unit in which a quantity is shown, and the factor that takes it there from SI.

    Args:
        unit: SI unit.
    """
    return _SHOWN.get(unit, (unit, 1.0))


def amount(value: float, unit: str) -> str:
    """A number with its unit, to three or four digits.

    Args:
        value: the number (SI).
        unit: SI unit; empty for a pure number.
    """
    if not math.isfinite(value):
        return "unbounded"
    name, factor = display_unit(unit)
    number = without_rounding(value * factor, unit)
    digits = f"{number:.0f}" if abs(number) >= 1000.0 else f"{number:.3g}"
    return f"{digits} {name}".rstrip()


def without_rounding(number: float, unit: str) -> float:
    """A number as it is shown; 0 where a length or an angle is next to nothing.

    Args:
        number: the number, in mm or deg for lengths and angles.
        unit: SI unit.
    """
    return 0.0 if unit in ("m", "rad") and abs(number) < _NOTHING else number


def exact(value: float, unit: str) -> str:
    """A number with its SI unit, to six digits; an angle also in degrees.

    Args:
        value: the number (SI).
        unit: SI unit.
    """
    text = f"{value:.6g} {unit}".rstrip()
    return f"{text} ({math.degrees(value):.6g} deg)" if unit == "rad" and value else text


def at_most(value: float, digits: int = 3) -> str:
    """A largest number, whole where it has more digits than asked for, rounded down: what is printed is still kept.

    Args:
        value: the number, greater than 0.
        digits: significant digits.
    """
    after = _decimals(value, digits)
    # A number that is round but for its sixteenth digit stays what it is.
    return f"{math.floor(value * 10**after * (1.0 + _ROUNDING)) / 10**after:.{after}f}"


def at_least(value: float, digits: int = 3) -> str:
    """A smallest number, whole where it has more digits than asked for, rounded up: what is printed is still kept.

    Args:
        value: the number, greater than 0.
        digits: significant digits.
    """
    after = _decimals(value, digits)
    return f"{math.ceil(value * 10**after * (1.0 - _ROUNDING)) / 10**after:.{after}f}"


def _decimals(value: float, digits: int) -> int:
    return max(digits - 1 - math.floor(math.log10(value)), 0)


def fixed(value: float | None, decimals: int, factor: float = 1.0) -> str:
    """A number with a fixed number of decimals; a dash where there is none.

    Args:
        value: the number.
        decimals: digits after the point.
        factor: what it is multiplied by before.
    """
    if value is None or not math.isfinite(value):
        return "-"
    return without_sign_of_zero(f"{value * factor:.{decimals}f}")


def without_sign_of_zero(text: str) -> str:
    """A number in text; a rounded -0 is a plain 0.

    Args:
        text: the number.
    """
    return text.removeprefix("-") if not text.strip("-0.") else text


def percent(share: float) -> str:
    """A share in percent.

    Args:
        share: 1 is 100 %.
    """
    return f"{100.0 * share:.0f} %" if share >= 0.1 else f"{100.0 * share:.2g} %"


def part_text(share: float) -> str:
    """A part of a whole in percent, to three digits; what is next to nothing is said to be so.

    Args:
        share: 1 is the whole.
    """
    return f"{100.0 * share:.3g} %" if share == 0.0 or share >= 1e-4 else "less than 0.01 %"


def pose_text(pose: Sequence[float] | np.ndarray) -> str:
    """A pose in millimetres, with its yaw in degrees where it has one.

    Args:
        pose: task vector (m, rad).
    """
    # Adding zero makes a rounded -0 a plain 0.
    place = ", ".join(f"{round(1e3 * value, 1) + 0.0:g}" for value in pose[:3])
    yaw = f", yaw {round(math.degrees(pose[3]), 1) + 0.0:g} deg" if len(pose) > 3 else ""
    return f"({place}) mm{yaw}"


def power_text(text: str) -> str:
    """A text whose numbers have their powers of ten as on a printed page: 7e+10 is 7·10¹⁰.

    Args:
        text: the text.
    """
    return _EXPONENT.sub(_power, text)


def _power(number: re.Match[str]) -> str:
    mantissa, sign, exponent = number.groups()
    factor = "" if mantissa == "1" else f"{mantissa}\u00b7"
    return f"{factor}10{(sign.strip('+') + exponent).translate(_SUPERSCRIPT)}"


def unit_text(unit: str) -> str:
    """A unit as it is printed on a page, with raised exponents.

    Args:
        unit: such as "m/s2".
    """
    return re.sub(r"(?<=[a-z])[23]\b", lambda power: _RAISED[power[0]], unit)
