"""A virtual cell that is served alone: runs on it one after the other, faults that are reset, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.errors import ParameterError
from parapick.runtime import (
    CellError,
    RunSettings,
    SegmentError,
    VirtualDrives,
    run_task,
    serve_cell,
    serving as module,
)
from parapick.runtime.cell_program import cell_program
from parapick.runtime.layout import IN
from parapick.runtime.loop_layout import LOG
from parapick.runtime.machine import STATES
from parapick.runtime.paced import RuntimeRefusedError
from parapick.runtime.running import RuntimeRun
from parapick.runtime.segment import SharedSegment, segment_path
from parapick.runtime.serving import serving_cell
from parapick.runtime.session import Session, session
from parapick.supervision import GuardLimits, State, Supervisor
from runtime.compiled import LEVEL, LONGEST
from runtime.loop_cases import PAR4
from runtime.test_paced import awaited

pytestmark = pytest.mark.usefixtures("unhurried")

PATIENT = RunSettings(Supervisor(GuardLimits(deadline=100000)), drives=VirtualDrives(watchdog=0.25))
"""A busy machine may be late as often as it likes."""


@pytest.fixture(scope="module")
def cell() -> Session:
    return session(*PAR4, PATIENT)


@pytest.fixture(scope="module")
def program(cell: Session, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cell_program(cell.cell, tmp_path_factory.mktemp("served"), *LEVEL)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return f"parapick-served-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}"


@pytest.fixture
def served(cell: Session, program: Path, name: str) -> Iterator[tuple[SharedSegment, subprocess.Popen[str]]]:
    with serving_cell(cell, Path(), name, program=program) as got:
        yield got


def newest(segment: SharedSegment) -> np.ndarray:
    frame = segment.newest_in()
    assert frame is not None
    assert frame.dtype == IN
    return frame


def states_of(run: RuntimeRun) -> list[State]:
    return [change.after for change in run.run.changes]


def test_a_run_leaves_the_drives_to_the_next_one(served: Any, name: str) -> None:
    """The second begins where the first has left the plate, without torque and braked in between."""
    segment, cell = served
    first = run_task(*PAR4, replace(PATIENT, segment=name))
    assert states_of(first)[:4] == [State.ENABLING, State.HOMING, State.READY, State.RUNNING]
    np.testing.assert_array_equal(first.log["sample"], np.arange(len(first.log)))
    awaited(lambda: np.all(newest(segment)["drives"]["brake"][:4] == 1))
    assert cell.poll() is None
    assert not segment.seated("master")
    assert not segment.seated("planner")
    left = newest(segment)["x"][:4].copy()
    second = run_task(*PAR4, replace(PATIENT, segment=name))
    start = second.session.planned.plan.start
    np.testing.assert_allclose(start, left, atol=1e-3)
    np.testing.assert_allclose(second.run.record.x[0], left, atol=1e-3)
    assert states_of(second)[:3] == [State.ENABLING, State.HOMING, State.READY]
    # Bus cycles go on, samples and the report begin anew.
    assert second.log["seen"][0] > first.log["seen"][-1]
    assert second.log["sample"][0] == 0
    assert second.paced is not None
    assert second.paced.turns is None
    assert int(second.paced.report["periods"]) < 2 * len(second.log) + 4 * int(second.paced.report["missed"]) + 1000


def test_a_fault_of_the_drives_stays_until_a_run_resets_it(served: Any, name: str) -> None:
    """A runtime that is killed leaves drives whose watchdog has tripped: nobody runs on them unasked."""
    segment, _ = served

    def kill(*seen: Any) -> None:
        if segment.ring("log", LOG)._head["written"] > 50 and int(segment.whole["head"]["pids"][0]) > 0:
            os.kill(int(segment.whole["head"]["pids"][0]), signal.SIGKILL)

    killed = run_task(*PAR4, replace(PATIENT, segment=name), watcher=kill)
    assert killed.paced is not None
    assert killed.paced.code == -signal.SIGKILL
    awaited(lambda: np.all(newest(segment)["drives"]["error_code"][:4] == 0x8130))
    with pytest.raises(RuntimeRefusedError, match=r"motor 1 is in Fault.*error 8130"):
        run_task(*PAR4, replace(PATIENT, segment=name))
    again = run_task(*PAR4, replace(PATIENT, segment=name, reset=True))
    assert states_of(again)[:2] == [State.ENABLING, State.HOMING]
    assert np.all(newest(segment)["drives"]["error_code"][:4] == 0)


def test_drives_that_die_are_seen_and_nobody_runs_on_them_again(served: Any, name: str) -> None:
    _, cell = served

    def kill(*seen: Any) -> None:
        if cell.poll() is None and len(np.atleast_1d(seen[-1])) and seen[-1] is not None:
            cell.kill()

    run = run_task(*PAR4, replace(PATIENT, segment=name), watcher=kill)
    assert run.run.trip is not None
    assert run.run.trip.guard == "drive"
    with pytest.raises(SegmentError, match="no drives are attached"):
        run_task(*PAR4, replace(PATIENT, segment=name))


def test_faults_of_the_drives_act_where_they_are_served(name: str, tmp_path: Path) -> None:
    made = session(*PAR4, replace(PATIENT, faults=["drive:1@homing+0.1"]))
    with serving_cell(made, tmp_path, name) as (segment, _):
        run = run_task(*PAR4, replace(PATIENT, segment=name))
        assert run.run.trip is not None
        assert (run.run.trip.guard, run.run.trip.where) == ("drive", "motor 1")
        assert newest(segment)["drives"]["error_code"][0] == 0x5000
        assert STATES[int(run.log[-1]["state"])] is State.FAULT


def test_a_name_is_served_once(served: Any, name: str) -> None:
    with pytest.raises(SegmentError, match=r"is in use .drives is process \d+.*end that run first"):
        serve_cell(*PAR4, PATIENT, name=name)


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """A test that hangs ends."""
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_what_is_served_and_leaves_nothing(name: str, monkeypatch: Any, program: Path, way: int) -> None:
    monkeypatch.setattr(module, "cell_program", lambda *_: program)
    seen, before = [], signal.getsignal(signal.SIGTERM)

    def ready(segment: SharedSegment) -> None:
        awaited(lambda: newest(segment)["cycle"] > 20)
        seen.append((segment.name, int(segment.whole["head"]["pids"][1])))
        threading.Timer(0.1, lambda: os.kill(os.getpid(), way)).start()

    with in_time(LONGEST):
        done = serve_cell(*PAR4, PATIENT, name=name, ready=ready)
    assert done.cycles > 20
    assert done.answer().data["segment"] == f"/{name}" == seen[0][0]
    assert not segment_path(done.name).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(seen[0][1], 0)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_cell_that_ends_by_itself_is_an_error(name: str, monkeypatch: Any, program: Path) -> None:
    monkeypatch.setattr(module, "cell_program", lambda *_: program)

    def kill(segment: SharedSegment) -> None:
        os.kill(int(segment.whole["head"]["pids"][1]), signal.SIGKILL)

    with in_time(LONGEST), pytest.raises(CellError, match="ended by itself, exit code -9"):
        serve_cell(*PAR4, PATIENT, name=name, ready=kill)
    assert not segment_path(f"/{name}").exists()


def test_it_may_be_served_from_any_thread_and_ended_over_the_segment(
    name: str, monkeypatch: Any, program: Path
) -> None:
    monkeypatch.setattr(module, "cell_program", lambda *_: program)
    done = []
    serve = lambda: done.append(serve_cell(*PAR4, PATIENT, name=name, ready=SharedSegment.end))  # noqa: E731
    thread = threading.Thread(target=serve)
    thread.start()
    thread.join(LONGEST)
    assert done[0].robot == "par4"


def test_what_cannot_be_served_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match="leave out lockstep"):
        serve_cell(*PAR4, replace(PATIENT, clock=False), name=name)
    with pytest.raises(ParameterError, match="letters, digits"):
        serve_cell(*PAR4, PATIENT, name="a/b")
