"""The speed-torque plane of each motor: where it works along the cycle, and what its ratings allow."""

from __future__ import annotations

from typing import Final, NamedTuple

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
    drives, motors = evaluation.model.numbers.motor_drives(), evaluation.model.motors
    panels, picks = [], picks_of(evaluation, evaluation.motion)
    for i, drive in enumerate(drives):
        # Motors with one drive have panels of one size.
        alike = [k for k, other in enumerate(drives) if other is drive]
        most = _Peaks(float(motors.peak_speed[i]), float(motors.peak_torque[i]), drive.rated_torque, motors.curves[i])
        width = _extent(speed.values[:, alike], most.speed)
        height = _extent(torque.values[:, alike], most.torque, drive.rated_torque)
        points = np.column_stack([speed.values[:, i], torque.values[:, i]])
        items = (*_ratings(drive, most, width, height), *others_faintly(torque.t, points, hue(i), picks))
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


class _Peaks(NamedTuple):
    """What a motor may do: peak speed (rad/s), torque (N m), rated torque, and its curve (points, 2), where stated."""

    speed: float
    torque: float
    rated: float | None
    curve: np.ndarray | None

    @property
    def corners(self) -> np.ndarray:
        """The outline of what is allowed at positive speed and torque (k, 2), from no speed to no torque."""
        if self.curve is None:
            return np.array([[0.0, self.torque], [self.speed, self.torque], [self.speed, 0.0]])
        kept = self.curve[self.curve[:, 0] < self.speed]
        end = np.interp(self.speed, *self.curve.T)
        points = np.vstack([[0.0, self.curve[0, 1]], kept, [self.speed, end], [self.speed, 0.0]])
        # Where the peak torque is lower than the curve, the outline bends where they meet.
        falls = np.interp(-self.torque, -points[:-1, 1], points[:-1, 0])
        low = points[points[:, 1] < self.torque]
        return np.vstack([[0.0, self.torque], [falls, self.torque], low]) if self.torque < points[0, 1] else points


def _ratings(drive: AnyDrive, most: _Peaks, width: float, height: float) -> list[Item]:
    """Peak torque over speed as an outline, rated torque as lines; what is not rated has no side of the outline."""
    x, y, rated = most.speed, most.torque, most.rated
    items: list[Item] = [level(0.0, COLOURS["grey"], 0.8), upright(0.0, COLOURS["grey"], 0.8)]
    if np.isfinite([x, y]).any():
        right = most.corners
        upper = np.vstack([right[::-1] * [-1.0, 1.0], right])
        hidden = " (partly out of view)" if _hidden(x, width) or _hidden(y, height) else ""
        text = _words((y, drive.axis.effort), (x, drive.axis.speed))
        outline = np.vstack([upper, upper[::-1] * [1.0, -1.0]])
        items.append(polyline(outline, COLOURS["black"], 1.1, "--", f"peak {text}{hidden}"))
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
    return ", ".join(f"{value:.4g} {unit}" for value, unit in numbers if value is not None and np.isfinite(value))
