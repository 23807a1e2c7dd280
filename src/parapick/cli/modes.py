"""`parapick modes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parapick.answer.plain import finite
from parapick.cli.answers import at_pose, named
from parapick.cli.app import UNREACHABLE
from parapick.cli.arguments import Coordinate, Json, Mode, RobotName, load, pose_given
from parapick.cli.tables import (
    DEGREES,
    MILLI,
    alarm,
    headline,
    number,
    place_text,
    print_json,
    print_table,
    say,
)

if TYPE_CHECKING:
    import numpy as np

    from parapick.mechanism.drive import Axis
    from parapick.model import Model

__all__ = ["modes"]


def modes(
    robot: RobotName,
    x: Coordinate | None = None,
    y: Coordinate | None = None,
    z: Coordinate | None = None,
    yaw: Coordinate | None = None,
    /,
    *,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Working modes with the room they leave, and assembly modes, at a pose.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: at the robot's home.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        mode: Working mode whose joint angles the assembly modes are of; the robot's own if not given.
        as_json: Print one JSON document instead.
    """
    model = load(robot, mode)
    vector = pose_given(model.robot, (x, y, z), yaw) or list(model.robot.home)
    answer = finite(_answer(model, vector, load(robot, None).working_mode.signs))
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return 0 if answer["reachable"] else UNREACHABLE


def _answer(model: Model, vector: list[float], default: str) -> dict[str, Any]:
    answer = {**at_pose(model, vector), "q": [], "without_radius": [], "working_modes": [], "assembly_modes": []}
    if model.reach(vector).closes:
        q = model.inverse_kinematics(vector)
        answer["q"] = q.tolist()
        answer["without_radius"] = list(model.clearance(vector).without_radius)
        answer["working_modes"] = _working_modes(model, vector, default)
        answer["assembly_modes"] = _assembly_modes(model, vector, q)
    return answer


def _working_modes(model: Model, vector: list[float], default: str) -> list[dict[str, Any]]:
    from parapick.model import mode_clearances

    return [
        {
            "name": entry.mode.name,
            "signs": entry.mode.signs,
            "default": entry.mode.signs == default,
            "clearance": entry.distance,
            "closest": entry.closest,
            "arms_apart": entry.arms,
            "free": entry.distance > 0,
            "exceeded": str(model.with_working_mode(entry.mode.signs).reach([vector]).cause[0]) or None,
        }
        for entry in mode_clearances(model, vector)
    ]


def _assembly_modes(model: Model, vector: list[float], q: np.ndarray) -> list[dict[str, Any]]:
    import numpy as np

    from parapick.model.assembly import SAME

    found = []
    for solution in model.assembly_modes(q):
        signs = _elbows(model, solution, q)
        clearance = model.with_working_mode(signs).clearance(solution)
        found.append(
            {
                "pose": named(model.robot, solution),
                "given": bool(np.max(np.abs(solution - vector)) < SAME),
                "elbows": signs,
                "clearance": float(clearance.distance),
                "free": bool(clearance.distance > 0),
            }
        )
    return found


def _elbows(model: Model, solution: np.ndarray, q: np.ndarray) -> str:
    """Working mode in which the robot stands at a pose with these joint angles: of each leg, the nearer of two."""
    import numpy as np

    arms = model.robot.arms
    plus, minus = (model.with_working_mode(sign * arms).inverse_kinematics(solution)[:arms] for sign in "+-")
    # Whole turns apart is the same angle.
    far, near = (np.abs(np.sin((angles - q[:arms]) / 2)) for angles in (minus, plus))
    return "".join("+" if a <= b else "-" for a, b in zip(near, far, strict=True))


def _print(model: Model, answer: dict[str, Any]) -> None:
    headline(model, f"at {place_text(answer['pose'])}")
    if answer["working_modes"]:
        _print_working(answer)
        say()
        _print_assembly(model.robot.limb.axis, answer)
        say()
    say("the pose can be reached" if answer["reachable"] else f"out of reach: {answer['reason']}")


def _print_working(answer: dict[str, Any]) -> None:
    entries = answer["working_modes"]
    limited = any(entry["exceeded"] for entry in entries)
    heads = ["elbows", "working mode", "clearance (mm)", "nearest links", "arms (mm)", "collision"]
    cells = [
        [
            entry["signs"],
            ("" if entry["name"] == entry["signs"] else entry["name"]) + (" (default)" if entry["default"] else ""),
            number(entry["clearance"], 1, MILLI),
            entry["closest"],
            number(entry["arms_apart"], 1, MILLI),
            "free" if entry["free"] else alarm("collides"),
            *([entry["exceeded"] or ""] if limited else []),
        ]
        for entry in entries
    ]
    free = sum(entry["free"] for entry in entries)
    title = f"{len(entries)} working modes, {free} free of collision, most room first"
    print_table([*heads, *(["exceeds"] if limited else [])], cells, numbers=(2, 4), title=title)
    if answer["without_radius"]:
        say(f"the file gives no radius of the {' and '.join(answer['without_radius'])}: they count as lines")


def _print_assembly(axis: Axis, answer: dict[str, Any]) -> None:
    entries = answer["assembly_modes"]
    names = list(answer["pose"])
    heads = ["", *(f"{name} (deg)" if name == "yaw" else f"{name} (m)" for name in names)]
    cells = [
        [
            str(index),
            *(number(v, 3, DEGREES) if k == "yaw" else number(v, 5) for k, v in entry["pose"].items()),
            entry["elbows"],
            "free" if entry["free"] else alarm("collides"),
            "the pose itself" if entry["given"] else "",
        ]
        for index, entry in enumerate(entries, start=1)
    ]
    places = axis.unit == "m"
    texts = ", ".join(number(value, 3, MILLI if places else DEGREES) for value in answer["q"])
    title = f"assembly modes of these {'places' if places else 'joint angles'}, {texts} {'mm' if places else 'deg'}"
    print_table([*heads, "elbows", "collision", ""], cells, numbers=range(len(heads)), title=title)
