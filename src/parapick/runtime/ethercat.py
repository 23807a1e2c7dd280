"""EtherCAT as the wire of a bridge, through pysoem. It has never seen a drive: it is UNTESTED ON HARDWARE.

What is tested without any: the bytes (`pdo.py`, `bridge.py`), and the order of the calls below, with the same names and
arguments as pysoem 1.1.13 has them. pysoem is asked for where it is needed, and is no dependency.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, final

import numpy as np

from parapick.runtime.bridge import BridgedDrive, BridgeError
from parapick.runtime.pdo import PdoMap, interpolation_time
from parapick.runtime.segment import SharedSegment

STATE_TIMEOUT: Final = 2.0
"""Time (s) within which all slaves must reach Safe-operational, and Operational. Chosen."""

_LOOK: Final = 5000
"""Time (us) that a look at the states of the slaves may take."""

TORQUE_TOLERANCE: Final = 0.01
"""By which share the rated torque that a drive has may differ from the stated one: it is a number of a nameplate."""

_RECEIVE: Final = 2000
"""Time (us) that a frame may take on its way: pysoem's own."""

_MAPS: Final = {"outputs": (0x1C12, 0x1600), "inputs": (0x1C13, 0x1A00)}
"""Objects that assign process data, and those that map them."""


@final
class EthercatWire:
    """Slaves in Operational, as the wire of a bridge."""

    def __init__(self, master: Any, slaves: Sequence[Any]) -> None:
        self._master, self._slaves = master, slaves

    def exchange(self, outputs: Sequence[bytes]) -> Sequence[bytes] | None:
        """Give every drive its bytes and get theirs; None where the working counter is not the expected one.

        Args:
            outputs: bytes by drives.
        """
        for slave, data in zip(self._slaves, outputs, strict=True):
            slave.output = data
        self._master.send_processdata()
        if self._master.receive_processdata(_RECEIVE) != self._master.expected_wkc:
            return None
        return [slave.input for slave in self._slaves]


@contextmanager
def ethercat_wire(
    interface: str,
    segment: SharedSegment,
    drives: Sequence[BridgedDrive],
    *,
    positions: Sequence[int] | None = None,
    mode: int = 10,
    sync0: bool = False,
) -> Iterator[EthercatWire]:
    """Slaves of a network interface in Operational, with their process data mapped; in Init again at the end.

    Args:
        interface: its name, such as "eth1". Opening it needs the right to send raw frames (root, or CAP_NET_RAW).
        segment: the segment whose bus cycle, watchdog and rated torques they are to have.
        drives: the drives in the order of the motors.
        positions: their positions on the bus, from 0; in the order of the motors if not given.
        mode: 8 or 10.
        sync0: whether drives get pulses of distributed clocks. The bridge keeps to the clock of this computer, which
            those pulses pass in time; without them drives act when a frame comes.

    Raises:
        BridgeError: there is no such interface, slave or mode, a rated torque or process data are not those stated, a
            slave refuses what it is told, or a state is not reached.
        ImportError: pysoem is missing.
    """
    import pysoem  # pyright: ignore[reportMissingImports]

    head = segment.whole["head"]
    places = list(range(len(drives))) if positions is None else list(positions)
    master = pysoem.Master()
    try:
        master.open(interface)
    except ConnectionError as error:
        text = "cannot be opened; there is none of this name, or raw frames are not allowed (root, or CAP_NET_RAW)"
        raise BridgeError(f"{interface}: {text}") from error
    try:
        slaves = _slaves(master, interface, places)
        for slave, drive, rated in zip(slaves, drives, head["units"]["rated"], strict=False):
            slave.setup_func = _setup(drive.pdo, float(rated), mode, int(head["period"]))
        _map(master, pysoem)
        _check_sizes(slaves, drives, places)
        if sync0:
            master.config_dc()
        for slave in slaves:
            if sync0:
                slave.dc_sync(True, int(head["period"]))
            slave.set_watchdog("processdata", int(head["watchdog"]) * 1e-6)
        wire = EthercatWire(master, slaves)
        _reach(master, slaves, pysoem.SAFEOP_STATE, "Safe-operational", pysoem)
        # Outputs are valid before a slave may take them.
        idle = [bytes(drive.pdo.output.itemsize) for drive in drives]
        wire.exchange(idle)
        master.state = pysoem.OP_STATE
        master.write_state()
        _reach(master, slaves, pysoem.OP_STATE, "Operational", pysoem, lambda: wire.exchange(idle))
        yield wire
    finally:
        master.state = pysoem.INIT_STATE
        master.write_state()
        master.close()


def _slaves(master: Any, interface: str, places: Sequence[int]) -> list[Any]:
    """The slaves at places on the bus."""
    found = master.config_init()
    if found <= 0:
        raise BridgeError(f"{interface}: no slave answers; is the cable there, and are the drives switched on?")
    if max(places) >= len(master.slaves) or min(places) < 0 or len(set(places)) < len(places):
        text = f"the drives are to be at {', '.join(map(str, places))}, and the bus has {len(master.slaves)} slaves"
        raise BridgeError(f"{interface}: {text}, from 0")
    return [master.slaves[place] for place in places]


def _map(master: Any, pysoem: Any) -> None:
    """Map the process data of all slaves; raises `BridgeError` where one refuses."""
    refusals = (pysoem.SdoError, pysoem.MailboxError, pysoem.PacketError, pysoem.WkcError)
    try:
        master.config_map()
    except pysoem.ConfigMapError as error:
        raise BridgeError(f"process data cannot be mapped: {'; '.join(map(_refusal, error.error_list))}") from error
    except refusals as error:
        raise BridgeError(f"process data cannot be mapped: {_refusal(error)}") from error


def _refusal(error: Any) -> str:
    """What a slave says that refuses an object, in words."""
    if hasattr(error, "index"):
        return f"slave {error.slave_pos} refuses {error.index:04X}:{error.subindex:02X}, {error.desc}"
    return f"{type(error).__name__} {error}".strip()


def _setup(pdo: PdoMap, rated: float, mode: int, period: int) -> Any:
    """What is done to a slave on its way from Pre-operational: process data, mode and cycle; raises `BridgeError`."""

    def setup(slave: Any) -> None:
        _check_drive(slave, rated, mode)
        for name, (assigned, mapped) in _MAPS.items():
            entries = pdo.entries(name)
            slave.sdo_write(assigned, 0, struct.pack("<B", 0))
            slave.sdo_write(mapped, 0, struct.pack("<B", 0))
            for place, entry in enumerate(entries, 1):
                slave.sdo_write(mapped, place, struct.pack("<I", entry))
            slave.sdo_write(mapped, 0, struct.pack("<B", len(entries)))
            slave.sdo_write(assigned, 1, struct.pack("<H", mapped))
            slave.sdo_write(assigned, 0, struct.pack("<B", 1))
        value, power = interpolation_time(period)
        slave.sdo_write(0x60C2, 1, struct.pack("<B", value))
        slave.sdo_write(0x60C2, 2, struct.pack("<b", power))
        slave.sdo_write(0x6060, 0, struct.pack("<b", mode))

    return setup


def _check_drive(slave: Any, rated: float, mode: int) -> None:
    """Raise if a drive does not know the mode, or has another rated torque than its per mille are said to be of."""
    modes = int.from_bytes(slave.sdo_read(0x6502, 0)[:4], "little")
    if not modes >> (mode - 1) & 1:
        raise BridgeError(f"{slave.name}: object 6502 is {modes:08X}, which does not have mode {mode}")
    torque = int.from_bytes(slave.sdo_read(0x6076, 0)[:4], "little") * 1e-3
    if not np.isclose(torque, rated, rtol=TORQUE_TOLERANCE, atol=0.0):
        text = f"its rated torque, object 6076, is {torque:g} N m, and {rated:g} N m is stated"
        raise BridgeError(f"{slave.name}: {text}; per mille would mean something else")


def _check_sizes(slaves: Sequence[Any], drives: Sequence[BridgedDrive], places: Sequence[int]) -> None:
    """Raise if process data have another length than theirs: pysoem copies without asking."""
    for slave, drive, place in zip(slaves, drives, places, strict=True):
        for name, data, kind in (
            ("outputs", slave.output, drive.pdo.output),
            ("inputs", slave.input, drive.pdo.input),
        ):
            if len(data) != kind.itemsize:
                text = f"has {len(data)} bytes of {name}, and {kind.itemsize} are mapped; its mapping may be fixed"
                raise BridgeError(f"slave {place}, {slave.name}, {text}")


def _reach(master: Any, slaves: Sequence[Any], state: int, name: str, pysoem: Any, meanwhile: Any = None) -> None:
    """Wait until all slaves are in a state; raises `BridgeError` where they are not in time."""
    end = time.monotonic() + STATE_TIMEOUT
    while time.monotonic() < end:
        if meanwhile is not None:
            meanwhile()
        if master.state_check(state, _LOOK) == state:
            return
    master.read_state()
    late = [slave for slave in slaves if slave.state != state]
    reasons = [f"{slave.name}: {pysoem.al_status_code_to_string(slave.al_status)}" for slave in late]
    raise BridgeError(f"not all slaves reach {name}: {'; '.join(reasons) or 'one that is not a drive here'}")
