"""The robot as a still picture: for print, and where a replay cannot be shown.

A parallel projection of the scene, seen from the side and a little from above, the nearest links drawn last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.model import Model
from parapick.motion import Motion
from parapick.report.canvas import COLOURS, new_figure
from parapick.report.scene import Scene, robot_scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AZIMUTH: Final = np.radians(-62.0)
_ELEVATION: Final = np.radians(17.0)
_POINTS: Final = 72.0
"""Points an inch, the unit of line widths."""

_PATH_POINTS: Final = 400
"""Points of a path that are drawn."""

_GHOST: Final = 0.28
"""Opacity of a second pose."""

_GRID: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Widths of the floor's squares (m) to choose from."""

_SQUARES: Final = 14
"""Most squares along a side of the floor."""


def robot_picture(model: Model, motion: Motion | None = None) -> Figure | None:
    """Draw a robot at the start of a motion and, faintly, halfway through it; None where it reaches neither.

    Args:
        model: the robot.
        motion: the motion; without one the robot stands at its home.
    """
    if motion is None:
        x, path = np.array([model.robot.home]), None
    else:
        x = motion.at(np.array([0.0, 0.5 * motion.duration])).x
        path = motion.at(np.linspace(0.0, motion.duration, _PATH_POINTS)).x
    x = x[np.isfinite(model.inverse_kinematics(x)).all(axis=-1)]
    if not len(x):
        return None
    return still_figure(robot_scene(model, x, path), ghost=1 if len(x) > 1 else None)


def still_figure(scene: Scene, width: float = 5.6, height: float = 5.0, ghost: int | None = None) -> Figure:
    """Draw a robot at the first pose of a scene.

    Args:
        scene: what to draw.
        width: width (inches).
        height: height (inches).
        ghost: index of a second pose, drawn faintly; none if not given.
    """
    figure = new_figure(width, height)
    figure.set_layout_engine("none")
    panel = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    panel.set_axis_off()
    step, corners = _floor(scene)
    scale = _frame(panel, scene, corners, width, height)
    _draw_floor(panel, scene, step, corners)
    if ghost is not None:
        _draw_links(panel, scene, ghost, scale, _GHOST)
    for line in scene.region:
        panel.plot(*_seen(line)[:2], "--", color=COLOURS["green"], linewidth=1.0, label="workspace of the file")
    _draw_links(panel, scene, 0, scale, 1.0)
    if len(scene.path):
        panel.plot(*_seen(scene.path)[:2], color=COLOURS["red"], linewidth=1.8, label="path of the task point")
    _triad(panel, scene, corners)
    named = dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    if named:
        panel.legend(named.values(), named.keys(), loc="upper left", frameon=False, fontsize=8)
    text = f"squares of {1e3 * step:g} mm"
    panel.text(0.99, 0.01, text, transform=panel.transAxes, ha="right", va="bottom", fontsize=8)
    return figure


def _seen(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (..., 3) as the picture's coordinates to the right and up (m), and how near they are (m)."""
    ca, sa, ce, se = np.cos(_AZIMUTH), np.sin(_AZIMUTH), np.cos(_ELEVATION), np.sin(_ELEVATION)
    x, y, z = np.moveaxis(points, -1, 0)
    toward = ca * x + sa * y
    return ca * y - sa * x, ce * z - se * toward, ce * toward + se * z


def _floor(scene: Scene) -> tuple[float, np.ndarray]:
    """Width of the floor's squares, and its smallest and largest corner (2, 2), m, on whole squares."""
    low, high = scene.low[:2], scene.high[:2]
    step = next((size for size in _GRID if max(high - low) / size <= _SQUARES), _GRID[-1])
    return step, np.stack([np.floor(low / step), np.ceil(high / step)]) * step


def _frame(panel: Any, scene: Scene, corners: np.ndarray, width: float, height: float) -> float:
    """Make everything fit, and return the points (1/72 inch) that a metre takes."""
    heights = (scene.floor, scene.high[2])
    box = np.array([[x, y, z] for x in corners[:, 0] for y in corners[:, 1] for z in heights])
    across, up, _ = _seen(box)
    size = 1.08 * max(np.ptp(across) / width, np.ptp(up) / height)
    middle = (across.max() + across.min()) / 2, (up.max() + up.min()) / 2
    panel.set_xlim(middle[0] - size * width / 2, middle[0] + size * width / 2)
    panel.set_ylim(middle[1] - size * height / 2, middle[1] + size * height / 2)
    return _POINTS / size


def _draw_floor(panel: Any, scene: Scene, step: float, corners: np.ndarray) -> None:
    from matplotlib.collections import LineCollection

    (x0, y0), (x1, y1) = corners
    ends = [[(x, y0), (x, y1)] for x in np.arange(x0, x1 + step / 2, step)]
    ends += [[(x0, y), (x1, y)] for y in np.arange(y0, y1 + step / 2, step)]
    flat = np.array(ends)
    lines = np.concatenate([flat, np.full((*flat.shape[:2], 1), scene.floor)], axis=-1)
    panel.add_collection(LineCollection(list(_flat(lines)), colors=COLOURS["grey"], linewidths=0.5))


def _flat(lines: np.ndarray) -> np.ndarray:
    return np.stack(_seen(lines)[:2], axis=-1)


def _draw_links(panel: Any, scene: Scene, pose: int, scale: float, opacity: float) -> None:
    """Every link as a thick line with a dark rim, the farthest first."""
    from matplotlib.collections import LineCollection

    lines = np.concatenate([np.stack([group.start[pose], group.end[pose]], axis=1) for group in scene.links])
    widths = 2.0 * scale * np.concatenate([group.radius for group in scene.links])
    colours = [colour for group in scene.links for colour in group.colours]
    order = np.argsort(_seen(lines)[2].mean(axis=1))
    flat = _flat(lines)
    # Rim and link of one line are neighbours in one collection, so that a nearer link covers both of a farther one.
    twice = np.repeat(order, 2)
    rims = np.tile([0.9, 0.0], len(order))
    shades = [shade for i in order for shade in (COLOURS["black"], colours[i])]
    drawn = LineCollection(
        [flat[i] for i in twice], colors=shades, linewidths=np.maximum(widths[twice], 0.8) + rims, alpha=opacity
    )
    drawn.set_capstyle("round")
    panel.add_collection(drawn)


def _triad(panel: Any, scene: Scene, corners: np.ndarray) -> None:
    """Arrows along the axes, at the corner of the floor that is nearest to the left."""
    length = 0.12 * float(np.ptp(corners, axis=0).max())
    x, y = corners[0]
    start = np.array([x, y, scene.floor])
    for name, colour, axis in zip("xyz", ("blue", "red", "green"), np.eye(3), strict=True):
        across, up, _ = _seen(np.array([start, start + length * axis, start + 1.25 * length * axis]))
        panel.plot(across[:2], up[:2], color=COLOURS[colour], linewidth=2.0)
        panel.text(across[2], up[2], name, color=COLOURS[colour], ha="center", va="center", fontsize=9)
