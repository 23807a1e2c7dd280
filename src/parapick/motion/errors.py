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
    """Raise if a stroke has no length that a motion could cover.

    Args:
        name: what it is, for the message.
        length: its length (m).

    Raises:
        StrokeError: zero, too small or no finite number.
    """
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


@final
class UnreachableCornerError(MotionError):
    """A corner of a motion lies where the robot cannot go.

    Attributes:
        corner: name of the corner, such as `place`.
        pose: its task vector (m, rad).
        reason: what is missing there.
        slack: by how much; negative.
        unit: of the slack, m or rad.
    """

    def __init__(self, corner: str, pose: tuple[float, ...], reason: str, slack: float, unit: str) -> None:
        values = ", ".join(f"{value:.6g}" for value in pose)
        super().__init__(f"corner {corner!r} at ({values}) cannot be reached: {reason}")
        self.corner = corner
        self.pose = pose
        self.reason = reason
        self.slack = slack
        self.unit = unit
