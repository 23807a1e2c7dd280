"""What is reported of a workspace: sizes, shares by reason, the largest bodies inside, the range of yaw."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from parapick.cli.answers import about, named
from parapick.model.margins import MARGIN_KINDS
from parapick.model.reach import FAULTS

if TYPE_CHECKING:
    from parapick.capability.reachable import WorkspaceMap
    from parapick.mechanism import Robot
    from parapick.model import Model

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
    fits = found.slab(*heights)
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
        "volume_around_home": found.connected_volume if found.around_home else None,
        "connected": {
            "around_home": found.around_home,
            "home": _home(model, found, margin),
            "volume": found.connected_volume,
            "points": int(np.count_nonzero(found.connected)),
        },
        "counts": dict(counts),
        "shares": {name: count / total for name, count in counts.items()},
        "slab": {
            "z_min": heights[0],
            "z_max": heights[1],
            "area": float(fits.sum() * found.spacing[0] * found.spacing[1]),
            "through_home": {name: found.span(axis, robot.home[:2], *heights) for axis, name in enumerate("xy")},
            "largest_cylinder": dataclasses.asdict(found.largest_cylinder(*heights)),
            "largest_box": dataclasses.asdict(found.largest_box(*heights)),
        },
        "stated": _stated(robot, found),
        "yaw_interval": _yaw_interval(model, margin) if robot.dof == 4 else None,
        "plot": None,
    }


def _home(model: Model, found: WorkspaceMap, margin: float) -> str | None:
    """Why home does not belong to the workspace at the yaw of the grid, as a name of `WORDS`; None where it does."""
    home = np.array(model.robot.home)
    if found.yaw is not None:
        home[3] = found.yaw
    fault = FAULTS[int(model.reach(home).fault)]
    short = [name for name, value in zip(MARGIN_KINDS, model.margins(home), strict=True) if not value >= margin]
    return fault or (short[0] if short else None)


def _stated(robot: Robot, found: WorkspaceMap) -> dict[str, Any] | None:
    """The workspace of the file, and how much of it belongs to the connected part at this yaw; None without one.

    The share is counted on the grid; `whole` is proven for every place in it.
    """
    region = robot.workspace
    if region is None:
        return None
    x, y, z = np.meshgrid(*found.axes, indexing="ij", sparse=True)
    inside = (z >= region.z_min - 1e-9) & (z <= region.z_max + 1e-9)
    inside = inside & region.encloses(x, y)
    count = int(np.count_nonzero(inside))
    share = float(np.count_nonzero(inside & found.connected) / count) if count else math.nan
    return {"kind": region.kind, "share": share, "whole": share == 1 and found.contains(region)}


def _yaw_interval(model: Model, margin: float) -> dict[str, Any]:
    home = list(model.robot.home)
    interval = model.yaw_interval(home[:3], margin=margin)
    numbers = {name: float(getattr(interval, name)) for name in ("low", "high", "tool_low", "tool_high")}
    reasons = {name: str(getattr(interval, name)) or None for name in ("low_reason", "high_reason")}
    return {"pose": named(model.robot, home), **numbers, **reasons}
