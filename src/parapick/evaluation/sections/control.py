"""The task in closed loop: how far the plate is from where it should be, under control laws with the same poles.

The loop is that of a machine: sampled, one sample late, with encoders, a filtered velocity, the torque limits of the
drives and their friction. It checks no requirement: how much error a task bears is not in its file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Answer, Cell, Series, Table, columns
from parapick.control import Differenced, tuned
from parapick.control.tuned import DAMPING, FREQUENCY
from parapick.errors import ParapickError
from parapick.evaluation.context import Context
from parapick.model import Motors
from parapick.simulation import Record, fault_of, simulate, summary

LAWS_SHOWN: Final = ("pd", "ppi", "computed-torque", "tsid")
"""Laws that are compared: motor by motor without a model, the cascade of most drives, and with a model, at the joints
and in task space."""

RATE: Final = 4000.0
"""Control rate (Hz), that of an ordinary drive bus."""

DELAY: Final = 1
"""Samples between measurement and torque: what a bus cycle takes."""

ENCODER: Final = 65536
"""Counts a motor turn: 16 bits."""

_LONGEST: Final = 20.0
"""A motion (s) that lasts longer is left to a simulation of its own: it would take seconds a law."""

_TITLE: Final = "Closed loop"

_TURNED: Final = 1e-12
"""A yaw error that stays below this (rad) is rounding, and left out."""


def section(context: Context) -> Answer:
    """Tracking errors of the task under several laws.

    Args:
        context: the robot on its way.
    """
    reason = context.run.no_torque
    if not reason and context.motion.duration > _LONGEST:
        reason = f"the motion lasts {context.motion.duration:.4g} s; simulate it by itself"
    if reason:
        return Answer("control", _TITLE, left_out=(f"not looked at: {reason}",))
    records, refused = _simulated(context)
    if not records:
        reasons = "; ".join(dict.fromkeys(refused.values()))
        return Answer("control", _TITLE, left_out=(f"not looked at: {reasons}",))
    return Answer(
        key="control",
        title=_TITLE,
        tables=(_table(context.motors, records),),
        series=tuple(_series(records)),
        notes=tuple(_notes(context, records, refused)),
        data={"laws": {name: _data(record) for name, record in records.items()}},
    )


def _simulated(context: Context) -> tuple[dict[str, Record], dict[str, str]]:
    """The records by law, and why other laws have none."""
    records, refused = {}, {}
    for name in LAWS_SHOWN:
        try:
            law = tuned(name, context.model, context.motion)
            records[name] = simulate(context.model, context.motion, law, rate=RATE, delay=DELAY, encoder=ENCODER)
        except ParapickError as error:
            refused[name] = str(error)
    return records, refused


def _table(motors: Motors, records: dict[str, Record]) -> Table:
    turned = _turns(records)
    heads = ["law", "peak", "at t", "RMS", "across"]
    units = ["", "m", "s", "m", "m"]
    if turned:
        heads, units = [*heads, "yaw"], [*units, "rad"]
    heads, units = [*heads, motors.word, "saturated", "fault"], [*units, motors.torque_unit, "%", ""]
    rows = tuple(tuple(_row(name, record, turned)) for name, record in records.items())
    note = (
        "Peak and RMS of the plate's distance from where it should be; peaks of its part across the path, of the error "
        "of yaw and of the torques at the joints; the share of samples at which a law wants more than some motor has."
    )
    return Table("laws", "the task in closed loop", columns(heads, units), rows, note)


def _row(name: str, record: Record, turned: bool) -> Iterator[Cell]:
    found = _data(record)
    yield name
    keys = ["peak_error", "peak_error_time", "rms_error", "path_normal_error"]
    for key in (*keys, *(["yaw_error"] if turned else []), "peak_torque"):
        yield found[key]
    yield None if found["saturated_share"] is None else 100.0 * found["saturated_share"]
    fault = fault_of(record)
    yield None if fault is None else fault.kind


def _turns(records: dict[str, Record]) -> bool:
    """Whether the yaw of any loop is off."""
    return any(
        record.error.shape[1] > 3 and float(np.max(np.abs(record.error[:, 3]), initial=0.0)) > _TURNED
        for record in records.values()
    )


def _data(record: Record) -> dict[str, float | None]:
    """The numbers of a record (SI); None in their place where its loop diverged."""
    if not record.completed:
        names = ("peak_error", "peak_error_time", "rms_error", "path_normal_error", "yaw_error")
        nothing: dict[str, float | None] = dict.fromkeys((*names, "peak_torque", "saturated", "saturated_share"))
        return {**nothing, "diverged": None if record.divergence is None else record.divergence.time}
    found = summary(record)
    return {
        "peak_error": found.distance.peak,
        "peak_error_time": found.distance.time,
        "rms_error": found.distance.rms,
        "path_normal_error": found.path_normal.peak,
        "yaw_error": found.error["yaw"].peak if "yaw" in found.error else None,
        "peak_torque": max(spread.peak for spread in found.torque),
        "saturated": float(np.count_nonzero(record.saturated.any(axis=-1))) / record.rate,
        "saturated_share": float(np.mean(record.saturated.any(axis=-1))),
        "diverged": None,
    }


def _series(records: dict[str, Record]) -> Iterator[Series]:
    names = tuple(records)
    t = max((record.t for record in records.values()), key=len)

    def together(columns: list[np.ndarray]) -> np.ndarray:
        """One column a law; NaN from where its loop diverged."""
        return np.column_stack([np.pad(one, (0, len(t) - len(one)), constant_values=np.nan) for one in columns])

    yield Series("tracking error", "m", t, together([record.distance for record in records.values()]), names)
    if _turns(records):
        yield Series("yaw error", "rad", t, together([record.error[:, 3] for record in records.values()]), names)


def _notes(context: Context, records: dict[str, Record], refused: dict[str, str]) -> Iterator[str]:
    for name, record in records.items():
        if (fault := fault_of(record)) is not None:
            yield f"{name}: {fault.message}"
    for name, reason in refused.items():
        yield f"{name} is left out: {reason}"
    bits, cutoff = round(math.log2(ENCODER)), Differenced().cutoff
    yield (
        f"gains of all laws follow from {FREQUENCY:g} Hz and a damping of {DAMPING:g}; sampled at {RATE / 1e3:g} kHz, "
        f"torques one sample late, encoders of {bits} bits a motor turn, speeds from differences through a filter of "
        f"{cutoff:g} Hz"
    )
    yield f"the controller knows the robot and its payload exactly; {_limits(context)}, {_friction(context)}"
    if context.model.robot.redundant:
        yield "laws with a model share torques by least norm"


def _limits(context: Context) -> str:
    limited = np.isfinite(context.motors.peak_torque)
    if limited.all():
        return "motors give their peak torque at most"
    return "motors without a peak torque in the file have no limit" if limited.any() else "no motor has a torque limit"


def _friction(context: Context) -> str:
    acts = context.motors.rubbing or context.motors.viscous.any()
    return "the friction of the drives acts on them" if acts else "without friction, for the file states none"
