"""What a supervised run gives: its record, the states over time, what tripped, and how the robot stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.simulation.faults import InjectedFault
from parapick.simulation.plant_motion import OVERSPEED
from parapick.simulation.record import Record
from parapick.supervision import Event, State, WatchedLimits
from parapick.supervision.watching import TRACKING


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
        duration: time from which on no joint moved faster than `STANDSTILL` (s); until the end where one still did.
        length: length of the plate's path meanwhile (m).
        off_path: largest distance from the reference across the path meanwhile (m); of brakes, from where they began.
        torque: largest share of its limit that a motor gave; 0 with the drives off, None without limits.
        speed: largest share of its limit that a joint's speed had; None without limits.
        slack: smallest slack of legs, carriages and links (m); negative: a limit was left.
        angle: smallest slack of joints, passive joints and yaw (rad), likewise; None where nothing limits them.
        workspace: smallest distance to the border of the stated workspace (m); negative: outside; None without one,
            and where its guard is switched off.
        turn: the same of the yaw that it allows (rad).
        rested: whether every joint came to rest.
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
    turn: float | None = None
    rested: bool = True

    @property
    def inside(self) -> bool:
        """Whether the robot came to rest and kept to its limits on the way."""
        return not self.beyond

    @property
    def beyond(self) -> tuple[str, ...]:
        """What was not kept, in words; a guard trips only beyond a speed, and what is not a number is never kept."""
        left = {
            f"{_share(self.torque)} of the torque": (self.torque or 0.0) <= 1.0,
            f"{_share(self.speed)} of the speed": (self.speed or 0.0) <= 1.0 + OVERSPEED,
            f"reach left by {-1e3 * self.slack:.4g} mm": self.slack >= 0.0,
            f"an angle left by {-(self.angle or 0.0):.4g} rad": (self.angle or 0.0) >= 0.0,
            f"workspace left by {-1e3 * (self.workspace or 0.0):.4g} mm": (self.workspace or 0.0) >= -TRACKING,
            f"workspace left by {-(self.turn or 0.0):.4g} rad of yaw": (self.turn or 0.0) >= -TRACKING,
            f"still moving after {1e3 * self.duration:.4g} ms": self.rested,
        }
        return tuple(text for text, kept in left.items() if not kept)


def _share(used: float | None) -> str:
    return f"{100.0 * (used or 0.0):.4g} %"


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
        workspace: smallest distance to the border of the stated workspace (m) in the whole run; negative: outside; None
            without one, and where its guard is switched off.
    """

    record: Record
    states: np.ndarray
    changes: tuple[Change, ...]
    trip: Trip | None
    stop: Stop | None
    nearest: tuple[Nearest, ...]
    limits: WatchedLimits
    faults: tuple[InjectedFault, ...]
    workspace: float | None = None

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
        return self.record.rows(running)
