"""The record of a run: rows of the log as the house's supervised run, with what the supervisor saw and decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from parapick.mechanism import combined
from parapick.operation import Onset, Piece, SupervisedLog, SupervisedRun
from parapick.runtime.machine import EVENTS, STATES
from parapick.runtime.session import Session
from parapick.simulation import LoopSeries, Outputs
from parapick.supervision import CellMemory, State, columns_of


def supervised_run(run: Session, log: np.ndarray, engine: str) -> SupervisedRun:
    """The rows of a log as a supervised run.

    Args:
        run: the run.
        log: its rows (T,), of type `LOG`.
        engine: what ran it, in words.
    """
    fixed = run.planned.supervision
    kept = SupervisedLog(fixed.watch, fixed.plant, fixed.rate, run.planned.faults)
    values = _quantities(run, log)
    _steps(kept, log, values)
    first = {State(STATES[state]): int(np.argmax(log["state"] == state)) for state in np.unique(log["state"])}
    if State.RUNNING in first:
        kept.task = first[State.RUNNING] + round(run.planned.plan.lead * fixed.rate)
    outputs, series = _outputs(run, log), _series(run, log)
    for begin, end in _stretches(log):
        state = STATES[int(log["state"][begin])]
        part = slice(begin, end)
        phases = run.rows.phases.get(state, ())
        kept.add(
            Piece(state, begin, series.rows(part), {name: one[part] for name, one in outputs.items()}, phases, begin)
        )
        kept.watched(begin, {name: one[part] for name, one in values.items()}, end - begin, state)
    engined = replace(fixed, engine=engine)
    return kept.run(engined, _onsets(run, first))


def _stretches(log: np.ndarray) -> Iterator[tuple[int, int]]:
    """Rows from one change of the state to the next."""
    changes = np.flatnonzero(np.diff(log["state"].astype(int))) + 1
    yield from pairwise([0, *changes.tolist(), len(log)])


def _quantities(run: Session, log: np.ndarray) -> dict[str, np.ndarray]:
    """What the guards saw, by guard; not numbers where they did not look."""
    first, values = 0, {}
    for name, words in columns_of(run.planned.supervision.model).items():
        rows = log["quantities"][:, first : first + len(words)]
        values[name] = np.where(log["looked"][:, None] > 0, rows, np.nan)
        first += len(words)
    return values


def _steps(kept: SupervisedLog, log: np.ndarray, values: dict[str, np.ndarray]) -> None:
    """Note the supervisor's decisions."""
    memory = CellMemory()
    eventful = np.flatnonzero((log["state"] != log["before"]) | (np.diff(log["fault"], prepend=-1) != 0))
    for i in eventful.tolist():
        row = log[i]
        after = CellMemory(
            STATES[int(row["state"])], int(row["fault"]), event=EVENTS[int(row["event"])], cause=int(row["cause"])
        )
        kept.stepped((memory, after), i, {name: one[i] for name, one in values.items()})
        memory = after


def _onsets(run: Session, first: dict[State, int]) -> tuple[Onset, ...]:
    """When faults began."""
    rate, onsets = run.planned.supervision.rate, []
    for fault in run.planned.faults:
        state = State(fault.state)
        if state in first:
            lead = run.planned.plan.lead if state is State.RUNNING else 0.0
            begin = first[state] + round((lead + fault.time) * rate)
            onsets.append(Onset(fault, begin, begin + fault.samples(rate)))
    return tuple(onsets)


def _series(run: Session, log: np.ndarray) -> LoopSeries:
    """What was followed and carried."""
    fixed = run.planned.supervision
    dof = fixed.loop.dof
    x, xd, xdd = (log[name][:, :dof] for name in ("x_ref", "xd_ref", "xdd_ref"))
    held = combined(fixed.plant.gripper.vector(), log["load"])
    return LoopSeries(np.arange(len(log)) / fixed.rate, x, xd, xdd, log["known"], held, None, None)


def _outputs(run: Session, log: np.ndarray) -> Outputs:
    """What was recorded: of a virtual cell also where its plate was, and friction left out."""
    fixed = run.planned.supervision
    n, plant = fixed.loop.motors, fixed.plant
    x, xd = _plate(run, log)
    outputs: dict[str, Any] = {
        "x": x,
        "xd": xd,
        "q": plant.inverse_kinematics(x),
        "qd": plant.joint_rates(x, xd),
        "q_meas": log["q_meas"][:, :n],
        "friction": np.full((len(log), n), np.nan),
        "command": log["command"][:, :n],
        "torque": _torques(run, log)[:, :n],
    }
    first = 0
    for name, size in run.machine.law.terms.items():
        if name != "command":
            outputs[f"term_{name}"] = log["terms"][:, first : first + size]
        first += size
    return outputs


def _plate(run: Session, log: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the plate was and how fast (T, dof): as a virtual cell says it, otherwise by the encoders."""
    fixed = run.planned.supervision
    dof, n = fixed.loop.dof, fixed.loop.motors
    x, xd = log["x"][:, :dof], log["xd"][:, :dof]
    if not np.all(np.isnan(x)) or len(x) < 2:
        return x, xd
    x = fixed.model.forward_kinematics(log["q_meas"][:, :n], guess=log["x_ref"][:, :dof])
    return x, np.gradient(x, 1.0 / fixed.rate, axis=0)


def _torques(run: Session, log: np.ndarray) -> np.ndarray:
    """Torques at the joints from each sample on (T, motors), N m: as the drives report them, faults in them.

    A drive with a lag gives at a sample what it reports there, one without from it on what it reports at the next.
    """
    reported, sent = log["reported"], log["torque"]
    if run.cell.assembly.loop.drives.lag is None:
        return np.concatenate([reported[1:], sent[-1:]])
    return np.concatenate([sent[:1], reported[1:]])
