"""The robot as a still picture: for print, and where a replay cannot be shown.

A parallel projection of the scene, seen from the side and a little from above, the nearest links drawn last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.model import Model
from parapick.motion import Motion
from parapick.report.canvas import COLOURS
from parapick.report.items import Items, items_of
from parapick.report.plot import Curve, Item, Marks, Panel, polyline
from parapick.report.plot.paper import paper_figure
from parapick.report.scene import Scene, robot_scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_AZIMUTHS: Final = (-62.0, 28.0)
"""Directions from which a robot is seen, a quarter turn apart (deg)."""

_ELEVATION: Final = 17.0
"""How far above the horizon the eye stands (deg)."""

_PATH_POINTS: Final = 400
"""Points of a path that are drawn."""

_GHOST: Final = 0.28
"""Opacity of a second pose."""

_RIM: Final = 0.0025
"""Width of the dark rim of a link as a share of the picture."""

_GRID: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Widths of the floor's squares (m) to choose from."""

_SQUARES: Final = 14
"""Most squares along a side of the floor."""


@final
@dataclass(frozen=True)
class View:
    """A parallel projection.

    Attributes:
        azimuth: where the eye stands (deg).
        elevation: how far above the horizon it stands (deg).
    """

    azimuth: float
    elevation: float = _ELEVATION

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Points (..., 3) as the picture's coordinates to the right and up, and how near they are (..., 3), m.

        Args:
            points: the points (..., 3), m.
        """
        (ca, ce), (sa, se) = (of(np.radians([self.azimuth, self.elevation])) for of in (np.cos, np.sin))
        return points @ np.array([[-sa, -se * ca, ce * ca], [ca, -se * sa, ce * sa], [0.0, ce, se]])

    def flat(self, points: np.ndarray) -> np.ndarray:
        """The picture's coordinates alone (..., 2), m.

        Args:
            points: the points (..., 3), m.
        """
        return self.seen(points)[..., :2]

    def line(self, points: np.ndarray, colour: str, width: float, dash: str = "-", label: str = "") -> Curve:
        """A line through points.

        Args:
            points: the points (n, 3), m.
            colour: name of a colour of `COLOURS`.
            width: width (pixels).
            dash: kind of line.
            label: what the legend calls it.
        """
        return polyline(self.flat(points), COLOURS[colour], width, dash, label)


def robot_picture(model: Model, motion: Motion | None = None) -> Figure | None:
    """Draw a robot at the start of a motion and, faintly, halfway through it; None where it reaches neither.

    Args:
        motion: the motion; without one the robot stands at its home.
    """
    panels = robot_panels(model, motion)
    return paper_figure(panels[:1], 5.6) if panels else None


def robot_panels(model: Model, motion: Motion | None = None) -> tuple[Panel, ...]:
    """The picture of `robot_picture` from two sides; none where it reaches neither pose.

    Args:
        motion: the motion; without one the robot stands at its home.
    """
    if motion is None:
        x, path, items = np.array([model.robot.home]), None, None
    else:
        moments = np.array([0.0, 0.5 * motion.duration])
        x, items = motion.at(moments).x, items_of(motion, moments)
        path = motion.at(np.linspace(0.0, motion.duration, _PATH_POINTS)).x
    reached = np.isfinite(model.inverse_kinematics(x)).all(axis=-1)
    if not reached.any():
        return ()
    kept = None if items is None else Items(items.tops[reached], items.shown[reached], items.belts)
    scene, ghost = robot_scene(model, x[reached], path, kept), 1 if reached.all() and len(x) > 1 else None
    first, *others = (_panel(scene, View(azimuth), ghost) for azimuth in _AZIMUTHS)
    # One legend is enough for all.
    return (
        first,
        *(replace(panel, aside="", items=tuple(replace(i, label="") for i in panel.items)) for panel in others),
    )


def _panel(scene: Scene, view: View, ghost: int | None) -> Panel:
    step, corners = _floor(scene)
    heights = (scene.floor, scene.high[2])
    across, up = view.flat(np.array([[x, y, z] for x in corners[:, 0] for y in corners[:, 1] for z in heights])).T
    triad = _triad(scene, view, corners)
    # The names of the axes stand within the picture, too.
    across = np.concatenate([across, *(item.x for item in triad)])
    up = np.concatenate([up, *(item.y for item in triad)])
    room = 0.04 * max(np.ptp(across), np.ptp(up))
    items: list[Item] = _floor_lines(scene, view, step, corners)
    items += [view.line(belt[[0, 1, 2, 3, 0]], "black", 1.2, "-", "belt") for belt in scene.belts]
    if ghost is not None:
        items += _links(scene, view, ghost, _GHOST)
    items += [view.line(line, "green", 1.4, "--", "workspace of the file") for line in scene.region]
    items += _links(scene, view, 0, 1.0)
    if len(scene.path):
        items.append(view.line(scene.path, "red", 2.4, "-", "path of the task point"))
    return Panel(
        "",
        (*items, *triad),
        (float(across.min() - room), float(across.max() + room)),
        (float(up.min() - room), float(up.max() + room)),
        aside=f"squares of {1e3 * step:g} mm",
        equal=True,
        axes=False,
    )


def _floor(scene: Scene) -> tuple[float, np.ndarray]:
    """Width of the floor's squares, and its smallest and largest corner (2, 2), m, on whole squares."""
    low, high = scene.low[:2], scene.high[:2]
    step = next((size for size in _GRID if max(high - low) / size <= _SQUARES), _GRID[-1])
    return step, np.stack([np.floor(low / step), np.ceil(high / step)]) * step


def _floor_lines(scene: Scene, view: View, step: float, corners: np.ndarray) -> list[Item]:
    """The squares of the floor, as one broken line."""
    (x0, y0), (x1, y1) = corners
    z, gap = scene.floor, (np.nan, np.nan, np.nan)
    points = [p for x in np.arange(x0, x1 + step / 2, step) for p in ((x, y0, z), (x, y1, z), gap)]
    points += [p for y in np.arange(y0, y1 + step / 2, step) for p in ((x0, y, z), (x1, y, z), gap)]
    return [view.line(np.array(points), "grey", 0.7)]


def _links(scene: Scene, view: View, pose: int, opacity: float) -> Sequence[Item]:
    """Every link as a thick line, the farthest first; with a dark rim, unless one can look through it."""
    ends = view.seen(np.concatenate([np.stack([group.start[pose], group.end[pose]], axis=1) for group in scene.links]))
    widths = 2.0 * np.concatenate([group.radius for group in scene.links])
    hidden = np.concatenate([(group.start[pose] == group.end[pose]).all(axis=-1) for group in scene.links])
    colours = [colour for group in scene.links for colour in group.colours]
    rim = _RIM * float(np.linalg.norm(scene.high - scene.low))
    return [
        Curve(ends[i, :, 0], ends[i, :, 1], colour, opacity=opacity, thickness=max(float(widths[i]), rim) + more)
        for i in np.argsort(ends[..., 2].mean(axis=1))
        for colour, more in ((COLOURS["black"], rim), (colours[i], 0.0))
        if (opacity == 1.0 or not more) and not hidden[i]
    ]


def _triad(scene: Scene, view: View, corners: np.ndarray) -> list[Curve | Marks]:
    """Lines along the axes with their names, at the leftmost corner of the floor."""
    length = 0.12 * float(np.ptp(corners, axis=0).max())
    start = min(
        (np.array([x, y, scene.floor]) for x in corners[:, 0] for y in corners[:, 1]), key=lambda p: view.flat(p)[0]
    )
    items: list[Curve | Marks] = []
    for name, colour, axis in zip("xyz", ("blue", "red", "green"), np.eye(3), strict=True):
        items.append(view.line(np.array([start, start + length * axis]), colour, 2.6))
        tip = view.flat(start + 1.12 * length * axis)
        items.append(Marks(tip[:1], tip[1:], COLOURS[colour], size=0.1, texts=(name,)))
    return items
