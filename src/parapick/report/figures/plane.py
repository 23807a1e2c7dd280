"""The speed-torque plane of each motor: where it works along the cycle, what its ratings allow, and how hot it gets.

The effective torque is a mark at the speed that heats as those of the cycle do: below the continuous torque the motor
is not too hot.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, cast

import numpy as np

from parapick.answer import Answer, Series
from parapick.evaluation import Evaluation
from parapick.mechanism import AnyDrive
from parapick.motors import to_nothing
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.picks import others_faintly, picks_of
from parapick.report.plot import Item, Marks, Panel, level, polyline, upright

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
    points = cast("list[dict[str, Any]]", section.data.get("heat_points", []))
    heat = {point["motor"]: point for point in points}
    for i, drive in enumerate(drives):
        # Motors with one drive have panels of one size.
        alike = [k for k, other in enumerate(drives) if other is drive]
        most = _Peaks(float(motors.peak_speed[i]), float(motors.peak_torque[i]), motors.curves[i])
        steady = _continuous(drive.rated_torque, motors.continuous_curves[i], most.speed)
        width = _extent(speed.values[:, alike], most.speed)
        height = _extent(torque.values[:, alike], most.torque, None if steady is None else float(steady[0, 1]))
        path = np.column_stack([speed.values[:, i], torque.values[:, i]])
        items = (
            *_ratings(drive, most, width, height),
            *_steady(drive, steady, motors.continuous_curves[i]),
            *others_faintly(torque.t, path, hue(i), picks),
            *_effective(drive, heat.get(i + 1)),
        )
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
    """What a motor may do for a moment: peak speed (rad/s), torque (N m), and its curve (points, 2), where stated."""

    speed: float
    torque: float
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
    """Peak torque over speed as an outline; what is not rated has no side of it."""
    x, y = most.speed, most.torque
    items: list[Item] = [level(0.0, COLOURS["grey"], 0.8), upright(0.0, COLOURS["grey"], 0.8)]
    if np.isfinite([x, y]).any():
        hidden = " (partly out of view)" if _hidden(x, width) or _hidden(y, height) else ""
        text = _words((y, drive.axis.effort), (x, drive.axis.speed))
        upper = _mirrored(most.corners)
        outline = np.vstack([upper, upper[::-1] * [1.0, -1.0]])
        items.append(polyline(outline, COLOURS["black"], 1.1, "--", f"peak {text}{hidden}"))
    return items


def _continuous(rated: float | None, curve: np.ndarray | None, end: float) -> np.ndarray | None:
    """The continuous torque at positive speeds (k, 2) up to a speed; None where the file states none."""
    if curve is None:
        return None if rated is None else np.array([[0.0, rated], [end, rated]])
    points = to_nothing(curve)
    if not np.isfinite(end) or end > points[-1, 0]:
        # Beyond the end of a curve whose last line is level it stays there.
        return np.vstack([points, [end, points[-1, 1]]]) if points[-1, 1] > 0.0 else points
    return np.vstack([points[points[:, 0] < end], [end, np.interp(end, *points.T)]])


def _steady(drive: AnyDrive, line: np.ndarray | None, curve: np.ndarray | None) -> list[Item]:
    """The continuous torque over speed, at both signs of both."""
    if line is None:
        return []
    if curve is None:
        label = f"rated {_words((float(line[0, 1]), drive.axis.effort))}"
    else:
        ends = (curve[0, 1], drive.axis.effort), (curve[-1, 1], drive.axis.effort), (curve[-1, 0], drive.axis.speed)
        start, last, speed = (_words(end) for end in ends)
        label = f"continuous {start} at rest, {last} at {speed}"
    both = _mirrored(line)
    return [polyline(both * [1.0, side], COLOURS["black"], 1.1, ":", label) for side in (1.0, -1.0)]


def _effective(drive: AnyDrive, point: dict[str, Any] | None) -> list[Item]:
    """The effective torque at the speed that heats as those of the cycle do."""
    if point is None or not np.isfinite([point["speed"], point["torque"]]).all():
        return []
    text = f"RMS {_words((point['torque'], drive.axis.effort))} at {_words((point['speed'], drive.axis.speed))}"
    place = np.array([point["speed"]]), np.array([point["torque"]])
    return [Marks(*place, COLOURS["black"], "square", label=text)]


def _mirrored(right: np.ndarray) -> np.ndarray:
    """Points at positive speeds (k, 2) from rest on, and before them the same at negative ones."""
    return np.vstack([right[::-1] * [-1.0, 1.0], right])


def _hidden(rating: float, extent: float) -> bool:
    return bool(np.isfinite(rating) and rating > extent)


def _words(*numbers: tuple[float | None, str]) -> str:
    return ", ".join(f"{value:.4g} {unit}" for value, unit in numbers if value is not None and np.isfinite(value))
