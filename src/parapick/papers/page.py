"""A document as a page: verdicts, every number in every reading with its command, figures, errata, what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import import_module
from pathlib import Path

from parapick import __version__
from parapick.answer.page import notes_list, plain_table, table_element
from parapick.answer.words import power_text
from parapick.files import write_text
from parapick.papers.headline import headline
from parapick.papers.printed import Group
from parapick.papers.reproduction import Reproduction, Told
from parapick.papers.reproduction_answer import MARKS, group_table, reading_rows, reason_of, word_tables
from parapick.papers.verdict import PrintVerdict
from parapick.report.document import document as html_document
from parapick.report.figures import Drawing, figure_element


def write_pages(found: Sequence[Reproduction], folder: str | Path, told: Told | None = None) -> dict[str, Path]:
    """Write the page of every document into a folder; where each is, by key.

    Args:
        found: the documents, computed.
        folder: where to put them; made if it does not exist.
        told: called with what is being drawn.

    Raises:
        ParapickError: a page cannot be written.
    """
    pages = {}
    for one in found:
        key = one.document.key
        if told is not None:
            told(f"{key}, drawing")
        pages[key] = Path(folder) / f"{key}.html"
        write_text(pages[key], document_page(one), folders=True)
    return pages


def drawings(found: Reproduction) -> dict[str, list[Drawing]]:
    """The figures of a document by the group of numbers that they stand beside.

    Args:
        found: the document, computed.
    """
    module = import_module(f"parapick.papers.{found.document.key}_figures")
    return {group: [make(found.setup) for make in makers] for group, makers in module.FIGURES.items()}


def document_page(found: Reproduction) -> str:
    """The page of a document as HTML.

    Args:
        found: the document, computed.
    """
    document = found.document
    drawn = drawings(found)
    groups = "".join(_group(found, group, drawn.pop(group.id, [])) for group in document.numbers)
    rest = "".join(_figures(name, own) for name, own in drawn.items())
    further = "".join(table_element(table.title, table.texts(), table.note) for table in found.tables)
    main = (
        f"{_verdicts(found)}{groups}"
        f"{_section('further', 'Further numbers and figures', further + rest) if further or rest else ''}"
        f"{_findings(found)}{_errata(found)}{_choices(found)}"
    )
    foot = f"<footer>Made by parapick {escape(__version__)}: parapick reproduce {document.key}.</footer>\n"
    return html_document(escape(document.title), f"{_head(found)}<main>\n{main}</main>\n{foot}")


def _head(found: Reproduction) -> str:
    document = found.document
    print_ = ", ".join(filter(None, (document.venue, str(document.year or ""))))
    about = "".join(f'<p class="about">{escape(text)}</p>\n' for text in (", ".join(document.authors), print_) if text)
    kept = "All that was reproduced still is" if found.ok else "Something that was reproduced no longer is"
    kind = "yes" if found.ok else "no"
    return (
        f"<header>\n<h1>{escape(document.title)}</h1>\n{about}"
        f'<p class="verdict {kind}" role="status">{escape(f"{headline(found)} {kept}.")}</p>\n</header>\n'
    )


def _section(anchor: str, title: str, inner: str) -> str:
    return f'<section id="{anchor}">\n<h2>{escape(title)}</h2>\n<div class="blocks">\n{inner}</div>\n</section>\n'


def _verdicts(found: Reproduction) -> str:
    """How many numbers have which verdict, by group and reading."""
    rows = [tuple(map(str, row[1:])) for row in reading_rows(found)]
    heads = ("place", "reading", "rests on", *map(str, PrintVerdict))
    meanings = (
        f"marks: {MARKS}; in brackets where fitted",
        "reproduced: within the digits of the print; agrees: within the tolerance stated with the group; deviates: by "
        "more; not determined: the text lacks what would be needed",
        "fitted: it rests on an input that was chosen with the print in view, so that agreement is no test",
    )
    table = plain_table("", heads, rows, range(3, len(heads)))
    inputs = [(entry.name, entry.what, entry.to) for entry in found.document.fitted]
    fitted = plain_table("", ("fitted input", "what it is", "chosen to meet"), inputs) if inputs else ""
    return f'<section id="verdicts">\n<h2>Verdicts</h2>\n{notes_list(meanings)}{table}{fitted}</section>\n'


def _group(found: Reproduction, group: Group, drawn: Sequence[Drawing]) -> str:
    """A group of numbers: the table, its figures, what its readings are, why it deviates, and its command."""
    table = group_table(found, group)
    unit = "" if "%" in group.tolerance else "point" if group.unit == "%" else group.unit
    tolerance = f"{group.tolerance} {unit}".strip()
    lines = [f"command: {_command(found, group)}", f"tolerance: {tolerance}"]
    figures = "".join(figure_element(one, f"{group.id}-{number}") for number, one in enumerate(drawn))
    title = f"{group.place}: {group.what}"
    words = "".join(table_element("in words", own.texts()) for own in word_tables(found, group))
    return (
        f'<section id="group-{group.id}">\n<h2>{escape(title[:1].upper() + title[1:])}</h2>\n'
        f"{table_element(group.unit and f'in {group.unit}', table.texts(), table.note)}{words}{figures}"
        f"{_readings(found, group)}{notes_list(lines)}</section>\n"
    )


def _command(found: Reproduction, group: Group) -> str:
    """The command of a group, and which of its numbers that prints."""
    if not group.command:
        return f"parapick reproduce {found.document.key} --json"
    given = [f"{_listed(names, group)} in the reading '{reading}'" for reading, names in group.gives.items()]
    return f"parapick {group.command}, which gives {'; '.join(given)}"


def _listed(names: Sequence[str], group: Group) -> str:
    whole = len(names) == sum(number.numeric for number in group.stated.values())
    return "every number" if whole and len(names) > 1 else " and ".join(f"'{name}'" for name in names)


def _readings(found: Reproduction, group: Group) -> str:
    """What each reading is, and why its numbers deviate."""
    rows = []
    for reading, meaning in group.readings.items():
        own = [one for one in found.outcomes if one.group is group and one.reading == reading]
        reasons = dict.fromkeys(reason for one in own if (reason := reason_of(one)))
        fitted = found.document.fitted_among({name for one in own for name in one.rests_on})
        rows.append((reading, meaning, ", ".join(fitted) or "-", "; ".join(reasons) or "-"))
    return plain_table("", ("reading", "what it is", "fitted inputs", "why it is not reproduced"), rows)


def _figures(name: str, drawn: Sequence[Drawing]) -> str:
    return "".join(figure_element(one, f"{name}-{number}") for number, one in enumerate(drawn))


def _findings(found: Reproduction) -> str:
    """What the document did not say; nothing where nothing was found."""
    rows = [(entry.title, power_text(found.document.found(entry))) for entry in found.document.findings]
    table = plain_table("", ("finding", "with numbers"), rows)
    return f'<section id="findings">\n<h2>What the document did not say</h2>\n{table}</section>\n' if rows else ""


def _errata(found: Reproduction) -> str:
    rows = [
        (entry.id, entry.kind, entry.place, entry.printed, entry.corrected, power_text(entry.evidence))
        for entry in found.document.errata
    ]
    wrong = {one.erratum.id for one in found.wrong}
    stated = f"{len(found.evidence)} numbers of the evidence were computed again"
    said = f"{stated}; they came out as stated" if not wrong else f"{stated}; not as stated: {', '.join(sorted(wrong))}"
    table = plain_table("", ("id", "kind", "place", "printed", "corrected", "evidence"), rows)
    return f'<section id="errata">\n<h2>Errata</h2>\n{notes_list([said])}{table}</section>\n'


def _choices(found: Reproduction) -> str:
    document = found.document
    rows = [(entry.subject, entry.value, entry.reason) for entry in document.choices]
    chosen = plain_table("", ("what the text leaves open", "chosen", "why"), rows)
    return (
        f'<section id="choices">\n<h2>Free choices</h2>\n{chosen}</section>\n'
        f'<section id="open">\n<h2>What cannot be reproduced</h2>\n{notes_list(document.not_reproducible)}</section>\n'
    )
