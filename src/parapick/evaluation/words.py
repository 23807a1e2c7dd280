"""Numbers and places in words, as verdicts and findings quote them: millimetres, degrees, three or four digits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from parapick.evaluation.answer import Place

__all__ = ["amount", "at_place", "percent", "pose_text", "shown"]

_SHOWN: Final = {"m": ("mm", 1e3), "rad": ("deg", 180.0 / math.pi)}
"""SI unit -> unit in which people read it, and its factor; other units are read as they are."""


def shown(unit: str) -> tuple[str, float]:
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
    name, factor = shown(unit)
    number = value * factor
    digits = f"{number:.0f}" if abs(number) >= 1000.0 else f"{number:.3g}"
    return f"{digits} {name}".rstrip()


def percent(share: float) -> str:
    """A share in percent.

    Args:
        share: 1 is 100 %.
    """
    return f"{100.0 * share:.0f} %" if share >= 0.1 else f"{100.0 * share:.2g} %"


def pose_text(pose: Sequence[float]) -> str:
    """A pose in millimetres, with its yaw in degrees where it has one.

    Args:
        pose: task vector (m, rad).
    """
    # Adding zero makes a rounded -0 a plain 0.
    place = ", ".join(f"{round(1e3 * value, 1) + 0.0:g}" for value in pose[:3])
    yaw = f", yaw {round(math.degrees(pose[3]), 1) + 0.0:g} deg" if len(pose) > 3 else ""
    return f"({place}) mm{yaw}"


def at_place(place: Place) -> str:
    """When and where.

    Args:
        place: the place.
    """
    return f"at {place.time:.4g} s, {pose_text(place.pose)}"
