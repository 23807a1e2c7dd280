"""Panels on paper: figures for files, drawn by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.names import printable
from parapick.report.canvas import COLOURS, new_figure
from parapick.report.plot.panel import Area, Item, Marks, Panel, Tiles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_POINTS: Final = 72.0
"""Points of an inch."""

_PIXEL: Final = 0.72
"""Points that a pixel of a screen is on paper."""

_MARKERS: Final = {"dot": "o", "square": "s", "cross": "x"}

_HEIGHT: Final = 1.75
"""Height of a panel that has no scale of its own (inches)."""

_ROW: Final = 0.3
"""Height of a named place of the vertical axis (inches)."""

_AROUND: Final = 0.7
"""Height of the title and the numbers of such a panel (inches)."""

_PAD: Final = 5.0
_LINE: Final = 12.5
"""Distance of a title from its panel, and height of a line of the legend between them (points)."""

_LETTER: Final = 0.075
_SAMPLE: Final = 0.36
"""Widths of a letter of a legend, and of the sample before an entry with what keeps it from the next (inches)."""

_SHARE: Final = 0.85
"""Share of a panel's width that its axes have; the rest are the numbers of the vertical axis."""


def paper_figure(panels: Sequence[Panel], width: float, columns: int = 1, title: str = "") -> Figure:
    """Panels below one another, or row by row.

    Args:
        panels: the panels.
        width: width of the figure (inches).
        columns: panels a row.
        title: what stands above; nothing if empty.
    """
    rows = math.ceil(len(panels) / columns)
    above = columns > 1
    tall = [_height(panel, width / columns, above=above) for panel in panels]
    heights = [max(tall[i * columns :][:columns]) for i in range(rows)]
    figure = new_figure(width, sum(heights) + (0.5 if title else 0.0))
    places = figure.subplots(rows, columns, height_ratios=heights, squeeze=False).ravel()
    for place, panel in zip(places, panels, strict=False):
        draw_panel(place, panel, width / columns, above=above)
    for place in places[len(panels) :]:
        place.set_axis_off()
    if title:
        # A title is somebody's text: a dollar in it begins no formula.
        figure.suptitle(printable(title), parse_math=False)
    return figure


def _height(panel: Panel, width: float, *, above: bool) -> float:
    """Height of a panel with its title, and with its legend where that stands above (inches)."""
    if panel.equal:
        return width / panel.ratio
    legend = _LINE / _POINTS * _legend_lines(panel, width) if above else 0.0
    return legend + (max(_HEIGHT, _ROW * len(panel.names) + _AROUND) if panel.names else _HEIGHT)


def draw_panel(place: Any, panel: Panel, width: float, *, label: bool = True, above: bool = False) -> None:
    """Draw a panel into axes of matplotlib.

    Args:
        place: the axes.
        width: width of the axes (inches), for what is as thick as in the panel's own units.
        label: whether the horizontal axis is named.
        above: whether the legend of a panel without a scale stands above it instead of beside it.
    """
    scale = _POINTS * width / (panel.xlim[1] - panel.xlim[0])
    place.set_xlim(*panel.xlim)
    place.set_ylim(*panel.ylim)
    if panel.equal:
        place.set_aspect("equal")
    for item in panel.items:
        _draw(place, panel, item, scale)
    if panel.legend:
        named = dict(zip(*reversed(place.get_legend_handles_labels()), strict=True))
        style = _legend_place(panel, width, above=above)
        place.legend(named.values(), named.keys(), frameon=False, fontsize="small", **style)
    # Texts are somebody's: a dollar in one begins no formula. A legend above the panel stands below its title.
    lines = _legend_lines(panel, width) if above and not panel.equal else 0
    pad = _PAD + _LINE * lines
    place.set_title(panel.title, loc="left", fontsize="medium", parse_math=False, pad=pad)
    if panel.aside and panel.axes:
        style = {"ha": "right", "va": "bottom", "fontsize": "small", "xycoords": "axes fraction"}
        place.annotate(panel.aside, (1.0, 1.0), (0, pad), textcoords="offset points", parse_math=False, **style)
    elif panel.aside:
        style = {"ha": "right", "va": "bottom", "fontsize": "small", "transform": place.transAxes}
        place.text(1.0, 0.01, panel.aside, parse_math=False, **style)
    if panel.names:
        place.set_yticks(list(panel.names), list(panel.names.values()), fontsize="small")
    if panel.places:
        place.set_xticks(list(panel.places), list(panel.places.values()))
    if not panel.axes:
        place.set_axis_off()
    else:
        place.grid(alpha=0.3, axis="x" if panel.names else "both")
        place.set_xlabel(panel.xlabel if label else "")


def _legend_columns(panel: Panel, width: float) -> int:
    """Entries of a legend that stand beside one another above a panel."""
    entry = _SAMPLE + _LETTER * max(len(item.label) for item in panel.legend)
    return max(1, min(len(panel.legend), int(_SHARE * width / entry)))


def _legend_lines(panel: Panel, width: float) -> int:
    """Lines of a legend above a panel."""
    return math.ceil(len(panel.legend) / _legend_columns(panel, width)) if panel.legend else 0


def _legend_place(panel: Panel, width: float, *, above: bool) -> dict[str, Any]:
    """Where the legend of a panel stands, such that it hides nothing."""
    if panel.equal and panel.axes:
        return {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 2}
    if panel.equal:
        return {"loc": "upper left"}
    if above:
        spread = {"ncols": _legend_columns(panel, width), "handlelength": 1.4, "columnspacing": 1.0}
        return {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.1, "borderpad": 0.1, **spread}
    return {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}


def _draw(place: Any, panel: Panel, item: Item, scale: float) -> None:
    label = item.label or None
    if isinstance(item, Area):
        low, high = (np.clip(edge, *panel.ylim) for edge in (item.low, item.high))
        place.fill_between(item.x, low, high, color=item.colour, alpha=item.opacity, linewidth=0, zorder=1, label=label)
    elif isinstance(item, Tiles):
        from matplotlib.collections import PolyCollection

        blocks = item.blocks[:, [[0, 1], [2, 1], [2, 3], [0, 3]]]
        place.add_collection(
            PolyCollection(list(blocks), color=item.colour, linewidth=0, antialiased=False, label=label)
        )
    elif isinstance(item, Marks):
        style = {"markersize": _PIXEL * item.size, "markerfacecolor": item.colour if item.shape == "dot" else "none"}
        place.plot(item.x, item.y, _MARKERS[item.shape], color=item.colour, label=label, **style)
        for x, y, text in zip(item.x, item.y, item.texts, strict=False):
            place.annotate(text, (x, y), textcoords="offset points", xytext=(4, 3), color=COLOURS["black"])
    else:
        thick = item.thickness * scale if item.thickness else _PIXEL * item.width
        x, y = np.clip(item.x, *panel.xlim), np.clip(item.y, *panel.ylim)
        style = {"linestyle": item.dash, "linewidth": thick, "alpha": item.opacity, "label": label}
        place.plot(x, y, color=item.colour, solid_capstyle="round", **style)
