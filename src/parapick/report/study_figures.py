"""Figures of a study: its front, its objective against every free number, and its sensitivities."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.answer import Table, display_unit, unit_text
from parapick.report.canvas import COLOURS
from parapick.report.figures.bars import table_panel
from parapick.report.figures.drawing import Drawing
from parapick.report.plot import Curve, Item, Marks, Panel, around
from parapick.search import Free
from parapick.study import STUDY_MEASURES, StudyRows

DOTS: Final = 1500
"""Most designs that a panel shows: the best ones; more would be one blot, and a page of megabytes."""

NUMBERS: Final = 8
"""Most free numbers that have a panel."""


def front_drawing(study_rows: StudyRows) -> Drawing:
    """The front of the first two objectives before the other designs.

    Args:
        study_rows: the rows of a study with two objectives or more.
    """
    first, second = study_rows.study.file.objectives[:2]
    xlabel, x = _measure(study_rows, first)
    title, y = _measure(study_rows, second)
    front, others = study_rows.front, _shown_rows(study_rows)
    # Of three objectives the front is no line.
    line = [Curve(x[front], y[front], COLOURS["blue"], 1.5)] if len(study_rows.study.file.objectives) == 2 else []
    near = others[_within(x[others], _ends(x[front])) & _within(y[others], _ends(y[front]))]
    items: tuple[Item, ...] = (
        Marks(x[near], y[near], COLOURS["grey"], size=3.5, label="designs that keep every requirement"),
        *line,
        Marks(x[front], y[front], COLOURS["blue"], size=7.0, label="front"),
    )
    # As much again as the front is wide and high; what is much worse would make a dot of it.
    panel = Panel(title, items, _ends(x[front]), _ends(y[front]), xlabel=xlabel)
    return Drawing(f"The front of {first} and {second}", (panel,))


def numbers_drawing(study_rows: StudyRows, best: int) -> Drawing | None:
    """The first objective against every free number, the best design marked; None where all are choices.

    Args:
        study_rows: the rows of a study.
        best: the row of the best design.
    """
    goal = study_rows.study.file.objectives[0]
    every = enumerate(study_rows.study.space.free)
    free = [(i, number) for i, number in every if number.high > number.low and not number.options][:NUMBERS]
    panels = tuple(_number_panel(study_rows, i, number, best) for i, number in free)
    caption = f"{goal} against the free numbers: the best designs, and in red the best of all"
    return Drawing(caption, panels) if panels else None


def _number_panel(study_rows: StudyRows, index: int, free: Free, best: int) -> Panel:
    title, y = _measure(study_rows, study_rows.study.file.objectives[0])
    unit, factor = display_unit(free.unit)
    x, rows = study_rows.designs[:, index] * factor, _shown_rows(study_rows)
    items: tuple[Item, ...] = (
        Marks(x[rows], y[rows], COLOURS["grey"], size=3.5),
        Marks(x[[best]], y[[best]], COLOURS["red"], size=9.0),
    )
    label = f"{free.path} ({unit_text(unit)})" if unit else free.path
    room = 0.02 * (free.high - free.low)
    ends = (free.low - room) * factor, (free.high + room) * factor
    return Panel(title, items, ends, around(items), xlabel=label)


def slopes_drawing(table: Table) -> Drawing | None:
    """The sensitivities as bars; None where none is seen.

    Args:
        table: the table "slopes" of a study's answer.
    """
    panel = table_panel(table)
    return None if panel is None else Drawing(f"Sensitivities: {table.title}", (panel,))


def _measure(study_rows: StudyRows, name: str) -> tuple[str, np.ndarray]:
    """A measure with its unit in words, and its values in that unit."""
    unit, factor = display_unit(STUDY_MEASURES[name].unit_of(study_rows.study.space.robot))
    return f"{name} ({unit_text(unit)})" if unit else name, study_rows.rows[name] * factor


def _shown_rows(study_rows: StudyRows) -> np.ndarray:
    """The best feasible designs by the first objective, as many as a panel shows."""
    rows = np.flatnonzero(study_rows.feasible)
    return rows[np.argsort(study_rows.costs[rows, 0], kind="stable")[:DOTS]]


def _ends(values: np.ndarray) -> tuple[float, float]:
    """Ends of an axis around a front, with half as much again on either side."""
    low, high = float(values.min()), float(values.max())
    room = 0.5 * (high - low) or 0.05 * abs(high) or 1.0
    return low - room, high + room


def _within(values: np.ndarray, ends: tuple[float, float]) -> np.ndarray:
    return (values >= ends[0]) & (values <= ends[1])
