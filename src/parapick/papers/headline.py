"""What computing a document showed, in a sentence: how much of its print comes out, and on what that rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from parapick.papers.reproduction import Reproduction
from parapick.papers.verdict import PrintOutcome, PrintVerdict


class PrintStanding(StrEnum):
    """How a printed number stands after all of its readings: by the best of them."""

    ALONE = "from what the document gives"
    FITTED = "only with inputs that were fitted to it"
    NEVER = "in no reading"
    OPEN = "not determined by its text"


def standing(outcomes: Iterable[PrintOutcome]) -> PrintStanding:
    """How a printed number stands; reproduced and agreeing both count as coming out.

    Args:
        outcomes: what was computed for it, one a reading.
    """
    own = list(outcomes)
    met = [one for one in own if one.verdict in (PrintVerdict.REPRODUCED, PrintVerdict.AGREES)]
    if met:
        return PrintStanding.FITTED if all(one.fitted for one in met) else PrintStanding.ALONE
    return PrintStanding.NEVER if any(one.verdict is PrintVerdict.DEVIATES for one in own) else PrintStanding.OPEN


def standings(found: Reproduction) -> Counter[PrintStanding]:
    """How many printed numbers and statements of a document stand how.

    Args:
        found: the document, computed.
    """
    numbers: dict[tuple[str, str], list[PrintOutcome]] = {}
    for one in found.outcomes:
        numbers.setdefault((one.group.id, one.name), []).append(one)
    return Counter(map(standing, numbers.values()))


def headline(found: Reproduction) -> str:
    """What computing a document showed.

    Args:
        found: the document, computed.
    """
    counted = standings(found)
    inputs = ", ".join(found.document.fitted_among({name for one in found.outcomes for name in one.rests_on}))
    named = f" ({inputs})" if inputs else ""
    return (
        f"{found.document.key}: of {counted.total()} printed numbers and statements "
        f"{counted[PrintStanding.ALONE]} come out {PrintStanding.ALONE}, "
        f"{counted[PrintStanding.FITTED]} {PrintStanding.FITTED}{named}, "
        f"{counted[PrintStanding.NEVER]} {PrintStanding.NEVER}; {counted[PrintStanding.OPEN]} {PrintStanding.OPEN}."
    )
