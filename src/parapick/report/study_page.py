"""The page of a study: what is best, the front, what holds the best design and how it would change, the robots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from parapick.answer import (
    Answer,
    Table,
    amount,
    notes_list,
    plain_table,
    power_text,
    table_element,
    unit_text,
)
from parapick.files import write_text
from parapick.model import Model
from parapick.names import file_name
from parapick.report.document import FOOT, document, page_header, page_links, page_section
from parapick.report.figures.drawing import Drawing, figure_elements
from parapick.report.still import robot_panels
from parapick.report.study_figures import front_drawing, numbers_drawing, slopes_drawing
from parapick.study import StudyRows

if TYPE_CHECKING:
    from parapick.study import Store, Study

ROWS: Final = 12
"""Rows of a long table that are seen at once; the rest is unfolded."""


def write_study_page(study: Study, store: Store, answer: Answer) -> Path:
    """Write the page of a study into its folder and say where it is.

    Args:
        store: its folder.
        answer: what it found (`study_answer`).

    Raises:
        ParapickError: it cannot be written.
    """
    path = store.folder / f"{file_name(study.file.name)}.html"
    write_text(path, study_html(study, store, answer))
    return path


def study_html(study: Study, store: Store, answer: Answer) -> str:
    """The page of a study as an HTML document.

    Args:
        store: its folder.
        answer: what it found (`study_answer`).
    """
    rows = StudyRows.of(study, store)
    name = escape(study.file.title or study.file.name)
    sections = list(_sections(rows, answer))
    links = page_links((anchor, title) for anchor, title, _ in sections)
    main = "".join(page_section(anchor, title, inner) for anchor, title, inner in sections)
    return document(name, f"{_header(rows, answer, name)}{links}<main>\n{main}</main>\n{FOOT}")


def _header(rows: StudyRows, answer: Answer, name: str) -> str:
    file = rows.study.file
    about = [file.description.strip(), f"{rows.study.robot.robot.name}, {answer.data['method']}"]
    about += [f"{key}: {text}" for key, text in answer.summary.items() if not key.startswith("best ")]
    best = ", ".join(f"{key} {text}" for key, text in answer.summary.items() if key.startswith("best "))
    return page_header(name, about, power_text(answer.refusal or best), ok=answer.ok)


def _sections(rows: StudyRows, answer: Answer) -> Iterator[tuple[str, str, str]]:
    """Anchor, title and content of every section that has something to show."""
    tables = {table.name: table for table in answer.tables}
    several = len(rows.study.file.objectives) > 1
    best = rows.front if several else rows.ranked
    if len(best):
        table = tables["front" if several else "best"]
        drawings = [front_drawing(rows) if several else None, numbers_drawing(rows, int(best[0]))]
        yield "best", "Front" if several else "Best designs", long_table(table) + figure_elements(drawings, "best")
        limits = notes_list(answer.notes) + table_element("", tables["limits"].texts())
        yield "limits", "What holds the best design", limits
    if "slopes" in tables:
        figures = figure_elements([slopes_drawing(tables["slopes"])], "slopes")
        yield "slopes", "Sensitivities", table_element(tables["slopes"].title, tables["slopes"].texts()) + figures
    if len(best):
        yield "robots", "Best robots", _robots(rows, answer, int(best[0]))
    if "designs" in tables:
        yield "designs", "All designs", long_table(tables["designs"])
    yield "study", "The study", _asked(rows)


def long_table(table: Table) -> str:
    """A table of which the first rows are seen.

    Args:
        table: the table.
    """
    shown = table.texts()
    head = table_element(table.title, type(shown)(shown.heads, shown.rows[:ROWS], shown.numbers, shown.alarms))
    if len(shown.rows) <= ROWS:
        return head
    whole = table_element("", shown)
    return f'{head}<details class="folded"><summary>All {len(shown.rows)} rows</summary>\n{whole}</details>\n'


def _robots(rows: StudyRows, answer: Answer, best: int) -> str:
    """The files of the best robots, and a picture of the first."""
    files = [Path(str(path)).name for path in _listed(answer.data["robots"])]
    lines = [f"{name}: parapick evaluate {name}" for name in files]
    panels = robot_panels(Model(rows.study.space.robot_of(rows.designs[best])))
    drawing = Drawing("The best robot at its home, from two sides", panels, "still") if panels else None
    return f"{notes_list(lines)}{figure_elements([drawing], 'robot')}"


def _asked(rows: StudyRows) -> str:
    """What was free, and what was required."""
    free = []
    for number in rows.study.space.free:
        ends = f"{amount(number.low, number.unit)} to {amount(number.high, number.unit)}"
        listed = ", ".join(
            str(number.shown(value)) if number.options else amount(value, number.unit) for value in number.values
        )
        free.append((number.path, listed if number.listed else ends))
    required = ["reach: the whole workspace, within every limit"] if rows.study.work.reach else []
    if rows.study.file.tasks:
        left_out = "; ".join(rows.study.work.left_out)
        required.append(f"along the tasks: what evaluate requires{f', without {left_out}' if left_out else ''}")
    for bound in rows.study.work.requirements:
        sides = {"at least": bound.at_least, "at most": bound.at_most}
        unit = rows.study.work.unit_of(bound.name)
        required += [
            f"{bound.name}: {side} {amount(value, unit)}" for side, value in sides.items() if value is not None
        ]
    table = plain_table("free numbers", ("number", "values"), [(name, unit_text(text)) for name, text in free])
    return f"{table}{notes_list(required)}"


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()
