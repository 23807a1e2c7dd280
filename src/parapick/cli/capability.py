"""`parapick capability`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from parapick.cli.answers import about, at_pose, named
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
from parapick.cli.states import payload_text
from parapick.cli.tables import DEGREES, busy, finite, headline, number, place_text, print_json, print_table, say
from parapick.errors import ParameterError, ParapickError

if TYPE_CHECKING:
    import numpy as np

    from parapick.model import Model

__all__ = ["capability"]

_AXES: Final = {"along_x": (1, 0, 0), "along_y": (0, 1, 0), "upward": (0, 0, 1), "downward": (0, 0, -1)}

_WORDS: Final = {
    "acceleration_any": ("acceleration in any direction", "m/s2", 2),
    "acceleration_best": ("acceleration in the best direction", "m/s2", 2),
    "acceleration_ratio": ("best over any", "", 3),
    "along_x": ("acceleration along x", "m/s2", 2),
    "along_y": ("acceleration along y", "m/s2", 2),
    "upward": ("acceleration upward", "m/s2", 2),
    "downward": ("acceleration downward", "m/s2", 2),
    "yaw_reserve": ("yaw acceleration, both ways", "rad/s2", 1),
    "ellipsoid_smallest": ("smallest radius of the ellipsoid, no gravity", "m/s2", 2),
    "force_any": ("force in any direction at rest", "N", 1),
    "force_best": ("force in the best direction at rest", "N", 1),
    "payload_held": ("payload that can be held", "kg", 2),
    "speed_any": ("speed in any direction", "m/s", 3),
    "speed_best": ("speed in the best direction", "m/s", 3),
    "stiffness_smallest": ("smallest stiffness by servos", "1/m2", 3),
    "stiffness_ratio": ("largest over smallest stiffness", "", 3),
}
"""Quantity in the answer: what it is called, its unit, digits."""

_LOW: Final = ("acceleration_ratio", "stiffness_ratio")
"""Quantities of which less is better."""


@dataclasses.dataclass(frozen=True)
class _Given:
    """What the options say: torques and speeds as the library takes them, and the rate (dof,), None at rest."""

    torque: Any
    speed: Any
    rate: list[float] | None


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
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """What the motors allow, at a pose or over the workspace: accelerations, forces, speeds, stiffness.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: over the workspace of the file.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        payload: Mass in the tool, such as 500g; none if not given.
        torque: peak or rated of the drives, or N m of the motors: one number, or one a motor with commas.
        speed: peak of the drives, or rad/s of the motors: one number, or one a motor with commas.
        rate: Accelerations at this rate, such as 5,0,0 or 500mm/s,0,0; at rest if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    model = load_with_masses(robot, mode, payload)
    vector = pose_given(model.robot, (x, y, z), yaw)
    given = _given(model, torque, speed, rate)
    answer = _at_pose(model, vector, given) if vector else _over_workspace(model, given)
    answer = finite(answer | _said(model, given))
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return 0 if answer["reachable"] else UNREACHABLE


def _given(model: Model, torque: str, speed: str, rate: str | None) -> _Given:
    """The options, checked; speeds that the file does not state are left out unless they are asked for."""
    from parapick.capability.limits import joint_speeds, joint_torques

    torques = _numbers("--torque", torque, ("peak", "rated"), "N m")
    speeds: Any = _numbers("--speed", speed, ("peak",), "rad/s")
    _checked(lambda: joint_torques(model, torques), "--torque", "N m")
    try:
        joint_speeds(model, speeds)
    except ParameterError as error:
        if speed != "peak":
            raise ParapickError(str(error).replace("speed:", "--speed:")) from error
        speeds = None
    return _Given(torques, speeds, None if rate is None else series(model.robot, "--rate", rate, order=1))


def _numbers(option: str, text: str, words: tuple[str, ...], unit: str) -> Any:
    if text in words:
        return text
    parts = text.split(",")
    try:
        values = [amount(option, part, unit) for part in parts]
    except ParameterError as error:
        raise ParameterError(option, f"{text!r} is neither {' nor '.join(words)} nor numbers in {unit}") from error
    return values[0] if len(values) == 1 else values


def _checked(call: Callable[[], object], option: str, unit: str) -> None:
    """Call it; an error of a field that the file does not state names the option that gives it."""
    try:
        call()
    except ParameterError as error:
        if "drive" not in error.path:
            raise ParapickError(f"--{error}") from error
        message = f"the file does not state it; add it there, or give {option} in {unit} of the motor"
        raise ParameterError(error.path, message) from error


def _said(model: Model, given: _Given) -> dict[str, Any]:
    from parapick.capability.limits import joint_speeds, joint_torques
    from parapick.cli.answers import named as by_name

    return {
        "payload": model.payload.mass,
        "joint_torque": joint_torques(model, given.torque).tolist(),
        "joint_speed": None if given.speed is None else joint_speeds(model, given.speed).tolist(),
        "rate": None if given.rate is None else by_name(model.robot, given.rate),
    }


def _quantities(model: Model, given: _Given) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """Every quantity of `_WORDS` that this robot has, as a function of poses (..., dof)."""
    from parapick import capability as cap

    torque, rate = given.torque, given.rate
    found: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "acceleration_any": lambda x: cap.acceleration(model, x, rate, torque=torque).min_max,
        "acceleration_best": lambda x: cap.acceleration(model, x, rate, torque=torque).max,
        "acceleration_ratio": lambda x: cap.acceleration(model, x, rate, torque=torque).ratio,
    }
    for name, axis in _AXES.items():
        found[name] = lambda x, axis=axis: cap.acceleration_along(model, x, axis, rate, torque=torque)
    if model.robot.dof == 4:
        found["yaw_reserve"] = lambda x: cap.yaw_acceleration(model, x, rate, torque=torque).reserve
    found |= {
        "ellipsoid_smallest": lambda x: cap.ellipsoid(model, x, torque=torque).smallest,
        "force_any": lambda x: cap.force(model, x, torque=torque).min_max,
        "force_best": lambda x: cap.force(model, x, torque=torque).max,
        "payload_held": lambda x: cap.force(model, x, torque=torque).payload,
    }
    if given.speed is not None:
        found["speed_any"] = lambda x: cap.speed(model, x, speed=given.speed).any
        found["speed_best"] = lambda x: cap.speed(model, x, speed=given.speed).best
    found["stiffness_smallest"] = lambda x: cap.stiffness(model, x).smallest
    found["stiffness_ratio"] = lambda x: cap.stiffness(model, x).ratio
    return found


def _at_pose(model: Model, vector: list[float], given: _Given) -> dict[str, Any]:
    import numpy as np

    pose = np.array(vector)
    values = {name: float(quantity(pose)) for name, quantity in _quantities(model, given).items()}
    return {**at_pose(model, vector), "values": values}


def _over_workspace(model: Model, given: _Given) -> dict[str, Any]:
    import numpy as np

    from parapick.cli.region import lattice, placed, region_of, worst

    region, shares = region_of(model.robot), lattice(model.robot)
    values = {}
    with busy("looking at the poses of the workspace"):
        poses = placed(model.robot, shares)
        reachable = model.reach(poses).ok
        for name, quantity in _quantities(model, given).items():
            if name in _AXES:
                continue
            sign = -1.0 if name in _LOW else 1.0
            values[name] = {}
            for word, direction in (("worst", sign), ("best", -sign)):
                looked = _searched(model, quantity, direction)
                found = looked(poses)
                if np.isfinite(found).any():
                    value, place = worst(model.robot, shares, found, looked)
                    values[name][word] = {"value": direction * value, "pose": named(model.robot, place)}
    return {
        **about(model),
        "workspace": dataclasses.asdict(region),
        "poses": len(poses),
        "reachable_poses": int(np.count_nonzero(reachable)),
        "reachable": bool(reachable.any()),
        "reason": None,
        "values": values,
    }


def _searched(
    model: Model, quantity: Callable[[np.ndarray], np.ndarray], direction: float
) -> Callable[[np.ndarray], np.ndarray]:
    """The quantity times a sign, infinite where a pose cannot be reached."""
    import numpy as np

    def value_of(poses: np.ndarray) -> np.ndarray:
        values = direction * quantity(poses)
        return np.where(model.reach(poses).ok & ~np.isnan(values), values, np.inf)

    return value_of


def _print(model: Model, answer: dict[str, Any]) -> None:
    from parapick.cli.region import region_text

    at = f"at {place_text(answer['pose'])}" if "pose" in answer else "over its workspace"
    lines = [] if "pose" in answer else [region_text(model.robot)]
    headline(model, at, *lines, _limits_text(answer), *filter(None, [payload_text(answer), _rate_text(answer)]))
    if "pose" in answer:
        rows = [(text, number(answer["values"][name], digits), unit) for name, text, unit, digits in _listed(answer)]
        print_table(("", "value", "unit"), rows, numbers=(1,))
    else:
        _print_extremes(model, answer)
    say()
    if answer["joint_speed"] is None:
        say("the file states no drive.peak_speed: give --speed in rad/s of the motor for the plate's speeds")
    say("stiffness is per N m/rad of servo stiffness at the joint")
    if "pose" in answer:
        say("the pose can be reached" if answer["reachable"] else f"out of reach: {answer['reason']}")
    else:
        say(f"{100 * answer['reachable_poses'] / answer['poses']:.4g} % of {answer['poses']} poses can be reached")


def _listed(answer: Mapping[str, Any]) -> list[tuple[str, str, str, int]]:
    return [(name, *words) for name, words in _WORDS.items() if name in answer["values"]]


def _print_extremes(model: Model, answer: Mapping[str, Any]) -> None:
    names = model.robot.task_names
    heads = ("", "unit", "worst", *(f"{n} (deg)" if n == "yaw" else f"at {n} (m)" for n in names), "best")
    rows = []
    for name, text, unit, digits in _listed(answer):
        found = answer["values"][name]
        if not found:
            continue
        worst = found["worst"]
        place = (number(v, 1, DEGREES) if k == "yaw" else number(v, 3) for k, v in worst["pose"].items())
        rows.append((text, unit, number(worst["value"], digits), *place, number(found["best"]["value"], digits)))
    print_table(heads, rows, numbers=range(2, len(heads)))


def _limits_text(answer: Mapping[str, Any]) -> str:
    return f"torque at the joints {_spread(answer['joint_torque'])} N m" + (
        "" if answer["joint_speed"] is None else f", speed {_spread(answer['joint_speed'])} rad/s"
    )


def _rate_text(answer: Mapping[str, Any]) -> str:
    if answer["rate"] is None:
        return ""
    parts = (f"{name} {value:g} {'rad/s' if name == 'yaw' else 'm/s'}" for name, value in answer["rate"].items())
    return f"accelerations at the rate {', '.join(parts)}"


def _spread(values: list[float]) -> str:
    return f"{values[0]:g}" if len(set(values)) == 1 else ", ".join(f"{value:g}" for value in values)
