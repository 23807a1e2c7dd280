"""`parapick motion`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load_with_masses
from parapick.cli.drives import share_cells, share_heads
from parapick.cli.exits import UNREACHABLE
from parapick.cli.files import SAMPLES_MAX, check_target
from parapick.cli.tables import (
    DEGREES,
    MILLI,
    alarm,
    busy,
    headline,
    number,
    place_text,
    print_json,
    print_list,
    print_table,
    say,
)
from parapick.errors import ParameterError, ParapickError
from parapick.files import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from parapick.model import Model, Ride
    from parapick.motion import Motion

_MISSES: Final = 3
"""Items missed that are told one by one."""

_FIGURES: Final = (".png", ".svg", ".pdf")

_FLOORS: Final = ("slack", "margin")
"""Kinds of limits that are lower ones: 0, or next to it."""

_SHOWN: Final = {
    "": ("", 4, 1.0),
    "m": ("mm", 1, MILLI),
    "rad": ("deg", 1, DEGREES),
    "rad/s": ("rad/s", 2, 1.0),
    "rad/s2": ("rad/s2", 1, 1.0),
    "N m": ("N m", 2, 1.0),
    "N": ("N", 1, 1.0),
    "m/s": ("m/s", 3, 1.0),
    "m/s2": ("m/s2", 2, 1.0),
    "m/s3": ("m/s3", 0, 1.0),
}
"""Unit of a value -> unit, digits and factor with which it is shown."""


def motion(
    robot: RobotName,
    task: str,
    /,
    *,
    csv: str | None = None,
    plot: str | None = None,
    payload: Amount = None,
    rate: Annotated[float, Parameter(allow_leading_hyphen=True)] = 1000.0,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """Whether a robot can follow a task, how long it takes, and where each limit is nearest.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        csv: Write the motion into this CSV file: t,x,y,z[,yaw], rates, accelerations, payload (s, m, rad, kg).
        plot: Draw it into this .png, .svg or .pdf file.
        payload: Mass carried from pick to place instead of that of the task, such as 500g.
        rate: Samples a second of the CSV file (Hz).
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.answer.plain import finite
    from parapick.motion import UnreachableCornerError
    from parapick.tasks import load_task

    model = load_with_masses(robot, mode, None)
    targets = (
        None if csv is None else check_target(csv, (".csv",)),
        None if plot is None else check_target(plot, _FIGURES),
    )
    wanted = load_task(task)
    if payload is not None:
        wanted = replace(wanted, payload=amount("--payload", payload, "kg", least=0.0))
    from parapick.cli.motion_answer import BLOCKED, blocked_answer, corner_answer, made_of, motion_answer, ride_of

    try:
        made, met = made_of(model, wanted)
    except UnreachableCornerError as error:
        answer = corner_answer(model, wanted, error)
    except BLOCKED as error:
        answer = blocked_answer(model, wanted, error)
    else:
        _check_rate(rate, made, sampled=csv is not None)
        ride = ride_of(model, made)
        answer = motion_answer(wanted, made, ride, met)
        _write(made, ride, answer, targets, rate)
    answer = finite(answer)
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return 0 if answer["can_follow"] else UNREACHABLE


def _check_rate(rate: float, made: Motion, *, sampled: bool) -> None:
    if not 0.0 < rate < float("inf"):
        raise ParameterError("--rate", f"is {rate:g} Hz; it must be a finite number greater than 0")
    if sampled and rate * made.duration + 1 > SAMPLES_MAX:
        most = (SAMPLES_MAX - 1) / made.duration
        raise ParameterError("--rate", f"is {rate:g} Hz; this motion has room for {most:.3g} Hz at most")


def _write(
    made: Motion,
    ride: Ride,
    answer: dict[str, Any],
    targets: tuple[Path | None, Path | None],
    rate: float,
) -> None:
    """Write the files that are asked for, and their names into the answer."""
    csv, plot = targets
    if csv is not None:
        from parapick.cli.motion_answer import table

        write_text(csv, table(ride.model.robot.task_names, made.sample(rate)))
        answer["csv"] = str(csv)
    if plot is not None:
        _draw(ride, f"{ride.model.robot.name}: {answer['title'] or answer['task']}", plot)
        answer["plot"] = str(plot)


def _draw(ride: Ride, title: str, target: Path) -> None:
    from parapick.report.canvas import save_figure
    from parapick.report.motion_figure import motion_figure

    with busy("drawing"):
        try:
            save_figure(motion_figure(ride, title), target)
        except OSError as error:
            raise ParapickError(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _print(model: Model, answer: dict[str, Any]) -> None:
    headline(model, f"and the task {answer['task']}", *filter(None, [answer["title"]]))
    corner, name = answer["corner"], model.robot.name
    if corner:
        say(f"out of reach: corner {corner['name']!r} at {place_text(corner['pose'])}: {corner['reason']}")
        return
    if answer["reason"]:
        say(f"{name} cannot do this task: {answer['reason']}")
        return
    print_list(_times(answer))
    say()
    _print_worst(model, [*answer["peaks"], *answer["limits"]])
    say()
    _print_motors(model, answer["motors"])
    say()
    if answer["sharing"]:
        say("more motors than freedoms: the motors share by least peak")
    for text in answer["left_out"]:
        say(f"not looked at: {text}")
    broken = [limit for limit in answer["limits"] if not limit["ok"]]
    aside = ", torques left aside" if answer["left_out"] else ""
    say(f"{name} {'cannot' if broken else 'can'} follow this motion{aside}{':' if broken else ''}")
    for limit in broken:
        say(f"  {_label(limit)} is {_value(limit)} at t {limit['time']:.4f} s; {_excess(limit)}", indent="    ")
    for file, verb in (("csv", "written to"), ("plot", "drawn into")):
        if answer[file]:
            say(f"{verb} {answer[file]}")


def _times(answer: dict[str, Any]) -> dict[str, str]:
    duration, stream = answer["duration"], answer["stream"]
    if stream:
        return {"duration": f"{duration:.4f} s", **_stream(stream)}
    lines = {"duration": f"{duration:.4f} s, {60 / duration:.4g} a minute"}
    if answer["phases"]:
        phases = (f"{phase['name']} {phase['start']:.4f} to {phase['end']:.4f} s" for phase in answer["phases"])
        lines["phases"] = ", ".join(phases)
    for name, meeting in (answer["meetings"] or {}).items():
        wait = f" after a wait of {meeting['wait']:.4f} s" if meeting["wait"] else ""
        lines[name] = (
            f"met at {meeting['time']:.4f} s, {place_text(meeting['pose'])}; intercept of {meeting['intercept']:.4f} s"
            f"{wait}, {'grasp' if name == 'pick' else 'release'} from {meeting['touch']:.4f} s on"
        )
    if answer["payload"]:
        steps = (f"{step['mass']:g} kg from {step['time']:.4f} s on" for step in answer["payload"])
        lines["payload"] = ", ".join(steps)
    return lines


def _stream(stream: dict[str, Any]) -> dict[str, str]:
    """What was picked of a stream and what was not; of many misses the first few."""
    missed = stream["missed"]
    lines = {
        "picked": f"{stream['picked']} of {stream['picked'] + len(missed)} items in {stream['duration']:.2f} s, "
        f"{stream['picks_per_minute']:.4g} a minute; seed {stream['seed']}",
        "busy": f"{number(100 * stream['busy_share'], 1)} % of the time",
    }
    for count, one in enumerate(missed[:_MISSES], start=1):
        lines[f"missed {count}"] = f"seen at {one['seen']:.3f} s; {one['reason']}"
    if len(missed) > _MISSES:
        lines["missed"] = f"{len(missed) - _MISSES} more"
    return lines


def _print_worst(model: Model, rows: list[dict[str, Any]]) -> None:
    names = model.robot.task_names
    heads = ("worst case", "value", "limit", "at t (s)", *(_head(name) for name in names))
    cells = [
        (
            _label(row),
            _value(row) if row.get("ok", True) else alarm(_value(row)),
            _limit(row),
            number(row["time"], 4),
            *(_coordinate(name, row["pose"][name]) for name in names),
        )
        for row in rows
    ]
    print_table(heads, cells, numbers=range(1, len(heads)))


def _print_motors(model: Model, motors: list[dict[str, Any]]) -> None:
    moved = any(motor["motor_peak_torque"] is not None for motor in motors)
    unit, rate = model.motors.torque_unit, model.motors.speed_unit
    heads = ["motor", f"speed ({rate})", *((f"peak ({unit})", "at t (s)", f"RMS ({unit})") if moved else ())]
    cells: list[list[str | Text]] = []
    for motor in motors:
        torques = (
            number(motor["motor_peak_torque"], 3),
            number(motor["motor_peak_time"], 4),
            number(motor["motor_rms_torque"], 3),
        )
        speed = number(motor["motor_peak_speed"], 2)
        cells.append([str(motor["motor"]), speed, *(torques if moved else ()), *share_cells(motors, motor)])
    heads += share_heads(motors)
    title = "at the motor shafts: largest speed" + (", torque with friction and gearbox" if moved else "")
    print_table(heads, cells, numbers=range(len(heads)), title=title)


def _coordinate(name: str, value: float) -> str:
    return number(value, 1, DEGREES) if name == "yaw" else number(value, 3)


def _head(name: str) -> str:
    return "yaw (deg)" if name == "yaw" else f"{name} (m)"


def _label(row: dict[str, Any]) -> str:
    """A quantity with the leg or motor that it belongs to; motors have the numbers of their legs."""
    floor = row.get("kind") in _FLOORS
    name, leg = f"{row['name']} {row['kind']}" if floor else str(row["name"]), row.get("leg")
    return f"{name}, {'leg' if floor else 'motor'} {leg}" if leg else name


def _value(row: dict[str, Any]) -> str:
    if row["value"] is None:
        return "unbounded"
    unit, digits, factor = _SHOWN[row["unit"]]
    return f"{number(row['value'], digits, factor)} {unit}".strip()


def _limit(row: dict[str, Any]) -> str:
    if row["limit"] is None:
        return "-"
    unit, _, factor = _SHOWN[row["unit"]]
    return "0" if row.get("kind") in _FLOORS else f"{row['limit'] * factor:.6g} {unit}".strip()


def _excess(limit: dict[str, Any]) -> str:
    """By how much a limit is broken."""
    unit, digits, factor = _SHOWN[limit["unit"]]
    if limit["kind"] == "margin":
        return "the motion crosses a singularity there"
    if limit["kind"] == "slack":
        return f"{number(-limit['value'], max(digits, 3), factor)} {unit}".strip() + " is missing"
    over = abs(limit["value"]) - limit["limit"]
    return f"{number(over, digits, factor)} {unit} above its limit, {limit['use']:.3g} times it"
