"""Where requirements turn: the largest number, such as a pace or a payload, at which all of them are kept.

The search asks for the state of the requirements at one number after the other. It starts at the number that was asked
for, and so cannot contradict what holds there: where they are kept it goes up to the first number at which they are
not, and where they are broken it goes down to the first at which they are kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, final

S = TypeVar("S")
"""State of the requirements at a number."""

CLOSE: Final = 1e-6
"""Share to which the number is found: below anything that is printed."""

_BEYOND: Final = 1.02
"""Share by which a step goes beyond where the requirement would turn by its square law, so that it is passed."""

_STEP: Final = 4.0
"""Largest step of the search for a bracket, as a factor: no search flies past what lies between."""

FAR: Final = 20.0
"""Excess that stands for a requirement that cannot be measured: broken reach, or limits of a task."""


@final
@dataclass(frozen=True)
class Turning(Generic[S]):
    """Where requirements that are kept begin to be broken.

    Attributes:
        kept: largest number at which all are kept; 0 where none is found, infinite where all numbers are.
        breaks: the state beyond it, where they are broken; None where they never are.
    """

    kept: float
    breaks: S | None


def turning(
    ask: Callable[[float], S], excess_of: Callable[[S], float], start: float, least: float, most: float
) -> Turning[S]:
    """The largest number from a start on at which the requirements are kept, or the largest below the start.

    Between two numbers that it asks for the search takes a requirement to be either kept or broken; a gap that is
    narrower than its steps can be missed.

    Args:
        ask: state of the requirements at a number.
        excess_of: logarithm of the share of a limit that a state uses most: above 0 where it is broken.
        start: number to begin with, greater than 0.
        least: where nothing is kept down to this number, none is.
        most: where all is kept up to this number, nothing limits.
    """
    asked: dict[float, S] = {}

    def excess(number: float) -> float:
        if number not in asked:
            asked[number] = ask(number)
        return excess_of(asked[number])

    kept = broken = start
    if excess(start) <= 0.0:
        while excess(broken) <= 0.0:
            if broken >= most:
                return Turning(math.inf, None)
            kept, broken = broken, min(most, broken * _step(-excess(broken)))
    else:
        while excess(kept) > 0.0:
            if kept <= least:
                return Turning(0.0, asked[kept])
            broken, kept = kept, max(least, kept / _step(excess(kept)))
    turn = 0
    while broken - kept > CLOSE * broken:
        turn += 1
        # Secants are fast, halvings get past jumps and kinks.
        number = 0.5 * (kept + broken) if turn % 3 == 0 else _aim(kept, broken, excess(kept), excess(broken))
        kept, broken = (number, broken) if excess(number) <= 0.0 else (kept, number)
    return Turning(kept, asked[broken])


def _aim(kept: float, broken: float, below: float, above: float) -> float:
    """Where the excess vanishes by a power law, and a hair beyond, to the farther end, so that both ends close in."""
    share, hair = below / (below - above), 0.4 * CLOSE * broken
    place = kept * (broken / kept) ** share + (hair if share < 0.5 else -hair)
    return min(max(place, kept + hair), broken - hair)


def _step(excess: float) -> float:
    """Factor that takes a requirement which grows with the square from an excess to nothing, and a little beyond."""
    return min(_BEYOND * math.exp(0.5 * min(excess, FAR)), _STEP)
