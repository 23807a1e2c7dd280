"""The page of a sizing: the best pairs, what holds the best, torque over speed with its curves, every rejected pair."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from parapick.answer import Answer, findings_table, notes_list, table_element
from parapick.files import write_text
from parapick.report.document import FOOT, document, page_header, page_links, page_section
from parapick.report.figures.drawing import Drawing, figure_elements
from parapick.report.figures.plane import plane_figure
from parapick.report.plot.paper import paper_figure
from parapick.report.study_page import long_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.sizing import Sizing

_WIDTH: Final = 11.0
"""Width of the figure of torque over speed (inches)."""


def write_sizing_page(sizing: Sizing, path: str | os.PathLike[str]) -> Path:
    """Write the page of a sizing and say where it is.

    Args:
        sizing: what was found.
        path: the file.

    Raises:
        ParapickError: it cannot be written.
    """
    target = Path(path)
    write_text(target, sizing_html(sizing))
    return target


def sizing_html(sizing: Sizing) -> str:
    """The page of a sizing as an HTML document.

    Args:
        sizing: what was found.
    """
    answer = sizing.answer()
    name = escape(f"Drives of {sizing.task.robot.name} for {sizing.task.name}")
    sections = list(_sections(sizing, answer))
    links = page_links((anchor, title) for anchor, title, _ in sections)
    about = [*answer.title.split("\n"), *(f"{key}: {text}" for key, text in answer.summary.items())]
    main = "".join(page_section(anchor, title, inner) for anchor, title, inner in sections)
    header = page_header(name, about, answer.first_line, ok=answer.ok)
    return document(name, f"{header}{links}<main>\n{main}</main>\n{FOOT}")


def sizing_figure(sizing: Sizing) -> Figure:
    """Torque over speed of every motor with the best pair, with its curves.

    Args:
        sizing: what was found; a pair does it.
    """
    drawing = _plane(sizing)
    return paper_figure(drawing.panels, _WIDTH, columns=2, title=f"{sizing.best[0].pair.name}, {sizing.task.name}")


def _plane(sizing: Sizing) -> Drawing:
    evaluation = sizing.evaluation
    (section,) = (part for part in evaluation.sections if part.key == "torque")
    drawing = plane_figure(evaluation, section)
    # A robot with masses on a motion that it can follow has torques and speeds.
    assert drawing is not None, "no torques"  # noqa: S101
    return drawing


def _sections(sizing: Sizing, answer: Answer) -> Iterator[tuple[str, str, str]]:
    """Anchor, title and content of every section that has something to show."""
    if sizing.best:
        best = answer.table("best")
        yield "best", "Best pairs", long_table(best) + f"<p>{escape(best.note)}</p>" + notes_list(answer.notes)
        yield "limits", "What holds the best pair", findings_table(answer.findings)
        yield "plane", "Torque over speed", figure_elements([_plane(sizing)], "plane")
    rejected = answer.table("rejected")
    inner = long_table(rejected) if rejected.rows else table_element("every pair does it", rejected.texts())
    yield "rejected", "Rejected pairs", inner
