"""Motion profiles: position, yaw if it changes, speed and acceleration of the plate, with the phases."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.answer import Answer
from parapick.evaluation import Evaluation
from parapick.motion import Phase
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.picks import in_one_pick, picks_of
from parapick.report.figures.series import titled
from parapick.report.plot import Area, Curve, Item, Panel, around
from parapick.ride import Samples

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
    picks = picks_of(evaluation, motion)
    panels = tuple(in_one_pick(panel, picks) for panel in profile_panels(samples, motion.phases))
    words = " over a cycle" if picks is None else f"; {picks.words}"
    return Drawing(f"{section.title}: position, speed and acceleration of the plate{words}", panels)


def profile_panels(samples: Samples, phases: tuple[Phase, ...] = ()) -> tuple[Panel, ...]:
    """Panels of position, yaw if it changes, speed and acceleration, shaded while something is carried.

    Args:
        phases: its phases.
    """
    t, x = samples.t, samples.x
    shown: list[tuple[str, str, list[Item]]] = [
        ("position from the start", "mm", _axes(t, 1e3 * (x[:, :3] - x[0, :3]), total=False)),
        ("speed", "m/s", _axes(t, samples.xd[:, :3], total=True)),
        ("acceleration", "m/s2", _axes(t, samples.xdd[:, :3], total=True)),
    ]
    if x.shape[1] > 3 and float(np.ptp(x[:, 3])) > _MOVED:
        shown.insert(1, ("yaw", "deg", [Curve(t, np.degrees(x[:, 3]), COLOURS["black"])]))
    shades = _shades(t, samples.payload)
    end = (0.0, float(t[-1]))
    return tuple(
        Panel(titled(name, unit), (*shades, *items), end, around(items), phases=phases) for name, unit, items in shown
    )


def _axes(t: np.ndarray, values: np.ndarray, *, total: bool) -> list[Item]:
    size = [Curve(t, np.linalg.norm(values, axis=-1), COLOURS["grey"], 3.5, label="total")] if total else []
    return [*size, *(Curve(t, values[:, i], hue(i), 1.5, _STYLES[i], name) for i, name in enumerate("xyz"))]


def _shades(t: np.ndarray, payload: np.ndarray) -> list[Item]:
    """The times with a payload, each with its mass."""
    loaded = payload > 0.0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], loaded, [False]]).astype(int)))
    shades: list[Item] = []
    for first, last in edges.reshape(-1, 2):
        ends, text = t[[first, last - 1]], f"with {float(payload[first:last].max()):g} kg"
        shades.append(Area(ends, np.full(2, -np.inf), np.full(2, np.inf), COLOURS["light"], text))
    return shades
