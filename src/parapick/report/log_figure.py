"""Logs as figures: laid over a simulation, or over the torques of a model along the same motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.identification import Overlay, Residual
from parapick.report.canvas import COLOURS, hue
from parapick.report.plot import Area, Curve, Item, Panel, around
from parapick.report.plot.paper import paper_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from parapick.model import Model

_WIDTH: Final = 13.0
"""Width of the figure (inches)."""

_POINTS: Final = 4000
"""Most points of a curve on paper."""


def overlay_figure(model: Model, laid: Overlay, title: str) -> Figure:
    """Draw a log over a simulation: torques motor by motor, differences of the angles, and errors of the plate.

    Args:
        laid: the log over the simulation.
        title: what it is, in a line.
    """
    motors = model.motors
    panels = []
    for i, axis in enumerate(motors.axes):
        if laid.torque is not None:
            items = [
                _curve(laid.t, laid.torque[:, i], COLOURS["grey"], 2.4, "log"),
                _curve(laid.t, laid.torque_simulated[:, i], hue(i), 1.2, "simulation"),
            ]
            panels.append(_panel(f"{axis.word} of motor {i + 1} ({axis.effort})", laid.t, items))
        unit = "mrad" if axis.unit == "rad" else "mm"
        off = [_curve(laid.t, 1e3 * (laid.q[:, i] - laid.q_simulated[:, i]), hue(i), 1.2)]
        panels.append(_panel(f"angle of motor {i + 1}, log less simulation ({unit})", laid.t, off))
    for i, name in enumerate(model.robot.task_names):
        items = [
            _curve(laid.t, 1e3 * laid.error[:, i], COLOURS["grey"], 2.4, "machine, by its encoders"),
            _curve(laid.t, 1e3 * laid.error_simulated[:, i], hue(i), 1.2, "simulation"),
        ]
        panels.append(_panel(f"error of {name} ({'mrad' if name == 'yaw' else 'mm'})", laid.t, items))
    return paper_figure(panels, _WIDTH, columns=2, title=title)


def residual_figure(model: Model, residual: Residual, title: str) -> Figure:
    """Draw the torques of a log and of the model along its motion, and what is left; in grey what does not count.

    Args:
        residual: both.
        title: what it is, in a line.
    """
    names = model.robot.task_names if model.robot.redundant else [f"motor {i + 1}" for i in range(model.motors.count)]
    word, unit = model.motors.word, model.motors.torque_unit
    panels = []
    for i, name in enumerate(names):
        given, left = residual.torque[:, i], residual.after[:, i]
        both = [
            *_uncounted(residual, i),
            _curve(residual.t, given, COLOURS["grey"], 2.4, "log"),
            _curve(residual.t, given - left, hue(i), 1.2, "model"),
        ]
        rest = [
            *_uncounted(residual, i),
            _curve(residual.t, residual.before[:, i], COLOURS["grey"], 1.2, "left by the file"),
            _curve(residual.t, left, hue(i), 1.2, "left"),
        ]
        panels += [
            _panel(f"{word} of {name} ({unit})", residual.t, both),
            _panel(f"what is left of {name} ({unit})", residual.t, rest),
        ]
    return paper_figure(panels, _WIDTH, columns=2, title=title)


def _curve(t: np.ndarray, values: np.ndarray, colour: str, width: float, label: str = "") -> Curve:
    every = max(1, len(t) // _POINTS)
    return Curve(t[::every], values[::every], colour, width, label=label)


def _panel(title: str, t: np.ndarray, items: Sequence[Item]) -> Panel:
    curves = [item for item in items if isinstance(item, Curve)]
    return Panel(title, tuple(items), (float(t[0]), float(t[-1])), around(curves))


def _uncounted(residual: Residual, row: int) -> list[Item]:
    """Spans in which a joint is too slow to count."""
    edges = np.diff(np.concatenate([[0], (~residual.counted[:, row]).astype(np.int8), [0]]))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    infinite = np.full(2, np.inf)
    return [
        Area(residual.t[[start, end]], -infinite, infinite, COLOURS["light"], "does not count")
        for start, end in zip(starts, ends, strict=True)
    ]
