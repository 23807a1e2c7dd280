"""Drives that another process serves: whose they are, whether they fit, where the robot stands, and runs on them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.operation import faults_from
from parapick.runtime import RunSettings, VirtualDrives, run_task
from parapick.runtime.attached import (
    AttachedDrives,
    attached,
    check_fits,
    check_sound,
    living_frame,
    segment_name,
)
from parapick.runtime.layout import EXACT, IN, LOCKSTEP, STATED_LOAD
from parapick.runtime.paced import RuntimeRefusedError, shorten_log
from parapick.runtime.segment import PLANNER, SegmentError, SharedSegment, new_segment, open_segment, segment_path
from parapick.runtime.session import Session, session
from parapick.supervision import Supervisor
from runtime.loop_cases import PAR4

ROBOT, TASK, _ = PAR4
ENABLED, FAULT, REACTION, OFF = 0x1637, 0x0218, 0x021F, 0x0250


@pytest.fixture(scope="module")
def run() -> Session:
    return session(*PAR4)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return f"/parapick-attached-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}"


@pytest.fixture
def segment(run: Session, name: str) -> Iterator[SharedSegment]:
    """A segment as it is served, without a process."""
    with new_segment(name, run.rings) as made:
        shorten_log(made, run)
        run.cell.fill(made)
        yield made


def frame_at(segment: SharedSegment, x: Any, status: int = OFF, error: int = 0) -> np.ndarray:
    """What drives say where the plate is at a pose."""
    frame, model = np.zeros((), IN), pp.load(ROBOT)
    n = model.robot.motors
    units = segment.whole["head"]["units"]["angle"][:n]
    frame["drives"]["position"][:n] = np.round(model.inverse_kinematics(np.array(x)) / units)
    frame["drives"]["exact_position"][:n] = model.inverse_kinematics(np.array(x))
    frame["drives"]["status_word"][:n] = OFF
    frame["drives"]["status_word"][1], frame["drives"]["error_code"][1] = status, error
    return frame


@contextmanager
def drives(segment: SharedSegment, frame: np.ndarray | None = None) -> Iterator[None]:
    """Somebody has the seat of the drives, and says the same in every cycle; nothing where there is no frame."""
    ended = threading.Event()
    with closing(open_segment(segment.name)) as other:
        other.sit("drives")

        def say() -> None:
            cycle = 0
            while frame is not None and not ended.wait(1e-3):
                frame["cycle"] = cycle = cycle + 1
                other.write_in(frame)

        thread = threading.Thread(target=say)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


HOME = (0.0, 0.0, -0.7, 0.0)


def test_a_run_begins_where_the_drives_say_that_the_plate_is(segment: SharedSegment) -> None:
    x = (0.1, -0.05, -0.68, 0.3)
    with drives(segment, frame_at(segment, x)), attached(RunSettings(segment=segment.name), ROBOT) as there:
        got = there.standing(RunSettings()).supervisor.start
        # To an increment of 2^20 a turn.
        np.testing.assert_allclose(got, x, atol=1e-5)
        segment.whole["head"]["flags"] |= EXACT
        np.testing.assert_allclose(there.standing(RunSettings()).supervisor.start, x, atol=1e-11)


def test_positions_that_are_no_pose_are_refused(segment: SharedSegment) -> None:
    frame = frame_at(segment, HOME)
    increment = segment.whole["head"]["units"]["angle"][0]
    frame["drives"]["position"][:4] = np.round(np.array([1.5, -1.5, 1.5, -1.5]) / increment)
    with pytest.raises(RuntimeRefusedError, match="do not meet in a pose of par4 near its home"):
        AttachedDrives(segment, pp.load(ROBOT), frame).standing(RunSettings())


def test_the_planners_seat_is_taken_once(segment: SharedSegment) -> None:
    settings = RunSettings(segment=segment.name)
    with drives(segment, frame_at(segment, HOME)):
        with attached(settings, ROBOT):
            assert segment.seated(PLANNER)
            with pytest.raises(SegmentError, match="planner already; end that run first"), attached(settings, ROBOT):
                pass
        assert not segment.seated(PLANNER)
        with closing(open_segment(segment.name)) as other:
            other.sit("master")
            with pytest.raises(SegmentError, match="master already; end that run first"), attached(settings, ROBOT):
                pass


def test_there_must_be_drives_that_live(segment: SharedSegment) -> None:
    with pytest.raises(SegmentError, match="no drives are attached"):
        living_frame(segment)
    with drives(segment), pytest.raises(SegmentError, match="have written no frame for 1 s"):
        living_frame(segment)
    # A frame that stays the same is that of drives that hang.
    segment.write_in(frame_at(segment, HOME))
    with drives(segment), pytest.raises(SegmentError, match="have written no frame for 1 s"):
        living_frame(segment)


@pytest.mark.parametrize(
    ("status", "words"), [(FAULT, "motor 2 is in Fault, error 8130"), (REACTION, "motor 2 is in Fault reaction active")]
)
def test_drives_with_a_fault_are_refused_until_they_are_reset(segment: SharedSegment, status: int, words: str) -> None:
    with drives(segment, frame_at(segment, HOME, status, 0x8130)):
        settings = RunSettings(segment=segment.name)
        with pytest.raises(RuntimeRefusedError, match=f"{words}.*then reset it"), attached(settings, ROBOT):
            pass
        with attached(replace(settings, reset=True), ROBOT) as there:
            assert int(there.frame["drives"]["error_code"][1]) == 0x8130


def test_drives_of_another_robot_are_refused(segment: SharedSegment) -> None:
    settings = RunSettings(segment=segment.name)
    with drives(segment, frame_at(segment, HOME)):
        for other in ("delta-4", pp.load(ROBOT).with_parameters({"limb.arm": 0.3501})):
            with pytest.raises(SegmentError, match="belongs to another robot than"), attached(settings, other):
                pass


def test_a_segment_that_is_not_there_or_foreign_is_refused(name: str) -> None:
    with pytest.raises(SegmentError, match="there is no such segment"), attached(RunSettings(segment=name), ROBOT):
        pass
    path = segment_path(name)
    path.write_bytes(bytes(10**6))
    path.chmod(0o600)
    try:
        with pytest.raises(SegmentError, match="not one of ours"), attached(RunSettings(segment=name), ROBOT):
            pass
        assert path.exists()
    finally:
        path.unlink()


def set_at(path: tuple[Any, ...], value: Any) -> Any:
    """What damages a segment."""

    def spoil(segment: SharedSegment) -> None:
        place = segment.whole["head"]
        for one in path[:-1]:
            place = place[one]
        place[path[-1]] = value

    return spoil


def in_ring(ring: str, field: str, value: int) -> Any:
    def spoil(segment: SharedSegment) -> None:
        head = segment.ring(ring, np.dtype("u1"))._head
        head[field] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (set_at(("version",), 99), "another version, 99"),
        (set_at(("bytes",), 1000), "length"),
        (set_at(("motors",), 9), "motors"),
        (set_at(("motors",), 0), "motors"),
        (set_at(("dof",), 7), "dof"),
        (set_at(("period",), 0), "bus cycle"),
        (set_at(("watchdog",), 10), "bus cycle"),
        (set_at(("units", "angle", 1), 0.0), "units"),
        (set_at(("units", "torque", 3), np.nan), "units"),
        (set_at(("reference",), 0), "ring reference"),
        (set_at(("reference",), 10**12), "ring reference"),
        (set_at(("log",), 100), "ring log"),
        (set_at(("loop_turns",), 8), "ring loop_turns"),
        (set_at(("cell_turns",), 10**12), "ring cell_turns"),
        (in_ring("log", "rows", 0), "ring log"),
        (in_ring("log", "rows", 2**62), "ring log"),
        (in_ring("reference", "row_size", 8), "ring reference"),
        (in_ring("reference", "magic", 8), "ring reference"),
    ],
)
def test_a_damaged_segment_is_refused_before_anything_is_written(
    segment: SharedSegment, spoil: Any, words: str
) -> None:
    check_sound(segment)
    spoil(segment)
    before = segment._memory[:]
    with pytest.raises(SegmentError, match=words), attached(RunSettings(segment=segment.name), ROBOT):
        pass
    assert segment._memory[:] == before


@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"clock": False}, "segment", "leave out lockstep"),
        ({"supervisor": Supervisor(start=HOME)}, "start", "where the drives say that the plate is"),
        ({"segment": "/a/b"}, "segment", "letters, digits"),
        ({"segment": "/"}, "segment", "letters, digits"),
        ({"segment": ".hidden"}, "segment", "letters, digits"),
        ({"segment": "x" * 201}, "segment", "letters, digits"),
    ],
)
def test_settings_that_other_drives_do_not_have_are_refused(changed: dict[str, Any], field: str, words: str) -> None:
    settings = replace(RunSettings(segment="parapick-none"), **changed)
    with pytest.raises(ParameterError, match=words) as refused, attached(settings, ROBOT):
        pass
    assert refused.value.path == field


def test_a_name_has_its_slash_at_the_beginning() -> None:
    assert segment_name("cell-1.b_c") == segment_name("/cell-1.b_c") == "/cell-1.b_c"


def test_what_fits_is_not_refused(segment: SharedSegment, run: Session) -> None:
    check_fits(segment, run, RunSettings())
    # Nobody need log turns.
    segment.whole["head"]["loop_turns"] = segment.whole["head"]["cell_turns"] = 0
    check_sound(segment)


@pytest.mark.parametrize(
    ("head", "changed", "words"),
    [
        ({"flags": STATED_LOAD | LOCKSTEP}, {}, "without a clock"),
        ({"period": 500_000, "watchdog": 10**6}, {}, "bus cycle of 500 us, and the period of the controller is 250 us"),
        ({}, {"image": "exact"}, "take increments and per mille"),
        ({"flags": 0}, {}, "the task has no belts"),
    ],
)
def test_a_run_that_is_not_for_these_drives_is_refused(
    segment: SharedSegment, run: Session, head: dict[str, Any], changed: dict[str, Any], words: str
) -> None:
    for name, value in head.items():
        segment.whole["head"][name] = value
    with pytest.raises(ParameterError, match=words):
        check_fits(segment, run, replace(RunSettings(), **changed))


def test_belts_faults_of_drives_and_long_stops_are_refused(segment: SharedSegment, run: Session) -> None:
    carrying = replace(run, cell=replace(run.cell, stated_load=False))
    with pytest.raises(ParameterError, match="the task takes items from belts"):
        check_fits(segment, carrying, RunSettings())
    model = pp.load(ROBOT)
    faults = faults_from(("stop@0.1", "drift:x=0.1@0.1"), model, bare=True)
    check_fits(segment, replace(run, planned=run.planned._replace(faults=faults)), RunSettings())
    faults = faults_from(("stop@0.1", "encoder:2@0.1"), model, bare=True)
    with pytest.raises(ParameterError, match="encoder is made by drives"):
        check_fits(segment, replace(run, planned=run.planned._replace(faults=faults)), RunSettings())
    with pytest.raises(ParameterError, match=r"room for 4000 rows .* needs 4002"):
        check_fits(segment, replace(run, horizon=2001), RunSettings())


def test_without_a_segment_of_the_name_nothing_is_compiled(name: str) -> None:
    settings = RunSettings(segment=name, drives=VirtualDrives())
    with pytest.raises(SegmentError, match="there is no such segment"):
        run_task(*PAR4, settings)
