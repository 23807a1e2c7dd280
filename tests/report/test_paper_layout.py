"""Figures for files: no legend covers a title or another panel's, and no text is cut at the edge."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import parapick as pp
from parapick.control import machine_controller
from parapick.report.loop_figure import loop_figure, record_figure
from parapick.report.plot import Area, Curve, Marks, Panel, level
from parapick.report.plot.paper import paper_figure
from parapick.report.still import robot_panels
from parapick.simulation import Record

EDGE = 1.0
"""Pixels that a text may touch another one or the edge by: half of a stroke."""


def boxes(figure: Figure) -> dict[str, Bbox]:
    """Where titles, legends and remarks stand (pixels)."""
    FigureCanvasAgg(figure).draw()
    found: dict[str, Any] = {}
    for number, place in enumerate(figure.axes):
        legend = place.get_legend()
        parts = [place._left_title, *([legend] if legend else []), *place.texts]
        for own in parts:
            text = own.get_text() if hasattr(own, "get_text") else "legend"
            if text:
                found[f"{number}: {text}"] = own.get_window_extent()
    return found


def covered(figure: Figure) -> list[str]:
    """Pairs of texts that cover one another, and texts beyond the edge."""
    found = boxes(figure)
    pairs = [
        f"{a} covers {b}"
        for (a, first), (b, second) in combinations(found.items(), 2)
        if min(first.x1, second.x1) - max(first.x0, second.x0) > EDGE
        and min(first.y1, second.y1) - max(first.y0, second.y0) > EDGE
    ]
    width, height = figure.get_size_inches() * figure.dpi
    cut = [
        f"{name} is cut"
        for name, box in found.items()
        if box.x0 < -EDGE or box.y0 < -EDGE or box.x1 > width + EDGE or box.y1 > height + EDGE
    ]
    return pairs + cut


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    par4 = pp.load("par4")
    cycle = pp.adept_cycle(par4, cycles_per_minute=150)
    return {name: pp.simulate(par4, cycle, machine_controller(name)) for name in ("pd", "tsid")}


def test_a_loop_in_full(records: dict[str, Record]) -> None:
    figure = loop_figure(records["tsid"], "par4, Adept cycle")
    assert covered(figure) == []


def test_loops_side_by_side(records: dict[str, Record]) -> None:
    assert covered(record_figure(records, "par4, Adept cycle")) == []


def test_a_long_legend_is_broken_into_lines() -> None:
    """Seven entries do not fit beside one another above half a page."""
    t = np.linspace(0.0, 1.0, 11)
    names = [f"term number {number} of the torque" for number in range(7)]
    items = tuple(Curve(t, k * t, "#0072B2", label=name) for k, name in enumerate(names))
    shade = Area(np.array([0.2, 0.4]), np.full(2, -np.inf), np.full(2, np.inf), "#BBBBBB", "saturated")
    limit = level(3.0, "#000000", label="limit 44.8 N m")
    title = "a title that is itself rather long (N m)"
    panels = [Panel(title, (shade, *items, limit), (0.0, 1.0), (0.0, 6.0), aside="out of view: limit 90 N m")] * 4
    assert covered(paper_figure(panels, 13.0, columns=2, title="a figure")) == []
    assert covered(paper_figure(panels[:2], 10.0, title="a figure")) == []


def test_what_covers_is_seen() -> None:
    figure = Figure()
    place = figure.subplots()
    place.set_title("a title", loc="left")
    place.plot([0.0, 1.0], label="a curve")
    place.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0))
    assert covered(figure) == ["0: a title covers 0: legend"]


def test_the_names_of_the_axes_are_in_the_picture() -> None:
    par4 = pp.load("par4")
    panels = robot_panels(par4, pp.adept_cycle(par4, cycles_per_minute=120))
    assert len(panels) == 2
    for panel in panels:
        for item in panel.items:
            if isinstance(item, Marks):
                assert panel.xlim[0] < item.x[0] < panel.xlim[1], item.texts
                assert panel.ylim[0] < item.y[0] < panel.ylim[1], item.texts
