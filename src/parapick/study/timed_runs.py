"""Designs on tasks whose motion is another one for each: what their motors do there, what is left of slacks and limits.

Such a motion is looked at as `evaluate` does, so that the measures of a study are the numbers of its tables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from parapick.evaluation import Run
from parapick.study.motion_fold import MotionFold
from parapick.study.work import Work, slack_title

Runs = list[Run | str]
"""A task for every design (m): the robot on its motion, or why it has none; empty where it was not asked."""


def run_fold(motors: int, runs: Runs) -> MotionFold:
    """What the motors of designs do along a task, as `motion_fold` has it; NaN where a design has no motion.

    Args:
        motors: motors of the robot.
        runs: the task for every design.
    """
    torque, rms, speed, heat, mean = np.full((5, len(runs), motors), np.nan)
    energy, power = np.full((2, len(runs)), np.nan)
    fold = MotionFold(torque, rms, speed, energy, power, heat, mean)
    for row, run in enumerate(runs):
        if isinstance(run, Run) and not run.ride.no_masses:
            ride = run.ride
            loads, bus = ride.loads, np.sum(ride.loads.torque * ride.loads.speed, axis=-1)
            fold.torque[row], fold.speed[row] = np.abs(loads.torque).max(axis=0), np.abs(loads.speed).max(axis=0)
            fold.rms[row], fold.heat[row] = ride.rms_torque, ride.heat_torque
            limited = np.isfinite(ride.model.motors.gearbox_mean_torque).any()
            fold.gearbox_mean[row] = ride.cycle.gearbox_mean if limited else 0.0
            fold.energy[row] = np.trapezoid(np.maximum(bus, 0.0), loads.t)
            fold.power[row] = max(float(bus.max()), 0.0)
    return fold


def run_slacks(work: Work, tables: Sequence[Runs], count: int) -> dict[str, np.ndarray]:
    """Smallest slack of every kind along such tasks (m,), by kind; infinite where a design has no motion.

    Args:
        work: what designs are evaluated with.
        tables: every such task for every design.
        count: number of designs.
    """
    least = {kind: np.full(count, math.inf) for kind in work.kinds}
    for row, run in _each(tables):
        slacks = {requirement.name: requirement.value for requirement in run.path_requirements}
        for kind, column in least.items():
            column[row] = min(column[row], slacks.get(slack_title(kind), math.inf))
    return least


def run_uses(work: Work, tables: Sequence[Runs], count: int) -> np.ndarray:
    """Largest share of a limit of motors or rods along such tasks (m,); NaN where a design has no motion.

    Args:
        work: what designs are evaluated with.
        tables: every such task for every design.
        count: number of designs.
    """
    most = np.full(count, math.nan)
    for row, run in _each(tables):
        shares = [requirement.use for requirement in run.load_requirements if requirement.name in work.rated]
        most[row] = np.fmax(most[row], max((share for share in shares if share is not None), default=math.nan))
    return most


def _each(tables: Sequence[Runs]) -> list[tuple[int, Run]]:
    return [(row, run) for runs in tables for row, run in enumerate(runs) if isinstance(run, Run)]
