"""A table as bars: what would improve the robot most, a bar a row and a colour a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.answer import Answer, Table
from parapick.evaluation import Evaluation
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.plot import Area, Item, Panel, upright

_ROWS: Final = 14
"""Most rows that are drawn: those with the longest bars."""

_SEEN: Final = 2e-3
"""A bar that is shorter than this share of the longest is not seen."""

_THICK: Final = 0.76
"""Height of a row's bars together."""


def bars_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw the first table of a section that has a name and numbers of one unit a row; None where there is none.

    Args:
        evaluation: what the section is of.
        section: whose tables.
    """
    for table in section.tables:
        columns = _columns(table)
        if columns:
            panel = table_panel(table)
            caption = f"{section.title}: {table.title}, for {evaluation.model.robot.name}"
            return None if panel is None else Drawing(caption, (panel,))
    return None


def table_panel(table: Table) -> Panel | None:
    """A table of names and numbers of one unit as bars; None where it is none, or no bar is seen."""
    columns = _columns(table)
    return _panel(table, columns) if columns else None


def _columns(table: Table) -> list[int]:
    """Columns of numbers that share the unit of the last one, if rows have a name and any number."""
    if not table.rows or not isinstance(table.rows[0][0], str):
        return []
    numbers = [i for i in range(1, len(table.columns)) if any(isinstance(row[i], float) for row in table.rows)]
    return [i for i in numbers if table.columns[i].unit == table.columns[numbers[-1]].unit]


def _panel(table: Table, columns: Sequence[int]) -> Panel | None:
    values = np.nan_to_num(np.array([[_number(row[i]) for i in columns] for row in table.rows]))
    longest = np.abs(values).max(axis=1)
    order = [int(i) for i in np.argsort(-longest, kind="stable")[:_ROWS] if longest[i] > _SEEN * longest.max()]
    if not order:
        return None
    thick = _THICK / len(columns)
    items: list[Item] = []
    for place, row in enumerate(order):
        for k, column in enumerate(columns):
            top = -place + _THICK / 2 - k * thick
            ends = np.array([0.0, values[row, k]])
            items.append(Area(ends, np.full(2, top - thick), np.full(2, top), hue(k), table.names[column]))
    items.append(upright(0.0, COLOURS["black"]))
    low, high = min(0.0, float(values[order].min())), max(0.0, float(values[order].max()))
    unit = table.columns[columns[-1]].unit
    room = 0.04 * (high - low)
    return Panel(
        f"{table.title} ({unit})" if unit else table.title,
        tuple(items),
        (low - room, high + room),
        (0.5 - len(order), 0.5),
        xlabel="",
        names={-float(place): _name(table, row) for place, row in enumerate(order)},
    )


def _name(table: Table, row: int) -> str:
    """Texts of a row, without its unit."""
    cells = zip(table.names, table.rows[row], strict=True)
    return ", ".join(cell for head, cell in cells if isinstance(cell, str) and cell and head != "unit")


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, (int, float)) and not isinstance(cell, bool) else np.nan
