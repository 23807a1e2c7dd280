"""The planner: what is wanted sample by sample, as rows of the ring of references, ahead of the loop."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Literal, final

import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism import combined
from parapick.motion import Motion
from parapick.operation import (
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


@final
@dataclass(frozen=True, eq=False)
class PlannedRows:
    """The rows of a run.

    Attributes:
        start: where the plate is at the beginning, at rest: one row ().
        homing: rows of homing (T,).
        running: rows of the task and the slow motion that leads to it (T,).
        phases: named stretches of homing and of running, from the beginning of each (s), by state.
    """

    start: np.ndarray
    homing: np.ndarray
    running: np.ndarray
    phases: dict[State, tuple]

    @property
    def all(self) -> np.ndarray:
        """All rows in the order in which they are fed (T,)."""
        return np.concatenate([self.homing, self.running])


def rows_of(planned: PlannedRun) -> PlannedRows:
    """The rows of a run.

    Args:
        planned: the run before it begins.

    Raises:
        ParameterError: a fault of the reference in a state in which the runtime's rows are not those of a simulation.
    """
    fixed, plan, faults = planned
    check_path_faults(faults)
    homing, running = (
        _reference(fixed, motions, onsets)
        for motions, onsets in (
            ((plan.homing, plan.homing), ()),
            ((plan.running, plan.known), path_onsets(faults, fixed, plan)),
        )
    )
    return PlannedRows(
        _start(fixed, plan),
        _rows(fixed, homing, State.HOMING, plan.homing),
        _rows(fixed, running, State.RUNNING, plan.running),
        {State.HOMING: homing.phases, State.RUNNING: running.phases},
    )


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


def _reference(fixed: Supervision, motions: tuple[Motion, Motion], onsets: tuple[Onset, ...]) -> StateReference:
    # The loop holds the last row by itself; what faults make of the path goes on behind its end.
    patience = (max(fixed.rules.persistence) + fixed.rules.settled) / fixed.rate if onsets else 0.0
    return reference_of(*motions, fixed.rate, 0, patience, onsets, fixed.supervisor.stop_time)


def _start(fixed: Supervision, plan: Plan) -> np.ndarray:
    row = np.zeros((), ROW)
    dof = fixed.loop.dof
    row["pace"] = 1.0
    row["x"][:dof] = row["ahead"][:dof] = plan.start
    row["known"] = combined(fixed.model.gripper.vector(), np.zeros(5))
    row["load"] = fixed.assembly.held_rigidly(np.zeros((1, 5)))[0]
    return row


def _rows(fixed: Supervision, reference: StateReference, state: State, motion: Motion) -> np.ndarray:
    """Rows of a state, and between them those at corners of the path."""
    rows = np.zeros(len(reference.s), ROW)
    dof = fixed.loop.dof
    for name in ("s", "pace"):
        rows[name] = getattr(reference, name)
    for name in ("x", "xd", "xdd", "ahead", "shift", "shift_rate"):
        rows[name][:, :dof] = getattr(reference, name)
    rows["known"] = combined(fixed.model.gripper.vector(), reference.known)
    rows["load"] = fixed.assembly.held_rigidly(reference.load)
    rows["flags"] = ARRIVED * reference.arrived + GRIPPED * (reference.load[:, 0] > 0.0)
    last = len(rows) if reference.shift.any() else int(np.argmax(reference.arrived)) + 1
    rows = rows[:last]
    rows["state"] = STATES.index(state)
    rows["flags"][-1] |= LAST
    return _with_knots(rows, motion, dof, fixed.rate)


def _with_knots(rows: np.ndarray, motion: Motion, dof: int, rate: float) -> np.ndarray:
    """The rows with both sides of every corner of the path between them, across which a quintic would err."""
    s, near = rows["s"], LEFT / rate
    corners = np.asarray(motion.corners, dtype=float)
    if np.any(rows["pace"] != 1.0):
        # Where a fault hurries the reference, rows are further apart along the path than samples.
        corners = np.union1d(corners, np.arange(1, s[-1] * rate * FINER) / (FINER * rate))
    places = np.searchsorted(s, corners - near)
    inside = (places > 0) & (places < len(rows))
    corners, places = corners[inside], places[inside]
    if not len(corners):
        return rows
    at_sample = s[places] <= corners + near
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


@dataclass
class Feeder:
    """Feeds rows into a ring as there is room.

    Attributes:
        ring: the ring.
        rows: what is left to feed (T,).
    """

    ring: Ring
    rows: np.ndarray
    fed: int = field(default=0)

    def feed(self) -> bool:
        """Write as many rows as there is room for; whether there are more."""
        self.fed += self.ring.write(self.rows[self.fed :])
        if self.fed == len(self.rows) and not self.ring.closed:
            self.ring.close()
        return self.fed < len(self.rows)


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
