"""The kinds of fault that can be made, one row each: what goes wrong, how much, and what it does at each stage.

A row is all that a kind of fault is. The stages, in the order in which a sample passes them:

    path      time along the path and what is added to the reference
    encoder   between the joints and the law: `share * angle + offset`
    drive     between the law and the joints: `share * torque + offset`
    load      what the tool holds
    force     what pushes the plate
    signals   what the supervisor reads beside the encoders
    command   what the operator asks for

An effect changes rows of the samples over which the fault acts; a stage that a kind leaves out is as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeVar, final

import numpy as np

from parapick.supervision import Event

Target = Literal["motor", "coordinate", ""]

Rows = TypeVar("Rows")


@final
@dataclass(frozen=True, eq=False)
class ActingFault:
    """A fault over T samples of a run.

    Attributes:
        target: which motor, or which task coordinate, from 0; -1 where it has none.
        size: its size (SI).
        active: whether it acts (T,).
        was_active: whether it acted at the sample before (T,).
        lasted: for how long it has acted since the first of the samples (T,), s.
        value: what it repeats (n,), where it repeats something; None until that is known.
    """

    target: int
    size: float
    active: np.ndarray
    was_active: np.ndarray
    lasted: np.ndarray
    value: np.ndarray | None = None


@final
@dataclass(frozen=True, eq=False)
class PathRows:
    """The time along a path and what is added to the reference.

    Attributes:
        s: path time (T,), s.
        pace: its rate (T,).
        shift: what is added to the path (T, dof).
        shift_rate: its rate (T, dof).
    """

    s: np.ndarray
    pace: np.ndarray
    shift: np.ndarray
    shift_rate: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class ChannelRows:
    """A channel per motor, `share * value + offset`: encoder angles on their way to the law, torques to the joints.

    Attributes:
        share: factors (T, n).
        offset: what is added (T, n).
    """

    share: np.ndarray
    offset: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class SignalRows:
    """What the supervisor reads beside encoders and torques.

    Attributes:
        late: whether the torque of the sample before came too late (T,).
        dead: whether a drive reports that it is off (T, n).
        emergency: whether the emergency stop is pressed (T,).
    """

    late: np.ndarray
    dead: np.ndarray
    emergency: np.ndarray


@final
@dataclass(frozen=True)
class FaultSize:
    """The size of a kind of fault.

    Attributes:
        default: the size where none is given.
        unit: its SI unit: that of the target where it depends on it ("joint", "effort", "task", "task rate", "force"),
            empty for pure numbers.
        above: what it must be greater than.
        at_most: what it must not exceed.
        within_peak: whether a motor's peak torque bounds its magnitude.
        in_samples: whether it is the whole number of samples for which the fault lasts.
        valid: which sizes are valid, in words.
    """

    default: float
    unit: str = ""
    above: float = -math.inf
    at_most: float = math.inf
    within_peak: bool = False
    in_samples: bool = False
    valid: str = "greater than 0"

    def admits(self, size: float) -> bool:
        """Whether a size is valid, whatever the motor.

        Args:
            size: the size (SI).
        """
        return self.above < size <= self.at_most and (not self.in_samples or float(size).is_integer())


@final
@dataclass(frozen=True)
class FaultKind:
    """A kind of fault: a row of the table.

    Attributes:
        name: what it is called.
        meaning: what goes wrong, in words.
        target: what it is at: a motor from 1, a task coordinate by its name, or nothing.
        size: its size; None where it has none.
        duration: how long it lasts where nothing is said (s); infinite: to the end.
        path: what it does to the reference.
        encoder: what it does to the encoder angles.
        drive: what it does to the torques.
        load: what it does to what the tool holds beyond the gripper, rows (T, 5).
        force: what it does to the force on the plate, rows (T, dof).
        signals: what the supervisor reads of it.
        command: what the operator asks for; then nothing goes wrong.
        repeats: name of the recorded signal whose last value it repeats; empty where it repeats nothing.
    """

    name: str
    meaning: str
    target: Target = ""
    size: FaultSize | None = None
    duration: float = math.inf
    path: Callable[[PathRows, ActingFault], None] | None = None
    encoder: Callable[[ChannelRows, ActingFault], None] | None = None
    drive: Callable[[ChannelRows, ActingFault], None] | None = None
    load: Callable[[np.ndarray, ActingFault], None] | None = None
    force: Callable[[np.ndarray, ActingFault], None] | None = None
    signals: Callable[[SignalRows, ActingFault], None] | None = None
    command: Event | None = None
    repeats: str = ""

    @property
    def inside(self) -> bool:
        """Whether it acts inside the loop: between encoder and law, or between law and motor."""
        return self.encoder is not None or self.drive is not None


def act(effect: Callable[[Rows, ActingFault], None] | None, rows: Rows, fault: ActingFault) -> None:
    """Let a fault act at a stage.

    Args:
        effect: what its kind does there; None for nothing.
        rows: the rows of the stage, which it changes.
    """
    if effect is not None:
        effect(rows, fault)


def _repeat_angle(channel: ChannelRows, fault: ActingFault) -> None:
    if fault.value is not None:
        channel.share[fault.active, fault.target] = 0.0
        channel.offset[fault.active, fault.target] = fault.value[fault.target]


def _jump(channel: ChannelRows, fault: ActingFault) -> None:
    channel.offset[fault.active, fault.target] += fault.size


def _lose_share(channel: ChannelRows, fault: ActingFault) -> None:
    channel.share[fault.active, fault.target] = 1.0 - fault.size


def _stick(channel: ChannelRows, fault: ActingFault) -> None:
    channel.share[fault.active, fault.target] = 0.0
    channel.offset[fault.active, fault.target] = fault.size


def _repeat_torques(channel: ChannelRows, fault: ActingFault) -> None:
    if fault.value is not None:
        channel.share[fault.active] = 0.0
        channel.offset[fault.active] = fault.value


def _report_dead(signals: SignalRows, fault: ActingFault) -> None:
    signals.dead[:, fault.target] |= fault.active


def _report_late(signals: SignalRows, fault: ActingFault) -> None:
    signals.late[:] |= fault.was_active


def _press(signals: SignalRows, fault: ActingFault) -> None:
    signals.emergency[:] |= fault.active


def _add_mass(load: np.ndarray, fault: ActingFault) -> None:
    load[fault.active, 0] += fault.size


def _lose_load(load: np.ndarray, fault: ActingFault) -> None:
    load[fault.active] = 0.0


def _push(force: np.ndarray, fault: ActingFault) -> None:
    force[fault.active, fault.target] += fault.size


def _displace(path: PathRows, fault: ActingFault) -> None:
    path.shift[:, fault.target] += fault.size * fault.active


def _drift(path: PathRows, fault: ActingFault) -> None:
    path.shift[:, fault.target] += fault.size * fault.lasted
    path.shift_rate[:, fault.target] += fault.size * fault.active


def _hurry(path: PathRows, fault: ActingFault) -> None:
    path.s[:] += (fault.size - 1.0) * fault.lasted
    path.pace[:] += (fault.size - 1.0) * fault.active


FAULT_KINDS: Final = {
    kind.name: kind
    for kind in (
        FaultKind("encoder", "an encoder repeats its last angle", "motor", encoder=_repeat_angle, repeats="q_meas"),
        FaultKind(
            "encoder-jump", "an encoder's angle jumps by the size", "motor", FaultSize(0.05, "joint"), encoder=_jump
        ),
        FaultKind(
            "motor",
            "a motor gives less than it is asked for; the size is the share that it loses",
            "motor",
            FaultSize(1.0, above=0.0, at_most=1.0, valid="a share above 0 and up to 1"),
            drive=_lose_share,
        ),
        FaultKind(
            "motor-stuck",
            "a motor gives the size whatever it is asked for",
            "motor",
            FaultSize(0.0, "effort", within_peak=True),
            drive=_stick,
        ),
        FaultKind("drive", "a drive switches itself off and reports it", "motor", drive=_stick, signals=_report_dead),
        FaultKind(
            "payload",
            "the tool holds the size more than the task says",
            "",
            FaultSize(5.0, "kg", above=0.0),
            load=_add_mass,
        ),
        FaultKind("drop", "what the task carries is lost", load=_lose_load),
        FaultKind(
            "collision",
            "a force of the size pushes the plate along a coordinate",
            "coordinate",
            FaultSize(200.0, "force"),
            duration=0.05,
            force=_push,
        ),
        FaultKind(
            "reference",
            "the reference jumps by the size along a coordinate",
            "coordinate",
            FaultSize(0.05, "task"),
            path=_displace,
        ),
        FaultKind(
            "drift",
            "the reference drifts with the size per second along a coordinate",
            "coordinate",
            FaultSize(1.0, "task rate"),
            path=_drift,
        ),
        FaultKind(
            "pace", "the time along the path runs the size times too fast", "", FaultSize(1.5, above=0.0), path=_hurry
        ),
        FaultKind(
            "deadline",
            "so many torques in a row come too late, and the drives hold the last one",
            "",
            FaultSize(5.0, above=0.0, in_samples=True, valid="a whole number of samples, at least 1"),
            drive=_repeat_torques,
            signals=_report_late,
            repeats="torque",
        ),
        FaultKind("emergency", "somebody presses the emergency stop", signals=_press),
        FaultKind("stop", "the operator stops the motion; no fault, but a command", command=Event.STOP),
    )
}
"""Every kind of fault by its name."""
