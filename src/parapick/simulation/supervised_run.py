"""What a supervised run gives: its record, the states over time, what tripped, and how the robot stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from parapick.simulation.faults import InjectedFault
from parapick.simulation.plant_motion import OVERSPEED
from parapick.simulation.record import Record
from parapick.supervision import Event, State, WatchedLimits


@final
@dataclass(frozen=True)
class Change:
    """A change of the operating state.

    Attributes:
        time: when (s).
        sample: at which sample.
        before: the state before.
        event: what happened.
        after: the state from this sample on.
        guard: name of the guard that caused it; empty where none did.
    """

    time: float
    sample: int
    before: State
    event: Event
    after: State
    guard: str = ""


@final
@dataclass(frozen=True)
class Trip:
    """A guard that tripped; its reason stays until a reset.

    Attributes:
        guard: name of the guard.
        where: what it is about, such as "motor 2"; empty where it is about the whole robot.
        value: its quantity then (SI).
        limit: its limit.
        unit: unit of both.
        time: when (s).
        sample: at which sample.
        samples: samples since the first fault that was made on purpose began; None without one before.
    """

    guard: str
    where: str
    value: float
    limit: float
    unit: str
    time: float
    sample: int
    samples: int | None

    @property
    def text(self) -> str:
        """The reason in words."""
        where = f" of {self.where}" if self.where else ""
        if self.guard in ("drive", "frozen", "emergency", "deadline", "unrest"):
            return f"{self.guard}{where}"
        unit = f" {self.unit}" if self.unit else ""
        # Where encoders say what no pose has, what follows from a pose has no value.
        value = "no value" if math.isnan(self.value) else f"{self.value:.4g}{unit}"
        return f"{self.guard}{where}: {value}, limit {self.limit:.4g}{unit}"


@final
@dataclass(frozen=True)
class Stop:
    """How the robot came to rest.

    Attributes:
        kind: "path" where its time along the path was slowed, "brakes" where the drives were switched off.
        start: when it began (s).
        duration: time until every joint rested (s).
        length: length of the plate's path meanwhile (m).
        off_path: largest distance from the reference across the path meanwhile (m); of brakes, from where they began.
        torque: largest share of its limit that a motor gave; 0 with the drives off, None without limits.
        speed: largest share of its limit that a joint's speed had; None without limits.
        slack: smallest slack of legs, carriages and links (m); negative: a limit was left.
        angle: smallest slack of joints, passive joints and yaw (rad), likewise; None where nothing limits them.
        workspace: smallest distance to the border of the stated workspace (m); negative: outside; None without one.
    """

    kind: str
    start: float
    duration: float
    length: float
    off_path: float
    torque: float | None
    speed: float | None
    slack: float
    angle: float | None
    workspace: float | None

    @property
    def inside(self) -> bool:
        """Whether the robot kept to its limits: torque, speed (a guard trips only beyond it) and reach."""
        return (
            (self.torque or 0.0) <= 1.0
            and (self.speed or 0.0) <= 1.0 + OVERSPEED
            and min(self.slack, self.angle or 0.0) >= 0.0
        )


@final
@dataclass(frozen=True)
class Nearest:
    """How near a guard came to its limit before anything tripped.

    Attributes:
        guard: name of the guard.
        where: what it is about, such as "motor 2".
        value: its quantity when it was nearest (SI).
        limit: its limit.
        unit: unit of both.
        time: when (s).
    """

    guard: str
    where: str
    value: float
    limit: float
    unit: str
    time: float


@final
@dataclass(frozen=True, eq=False)
class SupervisedRun:
    """A supervised run; T samples.

    Attributes:
        record: the record of the whole run; its time counts from the beginning of the task.
        states: the operating state at every sample (T,), an index into `State`'s members.
        changes: changes of the state.
        trip: what tripped first; None where nothing did.
        stop: how the robot came to rest; None where it was not stopped.
        nearest: how near every guard came to its limit.
        limits: the limits of the guards.
        faults: what was made to go wrong.
    """

    record: Record
    states: np.ndarray
    changes: tuple[Change, ...]
    trip: Trip | None
    stop: Stop | None
    nearest: tuple[Nearest, ...]
    limits: WatchedLimits
    faults: tuple[InjectedFault, ...]

    @property
    def state(self) -> State:
        """The state at the end."""
        return self.changes[-1].after

    @property
    def finished(self) -> bool:
        """Whether the task was run through to its end."""
        return any(change.event is Event.FINISHED for change in self.changes)

    @property
    def task(self) -> Record:
        """The record of the task alone, without what led to it, up to where it was stopped; empty if it never began."""
        running = (self.states == [*State].index(State.RUNNING)) & (self.record.t >= -0.5 / self.record.rate)
        return cut(self.record, running)


def cut(record: Record, chosen: np.ndarray) -> Record:
    """Some samples of a record.

    Args:
        record: the record.
        chosen: which samples (T,).
    """
    rows = {
        name: value[chosen]
        for name, value in vars(record).items()
        if isinstance(value, np.ndarray) and name not in ("torque_max", "speed_max")
    }
    tables = {
        name: {key: value[chosen] for key, value in getattr(record, name).items()} for name in ("estimate", "terms")
    }
    return replace(record, **rows, **tables)
