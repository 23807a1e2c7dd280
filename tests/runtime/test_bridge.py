"""The bridge between a segment and process data: byte by byte against virtual drives, and a whole run over it."""

from __future__ import annotations

import os
import signal
import struct
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import Controller, controller_of
from parapick.errors import ParameterError
from parapick.runtime import RunSettings, VirtualDrives, run_task
from parapick.runtime.bridge import FAREWELL, Bridge, BridgedDrive, bridged_segment, run_bridge
from parapick.runtime.layout import DRIVE_IN, DRIVE_OUT, EMERGENCY, OUT
from parapick.runtime.pdo import PdoMap
from parapick.runtime.segment import SharedSegment, new_segment
from parapick.runtime.session import session
from parapick.runtime.virtual_cell import VirtualCell
from parapick.supervision import GuardLimits, State, Supervisor
from runtime.compiled import Library, frames
from runtime.wire import BRAKE, GET, OBJECTS, RELEASED, SAY, VirtualWire

pytestmark = pytest.mark.usefixtures("unhurried")

ZEROS, WAYS = (1000, -250_000, 0, 2**24), (1, -1, -1, 1)


def drive_of(zero: int, way: int, **changed: Any) -> BridgedDrive:
    return replace(BridgedDrive(way, zero, brake=BRAKE, released=RELEASED, pdo=PdoMap(*OBJECTS)), **changed)


@pytest.fixture
def segment(library: Library, request: pytest.FixtureRequest) -> Iterator[SharedSegment]:
    with new_segment(f"/parapick-bridge-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}") as made:
        library.cell.fill(made)
        yield made


@pytest.fixture
def wire(library: Library) -> VirtualWire:
    return VirtualWire(library, library.segment(), ZEROS, WAYS)


def bridge_of(segment: SharedSegment, **changed: Any) -> Bridge:
    return Bridge(segment, [drive_of(zero, way, **changed) for zero, way in zip(ZEROS, WAYS, strict=True)])


def asked(segment: SharedSegment, out: np.ndarray) -> None:
    """What a master writes."""
    frames_of = segment.whole["out"]
    slot = frames_of["slots"][int(frames_of["newest"]) % 4]
    slot["words"][: OUT.itemsize // 8] = np.frombuffer(out.tobytes(), np.uint64)
    frames_of["newest"] += 1


def turn(bridge: Bridge, segment: SharedSegment, wire: VirtualWire, out: np.ndarray | None = None) -> bool:
    if out is not None:
        asked(segment, out)
    return bridge.taken(wire.exchange(bridge.outputs()), 7)


@pytest.mark.parametrize("mode", [10, 8])
def test_drives_behind_bytes_are_the_drives_without(
    segment: SharedSegment, wire: VirtualWire, library: Library, mode: int
) -> None:
    """Brought up, led through both targets and down again: every number of every frame, bit by bit."""
    n, rng = 4, np.random.default_rng(5)
    outs = frames(120, mode=mode)
    start = library.run(library.started(library.segment()), outs[:1])[0]["drives"]["position"]
    outs["drives"]["target_torque"] = rng.integers(-60, 60, (120, 8)) * (mode == 10)
    outs["drives"]["torque_offset"] = rng.integers(-20, 20, (120, 8)) * (mode == 8)
    outs["drives"]["target_position"] = (start + rng.integers(-30, 30, (120, 8)).cumsum(0)) * (mode == 8)
    outs["drives"]["control_word"][110:] = 0
    expected = library.run(library.started(library.segment()), outs)
    bridge = bridge_of(segment)
    for out, wanted in zip(outs, expected, strict=True):
        assert turn(bridge, segment, wire, out)
        frame = segment.newest_in()
        assert frame is not None
        for name in ("status_word", "error_code", "mode", "torque", "position", "speed", "brake"):
            np.testing.assert_array_equal(frame["drives"][name][:n], wanted["drives"][name][:n], name)
        assert frame["cycle"] == wanted["cycle"]
        assert frame["answers"] == out["cycle"]
        assert frame["inputs"] == 0
        assert np.all(np.isnan(frame["x"]))
    assert {int(word) & 0x6F for word in expected["drives"]["status_word"][:, 0]} >= {0x60, 0x21, 0x23, 0x27}
    assert np.ptp(expected["drives"]["position"][:, 0]) > 10


def test_without_a_position_target_of_mode_8_a_drive_follows_itself(segment: SharedSegment, wire: VirtualWire) -> None:
    """A drive that is switched from mode 10 to mode 8 must not leap to a target of long ago."""
    bridge = bridge_of(segment)
    for out in frames(20):
        turn(bridge, segment, wire, out)
    frame = segment.newest_in()
    assert frame is not None
    for data, zero, way, drive in zip(bridge.outputs(), ZEROS, WAYS, frame["drives"], strict=False):
        assert struct.unpack(GET, data)[4] == zero + way * int(drive["position"])


def test_numbers_that_have_no_room_stay_at_the_end_of_it() -> None:
    ask, said = np.zeros((), DRIVE_OUT), np.zeros((), DRIVE_IN)
    ask["mode"], ask["target_torque"], ask["target_position"] = 8, -32768, 2**31 - 1
    backwards = drive_of(-5, -1)
    assert struct.unpack(GET, backwards.encoded(ask, 0))[2] == 32767
    assert struct.unpack(GET, drive_of(5, 1).encoded(ask, 0))[4] == 2**31 - 1
    backwards.decoded(struct.pack(SAY, 0, 0, 0, 10, -(2**31), -(2**31), -32768, 0), said)
    assert said["torque"] == 32767
    assert said["speed"] == 2**31 - 1


def test_a_silent_master_leaves_drives_without_torque(segment: SharedSegment, wire: VirtualWire) -> None:
    """Up to the watchdog's time what was asked for last holds; then voltage is disabled, and torque 0."""
    bridge = bridge_of(segment)
    outs = frames(30)
    outs["drives"]["target_torque"] = 40
    for out in outs:
        turn(bridge, segment, wire, out)
    for _ in range(bridge.watchdog - 1):
        turn(bridge, segment, wire)
        assert wire.asked[-1]["drives"]["control_word"][0] == 0x0F
        assert wire.asked[-1]["drives"]["target_torque"][1] == 40
    for _ in range(3):
        turn(bridge, segment, wire)
        assert np.all(wire.asked[-1]["drives"]["control_word"] == 0)
        assert np.all(wire.asked[-1]["drives"]["target_torque"] == 0)
    frame = segment.newest_in()
    assert frame is not None
    assert frame["missed"] == bridge.watchdog + 2
    assert np.all(frame["drives"]["status_word"][:4] & 0x4F == 0x40)
    # A master that comes then leads them again.
    turn(bridge, segment, wire, outs[-1])
    assert wire.asked[-1]["drives"]["control_word"][0] == 0x0F


def test_drives_that_do_not_answer_are_late_and_then_in_fault(segment: SharedSegment, wire: VirtualWire) -> None:
    bridge = bridge_of(segment)
    for out in frames(20):
        assert turn(bridge, segment, wire, out)
    wire.broken = True
    before = segment.newest_in()
    for _ in range(bridge.watchdog - 1):
        assert not turn(bridge, segment, wire)
        assert segment.newest_in().tobytes() == before.tobytes()
    assert turn(bridge, segment, wire)
    frame = segment.newest_in()
    assert frame is not None
    assert np.all(frame["drives"]["status_word"][:4] & 0x4F == 0x08)
    assert np.all(frame["drives"]["error_code"][:4] == 0x8130)
    # Cycles are those of the bus: the ones without a frame count.
    assert frame["cycle"] == before["cycle"] + bridge.watchdog
    wire.broken = False
    assert turn(bridge, segment, wire)
    assert bridge.lost == 0


def test_an_emergency_stop_is_pressed_where_its_input_is_0(segment: SharedSegment, wire: VirtualWire) -> None:
    bridge = bridge_of(segment)
    turn(bridge, segment, wire)
    assert segment.newest_in()["inputs"] == 0
    wire.pressed = True
    turn(bridge, segment, wire)
    assert segment.newest_in()["inputs"] == EMERGENCY


def test_without_an_input_of_the_brake_it_holds_where_the_drive_is_not_enabled() -> None:
    said, drive = np.zeros((), DRIVE_IN), BridgedDrive(pdo=PdoMap(inputs=(0x6041, 0x6064)))
    for status, held in ((0x1637, 0), (0x0237, 0), (0x0233, 1), (0x0250, 1), (0x0208, 1), (0x0217, 1)):
        drive.decoded(struct.pack("<Hi", status, 12), said)
        assert (said["brake"], said["position"], said["status_word"]) == (held, 12, status)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"direction": 0}, "is 0; it is 1 or -1"),
        ({"brake": 32}, "bits 0 to 31"),
        ({"released": -1}, "bits 0 to 31"),
        ({"brake": 3, "pdo": PdoMap(inputs=(0x6041, 0x6064))}, "not among the inputs"),
    ],
)
def test_a_drive_that_cannot_be_is_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        BridgedDrive(**changed)


def test_a_bridge_has_a_drive_for_every_motor_and_the_target_of_its_mode(segment: SharedSegment) -> None:
    with pytest.raises(ParameterError, match="are 1, and the segment has 4 motors"):
        Bridge(segment, [BridgedDrive()])
    with pytest.raises(ParameterError, match="lack 607A"):
        Bridge(segment, [BridgedDrive(pdo=PdoMap((0x6040, 0x6060, 0x6071)))] * 4, mode=8)


class Interrupting:
    """A wire at which somebody presses Ctrl-C."""

    def __init__(self, wire: VirtualWire, cycle: int) -> None:
        self.wire, self.cycle = wire, cycle

    def exchange(self, outputs: Any) -> Any:
        if self.wire.cycle == self.cycle:
            self.cycle = -1
            signal.raise_signal(signal.SIGTERM)
        return self.wire.exchange(outputs)


def test_a_bridge_that_is_ended_switches_its_drives_off(segment: SharedSegment, wire: VirtualWire) -> None:
    bridge, before = bridge_of(segment), signal.getsignal(signal.SIGTERM)
    out = frames(4)[3]
    out["drives"]["control_word"] = 6
    asked(segment, out)
    run_bridge(bridge, segment, Interrupting(wire, 1))
    assert len(wire.asked) == 1 + FAREWELL
    segment.end()
    run_bridge(bridge, segment, wire)
    assert len(wire.asked) == 1 + 2 * FAREWELL
    assert all(np.all(one["drives"]["control_word"] == 0) for one in wire.asked[-FAREWELL:])
    assert signal.getsignal(signal.SIGTERM) is before


PATIENT = RunSettings(Supervisor(GuardLimits(deadline=100000)), drives=VirtualDrives(watchdog=0.3))


@pytest.fixture(scope="module")
def controller() -> Controller:
    """One of 1 kHz, with which a Python process keeps up."""
    return replace(controller_of("tsid", pp.load("par4")), rate=1000.0)


@pytest.fixture(scope="module")
def slow(controller: Controller) -> VirtualCell:
    return session("par4", "adept-120", controller, PATIENT).cell


@pytest.fixture(scope="module")
def slow_library(slow: VirtualCell, tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library.of(slow, tmp_path_factory.mktemp("bridged"))


def test_a_run_over_a_bridge(controller: Controller, slow: VirtualCell, slow_library: Library) -> None:
    """Loop, segment, bridge and bytes as with a real bus; the drives behind the bytes are virtual ones."""
    zeros, ways = (0, 5000, -123_456, 7), (1, -1, -1, 1)
    ended, name = threading.Event(), f"parapick-bridged-{os.getpid()}"
    with bridged_segment("par4", "adept-120", controller, PATIENT, name=name) as segment:
        wire = VirtualWire(slow_library, slow_library.segment(slow), zeros, ways)
        bridge = Bridge(segment, [drive_of(zero, way) for zero, way in zip(zeros, ways, strict=True)])
        thread = threading.Thread(target=run_bridge, args=(bridge, segment, wire, ended.is_set))
        thread.start()
        try:
            run = run_task("par4", "adept-120", controller, RunSettings(PATIENT.supervisor, segment=name))
        finally:
            ended.set()
            thread.join()
        assert np.all(np.array([one["drives"]["control_word"][:4] for one in wire.asked[-FAREWELL + 1 :]]) == 0)
    assert run.run.trip is None, run.run.trip
    assert [one.after for one in run.run.changes] == [
        State.ENABLING,
        State.HOMING,
        State.READY,
        State.RUNNING,
        State.READY,
    ]
    # No bus says where the plate is: the record has it from the encoders.
    assert np.all(np.isnan(run.log["x"]))
    away = np.linalg.norm(run.run.record.x[:, :3] - run.log["x_ref"][:, :3], axis=1)
    assert away.max() < 0.01
    np.testing.assert_allclose(wire.x[:3], run.run.record.x[-1, :3], atol=1e-3)
    assert np.abs(run.run.record.xd[:, :3]).max() == pytest.approx(np.abs(run.log["xd_ref"][:, :3]).max(), rel=0.2)


@pytest.mark.parametrize("changed", [{"image": "exact"}, {"clock": False}])
def test_a_bus_has_a_clock_and_whole_numbers(controller: Controller, changed: dict[str, Any]) -> None:
    settings = replace(PATIENT, **changed)
    words = "have a clock, and whole numbers"
    with (
        pytest.raises(ParameterError, match=words),
        bridged_segment("par4", "adept-120", controller, settings, name="x"),
    ):
        pass
