"""Motion profiles: position, yaw if it changes, speed and acceleration of the plate, with the phases."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from parapick.answer import Answer
from parapick.evaluation.evaluation import Evaluation
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.panels import finish_panel, mark_phases, time_panels

CLAIMS: Final = ("plate position", "plate speed", "plate acceleration", "plate yaw", "payload")
"""Series that this figure shows."""

_MOVED: Final = 1e-6
"""A yaw that changes by less (rad) is not drawn."""

_STYLES: Final = ("-", "--", "-.")


def profiles_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw the plate's motion; None without one.

    Args:
        evaluation: whose motion.
        section: the section of the motion.
    """
    samples, motion = evaluation.samples, evaluation.motion
    if samples is None or motion is None:
        return None
    turns = samples.x.shape[1] > 3 and float(np.ptp(samples.x[:, 3])) > _MOVED
    carried = bool(np.any(samples.payload > 0.0))
    titles = ["position from the start", *(["yaw"] if turns else []), "speed", "acceleration"]
    figure, panels = time_panels(titles, [1, *([0] if turns else []), 1, 1])
    way = 1e3 * (samples.x[:, :3] - samples.x[0, :3])
    _axes(panels[0], samples.t, way, total=False)
    if turns:
        panels[1].plot(samples.t, np.degrees(samples.x[:, 3]), color=COLOURS["black"])
    _axes(panels[-2], samples.t, samples.xd[:, :3], total=True)
    _axes(panels[-1], samples.t, samples.xdd[:, :3], total=True)
    if carried:
        for panel in panels:
            _shade(panel, samples.t, samples.payload, named=panel is panels[0])
    for panel, unit in zip(panels, ("mm", *(("deg",) if turns else ()), "m/s", "m/s2"), strict=True):
        finish_panel(panel, unit, 5)
    mark_phases(figure, panels, motion.phases, motion.duration)
    return Drawing(figure, f"{section.title}: position, speed and acceleration of the plate over a cycle")


def _axes(panel: Any, t: np.ndarray, values: np.ndarray, *, total: bool) -> None:
    if total:
        panel.plot(t, np.linalg.norm(values, axis=-1), color=COLOURS["grey"], linewidth=3.0, label="total")
    for i, name in enumerate("xyz"):
        panel.plot(t, values[:, i], _STYLES[i], color=hue(i), label=name)


def _shade(panel: Any, t: np.ndarray, payload: np.ndarray, *, named: bool) -> None:
    """Shade the times with a payload."""
    loaded = payload > 0.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], loaded, [False]]).astype(int)))
    for number, (first, last) in enumerate(edges.reshape(-1, 2)):
        label = f"with {float(payload[first:last].max()):g} kg" if named and not number else None
        panel.axvspan(t[first], t[last - 1], color=COLOURS["light"], zorder=0, label=label)
