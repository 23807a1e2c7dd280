"""A document as a page: verdicts, every number in every reading with its command, figures, errata, what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from parapick import __version__
from parapick.answer import (
    notes_list,
    plain_table,
    power_text,
    table_element,
)
from parapick.files import write_text
from parapick.papers.document import offered
from parapick.papers.group import Group
from parapick.papers.headline import headline
from parapick.papers.reproduction import Reproduction
from parapick.papers.reproduction_answer import MARKS, group_table, reading_rows, reason_of, word_tables
from parapick.papers.verdict import PrintVerdict
from parapick.progress import Listener, tell
from parapick.report import Drawing, document as html_document, figure_elements, page_header, page_section


def write_pages(
    reproductions: Sequence[Reproduction], folder: str | Path, progress: Listener | None = None
) -> dict[str, Path]:
    """Write the page of every document into a folder; where each is, by key.

    Args:
        reproductions: the documents, computed.
        folder: where to put them; made if it does not exist.
        progress: called with what is being drawn.

    Raises:
        ParapickError: a page cannot be written.
    """
    pages = {}
    for reproduction in reproductions:
        key = reproduction.document.key
        tell(progress, f"{key}, drawing")
        pages[key] = Path(folder) / f"{key}.html"
        write_text(pages[key], document_page(reproduction), folders=True)
    return pages


def drawings(reproduction: Reproduction) -> dict[str, list[Drawing]]:
    """The figures of a document by the group of numbers that they stand beside."""
    figures = offered(reproduction.document.key, "figures", "FIGURES", {})
    return {group: [draw(reproduction.setup) for draw in drawn] for group, drawn in figures.items()}


def document_page(reproduction: Reproduction) -> str:
    """The page of a document as HTML."""
    document = reproduction.document
    drawn = drawings(reproduction)
    groups = "".join(_group(reproduction, group, drawn.pop(group.id, [])) for group in document.numbers)
    rest = "".join(figure_elements(figures, name) for name, figures in drawn.items())
    further = "".join(table_element(table.title, table.texts(), table.note) for table in reproduction.tables)
    main = (
        f"{_verdicts(reproduction)}{groups}"
        f"{_blocks('further', 'Further numbers and figures', further + rest) if further or rest else ''}"
        f"{_findings(reproduction)}{_errata(reproduction)}{_choices(reproduction)}"
    )
    foot = f"<footer>Made by parapick {escape(__version__)}: parapick reproduce {document.key}.</footer>\n"
    return html_document(escape(document.title), f"{_header(reproduction)}<main>\n{main}</main>\n{foot}")


def _header(reproduction: Reproduction) -> str:
    document = reproduction.document
    about = (", ".join(document.authors), ", ".join(filter(None, (document.venue, str(document.year or "")))))
    kept = "All that was reproduced still is" if reproduction.ok else "Something that was reproduced no longer is"
    return page_header(escape(document.title), about, f"{headline(reproduction)} {kept}.", ok=reproduction.ok)


def _blocks(anchor: str, title: str, inner: str) -> str:
    return page_section(anchor, title, f'<div class="blocks">\n{inner}</div>\n')


def _verdicts(reproduction: Reproduction) -> str:
    """How many numbers have which verdict, by group and reading."""
    rows = [tuple(map(str, row[1:])) for row in reading_rows(reproduction)]
    heads = ("place", "reading", "rests on", *map(str, PrintVerdict))
    meanings = (
        f"marks: {MARKS}; in brackets where fitted",
        "reproduced: within the digits of the print; agrees: within the tolerance stated with the group; deviates: by "
        "more; not determined: the text lacks what would be needed",
        "fitted: it rests on an input that was chosen with the print in view, so that agreement proves nothing",
    )
    table = plain_table("", heads, rows, range(3, len(heads)))
    inputs = [(entry.name, entry.what, entry.to) for entry in reproduction.document.fitted]
    fitted = plain_table("", ("fitted input", "what it is", "chosen to meet"), inputs) if inputs else ""
    return page_section("verdicts", "Verdicts", f"{notes_list(meanings)}{table}{fitted}")


def _group(reproduction: Reproduction, group: Group, drawn: Sequence[Drawing]) -> str:
    """A group of numbers: the table, its figures, what its readings are, why it deviates, and its command."""
    table = group_table(reproduction, group)
    lines = [f"command: {_command(reproduction, group)}", f"tolerance: {_tolerance(group)}"]
    figures = figure_elements(drawn, group.id)
    title = f"{group.place}: {group.what}"
    words = "".join(table_element("in words", words.texts()) for words in word_tables(reproduction, group))
    shown = table_element(group.unit and f"in {group.unit}", table.texts(), table.note)
    inner = f"{shown}{words}{figures}{_readings(reproduction, group)}{notes_list(lines)}"
    return page_section(f"group-{group.id}", title[:1].upper() + title[1:], inner)


def _tolerance(group: Group) -> str:
    """The tolerance of a group with its unit: a share, points of a percentage, or an amount."""
    if "%" in group.tolerance:
        return group.tolerance
    unit = "point" if group.unit == "%" else group.unit
    return f"{group.tolerance} {unit}".strip()


def _command(reproduction: Reproduction, group: Group) -> str:
    """The command of a group, and which of its numbers that prints."""
    if not group.command:
        return f"parapick reproduce {reproduction.document.key} --json"
    numbers = [f"{_listed(names, group)} in the reading '{reading}'" for reading, names in group.gives.items()]
    return f"parapick {group.command}, which gives {'; '.join(numbers)}"


def _listed(names: Sequence[str], group: Group) -> str:
    whole = len(names) == sum(number.numeric for number in group.printed_numbers.values())
    return "every number" if whole and len(names) > 1 else " and ".join(f"'{name}'" for name in names)


def _readings(reproduction: Reproduction, group: Group) -> str:
    """What each reading is, and why its numbers deviate."""
    rows = []
    for reading, meaning in group.readings.items():
        outcomes = [entry for entry in reproduction.outcomes if entry.group is group and entry.reading == reading]
        reasons = dict.fromkeys(reason for outcome in outcomes if (reason := reason_of(outcome)))
        fitted = reproduction.document.fitted_among({name for outcome in outcomes for name in outcome.rests_on})
        rows.append((reading, meaning, ", ".join(fitted) or "-", "; ".join(reasons) or "-"))
    return plain_table("", ("reading", "what it is", "fitted inputs", "why it is not reproduced"), rows)


def _findings(reproduction: Reproduction) -> str:
    """What the document did not say; nothing where nothing was found."""
    document = reproduction.document
    rows = [(entry.title, power_text(document.finding_text(entry))) for entry in document.findings]
    table = plain_table("", ("finding", "with numbers"), rows)
    return page_section("findings", "What the document did not say", table) if rows else ""


def _errata(reproduction: Reproduction) -> str:
    rows = [
        (entry.id, entry.kind, entry.place, entry.printed, entry.corrected, power_text(entry.evidence))
        for entry in reproduction.document.errata
    ]
    wrong = sorted({number.erratum.id for number in reproduction.wrong})
    outcome = f"not as stated: {', '.join(wrong)}" if wrong else "they came out as stated"
    note = f"{len(reproduction.evidence)} numbers of the evidence were computed again; {outcome}"
    table = plain_table("", ("id", "kind", "place", "printed", "corrected", "evidence"), rows)
    return page_section("errata", "Errata", f"{notes_list([note])}{table}")


def _choices(reproduction: Reproduction) -> str:
    document = reproduction.document
    rows = [(entry.subject, entry.value, entry.reason) for entry in document.choices]
    chosen = plain_table("", ("what the text leaves open", "chosen", "why"), rows)
    left = notes_list(document.not_reproducible)
    return page_section("choices", "Free choices", chosen) + page_section("open", "What cannot be reproduced", left)
