"""The speed-torque plane of each motor: where it works along the cycle, and what its ratings allow."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.answer import Answer, Series
from parapick.evaluation import Evaluation
from parapick.mechanism import AnyDrive
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.picks import others_faintly, picks_of
from parapick.report.plot import Curve, Item, Panel, level, polyline, upright

_BOX_IN_VIEW: Final = 5.0
"""A rating that is more times the largest value is out of view: the curve would be a dot."""

_ROOM: Final = 1.08
"""How much larger a panel is than what it shows."""


def plane_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw torque (or force) over speed of every motor; None where the evaluation has not both.

    Args:
        evaluation: where the speeds and torques are.
        section: the section of the torques.
    """
    word = evaluation.model.motors.word
    torque, speed = _series(evaluation, f"motor {word}"), _series(evaluation, "motor speed")
    if torque is None or speed is None or torque.values.shape != speed.values.shape:
        return None
    drives = evaluation.model.numbers.motor_drives()
    panels, picks = [], picks_of(evaluation, evaluation.motion)
    for i, drive in enumerate(drives):
        # Motors with one drive have panels of one size.
        alike = [k for k, other in enumerate(drives) if other is drive]
        width = _extent(speed.values[:, alike], drive.peak_speed)
        height = _extent(torque.values[:, alike], drive.peak_torque, drive.rated_torque)
        points = np.column_stack([speed.values[:, i], torque.values[:, i]])
        items = (*_ratings(drive, width, height), *others_faintly(torque.t, points, hue(i), picks))
        title, below = f"motor {i + 1}: {word} ({drive.axis.effort})", f"speed ({drive.axis.speed})"
        panels.append(Panel(title, items, (-_ROOM * width, _ROOM * width), (-_ROOM * height, _ROOM * height), below))
    caption = f"{section.title}: {word} over speed of each motor, at its shaft, with its ratings"
    caption += "" if picks is None else f"; {picks.full.name} strongly, all {len(picks.spans)} picks faintly"
    return Drawing(caption, tuple(panels), "small")


def _series(evaluation: Evaluation, name: str) -> Series | None:
    return next((series for part in evaluation.sections for series in part.series if series.name == name), None)


def _extent(values: np.ndarray, *ratings: float | None) -> float:
    """Half of an axis: the values, and ratings that are not too far off."""
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    return max([largest, *(rating for rating in ratings if rating is not None and rating <= _BOX_IN_VIEW * largest)])


def _ratings(drive: AnyDrive, width: float, height: float) -> list[Item]:
    """Peak torque and speed as a box, rated torque as lines; what is not rated has no side of the box."""
    x, y, rated = drive.peak_speed or np.inf, drive.peak_torque or np.inf, drive.rated_torque
    items: list[Item] = [level(0.0, COLOURS["grey"], 0.8), upright(0.0, COLOURS["grey"], 0.8)]
    if np.isfinite([x, y]).any():
        corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y], [-x, -y]])
        hidden = " (partly out of view)" if _hidden(x, width) or _hidden(y, height) else ""
        text = _words((drive.peak_torque, drive.axis.effort), (drive.peak_speed, drive.axis.speed))
        items.append(polyline(corners, COLOURS["black"], 1.1, "--", f"peak {text}{hidden}"))
    if rated is not None:
        label = f"rated {_words((rated, drive.axis.effort))}"
        items += [
            Curve(np.array([-x, x]), np.array([side * rated] * 2), COLOURS["black"], 1.1, ":", label)
            for side in (-1.0, 1.0)
        ]
    return items


def _hidden(rating: float, extent: float) -> bool:
    return bool(np.isfinite(rating) and rating > extent)


def _words(*numbers: tuple[float | None, str]) -> str:
    return ", ".join(f"{value:.4g} {unit}" for value, unit in numbers if value is not None)
