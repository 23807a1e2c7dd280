"""The path in the workspace, from above and from the side, to one scale, with the robot that follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.answer import Answer
from parapick.evaluation import Evaluation
from parapick.mechanism import Robot, stance
from parapick.model import Model
from parapick.report.canvas import COLOURS, hue
from parapick.report.figures.drawing import Drawing
from parapick.report.figures.picks import picks_of
from parapick.report.plot import Item, Marks, Panel, polyline
from parapick.report.scene import Scene, robot_scene

_ROOM: Final = 1.06
"""How much larger a view is than what it shows."""

_LEAST: Final = 0.05
"""Least size of a view (m)."""

_WIDTHS: Final = {"arms": 3.5, "base": 3.0, "rods": 1.4}
"""Widths of links by the name of their group (pixels)."""


def path_figure(evaluation: Evaluation, section: Answer) -> Drawing | None:
    """Draw the path; without a motion, the robot at its home.

    Args:
        evaluation: robot and motion.
        section: the section of the reach.
    """
    samples, limiting = evaluation.samples, evaluation.verdict.limiting
    pose = None if limiting is None or limiting.place is None else np.array(limiting.place.pose)
    picks = picks_of(evaluation, evaluation.motion)
    part = None if picks is None or samples is None else (picks.full.name, picks.within(samples.t))
    way = None if samples is None else samples.x
    views = path_views(evaluation.model, way, pose, "what the verdict rests on", part)
    what = "the path in the workspace" if samples is not None else "the robot at its home, and its workspace"
    return Drawing(f"{section.title}: {what}, from above and from the side", views, "views")


def path_views(
    model: Model,
    way: np.ndarray | None,
    worst: np.ndarray | None = None,
    label: str = "torque nearest to its limit",
    part: tuple[str, slice] | None = None,
) -> tuple[Panel, Panel]:
    """Views from above and from the side, to one scale.

    Args:
        model: the robot, drawn where it is first within reach.
        way: poses along the path (N, dof), m and rad; without any, the robot stands at its home.
        worst: a pose to mark (dof,).
        label: what is worst there.
        part: name of a part of the path that is drawn strongly, and which poses are in it; all of it if not given.
    """
    x = np.array([model.robot.home]) if way is None else way
    reached = np.atleast_1d(np.isfinite(model.inverse_kinematics(x)).all(axis=-1))
    first = int(np.argmax(reached)) if reached.any() else None
    scene = None if first is None else robot_scene(model, x[first : first + 1], x)
    low, high = x[:, :3].min(axis=0), x[:, :3].max(axis=0)
    if scene is not None:
        low, high = np.minimum(low, scene.low), np.maximum(high, scene.high)
    middle, half = 500.0 * (low + high), 500.0 * _ROOM * np.maximum(high - low, _LEAST)

    def view(name: str, axes: tuple[int, int]) -> Panel:
        items = [*_robot(scene, axes), *_motors(model.robot, axes), *_path(x, axes, part, moving=way is not None)]
        if not reached.all():
            items.append(_marks(x[~reached], axes, "red", "dot", "out of reach", 4.0))
        if worst is not None and len(worst):
            items.append(_marks(worst[None], axes, "red", "cross", label))
        # Both views are as high as the higher one, so that they stand side by side to one scale.
        spans = (half[axes[0]], max(half[1], half[2]))
        ends = [(float(middle[a] - span), float(middle[a] + span)) for a, span in zip(axes, spans, strict=True)]
        title = f"{name}: {'xyz'[axes[1]]} (mm)"
        return Panel(title, tuple(items), ends[0], ends[1], f"{'xyz'[axes[0]]} (mm)", equal=True)

    above = view("from above", (0, 1))
    side = view("from the side", (int(np.ptp(x[:, 1]) > np.ptp(x[:, 0])), 2))
    # One legend is enough for both.
    return above, replace(side, items=tuple(replace(item, label="") for item in side.items))


def _robot(scene: Scene | None, axes: tuple[int, int]) -> list[Item]:
    """Arms in their motors' colours, the other links thin and grey, and the workspace that the file states."""
    if scene is None:
        return []
    items: list[Item] = []
    for group in (group for group in scene.links if group.name != "tool"):
        for start, end, colour in zip(group.start[0], group.end[0], group.colours, strict=True):
            ends = 1e3 * np.stack([start, end])[:, list(axes)]
            shade = colour if group.name == "arms" else COLOURS["grey"]
            items.append(polyline(ends, shade, _WIDTHS.get(group.name, 1.9)))
    if scene.region:
        items.append(polyline(1e3 * _outline(scene.region, axes), COLOURS["green"], 1.6, "--", "workspace of the file"))
    return items


def _outline(rims: Sequence[np.ndarray], axes: tuple[int, int]) -> np.ndarray:
    """Outline (n, 2), m, of a region by its rims (n, 3), lowest first: the widest from above, all from the side."""
    flat = [rim[:, list(axes)] for rim in rims]
    if axes == (0, 1):
        return max(flat, key=lambda rim: float(np.ptp(rim[:, 0])))
    left, right = (np.array([(side(rim[:, 0]), rim[0, 1]) for rim in flat]) for side in (np.min, np.max))
    return np.concatenate([left[:1], right, left[::-1]])


def _motors(robot: Robot, axes: tuple[int, int]) -> list[Item]:
    """Motors of the arms with their numbers, from above."""
    if axes != (0, 1):
        return []
    points = 1e3 * stance(robot).base[:, :2]
    return [Marks(point[:1], point[1:], hue(i), size=7.0, texts=(str(i + 1),)) for i, point in enumerate(points)]


def _path(x: np.ndarray, axes: tuple[int, int], part: tuple[str, slice] | None, *, moving: bool) -> Sequence[Item]:
    start = _marks(x[:1], axes, "black", "square", "start" if moving else "home")
    if not moving:
        return [start]
    points = 1e3 * x[:, list(axes)]
    if part is None:
        return [polyline(points, COLOURS["blue"], 2.4, label="path"), start]
    name, inside = part
    return [
        polyline(points, COLOURS["sky"], 0.9, label="path"),
        polyline(points[inside], COLOURS["blue"], 2.4, label=name),
        start,
    ]


def _marks(x: np.ndarray, axes: tuple[int, int], colour: str, shape: str, label: str, size: float = 8.0) -> Marks:
    return Marks(1e3 * x[:, axes[0]], 1e3 * x[:, axes[1]], COLOURS[colour], shape, size, label)
