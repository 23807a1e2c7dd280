"""A document computed: every printed number in every reading, and every number of the evidence of its errata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final, final

from parapick.answer import Answer, Table
from parapick.deferred import fetched
from parapick.papers.document import Document, DocumentFinding, Erratum, document_file, offered
from parapick.papers.group import Group
from parapick.papers.setup import Setup
from parapick.papers.stated_number import Undetermined, Value
from parapick.papers.verdict import PrintOutcome, PrintVerdict, print_outcome
from parapick.progress import Listener, tell
from parapick.toml import read_toml

VERDICTS: Final = "verdicts.toml"
"""Name of the file in a document's folder that records the verdicts on its numbers."""

Computed = Mapping[str, Mapping[str, Value | Undetermined]]
"""Values by reading and name. Each is asked for by itself: with `OnDemand` mappings what it rests on is exactly what is
read for it, with others everything that its group reads."""


@final
@dataclass(frozen=True)
class RecordedVerdict:
    """What is on record about a printed number in a reading.

    Attributes:
        verdict: its verdict.
        fitted: whether that rests on something that was chosen with the print in view.
    """

    verdict: PrintVerdict
    fitted: bool

    def __str__(self) -> str:
        return f"{self.verdict}{_FITTED if self.fitted else ''}"


_FITTED: Final = ", fitted"
"""How the record marks a verdict that rests on something fitted."""


@final
@dataclass(frozen=True)
class Recomputed:
    """A number of the evidence of an erratum, or of a finding, computed again.

    Attributes:
        erratum: the erratum or the finding.
        name: name of the number in the evidence.
        value: what was computed.
    """

    erratum: Erratum | DocumentFinding
    name: str
    value: Value

    @property
    def ok(self) -> bool:
        """Whether the evidence states what was computed."""
        return self.erratum.stated_numbers[self.name].is_met(self.value)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Reproduction:
    """What came out of computing a document.

    Attributes:
        document: the document.
        outcomes: its printed numbers, in every reading.
        evidence: the numbers of the evidence of its errata.
        tables: what else was computed, such as errors by controller.
        setup: what it was computed with.
    """

    document: Document
    outcomes: tuple[PrintOutcome, ...]
    evidence: tuple[Recomputed, ...]
    tables: tuple[Table, ...]
    setup: Setup

    @property
    def texts(self) -> Mapping[str, Mapping[str, str]]:
        """What its numbers are, by group and name, where a name is a mere number."""
        return offered(self.document.key, "numbers", "TEXTS", {})

    @property
    def lost(self) -> tuple[PrintOutcome, ...]:
        """Numbers that were reproduced and no longer are."""
        recorded = recorded_verdicts(self.document.key)
        lost = []
        for outcome in self.outcomes:
            record = recorded.get((outcome.group.id, outcome.reading, outcome.name))
            was_reproduced = record is not None and record.verdict is PrintVerdict.REPRODUCED
            if was_reproduced and outcome.verdict is not PrintVerdict.REPRODUCED:
                lost.append(outcome)
        return tuple(lost)

    @property
    def changed(self) -> tuple[PrintOutcome, ...]:
        """Numbers whose verdict, or its mark, is not the recorded one."""
        recorded = recorded_verdicts(self.document.key)
        return tuple(
            outcome
            for outcome in self.outcomes
            if recorded.get((outcome.group.id, outcome.reading, outcome.name))
            != RecordedVerdict(outcome.verdict, outcome.fitted)
        )

    @property
    def wrong(self) -> tuple[Recomputed, ...]:
        """Numbers of the evidence that are not what was computed."""
        return tuple(number for number in self.evidence if not number.ok)

    @property
    def ok(self) -> bool:
        """Whether all that was reproduced still is, and the evidence holds."""
        return not self.lost and not self.wrong

    def answer(self) -> Answer:
        """Every printed number with its verdict, the evidence of errata, and further tables."""
        return fetched("parapick.papers.reproduction_answer", "reproduction_answer")([self], listed=True)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "numbers".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        return f"<Reproduction of {self.document.key}: {len(self.outcomes)} numbers, {len(self.lost)} lost>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


def reproduce(document: Document | str, setup: Setup | None = None, progress: Listener | None = None) -> Reproduction:
    """Compute a document.

    Args:
        document: the document, or its key such as "corbel2010".
        setup: what it is computed with; as shipped if not given.
        progress: called with what is being computed; what it raises ends the work.

    Raises:
        UnknownDocumentError: there is no document of this key.
    """
    from parapick.papers.documents import document as known

    document = known(document) if isinstance(document, str) else document
    setup = setup or Setup()
    outcomes = print_outcomes(document, setup, progress)
    evidence: list[Recomputed] = []
    functions = offered(document.key, "evidence", "EVIDENCE", {})
    for erratum in (entry for entry in (*document.errata, *document.findings) if entry.numbers):
        tell(progress, f"{document.key}, evidence of {erratum.id}")
        values = functions[erratum.id](setup)
        evidence += [Recomputed(erratum, name, values[name]) for name in erratum.numbers]
    tables = []
    for table in offered(document.key, "numbers", "TABLES", ()):
        tell(progress, f"{document.key}, further tables")
        tables.append(table(setup))
    return Reproduction(document, outcomes, tuple(evidence), tuple(tables), setup)


def print_outcomes(document: Document, setup: Setup, progress: Listener | None = None) -> tuple[PrintOutcome, ...]:
    """Every printed number of a document in every reading, with its verdict.

    Args:
        setup: what it is computed with.
        progress: called with what is being computed.
    """
    functions = offered(document.key, "numbers", "NUMBERS", {})
    outcomes: list[PrintOutcome] = []
    for group in document.numbers:
        tell(progress, f"{document.key}, {group.place}")
        if group.id not in functions:
            outcomes += [print_outcome(group, *place, None) for place in product(group.printed, group.readings)]
            continue
        with setup.noting() as shared:
            values: Computed = functions[group.id](setup)
        for name, reading in product(group.printed, group.readings):
            with setup.noting() as inputs:
                outcome = print_outcome(group, name, reading, values[reading][name])
            read = frozenset(inputs | shared)
            outcomes.append(replace(outcome, inputs=read, rests_on=document.fitted_among(read)))
    return tuple(outcomes)


@cache
def recorded_verdicts(key: str) -> Mapping[tuple[str, str, str], RecordedVerdict]:
    """The recorded verdict and mark of every number by its group, its reading and its name; nothing without a record.

    Args:
        key: key of the document.
    """
    file = document_file(key, VERDICTS)
    recorded = read_toml(file, "the record of verdicts") if file.is_file() else {}
    return {
        (group, reading, name): RecordedVerdict(PrintVerdict(verdict.removesuffix(_FITTED)), verdict.endswith(_FITTED))
        for group, readings in recorded.items()
        for reading, verdicts in readings.items()
        for verdict, names in verdicts.items()
        for name in names
    }


def verdicts_file_text(reproduction: Reproduction) -> str:
    """The file that records the verdicts on a document, for this reproduction."""
    lines = [
        "# Verdicts on the printed numbers, by group and reading; fitted: they rest on something that was chosen with",
        "# the print in view. Made by tools/expected_verdicts.py.",
    ]
    for group in reproduction.document.numbers:
        lines.append(f"\n[{group.id}]")
        for reading in group.readings:
            cells = ", ".join(
                f'"{kind}" = {_list(names)}' for kind, names in _names_by_verdict(reproduction, group, reading).items()
            )
            lines.append(f'"{reading}" = {{ {cells} }}')
    return "\n".join(lines) + "\n"


def _names_by_verdict(reproduction: Reproduction, group: Group, reading: str) -> dict[str, list[str]]:
    """Names of a group's numbers in a reading by their verdict, the best verdict first."""
    outcomes = [entry for entry in reproduction.outcomes if entry.group is group and entry.reading == reading]
    outcomes.sort(key=lambda outcome: (list(PrintVerdict).index(outcome.verdict), outcome.fitted))
    names: dict[str, list[str]] = {}
    for outcome in outcomes:
        names.setdefault(str(RecordedVerdict(outcome.verdict, outcome.fitted)), []).append(outcome.name)
    return names


def _list(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
