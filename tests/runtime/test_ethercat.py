"""Slaves on their way to Operational by the calls of pysoem, and every refusal. No hardware has seen any of this."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from parapick.errors import ParameterError
from parapick.runtime import ethercat as module
from parapick.runtime.bridge import BridgedDrive, BridgeError
from parapick.runtime.ethercat import ethercat_wire
from parapick.runtime.pdo import PADDING, PdoMap
from parapick.runtime.segment import SharedSegment, new_segment
from runtime import bus_of_slaves as bus
from runtime.compiled import Library

PADDED = PdoMap((0x6040, 0x6060, PADDING, 0x6071), (0x6041, 0x6064, 0x6077))
DRIVES = (BridgedDrive(pdo=PADDED), BridgedDrive(-1))


@pytest.fixture
def segment(library: Library, request: pytest.FixtureRequest) -> Iterator[SharedSegment]:
    with new_segment(f"/parapick-ethercat-{os.getpid()}-{abs(hash(request.node.name)) % 10**8}") as made:
        library.cell.fill(made)
        made.whole["head"]["period"], made.whole["head"]["watchdog"] = 1_000_000, 5_000_000
        made.whole["head"]["units"]["rated"] = 0.7
        yield made


@pytest.fixture(autouse=True)
def slaves(monkeypatch: pytest.MonkeyPatch) -> list[bus.Master]:
    monkeypatch.setitem(sys.modules, "pysoem", bus.as_module())
    monkeypatch.setattr(bus, "made", [])
    monkeypatch.setattr(module, "STATE_TIMEOUT", 0.02)
    return bus.made


def with_slaves(monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    monkeypatch.setattr(bus, "prepared", change)


def test_slaves_are_mapped_and_reach_operational(segment: SharedSegment, slaves: list[bus.Master]) -> None:
    with ethercat_wire("eth7", segment, DRIVES) as wire:
        master = slaves[0]
        first, second = master.slaves
        assert first.state == second.state == bus.OP
        assert [first.objects[0x1600, k].hex() for k in range(5)] == [
            "04",
            "10004060",
            "08006060",
            "08000000",
            "10007160",
        ]
        assert (len(first.output), len(first.input)) == (6, 8)
        assert (len(second.output), len(second.input)) == (11, 19)
        # 1 ms is 1 times 10^-3 s; the mode is one of the drive before its first cycle.
        assert (first.objects[0x60C2, 1], first.objects[0x60C2, 2]) == (b"\x01", b"\xfd")
        assert first.objects[0x6060, 0] == b"\x0a"
        assert first.watchdogs == {"processdata": 5.0}
        assert first.sync is None
        assert not master.located
        second.data["inputs"] = bytes(range(19))
        answers = wire.exchange([b"123456", b"abcdefghijk"])
        assert answers == [bytes(8), bytes(range(19))]
        assert (first.output, second.output) == (b"123456", b"abcdefghijk")
        master.answering = False
        assert wire.exchange([b"123456", b"abcdefghijk"]) is None
    assert first.state == second.state == bus.INIT
    assert not master.opened


def test_slaves_may_be_in_another_order_with_others_between(
    segment: SharedSegment, slaves: list[bus.Master], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus.Master, "slaves_there", 4)
    with ethercat_wire("eth7", segment, DRIVES, positions=(3, 1), mode=10, sync0=True) as wire:
        last, other = slaves[0].slaves[3], slaves[0].slaves[1]
        assert (len(last.output), len(other.output)) == (6, 11)
        assert last.sync == (True, 1_000_000)
        assert slaves[0].located
        wire.exchange([b"123456", b"abcdefghijk"])
        assert last.output == b"123456"
        assert slaves[0].slaves[0].objects.get((0x1600, 0)) is None


def test_a_mode_is_one_of_position_too(segment: SharedSegment, slaves: list[bus.Master]) -> None:
    drives = (BridgedDrive(), BridgedDrive())
    with ethercat_wire("eth7", segment, drives, mode=8):
        assert slaves[0].slaves[1].objects[0x6060, 0] == b"\x08"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one: one.objects.update({(0x6502, 0): b"\x80\x01\x00\x00"}), "6502 is 00000180, .*not have mode 10"),
        (
            lambda one: one.objects.update({(0x6076, 0): b"\x00\x03\x00\x00"}),
            r"6076, is 0.768 N m, and 0.7 N m is stated",
        ),
        (lambda one: one.objects.pop((0x6502, 0)), "slave 1 refuses 6502:00, The object does not exist"),
        (lambda one: setattr(one, "fixed", 8), "slave 0, drive-0, has 8 bytes of outputs, and 6 are mapped"),
        (lambda one: setattr(one, "reachable", bus.PREOP), "reach Safe-operational; drive-0: AL status 0000"),
        (lambda one: setattr(one, "reachable", bus.SAFEOP), "reach Operational; drive-0: AL status 0000; drive-1"),
    ],
)
def test_slaves_that_are_not_those_stated_are_refused(
    segment: SharedSegment, slaves: list[bus.Master], monkeypatch: pytest.MonkeyPatch, change: Any, words: str
) -> None:
    with_slaves(monkeypatch, change)
    with (
        pytest.raises(BridgeError, match=words.replace("; drive-0", ": drive-0")),
        ethercat_wire("eth7", segment, DRIVES),
    ):
        pass
    # They are left in Init, and the interface closed.
    assert all(slave.state == bus.INIT for slave in slaves[0].slaves)
    assert not slaves[0].opened


def test_errors_of_the_mapping_are_listed(
    segment: SharedSegment, monkeypatch: pytest.MonkeyPatch, slaves: list[bus.Master]
) -> None:
    def refuse(slave: bus.Slave) -> None:
        slave.sdo_write = lambda *_: None  # pyright: ignore[reportAttributeAccessIssue]
        slave.map = lambda: setattr(slave, "fixed", -1)  # pyright: ignore[reportAttributeAccessIssue]

    with_slaves(monkeypatch, refuse)
    words = "slave 1 refuses 1C12:00, Value range of parameter exceeded; slave 2"
    with pytest.raises(BridgeError, match=words), ethercat_wire("eth7", segment, DRIVES):
        pass


def test_errors_without_an_object_have_their_name(
    segment: SharedSegment, monkeypatch: pytest.MonkeyPatch, slaves: list[bus.Master]
) -> None:
    def fail(slave: bus.Slave) -> None:
        def broken() -> None:
            raise bus.PacketError("unexpected frame")

        slave.map = broken  # pyright: ignore[reportAttributeAccessIssue]

    with_slaves(monkeypatch, fail)
    with pytest.raises(BridgeError, match="PacketError unexpected frame"), ethercat_wire("eth7", segment, DRIVES):
        pass


@pytest.mark.parametrize(
    ("interface", "there", "positions", "words"),
    [
        ("eth0", 2, None, "eth0: cannot be opened; .*CAP_NET_RAW"),
        ("eth7", 0, None, "eth7: no slave answers"),
        ("eth7", 1, None, "the drives are to be at 0, 1, and the bus has 1 slaves"),
        ("eth7", 3, (1, 1), "the drives are to be at 1, 1, and the bus has 3 slaves"),
        ("eth7", 3, (-1, 1), "the drives are to be at -1, 1"),
    ],
)
def test_a_bus_that_is_not_there_is_refused(
    segment: SharedSegment,
    monkeypatch: pytest.MonkeyPatch,
    interface: str,
    there: int,
    positions: tuple[int, ...] | None,
    words: str,
) -> None:
    monkeypatch.setattr(bus.Master, "slaves_there", there)
    with pytest.raises(BridgeError, match=words), ethercat_wire(interface, segment, DRIVES, positions=positions):
        pass


def test_a_bus_cycle_that_drives_cannot_be_told_is_refused(segment: SharedSegment) -> None:
    segment.whole["head"]["period"] = 1_000_001
    with pytest.raises(ParameterError, match="60C2"), ethercat_wire("eth7", segment, DRIVES):
        pass


def test_without_pysoem_there_is_none(segment: SharedSegment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysoem", None)
    with pytest.raises(ImportError), ethercat_wire("eth7", segment, DRIVES):
        pass


def test_the_names_are_those_of_pysoem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pysoem is installed: everything that is called here is there, under the same names."""
    monkeypatch.delitem(sys.modules, "pysoem")
    real = pytest.importorskip("pysoem")
    fake = bus.as_module()
    assert [name for name in vars(fake) if not name.startswith("_") and not hasattr(real, name)] == []
    for name in ("INIT_STATE", "PREOP_STATE", "SAFEOP_STATE", "OP_STATE"):
        assert getattr(real, name) == getattr(fake, name)
    slave = real.CdefSlave
    called = (
        "setup_func",
        "sdo_read",
        "sdo_write",
        "output",
        "input",
        "dc_sync",
        "set_watchdog",
        "state",
        "name",
        "al_status",
    )
    assert [name for name in called if not hasattr(slave, name)] == []
    own = [name for name, _ in inspect.getmembers(bus.Master, inspect.isfunction) if not name.startswith("_")]
    assert [name for name in [*own, "expected_wkc", "state"] if not hasattr(real.Master, name)] == []
    assert np.all([callable(getattr(real.Master, name)) for name in own])
