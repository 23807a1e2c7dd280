"""Doubts about numbers of a command line: said beside the answer, and part of its JSON document.

A bare number is SI. One that no pick-and-place robot has, such as a payload of 60 kg or a distance of 700 m, is taken
as it stands, and doubted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from parapick.cli.tables import note
from parapick.errors import Doubt

_doubts: ContextVar[list[Doubt] | None] = ContextVar("doubts", default=None)
"""Doubts of the command that is running."""

PLAUSIBLE: Final = {
    "kg": (25.0, "g"),
    "m": (5.0, "mm"),
    "rad": (6.2832, "deg"),
    "s": (600.0, "ms"),
    "m/s": (50.0, "mm/s"),
    "m/s2": (2000.0, "mm/s2"),
}
"""Largest bare number by its SI unit that a fast parallel robot may mean, and the unit that was probably meant.

Each bound lies well above what such robots have and well below the same number in the other unit.
"""

TOLERANCE_MAX: Final = 0.01
"""Tolerances of lengths (m) above this are doubted: no part that is machined is off by a centimetre."""


@contextmanager
def doubts_collected() -> Iterator[None]:
    """Keep the doubts of a command, so that its answer can show them."""
    token = _doubts.set([])
    try:
        yield
    finally:
        _doubts.reset(token)


def doubts_so_far() -> tuple[Doubt, ...]:
    """The doubts of the command that is running."""
    return tuple(_doubts.get() or ())


def doubt(path: str, message: str, meant: str = "") -> None:
    """Say a doubt beside the answer, and keep it for the document; one that was said already is not said again.

    Args:
        path: the option or field.
        message: what is doubtful.
        meant: unit in which the number would be plausible.
    """
    entry, kept = Doubt(path, message, meant), _doubts.get()
    if kept is not None:
        if entry in kept:
            return
        kept.append(entry)
    note(f"doubt: {entry}")


def keep_doubt(entry: Doubt) -> None:
    """Keep a doubt that is said elsewhere, for the document.

    Args:
        entry: the doubt.
    """
    kept = _doubts.get()
    if kept is not None and entry not in kept:
        kept.append(entry)


def doubt_bare(option: str, text: str, value: float, unit: str) -> None:
    """Doubt a bare number that is implausible in its SI unit.

    Args:
        option: what it was given by.
        text: the number as it was written.
        value: the number (SI).
        unit: its SI unit.
    """
    most, meant = PLAUSIBLE.get(unit, (float("inf"), ""))
    try:
        float(text)
    except ValueError:
        return
    if most < abs(value) < float("inf"):
        doubt(option, f"{text} without a unit is {text} {unit}; write {text}{meant} if that is meant", meant)
