"""The segment of shared memory: who may attach, who is refused, and what is left behind."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.runtime.fingerprint import fingerprint_of
from parapick.runtime.layout import IN, OUT, SEGMENT
from parapick.runtime.segment import SegmentError, SharedSegment, new_segment, open_segment, segment_path
from runtime.compiled import Library, pointer

ROW = np.dtype([("number", "u8"), ("value", "f8")])
MASTER, DRIVES = 0, 1


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return f"/parapick-test-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}"


@contextmanager
def attached(library: Library, name: str, seat: int, fingerprint: bytes | None = None) -> Iterator[tuple[str, Any]]:
    """The reason why a seat is refused, or an empty text, and the bus."""
    bus = library.buffer("bus")
    reason = library.functions.pp_bus_attach(bus, name.encode(), seat, fingerprint)
    try:
        yield "" if reason == 0 else library.functions.pp_bus_reason(reason).decode(), bus
    finally:
        if reason == 0:
            library.functions.pp_bus_detach(bus)


def refusal(library: Library, name: str, seat: int = DRIVES, fingerprint: bytes | None = None) -> str:
    with attached(library, name, seat, fingerprint) as (reason, _):
        return reason


@pytest.fixture
def segment(library: Library, name: str) -> Iterator[SharedSegment]:
    with new_segment(name, {"reference": (5, ROW), "log": (9, ROW)}) as made:
        library.cell.fill(made)
        yield made


def test_only_its_owner_may_open_it(segment: SharedSegment) -> None:
    assert segment_path(segment.name).stat().st_mode & 0o777 == 0o600


def test_drives_come_first_and_then_a_master(library: Library, segment: SharedSegment) -> None:
    assert refusal(library, segment.name, MASTER) == "no drives are attached: their process has ended"
    with attached(library, segment.name, DRIVES) as (drives, _):
        assert drives == ""
        assert segment.seated("drives")
        assert not segment.seated("master")
        with attached(library, segment.name, MASTER) as (master, _):
            assert master == ""
            assert segment.seated("master")
            assert segment.whole["head"]["pids"].tolist() == [os.getpid()] * 2
        assert not segment.seated("master")
    assert not segment.seated("drives")


@pytest.mark.parametrize("seat", [MASTER, DRIVES])
def test_a_seat_is_taken_once(library: Library, segment: SharedSegment, seat: int) -> None:
    with attached(library, segment.name, DRIVES), attached(library, segment.name, MASTER):
        assert refusal(library, segment.name, seat) == "somebody else is attached already"


def test_drives_of_another_robot_are_refused(library: Library, segment: SharedSegment) -> None:
    assert refusal(library, segment.name, DRIVES, library.cell.fingerprint) == ""
    other = fingerprint_of(pp.load("par4").robot)
    assert "another robot" in refusal(library, segment.name, DRIVES, other)


def test_a_fingerprint_follows_every_number() -> None:
    par4 = pp.load("par4")
    prints = [par4, pp.load("delta-4"), par4.with_parameters({"limb.arm": 0.3501}), par4.with_rod_model("halves")]
    assert len({fingerprint_of(model.robot) for model in prints}) == 4
    assert fingerprint_of(pp.load("par4").robot) == fingerprint_of(par4.robot)


DAMAGES = {
    "magic": (("head", "magic"), 1, "not one of ours"),
    "version": (("head", "version"), 1, "another version"),
    "bytes": (("head", "bytes"), 1000, "not one of ours"),
    "reference": (("head", "reference"), 10**9, "not one of ours"),
    "log": (("head", "log"), 10**9, "not one of ours"),
    "turns of the loop": (("head", "loop_turns"), 10**9, "not one of ours"),
    "turns of the drives": (("head", "cell_turns"), 10**9, "not one of ours"),
    "motors": (("head", "motors"), 9, "not one of ours"),
    "no motor": (("head", "motors"), 0, "not one of ours"),
    "dof": (("head", "dof"), 7, "not one of ours"),
    "no dof": (("head", "dof"), 0, "not one of ours"),
    "period": (("head", "period"), 0, "not one of ours"),
    "watchdog": (("head", "watchdog"), 10, "not one of ours"),
    "angle": (("head", "units", "angle"), 0.0, "not one of ours"),
    "torque": (("head", "units", "torque"), np.nan, "not one of ours"),
    "limit": (("head", "units", "torque_max"), -1.0, "not one of ours"),
    "belts": (("cell", "belts"), 5, "not one of ours"),
    "items": (("cell", "items"), 257, "not one of ours"),
    "faults": (("cell", "faults"), 9, "not one of ours"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_segment_that_cannot_be_is_refused(library: Library, segment: SharedSegment, what: str) -> None:
    path, value, reason = DAMAGES[what]
    place = segment.whole
    for one in path[:-1]:
        place = place[one]
    place[path[-1]] = value
    assert reason in refusal(library, segment.name)


def test_an_item_on_no_belt_and_a_belt_without_counts_are_refused(library: Library, segment: SharedSegment) -> None:
    cell = segment.whole["cell"]
    cell["items"], cell["item"]["there"][0] = 1, 1
    assert "not one of ours" in refusal(library, segment.name)
    cell["item"]["belt"][0] = -1
    assert "not one of ours" in refusal(library, segment.name)
    cell["items"], cell["belts"] = 0, 1
    assert "not one of ours" in refusal(library, segment.name)
    cell["belt"]["resolution"][0] = 1e-5
    assert refusal(library, segment.name) == ""


def test_there_must_be_a_segment_and_it_must_be_ours(library: Library, name: str) -> None:
    assert refusal(library, name) == "there is no such segment"
    path = segment_path(name)
    try:
        path.write_bytes(b"x" * 100)
        path.chmod(0o600)
        assert "not one of ours" in refusal(library, name)
        path.write_bytes(bytes(SEGMENT.itemsize))
        assert "not one of ours" in refusal(library, name)
        with pytest.raises(SegmentError, match="not one of ours"):
            open_segment(name)
        # Nothing foreign is removed.
        with pytest.raises(SegmentError, match="not one of ours"), new_segment(name):
            pass
        path.chmod(0o644)
        assert "not one of ours" in refusal(library, name)
        with pytest.raises(SegmentError, match="not one of ours"):
            open_segment(name)
    finally:
        path.unlink()
    with pytest.raises(SegmentError, match="no such segment"):
        open_segment(name)


def test_a_name_that_the_system_refuses(library: Library) -> None:
    assert refusal(library, "/a/b") in ("the system refuses access", "there is no such segment")
    assert library.functions.pp_bus_reason(99) == b"unknown"


def test_what_a_killed_run_has_left_is_replaced_and_what_is_in_use_is_not(library: Library, name: str) -> None:
    with new_segment(name) as first:
        library.cell.fill(first)
        used = f"in use .drives is process {os.getpid()}.*end that run first"
        with attached(library, name, DRIVES), pytest.raises(SegmentError, match=used), new_segment(name):
            pass
        with new_segment(name) as second:
            library.cell.fill(second)
            assert second.newest_in() is None
    assert not Path(segment_path(name)).exists()


def test_rings_lie_behind_the_image(segment: SharedSegment) -> None:
    rows = np.zeros(3, ROW)
    rows["number"] = [1, 2, 3]
    for ring, size in (("reference", 5), ("log", 9)):
        assert len(segment.ring(ring, ROW).rows) == size
        assert segment.ring(ring, ROW).write(rows) == 3
    with closing(open_segment(segment.name)) as again:
        assert again.ring("log", ROW).take(2)["number"].tolist() == [1, 2]
        assert again.ring("reference", ROW).waiting == 3


def test_frames_come_out_as_they_went_in(library: Library, segment: SharedSegment) -> None:
    """From C to C and to Python, more often than there are slots; the newest counts."""
    rng = np.random.default_rng(3)
    with attached(library, segment.name, DRIVES) as (_, bus):
        mapped = ctypes.c_void_p(library.functions.probe_segment(bus))
        assert segment.newest_in() is None
        assert library.functions.pp_bus_read_out(mapped, pointer(np.zeros((), OUT))) == 0
        for k in range(1, 11):
            for frame, way in ((np.zeros((), IN), "in"), (np.zeros((), OUT), "out")):
                frame["cycle"] = k
                frame["drives"]["exact_position"] = rng.normal(size=8)
                getattr(library.functions, f"pp_bus_write_{way}")(mapped, pointer(frame))
                back = np.zeros_like(frame)
                assert getattr(library.functions, f"pp_bus_read_{way}")(mapped, pointer(back)) == k
                assert back.tobytes() == frame.tobytes()
                newest = segment.newest_in() if way == "in" else segment.newest_out()
                assert newest is not None
                assert newest.tobytes() == frame.tobytes()


def test_a_slot_that_stays_half_written_is_not_read(library: Library, segment: SharedSegment) -> None:
    """A writer that was killed in the middle of a frame: nobody takes the torn one, and nobody waits for it."""
    with attached(library, segment.name, DRIVES) as (_, bus):
        mapped = ctypes.c_void_p(library.functions.probe_segment(bus))
        library.functions.pp_bus_write_in(mapped, pointer(np.zeros((), IN)))
        segment.whole["in"]["slots"]["sequence"][0] = 3
        assert library.functions.pp_bus_read_in(mapped, pointer(np.zeros((), IN))) == 0
        assert segment.newest_in() is None
