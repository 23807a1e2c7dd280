"""Any quantities along the task: a panel a series, with its limits and the phases of the motion.

A section whose series have no figure of their own is drawn by this one, so a new section needs nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Series
from parapick.answer.words import shown
from parapick.evaluation.evaluation import Evaluation
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.panels import (
    draw_limits,
    finish_panel,
    legend_rows,
    limit_labels,
    mark_phases,
    time_panels,
)

_PANELS: Final = 4
"""Most panels in one figure, so that it fits on a printed page beside its tables."""

_CURVES: Final = 8
"""More curves cannot be told apart: of these, only the range and the largest are drawn."""


def series_figures(evaluation: Evaluation, section: Answer, series: Sequence[Series]) -> list[Drawing]:
    """Figures of all these series, a few panels each.

    Args:
        evaluation: what the section is of.
        section: whose series they are.
        series: the series.
    """
    kept = [one for one in series if np.isfinite(one.values).any()]
    return [_figure(evaluation, section, kept[i : i + _PANELS]) for i in range(0, len(kept), _PANELS)]


def _figure(evaluation: Evaluation, section: Answer, series: Sequence[Series]) -> Drawing:
    entries = [_entries(one) for one in series]
    layout = [legend_rows(labels) for labels in entries]
    titles = [one.name for one in series]
    figure, panels = time_panels(titles, [rows for rows, _ in layout])
    for panel, one, (rows, columns) in zip(panels, series, layout, strict=True):
        unit, factor = shown(one.unit)
        _curves(panel, one, factor)
        limits = {name: factor * limit for name, limit in one.limits.items()}
        draw_limits(panel, factor * one.values, limits, unit, rows)
        finish_panel(panel, unit, columns)
    end = max(float(one.t[-1]) for one in series)
    motion = evaluation.motion
    # A section may look at another timing of the task, which has no phases of its own.
    phases = motion.phases if motion is not None and np.isclose(end, motion.duration) else ()
    mark_phases(figure, panels, phases, end)
    return Drawing(figure, f"{section.title}: {', '.join(titles)} over time")


def _entries(series: Series) -> list[str]:
    """What the legend will say."""
    labels = list(series.labels) if _named(series) else []
    if len(labels) > _CURVES:
        labels = ["smallest to largest", "largest in size"]
    unit, factor = shown(series.unit)
    limits = {name: factor * limit for name, limit in series.limits.items()}
    near, _ = limit_labels(factor * series.values, limits, unit)
    return [*labels, *near.values()]


def _named(series: Series) -> bool:
    """Whether curves need names: one alone is named by the title."""
    return len(series.labels) > 1


def _curves(panel: Any, series: Series, factor: float) -> None:
    values = factor * series.values
    count = values.shape[1]
    if count > _CURVES:
        low, high = np.nanmin(values, axis=1), np.nanmax(values, axis=1)
        panel.fill_between(
            series.t, low, high, color=COLOURS["sky"], alpha=0.5, linewidth=0, label="smallest to largest"
        )
        panel.plot(series.t, np.where(-low > high, low, high), color=COLOURS["blue"], label="largest in size")
        return
    for i, label in enumerate(series.labels):
        # Widths fall and styles change, so that curves that lie on each other, as of mirrored motors, are all seen.
        width = 2.4 - 1.3 * i / max(count - 1, 1)
        panel.plot(
            series.t,
            values[:, i],
            "--" if i % 2 else "-",
            color=hue(i),
            linewidth=width if count > 1 else 1.6,
            label=label if _named(series) else None,
        )
