"""The records of the source documents as Markdown: errata, fitted inputs, counted verdicts, findings."""

from __future__ import annotations

from collections import Counter
from typing import Final

from parapick.papers import DOCUMENTS, Document
from parapick.papers.reproduction import RecordedVerdict, recorded_verdicts
from parapick.papers.verdict import PrintVerdict

_SIGNS: Final = str.maketrans({"|": "\\|", "*": "\\*", "<": "\\<"})
"""A bar inside a formula would end a cell, a star would start emphasis, and a less-than sign a tag."""


def errata_table(document: Document) -> str:
    """Errata of a document as a table."""
    lines = ["| id | kind | place | printed | corrected |", "| --- | --- | --- | --- | --- |"]
    for entry in document.errata:
        cells = (entry.id, entry.kind, entry.place, entry.printed, entry.corrected)
        lines.append(f"| {' | '.join(cell.translate(_SIGNS) for cell in cells)} |")
    return "\n".join(lines)


def errata_text(document: Document) -> str:
    """Errata of a document as a table, and below it the evidence of each."""
    evidence = [f"- **{entry.id}** {entry.evidence.translate(_SIGNS)}" for entry in document.errata]
    open_ = [f"- {text.translate(_SIGNS)}" for text in document.not_reproducible]
    errata = [errata_table(document), "", "Evidence:", "", *evidence]
    return "\n".join([*errata, "", "Fitted inputs:", "", fitted_text(document), "", "Out of reach:", "", *open_])


def verdicts_text() -> str:
    """How many printed numbers have which verdict, by document and once in each reading, as recorded.

    Those that rest on something fitted are counted apart.
    """
    heads = ("document", "printed numbers", "errata", "evidence", "rests on", *map(str, PrintVerdict))
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for key, document in DOCUMENTS.items():
        counted = Counter(recorded_verdicts(key).values())
        numbers = sum(len(group.printed) for group in document.numbers)
        evidence = sum(len(entry.numbers) for entry in document.errata)
        about: tuple[object, ...] = (key, numbers, len(document.errata), evidence)
        for fitted, resting in ((False, "nothing fitted"), (True, "fitted inputs")):
            cells = (*about, resting, *(counted[RecordedVerdict(kind, fitted)] for kind in PrintVerdict))
            lines.append(f"| {' | '.join(map(str, cells))} |")
            about = ("", "", "", "")
    return "\n".join(lines)


def fitted_text(document: Document) -> str:
    """Fitted inputs of a document as a table."""
    lines = ["| fitted input | what it is | chosen to meet |", "| --- | --- | --- |"]
    for entry in document.fitted:
        cells = (entry.name, entry.what, entry.to)
        lines.append(f"| {' | '.join(cell.translate(_SIGNS) for cell in cells)} |")
    return "\n".join(lines)


def findings_text() -> str:
    """What the documents did not say, as a list."""
    lines = []
    for key, document in DOCUMENTS.items():
        places = {group.id: group.place for group in document.numbers}
        for entry in document.findings:
            where = f"page of {key}, {places.get(entry.figure, 'further figures')}"
            text = document.finding_text(entry).translate(_SIGNS)
            lines.append(f"- **{entry.title.translate(_SIGNS)}.** {text} Figure: {where}.")
    return "\n".join(lines)
