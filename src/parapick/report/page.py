"""Pieces of an HTML page: tables, findings and notes. Whatever comes from a file or a robot is text, never markup."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from parapick.evaluation.answer import Cell, Finding, Table
from parapick.evaluation.words import amount, percent, pose_text, shown
from parapick.report.canvas import unit_text

__all__ = ["cell_text", "findings_table", "is_wide", "notes_list", "plain_table", "table_element"]


def cell_text(value: Cell, unit: str = "") -> str:
    """A cell as text: four digits, yes and no, a dash for nothing.

    Args:
        value: the cell (SI).
        unit: its SI unit; lengths are shown in millimetres and angles in degrees.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if not math.isfinite(value):
            return "unbounded"
        number = value * shown(unit)[1]
        if unit in ("m", "rad") and abs(number) < _NOTHING:
            number = 0.0
        text = f"{number:.0f}" if 1000.0 <= abs(number) < 1e15 else f"{number:.4g}"
        # A rounded -0 is a plain 0.
        return (text.removeprefix("-") if not text.strip("-0.") else text).replace("-", "\u2212")
    return str(value)


_WIDE: Final = 58
"""Letters in a row of a table that fit into half the width of a page."""

_GAP: Final = 2
"""Letters that the space between two columns takes."""

_NOTHING: Final = 5e-7
"""Millimetres or degrees below which a slack is rounding, and shown as 0."""


def plain_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table of texts.

    Args:
        title: its caption; none if empty.
        heads: column heads.
        rows: texts.
        numbers: columns that stand to the right.
    """
    right = set(numbers)
    kinds = [' class="number"' if i in right else "" for i in range(len(heads))]
    head = "".join(f'<th scope="col"{kind}>{escape(text)}</th>' for text, kind in zip(heads, kinds, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{kind}>{escape(text)}</td>' for text, kind in zip(row, kinds, strict=True))}</tr>\n"
        for row in rows
    )
    caption = f"<caption>{escape(_sentence(title))}</caption>" if title else ""
    # The table scrolls by itself on a narrow screen; a keyboard can reach it to do so.
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(title or heads[0])}"><table>{caption}'
        f"<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>\n"
    )


def is_wide(table: Table) -> bool:
    """Whether a table takes the whole width of a page.

    Args:
        table: the table.
    """
    heads, rows, _ = _texts(table)
    return sum(_GAP + max(map(len, column)) for column in zip(heads, *rows, strict=True)) > _WIDE


def table_element(table: Table) -> str:
    """A table of an evaluation, with its note.

    A column beside one with the head "unit" is in the unit that each row gives.

    Args:
        table: the table.
    """
    heads, rows, numbers = _texts(table)
    note = f'<p class="note">{escape(_sentence(table.note))}</p>\n' if table.note else ""
    return f'<div class="table">{plain_table(table.title, heads, rows, numbers)}{note}</div>\n'


def _texts(table: Table) -> tuple[list[str], list[list[str]], list[int]]:
    """Heads and cells as text, and which columns are numbers."""
    beside = table.heads.index("unit") - 1 if "unit" in table.heads[1:] else None
    names = zip(table.heads, table.units, strict=True)
    heads = [f"{head} ({unit_text(shown(unit)[0])})" if unit else head for head, unit in names]
    numbers = [i for i in range(len(heads)) if not any(isinstance(row[i], (str, bool)) for row in table.rows)]
    rows = []
    for row in table.rows:
        units = list(table.units)
        cells = list(row)
        if beside is not None and isinstance(row[beside], float):
            units[beside] = str(row[beside + 1] or "")
            cells[beside + 1] = unit_text(shown(units[beside])[0])
        rows.append([cell_text(cell, unit) for cell, unit in zip(cells, units, strict=True)])
    return heads, rows, numbers


def findings_table(findings: Sequence[Finding]) -> str:
    """Every requirement with its worst value, its limit, how much of it is used, and where.

    Args:
        findings: the requirements.
    """
    rows = "".join(_finding_row(finding) for finding in findings)
    heads = ("requirement", "worst", "limit", "used", "kept", "where")
    head = "".join(f'<th scope="col"{_side(i)}>{text}</th>' for i, text in enumerate(heads))
    return (
        '<div class="scroll" tabindex="0" role="group" aria-label="Requirements"><table class="findings">'
        f"<caption>Requirements</caption><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )


def _finding_row(finding: Finding) -> str:
    bound = "at least " if finding.floor else "at most "
    limit = "–" if finding.limit is None else bound + amount(finding.limit, finding.unit)
    place = finding.place
    where = "" if place is None else f"{place.time:.4g} s, {pose_text(place.pose)}"
    if place is not None and place.motor:
        where = f"{'leg' if finding.floor else 'motor'} {place.motor}, {where}"
    texts = (finding.name, amount(abs(finding.value) if not finding.floor else finding.value, finding.unit), limit)
    cells = "".join(f"<td{_side(i)}>{escape(text)}</td>" for i, text in enumerate(texts))
    mark = '<td class="kept">yes</td>' if finding.ok else '<td class="broken">no</td>'
    return f"<tr>{cells}<td>{_use_bar(finding)}</td>{mark}<td>{escape(where)}</td></tr>\n"


def _side(column: int) -> str:
    return ' class="number"' if column in (1, 2) else ""


def _use_bar(finding: Finding) -> str:
    """How much of a limit is used, as a bar and in percent."""
    if finding.use is None or not math.isfinite(finding.use):
        return ""
    width = min(100.0, 100.0 * finding.use)
    kind = "" if finding.ok else " over"
    bar = f'<span class="bar{kind}" aria-hidden="true"><span style="width:{width:.0f}%"></span></span>'
    return f"{bar} {percent(finding.use)}"


def notes_list(notes: Sequence[str]) -> str:
    """Sentences as a list; nothing where there are none.

    Args:
        notes: the sentences.
    """
    items = "".join(f"<li>{escape(_sentence(note))}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>\n' if items else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
