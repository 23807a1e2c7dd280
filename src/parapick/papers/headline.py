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
        outcomes: what was computed for it, one per reading.
    """
    readings = list(outcomes)
    met = [outcome for outcome in readings if outcome.verdict in (PrintVerdict.REPRODUCED, PrintVerdict.AGREES)]
    if met:
        return PrintStanding.FITTED if all(outcome.fitted for outcome in met) else PrintStanding.ALONE
    missed = any(outcome.verdict is PrintVerdict.DEVIATES for outcome in readings)
    return PrintStanding.NEVER if missed else PrintStanding.OPEN


def standings(reproduction: Reproduction) -> Counter[PrintStanding]:
    """How many printed numbers and statements of a document stand how."""
    numbers: dict[tuple[str, str], list[PrintOutcome]] = {}
    for outcome in reproduction.outcomes:
        numbers.setdefault((outcome.group.id, outcome.name), []).append(outcome)
    return Counter(map(standing, numbers.values()))


def headline(reproduction: Reproduction) -> str:
    """What computing a document showed."""
    counted = standings(reproduction)
    fitted = {name for outcome in reproduction.outcomes for name in outcome.rests_on}
    inputs = ", ".join(reproduction.document.fitted_among(fitted))
    named = f" ({inputs})" if inputs else ""
    return (
        f"{reproduction.document.key}: of {counted.total()} printed numbers and statements "
        f"{counted[PrintStanding.ALONE]} come out {PrintStanding.ALONE}, "
        f"{counted[PrintStanding.FITTED]} {PrintStanding.FITTED}{named}, "
        f"{counted[PrintStanding.NEVER]} {PrintStanding.NEVER}; {counted[PrintStanding.OPEN]} {PrintStanding.OPEN}."
    )
