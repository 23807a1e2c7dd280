"""The planner: what is wanted sample by sample, as rows of the ring of references, ahead of the loop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, final

import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism import combined
from parapick.motion import Motion
from parapick.operation import (
    ARRIVAL,
    WHOLE,
    InjectedFault,
    Onset,
    Plan,
    PlannedRun,
    StateReference,
    Supervision,
    reference_of,
)
from parapick.runtime.loop_layout import ARRIVED, GRIPPED, KNOT, LAST, ROW
from parapick.runtime.machine import STATES
from parapick.runtime.segment import Ring
from parapick.supervision import State

Side = Literal["left", "right"]
SIDES: Final[tuple[Side, Side]] = ("left", "right")

LEFT: Final = 1e-9
"""Share of a period that a corner may be beside a sample and count as at it: there is nothing between them."""


FINER: Final = 2
"""How many times finer than the samples the path is stated where a fault makes its time run faster."""


BLOCK: Final = 1000
"""Samples of a block of rows: made in a small share of the time that they last. Chosen."""


@final
@dataclass(frozen=True, eq=False)
class RowBlocks:
    """Rows of an operating state, made block by block when they are needed: a long task has more than memory.

    Attributes:
        count: how many they are, knots among them.
        made: makes them anew, in order, in blocks (T,).
    """

    count: int
    made: Callable[[], Iterator[np.ndarray]]

    @classmethod
    def of(cls, rows: np.ndarray) -> RowBlocks:
        """Rows that are there, as one block.

        Args:
            rows: the rows (T,).
        """
        return cls(len(rows), lambda: iter((rows,)))

    @cached_property
    def whole(self) -> np.ndarray:
        """All of them (T,)."""
        return np.concatenate(list(self.made()))


@final
@dataclass(frozen=True, eq=False)
class PlannedRows:
    """The rows of a run.

    Attributes:
        start: where the plate is at the beginning, at rest: one row ().
        homings: rows of homing.
        runnings: rows of the task and the slow motion that leads to it.
        phases: named stretches of homing and of running, from the beginning of each (s), by state.
    """

    start: np.ndarray
    homings: RowBlocks
    runnings: RowBlocks
    phases: dict[State, tuple]

    @property
    def count(self) -> int:
        """How many rows are fed."""
        return self.homings.count + self.runnings.count

    @property
    def homing(self) -> np.ndarray:
        """Rows of homing (T,)."""
        return self.homings.whole

    @property
    def running(self) -> np.ndarray:
        """Rows of the task and the slow motion that leads to it (T,)."""
        return self.runnings.whole

    @property
    def all(self) -> np.ndarray:
        """All rows in the order in which they are fed (T,)."""
        return np.concatenate([self.homing, self.running])

    def blocks(self) -> Iterator[np.ndarray]:
        """All rows in that order, block by block."""
        yield from self.homings.made()
        yield from self.runnings.made()


def rows_of(planned: PlannedRun) -> PlannedRows:
    """The rows of a run.

    Args:
        planned: the run before it begins.

    Raises:
        ParameterError: a fault of the reference in a state in which the runtime's rows are not those of a simulation.
    """
    fixed, plan, faults = planned
    check_path_faults(faults)
    homing = _rows(fixed, (plan.homing, plan.homing), (), State.HOMING)
    running = _rows(fixed, (plan.running, plan.known), path_onsets(faults, fixed, plan), State.RUNNING)
    phases = {State.HOMING: plan.homing.phases, State.RUNNING: plan.running.phases}
    return PlannedRows(_start(fixed, plan), homing, running, phases)


def check_path_faults(faults: tuple[InjectedFault, ...]) -> None:
    """Raise if a fault of the reference begins outside the task, where a loop holds a pose by itself.

    Args:
        faults: the faults.

    Raises:
        ParameterError: one does.
    """
    for fault in faults:
        if fault.row.path is not None and fault.state != State.RUNNING.value:
            text = f"{fault.kind} changes the reference in the state {fault.state}"
            raise ParameterError("fault", f"{text}, in which the loop holds it by itself; let it begin in running")


def path_onsets(faults: tuple[InjectedFault, ...], fixed: Supervision, plan: Plan) -> tuple[Onset, ...]:
    """Faults of the reference, counted from the first sample of the state "running".

    Args:
        faults: the faults.
        fixed: what stays the same during the run.
        plan: what it is to do.
    """
    onsets = []
    for fault in faults:
        if fault.row.path is not None:
            first = round((plan.lead + fault.time) * fixed.rate)
            onsets.append(Onset(fault, first, first + fault.samples(fixed.rate)))
    return tuple(onsets)


def _reference(
    fixed: Supervision, motions: tuple[Motion, Motion], onsets: tuple[Onset, ...], part: slice = WHOLE
) -> StateReference:
    # The loop holds the last row by itself; what faults make of the path goes on behind its end.
    patience = (max(fixed.rules.persistence) + fixed.rules.settled) / fixed.rate if onsets else 0.0
    return reference_of(*motions, fixed.rate, 0, patience, onsets, fixed.supervisor.stop_time, part)


def _start(fixed: Supervision, plan: Plan) -> np.ndarray:
    row = np.zeros((), ROW)
    dof = fixed.loop.dof
    row["pace"] = 1.0
    row["x"][:dof] = row["ahead"][:dof] = plan.start
    row["known"] = combined(fixed.model.gripper.vector(), np.zeros(5))
    row["load"] = fixed.assembly.held_rigidly(np.zeros((1, 5)))[0]
    return row


def _rows(fixed: Supervision, motions: tuple[Motion, Motion], onsets: tuple[Onset, ...], state: State) -> RowBlocks:
    """Rows of a state, and between them those at corners of the path."""
    if onsets:
        return RowBlocks.of(_disturbed(fixed, motions, onsets, state))
    motion = motions[0]
    s = np.arange(math.ceil(motion.duration * fixed.rate) + 1) / fixed.rate
    s = s[: int(np.argmax(s >= motion.duration - ARRIVAL)) + 1]
    corners, places = _placed(np.asarray(motion.corners, dtype=float), s, fixed.rate)

    def made() -> Iterator[np.ndarray]:
        for begin in range(0, len(s), BLOCK):
            part = slice(begin, min(begin + BLOCK, len(s)))
            rows = _filled(fixed, _reference(fixed, motions, (), part), state)
            if part.stop == len(s):
                rows["flags"][-1] |= LAST
            here = (places >= part.start) & (places < part.stop)
            yield _with_knots(rows, motion, (corners[here], places[here] - begin), fixed)

    return RowBlocks(len(s) + len(SIDES) * len(corners), made)


def _disturbed(
    fixed: Supervision, motions: tuple[Motion, Motion], onsets: tuple[Onset, ...], state: State
) -> np.ndarray:
    """Rows of a state in which faults change the path, at once: what a fault does depends on what it has done."""
    motion, reference = motions[0], _reference(fixed, motions, onsets)
    rows = _filled(fixed, reference, state)
    if not reference.shift.any():
        rows = rows[: int(np.argmax(reference.arrived)) + 1]
    rows["flags"][-1] |= LAST
    corners = np.asarray(motion.corners, dtype=float)
    if np.any(rows["pace"] != 1.0):
        # Where a fault hurries the reference, rows are further apart along the path than samples.
        corners = np.union1d(corners, np.arange(1, rows["s"][-1] * fixed.rate * FINER) / (FINER * fixed.rate))
    return _with_knots(rows, motion, _placed(corners, rows["s"], fixed.rate), fixed)


def _filled(fixed: Supervision, reference: StateReference, state: State) -> np.ndarray:
    """A reference as rows of a state (T,)."""
    rows = np.zeros(len(reference.s), ROW)
    for name in ("s", "pace"):
        rows[name] = getattr(reference, name)
    for name in ("x", "xd", "xdd", "ahead", "shift", "shift_rate"):
        rows[name][:, : fixed.loop.dof] = getattr(reference, name)
    rows["known"] = combined(fixed.model.gripper.vector(), reference.known)
    rows["load"] = fixed.assembly.held_rigidly(reference.load)
    rows["flags"] = ARRIVED * reference.arrived + GRIPPED * (reference.load[:, 0] > 0.0)
    rows["state"] = STATES.index(state)
    return rows


def _placed(corners: np.ndarray, s: np.ndarray, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners that lie between rows at path times, and the row behind each of them, or at it."""
    places = np.searchsorted(s, corners - LEFT / rate)
    inside = (places > 0) & (places < len(s))
    return corners[inside], places[inside]


def _with_knots(
    rows: np.ndarray, motion: Motion, placed: tuple[np.ndarray, np.ndarray], fixed: Supervision
) -> np.ndarray:
    """The rows with both sides of every corner of the path between them, across which a quintic would err."""
    corners, places = placed
    if not len(corners):
        return rows
    s, dof = rows["s"], fixed.loop.dof
    at_sample = s[places] <= corners + LEFT / fixed.rate
    sides = [_knots(rows[places], motion, corners, side, dof) for side in SIDES]
    for knots in sides:
        knots["s"] = np.where(at_sample, s[places], corners)
    around = np.stack([places, places + at_sample], axis=1)
    return np.insert(rows, around.ravel(), np.stack(sides, axis=1).ravel())


def _knots(rows: np.ndarray, motion: Motion, corners: np.ndarray, side: Side, dof: int) -> np.ndarray:
    knots = rows.copy()
    pose = motion.at(corners, side)
    for name, values in zip(("x", "xd", "xdd"), pose, strict=True):
        knots[name][:, :dof] = values
    knots["pace"], knots["flags"], knots["shift"], knots["shift_rate"] = 1.0, KNOT, 0.0, 0.0
    return knots


class Feeder:
    """Feeds rows into a ring as there is room, a block at a time."""

    def __init__(self, ring: Ring, blocks: Iterable[np.ndarray]) -> None:
        """Nothing is fed so far.

        Args:
            ring: the ring.
            blocks: the rows, in order, in blocks (T,).
        """
        self.ring = ring
        self._blocks, self._rows = iter(blocks), np.zeros(0, ROW)

    def feed(self) -> bool:
        """Write as many rows as there is room for; whether there are more."""
        while True:
            self._rows = self._rows[self.ring.write(self._rows) :]
            if len(self._rows):
                return True
            block = next(self._blocks, None)
            if block is None:
                self.ring.close()
                return False
            self._rows = block


def horizon_of(planned: PlannedRun) -> int:
    """Rows that must be ahead: what the longest stop along the task takes, and a margin.

    A stop of a path whose pace is 1 falls to rest in `stop_time` and takes at most as many samples of the path; where
    torques ask for a longer one it is found from stops planned along the task.

    Args:
        planned: the run before it begins.
    """
    fixed = planned.supervision
    return math.ceil(max(longest_stop(planned), fixed.supervisor.stop_time) * fixed.rate * MARGIN)


MARGIN: Final = 1.5
"""How many times the longest stop along the task the horizon is."""

LOOKED: Final = 40
"""Places along the task at which stops are planned."""

STOP_RATE: Final = 4000.0
"""Rate (Hz) at which they are planned at most: their length depends on it by a sample, and their cost in proportion."""


def longest_stop(planned: PlannedRun) -> float:
    """The longest stretch of path time (s) that a stop along the task takes.

    Args:
        planned: the run before it begins.
    """
    from parapick.supervision import StopLimits, stop_plan

    fixed, plan = planned.supervision, planned.plan
    motors, supervisor, rate = fixed.model.motors, fixed.supervisor, min(fixed.rate, STOP_RATE)
    torque = np.minimum(motors.peak_torque * motors.ratio, fixed.loop.drives.torque_max)
    longest = 0.0
    for s in np.linspace(plan.lead, plan.running.duration, LOOKED, endpoint=False):
        payload = combined(fixed.model.gripper.vector(), plan.known.load_at(np.array([s]))[0])
        limits = StopLimits(fixed.model, payload, torque, supervisor.stop_reserve, supervisor.stop_time, rate)
        stop = stop_plan(limits, plan.running.at, float(s), 1.0)
        longest = max(longest, float(stop.s[-1] - s))
    return longest
