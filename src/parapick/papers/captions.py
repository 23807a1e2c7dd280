"""Words of captions: counts, ranges and what is printed, made from the numbers that a figure shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.answer.words import fixed

_COUNTS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Counts in words, from 0 on."""


def counted(count: int, noun: str = "") -> str:
    """A count in words up to twelve, in digits beyond; with what is counted.

    Args:
        count: how many.
        noun: what, in the plural; nothing if empty.
    """
    word = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{word} {noun.removesuffix('s') if count == 1 else noun}".strip()


def part_of(count: int, total: int, noun: str = "") -> str:
    """How many of how many: "all four lines", "three lines of four", "none of the four lines".

    Args:
        count: how many.
        total: of how many.
        noun: of what, in the plural; nothing if empty.
    """
    if count == total:
        return f"all {counted(total, noun)}"
    if count == 0:
        return f"none of the {counted(total, noun)}"
    return f"{counted(count, noun)} of {counted(total)}"


def span(values: np.ndarray | Sequence[float], decimals: int = 0) -> str:
    """Smallest and largest of some numbers: "914 to 1166"; one number where both read alike.

    Args:
        values: the numbers; NaN is none.
        decimals: digits behind the point.
    """
    ends = [fixed(float(end(values)), decimals) for end in (np.nanmin, np.nanmax)]
    return " to ".join(dict.fromkeys(ends))


def printed(key: str, group: str, *names: str) -> str:
    """What a document prints, as it prints it; of several numbers "914 to 1166".

    Args:
        key: its key.
        group: id of the group of numbers.
        names: names of the numbers in the group.
    """
    from parapick.papers import document

    own = next(one for one in document(key).numbers if one.id == group)
    return " to ".join(own.printed[name] for name in names)
