"""`parapick simulate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load_with_masses
from parapick.cli.exits import UNREACHABLE
from parapick.cli.files import check_target
from parapick.cli.tables import MILLI, alarm, busy, headline, number, print_json, print_table, say
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from rich.text import Text

    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.simulation import Record

_FIGURES: Final = (".png", ".svg", ".pdf")
_TABLES: Final = (".csv", ".parquet")

Number = Annotated[float, Parameter(allow_leading_hyphen=True)]
Count = Annotated[int, Parameter(allow_leading_hyphen=True)]


def simulate(
    robot: RobotName,
    task: str,
    /,
    *,
    controller: str = "pd,tsid",
    frequency: Number = 20.0,
    damping: Number = 0.7,
    rate: Number = 4000.0,
    cycles: Count = 1,
    torque: str = "drive",
    encoder: Count = 65536,
    delay: Count = 1,
    lag: Amount = None,
    friction: bool = True,
    payload: Amount = None,
    plant: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    sharing: Literal["least-norm", "least-peak"] = "least-norm",
    engine: Literal["native", "mujoco"] = "native",
    record: str | None = None,
    plot: str | None = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """How well control laws track a task, with sampling, torque limits and friction.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: Control laws to compare, separated by commas: pd, pid, ppi, computed-torque, tsid, tsiid.
        frequency: Natural frequency of the error (Hz); the gains of all laws follow from it.
        damping: Damping ratio of the error.
        rate: Control rate (Hz).
        cycles: How often the task is run through.
        torque: Torque limit: drive (peak where the drives state one), peak, rated, none, or N m at the arm axes.
        encoder: Counts a motor turn; 0 for exact angles.
        delay: Whole samples between measurement and torque.
        lag: Time constant of the torque loops, such as 0.2ms.
        friction: Friction of the drives, as the robot file states it.
        payload: Mass carried from pick to place instead of that of the task, such as 500g.
        plant: What the real robot has otherwise than the controller believes, such as limb.rod_mass=0.2; repeatable.
        sharing: How redundant motors share.
        engine: What moves the robot: our own compiled loop, or MuJoCo as an independent plant.
        record: Write the record of every law into this .csv or .parquet file; of several laws each gets its name.
        plot: Draw errors and torques into this .png, .svg or .pdf file.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.answer.plain import finite
    from parapick.control import tuned
    from parapick.simulation import simulate as simulated

    model = load_with_masses(robot, mode, None)
    names = _laws(controller)
    targets = (
        None if record is None else check_target(record, _TABLES),
        None if plot is None else check_target(plot, _FIGURES),
    )
    motion, title = _motion(model, task, payload)
    real = model.with_parameters(dict(map(_change, plant))) if plant else None
    records: dict[str, Record] = {}
    for name in names:
        with busy(f"simulating {name}"):
            records[name] = simulated(
                model,
                motion,
                tuned(name, model, motion, frequency=frequency, damping=damping, sharing=sharing),
                plant=real,
                rate=rate,
                cycles=cycles,
                encoder=encoder or None,
                torque_max=_limit(model, torque),
                lag=None if lag is None else amount("--lag", lag, "s", least=0.0),
                delay=delay,
                friction=friction,
                engine=engine,
            )
    answer = finite(_answer(model, task, motion, records))
    answer["record"], answer["plot"] = _write(model, records, targets, f"{model.robot.name}, {title}")
    if as_json:
        print_json(answer)
    else:
        _print(model, answer)
    return UNREACHABLE if all(law["fault"] for law in answer["laws"]) else 0


def _laws(controller: str) -> list[str]:
    """Names of the laws that are asked for, all of them known before anything is computed."""
    from parapick.control import LAWS, UnknownLawError

    names = [name.strip() for name in controller.split(",") if name.strip()]
    for name in names:
        if name not in LAWS:
            raise UnknownLawError(name, tuple(LAWS))
    if not names:
        raise ParameterError("--controller", f"names no control law; there are {', '.join(LAWS)}")
    return names


def _motion(model: Model, task: str, payload: str | None) -> tuple[Motion, str]:
    from parapick.tasks import load_task

    wanted = load_task(task)
    if payload is not None:
        wanted = replace(wanted, payload=amount("--payload", payload, "kg", least=0.0))
    return wanted.motion(model), wanted.title or wanted.name


def _change(text: str) -> tuple[str, float]:
    """A parameter of the plant, `path=value`."""
    path, sign, value = text.partition("=")
    try:
        return path.strip(), float(value)
    except ValueError:
        what = f"{value!r} is not a number" if sign else "has no value"
        raise ParameterError("--plant", f"{text!r}: {what}; write it as limb.rod_mass=0.2, in SI units") from None


def _limit(model: Model, text: str) -> str | float | None:
    if text in ("drive", "peak", "rated"):
        return text
    return None if text == "none" else amount("--torque", text, model.motors.axes[0].effort, least=0.0)


def _answer(model: Model, task: str, motion: Motion, records: dict[str, Record]) -> dict[str, Any]:
    return {
        "robot": model.robot.name,
        "task": task,
        "duration": motion.duration,
        "laws": [_law(name, record) for name, record in records.items()],
    }


def _law(name: str, record: Record) -> dict[str, Any]:
    from parapick.simulation import by_phase, fault_of, summary, torque_shares

    found, fault = summary(record), fault_of(record)
    quick = [motor for motor, over in enumerate(record.overspeed.T, start=1) if over.any()]
    return {
        "law": name,
        "completed": record.completed,
        "divergence": None if record.divergence is None else record.divergence.message,
        "fault": None if fault is None else {"kind": fault.kind, "message": fault.message},
        "rate": record.rate,
        "substeps": record.substeps,
        "engine": record.engine,
        "distance": {"peak": found.distance.peak, "rms": found.distance.rms, "time": found.distance.time},
        "path_normal": {"peak": found.path_normal.peak, "rms": found.path_normal.rms},
        "error": {
            key: {"peak": spread.peak, "rms": spread.rms, "time": spread.time} for key, spread in found.error.items()
        },
        "torque": [{"peak": spread.peak, "rms": spread.rms} for spread in found.torque],
        "torque_max": [float(value) for value in record.torque_max],
        "saturated": list(found.saturated),
        "saturated_share": record.saturated.mean(axis=0).tolist(),
        "speed": [float(value) for value in abs(record.qd).max(axis=0)],
        "speed_max": [float(value) for value in record.speed_max],
        "overspeed": quick,
        "saturations": [{"joint": one.joint, "start": one.start, "end": one.end} for one in record.saturations],
        "shares": {term: share.tolist() for term, share in torque_shares(record).items()},
        "phases": [
            {"name": phase.phase, "peak": phase.distance.peak, "rms": phase.distance.rms} for phase in by_phase(record)
        ]
        if record.completed
        else [],
    }


def _write(
    model: Model, records: dict[str, Record], targets: tuple[Path | None, Path | None], title: str
) -> tuple[list[str] | None, str | None]:
    table, figure = targets
    written = None
    if table is not None:
        from parapick.export.record import write_csv, write_parquet

        write = write_csv if table.suffix.lower() == ".csv" else write_parquet
        files = {
            name: table if len(records) == 1 else table.with_name(f"{table.stem}-{name}{table.suffix}")
            for name in records
        }
        written = [str(write(records[name], file)) for name, file in files.items()]
    if figure is not None:
        from parapick.report.canvas import save_figure
        from parapick.report.record_figure import record_figure

        save_figure(record_figure(records, title, unit=model.motors.torque_unit), figure)
    return written, None if figure is None else str(figure)


def _print(model: Model, answer: dict[str, Any]) -> None:
    laws = answer["laws"]
    first = laws[0]
    headline(
        model,
        f"and the task {answer['task']} in closed loop",
        f"{answer['duration']:.4f} s, {first['rate']:g} Hz, {first['substeps']} steps a sample, {first['engine']}",
    )
    turns = "yaw" in first["error"]
    heads = ["law", "peak (mm)", "RMS (mm)", "across (mm)", *(["yaw (mrad)"] if turns else [])]
    heads += [f"{model.motors.word} ({model.motors.torque_unit})", "of its limit", "saturated"]
    print_table(heads, [_row(law, turns=turns) for law in laws], numbers=range(1, len(heads)), title="tracking error")
    say()
    _print_shares(laws)
    for law in laws:
        if law["fault"]:
            say(f"{law['law']}: {law['fault']['message']}")
        if law["overspeed"]:
            motors = ", ".join(map(str, law["overspeed"]))
            say(f"{law['law']}: motor {motors} reached its peak speed, beyond which it has no torque to go faster")
    sound = [law for law in laws if not law["fault"]]
    if not sound:
        say("no law is left that does this task")
    elif len(laws) > 1:
        best = min(sound, key=lambda law: law["distance"]["rms"])
        say(f"{best['law']} tracks best: {number(best['distance']['rms'], 4, MILLI)} mm RMS")
    for file in answer["record"] or ():
        say(f"written to {file}")
    if answer["plot"]:
        say(f"drawn into {answer['plot']}")


def _row(law: dict[str, Any], *, turns: bool) -> list[str | Text]:
    use = [one["peak"] / limit for one, limit in zip(law["torque"], law["torque_max"], strict=True) if limit]
    late = max(law["saturated_share"])
    return [
        alarm(f"{law['law']}, {law['fault']['kind']}") if law["fault"] else law["law"],
        number(law["distance"]["peak"], 4, MILLI),
        number(law["distance"]["rms"], 4, MILLI),
        number(law["path_normal"]["peak"], 4, MILLI),
        *([number(law["error"]["yaw"]["peak"], 3, MILLI)] if turns else []),
        number(max(one["peak"] for one in law["torque"]), 2),
        f"{100 * max(use):.0f} %" if use else "-",
        alarm(f"{100 * late:.1f} %") if late else "0",
    ]


def _print_shares(laws: list[dict[str, Any]]) -> None:
    """What the torque is spent on: RMS shares of the terms, mean over the motors."""
    terms = list(dict.fromkeys(term for law in laws for term in law["shares"]))
    if not terms:
        return
    cells = []
    for law in laws:
        shares = {term: sum(values) / len(values) for term, values in law["shares"].items()}
        cells.append([law["law"], *(f"{100 * shares[term]:.1f} %" if term in shares else "-" for term in terms)])
    print_table(["law", *terms], cells, numbers=range(1, len(terms) + 1), title="RMS shares of the torque's terms")
    say()
