"""Master and cell as processes: paced and in lockstep, refused, and killed."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.runtime.cell_program import (
    CELL_SOURCES,
    CellError,
    CompilerError,
    c_sources,
    cell_texts,
    compiled,
    compiler,
    running_cell,
)
from parapick.runtime.layout import IN, OUT
from parapick.runtime.loop_layout import CELL_TURN, FRESH
from parapick.runtime.segment import SharedSegment, new_segment
from parapick.runtime.virtual_cell import VirtualCell
from runtime.compiled import COVERED, HERE, LEVEL, Library, linked, pointer
from runtime.test_segment import MASTER, attached

WATCHDOG = 0.05
"""Watchdog (s) of these tests, long enough for a busy machine."""


@pytest.fixture(scope="module")
def programs(library: Library) -> tuple[Path, Path]:
    """The cell and a master, as programs."""
    folder = Path(COVERED) / "cell" if COVERED else library.folder / "cell"
    texts = {**cell_texts(library.cell), "holding_master.c": (HERE / "holding_master.c").read_text()}
    texts |= c_sources()
    cell = compiled(texts, folder, "cell", (*CELL_SOURCES, "cell_main.c"), *LEVEL)
    master = linked(folder, "master", ["holding_master.c", "bus.c", "cia402.c", "master.c"])
    return cell, master


@pytest.fixture
def watched(library: Library) -> VirtualCell:
    return replace(library.cell, drives=replace(library.cell.drives, watchdog=WATCHDOG))


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return f"/parapick-process-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}"


@contextmanager
def enabled(programs: tuple[Path, Path], cell: VirtualCell, name: str) -> Iterator[tuple[SharedSegment, Any, Any]]:
    """A segment, the cell's process and a master's that has enabled the drives."""
    with new_segment(name) as segment:
        cell.fill(segment)
        command = [str(programs[1]), name]
        with (
            running_cell(programs[0], segment) as drives,
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as master,
        ):
            try:
                assert master.stdout is not None
                assert master.stdout.readline() == "enabled\n"
                yield segment, drives, master
            finally:
                master.kill()


def newest(segment: SharedSegment) -> np.ndarray:
    seen = segment.newest_in()
    assert seen is not None
    return seen.copy()


def settled(segment: SharedSegment, done: Any, longest: float = 3.0) -> np.ndarray:
    """The first frame that fulfils a condition."""
    end = time.monotonic() + longest
    while time.monotonic() < end:
        seen = newest(segment)
        if done(seen):
            return seen
        time.sleep(1e-3)
    raise AssertionError(newest(segment))


def test_killing_the_master_leaves_drives_without_torque_and_with_brakes(
    programs: tuple[Path, Path], watched: VirtualCell, name: str
) -> None:
    """The error comes when the watchdog's time is over, not before, and the robot stays where it is."""
    with enabled(programs, watched, name) as (segment, _, master):
        settled(segment, lambda seen: np.all(seen["drives"]["brake"][:4] == 0))
        os.kill(master.pid, signal.SIGKILL)
        seen = settled(segment, lambda seen: np.all(seen["drives"]["error_code"][:4] == 0x8130))
        assert np.all(seen["drives"]["brake"][:4] == 1)
        seen = settled(segment, lambda seen: np.all(seen["drives"]["status_word"][:4] & 0x4F == 0x08))
        assert np.all(np.abs(seen["drives"]["torque"][:4]) <= 1)
        cycles = round(1e9 * WATCHDOG / watched.period)
        last = segment.newest_out()
        assert last is not None
        assert seen["missed"] >= cycles
        later = settled(segment, lambda later: later["cycle"] > seen["cycle"] + 200)
        assert later["x"] == pytest.approx(seen["x"], abs=1e-3)
        # The seat is free again, and the fault stays until somebody resets it.
        assert not segment.seated("master")
        assert later["drives"]["error_code"][0] == 0x8130


def test_killing_the_cell_is_seen_by_the_master(programs: tuple[Path, Path], watched: VirtualCell, name: str) -> None:
    with enabled(programs, watched, name) as (segment, drives, master):
        os.kill(drives.pid, signal.SIGKILL)
        assert master.wait(3.0) == 3
        said = master.stdout.read()
        cycles = round(1e9 * WATCHDOG / watched.period)
        assert said == f"dead after {cycles + 1} periods\n"
        assert not segment.seated("drives")
        again = subprocess.run([str(programs[1]), name], capture_output=True, text=True, check=False)
        assert again.returncode == 2
        assert again.stderr == "no drives are attached: their process has ended\n"


def test_a_second_master_and_a_second_cell_are_refused(
    programs: tuple[Path, Path], watched: VirtualCell, name: str
) -> None:
    with enabled(programs, watched, name) as (segment, _, _):
        for program in programs:
            other = subprocess.run([str(program), name], capture_output=True, text=True, check=False)
            assert other.returncode == 2
            assert "somebody else is attached already" in other.stderr
        assert newest(segment)["drives"]["error_code"][0] == 0


def test_a_master_that_ends_in_order_lets_another_one_come(
    programs: tuple[Path, Path], watched: VirtualCell, name: str
) -> None:
    """A fault of the watchdog is latched: the next master sees it before it gives any torque."""
    with enabled(programs, watched, name) as (segment, _, master):
        master.kill()
        settled(segment, lambda seen: np.all(seen["drives"]["status_word"][:4] & 0x4F == 0x08))
        master.wait(3.0)
        other = subprocess.run([str(programs[1]), name], capture_output=True, text=True, check=False)
        assert other.stdout == "fault of drive 1: 8130\n"


def test_a_cell_of_another_robot_does_not_start(programs: tuple[Path, Path], watched: VirtualCell, name: str) -> None:
    with new_segment(name) as segment:
        watched.fill(segment)
        segment.whole["head"]["fingerprint"][3] ^= 1
        with pytest.raises(CellError, match="another robot"), running_cell(programs[0], segment):
            pass
        segment.whole["head"]["fingerprint"][3] ^= 1
        segment.whole["head"]["motors"] = 2
        with pytest.raises(CellError, match="another robot"), running_cell(programs[0], segment):
            pass


def test_a_ring_of_turns_that_is_not_sound_is_refused(
    programs: tuple[Path, Path], watched: VirtualCell, name: str
) -> None:
    with new_segment(name, {"cell_turns": (10, CELL_TURN)}) as segment:
        watched.fill(segment)
        segment.ring("cell_turns", CELL_TURN)._head["row_size"] = 8
        with pytest.raises(CellError, match="not one of ours"), running_cell(programs[0], segment):
            pass


def test_a_cell_logs_its_turns_until_there_is_no_room(
    programs: tuple[Path, Path], watched: VirtualCell, name: str
) -> None:
    with new_segment(name, {"cell_turns": (10, CELL_TURN)}) as segment:
        watched.fill(segment)
        with running_cell(programs[0], segment):
            settled(segment, lambda seen: seen["cycle"] > 20)
            turns = segment.ring("cell_turns", CELL_TURN).take()
    assert turns["cycle"].tolist() == list(range(10))
    # No master is there yet: nothing is read, and nothing acts.
    assert not any(turns[field].any() for field in ("read", "taken"))
    assert not np.any(turns["flags"] & FRESH)
    assert np.all(np.diff(turns["time"]) > 0)


def test_a_cell_needs_the_name_of_a_segment(programs: tuple[Path, Path]) -> None:
    done = subprocess.run([str(programs[0])], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "give the name of a segment\n")
    done = subprocess.run([str(programs[0]), "/no-such-one"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "/no-such-one: there is no such segment\n")


@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGINT])
def test_a_cell_ends_in_order(
    programs: tuple[Path, Path], watched: VirtualCell, name: str, way: signal.Signals
) -> None:
    with new_segment(name) as segment:
        watched.fill(segment)
        with running_cell(programs[0], segment) as drives:
            os.kill(drives.pid, way)
            assert drives.wait(3.0) == 0
        assert not segment.seated("drives")


def test_bus_cycles_begin_late_by_no_more_than_the_jitter_and_the_machine(
    programs: tuple[Path, Path], watched: VirtualCell, name: str
) -> None:
    """With a jitter of a whole cycle the sampling instants spread; cycles are numbered without gaps."""
    jittery = replace(watched, drives=replace(watched.drives, jitter=250e-6, dropped=0.3))
    with enabled(programs, jittery, name) as (segment, _, _):
        frames = [settled(segment, lambda _: True) for _ in range(1)]
        missed = []
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            seen = newest(segment)
            if seen["cycle"] != frames[-1]["cycle"]:
                frames.append(seen)
                missed.append(int(seen["missed"]))
        epoch = int(segment.whole["head"]["epoch"])
        late = np.array([int(one["time"]) - epoch - int(one["cycle"]) * jittery.period for one in frames])
        assert len(late) > 50
        assert np.median(late) > 50_000
        # Three of ten frames get lost, so that some cycles went without one, and no watchdog minds.
        assert max(missed) >= 1
        assert frames[-1]["drives"]["error_code"][0] == 0


def test_lockstep_steps_once_for_every_frame(
    programs: tuple[Path, Path], library: Library, watched: VirtualCell, name: str
) -> None:
    """Without a clock the process does what the same frames do in one process, to the last bit."""
    still = replace(watched, lockstep=True)
    outs = np.zeros(40, OUT)
    outs["cycle"] = 1 + np.arange(40)
    outs["drives"]["mode"] = 10
    outs["drives"]["control_word"] = np.array([0, 6, 7, *[15] * 37])[:, None]
    outs["drives"]["target_torque"][3:, :2] = [30, -20]
    wanted = library.run(library.started(library.segment(still)), outs)
    with new_segment(name) as segment:
        still.fill(segment)
        with running_cell(programs[0], segment), attached(library, name, MASTER) as (reason, bus):
            assert reason == ""
            mapped = ctypes.c_void_p(library.functions.probe_segment(bus))
            seen = np.zeros(40, IN)
            for k in range(40):
                count = 0
                while count < k + 1:
                    count = library.functions.pp_bus_read_in(mapped, pointer(seen[k : k + 1]))
                library.functions.pp_bus_write_out(mapped, pointer(outs[k : k + 1]))
    assert np.array_equal(seen["x"], wanted["x"])
    assert np.array_equal(seen["drives"], wanted["drives"])
    assert seen["time"].tolist() == [k * still.period for k in range(40)]


def test_a_compiler_that_refuses_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CompilerError, match=r"(?s)refuses broken: .*error"):
        compiled({"broken.c": "int main(void) { return x; }"}, tmp_path, "broken", ("broken.c",))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompilerError, match="install gcc or clang"):
        compiler()
