"""The workspace as two slices: seen from above at one height, and from the side through its middle.

Points that can be reached are drawn by whether they are connected to home.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.answer import fixed, unit_text
from parapick.capability.reachable import REASONS, WORDS, WorkspaceMap
from parapick.mechanism import Robot, Workspace, stance
from parapick.report.canvas import COLOURS
from parapick.report.plot import Item, Marks, Panel, Tiles, polyline
from parapick.report.plot.paper import paper_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CUT_OFF: Final = "cut off"
"""What a point is that belongs to the workspace, but not to the connected part of it."""

_KINDS: Final = (*REASONS, _CUT_OFF)

_ALONE: Final = 5e-4
"""Half the width (m) of a cell that has no neighbour."""

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


def workspace_figure(robot: Robot, workspace_map: WorkspaceMap, z: float | None = None) -> Figure:
    """Draw a workspace.

    Args:
        robot: the robot, whose motors and stated workspace are drawn too.
        workspace_map: its workspace.
        z: height of the view from above (m); that of home if not given.
    """
    panels = workspace_panels(robot, workspace_map, z)
    return paper_figure(
        panels, 11.0 if len(panels) > 1 else 6.2, columns=len(panels), title=workspace_title(workspace_map)
    )


def workspace_title(workspace_map: WorkspaceMap) -> str:
    """How large a workspace is, and with which margins."""
    unit = unit_text("m2" if len(workspace_map.axes[2]) == 1 else "m3")
    turn = "" if workspace_map.yaw is None else f", yaw {np.degrees(workspace_map.yaw):.0f} deg"
    part = "connected to home" if workspace_map.around_home else "in the largest part"
    sizes = f"{workspace_map.volume:.3f} {unit} reachable, {workspace_map.connected_volume:.3f} {unit} {part}"
    return f"{workspace_map.model.robot.name}: {sizes}; margins at least {workspace_map.room.margin:g}{turn}"


def workspace_panels(robot: Robot, workspace_map: WorkspaceMap, z: float | None = None) -> tuple[Panel, ...]:
    """The slices as panels; one where the robot is planar.

    Args:
        robot: the robot, whose motors and stated workspace are drawn too.
        workspace_map: its workspace.
        z: height of the view from above (m); that of home if not given.
    """
    height = float(robot.home[2] if z is None else z)
    layer = int(np.argmin(np.abs(workspace_map.axes[2] - height)))
    row = int(np.argmin(np.abs(workspace_map.axes[1] - robot.home[1])))
    kinds = np.where(
        workspace_map.reachable & ~workspace_map.connected, np.int8(_KINDS.index(_CUT_OFF)), workspace_map.reason
    )
    above = f"from above, z = {fixed(workspace_map.axes[2][layer], 3)} m: y (m)"
    side = f"from the side, y = {fixed(workspace_map.axes[1][row], 3)} m: z (m)"
    panels = [_slice(robot, workspace_map, kinds[:, :, layer], (0, 1), above)]
    if len(workspace_map.axes[2]) > 1:
        panels.append(_slice(robot, workspace_map, kinds[:, row, :], (0, 2), side))
    return tuple(panels)


def _slice(robot: Robot, workspace_map: WorkspaceMap, kinds: np.ndarray, axes: tuple[int, int], title: str) -> Panel:
    x, y = (_edges(workspace_map.axes[axis]) for axis in axes)
    items: list[Item] = [
        Tiles(x, y, kinds == code, COLOURS[_SHADES[_KINDS[code]]], _words(_KINDS[code], workspace_map))
        for code in np.unique(kinds)
    ]
    motors = stance(robot).base[:, list(axes)]
    numbers = tuple(str(i + 1) for i in range(len(motors))) if axes == (0, 1) else ()
    items += [Marks(motors[:, 0], motors[:, 1], COLOURS["black"], size=7.0, label="motors", texts=numbers)]
    if robot.workspace is not None:
        outline = _outline(robot.workspace, axes)
        items.append(polyline(outline, COLOURS["red"], 2.0, label="workspace of the file"))
    ends = [(float(edges[0]), float(edges[-1])) for edges in (x, y)]
    return Panel(title, tuple(items), ends[0], ends[1], f"{'xyz'[axes[0]]} (m)", equal=True)


def _edges(centres: np.ndarray) -> np.ndarray:
    """Edges (n + 1,) of cells about evenly spaced centres (n,)."""
    half = (centres[1] - centres[0]) / 2 if len(centres) > 1 else _ALONE
    return np.append(centres - half, centres[-1] + half)


def _words(kind: str, workspace_map: WorkspaceMap) -> str:
    """What a point is, for the legend."""
    if kind == "":
        return "connected to home" if workspace_map.around_home else "the largest connected part"
    if kind == _CUT_OFF:
        return "reachable, but cut off from home" if workspace_map.around_home else "reachable, in other parts"
    return WORDS[kind]


def _outline(region: Workspace, axes: tuple[int, int]) -> np.ndarray:
    """Closed outline (n, 2) of a stated workspace."""
    if axes == (0, 1):
        return np.concatenate([region.outline, region.outline[:1]])
    return region.side
