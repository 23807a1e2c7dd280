"""What can be wrong with a motion: each error carries its data and says what would be valid."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import Final, final

from parapick.errors import MotionError
from parapick.units import RANGES

STROKE_MIN: Final = RANGES["m"][0]
"""Shortest stroke (m): the smallest length that can be meant at all."""


@final
class StrokeError(MotionError):
    """A stroke of zero length, or of a length that is no number."""

    def __init__(self, name: str, length: float) -> None:
        short = 0.0 < length < STROKE_MIN
        valid = f"at least {STROKE_MIN:g} m" if short else "a finite length greater than 0"
        super().__init__(f"{name} is {length:g} m; it must be {valid}")
        self.name = name
        self.length = length


def check_stroke(name: str, length: float) -> None:
    """Raise `StrokeError` if a length (m) is zero, too small or no finite number; `name` says which it is."""
    if not STROKE_MIN <= length < math.inf:
        raise StrokeError(name, length)


@final
class LimitError(MotionError):
    """Limits that cannot hold, or that say too little to find a duration.

    Attributes:
        name: the limit, such as `a_max`.
        message: what is wrong with it, and what would be valid.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


@final
class UnknownLawError(MotionError):
    """No time law has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        close = tuple(get_close_matches(name, known, n=3))
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        super().__init__(f"no time law named {name!r}; {hint}Laws: {', '.join(known)}")
        self.name = name
        self.close = close
        self.known = known
