"""A group of numbers that a document prints and one computation gives, in every reading that its words allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, final

from parapick.papers.stated_number import StatedNumber, stated_number

TOLERANCE: Final = "5 %"
"""How far a number may be off and still agree, where its group states no other: one number for all documents, of the
size of what their own simplifications cost (nabat2005, erratum E13). It is a choice, the same for all of a kind."""


@final
@dataclass(frozen=True)
class Group:
    """Numbers of a document that one computation gives.

    Attributes:
        id: its name within the document; that of the function that computes it.
        place: table, figure or section of the document.
        what: what the numbers are.
        printed: the numbers as printed, by their names.
        readings: what the words may mean, by name; each is computed.
        unit: unit of the print; empty for pure numbers and statements.
        tolerance: how far a number may be off to agree: a share such as "5 %", or an amount in the unit.
        reason: why a number may deviate, as far as one can tell, by reading or for all of them (`all`).
        missing: what the document does not give, so that its numbers cannot be computed; empty where they can.
        command: a command that prints some of the numbers; empty where only `parapick reproduce` does.
        gives: names of the numbers that it prints, by the reading in which it computes them.
        costly: whether it takes so long that it is not computed again for every changed number (`sensitivity`).
    """

    id: str
    place: str
    what: str
    printed: Mapping[str, str]
    readings: Mapping[str, str]
    unit: str = ""
    tolerance: str = TOLERANCE
    reason: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    missing: str = ""
    command: str = ""
    gives: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    costly: bool = False

    @cached_property
    def printed_numbers(self) -> Mapping[str, StatedNumber]:
        """The printed numbers, read."""
        return {name: stated_number(text) for name, text in self.printed.items()}

    def slack(self, number: StatedNumber) -> float:
        """How far a computed number may be off to agree, in the unit.

        Args:
            number: the printed number.
        """
        share = self.tolerance.removesuffix("%")
        if share == self.tolerance:
            return float(share)
        ends = [abs(end) for end in (number.low, number.high) if abs(end) != float("inf")]
        return 0.01 * float(share) * max(ends, default=0.0)

    def likely(self, reading: str) -> str:
        """Why numbers of a reading deviate.

        Args:
            reading: its name.
        """
        return self.reason.get(reading, self.reason.get("all", ""))
