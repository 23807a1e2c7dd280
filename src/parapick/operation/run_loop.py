"""The course of a supervised run: state by state, each with the reference that belongs to it.

A state is run with its whole reference; the supervisor's step is taken sample by sample on what is measured, and where
the state changes the run goes on from that sample with the reference of the next state. Every engine therefore trips at
the same sample.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from parapick.mechanism import combined
from parapick.motion import hold
from parapick.operation.braking import BRAKING, SHOWN, braking_outputs
from parapick.operation.faults import InjectedFault
from parapick.operation.onset import Onset
from parapick.operation.run_log import Piece, SupervisedLog
from parapick.operation.setup import Plan, Supervision
from parapick.operation.state_reference import (
    StateReference,
    held_reference,
    reference_of,
    series_of_reference,
    signals_of_reference,
)
from parapick.operation.supervised_run import SupervisedRun
from parapick.progress import Listener, tell
from parapick.simulation import (
    TOLD,
    Judge,
    LoopSeries,
    Machine,
    Outputs,
    last_good,
    machine_of,
)
from parapick.supervision import (
    SETTLED,
    WINDOW,
    CellMemory,
    Event,
    Observation,
    Past,
    State,
    StopLimits,
    Watched,
    step,
    stop_plan,
)

DWELL: Final = 0.02
"""Time (s) for which the drives hold the plate before homing, and for which the operator waits before the start."""


class SupervisedLoop:
    """A supervised run as it goes on."""

    def __init__(
        self,
        supervision: Supervision,
        plan: Plan,
        faults: tuple[InjectedFault, ...],
        progress: Listener | None = None,
    ) -> None:
        self._fixed, self._plan, self._faults, self._progress = supervision, plan, faults, progress
        self._onsets: list[Onset] = []
        self._first = 0
        self._log = SupervisedLog(supervision.watch, supervision.plant, supervision.rate, faults)
        self._memory = self._log.stepped(self._enabled(), 0, {})
        q = supervision.model.inverse_kinematics(np.array(plan.start))
        self._past = Past.resting(q, q)
        self._machine: Machine | None = None
        self._started, self._row = False, 0
        self._carried = self._known = np.zeros(5)

    @property
    def _patience(self) -> float:
        """Time (s) for which the end of a reference is held: longer than the plate may take to come to rest."""
        return (max(self._fixed.rules.persistence) + SETTLED) / self._fixed.rate

    def _enabled(self) -> tuple[CellMemory, CellMemory]:
        nothing = Observation((False,) * len(self._fixed.rules.persistence), False, False, Event.ENABLE)
        return CellMemory(), step(self._fixed.rules, CellMemory(), nothing)

    def run(self) -> SupervisedRun:
        """Run to the end of the task, or until the robot rests after it was stopped."""
        reference = self._held(np.array(self._plan.start), DWELL, "enabling")
        while True:
            state, ending = self._memory.state, self._started and self._memory.state is State.READY
            self._count_from(state)
            tell(self._progress, state.value)
            if state in (State.OFF, State.FAULT):
                self._brake()
                break
            self._started = self._started or state is State.RUNNING
            reference = self._reference(state, reference)
            if not self._follow(state, reference, ending) or ending:
                break
        return self._log.run(self._fixed, self._onsets)

    def _count_from(self, state: State) -> None:
        """Settle when the faults begin that count from the beginning of a state."""
        lead = self._plan.lead if state is State.RUNNING else 0.0
        if state is State.RUNNING:
            self._log.task = self._first + round(lead * self._fixed.rate)
        known = [onset.fault for onset in self._onsets]
        for fault in self._faults:
            if fault.state == state.value and fault not in known:
                first = self._first + round((lead + fault.time) * self._fixed.rate)
                self._onsets.append(Onset(fault, first, first + fault.samples(self._fixed.rate)))

    def _held(self, x: np.ndarray, duration: float, name: str) -> StateReference:
        """A pose that is held, with what was carried last."""
        fixed = self._fixed
        motion = hold(x, duration, name)
        lead = fixed.supervisor.stop_time
        reference = reference_of(motion, motion, fixed.rate, self._first, self._patience, self._onsets, lead)
        loads = (np.broadcast_to(load, reference.load.shape) for load in (self._carried, self._known))
        return replace(reference, **dict(zip(("load", "known"), loads, strict=True)))

    def _reference(self, state: State, before: StateReference) -> StateReference:
        """What is followed in a state."""
        if state is State.STOPPING:
            return self._stop(before)
        plan = self._plan
        motions = {State.HOMING: (plan.homing, plan.homing), State.RUNNING: (plan.running, plan.known)}
        if state not in motions:
            rest = before.x[min(self._row, len(before.x) - 1)]
            return self._held(rest, SHOWN if self._started else DWELL, state.value)
        fixed = self._fixed
        lead = fixed.supervisor.stop_time
        return reference_of(*motions[state], fixed.rate, self._first, self._patience, self._onsets, lead)

    def _stop(self, before: StateReference) -> StateReference:
        """The path of the reference before, slowed to rest from the sample at which the stop begins."""
        fixed, supervisor = self._fixed, self._fixed.supervisor
        s, pace, course = before.course(self._row)
        payload = combined(fixed.model.gripper.vector(), self._known)
        motors = fixed.model.motors
        torque = np.minimum(motors.peak_torque * motors.ratio, fixed.loop.drives.torque_max)
        plan = stop_plan(
            StopLimits(fixed.model, payload, torque, supervisor.stop_reserve, supervisor.stop_time, fixed.rate),
            course,
            s,
            pace,
        )
        still, count = np.zeros_like(plan.x), len(plan.s)
        load, known = (np.repeat(row[None], count, axis=0) for row in (self._carried, self._known))
        wanted, arrived = (plan.s, plan.pace, plan.x, plan.xd, plan.xdd), plan.pace == 0.0
        return held_reference(
            StateReference(*wanted, still, still, plan.x, load, known, arrived, before.motion),
            self._patience,
            fixed.rate,
        )

    def _follow(self, state: State, reference: StateReference, ending: bool) -> bool:
        """Run a state until it changes; whether the run goes on."""
        begin, first = 0, self._first
        for end in self._cuts(len(reference.s)):
            series = series_of_reference(reference, self._fixed, self._first, self._onsets)
            part = series.rows(slice(begin, end))
            if self._machine is None:
                self._machine = self._made(part)
            judge = self._judge(reference, first, begin, ending)
            outputs = self._machine.run(part, judge)
            good = last_good(outputs) if outputs else 0
            self._log.add(Piece(state, first + begin, part.rows(slice(0, good)), outputs, reference.phases, first))
            if outputs and good < len(outputs["x"]):
                return False
            self._row = begin + good
            if good < end - begin or end == len(reference.s):
                break
            self._hold(first + end, outputs)
            begin = end
        last = min(self._row, len(reference.load) - 1)
        self._first, self._carried, self._known = first + self._row, reference.load[last], reference.known[last]
        return True

    def _cuts(self, count: int) -> list[int]:
        """Rows before which a fault begins that repeats what was before it, and the end."""
        rows = {onset.first - self._first for onset in self._onsets if onset.waiting}
        if 0 in rows:
            self._hold(self._first, self._log.last)
        return sorted({*(row for row in rows if 0 < row < count), count})

    def _hold(self, sample: int, outputs: Outputs) -> None:
        """Note what faults repeat that begin at a sample."""
        for i, onset in enumerate(self._onsets):
            if onset.first == sample and onset.waiting and outputs:
                self._onsets[i] = replace(onset, value=outputs[onset.fault.row.repeats][-1])

    def _made(self, series: LoopSeries) -> Machine:
        fixed, x = self._fixed, np.array(self._plan.start)
        return machine_of(fixed.engine, replace(fixed.assembly, series=series), x)

    def _judge(self, reference: StateReference, first: int, begin: int, ending: bool) -> Judge:
        """What looks at samples, takes the supervisor's steps and says where the state ends."""
        signals = signals_of_reference(reference, self._fixed, first, self._onsets)
        start, operating_state = first + int(np.ceil(DWELL * self._fixed.rate)), self._memory.state

        def judge(offset: int, q_meas: np.ndarray, asked: np.ndarray) -> int:
            if offset and offset % TOLD == 0:
                tell(self._progress, operating_state.value, offset)
            rows = slice(begin + offset, begin + offset + len(q_meas))
            seen = replace(signals.rows(rows), q_meas=q_meas, command=asked)
            if first + rows.start == 0:
                # Encoders behind a twisted spring, or off their axis, say from the beginning what they say.
                self._past = Past.resting(q_meas[0], self._past.q_ref)
            watched = self._fixed.watch.look(seen, self._past)
            count, ended = self._steps(watched, reference, first, begin + offset, (start, ending))
            self._log.watched(first + begin + offset, watched.values, count + ended, operating_state)
            self._past = self._window(q_meas[:count], seen.x_ref[max(count - 1, 0)]) if ended else watched.past
            return count

        return judge

    def _steps(
        self, watched: Watched, reference: StateReference, first: int, row: int, ends: tuple[int, bool]
    ) -> tuple[int, bool]:
        """Take the supervisor's steps; how many samples belong to the state, and whether it ended before the others."""
        start, ending = ends
        over, still = watched.over.tolist(), watched.still.tolist()
        for i, (beyond, resting) in enumerate(zip(over, still, strict=True)):
            here = row + i
            if here == 0:
                continue
            arrived = bool(reference.arrived[here])
            waiting = arrived and self._memory.state is not State.READY
            observed = Observation(tuple(beyond), resting, waiting, self._command(first + here, start))
            before, self._memory = self._memory, step(self._fixed.rules, self._memory, observed)
            if self._memory.state is not before.state or self._memory.fault != before.fault:
                self._log.stepped((before, self._memory), first + here, watched.row(i))
            if self._memory.state is not before.state or (ending and arrived):
                return i, True
        return len(over), False

    def _window(self, q_meas: np.ndarray, x_ref: np.ndarray) -> Past:
        """What is before the next sample where only some samples were taken."""
        angles = np.concatenate([self._past.q_meas, q_meas])[-WINDOW:]
        return Past(angles, self._fixed.model.inverse_kinematics(x_ref) if len(q_meas) else self._past.q_ref)

    def _command(self, sample: int, start: int) -> Event | None:
        """What the operator asks for at a sample."""
        commands = [onset.fault.row.command for onset in self._onsets if onset.first == sample]
        command = next((command for command in commands if command is not None), None)
        if command is not None:
            return command
        ready = self._memory.state is State.READY and not self._started
        return Event.START if ready and sample >= start else None

    def _brake(self) -> None:
        """The drives are off and the brakes applied, until the robot rests."""
        fixed, state = self._fixed, self._memory.state
        resting = (np.array(self._plan.start), np.zeros(fixed.loop.dof), None)
        place = resting if self._machine is None else self._machine.place
        reference = self._held(place[0], BRAKING, state.value)
        series = replace(series_of_reference(reference, fixed, self._first, self._onsets), faults=None)
        outputs = braking_outputs(fixed, series, place)
        good = series.rows(slice(0, last_good(outputs)))
        self._log.add(Piece(state, self._first, good, outputs, reference.phases, self._first))
