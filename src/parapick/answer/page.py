"""Pieces of an HTML page: tables, findings and notes. Whatever comes from a file or a robot is text, never markup."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from parapick.answer.requirement import Requirement
from parapick.answer.texts import Texts
from parapick.answer.words import amount, percent, pose_text, power_text, unit_text

_SMALL: Final = 1e-5
"""A lower bound of a pure number below this says that it must not vanish."""

_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
"""An option of the command line."""

_SHORT: Final = 24
"""Letters up to which texts of a column are not broken into lines."""


def plain_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table of texts.

    Args:
        title: its caption; none if empty.
        heads: column heads; no line of heads if all are empty.
        rows: texts.
        numbers: columns that stand to the right.
    """
    right = set(numbers)
    rows = list(rows)
    longest = [max((len(row[i]) for row in rows), default=0) for i in range(len(heads))]
    kinds = [
        ' class="number"' if i in right else ' class="short"' if longest[i] <= _SHORT else "" for i in range(len(heads))
    ]
    head = "".join(f'<th scope="col"{kind}>{escape(text)}</th>' for text, kind in zip(heads, kinds, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{kind}>{escape(text)}</td>' for text, kind in zip(row, kinds, strict=True))}</tr>\n"
        for row in rows
    )
    caption = f"<caption>{escape(_sentence(title))}</caption>" if title else ""
    header = f"<thead><tr>{head}</tr></thead>" if any(heads) else ""
    # The table scrolls by itself on a narrow screen; a keyboard can reach it to do so.
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(title or heads[0])}"><table>{caption}'
        f"{header}<tbody>\n{body}</tbody></table></div>\n"
    )


def table_element(title: str, texts: Texts, note: str = "") -> str:
    """A table of an answer, with its note.

    Args:
        title: its caption.
        texts: the table as text.
        note: what a reader must know to read it.
    """
    typeset = [_TYPESET.get(head, _number if i in texts.numbers else str) for i, head in enumerate(texts.heads)]
    rows = [[form(text) for form, text in zip(typeset, row, strict=True)] for row in texts.rows]
    table = plain_table(title, [unit_text(head) for head in texts.heads], rows, texts.numbers)
    below = f'<p class="note">{escape(_sentence(note))}</p>\n' if note else ""
    return f'<div class="table">{table}{below}</div>\n'


def _number(number: str) -> str:
    """A number as on a printed page: a dash for nothing, a minus that is as wide as a plus, raised powers."""
    return "\u2013" if number == "-" else power_text(number).replace("-", "\u2212")


_TYPESET: Final = {"unit": unit_text, "quantity": unit_text}
"""How the cells of columns of these names are set."""


def findings_table(findings: Sequence[Requirement]) -> str:
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


def _finding_row(finding: Requirement) -> str:
    bound = "at least " if finding.floor else "at most "
    limit = "–" if finding.limit is None else bound + amount(finding.limit, finding.unit)
    if finding.floor and not finding.unit and finding.limit is not None and finding.limit < _SMALL:
        limit = "above 0"
    place = finding.place
    when = ("over the cycle" if finding.motor else "",)
    if place is not None:
        when = (f"{place.time:.4g} s", pose_text(place.pose))
    where = ", ".join(filter(None, (finding.whose, *when)))
    value = finding.value if finding.floor else abs(finding.value)
    texts = (finding.title, power_text(amount(value, finding.unit)), power_text(limit))
    cells = "".join(f"<td{_side(i)}>{escape(text)}</td>" for i, text in enumerate(texts))
    if finding.reading:
        cells = f'<td>{escape(finding.title)}</td><td colspan="2">{escape(finding.reading)}</td>'
    mark = '<td class="kept">yes</td>' if finding.ok else '<td class="broken">no</td>'
    return f"<tr>{cells}<td>{_use_bar(finding)}</td>{mark}<td>{escape(where)}</td></tr>\n"


def _side(column: int) -> str:
    return ' class="number"' if column in (1, 2) else ""


def _use_bar(finding: Requirement) -> str:
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
    items = "".join(f"<li>{_with_options(unit_text(_sentence(note)))}</li>" for note in notes)
    return f'<ul class="notes">{items}</ul>\n' if items else ""


def _with_options(text: str) -> str:
    """A sentence as markup; options of the command line in it stay on one line, for lines may end behind a hyphen."""
    return _OPTION.sub(r'<span class="option">\g<0></span>', escape(text))


def _sentence(text: str) -> str:
    """A text with a capital letter, unless it begins with a name and a colon."""
    return text if text.partition(" ")[0].endswith(":") else text[:1].upper() + text[1:]
