"""What is recorded about a source document: where its print is wrong, and what we chose where it is silent.

The record is the file `document.toml` in the document's folder, which its key names. Texts in it may run over several
lines. Beside it lies what computes the document; the rest of this room looks up (`offered`) `NUMBERS` by group in
`numbers.py`, `EVIDENCE` by erratum in `evidence.py`, and `FIGURES` by group in `figures.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, final

from parapick.errors import ParapickError
from parapick.papers.group import Group
from parapick.papers.stated_number import StatedNumber, stated_number
from parapick.toml import read_toml

ErratumKind = Literal["equation", "number", "wording"]
"""What is wrong: a formula, a number, or what a sentence says."""

RECORD: Final = "document.toml"
"""Name of the file that makes a folder a document."""

_PLACE: Final = re.compile(r"\{([\w.]+)\}")
"""Where a number of the evidence stands in its text."""


@final
@dataclass(frozen=True)
class Erratum:
    """One place where a document is wrong, contradicts itself or cannot be taken literally.

    Attributes:
        id: name within the document: E1, E2, ... An id is never given to another erratum.
        place: equation, table or section of the document.
        printed: what the document says.
        corrected: what we use instead.
        template: how it was decided, with names of numbers in braces where these stand.
        kind: what is wrong.
        numbers: numbers of the evidence by their names, as stated; each is computed by `parapick reproduce`.
    """

    id: str
    place: str
    printed: str
    corrected: str
    template: str
    kind: ErratumKind
    numbers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def evidence(self) -> str:
        """How it was decided, with its numbers."""
        return _filled(self.template, self.numbers)

    @cached_property
    def stated_numbers(self) -> Mapping[str, StatedNumber]:
        """The numbers of the evidence, read."""
        return {name: stated_number(text) for name, text in self.numbers.items()}


@final
@dataclass(frozen=True)
class DocumentFinding:
    """Something that a document did not say, found while computing it.

    Attributes:
        id: name within the document: F1, F2, ...
        title: what was found, in a line.
        template: the same with numbers, in braces: names of its own numbers, or of an erratum's as `E15.g`.
        figure: group of numbers beside which the document's page draws it; any other name stands at its end.
        numbers: its own numbers by their names, as stated; each is computed by `parapick reproduce`.
    """

    id: str
    title: str
    template: str
    figure: str
    numbers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def stated_numbers(self) -> Mapping[str, StatedNumber]:
        """Its own numbers, read."""
        return {name: stated_number(text) for name, text in self.numbers.items()}


@final
@dataclass(frozen=True)
class Choice:
    """Something that a document does not give and that a model of it needs.

    Attributes:
        subject: what had to be chosen.
        value: what we chose.
        reason: why this and nothing else.
    """

    subject: str
    value: str
    reason: str


@final
@dataclass(frozen=True)
class Places:
    """What may be cited of a document: the numbers that its print has.

    Attributes:
        equations: numbers of its equations, without brackets.
        sections: numbers of its sections, or their titles where they have none.
        tables: numbers of its tables.
        figures: numbers of its figures.
        footnotes: letters of its footnotes.
    """

    equations: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    footnotes: tuple[str, ...] = ()


@final
@dataclass(frozen=True)
class FittedInput:
    """An input that was chosen with printed numbers in view, so that agreement of what it enters is no test.

    Attributes:
        name: the name under which it is read while the document is computed (`Setup.number`, `Setup.uses`), or that of
            a shipped robot.
        what: what it is, and what was chosen.
        to: the printed numbers or statements that it was chosen to meet.
    """

    name: str
    what: str
    to: str


@final
@dataclass(frozen=True)
class Document:
    """A source document: how to find it, its errata, our choices, and what stays out of reach.

    Attributes:
        key: name by which the project cites it.
        title: title.
        authors: authors in the order of the title page.
        errata: equations first, in their order, then tables and text; later finds are appended.
        choices: free choices.
        not_reproducible: results of the document that its own data do not determine.
        numbers: what it prints, by groups that one computation gives.
        findings: what it did not say.
        fitted: inputs of its computation that were chosen with its print in view.
        varied: numbers that are changed one by one to see which verdicts rest on them: paths in robot files, and names
            under which the document is computed.
        places: what may be cited of it.
        year: year of publication; None where the text does not say and it could not be checked.
        venue: where it was published; None likewise.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    errata: tuple[Erratum, ...]
    choices: tuple[Choice, ...]
    not_reproducible: tuple[str, ...]
    numbers: tuple[Group, ...] = ()
    findings: tuple[DocumentFinding, ...] = ()
    fitted: tuple[FittedInput, ...] = ()
    varied: tuple[str, ...] = ()
    places: Places = field(default_factory=Places)
    year: int | None = None
    venue: str | None = None

    def erratum(self, erratum_id: str) -> Erratum:
        """Look an erratum up.

        Args:
            erratum_id: its id, such as `E2`.

        Raises:
            UnknownErratumError: the document has no such erratum; the error lists those it has.
        """
        for entry in self.errata:
            if entry.id == erratum_id:
                return entry
        raise UnknownErratumError(self.key, erratum_id, tuple(entry.id for entry in self.errata))

    def group(self, group_id: str) -> Group:
        """The group of printed numbers with an id.

        Args:
            group_id: its id, such as `table3`.

        Raises:
            KeyError: the document has no such group.
        """
        return {entry.id: entry for entry in self.numbers}[group_id]

    def fitted_among(self, inputs: Collection[str]) -> tuple[str, ...]:
        """Those of some inputs that are fitted, in the order of the record.

        Args:
            inputs: names of inputs.
        """
        return tuple(entry.name for entry in self.fitted if entry.name in inputs)

    def finding_text(self, finding: DocumentFinding) -> str:
        """What was found, with its numbers.

        Args:
            finding: one of its findings.
        """
        numbers = dict(finding.numbers)
        for entry in self.errata:
            numbers |= {f"{entry.id}.{name}": text for name, text in entry.numbers.items()}
        return _filled(finding.template, numbers)


@final
class UnknownDocumentError(ParapickError):
    """No source document has this key."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        close = get_close_matches(key.lower(), known, n=2)
        hint = f"did you mean {' or '.join(close)}? Documents" if close else "documents"
        super().__init__(f"no document {key!r}; {hint}: {', '.join(known)}")
        self.key = key
        self.known = known


@final
class UnknownErratumError(ParapickError):
    """A document has no erratum of this id."""

    def __init__(self, key: str, erratum_id: str, valid: tuple[str, ...]) -> None:
        super().__init__(f"{key} has no erratum {erratum_id!r}; its errata: {', '.join(valid)}")
        self.key = key
        self.erratum_id = erratum_id
        self.valid = valid


def read_document(key: str) -> Document:
    """The record of a document.

    Args:
        key: name of its folder.
    """
    record = _joined(read_toml(document_file(key, RECORD), "the record of a document"))
    errata = tuple(map(_erratum, record.pop("errata", ())))
    choices = tuple(Choice(**entry) for entry in record.pop("choices", ()))
    numbers = tuple(Group(**entry) for entry in record.pop("numbers", ()))
    findings = tuple(DocumentFinding(template=entry.pop("text"), **entry) for entry in record.pop("findings", ()))
    fitted = tuple(FittedInput(**entry) for entry in record.pop("fitted", ()))
    places = Places(**{name: _numbered(entries) for name, entries in record.pop("places", {}).items()})
    parts = {"choices": choices, "numbers": numbers, "findings": findings, "fitted": fitted, "places": places}
    return Document(**record, errata=errata, **parts)


def document_file(key: str, name: str) -> Path:
    """Where a file of a document is, or would be.

    Args:
        key: key of the document.
        name: name of the file.
    """
    return Path(__file__).parent / key / name


def offered(key: str, part: str, name: str, default: Any) -> Any:
    """What a file in a document's folder offers under a name; the default where there is no such file or name.

    Args:
        key: key of the document.
        part: name of the file without its ending, such as `numbers`.
        name: the name in it, such as `NUMBERS`.
        default: what stands for it otherwise.
    """
    if not document_file(key, f"{part}.py").is_file():
        return default
    return getattr(import_module(f"parapick.papers.{key}.{part}"), name, default)


def _numbered(entries: tuple[str, ...]) -> tuple[str, ...]:
    """Numbers of places, ranges such as "1 to 35" written out."""
    numbers: list[str] = []
    for entry in entries:
        first, to, last = entry.partition(" to ")
        numbers += [str(number) for number in range(int(first), int(last) + 1)] if to else [entry]
    return tuple(numbers)


def _erratum(entry: dict[str, Any]) -> Erratum:
    """An erratum of a record; numbers of its evidence may stand in its correction too."""
    corrected = _filled(entry.pop("corrected"), entry.get("numbers", {}))
    return Erratum(template=entry.pop("evidence"), corrected=corrected, **entry)


def _filled(text: str, numbers: Mapping[str, str]) -> str:
    """A text with numbers in the places of their names."""
    return _PLACE.sub(lambda place: numbers[place[1]].lstrip("<>"), text)


def _joined(value: Any) -> Any:
    """The same with every text on one line, and lists as tuples."""
    if isinstance(value, dict):
        return {name: _joined(item) for name, item in value.items()}
    if isinstance(value, list):
        return tuple(map(_joined, value))
    return " ".join(value.split()) if isinstance(value, str) else value
