"""The speed-torque plane of each motor: where it works along the cycle, and what its ratings allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import Answer, Series
from parapick.evaluation.evaluation import Evaluation
from parapick.mechanism.drive import AnyDrive
from parapick.model.motors import Motors
from parapick.report.canvas import COLOURS, hue, new_figure
from parapick.report.figures.drawing import WIDTH, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BOX_IN_VIEW: Final = 5.0
"""A rating that is more times the largest value is out of view: the curve would be a dot."""

_LEFT, _RIGHT, _BOTTOM, _TOP, _GAP_X, _GAP_Y = 0.62, 0.14, 0.46, 0.28, 0.5, 0.5
"""Margins and gaps (inches); the legend comes above the top margin."""

_ROW: Final = 0.165
"""Height of a row of the legend (inches)."""

_HEIGHT: Final = 1.55
"""Height of a panel (inches)."""


def plane_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw torque (or force) over speed of every motor; None where the evaluation has not both.

    Args:
        evaluation: where the speeds and torques are.
        section: the section of the torques.
    """
    motors = evaluation.model.motors
    torque, speed = _series(evaluation, f"motor {motors.word}"), _series(evaluation, "motor speed")
    if torque is None or speed is None or torque.values.shape != speed.values.shape:
        return None
    drives = evaluation.model.numbers.motor_drives()
    sizes = [_limits(torque.values, speed.values, drives, i) for i in range(len(drives))]
    texts = _texts(drives, out=any(_hidden(drive, *size) for drive, size in zip(drives, sizes, strict=True)))
    figure, panels = _grid(motors, _TOP + _ROW * len(texts))
    for i, (panel, limits) in enumerate(zip(panels, sizes, strict=True)):
        _ratings(panel, drives[i], *limits)
        panel.plot(speed.values[:, i], torque.values[:, i], color=hue(i), linewidth=1.3)
        panel.set_xlim(-1.08 * limits[0], 1.08 * limits[0])
        panel.set_ylim(-1.08 * limits[1], 1.08 * limits[1])
        panel.set_title(f"motor {i + 1}", loc="left", fontsize=8.5, pad=3)
        panel.locator_params(nbins=5)
    _legend(figure, texts)
    return Drawing(figure, f"{section.title}: {motors.word} over speed of each motor, at its shaft, with its ratings")


def _series(evaluation: Evaluation, name: str) -> Series | None:
    return next((one for part in evaluation.sections for one in part.series if one.name == name), None)


def _limits(torque: np.ndarray, speed: np.ndarray, drives: Sequence[AnyDrive], motor: int) -> tuple[float, float]:
    """Half width and height of a motor's panel: motors with one drive have the same, ratings not too far off in it."""
    alike = [i for i, drive in enumerate(drives) if drive is drives[motor]]
    sizes = []
    for values, ratings in (
        (speed[:, alike], (drives[motor].peak_speed,)),
        (torque[:, alike], (drives[motor].peak_torque, drives[motor].rated_torque)),
    ):
        largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
        seen = [rating for rating in ratings if rating is not None and rating <= _BOX_IN_VIEW * largest]
        sizes.append(max([largest, *seen]))
    return sizes[0], sizes[1]


def _hidden(drive: AnyDrive, width: float, height: float) -> bool:
    """Whether a rating is out of view."""
    stated = ((drive.peak_torque, height), (drive.rated_torque, height), (drive.peak_speed, width))
    return any(rating is not None and rating > size for rating, size in stated)


def _ratings(panel: Any, drive: AnyDrive, width: float, height: float) -> None:
    """Peak torque and speed as a box, rated torque as lines."""
    from matplotlib.patches import Rectangle

    peak, fast, rated = drive.peak_torque, drive.peak_speed, drive.rated_torque
    # What is not rated has no side of the box: it lies beyond the panel.
    x, y = fast or 10.0 * width, peak or 10.0 * height
    if peak is not None or fast is not None:
        style = {"fill": False, "linestyle": "--", "edgecolor": COLOURS["black"], "linewidth": 1.0}
        panel.add_patch(Rectangle((-x, -y), 2 * x, 2 * y, **style))
    for sign in (-1.0, 1.0) if rated is not None else ():
        reach, level = min(x, 2 * width), sign * (rated or 0.0)
        panel.plot([-reach, reach], [level, level], ":", color=COLOURS["black"], linewidth=1.0)
    panel.axhline(0.0, color=COLOURS["grey"], linewidth=0.7, zorder=0.6)
    panel.axvline(0.0, color=COLOURS["grey"], linewidth=0.7, zorder=0.6)


def _grid(motors: Motors, top: float) -> tuple[Figure, list[Any]]:
    """Panels in rows of two, or three where there are more than four motors, below a top margin (inches)."""
    count = motors.count
    columns = min(count, 2 if count <= 4 else 3)
    rows = -(-count // columns)
    total = top + rows * _HEIGHT + (rows - 1) * _GAP_Y + _BOTTOM
    inner = WIDTH - _LEFT - _RIGHT
    width = (inner - (columns - 1) * _GAP_X) / columns
    figure = new_figure(WIDTH, total)
    figure.set_layout_engine("none")
    panels = []
    for i in range(count):
        row, column = divmod(i, columns)
        bottom = total - top - (row + 1) * _HEIGHT - row * _GAP_Y
        box = ((_LEFT + column * (width + _GAP_X)) / WIDTH, bottom / total, width / WIDTH, _HEIGHT / total)
        panel = figure.add_axes(box)
        if column == 0:
            panel.set_ylabel(f"{motors.word} ({motors.torque_unit})")
        if i + columns >= count:
            panel.set_xlabel(f"speed ({motors.speed_unit})")
        panels.append(panel)
    return figure, panels


def _texts(drives: Sequence[AnyDrive], *, out: bool) -> dict[str, Any]:
    """What the lines are, with the numbers of the drives, and their style."""
    texts: dict[str, Any] = {}
    for name, style, found in (
        ("peak", "--", [_words(drive, drive.peak_torque, drive.peak_speed) for drive in drives]),
        ("rated", ":", [_words(drive, drive.rated_torque, None) for drive in drives]),
    ):
        stated = list(dict.fromkeys(text for text in found if text))
        if stated:
            texts[f"{name} {'; '.join(stated)}{' (partly out of view)' if out and name == 'peak' else ''}"] = style
    return texts or {"the file states no ratings of the drives": ""}


def _legend(figure: Figure, texts: dict[str, Any]) -> None:
    """What the lines are, above all panels."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], linestyle=style or "none", color=COLOURS["black"], linewidth=1.0, label=text)
        for text, style in texts.items()
    ]
    height = figure.get_size_inches()[1]
    anchor = (_LEFT / WIDTH, 1.0 - 0.02 / height)
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=anchor,
        borderaxespad=0.0,
        frameon=False,
        fontsize=7.5,
        labelspacing=0.25,
    )


def _words(drive: AnyDrive, torque: float | None, speed: float | None) -> str:
    numbers = ((torque, "g", drive.axis.effort), (speed, ".4g", drive.axis.speed))
    parts = [f"{value:{form}} {unit}" for value, form, unit in numbers if value is not None]
    return ", ".join(part for part in parts if part)
