"""Faults of the house's one table as numbers for a virtual cell: what each does at its stages, found by asking it.

The effects of a fault on angles and torques are shares and offsets, so that its function on chosen rows tells all: with
0 in the place of what it repeats the offset, with 1 how often it repeats that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from parapick.errors import ParameterError
from parapick.operation import ActingFault, ChannelRows, InjectedFault, SignalRows, act
from parapick.runtime.layout import FAULT, FAULTS_MAX, PAYLOAD
from parapick.supervision import State

STATES: Final = tuple(State)
"""Operating states in the order of their numbers in C."""


def cell_faults(faults: Sequence[InjectedFault], motors: int, dof: int, rate: float, lead: float) -> np.ndarray:
    """Faults as a virtual cell has them (faults,).

    What acts on the reference is the planner's and is left out, as commands of the operator are.

    Args:
        faults: the faults.
        motors: number of motors.
        dof: length of the task vector.
        rate: bus cycles per second (Hz).
        lead: time (s) from the beginning of the state "running" to that of the task.

    Raises:
        ParameterError: more faults than a cell has room for.
    """
    inside = [fault for fault in faults if acts_in_cell(fault)]
    if len(inside) > FAULTS_MAX:
        raise ParameterError("faults", f"are {len(inside)}; a virtual cell has room for {FAULTS_MAX}")
    rows = np.zeros(len(inside), FAULT)
    for row, fault in zip(rows, inside, strict=True):
        _fill(row, fault, (motors, dof), rate, lead if fault.state == State.RUNNING.value else 0.0)
    return rows


def acts_in_cell(fault: InjectedFault) -> bool:
    """Whether a fault acts on drives or plant, and not on the reference.

    Args:
        fault: the fault.
    """
    kind = fault.row
    return any(effect is not None for effect in (kind.encoder, kind.drive, kind.load, kind.force, kind.signals))


def _fill(row: Any, fault: InjectedFault, sizes: tuple[int, int], rate: float, lead: float) -> None:
    (motors, dof), kind = sizes, fault.row
    begin = round((lead + fault.time) * rate)
    row["state"], row["active"] = STATES.index(State(fault.state)), 1
    row["begin"], row["end"] = begin, begin + round(fault.samples(rate))
    for name, effect in (("angle", kind.encoder), ("torque", kind.drive)):
        share, offset, repeat = _channel(effect, fault, motors)
        row[f"{name}_share"][:motors], row[f"{name}_offset"][:motors] = share, offset
        row[f"{name}_repeat"][:motors] = repeat
    empty, full = np.zeros((1, PAYLOAD)), np.ones((1, PAYLOAD))
    for load in (empty, full):
        act(kind.load, load, _acting(fault, None))
    row["load_offset"], row["load_share"] = empty[0], full[0] - empty[0]
    force = np.zeros((1, dof))
    act(kind.force, force, _acting(fault, None))
    row["force"][:dof] = force[0]
    signals = SignalRows(np.zeros(1, bool), np.zeros((1, motors), bool), np.zeros(1, bool))
    act(kind.signals, signals, _acting(fault, None))
    row["dead"][:motors], row["late"], row["emergency"] = signals.dead[0], signals.late[0], signals.emergency[0]


def _acting(fault: InjectedFault, value: np.ndarray | None) -> ActingFault:
    """The fault in a sample in which it acts, and acted in the sample before."""
    yes = np.ones(1, bool)
    return ActingFault(fault.target, fault.size, yes, yes, np.zeros(1), value)


def _channel(
    effect: Callable[[ChannelRows, ActingFault], None] | None, fault: InjectedFault, motors: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Share, offset and repeated share (motors,) of a fault at a channel."""

    def offsets(value: np.ndarray) -> ChannelRows:
        rows = ChannelRows(np.ones((1, motors)), np.zeros((1, motors)))
        act(effect, rows, _acting(fault, value))
        return rows

    nothing, one = offsets(np.zeros(motors)), offsets(np.ones(motors))
    return nothing.share[0], nothing.offset[0], one.offset[0] - nothing.offset[0]
