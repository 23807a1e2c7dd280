"""Words of captions: counts, ranges and what is printed, made from the numbers that a figure shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.answer import fixed
from parapick.papers.documents import document

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


def printed_text(key: str, group_id: str, *names: str) -> str:
    """What a document prints, as it prints it; of several numbers "914 to 1166".

    Args:
        key: its key.
        group_id: id of the group of numbers.
        names: names of the numbers in the group.
    """
    return " to ".join(document(key).group(group_id).printed[name] for name in names)
