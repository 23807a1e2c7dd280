"""Panels over time, one below the other: sizes in inches, so that nothing needs to be measured or can overlap."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer.words import unit_text
from parapick.motion import Phase
from parapick.report.canvas import COLOURS, new_figure
from parapick.report.figures.drawing import WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IN_VIEW: Final = 2.5
"""A limit that is more times the largest value would leave the curves flat; it is named in the legend only."""

_LEFT, _RIGHT, _BOTTOM, _TOP = 0.66, 0.14, 0.46, 0.2
"""Margins of a figure (inches); the top one holds the names of phases."""

PANEL: Final = 1.3
"""Height of a panel (inches)."""

_TITLE: Final = 0.2
_ROW: Final = 0.165
_GAP: Final = 0.2
"""Height of a panel's title, of a row of its legend, and of the space below it (inches)."""

_LETTER: Final = 0.068
_HANDLE: Final = 0.42
"""Width of a letter of the legend, and of a line with the space around it (inches)."""

_DASHES: Final = ("--", ":", "-.", (0, (1, 3)))

_SMALL: Final = 7.5
"""Size of the text in legends and of names of phases (points)."""


def limit_labels(values: np.ndarray, limits: dict[str, float], unit: str) -> tuple[dict[str, str], list[str]]:
    """Texts of the limits that are in view, by name, and of those that are too far off to be drawn.

    Args:
        values: what the panel shows.
        limits: limits by name, in the unit of the values.
        unit: the unit.
    """
    largest = _largest(values)
    texts = {name: f"{name} {limit:.4g} {unit_text(unit)}".rstrip() for name, limit in limits.items()}
    near = {name: text for name, text in texts.items() if abs(limits[name]) <= IN_VIEW * largest}
    return near, [text for name, text in texts.items() if name not in near]


def _largest(values: np.ndarray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max()) if finite.size else 0.0


def legend_rows(labels: Sequence[str]) -> tuple[int, int]:
    """Rows and columns in which a legend fits above a panel.

    Args:
        labels: its entries.
    """
    room, widths = WIDTH - _LEFT - _RIGHT, [_HANDLE + _LETTER * len(label) for label in labels]
    if sum(widths) <= room:
        return min(len(labels), 1), max(len(labels), 1)
    columns = int(np.clip(room / max(widths), 1, len(labels)))
    rows = -(-len(labels) // columns)
    return rows, -(-len(labels) // rows)


def time_panels(titles: Sequence[str], rows: Sequence[int]) -> tuple[Figure, list[Any]]:
    """A figure with a panel a title, all over the same time.

    Args:
        titles: what each panel shows.
        rows: rows that the legend above each panel takes.
    """
    above = [_TITLE + _ROW * row for row in rows]
    total = _TOP + sum(above) + PANEL * len(titles) + _GAP * (len(titles) - 1) + _BOTTOM
    figure = new_figure(WIDTH, total)
    figure.set_layout_engine("none")
    panels: list[Any] = []
    edge = total - _TOP
    for title, space in zip(titles, above, strict=True):
        edge -= space + PANEL
        box = (_LEFT / WIDTH, edge / total, (WIDTH - _LEFT - _RIGHT) / WIDTH, PANEL / total)
        panel = figure.add_axes(box, sharex=panels[0] if panels else None)
        place = (edge + PANEL + space - 0.06) / total
        figure.text(_LEFT / WIDTH, place, title, ha="left", va="top", fontsize=9, fontweight="bold")
        if panels:
            panels[-1].tick_params(labelbottom=False)
        panels.append(panel)
        edge -= _GAP
    panels[-1].set_xlabel("time (s)")
    return figure, panels


def draw_limits(panel: Any, values: np.ndarray, limits: dict[str, float], unit: str, rows: int) -> None:
    """Lines at named limits, at both signs where the values have both; those too far off are named above the panel.

    Args:
        panel: where to draw.
        values: what the panel shows.
        limits: limits by name, in the unit of the values.
        unit: the unit.
        rows: rows of the legend above the panel.
    """
    shown = values[np.isfinite(values)]
    both = shown.size and shown.min() < 0.0 < shown.max()
    near, far = limit_labels(values, limits, unit)
    for (name, text), dashes in zip(near.items(), itertools.cycle(_DASHES)):
        style = {"linestyle": dashes, "color": COLOURS["black"], "linewidth": 1.0}
        panel.axhline(limits[name], label=text, **style)
        if both:
            panel.axhline(-limits[name], **style)
    if far:
        text = f"out of view: {', '.join(far)}"
        place = (1.0, 1.0 + (_TITLE + _ROW * rows - 0.06) / PANEL)
        panel.text(*place, text, transform=panel.transAxes, ha="right", va="top", fontsize=_SMALL)


def finish_panel(panel: Any, unit: str, columns: int) -> None:
    """Axis label, room above and below the curves, and a legend above the panel if it has entries.

    Args:
        panel: the panel.
        unit: unit of its values.
        columns: columns of its legend.
    """
    panel.set_ylabel(unit_text(unit))
    panel.yaxis.set_label_coords(-0.5 / (WIDTH - _LEFT - _RIGHT), 0.5)
    panel.margins(y=0.08)
    panel.locator_params(axis="y", nbins=6)
    handles, labels = panel.get_legend_handles_labels()
    if handles:
        panel.legend(
            handles,
            labels,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            borderaxespad=0.15,
            borderpad=0.0,
            ncols=columns,
            frameon=False,
            fontsize=_SMALL,
            handlelength=2.0,
            handletextpad=0.5,
            columnspacing=1.2,
            labelspacing=0.25,
        )


def mark_phases(figure: Figure, panels: Sequence[Any], phases: Sequence[Phase], duration: float) -> None:
    """Thin lines where phases begin, through all panels, with their names above the first where there is room.

    Args:
        figure: the figure.
        panels: its panels, the highest first.
        phases: named stretches of time.
        duration: end of the time axis (s).
    """
    panels[-1].set_xlim(0.0, duration)
    for start in sorted({phase.start for phase in phases} - {0.0}):
        for panel in panels:
            panel.axvline(start, color=COLOURS["grey"], linewidth=0.8, zorder=0.6)
    scale = (WIDTH - _LEFT - _RIGHT) / duration
    height = figure.get_size_inches()[1]
    free = 0.0
    for phase in sorted(phases, key=lambda phase: phase.start):
        # Names with a space break into two lines, as those of the way back.
        text = phase.name.replace(" ", "\n", 1)
        width = _LETTER * max(map(len, text.split("\n")))
        left = (phase.start + phase.end) / 2 * scale - width / 2
        if left < free - 1e-6 or width > (phase.end - phase.start) * scale * 1.6:
            continue
        place = ((_LEFT + left + width / 2) / WIDTH, 1.0 - 0.03 / height)
        figure.text(*place, text, ha="center", va="top", fontsize=6.5, color="#555555", linespacing=0.95)
        free = left + width + 0.04
