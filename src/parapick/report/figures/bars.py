"""A table as bars: what would improve the robot most, a bar a row and a colour a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Table
from parapick.evaluation.evaluation import Evaluation
from parapick.report.canvas import COLOURS, hue, new_figure
from parapick.report.figures.drawing import WIDTH, Drawing

_ROWS: Final = 14
"""Most rows that are drawn: those with the longest bars."""

_SEEN: Final = 2e-3
"""A bar that is shorter than this share of the longest is not seen."""

_LETTER: Final = 0.075
_LEFT_MAX: Final = 2.6
_RIGHT, _BOTTOM, _TOP, _EACH = 0.16, 0.46, 0.5, 0.26
"""Width of a letter of a row's name, most room for names, margins, and height of a row (inches)."""


def bars_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw the first table of a section that has a name and numbers of one unit a row; None where there is none.

    Args:
        evaluation: what the section is of.
        section: whose tables.
    """
    for table in section.tables:
        columns = _columns(table)
        if columns:
            return _drawn(evaluation, section, table, columns)
    return None


def _columns(table: Table) -> list[int]:
    """Columns of numbers that share the unit of the last one, if rows have a name and any number."""
    if not table.rows or not isinstance(table.rows[0][0], str):
        return []
    numbers = [i for i in range(1, len(table.columns)) if any(isinstance(row[i], float) for row in table.rows)]
    return [i for i in numbers if table.columns[i].unit == table.columns[numbers[-1]].unit]


def _drawn(evaluation: Evaluation, section: Answer, table: Table, columns: Sequence[int]) -> Drawing | None:
    values = np.array([[_number(row[i]) for i in columns] for row in table.rows])
    longest = np.nanmax(np.abs(np.nan_to_num(values)), axis=1)
    order = [int(i) for i in np.argsort(-longest, kind="stable")[:_ROWS] if longest[i] > _SEEN * longest.max()]
    if not order:
        return None
    names = [_name(table, i) for i in order]
    left = min(_LEFT_MAX, 0.2 + _LETTER * max(map(len, names)))
    total = _TOP + _EACH * len(order) + _BOTTOM
    figure = new_figure(WIDTH, total)
    figure.set_layout_engine("none")
    box = (left / WIDTH, _BOTTOM / total, (WIDTH - left - _RIGHT) / WIDTH, _EACH * len(order) / total)
    panel: Any = figure.add_axes(box)
    thick = 0.76 / len(columns)
    for k, column in enumerate(columns):
        places = np.arange(len(order)) + (k - (len(columns) - 1) / 2) * thick
        panel.barh(places, values[order, k], thick, color=hue(k), label=table.names[column])
    panel.axvline(0.0, color=COLOURS["black"], linewidth=0.8)
    panel.set_yticks(np.arange(len(order)), names)
    panel.set_ylim(len(order) - 0.5, -0.5)
    panel.grid(visible=False, axis="y")
    unit = table.columns[columns[-1]].unit
    panel.set_xlabel(unit if len(columns) > 1 and unit else f"{table.names[columns[-1]]} ({unit})" if unit else "")
    figure.legend(
        loc="upper left",
        bbox_to_anchor=(0.02, 1.0 - 0.24 / total),
        ncols=len(columns),
        frameon=False,
        fontsize=7.5,
        borderaxespad=0.0,
        borderpad=0.0,
    )
    figure.text(0.02, 1.0 - 0.06 / total, table.title, ha="left", va="top", fontsize=9, fontweight="bold")
    return Drawing(figure, f"{section.title}: {table.title}, for {evaluation.model.robot.name}")


def _name(table: Table, row: int) -> str:
    """Texts of a row, without its unit."""
    cells = zip(table.names, table.rows[row], strict=True)
    return ", ".join(cell for head, cell in cells if isinstance(cell, str) and cell and head != "unit")


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, (int, float)) and not isinstance(cell, bool) else np.nan
