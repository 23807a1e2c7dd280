"""A bridge: the drives' side of a segment, with drives of CiA 402 behind it that are reached over a wire.

At the instants of the bus it takes the newest frame of the master, exchanges process data, and writes what the drives
say as a frame for the master: what a virtual cell does, the plant being a real one. It closes no loop and knows no
robot. Where nobody answers on the wire, or no master speaks, it sees to it that torque ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol, final

import numpy as np

from parapick.control import ControlLaw, ControllerChoice
from parapick.errors import ParameterError, ParapickError
from parapick.robots import RobotChoice
from parapick.runtime.attached import segment_name
from parapick.runtime.layout import DRIVE_OUT, EMERGENCY, IN, OUT
from parapick.runtime.paced import shorten_log
from parapick.runtime.pdo import USUAL, PdoMap
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.segment import SharedSegment, new_segment
from parapick.runtime.serving import terminable
from parapick.runtime.session import session
from parapick.runtime.turns import KINDS
from parapick.tasks import TaskChoice

WIRE: Final = 0.3
"""Share of a bus cycle that belongs to the wire: frames for the master are there behind it. Chosen."""

LOST: Final = 0x8130
"""Error code that is reported where the wire is lost for longer than the watchdog: heartbeat error of CiA 301."""

FAREWELL: Final = 8
"""Cycles for which drives are told to switch off at the end, as many as the runtime takes."""

_FAULT: Final = 0x0008
_ENABLED: Final = 0x0027
_ENABLED_BITS: Final = 0x006F
_POSITION: Final = 8


@final
class BridgeError(ParapickError):
    """Drives behind a bridge cannot be reached, or are not those that are stated."""


@contextmanager
def bridged_segment(
    robot: RobotChoice,
    task: TaskChoice,
    controller: ControllerChoice | ControlLaw,
    settings: RunSettings,
    *,
    name: str,
) -> Iterator[SharedSegment]:
    """A segment for runs like one, with the seat of the drives: whoever has it is to bridge it.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: what is to be run, or a task like it: the segment has room for its stops.
        controller: the controller; its rate is the bus cycle.
        settings: of the drives `counts`, `rated_torque` and `watchdog`, which must be those of the real ones.
        name: of the segment, with or without "/" at its beginning.

    Raises:
        ParameterError: a name that cannot be, or a setting that drives behind a bridge do not have.
        SegmentError: a segment of this name is in use, or not ours.
    """
    if settings.image == "exact" or not settings.clock:
        raise ParameterError("settings", "are not those of a bus: drives behind one have a clock, and whole numbers")
    run = session(robot, task, controller, settings)
    rings = {ring: room for ring, room in run.rings.items() if ring not in KINDS}
    with new_segment(segment_name(name), rings) as segment:
        shorten_log(segment, run)
        run.cell.fill(segment)
        segment.sit("drives")
        yield segment


@final
@dataclass(frozen=True)
class BridgedDrive:
    """A drive behind a bridge: how its numbers are those of a joint.

    Attributes:
        direction: 1, or -1 where the drive counts against the joint.
        zero: its position (increments) where the joint's angle is 0.
        brake: bit of object 60FD that is 1 while the brake holds; if not given it is taken to hold in every state but
            Operation enabled, in which a drive opens its brake by itself.
        released: bit of object 60FD that is 1 while the emergency stop is released; none if not given. A wire that
            breaks then reads as pressed.
        pdo: its process data.

    Raises:
        ParameterError: another direction, or a bit that 60FD does not have or that is not mapped.
    """

    direction: int = 1
    zero: int = 0
    brake: int | None = None
    released: int | None = None
    pdo: PdoMap = USUAL

    def __post_init__(self) -> None:
        if self.direction not in (1, -1):
            raise ParameterError("direction", f"is {self.direction}; it is 1 or -1")
        for name in ("brake", "released"):
            bit = getattr(self, name)
            if bit is not None and not 0 <= bit < 32:
                raise ParameterError(name, f"is bit {bit} of 60FD, which has bits 0 to 31")
            if bit is not None and 0x60FD not in self.pdo.inputs:
                raise ParameterError(name, "is a bit of 60FD, which is not among the inputs")

    def encoded(self, drive: Any, seen: int) -> bytes:
        """The bytes that the drive gets for what the master asks of it.

        Args:
            drive: what the master asks (), of type `DRIVE_OUT`.
            seen: where the drive is (increments of its own), which it is to follow in other modes than 8: a drive that
                changes its mode must not leap.
        """
        data: Any = np.zeros((), self.pdo.output)
        target = seen
        if int(drive["mode"]) == _POSITION:
            target = self.zero + self.direction * int(drive["target_position"])
        values = {
            "6040": int(drive["control_word"]),
            "6060": int(drive["mode"]),
            "6071": self.direction * int(drive["target_torque"]),
            "60B2": self.direction * int(drive["torque_offset"]),
            "607A": target,
        }
        for name in data.dtype.names:
            if name in values:
                limits = np.iinfo(data.dtype[name])
                data[name] = min(max(values[name], limits.min), limits.max)
        return data.tobytes()

    def decoded(self, data: bytes, frame: Any) -> int:
        """Write what the bytes of the drive say into its place in a frame; its digital inputs.

        Args:
            data: its bytes.
            frame: the place (), of type `DRIVE_IN`.
        """
        said: Any = np.frombuffer(data, self.pdo.input, 1)[0]
        there = said.dtype.names
        frame["status_word"] = said["6041"]
        frame["position"] = self.direction * (int(said["6064"]) - self.zero)
        for name, field, sign in (
            ("603F", "error_code", 1),
            ("6061", "mode", 1),
            ("606C", "speed", self.direction),
            ("6077", "torque", self.direction),
        ):
            if name in there:
                limits = np.iinfo(frame.dtype[field])
                frame[field] = min(max(sign * int(said[name]), limits.min), limits.max)
        inputs = int(said["60FD"]) if "60FD" in there else 0
        enabled = int(said["6041"]) & _ENABLED_BITS == _ENABLED
        frame["brake"] = not enabled if self.brake is None else inputs >> self.brake & 1
        return inputs


class Wire(Protocol):
    """What process data go over."""

    def exchange(self, outputs: Sequence[bytes]) -> Sequence[bytes] | None:
        """Give every drive its bytes and get theirs; None where not all of them have answered.

        Args:
            outputs: bytes by drives.
        """
        ...


class Bridge:
    """The drives of a segment, cycle by cycle.

    Attributes:
        watchdog: cycles after which drives are left without torque, and the wire counts as lost.
        cycle: number of the bus cycle.
        lost: cycles in a row in which not all drives have answered.
        silent: cycles in a row without a new frame of the master.
    """

    def __init__(self, segment: SharedSegment, drives: Sequence[BridgedDrive], mode: int = 10) -> None:
        """A bridge at rest.

        Args:
            segment: the segment, filled and published.
            drives: its drives in the order of the motors.
            mode: 8 or 10, before the first frame of a master.

        Raises:
            ParameterError: there are more or fewer drives than motors, or process data without the target of the mode.
        """
        head = segment.whole["head"]
        if len(drives) != int(head["motors"]):
            raise ParameterError("drives", f"are {len(drives)}, and the segment has {int(head['motors'])} motors")
        for drive in drives:
            drive.pdo.check_mode(mode)
        self._segment, self._drives = segment, tuple(drives)
        self.watchdog = max(int(head["watchdog"]) // int(head["period"]), 1)
        self._taken = int(segment.whole["out"]["newest"])
        self._answered = 0
        self._idle: Any = np.zeros((), DRIVE_OUT)
        self._idle["mode"] = mode
        self._out: Any = None
        self._in: Any = np.zeros((), IN)
        self._in["x"] = self._in["xd"] = np.nan
        self.cycle, self.lost, self.silent = 0, 0, 0

    def outputs(self) -> list[bytes]:
        """Bytes by drives, of the newest frame of the master; without torque where it is silent for too long."""
        count, frame = int(self._segment.whole["out"]["newest"]), self._segment.newest_out()
        if count > self._taken and frame is not None:
            self._taken, self._out, self.silent = count, frame.astype(OUT), 0
            self._answered = int(frame["cycle"])
        else:
            self.silent += 1
        if self._out is None or self.silent >= self.watchdog:
            return self.idle()
        return self._encoded(self._out["drives"])

    def idle(self) -> list[bytes]:
        """Bytes by drives without torque: "disable voltage" of CiA 402."""
        return self._encoded([self._idle] * len(self._drives))

    def _encoded(self, asked: Any) -> list[bytes]:
        seen = self._in["drives"]["position"]
        return [
            drive.encoded(asked[i], drive.zero + drive.direction * int(seen[i])) for i, drive in enumerate(self._drives)
        ]

    def taken(self, inputs: Sequence[bytes] | None, now: int) -> bool:
        """Write what the drives say as a frame; whether there is one.

        Cycles without an answer have no frame, so that the master counts them as late. Behind the watchdog's time all
        drives are reported in Fault.

        Args:
            inputs: bytes by drives; None where not all have answered.
            now: when they were sampled (ns of CLOCK_MONOTONIC).
        """
        frame, self.cycle = self._in, self.cycle + 1
        self.lost = 0 if inputs is not None else self.lost + 1
        if inputs is None and self.lost < self.watchdog:
            return False
        frame["cycle"], frame["time"], frame["answers"] = self.cycle - 1, now, self._answered
        frame["missed"] = self.silent if self._out is not None else 0
        if inputs is None:
            frame["drives"]["status_word"][: len(self._drives)] = _FAULT
            frame["drives"]["error_code"][: len(self._drives)] = LOST
        else:
            frame["inputs"] = EMERGENCY * self._decoded(inputs)
        self._segment.write_in(frame)
        return True

    def _decoded(self, inputs: Sequence[bytes]) -> bool:
        """Take the bytes of the drives; whether the emergency stop is pressed."""
        pressed = False
        for i, (drive, data) in enumerate(zip(self._drives, inputs, strict=True)):
            said = drive.decoded(data, self._in["drives"][i])
            pressed = pressed or (drive.released is not None and not said >> drive.released & 1)
        return pressed


def run_bridge(bridge: Bridge, segment: SharedSegment, wire: Wire, ended: Callable[[], bool] = lambda: False) -> None:
    """Run a bridge at the instants of the bus until it is ended; then drives get a few cycles without power.

    Ctrl-C and SIGTERM end it, as does the end that is asked for over the segment.

    Args:
        bridge: the bridge.
        segment: its segment, whose drives' seat is taken.
        wire: what reaches the drives.
        ended: whether to end.
    """
    head = segment.whole["head"]
    period = int(head["period"])
    instant = time.monotonic_ns() + period
    # A virtual cell writes its frame at its instant; here the frame comes when the wire has answered.
    head["epoch"] = instant + round(WIRE * period)
    with terminable(), suppress(KeyboardInterrupt):
        while not (ended() or int(head["ending"])):
            _sleep_until(instant)
            outputs, now = bridge.outputs(), time.monotonic_ns()
            bridge.taken(wire.exchange(outputs), now)
            # Somebody stopped this process for a while: it goes on from now and does not hurry after the time lost.
            instant = max(instant, time.monotonic_ns() - period) + period
    for _ in range(FAREWELL):
        _sleep_until(time.monotonic_ns() + period)
        bridge.taken(wire.exchange(bridge.idle()), time.monotonic_ns())


def _sleep_until(instant: int) -> None:
    time.sleep(max(instant - time.monotonic_ns(), 0) * 1e-9)
