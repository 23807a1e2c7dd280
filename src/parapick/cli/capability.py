"""`parapick capability`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from parapick.answer.plain import finite
from parapick.cli.answers import named
from parapick.cli.app import UNREACHABLE
from parapick.cli.arguments import (
    Amount,
    Coordinate,
    Json,
    Mode,
    RobotName,
    amount,
    load_with_masses,
    pose_given,
    series,
)
from parapick.cli.capability_answer import WORDS, Given, over_workspace, values_at
from parapick.cli.motor_limits import motor_limit
from parapick.cli.states import payload_text
from parapick.cli.tables import DEGREES, headline, number, percent, place_text, print_json, print_table, say
from parapick.errors import MissingMassError, ParameterError, ParapickError

if TYPE_CHECKING:
    from parapick.model import Model

__all__ = ["capability"]


def capability(
    robot: RobotName,
    x: Coordinate | None = None,
    y: Coordinate | None = None,
    z: Coordinate | None = None,
    yaw: Coordinate | None = None,
    /,
    *,
    payload: Amount = None,
    torque: str = "peak",
    speed: str = "peak",
    rate: Amount = None,
    margin: Amount = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """What the motors allow, at a pose or over the workspace: acceleration, force, speed.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: over the workspace of the file.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        payload: Mass in the tool, such as 500g, on top of what it holds; none if not given.
        torque: peak or rated of the drives, or N m of the motors: one number, or one per motor with commas.
        speed: peak of the drives, or rad/s of the motors: one number, or one per motor with commas.
        rate: Accelerations at this rate, such as 5,0,0 or 500mm/s,0,0; at rest if not given.
        margin: Smallest margin to a singularity of the poses that are looked at; 0.05 if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    model = load_with_masses(robot, mode, payload)
    vector = pose_given(model.robot, (x, y, z), yaw)
    given = _given(model, torque, speed, rate, margin)
    answer = values_at(model, vector, given) if vector else over_workspace(model, given)
    answer = finite(answer | _said(model, given))
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return 0 if answer["reachable"] else UNREACHABLE


def _given(model: Model, torque: str, speed: str, rate: str | None, margin: str | None) -> Given:
    """The options, checked; speeds that the file does not state are left out unless they are asked for."""
    from parapick.capability.limits import joint_speeds, joint_torques
    from parapick.model.dynamics import missing_masses
    from parapick.model.margins import LEAST_MARGIN

    missing = missing_masses(model.robot)
    if missing:
        raise MissingMassError(model.robot.name, missing)
    axis = model.robot.limb.axis
    effort = axis.effort
    torques = motor_limit("--torque", torque, effort, {"peak": "peak", "rated": "rated"})
    speeds = motor_limit("--speed", speed, axis.speed, {"peak": "peak"})
    _checked(lambda: joint_torques(model, torques), "--torque", effort)
    try:
        joint_speeds(model, speeds)
    except ParameterError as error:
        if speed != "peak":
            raise ParapickError(str(error).replace("speed:", "--speed:")) from error
        speeds = None
    xd = None if rate is None else series(model.robot, "--rate", rate, order=1)
    least = LEAST_MARGIN if margin is None else amount("--margin", margin, "", least=0.0)
    return Given(torques, speeds, xd, least)


def _checked(call: Callable[[], object], option: str, unit: str) -> None:
    """Call it; an error of a field that the file does not state names the option that gives it."""
    try:
        call()
    except ParameterError as error:
        if "drive" not in error.path:
            raise ParapickError(f"--{error}") from error
        message = f"the file does not state it; add it there, or give {option} in {unit} of the motor"
        raise ParameterError(error.path, message) from error


def _said(model: Model, given: Given) -> dict[str, Any]:
    from parapick.capability.limits import joint_speeds, joint_torques

    return {
        "payload": model.payload.mass,
        "joint_torque": joint_torques(model, given.torque).tolist(),
        "joint_speed": None if given.speed is None else joint_speeds(model, given.speed).tolist(),
        "rate": None if given.rate is None else named(model.robot, given.rate),
    }


def _print(model: Model, answer: dict[str, Any]) -> None:
    from parapick.cli.region import region_text

    where = f"over its workspace, margins at least {answer['margin']:g}"
    at = f"at {place_text(answer['pose'])}" if "pose" in answer else where
    lines = [] if "pose" in answer else [region_text(model.robot)]
    headline(model, at, *lines, _limits_text(model, answer), *filter(None, [payload_text(answer), _rate_text(answer)]))
    if "pose" in answer:
        rows = [
            (text, number(answer["values"][name], digits), unit) for name, text, unit, digits in _listed(model, answer)
        ]
        print_table(("", "value", "unit"), rows, numbers=(1,))
        say()
    elif answer["reachable"]:
        _print_extremes(model, answer)
        say()
    if answer["joint_speed"] is None:
        say(
            f"the file states no drive.peak_speed: give --speed in {model.motors.speed_unit} of the motor for the "
            "plate's speeds"
        )
    if "pose" in answer or answer["reachable"]:
        say(f"stiffness is per {model.robot.limb.axis.stiffness} of servo stiffness at the joint")
    if "pose" in answer:
        for kind in _near(answer):
            say(f"{kind}, below {answer['margin']:g}: what depends on it has no bounds there")
        say("the pose can be reached" if answer["reachable"] else f"out of reach: {answer['reason']}")
    else:
        out = 1.0 - answer["share"] - answer["left_out"]
        missing = f"; {percent(out)} cannot be reached" if answer["reachable_poses"] < answer["poses"] else ""
        say(f"{percent(answer['share'])} of the workspace is looked at, on {answer['poses']} poses{missing}")
        if answer["left_out"]:
            say(f"{percent(answer['left_out'])} of it is left out: nearer to a singularity than {answer['margin']:g}")


def _near(answer: Mapping[str, Any]) -> list[str]:
    """Singularities that a pose is nearer to than the margin."""
    from parapick.capability.reachable import WORDS as KINDS

    found = {kind: value for kind, value in answer["margins"].items() if value is not None}
    return [f"{KINDS[kind]}, margin {value:.2g}" for kind, value in found.items() if value < answer["margin"]]


def _listed(model: Model, answer: Mapping[str, Any]) -> list[tuple[str, str, str, int]]:
    # Of a servo in N/m the tool has some share.
    units = {"1/m2": ""} if model.robot.limb.axis.unit == "m" else {}
    words = {name: words for name, words in WORDS.items() if name in answer["values"]}
    return [(name, text, units.get(unit, unit), digits) for name, (text, unit, digits) in words.items()]


def _print_extremes(model: Model, answer: Mapping[str, Any]) -> None:
    names = model.robot.task_names
    heads = ("", "unit", "worst", *(f"{n} (deg)" if n == "yaw" else f"at {n} (m)" for n in names), "best")
    rows = []
    for name, text, unit, digits in _listed(model, answer):
        found = answer["values"][name]
        if not found:
            continue
        worst = found["worst"]
        place = (number(v, 1, DEGREES) if k == "yaw" else number(v, 3) for k, v in worst["pose"].items())
        rows.append((text, unit, number(worst["value"], digits), *place, number(found["best"]["value"], digits)))
    print_table(heads, rows, numbers=range(2, len(heads)))


def _limits_text(model: Model, answer: Mapping[str, Any]) -> str:
    motors = model.motors
    return f"{motors.word} at the joints {_spread(answer['joint_torque'])} {motors.torque_unit}" + (
        "" if answer["joint_speed"] is None else f", speed {_spread(answer['joint_speed'])} {motors.speed_unit}"
    )


def _rate_text(answer: Mapping[str, Any]) -> str:
    if answer["rate"] is None:
        return ""
    parts = (f"{name} {value:g} {'rad/s' if name == 'yaw' else 'm/s'}" for name, value in answer["rate"].items())
    return f"accelerations at the rate {', '.join(parts)}"


def _spread(values: list[float]) -> str:
    return f"{values[0]:g}" if len(set(values)) == 1 else ", ".join(f"{value:g}" for value in values)
