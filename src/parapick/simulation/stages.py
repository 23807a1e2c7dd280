"""The pieces of a supervised run: what is followed in each operating state, and what faults do to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from parapick.model.payload import combined
from parapick.model.samples import Pose
from parapick.motion import Motion
from parapick.motion.series import Phase
from parapick.simulation.faults import InjectedFault
from parapick.simulation.imperfect import loose_load
from parapick.simulation.series import LoopSeries
from parapick.simulation.supervised_setup import Supervision
from parapick.supervision.stop import Course


@final
@dataclass(frozen=True)
class Onset:
    """A fault whose beginning is known.

    Attributes:
        fault: the fault.
        first: its first sample, counted from where the run begins.
        last: the sample behind its last one.
        value: what it repeats (n,), where it repeats something; None until that is known.
    """

    fault: InjectedFault
    first: int
    last: float
    value: np.ndarray | None = None

    def active(self, samples: np.ndarray) -> np.ndarray:
        """Whether it acts at samples.

        Args:
            samples: numbers of the samples (T,).
        """
        return (samples >= self.first) & (samples < self.last)

    def elapsed(self, samples: np.ndarray) -> np.ndarray:
        """For how many samples it has acted.

        Args:
            samples: numbers of the samples (T,).
        """
        return np.clip(samples, self.first, self.last) - self.first


@final
@dataclass(frozen=True, eq=False)
class Stage:
    """What is followed in an operating state, one row per sample.

    Attributes:
        s: path time (T,), s.
        pace: its rate (T,).
        x: task vectors (T, dof).
        xd: their rates (T, dof).
        xdd: their accelerations (T, dof).
        shift: what faults add to the path (T, dof), included in `x`.
        shift_rate: its rate (T, dof).
        ahead: where the reference leads while it could be stopped (T, dof), as far as it is known at each sample.
        load: what is carried (T, 5) beyond the gripper.
        known: what the controller takes it to carry (T, 5).
        arrived: whether the reference has come to its end (T,).
        motion: the motion; of a stop that which is stopped.
        phases: named stretches, from the stage's beginning (s).
    """

    s: np.ndarray
    pace: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    shift: np.ndarray
    shift_rate: np.ndarray
    ahead: np.ndarray
    load: np.ndarray
    known: np.ndarray
    arrived: np.ndarray
    motion: Motion
    phases: tuple[Phase, ...] = ()

    def course(self, row: int) -> tuple[float, float, Course]:
        """Where a stop before a row begins: path time, pace and the path on from there.

        Args:
            row: the row at which the stop begins.
        """
        motion, before = self.motion, max(row - 1, 0)
        s, pace = float(self.s[before]), float(self.pace[before]) if row else 0.0
        shift, rate = self.shift[before], self.shift_rate[before] / (pace or 1.0)

        def at(time: float) -> Pose:
            x, xd, xdd = motion.at(time)
            return Pose(x + shift + rate * (time - s), xd + rate, xdd)

        return s, pace, at


def stage_of(
    motion: Motion, known: Motion, rate: float, first: int, patience: float, onsets: Iterable[Onset], lead: float
) -> Stage:
    """A motion as it is followed, with what faults make of it, and its end held for a while.

    Args:
        motion: the motion.
        known: the same with what the controller takes it to carry.
        rate: control rate (Hz).
        first: number of the stage's first sample.
        patience: how long its end is held (s).
        onsets: faults that have begun or will.
        lead: how far ahead the reference is looked at (s).
    """
    count = int(np.ceil((motion.duration + patience) * rate)) + 1
    samples = first + np.arange(count)
    s, pace = np.arange(count) / rate, np.ones(count)
    shift, shift_rate = np.zeros((2, count, motion.dof))
    for onset in onsets:
        fault, active = onset.fault, onset.active(samples)
        lasted = (onset.elapsed(samples) - onset.elapsed(samples[:1])) / rate
        if fault.kind == "pace":
            s, pace = s + (fault.size - 1.0) * lasted, pace + (fault.size - 1.0) * active
        elif fault.kind == "drift":
            shift[:, fault.target] += fault.size * lasted
            shift_rate[:, fault.target] += fault.size * active
        elif fault.kind == "reference":
            shift[:, fault.target] += fault.size * active
    x, xd, xdd = motion.at(s)
    load, believed = motion.load_at(s), known.load_at(s)
    arrived = s >= motion.duration - 1e-9
    wanted = (x + shift, xd * pace[:, None] + shift_rate, xdd * pace[:, None] ** 2)
    ahead = motion.at(s + lead * pace).x + shift + lead * shift_rate
    return Stage(s, pace, *wanted, shift, shift_rate, ahead, load, believed, arrived, motion, motion.phases)


def held_stage(stage: Stage, patience: float, rate: float) -> Stage:
    """The same stage with its last row held for a while.

    Args:
        stage: a stage that ends at rest.
        patience: how long (s).
        rate: control rate (Hz).
    """
    count = int(np.ceil(patience * rate)) + 1

    def longer(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values, np.repeat(values[-1:], count, axis=0)])

    names = ("s", "pace", "x", "xd", "xdd", "shift", "shift_rate", "ahead", "load", "known", "arrived")
    return replace(stage, **{name: longer(getattr(stage, name)) for name in names})


def series_of_stage(stage: Stage, fixed: Supervision, first: int, onsets: Iterable[Onset]) -> LoopSeries:
    """What a loop follows in a stage and what acts on it.

    Args:
        stage: the stage.
        fixed: what stays the same during the run.
        first: number of the stage's first sample.
        onsets: faults that have begun or will.
    """
    samples = first + np.arange(len(stage.s))
    load, _ = loose_load(stage.load, fixed.made.controller.plant)
    held, force = load.copy(), np.zeros_like(stage.x)
    faults = np.zeros((len(samples), 4, fixed.loop.motors))
    faults[:, [0, 2]] = 1.0
    for onset in onsets:
        fault, active = onset.fault, onset.active(samples)
        if fault.kind == "drop":
            held[active] = 0.0
        elif fault.kind == "payload":
            held[active, 0] += fault.size
        elif fault.kind == "collision":
            force[active, fault.target] += fault.size
        elif fault.inside:
            _break(faults, onset, active)
    return LoopSeries(
        samples / fixed.rate,
        stage.x,
        stage.xd,
        stage.xdd,
        combined(fixed.model.gripper.vector(), stage.known),
        combined(fixed.plant.gripper.vector(), held),
        force,
        None if fixed.noise is None else fixed.noise[samples % len(fixed.noise)],
        faults.reshape(len(samples), -1),
    )


def _break(faults: np.ndarray, onset: Onset, active: np.ndarray) -> None:
    """Shares and offsets of encoder angles (0, 1) and of torques (2, 3) under a fault, motor by motor."""
    fault, motor = onset.fault, onset.fault.target
    if fault.kind == "encoder-jump":
        faults[active, 1, motor] += fault.size
    elif fault.kind == "motor":
        faults[active, 2, motor] = 1.0 - fault.size
    elif fault.kind in ("motor-stuck", "drive"):
        faults[active, 2, motor], faults[active, 3, motor] = 0.0, fault.size
    elif fault.kind == "encoder" and onset.value is not None:
        faults[active, 0, motor], faults[active, 1, motor] = 0.0, onset.value[motor]
    elif fault.kind == "deadline" and onset.value is not None:
        faults[active, 2], faults[active, 3] = 0.0, onset.value
