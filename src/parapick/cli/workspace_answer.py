"""What is told about a workspace: sizes, shares by reason, the largest bodies inside, the range of yaw."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from parapick.cli.answers import about, named

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model
    from parapick.workspace import WorkspaceMap

__all__ = ["workspace_answer"]


def workspace_answer(model: Model, found: WorkspaceMap, margin: float, heights: tuple[float, float]) -> dict[str, Any]:
    """The answer of `workspace` as plain values.

    Args:
        model: the robot.
        found: its workspace on a grid.
        margin: smallest margin that was asked for.
        heights: lowest and highest layer (m) of the slab to look at.
    """
    robot, counts = model.robot, found.counts()
    total = sum(counts.values())
    part = _around_home(robot, found)
    fits = part.slab(*heights)
    return {
        **about(model),
        "yaw": found.yaw,
        "margin": margin,
        "grid": {
            "low": [float(axis[0]) for axis in found.axes],
            "high": [float(axis[-1]) for axis in found.axes],
            "spacing": list(found.spacing),
            "points": list(found.reason.shape),
        },
        "flat": len(found.axes[2]) == 1,
        "volume": found.volume,
        "volume_around_home": None if part is found else part.volume,
        "counts": dict(counts),
        "shares": {name: count / total for name, count in counts.items()},
        "slab": {
            "z_min": heights[0],
            "z_max": heights[1],
            "area": float(fits.sum() * found.spacing[0] * found.spacing[1]),
            "through_home": _through_home(robot, part, fits),
            "largest_cylinder": dataclasses.asdict(part.largest_cylinder(*heights)),
            "largest_box": dataclasses.asdict(part.largest_box(*heights)),
        },
        "stated": _stated(robot, found),
        "yaw_interval": _yaw_interval(model, margin) if robot.dof == 4 else None,
        "plot": None,
    }


def _around_home(robot: Robot, found: WorkspaceMap) -> WorkspaceMap:
    """The part of the workspace that hangs together with home: from there a singularity would have to be passed.

    The same map where home does not belong to it.
    """
    from scipy.ndimage import label

    labels = np.zeros(found.reachable.shape, dtype=np.int32)
    label(found.reachable, output=labels)
    home = tuple(int(np.argmin(np.abs(axis - x))) for axis, x in zip(found.axes, robot.home[:3], strict=True))
    if labels[home] == 0:
        return found
    # Any reason but 0 will do: only the shape of what is left is looked at.
    return dataclasses.replace(found, reason=(labels != labels[home]).astype(found.reason.dtype))


def _through_home(robot: Robot, found: WorkspaceMap, fits: np.ndarray) -> dict[str, list[float] | None]:
    """How far the plate can go from home along x and along y, at every height of the slab (m)."""
    i, j = (int(np.argmin(np.abs(axis - home))) for axis, home in zip(found.axes[:2], robot.home[:2], strict=True))
    answer: dict[str, list[float] | None] = {}
    for name, axis, line, here in (("x", found.axes[0], fits[:, j], i), ("y", found.axes[1], fits[i, :], j)):
        gaps = np.flatnonzero(~line)
        below, above = gaps[gaps < here], gaps[gaps > here]
        first = int(below[-1]) + 1 if len(below) else 0
        last = int(above[0]) - 1 if len(above) else len(line) - 1
        answer[name] = [float(axis[first]), float(axis[last])] if line[here] else None
    return answer


def _stated(robot: Robot, found: WorkspaceMap) -> dict[str, Any] | None:
    """The workspace of the file, and how much of it can be reached at this yaw; None without one."""
    region = robot.workspace
    if region is None:
        return None
    x, y, z = np.meshgrid(*found.axes, indexing="ij", sparse=True)
    inside = (z >= region.z_min - 1e-9) & (z <= region.z_max + 1e-9)
    if region.kind == "cylinder":
        inside = inside & ((x - region.x) ** 2 + (y - region.y) ** 2 <= region.radius**2)
    else:
        inside = inside & (x >= region.x_min) & (x <= region.x_max) & (y >= region.y_min) & (y <= region.y_max)
    count = int(np.count_nonzero(inside))
    share = float(np.count_nonzero(inside & found.reachable) / count) if count else math.nan
    return {"kind": region.kind, "share": share}


def _yaw_interval(model: Model, margin: float) -> dict[str, Any]:
    home = list(model.robot.home)
    interval = model.yaw_interval(home[:3], margin=margin)
    numbers = {name: float(getattr(interval, name)) for name in ("low", "high", "tool_low", "tool_high")}
    reasons = {name: str(getattr(interval, name)) or None for name in ("low_reason", "high_reason")}
    return {"pose": named(model.robot, home), **numbers, **reasons}
