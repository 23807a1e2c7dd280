"""`parapick torque`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parapick.cli.answers import at_pose, named
from parapick.cli.arguments import Amount, Json, Mode, RobotName, load_with_masses, series
from parapick.cli.drives import share_cells, share_heads, shares
from parapick.cli.exits import UNREACHABLE
from parapick.cli.files import check_target
from parapick.cli.states import SINGULAR, payload_text, rod_letters
from parapick.cli.tables import headline, number, place_text, print_json, print_table, say
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from parapick.model import Model


def torque(
    robot: RobotName,
    /,
    *,
    pose: Amount = None,
    rate: Amount = None,
    acceleration: Amount = None,
    csv: str | None = None,
    out: str | None = None,
    payload: Amount = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Torques of the motors, at one state or along a motion.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        pose: One state: x,y,z or x,y,z,yaw, such as 0.1,0,-700mm,30deg.
        rate: Its rate, such as 1,0,0 or 500mm/s,0,0,90deg/s; at rest if not given.
        acceleration: Its acceleration, such as 50,0,0 or 0,0,20m/s2; none if not given.
        csv: A motion: a file with columns t,x,y,z or t,x,y,z,yaw (s, m, rad); rates and payload may follow.
        out: Write torques and speeds of every sample of the motion into this CSV file.
        payload: Mass in the tool, such as 500g; none, or that of the motion, if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.answer.plain import finite

    if (pose is None) == (csv is None):
        raise ParapickError("give one state by --pose x,y,z or a motion by --csv FILE")
    if pose is not None and out is not None:
        raise ParapickError("--out goes with --csv: it takes the samples of a motion")
    if csv is not None and (rate is not None or acceleration is not None):
        raise ParapickError("--rate and --acceleration go with --pose; a motion has them in its file")
    model = load_with_masses(robot, mode, payload)
    if csv is not None:
        from parapick.cli.torque_motion import print_motion, torque_motion

        target = None if out is None else check_target(out, (".csv",))
        answer = torque_motion(model, csv, target, held=payload is not None)
        show = print_motion
    else:
        answer, show = _state(model, str(pose), rate, acceleration), _print
    answer = finite(answer)
    if as_json:
        print_json(answer)
    else:
        show(model, answer)
    return 0 if answer["reachable"] else UNREACHABLE


def _state(model: Model, pose: str, rate: str | None, acceleration: str | None) -> dict[str, Any]:
    import numpy as np

    from parapick.model.ride import SHARING

    robot = model.robot
    x = series(robot, "--pose", pose)
    xd = series(robot, "--rate", rate or "0,0,0", order=1)
    xdd = series(robot, "--acceleration", acceleration or "0,0,0", order=2)
    torques = model.inverse_dynamics(x, xd, xdd)
    answer = at_pose(model, x)
    if answer["reachable"] and np.isnan(torques).any():
        answer |= {"reachable": False, "reason": SINGULAR}
    parts, inner = model.torque_parts(x, xd, xdd), model.inner_forces(x, xd, xdd)
    load = model.drive_torque(x, xd, xdd, sharing=SHARING)
    motors = [
        {
            "motor": i + 1,
            "torque": float(torques[i]),
            "parts": {name: float(values[i]) for name, values in parts.items()},
            "motor_torque": float(load.torque[i]),
            "motor_speed": float(load.speed[i]),
            **shares(model.motors, i, float(load.torque[i]), float(load.torque[i]), float(load.speed[i])),
        }
        for i in range(robot.motors)
    ]
    rods = [
        {"leg": i + 1, "axial_elbow": inner.axial_elbow[i].tolist(), "axial_plate": inner.axial_plate[i].tolist()}
        for i in range(robot.arms)
    ]
    return {
        **answer,
        "rate": named(robot, xd),
        "acceleration": named(robot, xdd),
        "payload": model.payload.mass,
        "sharing": "least-norm" if robot.redundant else None,
        "motor_sharing": SHARING if robot.redundant else None,
        "motors": motors,
        "rods": rods,
    }


def _print(model: Model, answer: dict[str, Any]) -> None:
    lines = [_moving(answer["rate"], answer["acceleration"]), payload_text(answer)]
    headline(model, f"at {place_text(answer['pose'])}", *filter(None, lines))
    if answer["reachable"]:
        motors = answer["motors"]
        names = list(motors[0]["parts"])
        cells = [
            (str(m["motor"]), number(m["torque"], 4), *(number(m["parts"][name], 4) for name in names)) for m in motors
        ]
        units = model.motors
        title = f"{units.word} at the joints ({units.torque_unit}), and what it is spent on"
        print_table(("motor", units.word, *names), cells, numbers=range(len(names) + 2), title=title)
        say()
        letters = rod_letters(model.robot)
        own = (f"{units.word} ({units.torque_unit})", f"speed ({units.speed_unit})")
        heads = ("motor", *own, *share_heads(motors), *(f"rod{a} (N)" for a in letters))
        cells = [
            (
                str(m["motor"]),
                number(m["motor_torque"], 4),
                number(m["motor_speed"], 2),
                *share_cells(motors, m),
                *_rod_forces(answer["rods"], m["motor"], len(letters)),
            )
            for m in motors
        ]
        title = "at the motor shafts, with friction and gearbox; axial force of the rods, tension positive"
        print_table(heads, cells, numbers=range(len(heads)), title=title)
        if None in answer["rods"][0]["axial_plate"]:
            say()
            say("no finite forces of the rods keep the plate level: an internal singularity")
        if model.robot.redundant:
            say()
            say("more motors than freedoms: the motors share by least norm")
    else:
        say(f"out of reach: {answer['reason']}")


def _moving(rate: dict[str, float], acceleration: dict[str, float]) -> str:
    told = []
    for word, values, per in (("rate", rate, "/s"), ("acceleration", acceleration, "/s2")):
        parts = [f"{name} {v:g} {'rad' if name == 'yaw' else 'm'}{per}" for name, v in values.items() if v]
        told += [f"{word} {', '.join(parts)}"] if parts else []
    return "; ".join(told) or "at rest"


def _rod_forces(rods: list[dict[str, Any]], motor: int, count: int) -> list[str]:
    """Of each rod of a leg the larger of the forces at its ends, which differ by what moves the rod itself."""
    if motor > len(rods):
        return [""] * count
    ends = zip(rods[motor - 1]["axial_elbow"], rods[motor - 1]["axial_plate"], strict=True)
    return ["-" if None in pair else number(max(pair, key=abs), 2) for pair in ends]
