"""The course of a supervised run: state by state, each with the reference that belongs to it.

A state is run with its whole reference; the supervisor's step is taken sample by sample on what is measured, and where
the state changes the run goes on from that sample with the reference of the next state. Every engine therefore trips at
the same sample.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from parapick.control import inertia_at_joints
from parapick.errors import ParameterError
from parapick.model.payload import combined
from parapick.motion import hold
from parapick.simulation.braking import braked
from parapick.simulation.description import Loop
from parapick.simulation.divergence import last_good
from parapick.simulation.faults import InjectedFault
from parapick.simulation.integration import check_stiffness, substeps_of
from parapick.simulation.machines import Judge, Machine, Outputs, machine_of
from parapick.simulation.series import LoopSeries
from parapick.simulation.stages import Onset, Stage, held_stage, series_of_stage, stage_of
from parapick.simulation.supervised_log import Piece, SupervisedLog
from parapick.simulation.supervised_run import SupervisedRun
from parapick.simulation.supervised_setup import Plan, Supervision
from parapick.supervision import (
    CellMemory,
    Event,
    Observation,
    Past,
    Signals,
    State,
    StopLimits,
    Watched,
    step,
    stop_plan,
)
from parapick.supervision.limits import SETTLED
from parapick.supervision.watching import WINDOW, still_displacement

DWELL: Final = 0.02
"""Time (s) for which the drives hold the plate before homing, and for which the operator waits before the start."""

SHOWN: Final = 0.05
"""Time (s) that is shown after the robot has come to rest."""

BRAKING: Final = 1.0
"""Longest time (s) that brakes are given."""

FINER: Final = 32
"""How many times finer brakes may be integrated than the loop."""


class SupervisedLoop:
    """A supervised run as it goes on."""

    def __init__(self, supervision: Supervision, plan: Plan, faults: tuple[InjectedFault, ...]) -> None:
        self._fixed, self._plan, self._faults = supervision, plan, faults
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

    def run(self, law: str) -> SupervisedRun:
        """Run to the end of the task, or until the robot rests after it was stopped.

        Args:
            law: name of the law.
        """
        stage = self._held(np.array(self._plan.start), DWELL, "enabling")
        while True:
            state, ending = self._memory.state, self._started and self._memory.state is State.READY
            self._count_from(state)
            if state in (State.OFF, State.FAULT):
                self._brake()
                break
            self._started = self._started or state is State.RUNNING
            stage = self._stage(state, stage)
            if not self._follow(state, stage, ending) or ending:
                break
        return self._log.run(self._fixed, law, self._onsets)

    def _count_from(self, state: State) -> None:
        """Settle when the faults begin that count from the beginning of a state."""
        lead = self._plan.lead if state is State.RUNNING else 0.0
        if state is State.RUNNING:
            self._log.task = self._first + round(lead * self._fixed.rate)
        known = [onset.fault for onset in self._onsets]
        for fault in self._faults:
            if fault.state == state.value and fault not in known:
                first = self._first + round((lead + fault.time) * self._fixed.rate)
                lasting = fault.size if fault.kind == "deadline" else round(min(fault.duration, 1e6) * self._fixed.rate)
                self._onsets.append(Onset(fault, first, first + lasting))

    def _held(self, x: np.ndarray, duration: float, name: str) -> Stage:
        """A pose that is held, with what was carried last."""
        fixed = self._fixed
        motion = hold(x, duration, name)
        lead = fixed.supervisor.stop_time
        stage = stage_of(motion, motion, fixed.rate, self._first, self._patience, self._onsets, lead)
        loads = (np.broadcast_to(load, stage.load.shape) for load in (self._carried, self._known))
        return replace(stage, **dict(zip(("load", "known"), loads, strict=True)))

    def _stage(self, state: State, before: Stage) -> Stage:
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
        return stage_of(*motions[state], fixed.rate, self._first, self._patience, self._onsets, lead)

    def _stop(self, before: Stage) -> Stage:
        """The path of the stage before, slowed to rest from the sample at which the stop begins."""
        fixed, told = self._fixed, self._fixed.supervisor
        s, pace, course = before.course(self._row)
        payload = combined(fixed.model.gripper.vector(), self._known)
        motors = fixed.model.motors
        torque = np.minimum(motors.peak_torque * motors.ratio, fixed.loop.drives.torque_max)
        plan = stop_plan(
            StopLimits(fixed.model, payload, torque, told.stop_reserve, told.stop_time, fixed.rate), course, s, pace
        )
        still, count = np.zeros_like(plan.x), len(plan.s)
        load, known = (np.repeat(one[None], count, axis=0) for one in (self._carried, self._known))
        wanted, arrived = (plan.s, plan.pace, plan.x, plan.xd, plan.xdd), plan.pace == 0.0
        return held_stage(
            Stage(*wanted, still, still, plan.x, load, known, arrived, before.motion), self._patience, fixed.rate
        )

    def _series(self, stage: Stage) -> LoopSeries:
        fixed = self._fixed
        series = series_of_stage(stage, fixed, self._first, self._onsets)
        return replace(
            series,
            force=series.force if fixed.loop.forces else None,
            faults=series.faults if fixed.loop.faults else None,
        )

    def _follow(self, state: State, stage: Stage, ending: bool) -> bool:
        """Run a state until it changes; whether the run goes on."""
        begin, first = 0, self._first
        for end in self._cuts(len(stage.s)):
            series = self._series(stage)
            part = replace_rows(series, slice(begin, end))
            if self._machine is None:
                self._machine = self._made(part)
            judge = self._judge(stage, first, begin, ending)
            outputs = self._machine.run(part, judge)
            good = last_good(outputs) if outputs else 0
            self._log.add(Piece(state, first + begin, replace_rows(part, slice(0, good)), outputs, stage.phases, first))
            if outputs and good < len(outputs["x"]):
                return False
            self._row = begin + good
            if good < end - begin or end == len(stage.s):
                break
            self._hold(first + end, outputs)
            begin = end
        last = min(self._row, len(stage.load) - 1)
        self._first, self._carried, self._known = first + self._row, stage.load[last], stage.known[last]
        return True

    def _cuts(self, count: int) -> list[int]:
        """Rows before which a fault begins that repeats what was before it, and the end."""
        rows = {onset.first - self._first for onset in self._onsets if onset.fault.held and onset.value is None}
        if 0 in rows:
            self._hold(self._first, self._log.last)
        return sorted({*(row for row in rows if 0 < row < count), count})

    def _hold(self, sample: int, outputs: Outputs) -> None:
        """Note what faults repeat that begin at a sample."""
        names = {"encoder": "q_meas", "deadline": "torque"}
        for i, onset in enumerate(self._onsets):
            if onset.first == sample and onset.fault.held and onset.value is None and outputs:
                self._onsets[i] = replace(onset, value=outputs[names[onset.fault.kind]][-1])

    def _made(self, series: LoopSeries) -> Machine:
        fixed, x = self._fixed, np.array(self._plan.start)
        return machine_of(fixed.engine, replace(fixed.made, loop=fixed.loop, series=series), fixed.law, x)

    def _judge(self, stage: Stage, first: int, begin: int, ending: bool) -> Judge:
        """What looks at samples, takes the supervisor's steps and says where the state ends."""
        samples = first + np.arange(len(stage.s))
        signals = self._signals(stage, samples)
        start, stage_state = first + int(np.ceil(DWELL * self._fixed.rate)), self._memory.state

        def judge(offset: int, q_meas: np.ndarray, asked: np.ndarray) -> int:
            rows = slice(begin + offset, begin + offset + len(q_meas))
            seen = replace(signals.rows(rows), q_meas=q_meas, command=asked)
            if first + rows.start == 0:
                # Encoders behind a twisted spring, or off their axis, say from the beginning what they say.
                self._past = Past.resting(q_meas[0], self._past.q_ref)
            watched = self._fixed.watch.look(seen, self._past)
            count, ended = self._steps(watched, stage, first, begin + offset, (start, ending))
            self._log.watched(first + begin + offset, watched.values, count + ended, stage_state)
            self._past = self._window(q_meas[:count], seen.x_ref[max(count - 1, 0)]) if ended else watched.past
            return count

        return judge

    def _steps(self, watched: Watched, stage: Stage, first: int, row: int, ends: tuple[int, bool]) -> tuple[int, bool]:
        """Take the supervisor's steps; how many samples belong to the state, and whether it ended before the others."""
        start, ending = ends
        over, still = watched.over.tolist(), watched.still.tolist()
        for i, (beyond, resting) in enumerate(zip(over, still, strict=True)):
            here = row + i
            if here == 0:
                continue
            arrived = bool(stage.arrived[here])
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

    def _signals(self, stage: Stage, samples: np.ndarray) -> Signals:
        """What is read beside encoders and law: reference, torques too late, drives off, emergency stop."""
        late, emergency = np.zeros((2, len(samples)), dtype=bool)
        dead = np.zeros((len(samples), self._fixed.loop.motors), dtype=bool)
        for onset in self._onsets:
            active = onset.active(samples)
            if onset.fault.kind == "deadline":
                late |= onset.active(samples - 1)
            elif onset.fault.kind == "drive":
                dead[:, onset.fault.target] |= active
            elif onset.fault.kind == "emergency":
                emergency |= active
        unknown = np.zeros((len(samples), 0))
        return Signals(unknown, stage.x, stage.ahead, unknown, late, dead, emergency)

    def _command(self, sample: int, start: int) -> Event | None:
        """What the operator asks for at a sample."""
        if any(onset.fault.kind == "stop" and onset.first == sample for onset in self._onsets):
            return Event.STOP
        ready = self._memory.state is State.READY and not self._started
        return Event.START if ready and sample >= start else None

    def _brake(self) -> None:
        """The drives are off and the brakes applied, until the robot rests."""
        fixed = self._fixed
        x, xd, rotors = np.array(self._plan.start), np.zeros(fixed.loop.dof), None
        if self._machine is not None:
            x, xd, rotors = self._machine.place
        loop = braked(fixed.loop, fixed.brake, _held_inertia(fixed, x))
        substeps = _stable(fixed, loop, x)
        stage = self._held(x, BRAKING, self._memory.state.value)
        series = replace(self._series(stage), faults=None)
        moving = replace(series, xd=np.concatenate([xd[None], series.xd[1:]]))
        made = replace(fixed.made, loop=loop, series=moving, substeps=substeps)
        machine = machine_of(fixed.engine, made, None, x, rotors)
        outputs = machine.run(series, _resting(fixed))
        good = last_good(outputs)
        piece = Piece(
            self._memory.state, self._first, replace_rows(series, slice(0, good)), outputs, stage.phases, self._first
        )
        self._log.add(piece)


def replace_rows(series: LoopSeries, rows: slice) -> LoopSeries:
    """Some rows of a series.

    Args:
        series: the series.
        rows: which.
    """
    return replace(series, **{name: value[rows] for name, value in vars(series).items() if value is not None})


def _stable(fixed: Supervision, loop: Loop, x: np.ndarray) -> int:
    """Integration steps that follow the brakes."""
    substeps = substeps_of(fixed.rate, None, True)
    for _ in range(FINER):
        try:
            check_stiffness(fixed.plant, loop, x, 1.0 / (fixed.rate * substeps))
        except ParameterError:
            substeps *= 2
        else:
            break
    return substeps


def _held_inertia(fixed: Supervision, x: np.ndarray) -> np.ndarray:
    """Inertia that each brake holds at a pose (n,), kg m2: a rotor behind its spring, or all that its joint moves."""
    train = fixed.loop.drive_train
    held = inertia_at_joints(fixed.plant, x) if train is None else np.array(train.rotor)
    # Where the plate is singular a joint holds nothing that can be told, and its brake does not damp.
    return np.where(np.isfinite(held), held, 0.0)


def _resting(fixed: Supervision) -> Judge:
    """A judge that ends a piece some time after the encoders say that every joint rests."""
    count, past = 0, np.zeros((0, fixed.loop.motors))
    least = still_displacement(fixed.rate, fixed.watch.resolution)

    def judge(_offset: int, q_meas: np.ndarray, _asked: np.ndarray) -> int:
        nonlocal count, past
        angles = np.concatenate([past, q_meas])
        for i in range(len(q_meas)):
            here = len(past) + i
            window = angles[max(here - WINDOW, 0) : here + 1]
            count = count + 1 if len(window) > WINDOW and np.all(np.ptp(window, axis=0) <= least) else 0
            if count > SETTLED + SHOWN * fixed.rate:
                return i
        past = angles[-WINDOW:]
        return len(q_meas)

    return judge
