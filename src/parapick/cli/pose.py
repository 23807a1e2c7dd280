"""`parapick pose`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from parapick.cli.answers import at_pose
from parapick.cli.app import UNREACHABLE
from parapick.cli.arguments import Coordinate, Json, Mode, RobotName, load, task_vector
from parapick.cli.tables import DEGREES, MILLI, finite, headline, number, place_text, print_json, print_table, say

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["pose"]

_COLUMNS: Final = (
    ("q", "q (rad)", 6, 1.0),
    ("q", "q (deg)", 4, DEGREES),
    ("slack", "leg slack (mm)", 3, MILLI),
    ("joint_limit_slack", "joint slack (deg)", 3, DEGREES),
    ("elbow_limit_slack", "elbow slack (deg)", 3, DEGREES),
    ("cone_limit_slack", "cone slack (deg)", 3, DEGREES),
)


def pose(
    robot: RobotName,
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    yaw: Coordinate | None = None,
    /,
    *,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Put a robot at a pose: joint angles, slack, margins.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    model = load(robot, mode)
    answer = finite(_answer(model, task_vector(model.robot, (x, y, z), yaw)))
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return 0 if answer["reachable"] else UNREACHABLE


def _answer(model: Model, vector: list[float]) -> dict[str, Any]:
    reach, arms = model.reach(vector), model.robot.arms
    joint = {"q": model.inverse_kinematics(vector), "joint_limit_slack": reach.joints}
    arm = {"slack": reach.legs, "elbow_limit_slack": reach.elbow, "cone_limit_slack": reach.cone}
    legs = [
        {"leg": i + 1}
        | {name: float(values[i]) for name, values in joint.items()}
        | {name: float(values[i]) if i < arms else None for name, values in arm.items()}
        for i in range(model.robot.motors)
    ]
    return {
        **at_pose(model, vector),
        "legs": legs,
        "yaw_limit_slack": float(reach.yaw),
        "clearance_slack": float(reach.clearance),
        "margins": {name: float(value) for name, value in model.margins(vector)._asdict().items()},
    }


def _print(model: Model, answer: dict[str, Any]) -> None:
    headline(model, f"at {place_text(answer['pose'])}")
    # A column for a limit that the robot does not have would be empty.
    columns = [c for c in _COLUMNS if c[0] in ("q", "slack") or any(leg[c[0]] is not None for leg in answer["legs"])]
    cells = [
        (str(leg["leg"]), *(number(leg[key], digits, factor) for key, _, digits, factor in columns))
        for leg in answer["legs"]
    ]
    print_table(("leg", *(head for _, head, *_ in columns)), cells, numbers=range(len(columns) + 1))
    say()
    say(f"margins (0 is singular): {', '.join(f'{k} {number(v, 4)}' for k, v in answer['margins'].items())}")
    if answer["yaw_limit_slack"] is not None:
        say(f"yaw limit slack: {number(answer['yaw_limit_slack'], 3, DEGREES)} deg")
    if answer["clearance_slack"] is not None:
        say(f"clearance slack: {number(answer['clearance_slack'], 3, MILLI)} mm")
    say("the pose can be reached" if answer["reachable"] else f"out of reach: {answer['reason']}")
