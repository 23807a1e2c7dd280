"""Numbers and places in words, as verdicts and findings quote them: millimetres, degrees, three or four digits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from parapick.evaluation.answer import Place

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion

__all__ = [
    "amount",
    "at_least",
    "at_most",
    "at_place",
    "held_words",
    "load_words",
    "percent",
    "pose_text",
    "shown",
]

_SHOWN: Final = {"m": ("mm", 1e3), "rad": ("deg", 180.0 / math.pi)}
"""SI unit -> unit in which people read it, and its factor; other units are read as they are."""


_ROUNDING: Final = 1e-9
"""Share by which a number may lie beside a round one and still be it."""


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


def held_words(models: Sequence[Model]) -> str:
    """What robots hold all along, besides what a task carries; empty where they hold nothing.

    Args:
        models: the robots.
    """
    masses = {model.robot.name: model.payload.mass for model in models if model.payload}
    if not masses:
        return ""
    if len(models) == len(masses) and len(set(masses.values())) == 1:
        return f"{'the robot holds' if len(models) == 1 else 'every robot holds'} {next(iter(masses.values())):g} kg"
    return ", ".join(f"{name} holds {mass:g} kg" for name, mass in masses.items())


def load_words(model: Model, motion: Motion) -> str:
    """What the tool bears along a motion: what the task carries, and what the robot holds; empty where nothing.

    Args:
        model: the robot.
        motion: the motion.
    """
    carried = sorted({step.mass for step in motion.payload if step.load})
    task = f"the task carries {', '.join(f'{mass:g} kg' for mass in carried)}" if carried else ""
    return ", and all along ".join(text for text in (task, held_words([model])) if text)


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
