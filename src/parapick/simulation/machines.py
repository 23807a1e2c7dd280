"""A loop that is run piece by piece, as a compiled scan or sample by sample; every piece goes on from the last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from parapick.control import CallableLaw
from parapick.model import Model
from parapick.simulation.description import Loop
from parapick.simulation.divergence import last_good
from parapick.simulation.fused import initial_state, parameters_of, scan_of
from parapick.simulation.plant import STAGES
from parapick.simulation.series import LoopSeries
from parapick.simulation.stepping import Brain, CallableBrain, KernelBrain, KernelPlant, Plant, stepped

Outputs = dict[str, np.ndarray]

Judge = Callable[[int, np.ndarray, np.ndarray], int]
"""Gets the number of the first of some samples in the piece, what the encoders say at them and what the law asked for
at the samples before (m, n each); answers how many of them belong to the piece."""


class Machine(Protocol):
    """A loop that can be run piece by piece."""

    def run(self, series: LoopSeries, judge: Judge) -> Outputs:
        """Run a piece until its end, until the judge ends it, or until it diverges.

        Args:
            series: what the loop follows and what acts on it.
            judge: says where the piece ends.
        """
        ...

    @property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        """Task vector of the plate and its rate (dof each) at the sample that comes next."""
        ...


@final
class NativeMachine:
    """A compiled scan. A piece is run to its end, judged, and run again up to where the judge ended it."""

    def __init__(self, loop: Loop, x: np.ndarray, xd: np.ndarray, rate: float, substeps: int) -> None:
        self._scan, self._substeps = scan_of(loop), STAGES * substeps
        self._parameters = parameters_of(loop, rate, substeps)
        self._state = initial_state(loop, x, xd, self._scan.states)
        self._asked, self._dof = np.zeros(loop.motors), loop.dof

    def run(self, series: LoopSeries, judge: Judge) -> Outputs:
        """Run a piece."""
        whole = self._scan(self._state, *series.inputs, self._parameters, substeps=self._substeps)
        outputs, good = whole.outputs, last_good(whole.outputs)
        before = np.concatenate([self._asked[None], outputs["command"]])
        count = judge(0, outputs["q_meas"][:good], before[:good])
        self._asked = before[count]
        if count == len(series.t):
            self._state = whole.state
            return outputs
        if count < good:
            cut = [values[:count] for values in series.inputs]
            self._state = self._scan(self._state, *cut, self._parameters, substeps=self._substeps).state
        # Of a piece that diverged the first bad sample is kept: it says what left first.
        kept = count if count < good else good + 1
        return {name: values[:kept] for name, values in outputs.items()} if kept else {}

    @property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the plate is, and its rate: the first entries of the state."""
        return self._state[: self._dof], self._state[self._dof : 2 * self._dof]


@final
@dataclass
class SteppedMachine:
    """A controller and a plant that are asked sample by sample.

    Attributes:
        brain: the controller.
        plant: the plant.
        asked: torques that the law asked for at the last sample (n,), N m.
        begun: whether they have been run before.
    """

    brain: Brain
    plant: Plant
    asked: np.ndarray
    begun: bool = False

    def run(self, series: LoopSeries, judge: Judge) -> Outputs:
        """Run a piece."""

        def ending(k: int, seen: Outputs, before: Outputs | None) -> bool:
            self.asked = self.asked if before is None else before["command"]
            return judge(k, seen["q_meas"][None], self.asked[None]) == 0

        outputs = stepped(self.brain, self.plant, series, ending, begun=self.begun)
        self.begun = True
        if outputs:
            self.asked = outputs["command"][-1]
        return outputs

    @property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the plate is, and its rate."""
        seen = self.plant.look()
        return seen["x"], seen["xd"]


def machine_of(
    engine: str,
    loop: Loop,
    plant: Model,
    law: CallableLaw | None,
    series: LoopSeries,
    x: np.ndarray,
    rate: float,
    substeps: int,
) -> Machine:
    """A loop at its beginning.

    Args:
        engine: "native", "python" or "mujoco".
        loop: the loop.
        plant: the robot as it is.
        law: a Python function in the place of the loop's law.
        series: what it follows first; the plate has the velocity of its first sample.
        x: where the plate is (dof,).
        rate: control rate (Hz).
        substeps: integration steps a control period.
    """
    if engine == "native":
        return NativeMachine(loop, x, series.xd[0], rate, substeps)
    parameters = parameters_of(loop, rate, substeps)
    limit, nothing = np.array(loop.drives.torque_max), np.zeros(loop.motors)
    brain = KernelBrain(loop, parameters) if law is None else CallableBrain(law, limit, loop.drives.delay)
    if engine == "mujoco":
        from parapick.simulation.mujoco_plant import MujocoPlant

        return SteppedMachine(brain, MujocoPlant(loop, plant, rate, substeps, x, series), nothing)
    return SteppedMachine(brain, KernelPlant(loop, parameters, substeps, x, series.xd[0]), nothing)
