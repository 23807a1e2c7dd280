"""Closed loops as an answer: how far the plate is from where it should be, law by law, and what torque is spent on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Requirement, Series, Table, amount, fixed, percent
from parapick.inspection import subject
from parapick.model import Model
from parapick.ride import broken_words, counted_note, cycle_note
from parapick.simulation.loop_cycle import exceeded_sum, sums_table
from parapick.simulation.loop_fault import fault_of
from parapick.simulation.record import Record
from parapick.simulation.summary import by_cycle, by_phase, summary, torque_shares

TURNED: Final = 1e-12
"""A yaw error that stays below this (rad) is rounding, and left out."""


CYCLES_SHOWN: Final = 6
"""Cycles that a table shows before the last one."""


def loop_answer(
    model: Model, task: str, duration: float, records: Mapping[str, Record], requirements: tuple[Requirement, ...] = ()
) -> Answer:
    """Closed loops on one motion, side by side.

    The answer is no where none of them does the task, or where the motion itself does not keep what the robot's file
    states: a motion that asks for more than a motor has is no task for it, however near its loop comes. A law that asks
    for more than the motion does, to make up for an error, is cut; the first line says so, for how long and where.

    Args:
        task: the task in words.
        duration: of the motion (s).
        records: at least one record, by the name of its law or controller.
        requirements: what must hold for the robot to do the motion, as for an evaluation.
    """
    first = next(iter(records.values()))
    steps = "1 step" if first.substeps == 1 else f"{first.substeps} steps"
    line = f"{duration:.4f} s, {first.rate:g} Hz, {steps} per sample, {first.engine}"
    faults = {name: fault_of(record) or exceeded_sum(model, record) for name, record in records.items()}
    sound = {name: records[name] for name, fault in faults.items() if fault is None}
    broken = broken_words(requirements)
    followed = _followed(sound, len(records)) if sound else _none_left(faults)
    return Answer(
        key="simulate",
        title=subject(model, f"and the task {task} in closed loop", line),
        findings=requirements,
        tables=(
            tracking_table(records, title="tracking error"),
            _by_coordinate(records),
            *_cycles(records),
            *_shares(records),
            *sums_table(model, records),
        ),
        series=tuple(error_series(records)),
        notes=(
            *loop_notes(records),
            *_sums_notes(model, records),
            *_best(sound, len(records)),
            *counted_note(model),
            *cycle_note(model),
        ),
        data={"robot": first.robot, "task": task, "duration": duration, "laws": loop_data(records)},
        refusal="" if sound and not broken else "; ".join(filter(None, [broken, followed])),
        headline=f"YES: {followed}" if sound and not broken else "",
    )


def _followed(sound: Mapping[str, Record], count: int) -> str:
    """Which law follows best, how well, how much of the limits it takes, and for how long they cut what it asks for."""
    best = _tracks_best(sound)
    spread = summary(sound[best]).distance
    errors = f"with an error of {amount(spread.peak, 'm')} at most, {amount(spread.rms, 'm')} RMS"
    if sound[best].command_filter is not None:
        largest = float(np.max(sound[best].path_deviation["plate"]))
        errors += f" against the filtered command, up to {amount(largest, 'm')} off the path of the task"
    rank = "follows the task" if count == 1 else f"follows best of {count} laws"
    failed = f"; {count - len(sound)} of {count} laws failed" if len(sound) < count else ""
    return f"{best} {rank} {errors}; {limit_words(sound[best])}{failed}"


def limit_words(record: Record) -> str:
    """How much of the torque limits a loop uses; where they cut it, for which share of the time, and which motor most.

    Args:
        record: the record of the loop.
    """
    used, cut = limit_use(record), record.saturated
    if used is None:
        return "no limit is stated"
    if not cut.any():
        return f"{percent(used / 100.0)} of the {record.word} limit is used"
    shares, motor = cut.mean(axis=0), int(np.argmax(cut.mean(axis=0)))
    asked = float(np.max(np.abs(record.command) / record.torque_max))
    longest = f", motor {motor + 1} longest ({percent(float(shares[motor]))})" if np.count_nonzero(shares) > 1 else ""
    whose = "" if longest else f" of motor {motor + 1}"
    lasting = f"for {percent(float(np.mean(cut.any(axis=-1))))} of the time{longest}"
    return f"the {record.word}{whose} is cut {lasting}: the law asks for up to {percent(asked)} of the limit"


def _tracks_best(sound: Mapping[str, Record]) -> str:
    """The law with the smallest RMS error."""
    return min(sound, key=lambda name: summary(sound[name]).distance.rms)


def _none_left(faults: Mapping[str, Requirement | None]) -> str:
    """Why no law is left, each by its fault."""
    reasons = [f"{name}: {fault.text}" for name, fault in faults.items() if fault is not None]
    return f"no law is left that does this task: {'; '.join(reasons)}"


def record_answer(record: Record) -> Answer:
    """One closed loop by itself: what `simulate` gives."""
    fault = fault_of(record)
    tracking = tracking_table({record.law: record}, title="tracking error, torque and saturation")
    return Answer(
        key="simulate",
        title=repr(record).strip("<>"),
        tables=(tracking, record.errors_table),
        refusal="" if fault is None else fault.text,
    )


def tracking_table(records: Mapping[str, Record], title: str) -> Table:
    """Errors, torques and saturation of every loop; nothing but its fault where it diverged.

    Args:
        records: records by the name of their law or controller.
        title: what it shows.
    """
    turned, off_path = turns(records), any(record.unfiltered for record in records.values())
    first = next(iter(records.values()))
    columns = [
        Column("law"),
        Column("peak", "m", decimals=4),
        Column("RMS", "m", decimals=4),
        Column("across", "m", decimals=4),
        *([Column("off path", "m", decimals=4)] if off_path else []),
        *([Column("yaw", "rad", shown="mrad", decimals=3)] if turned else []),
        Column(first.word, first.effort, decimals=2),
        Column("used", "%", decimals=0),
        Column("saturated", "%", decimals=1),
        Column("fault"),
    ]
    rows = tuple(tuple(_cells(name, record, off_path, turned)) for name, record in records.items())
    return Table("laws", title, tuple(columns), rows)


def _cells(name: str, record: Record, off_path: bool, turned: bool) -> Iterator[Cell]:
    yield name
    fault = fault_of(record)
    if not record.completed:
        yield from (None,) * (6 + off_path + turned)
    else:
        spread = summary(record)
        yield from (spread.distance.peak, spread.distance.rms, spread.path_normal.peak)
        if off_path:
            # Without a filter the command is on the path, and what lies across it is off it.
            yield float(np.max(record.path_deviation.get("plate", record.path_normal)))
        if turned:
            yield spread.error["yaw"].peak
        yield max(motor.peak for motor in spread.torque)
        yield limit_use(record)
        yield 100.0 * float(np.mean(record.saturated.any(axis=-1)))
    yield None if fault is None else fault.name


def _by_coordinate(records: Mapping[str, Record]) -> Table:
    """The error of every coordinate where it is largest, with its sign, and its RMS."""
    names = next(iter(records.values())).task_names
    forms = {name: ("rad", "deg") if name == "yaw" else ("m", "mm") for name in names}
    largest = [Column(name, *form, decimals=3) for name, form in forms.items()]
    means = [Column(f"RMS {name}", *form, decimals=3) for name, form in forms.items()]
    rows = []
    for name, record in records.items():
        spreads = summary(record).error.values() if record.completed else ()
        peaks = [spread.value for spread in spreads]
        rms = [spread.rms for spread in spreads]
        rows.append((name, *(peaks + rms or [None] * (2 * len(names)))))
    title = "error by coordinate where it is largest, and RMS"
    return Table("coordinates", title, (Column("law"), *largest, *means), tuple(rows))


def _cycles(records: Mapping[str, Record]) -> Iterator[Table]:
    """The error cycle by cycle, one row per law; none where a single cycle was run, or no law ran to its end."""
    peaks = {name: [cycle.peak for cycle in by_cycle(record)] for name, record in records.items() if record.completed}
    count = max(map(len, peaks.values()), default=1)
    if count > 1:
        shown = sorted({*range(1, min(count, CYCLES_SHOWN) + 1), count})
        columns = (Column("law"), *(Column(str(number), "m", decimals=4) for number in shown))
        rows = tuple((name, *(values[number - 1] for number in shown)) for name, values in peaks.items())
        yield Table("cycles", "peak error by cycle", columns, rows)


def limit_use(record: Record) -> float | None:
    """Largest share of its limit that a motor gives (%); None where none has a limit."""
    share = float(np.max(np.abs(record.torque) / record.torque_max))
    return 100.0 * share if np.isfinite(record.torque_max).any() else None


def turns(records: Mapping[str, Record]) -> bool:
    """Whether the yaw of any loop is off.

    Args:
        records: records by name.
    """
    return any(
        record.error.shape[1] > 3 and float(np.max(np.abs(record.error[:, 3]), initial=0.0)) > TURNED
        for record in records.values()
    )


def _shares(records: Mapping[str, Record]) -> Iterator[Table]:
    """RMS shares of the terms of the commands, motor by motor; none for laws without terms."""
    shares = {name: torque_shares(record) for name, record in records.items()}
    terms = list(dict.fromkeys(term for by_term in shares.values() for term in by_term))
    if terms:
        columns = (Column("law"), Column("motor"), *(Column(term, "%", decimals=1) for term in terms))
        rows = tuple(
            (name, motor + 1, *(100.0 * float(by_term[term][motor]) if term in by_term else None for term in terms))
            for name, by_term in shares.items()
            for motor in range(records[name].command.shape[1] if by_term else 0)
        )
        word = next(iter(records.values())).word
        yield Table("shares", f"RMS shares of the {word}'s terms, by motor", columns, rows)


def loop_notes(records: Mapping[str, Record]) -> Iterator[str]:
    """What went wrong in loops.

    Args:
        records: records by name.
    """
    for name, record in records.items():
        fault = fault_of(record)
        if fault is not None:
            yield f"{name}: {fault.text}"
        yield from _filter_note(name, record)
        quick = [str(motor) for motor, over in enumerate(record.overspeed.T, start=1) if over.any()]
        if quick:
            yield (
                f"{name}: motor {', '.join(quick)} reached its peak speed, beyond which it has no {record.word} to go "
                "faster"
            )


def _filter_note(name: str, record: Record) -> Iterator[str]:
    """What the command filter does to a loop; nothing without one."""
    if record.command_filter is None:
        return
    late = f"{1e3 * record.command_filter:g} ms, {500.0 * record.command_filter:g} ms late"
    off = {of: amount(float(np.max(distance)), "m") for of, distance in record.path_deviation.items()}
    yield (
        f"{name}: errors are those against the filtered command, the mean of the motors' commands over {late}; that"
        f" command leaves the path of the task by up to {off['command']}, the plate by up to {off['plate']}"
    )


def _sums_notes(model: Model, records: Mapping[str, Record]) -> Iterator[str]:
    """Sums over a cycle that loops do not keep."""
    for name, record in records.items():
        exceeded = exceeded_sum(model, record)
        if exceeded is not None:
            yield f"{name}: as simulated, {exceeded.text}"


def _best(sound: Mapping[str, Record], count: int) -> Iterator[str]:
    if sound and count > 1:
        best = _tracks_best(sound)
        yield f"{best} tracks best: {fixed(summary(sound[best]).distance.rms, 4, 1e3)} mm RMS"


def loop_data(records: Mapping[str, Record]) -> dict[str, dict[str, Any]]:
    """The numbers of loops (SI) by name, for programs; of a loop that diverged, up to where it did.

    Args:
        records: records by name.
    """
    return {name: _data(record) for name, record in records.items()}


def _data(record: Record) -> dict[str, Any]:
    spread, fault = summary(record), fault_of(record)
    return {
        "law": record.law,
        "completed": record.completed,
        "diverged": None if record.divergence is None else record.divergence.time,
        "fault": None if fault is None else _fault_data(fault),
        "rate": record.rate,
        "substeps": record.substeps,
        "engine": record.engine,
        "distance": asdict(spread.distance),
        "path_normal": asdict(spread.path_normal),
        "error": {name: asdict(error) for name, error in spread.error.items()},
        "torque": [asdict(motor) for motor in spread.torque],
        "torque_max": record.torque_max.tolist(),
        "saturated": list(spread.saturated),
        "saturated_share": record.saturated.mean(axis=0).tolist(),
        "saturated_any": float(np.mean(record.saturated.any(axis=-1))),
        "saturations": [asdict(stretch) for stretch in record.saturations],
        "speed": np.abs(record.qd).max(axis=0).tolist(),
        "speed_max": record.speed_max.tolist(),
        "overspeed": [motor for motor, over in enumerate(record.overspeed.T, start=1) if over.any()],
        "shares": {term: share.tolist() for term, share in torque_shares(record).items()},
        "phases": _phases(record) if record.completed else [],
        "cycles": [asdict(cycle) for cycle in by_cycle(record)] if record.completed else [],
        "seed": record.seed,
        **_filter_data(record),
    }


def _filter_data(record: Record) -> dict[str, Any]:
    """Time of the command filter (s) and largest distances from the path of the task (m); nothing without one."""
    if record.command_filter is None:
        return {}
    largest = {of: float(np.max(distance)) for of, distance in record.path_deviation.items()}
    return {"command_filter": record.command_filter, "path_deviation": largest}


def _fault_data(fault: Requirement) -> dict[str, Any]:
    return {"kind": fault.name, "message": fault.text, "value": fault.value, "limit": fault.limit, "unit": fault.unit}


def _phases(record: Record) -> list[dict[str, Any]]:
    return [{"name": phase.phase, "peak": phase.distance.peak, "rms": phase.distance.rms} for phase in by_phase(record)]


def error_series(records: Mapping[str, Record]) -> Iterator[Series]:
    """The tracking error of every loop over time, and that of yaw where it is off; NaN from where a loop diverged.

    Args:
        records: records by name.
    """
    names = tuple(records)
    t = max((record.t for record in records.values()), key=len)

    def together(columns: list[np.ndarray]) -> np.ndarray:
        padded = [np.pad(errors, (0, len(t) - len(errors)), constant_values=np.nan) for errors in columns]
        return np.column_stack(padded)

    yield Series("tracking error", "m", t, together([record.distance for record in records.values()]), names)
    if turns(records):
        yield Series("yaw error", "rad", t, together([record.error[:, 3] for record in records.values()]), names)
