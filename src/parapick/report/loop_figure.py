"""One closed loop in full: position and path, errors of plate and joints, torques with limits, terms and shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.names import printable
from parapick.report.canvas import COLOURS, hue, new_figure
from parapick.simulation.summary import torque_shares

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.simulation import Record

_ROW: Final = 2.1
"""Height of a panel (inches)."""

_IN_VIEW: Final = 2.5
"""A limit that is more times the largest torque would leave the curves flat; it is named in the legend only."""

_SHOWN_ERROR: Final = 0.12
"""Share of the path's extent that its magnified error has at most."""

_TURNED: Final = 1e-9
"""A yaw that stays below this (rad) is not drawn."""


def loop_figure(record: Record, title: str) -> Figure:
    """Draw a closed loop.

    Args:
        record: its record.
        title: what it is, in a line.
    """
    motors = record.torque.shape[1]
    rows = math.ceil(motors / 2) if record.terms else 0
    figure = new_figure(12.5, _ROW * (4 + rows) + 0.7)
    panels: Any = figure.subplots(4 + rows, 2)
    _position(panels[0, 0], record)
    _path(panels[0, 1], record)
    scale, unit = _joint_scale(record)
    _by_motor(panels[1, 0], record, scale * record.joint_error, f"joint error\n({unit})")
    _by_motor(panels[1, 1], record, scale * (record.qd - record.qd_ref), f"joint-rate error\n({unit}/s)")
    _errors(panels[2, 0], record)
    _bars(panels[2, 1], record)
    _torques(panels[3, 0], record)
    _shares(panels[3, 1], record)
    for motor, panel in enumerate(panels[4:].ravel()):
        if motor < motors:
            _terms(panel, record, motor)
        else:
            panel.set_axis_off()
    over_time = [panels[0, 0], *panels[1], panels[2, 0], panels[3, 0], *panels[4:].ravel()[:motors]]
    for panel in over_time:
        panel.set_xlim(record.t[0], record.t[-1])
        panel.set_xlabel("time (s)")
        panel.grid(alpha=0.3)
    # A title is somebody's text: a dollar in it begins no formula.
    figure.suptitle(printable(f"{title}, {record.law}"), parse_math=False)
    return figure


def _joint_scale(record: Record) -> tuple[float, str]:
    """Factor and unit in which joint errors are drawn; joints slide where motors give forces."""
    return 1e3, {"N": "mm", "N m": "mrad"}.get(record.effort, "mrad or mm")


def _legend(panel: Any, columns: int = 4) -> None:
    """A legend over a panel, where it hides no curve."""
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.1, "frameon": False}
    panel.legend(ncols=columns, fontsize="small", handlelength=1.4, columnspacing=1.0, **place)


def _position(panel: Any, record: Record) -> None:
    """The plate over time, seen from its start; what was wanted is dashed."""
    start = record.x_ref[0, :3]
    for index, name in enumerate(record.task_names[:3]):
        panel.plot(record.t, 1e3 * (record.x[:, index] - start[index]), color=hue(index), label=name)
        wanted = 1e3 * (record.x_ref[:, index] - start[index])
        panel.plot(record.t, wanted, "--", color=COLOURS["black"], lw=0.8, label="wanted" if index == 2 else None)
    panel.set_ylabel("from the start\n(mm)")
    if record.x.shape[1] > 3 and np.ptp(record.x_ref[:, 3]) > _TURNED:
        turned = panel.twinx()
        turned.plot(record.t, np.degrees(record.x[:, 3]), ":", color=hue(3))
        turned.set_ylabel("yaw (deg)", color=hue(3))
    _legend(panel)


def _path(panel: Any, record: Record) -> None:
    """The wanted path from the side, and the plate with its error across the path magnified."""
    level = record.x_ref[:, :2] - record.x_ref[0, :2]
    direction = np.linalg.svd(level, full_matrices=False)[2][0]
    direction = direction * (1.0 if direction[np.argmax(np.abs(direction))] > 0 else -1.0)
    wanted, error = _from_side(record.x_ref, direction), _from_side(_across(record), direction)
    extent = float(np.max(np.ptp(wanted, axis=0)))
    factor = _round_factor(_SHOWN_ERROR * extent / max(float(np.abs(error).max()), 1e-12))
    shown = 1e3 * (wanted + factor * error)
    panel.plot(*(1e3 * wanted).T, "--", color=COLOURS["black"], lw=0.8, label="wanted")
    panel.plot(*shown.T, color=hue(0), label=f"error across the path {factor:g} times")
    panel.set_xlabel("along its length (mm)")
    panel.set_ylabel("z (mm)")
    panel.grid(alpha=0.3)
    _legend(panel, 2)


def _across(record: Record) -> np.ndarray:
    """The part of the plate's error across the wanted velocity (T, 3), m; at rest all of it."""
    error, velocity = record.error[:, :3], record.xd_ref[:, :3]
    square = np.sum(velocity * velocity, axis=-1, keepdims=True)
    along = np.sum(error * velocity, axis=-1, keepdims=True)
    return error - np.divide(along, square, out=np.zeros_like(along), where=square > 1e-18) * velocity


def _from_side(points: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Points (T, 2) along a horizontal direction and in height."""
    return np.column_stack([points[:, :2] @ direction, points[:, 2]])


def _round_factor(factor: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is not above a factor; at least 1."""
    power = 10.0 ** math.floor(math.log10(max(factor, 1.0)))
    return max(step * power for step in (1.0, 2.0, 5.0) if step * power <= max(factor, 1.0))


def _by_motor(panel: Any, record: Record, values: np.ndarray, text: str) -> None:
    for motor, column in enumerate(values.T):
        panel.plot(record.t, column, color=hue(motor), lw=1.0, label=f"motor {motor + 1}")
    panel.set_ylabel(text)
    _legend(panel, min(values.shape[1], 6))


def _errors(panel: Any, record: Record) -> None:
    """The error by coordinate over time."""
    for index, name in enumerate(record.task_names):
        unit = "mrad" if name == "yaw" else "mm"
        style = ":" if name == "yaw" else "-"
        panel.plot(record.t, 1e3 * record.error[:, index], style, color=hue(index), lw=1.0, label=f"{name} ({unit})")
    panel.set_ylabel("error of the plate\n(mm, mrad)")
    _legend(panel)


def _bars(panel: Any, record: Record) -> None:
    """Peak and RMS of the error by coordinate, each with its number."""
    error = 1e3 * record.error
    peak, rms = np.abs(error).max(axis=0), np.sqrt(np.mean(error * error, axis=0))
    places = np.arange(error.shape[1])
    for shift, values, name, colour in ((-0.2, peak, "peak", "blue"), (0.2, rms, "RMS", "sky")):
        bars = panel.bar(places + shift, values, 0.4, color=COLOURS[colour], label=name)
        panel.bar_label(bars, [f"{value:.3g}" for value in values], fontsize="small", padding=1)
    units = [f"{name}\n({'mrad' if name == 'yaw' else 'mm'})" for name in record.task_names]
    panel.set_xticks(places, units)
    panel.set_ylabel("size of the error")
    panel.margins(y=0.18)
    _legend(panel)


def _torques(panel: Any, record: Record) -> None:
    """What the motors give, their limits, and in grey the spans in which some motor is saturated."""
    for motor, column in enumerate(record.torque.T):
        panel.plot(record.t, column, color=hue(motor), lw=1.0)
    largest = float(np.max(np.abs(record.torque)))
    for limit in sorted({float(value) for value in record.torque_max if np.isfinite(value)}):
        label = f"limit {limit:g} {record.effort}"
        if limit > _IN_VIEW * largest:
            panel.plot([], [], "--", color=COLOURS["black"], label=f"{label} (out of view)")
            continue
        panel.axhline(limit, color=COLOURS["black"], ls="--", lw=0.8, label=label)
        panel.axhline(-limit, color=COLOURS["black"], ls="--", lw=0.8)
    for index, span in enumerate(record.saturations):
        panel.axvspan(span.start, span.end, color=COLOURS["grey"], alpha=0.5, lw=0, label="" if index else "saturated")
    panel.set_ylabel(f"{record.word}\n({record.effort})")
    if panel.get_legend_handles_labels()[1]:
        _legend(panel)


def _shares(panel: Any, record: Record) -> None:
    """RMS shares of the terms by motor, stacked."""
    places, below = np.arange(1, record.torque.shape[1] + 1), np.zeros(record.torque.shape[1])
    for index, (name, share) in enumerate(torque_shares(record).items()):
        panel.bar(places, 100.0 * share, 0.6, bottom=below, color=hue(index), label=name)
        below = below + 100.0 * share
    panel.set_xticks(places, [f"motor {place}" for place in places])
    panel.set_ylabel(f"RMS shares of the\n{record.word}'s terms (%)")
    if record.terms:
        _legend(panel, 6)
    else:
        panel.set_axis_off()


def _terms(panel: Any, record: Record, motor: int) -> None:
    """The terms of a motor's command, and their sum."""
    panel.plot(record.t, record.command[:, motor], color=COLOURS["grey"], lw=1.8, label="sum")
    for index, (name, term) in enumerate(record.terms.items()):
        panel.plot(record.t, term[:, motor], color=hue(index), lw=1.0, label=name)
    panel.set_ylabel(f"terms of motor {motor + 1}\n({record.effort})")
    if motor < 2:
        _legend(panel, 7)
