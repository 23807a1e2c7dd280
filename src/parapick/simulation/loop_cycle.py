"""Drives of a simulated loop over its last cycle: the sums that a robot's file limits, as the motors really ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from parapick.answer import Cell, Column, Requirement, Table
from parapick.model import Model
from parapick.motors import CYCLE, DriveCycle, passed_torque, states_sums
from parapick.ride import cycle_requirements
from parapick.simulation.record import Record
from parapick.simulation.summary import SEAM


def loop_cycle(model: Model, record: Record) -> DriveCycle | None:
    """The motors of a loop over the last cycle that it ran through; None where it ended early, or nothing is stated.

    A file that states one continuous torque at most states no sums: that is for `evaluate`.

    Args:
        model: the robot.
        record: the record of the loop.
    """
    motors = model.motors
    if not record.completed or not states_sums(motors):
        return None
    here = _last_cycle(record)
    t, rate = record.t[here], record.motor.get("qd_motor", record.qd)[here]
    torque = record.torque[here] / motors.ratio

    def outputs() -> np.ndarray:
        return passed_torque(motors, torque, rate, np.gradient(rate, t, axis=0))

    return DriveCycle(motors, t, torque, rate * motors.ratio, outputs)


def _last_cycle(record: Record) -> np.ndarray:
    """Which samples belong to the last whole cycle (T,); all where the motion is no cycle, or shorter than one."""
    start, end = float(record.t[0]), float(record.t[-1])
    # The last sample stands for its control period.
    count = 0 if record.cycle is None else int((end - start + 1.0 / record.rate + SEAM) / record.cycle)
    if record.cycle is None or count == 0:
        return np.ones(len(record.t), dtype=bool)
    return record.between(start + (count - 1) * record.cycle, start + count * record.cycle)


def exceeded_sum(model: Model, record: Record) -> Requirement | None:
    """The first sum over the cycle that a loop does not keep; None where it keeps all, or none is stated.

    Args:
        model: the robot.
        record: the record of the loop.
    """
    cycle = loop_cycle(model, record)
    if cycle is None:
        return None
    return next((requirement for requirement in cycle_requirements(cycle) if not requirement.ok), None)


def sums_table(model: Model, records: Mapping[str, Record]) -> Iterator[Table]:
    """Shares of the sums that are limited, and the energy from the mains, law by law; none where nothing is stated.

    Args:
        model: the robot.
        records: records by the name of their law or controller.
    """
    cycles = {name: loop_cycle(model, record) for name, record in records.items()}
    known = [cycle for cycle in cycles.values() if cycle is not None]
    if not known:
        return
    titles = [kind.title for kind in CYCLE if any(loads.kind is kind for loads in known[0].loads)]
    fed = known[0].bus is not None
    heads = (
        Column("law"),
        *(Column(title, "", "%", 1, alarm=1.0) for title in titles),
        *([Column("from the mains", "J", decimals=2)] if fed else []),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, cycle in cycles.items():
        shares = {} if cycle is None else {loads.kind.title: float(loads.shares.max()) for loads in cycle.loads}
        mains = None if cycle is None or cycle.bus is None else cycle.bus.mains
        rows.append((name, *(shares.get(title) for title in titles), *([mains] if fed else [])))
    yield Table("sums", "shares of what is limited over a cycle, as simulated", heads, tuple(rows))
