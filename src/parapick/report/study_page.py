"""The page of a study: what is best, the front, what holds the best design and how it would change, the robots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from parapick import __version__
from parapick.answer import Answer, Table
from parapick.answer.page import notes_list, plain_table, table_element
from parapick.answer.words import amount, power_text, unit_text
from parapick.files import write_text
from parapick.model.model import Model
from parapick.names import file_name
from parapick.report.document import document
from parapick.report.figures.drawing import Drawing, figure_element
from parapick.report.still import robot_panels
from parapick.report.study_figures import front_drawing, numbers_drawing, slopes_drawing
from parapick.study.result import StudyRows

if TYPE_CHECKING:
    from parapick.study.reading import Study
    from parapick.study.store import Store

ROWS: Final = 12
"""Rows of a long table that are seen at once; the rest is unfolded."""

_FOOT: Final = (
    f"Made by parapick {escape(__version__)}. Lengths are in millimetres and angles in degrees where a table or an "
    "axis says so; everything else is SI. Torques, forces and speeds of motors are at their shafts."
)


def write_study_page(study: Study, store: Store, answer: Answer) -> Path:
    """Write the page of a study into its folder and say where it is.

    Args:
        study: the study.
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
        study: the study.
        store: its folder.
        answer: what it found (`study_answer`).
    """
    found = StudyRows.of(study, store)
    name = escape(study.file.title or study.file.name)
    sections = list(_sections(found, answer))
    links = "".join(f'<li><a href="#{anchor}">{escape(title)}</a></li>' for anchor, title, _ in sections)
    parts = "".join(
        f'<section id="{anchor}">\n<h2>{escape(title)}</h2>\n{inner}</section>\n' for anchor, title, inner in sections
    )
    body = (
        f'{_head(found, answer, name)}<nav aria-label="Sections"><ul>{links}</ul></nav>\n<main>\n{parts}</main>\n'
        f"<footer>{_FOOT}</footer>\n"
    )
    return document(name, body)


def _head(found: StudyRows, answer: Answer, name: str) -> str:
    file = found.study.file
    about = [file.description.strip(), f"{found.study.robot.robot.name}, {answer.data['method']}"]
    lines = {key: text for key, text in answer.summary.items() if not key.startswith("best ")}
    about += [f"{key}: {text}" for key, text in lines.items()]
    best = ", ".join(f"{key} {text}" for key, text in answer.summary.items() if key.startswith("best "))
    verdict = answer.refusal or best
    paragraphs = "".join(f'<p class="about">{escape(text)}</p>\n' for text in about if text)
    kind, text = "yes" if answer.ok else "no", escape(power_text(verdict))
    return f'<header>\n<h1>{name}</h1>\n{paragraphs}<p class="verdict {kind}" role="status">{text}</p>\n</header>\n'


def _sections(found: StudyRows, answer: Answer) -> Iterator[tuple[str, str, str]]:
    """Anchor, title and content of every section that has something to show."""
    tables = {table.name: table for table in answer.tables}
    several = len(found.study.file.objectives) > 1
    best = found.front if several else found.ranked
    if len(best):
        table = tables["front" if several else "best"]
        drawings = [front_drawing(found) if several else None, numbers_drawing(found, int(best[0]))]
        yield "best", "Front" if several else "Best designs", _long(table) + _figures(drawings, "best")
        limits = notes_list(answer.notes) + table_element("", tables["limits"].texts())
        yield "limits", "What holds the best design", limits
    if "slopes" in tables:
        figures = _figures([slopes_drawing(tables["slopes"])], "slopes")
        yield "slopes", "Sensitivities", table_element(tables["slopes"].title, tables["slopes"].texts()) + figures
    if len(best):
        yield "robots", "Best robots", _robots(found, answer, int(best[0]))
    if "designs" in tables:
        yield "designs", "All designs", _long(tables["designs"])
    yield "study", "The study", _asked(found)


def _figures(drawings: Sequence[Drawing | None], prefix: str) -> str:
    drawn = enumerate(drawing for drawing in drawings if drawing is not None)
    return "".join(figure_element(drawing, f"{prefix}-{number}") for number, drawing in drawn)


def _long(table: Table) -> str:
    """A table of which the first rows are seen."""
    shown = table.texts()
    head = table_element(table.title, type(shown)(shown.heads, shown.rows[:ROWS], shown.numbers, shown.alarms))
    if len(shown.rows) <= ROWS:
        return head
    whole = table_element("", shown)
    return f'{head}<details class="folded"><summary>All {len(shown.rows)} rows</summary>\n{whole}</details>\n'


def _robots(found: StudyRows, answer: Answer, best: int) -> str:
    """The files of the best robots, and a picture of the first."""
    files = [Path(str(path)).name for path in _listed(answer.data["robots"])]
    lines = [f"{name}: parapick evaluate {name}" for name in files]
    panels = robot_panels(Model(found.study.space.robot_of(found.designs[best])))
    drawing = Drawing("The best robot at its home, from two sides", panels, "still") if panels else None
    return f"{notes_list(lines)}{_figures([drawing], 'robot')}"


def _asked(found: StudyRows) -> str:
    """What was free, and what was required."""
    free = []
    for one in found.study.space.free:
        ends = f"{amount(one.low, one.unit)} to {amount(one.high, one.unit)}"
        listed = ", ".join(str(one.shown(value)) if one.options else amount(value, one.unit) for value in one.values)
        free.append((one.path, listed if one.listed else ends))
    required = ["reach: the whole workspace, within every limit"] if found.study.work.reach else []
    if found.study.file.tasks:
        left_out = "; ".join(found.study.work.left_out)
        required.append(f"along the tasks: what evaluate requires{f', without {left_out}' if left_out else ''}")
    for bound in found.study.work.requirements:
        sides = {"at least": bound.at_least, "at most": bound.at_most}
        unit = found.study.work.unit_of(bound.measure)
        required += [
            f"{bound.measure}: {side} {amount(value, unit)}" for side, value in sides.items() if value is not None
        ]
    table = plain_table("free numbers", ("number", "values"), [(name, unit_text(text)) for name, text in free])
    return f"{table}{notes_list(required)}"


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()
