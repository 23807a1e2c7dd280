"""A document computed: every printed number in every reading, and every number of the evidence of its errata."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, final

from parapick.answer import Table
from parapick.papers.document import Discovery, Document, Erratum
from parapick.papers.setup import Setup
from parapick.papers.stated import Undetermined, Value
from parapick.papers.verdict import PrintOutcome, PrintVerdict, judged
from parapick.toml import read_toml

Told = Callable[[str], None]
"""Called with what is being computed."""

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

    erratum: Erratum | Discovery
    name: str
    value: Value

    @property
    def ok(self) -> bool:
        """Whether the evidence states what was computed."""
        return self.erratum.stated[self.name].is_met(self.value)


@final
@dataclass(frozen=True, eq=False)
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
        return getattr(_module(self.document.key, "numbers"), "TEXTS", {})

    @property
    def lost(self) -> tuple[PrintOutcome, ...]:
        """Numbers that were reproduced and no longer are."""
        known = expected(self.document.key)
        return tuple(
            one
            for one in self.outcomes
            if one.verdict is not PrintVerdict.REPRODUCED
            and (recorded := known.get((one.group.id, one.reading, one.name))) is not None
            and recorded.verdict is PrintVerdict.REPRODUCED
        )

    @property
    def changed(self) -> tuple[PrintOutcome, ...]:
        """Numbers whose verdict, or its mark, is not the recorded one."""
        known = expected(self.document.key)
        return tuple(
            one
            for one in self.outcomes
            if known.get((one.group.id, one.reading, one.name)) != RecordedVerdict(one.verdict, one.fitted)
        )

    @property
    def wrong(self) -> tuple[Recomputed, ...]:
        """Numbers of the evidence that are not what was computed."""
        return tuple(one for one in self.evidence if not one.ok)

    @property
    def ok(self) -> bool:
        """Whether all that was reproduced still is, and the evidence holds."""
        return not self.lost and not self.wrong


def reproduce(document: Document, setup: Setup | None = None, told: Told | None = None) -> Reproduction:
    """Compute a document.

    Args:
        document: the document.
        setup: what it is computed with; as shipped if not given.
        told: called with what is being computed.
    """
    setup = setup or Setup()
    outcomes = printed_numbers(document, setup, told)
    evidence: list[Recomputed] = []
    functions = _module(document.key, "evidence").EVIDENCE
    for erratum in (entry for entry in (*document.errata, *document.findings) if entry.numbers):
        _tell(told, f"{document.key}, evidence of {erratum.id}")
        values = functions[erratum.id](setup)
        evidence += [Recomputed(erratum, name, values[name]) for name in erratum.numbers]
    tables = []
    for make in getattr(_module(document.key, "numbers"), "TABLES", ()):
        _tell(told, f"{document.key}, further tables")
        tables.append(make(setup))
    return Reproduction(document, outcomes, tuple(evidence), tuple(tables), setup)


def printed_numbers(document: Document, setup: Setup, told: Told | None = None) -> tuple[PrintOutcome, ...]:
    """Every printed number of a document in every reading, with its verdict.

    Args:
        document: the document.
        setup: what it is computed with.
        told: called with what is being computed.
    """
    functions = _module(document.key, "numbers").NUMBERS
    outcomes: list[PrintOutcome] = []
    for group in document.numbers:
        _tell(told, f"{document.key}, {group.place}")
        if group.id not in functions:
            outcomes += [judged(group, name, reading, None) for name in group.printed for reading in group.readings]
            continue
        with setup.noting() as shared:
            values: Computed = functions[group.id](setup)
        for name in group.printed:
            for reading in group.readings:
                with setup.noting() as inputs:
                    outcome = judged(group, name, reading, values[reading][name])
                read = frozenset(inputs | shared)
                outcomes.append(replace(outcome, inputs=read, rests_on=document.fitted_among(read)))
    return tuple(outcomes)


def _module(key: str, part: str) -> Any:
    """What computes a document: its file beside this one."""
    return import_module(f"parapick.papers.{key}_{part}")


def _tell(told: Told | None, text: str) -> None:
    if told is not None:
        told(text)


@cache
def expected(key: str) -> Mapping[tuple[str, str, str], RecordedVerdict]:
    """The recorded verdict and mark of every number by its group, its reading and its name.

    Args:
        key: key of the document.
    """
    recorded = read_toml(Path(__file__).with_name("expected.toml"), "the record of verdicts").get(key, {})
    return {
        (group, reading, name): RecordedVerdict(PrintVerdict(verdict.removesuffix(_FITTED)), verdict.endswith(_FITTED))
        for group, readings in recorded.items()
        for reading, verdicts in readings.items()
        for verdict, names in verdicts.items()
        for name in names
    }


def expected_text(reproductions: Mapping[str, Reproduction]) -> str:
    """The file of recorded verdicts, for these reproductions.

    Args:
        reproductions: by key of their documents.
    """
    lines = [
        "# Verdicts on the printed numbers, by document, group and reading; fitted: they rest on something that was",
        "# chosen with the print in view. Made by tools/expected_verdicts.py.",
    ]
    for key, found in reproductions.items():
        for group in found.document.numbers:
            lines.append(f"\n[{key}.{group.id}]")
            for reading in group.readings:
                own = [one for one in found.outcomes if one.group is group and one.reading == reading]
                kinds: dict[str, list[str]] = {}
                for one in sorted(own, key=lambda one: (list(PrintVerdict).index(one.verdict), one.fitted)):
                    kinds.setdefault(str(RecordedVerdict(one.verdict, one.fitted)), []).append(one.name)
                cells = ", ".join(f'"{kind}" = {_list(names)}' for kind, names in kinds.items())
                lines.append(f'"{reading}" = {{ {cells} }}')
    return "\n".join(lines) + "\n"


def _list(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
