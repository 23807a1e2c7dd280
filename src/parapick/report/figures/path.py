"""The path in the workspace, from above and from the side, to one scale, with the robot that follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import Answer, Place
from parapick.evaluation.evaluation import Evaluation
from parapick.mechanism.robot import Robot
from parapick.mechanism.stance import stance
from parapick.report.canvas import COLOURS, hue, new_figure
from parapick.report.figures.drawing import WIDTH, Drawing
from parapick.report.scene import Scene, robot_scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEFT, _RIGHT, _BOTTOM, _TOP, _GAP = 0.6, 0.12, 0.82, 0.3, 0.62
"""Margins and the gap between the views (inches)."""

_ROOM: Final = 1.06
"""How much larger a view is than what it shows."""


def path_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw the path; without a motion, the robot at its home.

    Args:
        evaluation: robot and motion.
        section: the section of the reach.
    """
    model, samples = evaluation.model, evaluation.samples
    x = np.array([model.robot.home]) if samples is None else samples.x
    reached = np.atleast_1d(np.isfinite(model.inverse_kinematics(x)).all(axis=-1))
    first = int(np.argmax(reached)) if reached.any() else None
    scene = None if first is None else robot_scene(model, x[first : first + 1], x)
    wide = int(np.ptp(x[:, 1]) > np.ptp(x[:, 0]))
    figure, panels = _views(x, scene, wide)
    for panel, axes in zip(panels, ((0, 1), (wide, 2)), strict=True):
        if scene is not None:
            _robot(panel, scene, axes)
            _region(panel, scene, axes)
        _path(panel, x, reached, axes, moving=samples is not None)
        _worst(panel, evaluation.verdict.limiting.place if evaluation.verdict.limiting else None, axes)
        panel.set_xlabel(f"{'xyz'[axes[0]]} (mm)")
        panel.set_ylabel(f"{'xyz'[axes[1]]} (mm)", labelpad=1.0)
    _motors(panels[0], model.robot)
    panels[0].set_title("from above", loc="left", fontsize=8.5)
    panels[1].set_title("from the side", loc="left", fontsize=8.5)
    _legend(figure, panels[0])
    what = "the path in the workspace" if samples is not None else "the robot at its home, and its workspace"
    return Drawing(figure, f"{section.title}: {what}, from above and from the side")


def _views(x: np.ndarray, scene: Scene | None, wide: int) -> tuple[Figure, list[Any]]:
    """Two panels whose millimetres are equally long, side by side."""
    low, high = x[:, :3].min(axis=0), x[:, :3].max(axis=0)
    if scene is not None:
        low, high = np.minimum(low, scene.low), np.maximum(high, scene.high)
    middle, half = 500.0 * (low + high), 500.0 * _ROOM * np.maximum(high - low, 0.05)
    spans = half[[0, wide]], half[[1, 2]]
    inner = WIDTH - _LEFT - _RIGHT - _GAP
    # Inches a millimetre: the two widths fill the figure.
    scale = inner / float(2.0 * spans[0].sum())
    height = 2.0 * scale * float(spans[1].max())
    total = height + _BOTTOM + _TOP
    figure = new_figure(WIDTH, total)
    figure.set_layout_engine("none")
    panels, left = [], _LEFT
    for across, axes in zip(spans[0], ((0, 1), (wide, 2)), strict=True):
        width = 2.0 * scale * float(across)
        panel: Any = figure.add_axes((left / WIDTH, _BOTTOM / total, width / WIDTH, height / total))
        panel.set_xlim(middle[axes[0]] - across, middle[axes[0]] + across)
        panel.set_ylim(*(middle[axes[1]] + np.array([-1.0, 1.0]) * height / (2.0 * scale)))
        panel.locator_params(nbins=6)
        panels.append(panel)
        left += width + _GAP
    return figure, panels


def _robot(panel: Any, scene: Scene, axes: tuple[int, int]) -> None:
    """Arms in their motors' colours, the other links thin and grey."""
    from matplotlib.collections import LineCollection

    for group in scene.links:
        if group.name == "tool":
            continue
        lines = 1e3 * np.stack([group.start[0], group.end[0]], axis=1)[..., list(axes)]
        arms = group.name == "arms"
        width = {"arms": 2.6, "base": 2.2, "rods": 1.0}.get(group.name, 1.4)
        colours = list(group.colours) if arms else COLOURS["grey"]
        panel.add_collection(LineCollection(list(lines), colors=colours, linewidths=width, alpha=0.75 if arms else 1.0))


def _motors(panel: Any, robot: Robot) -> None:
    """Motors of the arms with their numbers, from above."""
    for i, point in enumerate(1e3 * stance(robot).base[:, :2]):
        panel.plot(*point, "o", color=hue(i), markersize=5)
        panel.annotate(str(i + 1), point, textcoords="offset points", xytext=(4, 4), fontsize=8)


def _region(panel: Any, scene: Scene, axes: tuple[int, int]) -> None:
    style = {"linestyle": "--", "color": COLOURS["green"], "linewidth": 1.2}
    if not scene.region:
        return
    if axes == (0, 1):
        panel.plot(*(1e3 * scene.region[0][:, list(axes)].T), label="workspace of the file", **style)
        return
    points = 1e3 * np.concatenate(scene.region)[:, list(axes)]
    (x0, z0), (x1, z1) = points.min(axis=0), points.max(axis=0)
    panel.plot([x0, x1, x1, x0, x0], [z0, z0, z1, z1, z0], **style)


def _path(panel: Any, x: np.ndarray, reached: np.ndarray, axes: tuple[int, int], *, moving: bool) -> None:
    way = 1e3 * x[:, list(axes)]
    if moving:
        panel.plot(*way.T, color=COLOURS["blue"], linewidth=1.8, label="path")
    name = "start" if moving else "home"
    panel.plot(*way[0], "s", color=COLOURS["black"], markersize=7, fillstyle="none", label=name)
    if not reached.all():
        style = {"color": COLOURS["red"], "markersize": 3.0, "linestyle": ""}
        panel.plot(*way[~reached].T, "o", label="out of reach", **style)


def _worst(panel: Any, place: Place | None, axes: tuple[int, int]) -> None:
    if place is not None and place.pose:
        style = {"color": COLOURS["red"], "markersize": 8, "markeredgewidth": 2.0, "linestyle": ""}
        panel.plot(
            1e3 * place.pose[axes[0]], 1e3 * place.pose[axes[1]], "x", label="what the verdict rests on", **style
        )


def _legend(figure: Figure, panel: Any) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="lower center", ncols=2, frameon=False, fontsize=7.5, borderaxespad=0.2, columnspacing=1.5
    )
