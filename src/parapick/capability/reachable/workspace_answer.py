"""A workspace on a grid, as an answer: sizes, what its points are, the largest bodies inside, the range of yaw."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Column, Table, fixed, lines
from parapick.capability.map_region import inside
from parapick.capability.reachable.workspace_map import WORDS, WorkspaceMap
from parapick.errors import ParameterError
from parapick.formulas import FAULTS
from parapick.inspection import (
    about,
    named,
    subject,
)
from parapick.mechanism import Box, Cylinder, Robot
from parapick.model import MARGIN_KINDS

_STOPS: Final = {"yaw": "the yaw limit", "margin": "a margin", "clearance": "links too close"}
"""What ends the range of yaw, in words; other reasons are words already."""

_ROUNDING: Final = 1e-9
"""Distance (m) by which a height may lie beyond the grid through rounding alone."""


def slab_heights(robot: Robot, workspace: WorkspaceMap, heights: tuple[float, ...] = ()) -> tuple[float, float]:
    """The lowest and the highest height (m) of the slab that is looked at, within the grid.

    Args:
        workspace: its workspace on a grid.
        heights: one height or two (m); those of the workspace that the robot's file states if not given, or of home.

    Raises:
        ParameterError: more than two heights, or heights beyond the grid.
    """
    lowest, highest = float(workspace.axes[2][0]), float(workspace.axes[2][-1])
    stated = robot.workspace
    ends = heights or ((robot.home[2],) if stated is None else (stated.z_min, stated.z_max))
    low, high = min(ends), max(ends)
    if heights and (len(heights) > 2 or low < lowest - _ROUNDING or high > highest + _ROUNDING):
        text = ", ".join(f"{height:g}" for height in heights)
        span = f"{lowest:.4g} to {highest:.4g} m"
        raise ParameterError("z", f"is {text} m; give one or two heights within the grid, {span}")
    return min(max(low, lowest), highest), min(max(high, lowest), highest)


def workspace_answer(workspace: WorkspaceMap, heights: tuple[float, float]) -> Answer:
    """What is said of a workspace.

    Args:
        workspace: the workspace on a grid.
        heights: lowest and highest layer (m) of the slab to look at.
    """
    model, margin = workspace.model, workspace.room.margin
    size, slab, stated = _size(workspace), _slab(workspace, heights), _stated(model.robot, workspace)
    interval = _yaw_interval(workspace) if model.robot.dof == 4 else None
    turn = "" if workspace.yaw is None else f" at yaw {fixed(math.degrees(workspace.yaw), 1)} deg"
    return Answer(
        key="workspace",
        title=subject(model, f"on a grid{turn}, margins at least {margin:g}"),
        tables=(
            lines("size", _size_texts(size)),
            _points(workspace),
            lines("slab", _slab_texts(slab, stated, around_home=workspace.around_home), _slab_title(*heights)),
        ),
        notes=() if interval is None else (_yaw_text(interval),),
        data={
            **about(model),
            "yaw": workspace.yaw,
            "margin": margin,
            **size,
            "counts": dict(workspace.counts()),
            "slab": slab,
            "stated": stated,
            "yaw_interval": interval,
        },
        headline=_headline(model.robot.name, size, margin),
    )


def _headline(robot: str, size: Mapping[str, Any], margin: float) -> str:
    """How much a robot reaches, and how much of it is connected."""
    unit, part = "m2" if size["flat"] else "m3", size["connected"]
    which = "are connected to home" if part["around_home"] else "are its largest connected part, without home"
    kept = f"with margins of at least {margin:g}"
    return f"{robot} reaches {size['volume']:.4f} {unit} {kept}; {part['volume']:.4f} {unit} of them {which}."


def _size(workspace: WorkspaceMap) -> dict[str, Any]:
    """The grid, the volumes, and whether home belongs to the connected part."""
    return {
        "grid": {
            "low": [float(axis[0]) for axis in workspace.axes],
            "high": [float(axis[-1]) for axis in workspace.axes],
            "spacing": list(workspace.spacing),
            "points": list(workspace.reason.shape),
        },
        "flat": len(workspace.axes[2]) == 1,
        "volume": workspace.volume,
        "volume_around_home": workspace.connected_volume if workspace.around_home else None,
        "connected": {
            "around_home": workspace.around_home,
            "home": _home(workspace),
            "volume": workspace.connected_volume,
            "points": int(np.count_nonzero(workspace.connected)),
        },
    }


def _home(workspace: WorkspaceMap) -> str | None:
    """Why home does not belong to the workspace at the yaw of the grid, as a name of `WORDS`; None where it does."""
    model = workspace.model
    home = np.array(model.robot.home)
    if workspace.yaw is not None:
        home[3] = workspace.yaw
    fault = FAULTS[int(model.reach(home).fault)]
    margins = zip(MARGIN_KINDS, model.margins(home), strict=True)
    return fault or next((name for name, value in margins if not value >= workspace.room.margin), None)


def _size_texts(size: Mapping[str, Any]) -> dict[str, str]:
    grid, unit, part = size["grid"], "m2" if size["flat"] else "m3", size["connected"]
    steps = " x ".join(f"{1e3 * step:.4g}" for step in grid["spacing"] if step > 0)
    points = " x ".join(str(count) for count in grid["points"] if count > 1)
    share = f"{100 * part['volume'] / size['volume']:.1f} %" if size["volume"] else "none"
    if part["around_home"]:
        which = f"of it ({share}) is connected to home: no singularity and no limit is passed on the way"
    else:
        why = WORDS[part["home"]] if part["home"] else "no point of the grid is connected to it"
        which = f"of it ({share}) is the largest connected part; home is outside ({why})"
    return {
        "grid": f"{points} points, {steps} mm apart",
        "reachable": f"{size['volume']:.4f} {unit}",
        "connected": f"{part['volume']:.4f} {unit} {which}",
    }


def _points(workspace: WorkspaceMap) -> Table:
    """Points by what they are; those that can be reached by whether they are connected."""
    counts, part = dict(workspace.counts()), int(np.count_nonzero(workspace.connected))
    reachable = counts.pop("reachable", 0)
    names = ("connected to home", "cut off from home") if workspace.around_home else ("largest part", "other parts")
    kinds = {WORDS[name]: count for name, count in counts.items()}
    kinds |= {f"reachable, {names[0]}": part, f"reachable, {names[1]}": reachable - part}
    rows = sorted(
        ((kind, count, count / workspace.reason.size) for kind, count in kinds.items() if count),
        key=lambda row: -row[1],
    )
    columns = (Column("what a point is"), Column("points"), Column("share", "", "%", 2))
    return Table("points", "", columns, tuple(rows))


def _slab(workspace: WorkspaceMap, heights: tuple[float, float]) -> dict[str, Any]:
    """What fits between two heights."""
    home = workspace.model.robot.home
    area = float(workspace.slab(*heights).sum() * workspace.spacing[0] * workspace.spacing[1])
    return {
        "z_min": heights[0],
        "z_max": heights[1],
        "area": area,
        "through_home": {name: workspace.span(axis, home[:2], *heights) for axis, name in enumerate("xy")},
        "largest_cylinder": asdict(workspace.largest_cylinder(*heights)),
        "largest_box": asdict(workspace.largest_box(*heights)),
    }


def _slab_title(low: float, high: float) -> str:
    return f"at z {low:.4g} m" if low == high else f"at every height from z {low:.4g} m to {high:.4g} m"


def _slab_texts(slab: Mapping[str, Any], stated: Mapping[str, Any] | None, *, around_home: bool) -> dict[str, str]:
    cylinder, box = Cylinder(**slab["largest_cylinder"]), Box(**slab["largest_box"])
    reach = [_span(name, *ends) for name, ends in slab["through_home"].items() if ends]
    about = f"x {fixed(cylinder.x, 3)} m, y {fixed(cylinder.y, 3)} m"
    texts = {
        "area": f"{slab['area']:.4f} m2",
        "from home": ", ".join(reach) or "home cannot be reached at every such height",
        "largest cylinder": f"radius {fixed(cylinder.radius, 3)} m about {about}",
        "largest box": f"{_span('x', box.x_min, box.x_max)}, {_span('y', box.y_min, box.y_max)} ({box.area:.4f} m2)",
    }
    if stated and not math.isnan(stated["share"]):
        texts["file's workspace"] = f"a {stated['kind']}; {_stated_text(stated, around_home=around_home)}"
    return texts


def _span(name: str, low: float, high: float) -> str:
    return f"{name} {fixed(low, 3)} to {fixed(high, 3)} m"


def _stated(robot: Robot, workspace: WorkspaceMap) -> dict[str, Any] | None:
    """The workspace of the file, and how much of it belongs to the connected part at this yaw; None without one.

    The share is counted on the grid; `whole` is proven for every place in it.
    """
    region = robot.workspace
    if region is None:
        return None
    within = inside(region, *np.meshgrid(*workspace.axes, indexing="ij", sparse=True))
    count = int(np.count_nonzero(within))
    share = float(np.count_nonzero(within & workspace.connected) / count) if count else math.nan
    return {"kind": region.kind, "share": share, "whole": share == 1 and workspace.contains(region)}


def _stated_text(stated: Mapping[str, Any], *, around_home: bool) -> str:
    part = "is connected to home" if around_home else "belongs to the largest connected part"
    if stated["whole"]:
        return f"all of it {part}"
    if stated["share"] == 1:
        return f"every point of the grid in it {part}, but between them it touches or leaves the workspace"
    return f"{100 * stated['share']:.2f} % of it {part}"


def _yaw_interval(workspace: WorkspaceMap) -> dict[str, Any]:
    model = workspace.model
    home = model.robot.home
    interval = model.yaw_interval(list(home[:3]), margin=workspace.room.margin)
    numbers = {name: float(getattr(interval, name)) for name in ("low", "high", "tool_low", "tool_high")}
    reasons = {name: str(getattr(interval, name)) or None for name in ("low_reason", "high_reason")}
    return {"pose": named(model.robot, home), **numbers, **reasons}


def _yaw_text(interval: Mapping[str, Any]) -> str:
    reasons = [interval["low_reason"], interval["high_reason"]]
    if all(reasons) and not (math.isfinite(interval["low"]) or math.isfinite(interval["high"])):
        return f"yaw at home: none, for home itself is out ({reasons[0]})"
    plate, tool = (_turn(interval[f"{of}low"], interval[f"{of}high"]) for of in ("", "tool_"))
    turns = f"plate and tool {plate}" if plate == tool else f"plate {plate}, tool {tool}"
    stops = " and ".join(dict.fromkeys(_STOPS.get(str(reason), str(reason)) for reason in reasons if reason))
    return f"yaw at home: {turns}{f'; stopped by {stops}' if stops else ''}"


def _turn(low: float, high: float) -> str:
    if not (math.isfinite(low) or math.isfinite(high)):
        return "without end"
    first, last = (fixed(math.degrees(end), 1) if math.isfinite(end) else "no end" for end in (low, high))
    return f"{first} to {last} deg"
