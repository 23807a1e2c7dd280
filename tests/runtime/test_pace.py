"""The loop's process against a clock that goes on when it is read: signals, privileges, overruns, refusals."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.runtime.layout import IN
from parapick.runtime.loop_layout import BINS, LATE, LOG, LOOP_TURN, ROW
from parapick.runtime.machine import STATES
from parapick.runtime.paced import settings_in
from parapick.runtime.segment import new_segment
from parapick.supervision import State
from runtime.compiled import pointer
from runtime.scripted import ENABLED, HOMING, MOTORS, PERIOD, RUNNING, Machine, System, fill, functions_of, rings

BITS = {name: bit for bit, name in LATE.items()}
DONE, REFUSED, SLOW = 0, 2, 3
DRIVES, FAREWELL, MOST = 1, 8, 400
SIGTERM = 15


class Cell:
    """A segment with drives that answer once a period, and the process of the loop in this one.

    Attributes:
        at: what happens at a period, by its number.
    """

    def __init__(self, functions: ctypes.CDLL, segment: Any, log: int) -> None:
        self.functions, self.segment, self.machine = functions, segment, Machine()
        self.settings: Any = settings_in(segment)
        fill(segment.whole, self.settings, len(segment._memory))
        self.log, self.reference = segment.ring("log", LOG), segment.ring("reference", ROW)
        self.turns = segment.ring("loop_turns", LOOP_TURN)
        self.log._head["rows"] = log
        self.reference.write(np.concatenate([HOMING, RUNNING]))
        self.reference.close()
        self.system = System.in_dll(functions, "probe_world")
        ctypes.memset(ctypes.byref(self.system), 0, ctypes.sizeof(System))
        self.system.priority = self.system.kept_to = -1
        self.system.reading = 1000
        self.at: dict[int, Callable[[], Any]] = {}
        self.silent: range = range(0)
        self.frame: Any = np.zeros((), IN)
        self.frame["drives"]["status_word"][:MOTORS] = ENABLED
        self._slept = System.KIND(self._period)
        self.system.slept = self._slept

    def _period(self) -> None:
        number = int(self.system.sleeps)
        if number in self.at:
            self.at[number]()
        self.frame["cycle"] = self.system.now // PERIOD
        if number not in self.silent:
            self.functions.pp_bus_write_in(pointer(self.segment.whole), pointer(self.frame))
        if number > MOST:
            self.segment.end()

    def signal(self) -> None:
        self.functions.probe_signal(SIGTERM)

    def late(self, time: int) -> Callable[[], None]:
        """The process wakes so much too late (ns)."""

        def wake() -> None:
            self.system.now += time

        return wake

    def run(self, name: str = "") -> int:
        """Exit code of the process."""
        given = ctypes.c_char_p((name or self.segment.name).encode())
        return self.functions.pp_pace_run(ctypes.byref(self.machine.c), given, bytes(32))

    @property
    def report(self) -> Any:
        return self.settings["report"]


@pytest.fixture
def functions(loop_path: Path, tmp_path: Path) -> ctypes.CDLL:
    """The library with memory of its own: a process is signalled once in its life."""
    return functions_of(Path(shutil.copy(loop_path, tmp_path / f"{tmp_path.name}.so")))


def made(functions: ctypes.CDLL, request: Any, log: int, *, seated: bool = True) -> Iterator[Cell]:
    name = f"/parapick-pace-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}"
    with new_segment(name, {"loop_turns": (500, LOOP_TURN), **rings(100, log)}) as segment:
        cell = Cell(functions, segment, log)
        bus = ctypes.create_string_buffer(64)
        if seated:
            assert functions.pp_bus_attach(bus, name.encode(), DRIVES, None) == 0
        yield cell
        if seated:
            functions.pp_bus_detach(bus)
        del cell.settings, cell.log, cell.reference, cell.turns


@pytest.fixture
def cell(functions: ctypes.CDLL, request: Any) -> Iterator[Cell]:
    yield from made(functions, request, 500)


def states(rows: np.ndarray) -> list[State]:
    numbers = rows["state"].tolist()
    return [STATES[numbers[0]], *(STATES[b] for a, b in pairwise(numbers) if a != b)]


def test_a_run_to_its_end(cell: Cell) -> None:
    assert cell.run() == DONE
    rows = cell.log.take()
    assert states(rows) == [State.ENABLING, State.HOMING, State.READY, State.RUNNING, State.READY]
    np.testing.assert_array_equal(rows["sample"], np.arange(len(rows)))
    assert np.all(rows["late"] == 0)
    # A period reads the clock four times: after it was woken, behind the law, and behind the frame.
    np.testing.assert_array_equal(rows["computed"] - rows["begin"], 1000)
    np.testing.assert_array_equal(rows["written"] - rows["begin"], 2000)
    np.testing.assert_array_equal(np.diff(rows["begin"]), PERIOD)
    report = cell.report
    assert int(report["overruns"]) == int(report["missed"]) == int(report["lost"]) == 0
    assert int(report["periods"]) == len(rows) + FAREWELL
    assert int(report["late"].sum()) == int(report["length"].sum()) == int(report["periods"])
    assert int(report["length"][2]) == int(report["periods"])
    assert int(report["worst_length"]) == 2000
    assert int(report["pid"]) == os.getpid()
    # Drives are told to switch off, and the seat is free again.
    assert np.all(cell.segment.newest_out()["drives"]["control_word"][:MOTORS] == 0)
    assert not cell.segment.seated("master")


def test_turns_say_what_a_period_depended_on(cell: Cell) -> None:
    cell.at[20] = cell.late(3 * PERIOD)
    cell.at[30] = cell.signal
    assert cell.run() == DONE
    rows, turns = cell.log.take(), cell.turns.take()
    np.testing.assert_array_equal(turns["number"], 1 + np.arange(len(turns)))
    assert len(turns) == int(cell.report["periods"])
    # The drives of this test write a frame for every period, and number them by the clock.
    np.testing.assert_array_equal(turns["read"], 1 + np.arange(len(turns)))
    assert int(np.diff(turns["cycle"]).max()) == 4
    assert turns["sample"].tolist() == sorted(turns["sample"].tolist())
    own = {int(row["sample"]): row for row in rows}
    for turn in turns[: -FAREWELL - 1]:
        assert int(own[int(turn["sample"])]["begin"]) == int(turn["time"])
        assert int(own[int(turn["sample"])]["seen"]) == int(turn["cycle"])
    assert np.flatnonzero(turns["late"]).tolist() == [19]
    assert np.flatnonzero(turns["asked"]).tolist() == list(range(29, len(turns)))
    assert set(turns["rows"].tolist()) == {len(HOMING) + len(RUNNING)}
    assert set(turns["flags"].tolist()) == {1}
    # The same frame but for its number and its time would have another digest.
    assert len(set(turns["digest"].tolist())) == len(turns)


def test_turns_for_which_there_is_no_room_leave_a_gap(cell: Cell) -> None:
    cell.turns._head["rows"] = 10
    cell.turns = cell.segment.ring("loop_turns", LOOP_TURN)
    first: list[np.ndarray] = []
    cell.at[20] = lambda: first.append(cell.turns.take())
    assert cell.run() == DONE
    assert first[0]["number"].tolist() == list(range(1, 11))
    assert cell.turns.take()["number"].tolist() == list(range(20, 30))


def test_without_a_ring_no_turns_are_logged(cell: Cell) -> None:
    cell.segment.whole["head"]["loop_turns"] = 0
    assert cell.run() == DONE
    assert cell.turns.waiting == 0
    assert len(cell.log.take()) == 50


def test_periods_begin_at_their_phase(cell: Cell) -> None:
    cell.settings["phase"], cell.segment.whole["head"]["epoch"] = 300_000, 77
    assert cell.run() == DONE
    np.testing.assert_array_equal((cell.log.take()["begin"] - 77 - 1000) % PERIOD, 300_000)


def test_a_sleep_that_is_interrupted_goes_on(cell: Cell) -> None:
    cell.system.interrupts = 3
    assert cell.run() == DONE
    assert cell.system.interrupts == 0
    assert int(cell.report["missed"]) == 0


def test_the_first_signal_asks_for_a_stop(cell: Cell) -> None:
    cell.at[20] = cell.signal
    assert cell.run() == DONE
    rows = cell.log.take()
    assert states(rows)[-2:] == [State.STOPPING, State.OFF]
    assert cell.machine.commands.count("stop") >= 1
    assert cell.machine.stops


def test_the_second_signal_ends_the_process(cell: Cell) -> None:
    cell.machine.slowing = 1e-3
    cell.at[20] = cell.signal
    cell.at[22] = cell.signal
    assert cell.run() == DONE
    # The period in which it comes is the last: nobody tells the drives to switch off.
    assert int(cell.report["periods"]) == 22
    assert states(cell.log.take())[-1] is State.STOPPING
    assert np.all(cell.segment.newest_out()["drives"]["control_word"][:MOTORS] == 0x0F)


def test_an_end_that_is_asked_for_is_told_to_the_drives(cell: Cell) -> None:
    cell.at[10] = cell.segment.end
    assert cell.run() == DONE
    assert int(cell.report["periods"]) == 10 + FAREWELL - 1


@pytest.mark.parametrize("time", [PERIOD, 3 * PERIOD + 1, 7 * PERIOD])
def test_a_period_that_begins_too_late_is_missed_and_late(cell: Cell, time: int) -> None:
    cell.at[20] = cell.late(time)
    assert cell.run() == DONE
    missed = time // PERIOD
    assert int(cell.report["missed"]) == missed
    assert int(cell.report["overruns"]) == missed
    rows = cell.log.take()
    np.testing.assert_array_equal(rows["sample"], np.arange(len(rows)))
    late = rows[rows["late"] > 0]
    # The cycles that were missed, and the period that came late.
    assert len(late) == missed + 1
    assert np.all(late["late"] & BITS["period"])
    # How late it was is beyond the bins, and counted in the last.
    assert int(cell.report["late"][BINS - 1]) == 1
    assert int(cell.report["worst_late"]) == time + 1000


def test_a_period_that_takes_too_long_makes_the_next_torque_late(cell: Cell) -> None:
    law = cell.machine._law

    def slow(*given: Any) -> int:
        if len(cell.machine.sights) == 4020:
            cell.system.now += 600_000
        return law(*given)

    cell.machine.c.law = slow_law = type(cell.machine.c.law)(slow)
    assert cell.run() == DONE
    assert int(cell.report["overruns"]) == 1
    assert int(cell.report["missed"]) == 0
    assert int(cell.report["worst_length"]) == 602_000
    rows = cell.log.take()
    long = np.flatnonzero(rows["computed"] - rows["begin"] > 500_000)
    np.testing.assert_array_equal(np.flatnonzero(rows["late"]), long + 1)
    assert slow_law is not None


def test_drives_that_fall_silent_are_dead(cell: Cell) -> None:
    cell.silent = range(20, MOST)
    assert cell.run() == DONE
    rows = cell.log.take()
    assert states(rows)[-1] is State.FAULT
    assert rows["late"][-1] & BITS["bus"]


def test_a_log_that_is_full_loses_rows_and_says_so(functions: ctypes.CDLL, request: Any) -> None:
    for cell in made(functions, request, 20):
        cell.at[40] = cell.late(3 * PERIOD)
        assert cell.run() == DONE
        rows = cell.log.take()
        np.testing.assert_array_equal(rows["sample"], np.arange(20))
        remembered = cell.machine.remembered - 4000
        assert int(cell.report["lost"]) == remembered - 20 > 20


@pytest.mark.parametrize(
    ("priority", "processor", "refused"),
    [(0, -1, 0), (80, 1, 0), (80, 1, errno.EPERM), (1, 0, errno.EINVAL)],
)
def test_privileges_are_asked_for_and_what_is_refused_is_said(
    cell: Cell, priority: int, processor: int, refused: int
) -> None:
    cell.settings["priority"], cell.settings["processor"] = priority, processor
    cell.system.memory = cell.system.scheduler = cell.system.processor = refused
    assert cell.run() == DONE
    assert int(cell.report["memory"]) == refused
    assert int(cell.report["scheduler"]) == (refused if priority else -1)
    assert int(cell.report["pinned"]) == (refused if processor >= 0 else -1)
    assert cell.system.priority == (priority or -1)
    assert cell.system.kept_to == processor


def test_a_law_that_takes_too_long_is_refused(cell: Cell, capfd: pytest.CaptureFixture[str]) -> None:
    cell.system.working = PERIOD // 2 + 1
    assert cell.run() == SLOW
    assert "a period takes 500.0 us, and 500.0 of its 1000.0 us are for it" in capfd.readouterr().err
    assert int(cell.report["rehearsed"]) == PERIOD // 2 + 1
    assert cell.segment.newest_out() is None
    assert not cell.segment.seated("master")
    cell.system.working = PERIOD // 2
    assert cell.run() == DONE


def test_the_slowest_rehearsal_of_a_thousand_is_left_out(functions: ctypes.CDLL, cell: Cell) -> None:
    look = cell.machine._look
    count, every = 0, 500

    def sometimes(*given: Any) -> None:
        nonlocal count
        count += 1
        cell.system.worked += 900_000 if count % every == 0 else 1000
        look(*given)

    cell.machine.c.look = kept = type(cell.machine.c.look)(sometimes)
    machine, settings = ctypes.byref(cell.machine.c), pointer(cell.settings)
    for times, taken in ((499, 1000), (500, 900_000), (999, 900_000), (4000, 900_000), (10**6, 900_000)):
        count = 0
        assert functions.pp_pace_rehearse(machine, settings, times) == taken, times
        assert count == min(times, 4000)
    count, every = 0, 1000
    assert functions.pp_pace_rehearse(machine, settings, 4000) == 1000
    assert cell.machine.resets == 12
    assert kept is not None


def _head(name: str, value: int) -> Any:
    return lambda cell: cell.segment.whole["head"].__setitem__(name, value)


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda cell: cell.segment.whole["head"]["fingerprint"].__setitem__(0, 1), "another robot"),
        (_head("magic", 1), "not one of ours"),
        (_head("version", 9), "another version"),
        (_head("log", 0), "its rings, settings or period"),
        (_head("log", 8), "its rings, settings or period"),
        (_head("loop_turns", 8), "its rings, settings or period"),
        (_head("loop_turns", 64), "its rings, settings or period"),
        (_head("motors", 3), "its rings, settings or period"),
        (lambda cell: cell.settings.__setitem__("magic", 1), "its rings, settings or period"),
        (lambda cell: cell.log._head.__setitem__("row_size", 8), "its rings, settings or period"),
        (lambda cell: _head("log", cell.segment.whole["head"]["bytes"])(cell), "its rings, settings or period"),
    ],
)
def test_a_segment_that_is_not_sound_is_refused(
    cell: Cell, spoil: Any, text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    # Where a robot has more motors than the loop, theirs are sound, too.
    cell.segment.whole["head"]["units"] = (0.5, 0.25, 10.0, 1.0)
    spoil(cell)
    assert cell.run() == REFUSED
    said = capfd.readouterr().err
    assert said.startswith(cell.segment.name)
    assert text in said
    assert cell.segment.newest_out() is None
    assert not cell.segment.seated("master")


def test_names_and_seats_that_are_not_free_are_refused(
    functions: ctypes.CDLL, cell: Cell, request: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cell.run("/parapick-none") == REFUSED
    assert "/parapick-none: there is no such segment" in capfd.readouterr().err
    bus = ctypes.create_string_buffer(64)
    assert functions.pp_bus_attach(bus, cell.segment.name.encode(), 0, None) == 0
    assert cell.run() == REFUSED
    assert "somebody else is attached already" in capfd.readouterr().err
    functions.pp_bus_detach(bus)
    assert cell.run() == DONE


def test_a_cell_that_has_ended_is_refused(
    functions: ctypes.CDLL, request: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    for cell in made(functions, request, 20, seated=False):
        assert cell.run() == REFUSED
        assert "their process has ended" in capfd.readouterr().err
