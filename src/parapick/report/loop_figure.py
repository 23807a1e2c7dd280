"""Closed loops as figures for files: one in full, or several side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.report.canvas import hue
from parapick.report.figures.loop import loop_panels, torque_panel
from parapick.report.plot import Curve, Panel, around
from parapick.report.plot.paper import paper_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.simulation import Record

_WIDTH: Final = 13.0
"""Width of the figure of one loop (inches)."""

_TURNED: Final = 1e-9
"""A yaw error that stays below this (rad) is not drawn."""


def loop_figure(record: Record, title: str) -> Figure:
    """Draw a closed loop in full.

    Args:
        record: its record.
        title: what it is, in a line.
    """
    return paper_figure(loop_panels(record), _WIDTH, columns=2, title=f"{title}, {record.law}")


def record_figure(records: Mapping[str, Record], title: str) -> Figure:
    """Draw closed loops that follow one motion: errors together, and what the motors give law by law, to one scale.

    Args:
        records: records by the name of their law.
        title: what they are, in a line.
    """
    turns = any(record.error.shape[1] > 3 and np.ptp(record.error[:, 3]) > _TURNED for record in records.values())
    errors = {
        "distance from the reference (mm)": {name: 1e3 * record.distance for name, record in records.items()},
        "across the path (mm)": {name: 1e3 * record.path_normal for name, record in records.items()},
    }
    if turns:
        errors["yaw error (mrad)"] = {name: 1e3 * record.error[:, 3] for name, record in records.items()}
    end = max(float(record.t[-1]) for record in records.values())
    panels = [_together(name, records, curves, end) for name, curves in errors.items()]
    given = [torque_panel(record, f"{record.word}, {name}") for name, record in records.items()]
    low, high = min(panel.ylim[0] for panel in given), max(panel.ylim[1] for panel in given)
    panels += [replace(panel, xlim=(0.0, end), ylim=(low, high)) for panel in given]
    return paper_figure(panels, 10.0, title=title)


def _together(title: str, records: Mapping[str, Record], values: Mapping[str, np.ndarray], end: float) -> Panel:
    curves = [
        Curve(records[name].t, value, hue(index), label=name) for index, (name, value) in enumerate(values.items())
    ]
    return Panel(title, tuple(curves), (0.0, end), around(curves))
