"""A law that learns, run cycle by cycle: after each cycle the torques of the next follow from its errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from parapick.progress import Listener, tell
from parapick.simulation.assembled import Assembled
from parapick.simulation.divergence import Outputs, last_good
from parapick.simulation.machine import Machine
from parapick.simulation.summary import cycle_rows


def learning_run(assembly: Assembled, machine: Machine, progress: Listener | None = None) -> Outputs:
    """What is recorded of all cycles, by name; it ends with the cycle in which the loop diverged.

    Args:
        assembly: the loop, whose law learns.
        machine: the same at its beginning.
        progress: called before every cycle.
    """
    law: Any = assembly.loop.law
    count = round(assembly.cycle * assembly.rate)
    instants = assembly.cycle * np.arange(count) / count
    known = np.zeros((count, assembly.loop.motors))
    recorded: list[Outputs] = []
    for number, rows in enumerate(cycle_rows(assembly.series.t, assembly.cycle, assembly.cycles)):
        tell(progress, "cycles", number, assembly.cycles)
        since = assembly.series.t[rows] - number * assembly.cycle
        learned = _within(since, instants, known, assembly.cycle)
        part = machine.run(replace(assembly.series.rows(rows), learned=learned))
        recorded.append(part)
        if last_good(part) < rows.stop - rows.start:
            break
        error = assembly.model.inverse_kinematics(assembly.series.x[rows]) - part["q_meas"]
        known = law.relearned(known, _within(instants, since, error, assembly.cycle), instants[1])
    return {name: np.concatenate([part[name] for part in recorded]) for name in recorded[0]}


def _within(at: np.ndarray, known_at: np.ndarray, values: np.ndarray, cycle: float) -> np.ndarray:
    """Values (N, n) of a cycle at other instants of it, linear in between; beyond its end those of its start."""
    inside = known_at < cycle
    wrapped = np.where(at < cycle, at, 0.0)
    return np.column_stack([np.interp(wrapped, known_at[inside], column, period=cycle) for column in values[inside].T])
