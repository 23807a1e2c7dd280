"""What a supervised run is to do, and what stays the same while it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.control import CallableLaw
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation.assembling import Assembled
from parapick.simulation.description import Loop
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
        made: the loop before it runs.
        model: the robot as the controller knows it.
        plant: the robot as it is.
        loop: the loop, with what faults need.
        noise: random torques at the joints, one row per sample, over and over (T, n), N m; None without.
        law: a Python function in the place of its law.
        supervisor: what the supervisor is told.
        watch: its guards.
        rules: how long things may take.
        rate: control rate (Hz).
        substeps: integration steps a control period.
        engine: "native", "python" or "mujoco".
        brake: torque of the brakes at the joints (n,), N m.
    """

    made: Assembled
    model: Model
    plant: Model
    loop: Loop
    noise: np.ndarray | None
    law: CallableLaw | None
    supervisor: Supervisor
    watch: Watch
    rules: Rules
    rate: float
    substeps: int
    engine: str
    brake: np.ndarray
