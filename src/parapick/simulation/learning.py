"""A law that learns, run cycle by cycle: after each cycle the torques of the next follow from its errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parapick.simulation.assembling import Assembled
from parapick.simulation.divergence import last_good
from parapick.simulation.series import LoopSeries
from parapick.simulation.summary import cycle_rows

Runner = Callable[[LoopSeries, bool], dict[str, np.ndarray]]
"""Runs a part of a loop on from where it is, and is told whether it has begun before: what was recorded, by name."""


def learning_run(made: Assembled, run: Runner) -> dict[str, np.ndarray]:
    """What is recorded of all cycles, by name; it ends with the cycle in which the loop diverged.

    Args:
        made: the loop, whose law learns.
        run: runs a part of it.
    """
    law: Any = made.loop.law
    count = round(made.cycle * made.rate)
    instants = made.cycle * np.arange(count) / count
    known = np.zeros((count, made.loop.motors))
    recorded: list[dict[str, np.ndarray]] = []
    for number, rows in enumerate(cycle_rows(made.series.t, made.cycle, made.cycles)):
        since = made.series.t[rows] - number * made.cycle
        part = run(made.series.part(rows, _within(since, instants, known, made.cycle)), number > 0)
        recorded.append(part)
        if last_good(part) < rows.stop - rows.start:
            break
        error = made.model.inverse_kinematics(made.series.x[rows]) - part["q_meas"]
        known = law.relearned(known, _within(instants, since, error, made.cycle), instants[1])
    return {name: np.concatenate([part[name] for part in recorded]) for name in recorded[0]}


def _within(at: np.ndarray, given: np.ndarray, values: np.ndarray, cycle: float) -> np.ndarray:
    """Values (N, n) of a cycle at other instants of it, linear in between; beyond its end those of its start."""
    inside = given < cycle
    wrapped = np.where(at < cycle, at, 0.0)
    return np.column_stack([np.interp(wrapped, given[inside], column, period=cycle) for column in values[inside].T])
