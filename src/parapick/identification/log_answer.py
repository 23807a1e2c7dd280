"""A log as an answer: what it holds, how it agrees with the robot's file, or with a simulation of the same task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from parapick.answer import Answer, Column, Table, amount, fixed
from parapick.errors import MotionError, ParapickError
from parapick.formulas import missing_masses
from parapick.identification.doubts import Doubts, doubts_data, doubts_of, log_verdict, refusal_of
from parapick.identification.filtering import cutoff_of
from parapick.identification.identification_answer import residual_table
from parapick.identification.identifying import identify
from parapick.identification.log import Log
from parapick.identification.log_delays import LogDelay
from parapick.identification.log_overlay import Overlay
from parapick.identification.residual import Residual, file_residual, residual_of
from parapick.inspection import (
    about,
    subject,
    unit_of,
)

if TYPE_CHECKING:
    from parapick.model import Model

_DELAYS: Final = (
    "with half of the 95 % interval; the motion is late by what acts: delay, lag and half of a period of hold"
)


def log_residual(model: Model, log: Log) -> Residual | None:
    """What the robot's file leaves of the torques of a log; None without torques or masses."""
    if log.torque is None or missing_masses(model.robot):
        return None
    return file_residual(model, log, cutoff_of(log))


def log_doubts(model: Model, log: Log) -> Doubts | None:
    """What speaks against a log, by the friction and payload it gives; None where it identifies nothing."""
    if log.torque is None or missing_masses(model.robot):
        return None
    try:
        result = identify(model, log)
    except MotionError:
        raise
    except ParapickError:
        return None
    return doubts_of(result, residual_of(result, log))


def log_answer(
    model: Model,
    log: Log,
    laid: Overlay | None,
    residual: Residual | None,
    doubts: Doubts | None = None,
    delays: tuple[LogDelay, ...] = (),
) -> Answer:
    """A log by itself, or laid over a simulation.

    Args:
        laid: the log over a simulation, if there is one.
        residual: what the robot's file leaves of its torques, if there are any.
        doubts: what `log_doubts` says of it.
        delays: what `log_delays` says of it.
    """
    over = "" if laid is None else f" over a simulation under {laid.record.law}"
    line = f"{log.file}: {len(log.t)} samples in {log.t[-1] - log.t[0]:.4g} s, {log.rate:.6g} per second"
    tables = [] if laid is None else [_agreement(model, laid), _pose(model, laid)]
    tables += [] if residual is None else [residual_table(model, [residual])]
    tables += [_delays(delays)] if delays else []
    data: dict[str, Any] = {
        **about(model),
        "log": log.file,
        "columns": dict(log.headings),
        "samples": len(log.t),
        "rate": log.rate,
        "start": float(log.t[0]),
        "end": float(log.t[-1]),
        "stretches": [[float(log.t[one.start]), float(log.t[one.stop - 1])] for one in log.stretches],
        "uneven": log.uneven,
        "shift": None if laid is None else asdict(laid.shift),
        "aligned_by": None if laid is None else laid.aligned,
        "delays": [_delay_data(delay) for delay in delays],
        **({} if doubts is None else doubts_data(doubts)),
    }
    return Answer(
        key="log",
        title=subject(model, f"and its log{over}", line),
        tables=(*tables, _signals(model, log)),
        summary={} if laid is None else {"time shift": _shift(laid)},
        notes=(
            *log.notes(),
            *_notes(model, log, laid),
            *_delay_notes(delays),
            *(() if doubts is None else doubts.notes),
        ),
        data=data,
        refusal="" if doubts is None else refusal_of(doubts),
        headline=_headline(model, log, laid) if doubts is None else log_verdict(doubts),
    )


def _headline(model: Model, log: Log, laid: Overlay | None) -> str:
    """What a log shows that has no torques to be judged by: how far the machine is from its simulation, or its size."""
    if laid is None:
        size = f"{len(log.t)} samples in {log.t[-1] - log.t[0]:.4g} s"
        return f"{log.file} holds {size}, and nothing to judge them by: {model.motors.word}s, or the masses to compare."
    peaks = [angle.peak for angle in laid.angles()]
    motor = int(np.argmax(peaks))
    most = amount(peaks[motor], model.motors.axes[motor].unit)
    return f"{log.file} and its simulation differ by {most} at most, at motor {motor + 1}."


def _signals(model: Model, log: Log) -> Table:
    """Range of every angle and torque, and the column it was read from."""
    axes = model.motors.axes
    rows = []
    for i in range(len(axes)):
        low, high = float(log.q[:, i].min()), float(log.q[:, i].max())
        torque = None if log.torque is None else float(np.abs(log.torque[:, i]).max())
        rows.append((f"motor {i + 1}", log.headings.get(f"q{i + 1}"), low, high, _heading(log, i), torque))
    unit, effort = axes[0].unit, model.motors.torque_unit
    columns = (
        Column("of"),
        Column("angle from"),
        Column("least", unit),
        Column("most", unit),
        Column(f"{model.motors.word} from"),
        Column("peak", effort),
    )
    return Table("signals", "what the log holds, at the joints", columns, tuple(rows))


def _delays(delays: tuple[LogDelay, ...]) -> Table:
    """Every delay with its interval, and what was expected."""
    columns = (
        Column("from"),
        Column("to"),
        Column("measured", "s", shown="ms", decimals=4),
        Column("+-", "s", shown="ms", decimals=4),
        Column("expected", "s", shown="ms", decimals=4),
        Column("by"),
        Column("agrees", alarm=False),
    )
    rows = [
        (
            one.source,
            one.target,
            *((one.measured.time, one.measured.half) if one.measured.told else (None, None)),
            one.expected,
            one.by or None,
            one.agrees,
        )
        for one in delays
    ]
    return Table("delays", "how much later one signal is than another", columns, tuple(rows), note=_DELAYS)


def _delay_notes(delays: tuple[LogDelay, ...]) -> Iterator[str]:
    for one in delays:
        if not one.measured.told:
            yield f"no delay from {one.source} to {one.target}: {one.measured.why}"
        elif one.agrees is False and one.expected is not None:
            more = one.measured.time - one.expected
            yield (
                f"from {one.source} to {one.target} the log is {1e3 * abs(more):.3g} ms "
                f"{'later' if more > 0.0 else 'earlier'} than the {one.by} says"
            )


def _delay_data(one: LogDelay) -> dict[str, Any]:
    """A delay for programs (SI)."""
    told = one.measured.told
    return {
        "from": one.source,
        "to": one.target,
        "delay": one.measured.time if told else None,
        "half": one.measured.half if told else None,
        "why": one.measured.why,
        "expected": one.expected,
        "by": one.by,
        "agrees": one.agrees,
    }


def _heading(log: Log, motor: int) -> str | None:
    return log.headings.get(f"torque{motor + 1}") or log.headings.get(f"current{motor + 1}")


def _agreement(model: Model, laid: Overlay) -> Table:
    """Angles and torques of log and simulation, motor by motor."""
    unit, effort = model.motors.axes[0].unit, model.motors.torque_unit
    columns = (
        Column("of"),
        Column("angle, RMS", unit, decimals=4),
        Column("angle, largest", unit, decimals=4),
        Column("angle, correlation", decimals=5),
        Column(f"{model.motors.word}, RMS", effort, decimals=3),
        Column("of peak", "%", decimals=2),
        Column(f"{model.motors.word}, largest", effort, decimals=3),
        Column(f"{model.motors.word}, correlation", decimals=4),
    )
    torques = laid.torques()
    rows = []
    for i, angle in enumerate(laid.angles()):
        own = (
            (torques[i].rms, 100.0 * torques[i].share, torques[i].peak, torques[i].correlation)
            if torques
            else (None,) * 4
        )
        rows.append((f"motor {i + 1}", angle.rms, angle.peak, angle.correlation, *own))
    return Table("agreement", "log against simulation, motor by motor", columns, tuple(rows))


def _pose(model: Model, laid: Overlay) -> Table:
    """Error of the plate by its encoders, of the machine and of the simulation."""
    forms = {name: ("rad", "deg") if unit_of(name) == "rad" else ("m", "mm") for name in model.robot.task_names}
    largest = [Column(f"largest {name}", *form, decimals=3) for name, form in forms.items()]
    means = [Column(f"RMS {name}", *form, decimals=3) for name, form in forms.items()]
    rows = []
    for whose, error in (("machine", laid.error), ("simulation", laid.error_simulated)):
        sizes = [*np.abs(error).max(axis=0).tolist(), *np.sqrt(np.mean(error**2, axis=0)).tolist()]
        rows.append((whose, *sizes))
    note = "The pose follows from the encoders through forward kinematics: what they do not see is not in it."
    title = "error of the plate from joint errors, by forward kinematics"
    return Table("pose", title, (Column("of"), *largest, *means), tuple(rows), note=note)


def _shift(laid: Overlay) -> str:
    return (
        f"the log's clock is {fixed(laid.shift.time, 4, 1e3)} ms ahead of the motion's, by {laid.aligned} "
        f"(correlation of rates {laid.shift.correlation:.4f}, {len(laid.t)} samples)"
    )


def _notes(model: Model, log: Log, laid: Overlay | None) -> Iterator[str]:
    if laid is not None and log.q_ref is None:
        yield "the log has no wanted angles: what the machine is later than the simulation counts as time shift"
    if log.torque is None:
        yield "the log has neither torques nor currents"
    elif missing_masses(model.robot):
        yield f"{model.robot.name} has no masses, so that its torques are not compared"
