"""Closed loops side by side: how far the plate is from where it should be, and what the motors give, law by law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.names import printable
from parapick.report.canvas import COLOURS, hue, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.simulation import Record

_ROW: Final = 1.9
"""Height of a panel (inches)."""

_IN_VIEW: Final = 2.5
"""A limit that is more times the largest torque would leave the curves flat; it is named in the legend only."""

_TURNED: Final = 1e-9
"""A yaw error that stays below this (rad) is not drawn."""


def record_figure(records: Mapping[str, Record], title: str) -> Figure:
    """Draw closed loops that follow one motion.

    Args:
        records: records by the name of their law.
        title: what they are, in a line.
    """
    turns = any(record.error.shape[1] > 3 and np.ptp(record.error[:, 3]) > _TURNED for record in records.values())
    count = 2 + turns + len(records)
    figure = new_figure(10.0, _ROW * count + 0.7)
    panels: list[Any] = list(np.atleast_1d(figure.subplots(count, 1, sharex=True)))
    for index, (name, record) in enumerate(records.items()):
        panels[0].plot(record.t, 1e3 * record.distance, color=hue(index), label=name)
        panels[1].plot(record.t, 1e3 * record.path_normal, color=hue(index), label=name)
        if turns:
            panels[2].plot(record.t, 1e3 * record.error[:, 3], color=hue(index), label=name)
    panels[0].set_ylabel("distance from\nthe reference (mm)")
    panels[1].set_ylabel("across\nthe path (mm)")
    if turns:
        panels[2].set_ylabel("yaw error\n(mrad)")
    given = panels[2 + turns :]
    for panel, (name, record) in zip(given, records.items(), strict=True):
        _torques(panel, name, record)
        # Panels beside one another are compared by eye: one scale for all.
        panel.sharey(given[0])
    for panel in panels:
        panel.grid(alpha=0.3)
    for panel in (panels[0], given[0]):
        _legend_above(panel)
    panels[-1].set_xlabel("time (s)")
    panels[-1].set_xlim(0.0, max(record.t[-1] for record in records.values()))
    figure.align_ylabels(panels)
    # A title is somebody's text: a dollar in it begins no formula.
    figure.suptitle(printable(title), parse_math=False)
    return figure


def _legend_above(panel: Any) -> None:
    """A legend over a panel, where it hides no curve."""
    handles, labels = panel.get_legend_handles_labels()
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.2, "frameon": False}
    panel.legend(handles, labels, ncols=len(labels), fontsize="small", **place)


def _torques(panel: Any, name: str, record: Record) -> None:
    for motor in range(record.torque.shape[1]):
        panel.plot(record.t, record.torque[:, motor], color=hue(motor), lw=1.0, label=f"motor {motor + 1}")
    largest = float(np.max(np.abs(record.torque)))
    for limit in sorted({float(value) for value in record.torque_max if np.isfinite(value)}):
        if limit <= _IN_VIEW * largest:
            for sign in (1.0, -1.0):
                panel.axhline(sign * limit, color=COLOURS["black"], ls="--", lw=0.8)
    panel.set_ylabel(f"{record.word}, {name}\n({record.effort})")
