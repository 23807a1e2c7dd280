"""Four verdicts on a printed number: reproduced, agrees, deviates, not determined. They are computed, never stated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import final

from parapick.papers.group import Group
from parapick.papers.stated_number import StatedNumber, Undetermined, Value


class PrintVerdict(StrEnum):
    """What a computed number says about a printed one."""

    REPRODUCED = "reproduced"
    AGREES = "agrees"
    DEVIATES = "deviates"
    OPEN = "not determined"

    @property
    def mark(self) -> str:
        """One letter for tables."""
        return {"reproduced": "=", "agrees": "~", "deviates": "x"}.get(self.value, "?")


@final
@dataclass(frozen=True)
class PrintOutcome:
    """A printed number beside what was computed in one reading.

    It is not a requirement (`parapick.answer.Requirement`): a print is no limit that a value keeps or exceeds. It may
    be missed to either side, by its own digits or by a tolerance, it may be a range, a statement or a dash, and beside
    yes and no there is "not determined".

    Attributes:
        group: its group.
        name: its name within the group.
        reading: how the words of the document were read.
        value: what was computed, in the unit of the print.
        verdict: what this says about the print.
        inputs: names of everything that was read for it.
        rests_on: those of its inputs that are fitted.
        undetermined: why it says nothing about the print; empty where it does.
    """

    group: Group
    name: str
    reading: str
    value: Value
    verdict: PrintVerdict
    inputs: frozenset[str] = frozenset()
    rests_on: tuple[str, ...] = ()
    undetermined: str = ""

    @property
    def printed(self) -> StatedNumber:
        """The number as printed."""
        return self.group.printed_numbers[self.name]

    @property
    def off(self) -> float | None:
        """How far the computed number lies from the printed one, in its unit; None where one of them is no number."""
        if not self.printed.numeric or self.value is None or isinstance(self.value, bool):
            return None
        return self.printed.beyond(self.value)

    @property
    def share(self) -> float | None:
        """The same as a share of the printed number."""
        ends = [abs(end) for end in (self.printed.low, self.printed.high) if math.isfinite(end) and end]
        return None if self.off is None or not ends else self.off / max(ends)

    @property
    def fitted(self) -> bool:
        """Whether something that it rests on was chosen with the print in view."""
        return bool(self.rests_on)


def print_outcome(group: Group, name: str, reading: str, value: Value | Undetermined) -> PrintOutcome:
    """What a computed number says about a printed one.

    Args:
        group: its group.
        name: its name within the group.
        reading: how the words of the document were read.
        value: what was computed, in the unit of the print.
    """
    reason = group.missing
    if isinstance(value, Undetermined):
        reason, value = group.missing or value.reason, value.value
    verdict = PrintVerdict.OPEN if reason else _verdict(group, group.printed_numbers[name], value)
    return PrintOutcome(group, name, reading, value, verdict, undetermined=reason)


def _verdict(group: Group, printed: StatedNumber, value: Value) -> PrintVerdict:
    if printed.is_met(value):
        return PrintVerdict.REPRODUCED
    if not printed.numeric or value is None or isinstance(value, bool) or math.isnan(value):
        return PrintVerdict.DEVIATES
    return PrintVerdict.AGREES if abs(printed.beyond(value)) <= group.slack(printed) else PrintVerdict.DEVIATES
