"""Supervised runs as an answer: states over time, what tripped, how the robot stopped, which limits came nearest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import starmap
from typing import Any

from parapick.answer import Answer, Cell, Column, Requirement, Table, amount, percent
from parapick.inspection import subject
from parapick.model import Model
from parapick.operation.guarded import whose
from parapick.operation.run_stop import Stop
from parapick.operation.supervised_run import SupervisedRun, Trip
from parapick.ride import broken_words
from parapick.simulation import (
    Record,
    error_series,
    fault_of,
    loop_data,
    loop_notes,
    tracking_table,
)


def supervised_answer(
    model: Model, task: str, duration: float, runs: Mapping[str, SupervisedRun], path: tuple[Requirement, ...] = ()
) -> Answer:
    """Supervised runs of one motion, side by side.

    The answer is no where a robot left its limits, where a loop diverged, where a guard tripped though nothing was made
    to go wrong, where a fault that was asked for never began, and where the motion itself does not keep what the file
    of the robot states.

    Args:
        task: the task in words.
        duration: of the motion (s).
        runs: at least one run, by the name of its law or controller.
        path: what must hold for the robot to be on the motion at all, see `model.requirements`.
    """
    first = next(iter(runs.values())).record
    line = f"{duration:.4f} s, {first.rate:g} Hz, {first.engine}"
    tasks = task_records(runs)
    tracking = (tracking_table(tasks, title="tracking error of the task, up to where it was stopped"),) if tasks else ()
    wrong = [f"{name}: {text}" for name, run in runs.items() if (text := objection(run))]
    return Answer(
        key="simulate",
        title=subject(model, f"and the task {task} under supervision", line),
        findings=path,
        tables=(*stop_tables(runs), states_table(runs), nearest_table(runs), *tracking),
        series=tuple(error_series(tasks)) if tasks else (),
        notes=(*supervised_notes(model, runs), *loop_notes(tasks)),
        data={
            "robot": first.robot,
            "task": task,
            "duration": duration,
            "runs": {name: run_data(run) for name, run in runs.items()},
            "laws": loop_data(tasks),
        },
        refusal="; ".join(filter(None, [broken_words(path), *wrong])),
        headline="" if wrong or broken_words(path) else f"{'; '.join(starmap(_ended, runs.items()))}.",
    )


def _ended(name: str, run: SupervisedRun) -> str:
    """How a run ended, in words: what stopped it and how, or how near its guards came."""
    if run.stop is not None:
        why = "the operator" if run.trip is None else run.trip.text
        rest = f"at rest after {1e3 * run.stop.duration:.1f} ms and {amount(run.stop.length, 'm')}, within its limits"
        return f"{name} was stopped at {run.stop.start:.4f} s ({why}), {rest}"
    nearest = max(run.nearest, key=lambda near: near.use or 0.0, default=None)
    guard = "" if nearest is None else f"; the nearest guard, {nearest.title}, is at {percent(nearest.use or 0.0)}"
    return f"{name} {'finished the task' if run.finished else f'ended in the state {run.state.value}'}{guard}"


def task_records(runs: Mapping[str, SupervisedRun]) -> dict[str, Record]:
    """Records of the task alone, of the runs in which it began.

    Args:
        runs: runs by name.
    """
    tasks = {name: run.task for name, run in runs.items()}
    return {name: record for name, record in tasks.items() if len(record.t) > 1}


def run_answer(run: SupervisedRun) -> Answer:
    """One supervised run by itself: what `supervise` gives."""
    runs = {run.record.law: run}
    return Answer(
        key="supervise",
        title=repr(run).strip("<>"),
        tables=(*stop_tables(runs), states_table(runs), nearest_table(runs)),
        refusal=objection(run),
    )


def objection(run: SupervisedRun) -> str:
    """What is wrong with a run; empty where it did what it should."""
    if run.record.divergence is not None:
        return _diverged(run.record)
    if run.stop is not None and not run.stop.inside:
        return f"the robot did not come to rest within its limits: {', '.join(run.stop.beyond)}"
    if run.workspace is not None and not run.workspace.ok:
        return run.workspace.text
    if run.trip is not None and run.trip.samples is None:
        when = "" if all(fault.command for fault in run.faults) else " until then"
        return f"a guard tripped though nothing was made to go wrong{when}: {run.trip.requirement.text}"
    never = never_begun(run)
    if never and run.trip is None and run.stop is None:
        return f"what was asked for never began: {', '.join(never)}; the run ended at {run.record.t[-1]:.4g} s"
    return ""


def never_begun(run: SupervisedRun) -> tuple[str, ...]:
    """Faults and commands that were asked for and had not begun when the run ended, in short."""
    return tuple(fault.short for fault in run.faults if fault not in run.begun)


def _diverged(record: Record) -> str:
    fault = fault_of(record)
    return "" if fault is None else fault.text


def stop_tables(runs: Mapping[str, SupervisedRun]) -> Iterator[Table]:
    """How the runs ended, and how the robot came to rest where it was stopped.

    Args:
        runs: runs by name.
    """
    heads = (Column("law"), Column("outcome"), Column("reason"), Column("at", "s", decimals=4), Column("after"))
    yield Table("outcome", "outcome", heads, tuple(tuple(_outcome(name, run)) for name, run in runs.items()))
    stopped = {name: run.stop for name, run in runs.items() if run.stop is not None}
    if not stopped:
        return
    columns = (
        Column("law"),
        Column("by"),
        Column("time", "s", shown="ms", decimals=1),
        Column("length", "m", decimals=1),
        Column("off path", "m", decimals=2),
        Column("torque", "%", decimals=0),
        Column("speed", "%", decimals=0),
        Column("reach", "m", decimals=1),
        Column("angle", "rad", decimals=1),
        Column("workspace", "m", decimals=1),
        Column("within"),
    )
    title = "how the robot came to rest: shares of limits that it used, what was left of reach, angles and workspace"
    yield Table("stop", title, columns, tuple(tuple(_stop(*item)) for item in stopped.items()))


def _outcome(name: str, run: SupervisedRun) -> Iterator[Cell]:
    yield name
    if run.record.divergence is not None:
        yield from ("diverged", run.record.divergence.message, run.record.divergence.time, None)
    elif run.trip is not None:
        after = None if run.trip.samples is None else f"{run.trip.samples} samples"
        yield from ("fault", run.trip.text, _time(run.trip.requirement), after)
    elif run.stop is not None:
        yield from ("stopped", "operator's stop", run.stop.start, None)
    else:
        yield from ("finished" if run.finished else run.state.value, None, None, None)


def _stop(name: str, stop: Stop) -> Iterator[Cell]:
    yield from (name, stop.kind, stop.duration, stop.length, stop.off_path)
    for share in (stop.torque, stop.speed):
        yield None if share is None else 100.0 * share
    yield from (stop.slack, stop.angle, stop.workspace, stop.inside)


def states_table(runs: Mapping[str, SupervisedRun]) -> Table:
    """The operating states over time.

    Args:
        runs: runs by name.
    """
    columns = (Column("law"), Column("state"), Column("from", "s", decimals=4), Column("by"), Column("guard"))
    rows = [
        (name, change.after.value, change.time, change.event.value, change.guard or None)
        for name, run in runs.items()
        for change in run.changes
    ]
    return Table("states", "operating states, from the beginning of the task", columns, tuple(rows))


def nearest_table(runs: Mapping[str, SupervisedRun]) -> Table:
    """How near the guards came to their limits before anything tripped.

    Args:
        runs: runs by name.
    """
    heads = ("law", "guard", "of", "nearest", "unit", "limit", "unit", "at")
    columns = tuple(Column(head, "s" if head == "at" else "", decimals=4 if head == "at" else None) for head in heads)
    rows = [
        (name, near.name, whose(near), near.value, near.unit, near.limit, near.unit, _time(near))
        for name, run in runs.items()
        for near in run.nearest
    ]
    return Table("guards", "how near the guards came to their limits", columns, tuple(rows))


def supervised_notes(model: Model, runs: Mapping[str, SupervisedRun]) -> Iterator[str]:
    """What was made to go wrong, and which guards watch nothing.

    Args:
        runs: runs by name.
    """
    first = next(iter(runs.values()))
    for fault in first.faults:
        yield f"made to go wrong: {fault.text(model)}"
    for name, run in runs.items():
        if (never := never_begun(run)) and (run.trip is not None or run.stop is not None):
            yield f"{name}: stopped before it began: {', '.join(never)}"
    for name, run in runs.items():
        if run.trip is None and run.finished and not all(fault.command for fault in run.begun):
            yield f"{name}: no guard tripped; the task was finished all the same"
    if first.limits.off:
        yield f"guards that are switched off: {', '.join(first.limits.off)}"
    if first.limits.unstated:
        names = ", ".join(first.limits.unstated)
        yield f"guards without a limit, for the file of {model.robot.name} states none and none is given: {names}"


def run_data(run: SupervisedRun) -> dict[str, Any]:
    """The numbers of a run (SI), for programs."""
    return {
        "finished": run.finished,
        "state": run.state.value,
        "trip": None if run.trip is None else _trip_data(run.trip),
        "stop": None if run.stop is None else {**asdict(run.stop), "inside": run.stop.inside},
        "workspace": None if run.workspace is None else run.workspace.value,
        "changes": [
            {
                "time": change.time,
                "sample": change.sample,
                "from": change.before.value,
                "event": change.event.value,
                "guard": change.guard,
                "to": change.after.value,
            }
            for change in run.changes
        ],
        "guards": [_guard_data(near) for near in run.nearest],
        "off": list(run.limits.off),
        "unstated": list(run.limits.unstated),
        "faults": [asdict(fault) for fault in run.faults],
    }


def _trip_data(trip: Trip) -> dict[str, Any]:
    counts = {"sample": trip.sample, "samples": trip.samples}
    return {**_guard_data(trip.requirement), **counts, "text": trip.text}


def _guard_data(requirement: Requirement) -> dict[str, Any]:
    """A guard's quantity against its limit, for programs."""
    return {
        "guard": requirement.name,
        "where": whose(requirement),
        "value": requirement.value,
        "limit": requirement.limit,
        "unit": requirement.unit,
        "time": _time(requirement),
    }


def _time(requirement: Requirement) -> float | None:
    return None if requirement.place is None else requirement.place.time
