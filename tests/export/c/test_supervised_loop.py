"""A whole supervised run by C, sample by sample: guards, step, stop and law as a control task would call them."""

from __future__ import annotations

import ctypes
import shutil
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.export.c.supervisor_step import EVENTS, STATES
from parapick.operation import run_loop
from parapick.ride import Pose
from parapick.simulation import LoopSeries
from parapick.supervision import CellMemory, Observation, Signals, State, Watch
from supervisors_in_c import MEMORY, SEEN, Library, exact_machine

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")

STOP = 1e-9
"""Largest difference of the references of a stop (m, rad, per s and s2), and of torques as a share of the largest."""


@dataclass
class Piece:
    """An operating state of Python's run: what was followed, what was read, and the steps that were taken."""

    series: LoopSeries
    signals: Signals | None = None
    steps: list[tuple[CellMemory, Observation, CellMemory]] = field(default_factory=list)


@dataclass
class Noted:
    """Python's run as it went."""

    enabled: list[tuple[CellMemory, Observation, CellMemory]] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    stops: list[tuple[Any, ...]] = field(default_factory=list)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    """Whatever the library's supervisor reads, decides and plans in the run of a test."""
    found = Noted()
    look, step, plan, series = Watch.look, run_loop.step, run_loop.stop_plan, run_loop.series_of_reference

    def noting_series(*given: Any) -> LoopSeries:
        found.pieces.append(Piece(series(*given)))
        return found.pieces[-1].series

    def noting_look(watch: Watch, signals: Signals, past: Any) -> Any:
        assert found.pieces[-1].signals is None, "one look at each state"
        found.pieces[-1].signals = signals
        return look(watch, signals, past)

    def noting_step(rules: Any, memory: CellMemory, seen: Observation) -> CellMemory:
        then = step(rules, memory, seen)
        steps = found.pieces[-1].steps if found.pieces else found.enabled
        steps.append((memory, seen, then))
        return then

    def noting_plan(*given: Any) -> Any:
        found.stops.append(given)
        return plan(*given)

    monkeypatch.setattr(Watch, "look", noting_look)
    monkeypatch.setattr(run_loop, "step", noting_step)
    monkeypatch.setattr(run_loop, "stop_plan", noting_plan)
    monkeypatch.setattr(run_loop, "series_of_reference", noting_series)
    return found


class Cell:
    """The exported functions with what they remember: what a control task has."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.memory, self.seen = np.zeros(1, MEMORY), np.zeros(1, SEEN)
        self._past, self._quantities = np.zeros(1, library.past), np.zeros(1, library.quantities)
        # Room for more numbers than any law has.
        self._law, self._terms, self._tau, self._stop = np.zeros(400), np.zeros(400), np.zeros(4), np.zeros(3)
        library.call("supervisor_reset", self.memory)
        library.call("law_reset", self._law)

    def default(self, name: str) -> object:
        return ctypes.byref(ctypes.c_char.in_dll(self.library.functions, f"cell_{name}"))

    def rest(self, q_meas: np.ndarray) -> None:
        self.library.call("guards_reset", self._past, q_meas, q_meas)

    def look(self, signals: np.ndarray) -> None:
        limits = self.default("default_guard_limits")
        self.library.call("guards", self.library.numbers, limits, self._past, signals, self._quantities, self.seen)

    def step(self, arrived: bool, command: int) -> State:
        self.seen["arrived"], self.seen["command"] = arrived, command
        self.library.call("supervisor_step", self.default("default_rules"), self.memory, self.seen)
        return STATES[int(self.memory["state"][0])]

    def remember(self, signals: np.ndarray) -> None:
        self.library.call(
            "guards_remember", self.library.numbers, self._past, signals["q_meas"][0], signals["x_ref"][0]
        )

    def begin_stop(self, s: float, pace: float) -> None:
        self.library.call("stop_begin", self.default("default_stop_limits"), self._stop, s, pace)

    def stop(self, course: Any, payload: np.ndarray) -> Pose:
        """The reference of a sample while stopping."""
        at = course(float(self._stop[0]))
        xd, xdd, load = np.zeros(4), np.zeros(4), np.zeros(1)
        path = [np.ascontiguousarray(each, dtype=float) for each in (*at, payload)]
        limits = self.default("default_stop_limits")
        self.library.call("stop_step", self.library.numbers, limits, self._stop, *path, xd, xdd, load)
        return Pose(path[0], xd, xdd)

    def law(self, q_meas: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """What the law asks for."""
        law = self.default("law_default")
        assert self.library.call("law_step", law, self._law, q_meas, reference, self._terms, self._tau) == 1
        return self._terms[:4].copy()


def rows(library: Library, signals: Signals) -> np.ndarray:
    """Signals as C has them, a row for each sample."""
    made = np.zeros(len(signals.q_meas), library.signals)
    for name in library.signals.names or ():
        made[name] = getattr(signals, name)
    return made


def memory_of(memory: CellMemory) -> np.ndarray:
    event = EVENTS.index(memory.event)
    numbers = (STATES.index(memory.state), memory.fault, int(memory.homed), memory.counts, memory.rest, event)
    return np.array([(*numbers, memory.cause)], MEMORY)


def follow(cell: Cell, piece: Piece, state: State, stop: tuple[Any, ...]) -> dict[str, np.ndarray]:
    """An operating state by C on the signals of Python's: its references and commands, until it changes."""
    assert piece.signals is not None
    signals, series = rows(cell.library, piece.signals), piece.series
    path = (series.x, series.xd, series.xdd)
    wanted, commands = [], []
    if state is State.STOPPING:
        cell.begin_stop(*stop[2:4])
    for row in range(len(piece.steps) + 1):
        now = signals[row : row + 1]
        if row:
            _, seen, then = piece.steps[row - 1]
            cell.look(now)
            assert tuple(cell.seen["over"][0].astype(bool)) == seen.over, (state, row)
            assert bool(cell.seen["still"][0]) == seen.still, (state, row)
            reached = cell.step(seen.arrived, EVENTS.index(seen.command))
            assert cell.memory[0] == memory_of(then)[0], (state, row)
            if reached is not state:
                break
        cell.remember(now)
        stopping = state is State.STOPPING
        at = cell.stop(stop[1], stop[0].payload) if stopping else Pose(*(each[row] for each in path))
        reference = np.concatenate([*at, series.payload_ref[row]])
        wanted.append(np.concatenate([*at]))
        commands.append(cell.law(np.ascontiguousarray(now["q_meas"][0]), reference))
    return {"reference": np.array(wanted), "command": np.array(commands)}


def test_a_run_that_stops_along_its_path_is_that_of_python(par4: Library, noted: Noted) -> None:
    """Switched on, homed, started, stopped by the emergency stop: states, guards, references and torques."""
    cycle = pp.adept_cycle(par4.model, cycles_per_minute=150)
    pp.supervise(par4.model, cycle, exact_machine(), faults=["emergency@0.05"])
    cell = Cell(par4)
    ((before, seen, then),) = noted.enabled
    assert cell.memory[0] == memory_of(before)[0]
    state = cell.step(seen.arrived, EVENTS.index(seen.command))
    assert cell.memory[0] == memory_of(then)[0]
    pieces = [piece for piece in noted.pieces if piece.signals is not None]
    assert pieces[0].signals is not None
    cell.rest(np.ascontiguousarray(pieces[0].signals.q_meas[0]))
    (stop,) = noted.stops
    states, largest = [], 0.0
    for piece in pieces:
        states.append(state)
        found, series, signals = follow(cell, piece, state, stop), piece.series, piece.signals
        count = len(found["reference"])
        asked = np.hstack([series.x, series.xd, series.xdd])[:count]
        np.testing.assert_allclose(found["reference"], asked, rtol=0.0, atol=STOP, err_msg=state.value)
        assert signals is not None
        # What the supervisor reads at a sample is what the law asked for at the one before.
        command = signals.command[1 : count + 1]
        largest = max(largest, float(np.abs(command).max()))
        np.testing.assert_allclose(found["command"][: len(command)], command, rtol=0.0, atol=STOP * largest)
        state = STATES[int(cell.memory["state"][0])]
    assert states == [State.ENABLING, State.HOMING, State.READY, State.RUNNING, State.STOPPING]
    assert state is State.FAULT
    stopped = pieces[-1].series
    assert np.abs(stopped.xd[0]).max() > 0.5
    assert np.abs(stopped.xd[len(pieces[-1].steps)]).max() == 0.0
