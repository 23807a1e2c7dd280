"""Panels on paper: figures for files, drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.report.canvas import COLOURS, new_figure
from parapick.report.plot.panel import Area, Item, Marks, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PIXEL: Final = 0.72
"""Points that a pixel of a screen is on paper."""

_MARKERS: Final = {"dot": "o", "square": "s", "cross": "x"}

_HEIGHT: Final = 1.75
"""Height of a panel that has no scale of its own (inches)."""


def paper_figure(panels: Sequence[Panel], width: float) -> Figure:
    """Panels below one another.

    Args:
        panels: the panels.
        width: width of the figure (inches).
    """
    heights = [width / panel.ratio if panel.equal else _HEIGHT for panel in panels]
    figure = new_figure(width, sum(heights))
    places = figure.subplots(len(panels), 1, height_ratios=heights, squeeze=False)[:, 0]
    for place, panel in zip(places, panels, strict=True):
        draw_panel(place, panel, width)
    return figure


def draw_panel(place: Any, panel: Panel, width: float, *, label: bool = True) -> None:
    """Draw a panel into axes of matplotlib.

    Args:
        place: the axes.
        panel: the panel.
        width: width of the axes (inches), for what is as thick as in the panel's own units.
        label: whether the horizontal axis is named.
    """
    scale = 72.0 * width / (panel.xlim[1] - panel.xlim[0])
    place.set_xlim(*panel.xlim)
    place.set_ylim(*panel.ylim)
    if panel.equal:
        place.set_aspect("equal")
    for item in panel.items:
        _draw(place, panel, item, scale)
    entries = {item.label for item in panel.legend}
    if entries:
        inside: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)}
        if panel.equal and panel.axes:
            inside = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 2}
        elif panel.equal:
            inside = {"loc": "upper left"}
        named = dict(zip(*reversed(place.get_legend_handles_labels()), strict=True))
        place.legend(named.values(), named.keys(), frameon=False, fontsize="small", **inside)
    # Texts are somebody's: a dollar in one begins no formula.
    place.set_title(panel.title, loc="left", fontsize="medium", parse_math=False)
    if panel.aside:
        style = {"ha": "right", "va": "bottom", "fontsize": "small", "transform": place.transAxes}
        place.text(1.0, 1.02 if panel.axes else 0.01, panel.aside, parse_math=False, **style)
    if not panel.axes:
        place.set_axis_off()
    elif label:
        place.set_xlabel(panel.xlabel)


def _draw(place: Any, panel: Panel, item: Item, scale: float) -> None:
    label = item.label or None
    if isinstance(item, Area):
        low, high = (np.clip(edge, *panel.ylim) for edge in (item.low, item.high))
        place.fill_between(item.x, low, high, color=item.colour, linewidth=0, zorder=1, label=label)
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
