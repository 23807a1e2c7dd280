"""The reference of an operating state: what the loop follows in it, sample by sample, and what faults do to that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.mechanism import combined
from parapick.motion import Motion, Phase
from parapick.operation.fault_kinds import ChannelRows, PathRows, SignalRows, act
from parapick.operation.onset import Onset
from parapick.operation.setup import Supervision
from parapick.ride import Pose
from parapick.simulation import LoopSeries
from parapick.supervision import Course, Signals

WHOLE: Final = slice(None)
"""All rows."""

ARRIVAL: Final = 1e-9
"""Time (s) before the end of a motion from which on it has come to its end: what rounding may leave."""


@final
@dataclass(frozen=True, eq=False)
class StateReference:
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
        phases: named stretches, from its beginning (s).
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


def reference_of(
    motion: Motion,
    known: Motion,
    rate: float,
    first: int,
    patience: float,
    onsets: Iterable[Onset],
    lead: float,
    part: slice = WHOLE,
) -> StateReference:
    """A motion as it is followed, with what faults make of it, and its end held for a while.

    Args:
        known: the same with what the controller takes it to carry.
        rate: control rate (Hz).
        first: number of its first sample.
        patience: how long its end is held (s).
        onsets: faults that have begun or will.
        lead: how far ahead the reference is looked at (s).
        part: which of its rows; where faults change the path only all of them are right.
    """
    rows = np.arange(int(np.ceil((motion.duration + patience) * rate)) + 1)[part]
    samples, count = first + rows, len(rows)
    path = PathRows(rows / rate, np.ones(count), *np.zeros((2, count, motion.dof)))
    for onset in onsets:
        act(onset.fault.row.path, path, onset.over(samples, rate))
    s, pace, shift, shift_rate = path.s, path.pace, path.shift, path.shift_rate
    x, xd, xdd = motion.at(s)
    load, believed = motion.load_at(s), known.load_at(s)
    arrived = s >= motion.duration - ARRIVAL
    wanted = (x + shift, xd * pace[:, None] + shift_rate, xdd * pace[:, None] ** 2)
    ahead = motion.at(s + lead * pace).x + shift + lead * shift_rate
    return StateReference(s, pace, *wanted, shift, shift_rate, ahead, load, believed, arrived, motion, motion.phases)


def held_reference(reference: StateReference, patience: float, rate: float) -> StateReference:
    """The same reference with its last row held for a while.

    Args:
        reference: a reference that ends at rest.
        patience: how long (s).
        rate: control rate (Hz).
    """
    count = int(np.ceil(patience * rate)) + 1

    def longer(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values, np.repeat(values[-1:], count, axis=0)])

    return replace(
        reference,
        **{name: longer(values) for name, values in vars(reference).items() if isinstance(values, np.ndarray)},
    )


def series_of_reference(
    reference: StateReference, fixed: Supervision, first: int, onsets: Iterable[Onset]
) -> LoopSeries:
    """What a loop follows in an operating state and what acts on it.

    Args:
        fixed: what stays the same during the run.
        first: number of the reference's first sample.
        onsets: faults that have begun or will.
    """
    samples = first + np.arange(len(reference.s))
    loop = fixed.loop
    held = fixed.assembly.held_rigidly(reference.load).copy()
    force = np.zeros_like(reference.x)
    channels = np.zeros((len(samples), 4, loop.motors))
    channels[:, [0, 2]] = 1.0
    encoder, drive = (ChannelRows(channels[:, row], channels[:, row + 1]) for row in (0, 2))
    for onset in onsets:
        kind, acting = onset.fault.row, onset.over(samples, fixed.rate)
        act(kind.load, held, acting)
        act(kind.force, force, acting)
        act(kind.encoder, encoder, acting)
        act(kind.drive, drive, acting)
    return LoopSeries(
        samples / fixed.rate,
        reference.x,
        reference.xd,
        reference.xdd,
        combined(fixed.model.gripper.vector(), reference.known),
        combined(fixed.plant.gripper.vector(), held),
        force if loop.forces else None,
        None if fixed.noise is None else fixed.noise[samples % len(fixed.noise)],
        channels.reshape(len(samples), -1) if loop.faults else None,
    )


def signals_of_reference(reference: StateReference, fixed: Supervision, first: int, onsets: Iterable[Onset]) -> Signals:
    """What the supervisor reads in an operating state, encoder angles and torques left out.

    Args:
        fixed: what stays the same during the run.
        first: number of the reference's first sample.
        onsets: faults that have begun or will.
    """
    samples = first + np.arange(len(reference.s))
    late, emergency = np.zeros((2, len(samples)), dtype=bool)
    rows = SignalRows(late, np.zeros((len(samples), fixed.loop.motors), dtype=bool), emergency)
    for onset in onsets:
        act(onset.fault.row.signals, rows, onset.over(samples, fixed.rate))
    unknown = np.zeros((len(samples), 0))
    return Signals(unknown, reference.x, reference.ahead, unknown, rows.late, rows.dead, rows.emergency)
