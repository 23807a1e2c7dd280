"""What a supervised run is to do, and what stays the same while it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation import Assembled, Loop
from parapick.supervision import Rules, Supervisor, Watch


@final
@dataclass(frozen=True)
class Plan:
    """What a supervised run is to do.

    Attributes:
        start: where the robot is switched on (m, rad).
        home: its home.
        homing: the slow motion between them.
        running: the slow motion to where the task begins, and the task.
        known: the same with what the controller takes it to carry.
        lead: duration of that slow motion (s).
    """

    start: tuple[float, ...]
    home: tuple[float, ...]
    homing: Motion
    running: Motion
    known: Motion
    lead: float


@final
@dataclass(frozen=True, eq=False)
class Supervision:
    """What stays the same during a supervised run.

    Attributes:
        assembly: the loop before it runs, with what faults need.
        noise: random torques at the joints, one row per sample, over and over (T, n), N m; None without.
        supervisor: settings of the supervisor.
        watch: its guards.
        rules: how long things may take.
        engine: "native", "python" or "mujoco".
        brake: torque of the brakes at the joints (n,), N m.
    """

    assembly: Assembled
    noise: np.ndarray | None
    supervisor: Supervisor
    watch: Watch
    rules: Rules
    engine: str
    brake: np.ndarray

    @property
    def model(self) -> Model:
        """The robot as the controller knows it."""
        return self.assembly.model

    @property
    def plant(self) -> Model:
        """The robot as it is."""
        return self.assembly.plant

    @property
    def loop(self) -> Loop:
        """The description of the loop."""
        return self.assembly.loop

    @property
    def rate(self) -> float:
        """Control rate (Hz)."""
        return self.assembly.rate
