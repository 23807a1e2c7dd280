"""`parapick workspace`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from parapick.answer.plain import finite
from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load
from parapick.cli.files import check_target
from parapick.cli.tables import DEGREES, busy, headline, number, print_json, print_list, print_table, say
from parapick.errors import ParameterError, ParapickError

if TYPE_CHECKING:
    from pathlib import Path

    from parapick.capability.reachable import WorkspaceMap
    from parapick.mechanism import Robot
    from parapick.model import Model

__all__ = ["workspace"]

POINTS_MIN: Final = 3
"""Points along an axis below which a grid says nothing."""

_FIGURES: Final = (".png", ".svg", ".pdf")

_STOPS: Final = {"yaw": "the yaw limit", "margin": "a margin", "clearance": "links too close"}


def workspace(
    robot: RobotName,
    /,
    *,
    plot: str | None = None,
    spacing: Amount = None,
    yaw: Amount = None,
    margin: Amount = None,
    z: Amount = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Where a robot can go, and what stops it elsewhere.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        plot: Draw it into this .png, .svg or .pdf file.
        spacing: Distance of the points of the grid, such as 10mm; about a million points if not given.
        yaw: Yaw of the plate, such as 30deg; that of home if not given.
        margin: Smallest margin to a singularity that still belongs to the workspace; 0.05 if not given.
        z: A height or two, such as -700mm or -750mm,-650mm; that of the file's workspace if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.cli.workspace_answer import workspace_answer

    model = load(robot, mode)
    target = None if plot is None else check_target(plot, _FIGURES)
    least = 0.05 if margin is None else amount("--margin", margin, "", least=0.0)
    found = _map(model, spacing, yaw, least)
    heights = _heights(model.robot, found, z)
    answer = finite(workspace_answer(model, found, least, heights))
    if target is not None:
        _draw(model.robot, found, sum(heights) / 2, target)
        answer["plot"] = str(target)
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return 0


def _map(model: Model, spacing: str | None, yaw: str | None, margin: float) -> WorkspaceMap:
    from parapick.capability.reachable import workspace as computed

    if yaw is not None and model.robot.dof == 3:
        raise ParameterError("--yaw", f"{model.robot.name} has no yaw")
    turn = None if yaw is None else amount("--yaw", yaw, "rad")
    step = None if spacing is None else amount("--spacing", spacing, "m")
    with busy("looking at every point of the grid"):
        if step is not None:
            _check_spacing(model, step)
        return computed(model, spacing=step, yaw=turn, margin=margin)


def _check_spacing(model: Model, step: float) -> None:
    """Refuse a spacing that leaves too few points, or asks for more than a computer can hold."""
    from parapick.capability.reachable import POINTS_MAX, box_around

    if step <= 0:
        raise ParameterError("--spacing", f"is {step:g} m; it must be greater than 0")
    low, high = box_around(model)
    sizes = [float(size) for size in high - low if size > 0]
    if min(sizes) / step < POINTS_MIN - 1:
        raise ParameterError(
            "--spacing", f"is {step:g} m, too coarse for this robot; give {min(sizes) / 10:.1g} m or less"
        )
    if math.prod(size / step + 1 for size in sizes) > POINTS_MAX:
        finest = math.prod(sizes) ** (1 / len(sizes)) / POINTS_MAX ** (1 / len(sizes))
        raise ParameterError(
            "--spacing",
            f"is {1e3 * step:g} mm; more than {POINTS_MAX:.0e} points, so give at least {1e3 * finest:.2g} mm",
        )


def _heights(robot: Robot, found: WorkspaceMap, text: str | None) -> tuple[float, float]:
    """The lowest and the highest height (m) that are meant, within the grid."""
    lowest, highest = float(found.axes[2][0]), float(found.axes[2][-1])
    if text is not None:
        parts = [amount("--z", part, "m") for part in text.split(",")]
        low, high = min(parts), max(parts)
        if len(parts) > 2 or low < lowest - 1e-9 or high > highest + 1e-9:
            span = f"{lowest:.4g} to {highest:.4g} m"
            raise ParameterError("--z", f"{text!r} is not one or two heights within the grid, {span}")
    elif robot.workspace is not None:
        low, high = robot.workspace.z_min, robot.workspace.z_max
    else:
        low = high = robot.home[2]
    return min(max(low, lowest), highest), min(max(high, lowest), highest)


def _draw(robot: Robot, found: WorkspaceMap, z: float, target: Path) -> None:
    from parapick.report.canvas import save_figure
    from parapick.report.workspace_figure import workspace_figure

    with busy("drawing"):
        try:
            save_figure(workspace_figure(robot, found, z), target)
        except OSError as error:
            raise ParapickError(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _print(model: Model, answer: dict[str, Any]) -> None:
    turn = "" if answer["yaw"] is None else f" at yaw {number(answer['yaw'], 1, DEGREES)} deg"
    headline(model, f"on a grid{turn}, margins at least {answer['margin']:g}")
    _print_sizes(answer)
    say()
    _print_points(answer)
    say()
    _print_slab(answer)
    if answer["yaw_interval"]:
        say()
        _print_yaw(answer["yaw_interval"])
    if answer["plot"]:
        say()
        say(f"drawn into {answer['plot']}")


def _print_sizes(answer: dict[str, Any]) -> None:
    from parapick.capability.reachable import WORDS

    grid, unit, part = answer["grid"], "m2" if answer["flat"] else "m3", answer["connected"]
    steps = " x ".join(f"{1e3 * step:.4g}" for step in grid["spacing"] if step > 0)
    points = " x ".join(str(count) for count in grid["points"] if count > 1)
    share = f"{100 * part['volume'] / answer['volume']:.1f} %" if answer["volume"] else "none"
    if part["around_home"]:
        which = f"of it ({share}) is connected to home: no singularity and no limit is passed on the way"
    else:
        why = WORDS[part["home"]] if part["home"] else "no point of the grid is connected to it"
        which = f"of it ({share}) is the largest connected part; home is outside ({why})"
    lines = {
        "grid": f"{points} points, {steps} mm apart",
        "reachable": f"{answer['volume']:.4f} {unit}",
        "connected": f"{part['volume']:.4f} {unit} {which}",
    }
    print_list(lines)


def _print_points(answer: dict[str, Any]) -> None:
    """Points by what they are; those that can be reached by whether they are connected."""
    from parapick.capability.reachable import WORDS

    part, total = answer["connected"], sum(answer["counts"].values())
    names = ("connected to home", "cut off from home") if part["around_home"] else ("largest part", "other parts")
    rows = {WORDS[name]: count for name, count in answer["counts"].items() if name != "reachable"}
    reachable = answer["counts"].get("reachable", 0)
    rows |= {f"reachable, {names[0]}": part["points"], f"reachable, {names[1]}": reachable - part["points"]}
    cells = [
        (name, str(count), number(100 * count / total, 2))
        for name, count in sorted(rows.items(), key=lambda row: -row[1])
        if count
    ]
    print_table(("what a point is", "points", "share (%)"), cells, numbers=(1, 2))


def _print_slab(answer: dict[str, Any]) -> None:
    slab = answer["slab"]
    low, high = slab["z_min"], slab["z_max"]
    say(f"at z {low:.4g} m" if low == high else f"at every height from z {low:.4g} m to {high:.4g} m")
    cylinder, box = slab["largest_cylinder"], slab["largest_box"]
    area = (box["x_max"] - box["x_min"]) * (box["y_max"] - box["y_min"])
    reach = [_span(name, *ends) for name, ends in slab["through_home"].items() if ends]
    lines = {
        "area": f"{slab['area']:.4f} m2",
        "from home": ", ".join(reach) or "home cannot be reached at every such height",
        "largest cylinder": f"radius {number(cylinder['radius'], 3)} m about x {number(cylinder['x'], 3)} m, "
        f"y {number(cylinder['y'], 3)} m",
        "largest box": f"{_span('x', box['x_min'], box['x_max'])}, {_span('y', box['y_min'], box['y_max'])} "
        f"({area:.4f} m2)",
    }
    stated = answer["stated"]
    if stated and stated["share"] is not None:
        lines["file's workspace"] = f"a {stated['kind']}; {_stated(stated, answer['connected']['around_home'])}"
    print_list(lines)


def _stated(stated: dict[str, Any], around_home: bool) -> str:
    """How much of the file's workspace belongs to the connected part, in words."""
    part = "is connected to home" if around_home else "belongs to the largest connected part"
    if stated["whole"]:
        return f"all of it {part}"
    if stated["share"] == 1:
        return f"every point of the grid in it {part}, but not all of it belongs to the workspace"
    return f"{100 * stated['share']:.2f} % of it {part}"


def _span(name: str, low: float, high: float) -> str:
    return f"{name} {number(low, 3)} to {number(high, 3)} m"


def _print_yaw(interval: dict[str, Any]) -> None:
    reasons = [interval["low_reason"], interval["high_reason"]]
    if all(reasons) and interval["low"] is interval["high"] is None:
        say(f"yaw at home: none, for home itself is out ({reasons[0]})")
        return
    plate, tool = (_ends(interval[f"{of}low"], interval[f"{of}high"]) for of in ("", "tool_"))
    turns = f"plate and tool {plate}" if plate == tool else f"plate {plate}, tool {tool}"
    stops = " and ".join(dict.fromkeys(_STOPS.get(str(reason), str(reason)) for reason in reasons if reason))
    say(f"yaw at home: {turns}{f'; stopped by {stops}' if stops else ''}")


def _ends(low: float | None, high: float | None) -> str:
    if low is high is None:
        return "without end"
    first, last = ("no end" if end is None else number(end, 1, DEGREES) for end in (low, high))
    return f"{first} to {last} deg"
