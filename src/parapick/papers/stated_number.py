"""A number as a text states it: what its digits allow, a range, a bound, a yes, or a dash where there is none.

What a document states is *printed* (`Group.printed`); what our own record states of an erratum or a finding is its
evidence (`Erratum.numbers`). Both are read and compared with what is computed in one way, here.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final, final

from parapick.errors import ParapickError

Value = float | bool | None
"""What is computed: a number in the unit of the print, whether a statement holds, None where nothing is possible."""


@final
@dataclass(frozen=True)
class Undetermined:
    """A value that came out and could as well have come out otherwise, so that it says nothing about the print.

    Attributes:
        value: the value.
        reason: what the document would have to give.
    """

    value: Value
    reason: str


_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.(?P<decimals>\d+))?(?:e(?P<power>[+-]?\d+))?")
_ROUNDING: Final = 1e-9
"""Share of half a unit that a number may lie beyond it: computed and printed numbers are both rounded."""

WORDS: Final = {"yes": True, "no": False}
DASH: Final = "-"


@final
@dataclass(frozen=True)
class StatedNumber:
    """A number as it is stated.

    Attributes:
        text: its text: "124", "-2.3", "5.2e-2", "5 to 6", "<1e-12", ">95", "yes", "no", or "-" for none.
        low: smallest value stated; -inf of an upper bound.
        high: largest value stated.
        slack: half a unit of the last digit, by which rounding may have moved it.
        word: what a word or a dash says; NaN where a number is stated.
    """

    text: str
    low: float = math.nan
    high: float = math.nan
    slack: float = 0.0
    word: Value = math.nan

    @property
    def numeric(self) -> bool:
        """Whether it is a number, a range or a bound."""
        return not math.isnan(self.low)

    def beyond(self, value: float) -> float:
        """How far a value lies above what is stated, negative below it; 0 within a range or a bound.

        Args:
            value: the value.
        """
        return max(0.0, value - self.high) + min(0.0, value - self.low)

    def is_met(self, value: Value) -> bool:
        """Whether a value is what is stated, as far as its digits tell.

        Args:
            value: the value.
        """
        if not self.numeric:
            return value is self.word
        if not isinstance(value, (int, float)) or isinstance(value, bool) or math.isnan(value):
            return False
        return abs(self.beyond(value)) <= self.slack * (1.0 + _ROUNDING)


def stated_number(text: str) -> StatedNumber:
    """Read a stated number.

    Args:
        text: its text.

    Raises:
        ParapickError: it is none.
    """
    if text in WORDS or text == DASH:
        return StatedNumber(text, word=WORDS.get(text))
    if text[:1] in "<>":
        bound = _read(text[1:])[0]
        return StatedNumber(text, *((-math.inf, bound) if text[0] == "<" else (bound, math.inf)))
    ends = [_read(part) for part in text.split(" to ")]
    if len(ends) > 2:
        raise ParapickError(f"{text!r} is not a number, a range, a bound, yes, no or a dash")
    values = [value for value, _ in ends]
    return StatedNumber(text, min(values), max(values), max(slack for _, slack in ends))


def _read(text: str) -> tuple[float, float]:
    """A number, and half a unit of its last digit."""
    digits = _NUMBER.fullmatch(text.strip())
    if digits is None:
        raise ParapickError(f"{text!r} is not a number")
    power = int(digits["power"] or 0) - len(digits["decimals"] or "")
    return float(text), 0.5 * 10.0**power
