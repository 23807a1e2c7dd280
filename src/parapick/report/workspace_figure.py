"""The workspace as two slices: seen from above at one height, and from the side through its middle.

Points that can be reached are drawn by whether they are connected to home.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer.words import fixed, unit_text
from parapick.capability.reachable import REASONS, WORDS, WorkspaceMap
from parapick.mechanism.robot import Robot
from parapick.mechanism.stance import stance
from parapick.report.canvas import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CUT_OFF: Final = "cut off"
"""What a point is that belongs to the workspace, but not to the connected part of it."""

_KINDS: Final = (*REASONS, _CUT_OFF)

_SHADES: Final = {
    "": "sky",
    _CUT_OFF: "pale",
    "pose": "black",
    "leg": "light",
    "joint": "orange",
    "elbow": "yellow",
    "cone": "pink",
    "yaw": "grey",
    "clearance": "red",
    "under-mobility": "black",
    "over-mobility": "blue",
    "internal": "green",
}


def workspace_figure(robot: Robot, found: WorkspaceMap, z: float | None = None) -> Figure:
    """Draw a workspace.

    Args:
        robot: the robot, whose motors and stated workspace are drawn too.
        found: its workspace.
        z: height of the view from above (m); that of home if not given.
    """
    height = float(robot.home[2] if z is None else z)
    flat = len(found.axes[2]) == 1
    figure = new_figure(6.2 if flat else 11.0, 5.6)
    panels = figure.subplots(1, 1 if flat else 2, squeeze=False)[0]
    layer = int(np.argmin(np.abs(found.axes[2] - height)))
    kinds = np.where(found.reachable & ~found.connected, np.int8(_KINDS.index(_CUT_OFF)), found.reason)
    slices = [kinds[:, :, layer]]
    _draw(panels[0], found, slices[0], (0, 1))
    panels[0].set_title(f"from above, z = {fixed(found.axes[2][layer], 3)} m", loc="left")
    _motors(panels[0], robot, (0, 1))
    _stated(panels[0], robot, from_above=True)
    if not flat:
        row = int(np.argmin(np.abs(found.axes[1] - robot.home[1])))
        slices.append(kinds[:, row, :])
        _draw(panels[1], found, slices[1], (0, 2))
        panels[1].set_title(f"from the side, y = {fixed(found.axes[1][row], 3)} m", loc="left")
        _motors(panels[1], robot, (0, 2))
        _stated(panels[1], robot, from_above=False)
    figure.suptitle(_title(robot, found))
    shown = np.unique(np.concatenate([part.ravel() for part in slices]))
    handles = _legend(found, [_KINDS[code] for code in shown], robot)
    figure.legend(handles=handles, loc="outside lower center", ncols=2 if flat else 4, frameon=False)
    return figure


def _title(robot: Robot, found: WorkspaceMap) -> str:
    unit = unit_text("m2" if len(found.axes[2]) == 1 else "m3")
    turn = "" if found.yaw is None else f", yaw {np.degrees(found.yaw):.0f} deg"
    part = "connected to home" if found.around_home else "in the largest part"
    sizes = f"{found.volume:.3f} {unit} reachable, {found.connected_volume:.3f} {unit} {part}"
    return f"{robot.name}: {sizes}\nmargins at least {found.room.margin:g}{turn}"


def _words(kind: str, found: WorkspaceMap) -> str:
    """What a point is, for the legend."""
    if kind == "":
        return "connected to home" if found.around_home else "the largest connected part"
    if kind == _CUT_OFF:
        return "reachable, but cut off from home" if found.around_home else "reachable, in other parts"
    return WORDS[kind]


def _draw(panel: Any, found: WorkspaceMap, kinds: np.ndarray, axes: tuple[int, int]) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    colours = ListedColormap([COLOURS[_SHADES[kind]] for kind in _KINDS])
    norm = BoundaryNorm(np.arange(len(_KINDS) + 1) - 0.5, len(_KINDS))
    first, second = found.axes[axes[0]], found.axes[axes[1]]
    panel.pcolormesh(first, second, kinds.T, cmap=colours, norm=norm, shading="nearest", rasterized=True)
    panel.set_xlabel(f"{'xyz'[axes[0]]} (m)")
    panel.set_ylabel(f"{'xyz'[axes[1]]} (m)")
    panel.set_aspect("equal")


def _motors(panel: Any, robot: Robot, axes: tuple[int, int]) -> None:
    points = stance(robot).base
    panel.plot(points[:, axes[0]], points[:, axes[1]], "o", color=COLOURS["black"], markersize=6, clip_on=False)
    if axes == (0, 1):
        for number, point in enumerate(points, start=1):
            panel.annotate(str(number), point[:2], textcoords="offset points", xytext=(6, 4))


def _stated(panel: Any, robot: Robot, *, from_above: bool) -> None:
    """Outline of the workspace that the robot's file states."""
    from matplotlib.patches import Polygon, Rectangle

    region = robot.workspace
    style = {"fill": False, "edgecolor": COLOURS["red"], "linewidth": 1.8}
    if region is None:
        return
    if from_above:
        panel.add_patch(Polygon(region.outline, **style))
    else:
        left, right = region.width
        panel.add_patch(Rectangle((left, region.z_min), right - left, region.z_max - region.z_min, **style))


def _legend(found: WorkspaceMap, kinds: list[str], robot: Robot) -> list[Any]:
    """What the slices show, and nothing else."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [
        Patch(facecolor=COLOURS[_SHADES[kind]], edgecolor=COLOURS["grey"], label=_words(kind, found)) for kind in kinds
    ]
    handles.append(Line2D([], [], marker="o", linestyle="", color=COLOURS["black"], label="motors"))
    if robot.workspace is not None:
        handles.append(Line2D([], [], color=COLOURS["red"], linewidth=1.8, label="workspace of the file"))
    return handles
