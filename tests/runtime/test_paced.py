"""The loop against a clock: nothing here depends on how punctual the machine is that runs the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.runtime import paced as module
from parapick.runtime.building import runtime_program
from parapick.runtime.cell_program import cell_program, running_cell
from parapick.runtime.interrupts import interrupts
from parapick.runtime.loop_layout import LOG, ROW
from parapick.runtime.machine import STATES
from parapick.runtime.paced import Privileges, RuntimeRefusedError, paced, quantile, settings_in, system_of
from parapick.runtime.planner import Feeder
from parapick.runtime.recorder import supervised_run
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.running import RuntimeRun
from parapick.runtime.segment import Ring, SharedSegment, new_segment
from parapick.runtime.session import Session, session
from parapick.supervision import GuardLimits, State, Supervisor
from runtime.compiled import LEVEL, LONGEST
from runtime.loop_cases import PAR4, counted

pytestmark = pytest.mark.usefixtures("unhurried")

PATIENT = Supervisor(GuardLimits(deadline=100000))
"""A busy machine may be late as often as it likes."""


@pytest.fixture(scope="module")
def run() -> Session:
    made = session(*PAR4, RunSettings(PATIENT))
    # A watchdog that a busy machine does not meet by chance.
    return replace(made, cell=replace(made.cell, drives=replace(made.cell.drives, watchdog=0.25)))


@pytest.fixture(scope="module")
def programs(run: Session, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = counted(tmp_path_factory.mktemp("paced"))
    flags = (*LEVEL, "-Werror")
    return cell_program(run.cell, folder / "cell", *flags), runtime_program(run, folder / "runtime", *flags)


@contextmanager
def prepared(run: Session, programs: tuple[Path, Path], name: str) -> Iterator[tuple[SharedSegment, Any]]:
    """A segment with a cell, fed; the runtime is not there yet."""
    with new_segment(f"/parapick-test-{os.getpid()}-{name}", run.rings) as segment:
        settings = settings_in(segment)
        module.shorten_log(segment, run)
        run.fill(settings)
        run.cell.fill(segment)
        Feeder(segment.ring("reference", ROW), run.rows.blocks()).feed()
        with running_cell(programs[0], segment) as cell:
            yield segment, (settings, cell)


def started(program: Path, segment: SharedSegment) -> subprocess.Popen[str]:
    return subprocess.Popen([str(program), segment.name], stderr=subprocess.PIPE, text=True)


def awaited(reached: Any) -> None:
    end = time.monotonic() + LONGEST
    while not reached():
        assert time.monotonic() < end
        time.sleep(2e-3)


def test_a_run_goes_through_its_states_and_is_recorded(run: Session, programs: tuple[Path, Path]) -> None:
    seen = []
    got = paced(run, Path(), programs=programs, watcher=lambda _, report, rows: seen.append((report, rows)))
    log, record = got.log, supervised_run(run, got.log, "runtime")
    assert got.code == 0
    # Whoever watches gets every row but those of the very end, and reports that stay as they were.
    watched = np.concatenate([rows for _, rows in seen])
    np.testing.assert_array_equal(watched, log[: len(watched)])
    assert len(watched) > len(log) // 2
    assert int(seen[0][0]["periods"]) < int(seen[-1][0]["periods"])
    # Samples are those of the bus: none is left out, none comes twice.
    np.testing.assert_array_equal(log["sample"], np.arange(len(log)))
    assert np.all(log["written"] >= log["computed"])
    assert np.all(np.diff(log["begin"]) >= 0)
    report = got.report
    assert int(report["late"].sum()) >= int(report["periods"]) > 0
    assert int(report["length"].sum()) == int(report["periods"])
    assert int(report["lost"]) == 0
    answer = RuntimeRun(run, log, record, got).answer("adept-120")
    assert answer.key == "run"
    assert [one.after for one in record.changes][:4] == [State.ENABLING, State.HOMING, State.READY, State.RUNNING]
    # The path is that of the rows, sample by sample, whatever the clock did.
    running = log[log["state"] == STATES.index(State.RUNNING)]
    wanted = run.rows.running[run.rows.running["flags"] & 4 == 0]
    count = min(len(running), len(wanted))
    np.testing.assert_array_equal(running["x_ref"][:count], wanted["x"][:count])
    assert record.finished or record.trip is not None


def test_a_planner_that_starves_ends_in_brakes(
    run: Session, programs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which guard it is a busy machine decides, which may be late itself; test_loop.py has it without a clock."""

    class Starving:
        def __init__(self, ring: Ring, blocks: Iterable[np.ndarray]) -> None:
            rows = np.concatenate(list(blocks))
            self.ring, self.rows = ring, rows[: len(rows) * 3 // 4]

        def feed(self) -> None:
            self.rows = self.rows[self.ring.write(self.rows) :]

    monkeypatch.setattr(module, "Feeder", Starving)
    got = paced(run, Path(), programs=programs, privileges=Privileges(0, 900))
    # Nothing was asked of the scheduler, and there is no such processor.
    assert got.system["scheduler"] == "SCHED_OTHER"
    assert "refused" in got.system["processor"]
    record = supervised_run(run, got.log, "runtime")
    assert next(got.log["late"][i] for i in np.flatnonzero(got.log["fault"] >= 0))
    assert record.state is State.FAULT
    assert not record.finished


def frames_until(segment: SharedSegment, done: Any) -> list[np.ndarray]:
    """Frames of the drives, as they come, up to the first one that fulfils a condition."""
    frames: list[np.ndarray] = []
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        frame = segment.newest_in()
        if frame is not None and (not frames or frame["cycle"] != frames[-1]["cycle"]):
            frames.append(frame.copy())
            if done(frames[-1]):
                return frames
        time.sleep(1e-3)
    raise AssertionError(frames[-1])


def test_drives_are_left_without_torque_and_braked_where_the_runtime_is_killed(
    run: Session, programs: tuple[Path, Path]
) -> None:
    """Within the watchdog's time, counted in bus cycles without a frame, and not before."""
    n, cycles = run.cell.plant.robot.motors, round(1e9 * run.cell.drives.watchdog / run.cell.period)
    with prepared(run, programs, "killed") as (segment, _), started(programs[1], segment) as runtime:
        log = segment.ring("log", LOG)
        awaited(lambda: log.waiting > 50)
        runtime.send_signal(signal.SIGKILL)
        runtime.wait(LONGEST)
        frames = frames_until(segment, lambda frame: frame["missed"] > cycles + 200)
        assert not segment.seated("master")
    drives = [(int(frame["missed"]), frame["drives"][:n]) for frame in frames]
    waiting = [one for missed, one in drives if missed < cycles]
    over = [one for missed, one in drives if missed > cycles]
    assert waiting
    for one in waiting:
        assert np.all(one["error_code"] == 0)
        assert np.all(one["brake"] == 0)
        # What was asked for last holds the plate.
        assert np.any(one["torque"] != 0)
    assert over
    for one in over:
        assert np.all(one["error_code"] == 0x8130)
        assert np.all(one["torque"] == 0)
        assert np.all(one["brake"] == 1)


def test_a_cell_that_is_killed_is_seen(run: Session, programs: tuple[Path, Path]) -> None:
    """Not before the watchdog's time, and then nothing asks for torque or for power any more."""
    n = run.cell.plant.robot.motors
    with prepared(run, programs, "dead") as (segment, (_, cell)), started(programs[1], segment) as runtime:
        log = segment.ring("log", LOG)
        awaited(lambda: log.waiting > 50)
        cell.kill()
        assert runtime.wait(LONGEST) == 0
        rows, out = log.take(), segment.newest_out()
        record = supervised_run(run, rows, "runtime")
    assert record.trip is not None
    assert record.trip.guard == "drive"
    tripped = int(np.argmax(rows["fault"] >= 0))
    assert rows["late"][tripped] & 4
    waited = 1e-9 * (int(rows["begin"][tripped]) - int(rows["begin"][tripped - 1]))
    # The period of the last frame may itself have begun late.
    late = 1e-9 * (int(rows["begin"][tripped - 1]) - int(rows["sampled"][tripped - 1]))
    assert waited > run.cell.drives.watchdog - late
    assert np.any(rows["torque"][tripped - 1, :n] != 0.0)
    assert np.all(rows["torque"][tripped:, :n] == 0.0)
    assert out is not None
    assert np.all(out["drives"]["target_torque"][:n] == 0)
    # Operation enabled needs all four bits.
    assert np.all(out["drives"]["control_word"][:n] & 0xF != 0xF)


def test_ctrl_c_asks_for_a_stop_along_the_path(run: Session, programs: tuple[Path, Path]) -> None:
    """The terminal sends it to everybody in the foreground: that is Python alone, so that the drives stay."""
    asked, groups = [], []

    def watch(_: Session, report: Any, rows: np.ndarray) -> None:
        if not asked and len(rows) and State.RUNNING is STATES[int(rows[-1]["state"])]:
            groups.append(os.getpgid(int(report["pid"])))
            asked.append(signal.raise_signal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    got = paced(run, Path(), programs=programs, watcher=watch)
    assert signal.getsignal(signal.SIGINT) is before
    assert os.getpgrp() not in groups
    record = supervised_run(run, got.log, "runtime")
    assert (State.RUNNING, State.STOPPING) in [(one.before, one.after) for one in record.changes]
    assert not record.finished


def test_a_second_ctrl_c_ends_the_run(run: Session, programs: tuple[Path, Path]) -> None:
    def watch(_: Session, report: Any, rows: np.ndarray) -> None:
        if len(rows):
            signal.raise_signal(signal.SIGTERM)

    name = f"/parapick-twice-{os.getpid()}"
    with pytest.raises(KeyboardInterrupt):
        paced(run, Path(), programs=programs, name=name, watcher=watch)
    # Nothing is left behind.
    assert not Path("/dev/shm", name[1:]).exists()


def test_signals_are_those_of_the_main_thread() -> None:
    answers: list[bool] = []

    def elsewhere() -> None:
        with interrupts() as asked:
            answers.append(asked())

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert answers == [False]


def test_a_second_runtime_is_refused(run: Session, programs: tuple[Path, Path]) -> None:
    with prepared(run, programs, "second") as (segment, _), started(programs[1], segment) as first:
        log = segment.ring("log", LOG)
        awaited(lambda: log.waiting > 10)
        with started(programs[1], segment) as second:
            assert second.wait(LONGEST) == 2
            assert segment.name in second.stderr.read()
        first.send_signal(signal.SIGTERM)
        assert first.wait(LONGEST) == 0
        changes = [one.after for one in supervised_run(run, log.take(), "runtime").changes]
    # A signal asks for a stop along the path.
    assert changes[-1] in (State.READY, State.OFF, State.FAULT)


@pytest.mark.parametrize(
    ("spoil", "code", "text"),
    [
        (
            lambda whole, settings: whole["head"]["fingerprint"].__setitem__(0, 1 + whole["head"]["fingerprint"][0]),
            2,
            "robot",
        ),
        (lambda whole, settings: settings.__setitem__("budget", 1), 3, "a period takes"),
        (lambda whole, settings: settings.__setitem__("magic", 1), 2, "settings"),
        (lambda whole, settings: whole["head"].__setitem__("log", 0), 2, "rings"),
        (lambda whole, settings: whole["head"].__setitem__("reference", 8), 2, ""),
    ],
    ids=["another robot", "a period that is too short", "no settings", "no log", "a ring in the wrong place"],
)
def test_what_is_not_sound_is_refused_before_any_torque(
    run: Session, programs: tuple[Path, Path], spoil: Any, code: int, text: str
) -> None:
    with prepared(run, programs, "unsound") as (segment, (settings, _)):
        spoil(segment.whole, settings)
        with started(programs[1], segment) as runtime:
            assert runtime.wait(LONGEST) == code
            assert text in runtime.stderr.read()
        assert segment.newest_out() is None


def test_a_runtime_that_does_not_start_is_an_error(run: Session, programs: tuple[Path, Path], monkeypatch: Any) -> None:
    fill = Session.fill

    def hasty(self: Session, settings: Any) -> None:
        fill(self, settings)
        settings["budget"] = 1

    monkeypatch.setattr(Session, "fill", hasty)
    with pytest.raises(RuntimeRefusedError, match="a period takes"):
        paced(run, Path(), programs=programs, privileges=Privileges(0, 0))


def test_programs_say_how_they_are_called(programs: tuple[Path, Path]) -> None:
    done = subprocess.run([str(programs[1])], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (2, "give the name of a segment")
    done = subprocess.run([str(programs[1]), "/parapick-none"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "/parapick-none" in done.stderr


def test_quantiles_and_the_system_are_in_words() -> None:
    bins = np.zeros(512, np.uint64)
    assert np.isnan(quantile(bins, 0.5))
    bins[[3, 10]] = 99, 1
    assert quantile(bins, 0.5) == pytest.approx(4e-6)
    assert quantile(bins, 1.0) == pytest.approx(11e-6)
    bins[511] = 1000
    assert quantile(bins, 0.99) == np.inf
    told = system_of({"scheduler": 0, "memory": 1, "pinned": -1})
    assert told["scheduler"] == "SCHED_FIFO"
    assert told["memory"].startswith("not locked: locked is refused")
    assert told["processor"] == "any"
