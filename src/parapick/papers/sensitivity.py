"""Which numbers of a model the verdicts on a document rest on: each is changed by 2 %, verdicts that change counted.

A number that changes no verdict could be wrong by as much without being noticed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, final

from parapick.answer import Column, Table, percent
from parapick.papers.document import Document
from parapick.papers.reproduction import Reproduction, print_outcomes
from parapick.papers.setup import Setup
from parapick.papers.verdict import PrintVerdict
from parapick.progress import Listener, tell

CHANGE: Final = 0.02
"""Share by which a number is made larger."""


@final
@dataclass(frozen=True)
class VerdictChanges:
    """What a change of one number does.

    Attributes:
        number: the number.
        changed: verdicts that change.
        total: verdicts there are.
    """

    number: str
    changed: int
    total: int


def sensitivity(document: Document, progress: Listener | None = None) -> tuple[VerdictChanges, ...]:
    """How many verdicts on a document change with each of its varied numbers, costly groups left out.

    Args:
        progress: called with what is being computed.
    """
    quick = replace(document, numbers=tuple(group for group in document.numbers if not group.costly))
    shipped = _verdicts(quick, Setup())
    changes = []
    for number in document.varied:
        tell(progress, f"{document.key}, {number} changed by {percent(CHANGE)}")
        varied = _verdicts(quick, Setup({number: 1.0 + CHANGE}))
        changed = sum(before is not after for before, after in zip(shipped, varied, strict=True))
        changes.append(VerdictChanges(number, changed, len(shipped)))
    return tuple(changes)


def _verdicts(document: Document, setup: Setup) -> list[PrintVerdict]:
    return [outcome.verdict for outcome in print_outcomes(document, setup)]


def with_sensitivity(reproduction: Reproduction, progress: Listener | None = None) -> Reproduction:
    """The same with a table of what its verdicts rest on; without one where the document names no number to change.

    Args:
        progress: called with what is being computed.
    """
    if not reproduction.document.varied:
        return reproduction
    table = sensitivity_table(sensitivity(reproduction.document, progress))
    return replace(reproduction, tables=(*reproduction.tables, table))


def sensitivity_table(changes: tuple[VerdictChanges, ...]) -> Table:
    """How many verdicts change with each number, as a table.

    Args:
        changes: what `sensitivity` gives.
    """
    rows = tuple((entry.number, entry.changed, entry.total) for entry in changes)
    blind = ", ".join(entry.number for entry in changes if not entry.changed)
    note = (
        f"changed by {percent(CHANGE)}, these change no verdict: {blind}"
        if blind
        else "each of them changes some verdict"
    )
    heads = (Column("number"), Column("verdicts that change"), Column("of"))
    title = f"verdicts that change when a number of the model is made {percent(CHANGE)} larger"
    return Table("sensitivity", title, heads, rows, note)
