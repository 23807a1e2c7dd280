"""A bus of slaves for tests, with the names and arguments of pysoem 1.1.13: states, mailbox and process data.

Slaves keep what CoE asks for: a mapping is written while its count is 0, an assignment likewise, in Pre-operational.
Their process data are as long as the mapping says. There is no wire and no time.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from types import ModuleType
from typing import Any

INIT, PREOP, SAFEOP, OP = 1, 2, 4, 8


class SdoError(Exception):
    def __init__(self, slave_pos: int, index: int, subindex: int, abort_code: int, desc: str) -> None:
        self.slave_pos, self.index, self.subindex, self.abort_code, self.desc = (
            slave_pos,
            index,
            subindex,
            abort_code,
            desc,
        )


class MailboxError(Exception):
    pass


class PacketError(Exception):
    pass


class WkcError(Exception):
    def __init__(self, message: str | None = None, wkc: int | None = None) -> None:
        self.message, self.wkc = message, wkc


class ConfigMapError(Exception):
    def __init__(self, error_list: list[Exception]) -> None:
        self.error_list = error_list


class Slave:
    """A drive that knows modes 8, 9 and 10 and has 0.7 N m."""

    def __init__(self, place: int) -> None:
        self.name, self.place, self.state, self.al_status = f"drive-{place}", place, INIT, 0
        self.objects: dict[tuple[int, int], bytes] = {
            (0x6502, 0): (0b11_1000_0000).to_bytes(4, "little"),
            (0x6076, 0): (700).to_bytes(4, "little"),
        }
        self.setup_func: Callable[[Any], None] | None = None
        self.fixed: int | None = None
        self.data = {"outputs": b"", "inputs": b""}
        self.watchdogs: dict[str, float] = {}
        self.sync: tuple[bool, int] | None = None
        self.reachable = OP

    def sdo_read(self, index: int, subindex: int, size: int = 0, ca: bool = False, *, release_gil: Any = None) -> bytes:
        if (index, subindex) not in self.objects:
            raise SdoError(self.place + 1, index, subindex, 0x06020000, "The object does not exist")
        return self.objects[index, subindex]

    def sdo_write(self, index: int, subindex: int, data: bytes, ca: bool = False, *, release_gil: Any = None) -> None:
        assert self.state == PREOP
        count = self.objects.get((index, 0), b"\x01")
        if index in (0x1600, 0x1A00, 0x1C12, 0x1C13) and subindex and count != b"\x00":
            raise SdoError(self.place + 1, index, subindex, 0x06010002, "Attempt to write to a read only object")
        self.objects[index, subindex] = data

    @property
    def output(self) -> bytes:
        return self.data["outputs"]

    @output.setter
    def output(self, value: bytes) -> None:
        # pysoem copies as many bytes as there are, wherever that ends.
        assert len(value) == len(self.data["outputs"])
        self.data["outputs"] = value

    @property
    def input(self) -> bytes:
        return self.data["inputs"]

    def map(self) -> None:
        if self.setup_func is not None:
            self.setup_func(self)
        for name, assigned in (("outputs", 0x1C12), ("inputs", 0x1C13)):
            if (assigned, 0) not in self.objects:
                continue
            assert self.objects[assigned, 0] == b"\x01"
            mapped = struct.unpack("<H", self.objects[assigned, 1])[0]
            count = self.objects[mapped, 0][0]
            entries = [struct.unpack("<I", self.objects[mapped, k])[0] for k in range(1, count + 1)]
            self.data[name] = bytes(sum(entry & 0xFF for entry in entries) // 8)
        if self.fixed is not None:
            self.data["outputs"] = bytes(self.fixed)

    def dc_sync(
        self, act: bool, sync0_cycle_time: int, sync0_shift_time: int = 0, sync1_cycle_time: int | None = None
    ) -> None:
        self.sync = (act, sync0_cycle_time)

    def set_watchdog(self, wd_type: str, wd_time_ms: float) -> None:
        assert wd_type in ("pdi", "processdata")
        self.watchdogs[wd_type] = wd_time_ms


class Master:
    """The slaves of an interface called "eth7"."""

    slaves_there = 2

    def __init__(self) -> None:
        self.slaves: list[Slave] = []
        self.opened, self.answering, self.located = False, True, False
        self.state = INIT
        made.append(self)

    def open(self, ifname: str, ifname_red: str | None = None) -> None:
        if ifname != "eth7":
            raise ConnectionError(f"could not open interface {ifname}")
        self.opened = True

    def config_init(self, usetable: bool = False, *, release_gil: Any = None) -> int:
        assert self.opened
        self.slaves = [Slave(place) for place in range(Master.slaves_there)]
        for slave in self.slaves:
            slave.state = PREOP
            prepared(slave)
        return len(self.slaves) or -1

    def config_map(self) -> int:
        errors: list[Exception] = []
        for slave in self.slaves:
            slave.map()
            if slave.fixed == -1:
                errors.append(SdoError(slave.place + 1, 0x1C12, 0, 0x06090030, "Value range of parameter exceeded"))
            slave.state = min(SAFEOP, slave.reachable)
        if errors:
            raise ConfigMapError(errors)
        return 0

    def config_dc(self) -> bool:
        self.located = True
        return True

    def state_check(self, expected_state: int, timeout: int = 50000) -> int:
        return min(slave.state for slave in self.slaves)

    def read_state(self) -> int:
        return min(slave.state for slave in self.slaves)

    def write_state(self) -> int:
        for slave in self.slaves:
            slave.state = min(self.state, slave.reachable)
        return 1

    @property
    def expected_wkc(self) -> int:
        return 3 * len(self.slaves)

    def send_processdata(self, *, release_gil: Any = None) -> int:
        return 1

    def receive_processdata(self, timeout: int = 2000, *, release_gil: Any = None) -> int:
        return self.expected_wkc if self.answering else self.expected_wkc - 1

    def close(self) -> None:
        self.opened = False


made: list[Master] = []
"""Masters so far."""

prepared: Any = lambda slave: None  # noqa: E731
"""What is done to every slave that is found."""


def as_module() -> ModuleType:
    """All of it under the name of pysoem."""
    module: Any = ModuleType("pysoem")
    for kind in (Master, SdoError, MailboxError, PacketError, WkcError, ConfigMapError):
        setattr(module, kind.__name__, kind)
    module.INIT_STATE, module.PREOP_STATE, module.SAFEOP_STATE, module.OP_STATE = INIT, PREOP, SAFEOP, OP
    module.al_status_code_to_string = lambda code: f"AL status {code:04X}"
    return module
