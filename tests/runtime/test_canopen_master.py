"""An independent master brings the drive up: the profile p402 of PyPI's canopen, over its virtual bus.

The slave is a CANopen node whose objects 6040, 6041, 6060, 6061 and 603F are those of our drive in C.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest

from parapick.runtime.layout import DRIVE_IN, DRIVE_OUT, DRIVE_SETTINGS, UNITS
from runtime.compiled import Library, pointer
from runtime.standard import STATES

canopen = pytest.importorskip("canopen", reason="PyPI's canopen is missing")
p402 = pytest.importorskip("canopen.profiles.p402")

NODE = 5
PERIOD = 1e-3

OBJECTS = {
    0x6040: ("Controlword", 0x06, 0),
    0x6041: ("Statusword", 0x06, 0),
    0x603F: ("Error code", 0x06, 0),
    0x6060: ("Modes of operation", 0x02, 0),
    0x6061: ("Modes of operation display", 0x02, 0),
    0x6502: ("Supported drive modes", 0x07, 0x0280),
    0x6071: ("Target torque", 0x03, 0),
    0x607A: ("Target position", 0x04, 0),
}
"""Objects by index: name, type of CiA 301 (UNSIGNED16 is 6, INTEGER8 2, UNSIGNED32 7, INTEGER16 3, INTEGER32 4)."""


def dictionary() -> Any:
    objects = canopen.ObjectDictionary()
    for index, (name, kind, value) in OBJECTS.items():
        variable = canopen.objectdictionary.ODVariable(name, index, 0)
        variable.data_type, variable.default, variable.access_type = kind, value, "rw"
        objects.add_object(variable)
    return objects


class Slave:
    """A CANopen node with our drive behind its objects; the drive takes a step whenever an object is touched."""

    def __init__(self, library: Library, network: Any, reaction: str) -> None:
        self.library, self.drive = library, library.buffer("drive")
        library.functions.probe_drive_start(self.drive)
        self.out, self.inward = np.zeros((), DRIVE_OUT), np.zeros((), DRIVE_IN)
        self.settings, self.units = np.zeros((), DRIVE_SETTINGS), np.ones((), UNITS)
        self.settings["quick_stop"], self.settings["ramp"] = (6, 10.0) if reaction == "stay" else (2, 10.0)
        self.settings["reaction"] = 0
        self.motor, self.error, self.seen = np.array([0.0, 0.0, 0.0]), 0, []
        self.lock = threading.RLock()
        self.node = canopen.LocalNode(NODE, dictionary())
        network.add_node(self.node)
        self.node.add_write_callback(self.written)
        self.node.add_read_callback(self.read)
        self.step()

    def step(self) -> None:
        motor, arguments = pointer(self.motor), (self.drive, pointer(self.settings), pointer(self.units))
        if self.error:
            error = self.error
            self.library.functions.probe_drive_fail(
                *arguments, pointer(self.out), motor, ctypes.c_double(PERIOD), error
            )
        else:
            run = self.library.functions.probe_drive_run
            run(*arguments, pointer(self.out), motor, ctypes.c_double(1.0), 0, ctypes.c_double(PERIOD), 1, 1)
        self.library.functions.probe_drive_report(*arguments, motor, pointer(self.inward))
        state = STATES[self.library.functions.probe_drive_state(self.drive)]
        if not self.seen or self.seen[-1] != state:
            self.seen.append(state)

    def written(self, *, index: int, od: Any, data: bytes, **_: Any) -> None:
        with self.lock:
            if index == 0x6040:
                self.out["control_word"] = od.decode_raw(data)
            if index == 0x6060:
                self.out["mode"] = od.decode_raw(data)
            self.step()

    def read(self, *, index: int, **_: Any) -> int | None:
        fields = {0x6041: "status_word", 0x6061: "mode", 0x603F: "error_code"}
        if index not in fields:
            return None
        with self.lock:
            self.step()
            return int(self.inward[fields[index]])


@contextmanager
def pair(library: Library, reaction: str = "ramp") -> Iterator[tuple[Any, Slave]]:
    """A master and our slave on one virtual bus."""
    ours, theirs = canopen.Network(), canopen.Network()
    for network in (ours, theirs):
        network.connect(interface="virtual", channel=f"parapick-{reaction}")
    try:
        slave = Slave(library, ours, reaction)
        master = p402.BaseNode402(NODE, dictionary())
        theirs.add_node(master)
        yield Master(master), slave
    finally:
        for network in (ours, theirs):
            with suppress(Exception):
                network.disconnect()


class Master:
    """canopen's node, whose words go by SDO: status words are asked for and not cached."""

    def __init__(self, node: Any) -> None:
        self.node = node

    @property
    def state(self) -> str:
        return self.node.state

    def to(self, state: str) -> None:
        self.node.state = state


def test_its_tables_are_ours(library: Library) -> None:
    """Its masks of status words, and the transitions it knows, word by word."""
    for state, name in enumerate(STATES):
        mask, bits = p402.State402.SW_MASK[name]
        assert library.functions.pp_cia402_status(state) & mask == bits


def test_it_brings_the_drive_up_and_down(library: Library) -> None:
    with pair(library) as (master, slave):
        assert master.state == "SWITCH ON DISABLED"
        master.node.op_mode = "CYCLIC SYNCHRONOUS TORQUE"
        assert master.node.op_mode == "CYCLIC SYNCHRONOUS TORQUE"
        master.to("OPERATION ENABLED")
        assert slave.seen == ["SWITCH ON DISABLED", "READY TO SWITCH ON", "SWITCHED ON", "OPERATION ENABLED"]
        for state in ("SWITCHED ON", "OPERATION ENABLED", "READY TO SWITCH ON", "SWITCHED ON", "SWITCH ON DISABLED"):
            master.to(state)
            assert master.state == state


def test_every_transition_that_it_knows(library: Library) -> None:
    """Those of commands, one by one, each from a drive that it has brought to the state before."""
    made = []
    with pair(library, "stay") as (master, slave):
        master.node.op_mode = "CYCLIC SYNCHRONOUS TORQUE"
        for begin, end in p402.State402.TRANSITIONTABLE:
            if begin in ("START", "NOT READY TO SWITCH ON", "FAULT REACTION ACTIVE"):
                continue
            if begin == "FAULT":
                slave.error = 0x5000
                slave.step()
                slave.error = 0
                slave.step()
            elif master.state != begin:
                master.to(begin)
            assert master.state == begin
            slave.seen.clear()
            master.to(end)
            assert slave.seen[-1] == end
            made.append((begin, end))
    # Transitions 2 to 12, 15 and 16; the others the drive makes by itself.
    assert len(made) == 13
    assert "NOT READY TO SWITCH ON" not in {end for _, end in made}


def test_a_fault_is_latched_and_reset(library: Library) -> None:
    with pair(library) as (master, slave):
        master.node.op_mode = "CYCLIC SYNCHRONOUS TORQUE"
        master.to("OPERATION ENABLED")
        slave.error = 0x5000
        slave.step()
        assert slave.seen[-1] == "FAULT REACTION ACTIVE"
        assert master.state == "FAULT"
        assert master.node.sdo[0x603F].raw == 0x5000
        slave.error = 0
        master.to("OPERATION ENABLED")
        assert master.state == "OPERATION ENABLED"
        assert master.node.sdo[0x603F].raw == 0


def test_a_quick_stop_ends_without_power_where_605a_says_so(library: Library) -> None:
    with pair(library) as (master, slave):
        master.node.op_mode = "CYCLIC SYNCHRONOUS TORQUE"
        master.to("OPERATION ENABLED")
        slave.motor[1] = 0.05
        master.node.controlword = 0x0002
        assert slave.seen[-1] == "QUICK STOP ACTIVE"
        states = [master.state for _ in range(20)]
        assert states[-1] == "SWITCH ON DISABLED"


def test_a_mode_that_it_has_not_is_refused(library: Library) -> None:
    with pair(library) as (master, _), pytest.raises(TypeError, match="PROFILED VELOCITY"):
        master.node.op_mode = "PROFILED VELOCITY"
