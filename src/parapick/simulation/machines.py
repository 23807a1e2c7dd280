"""A loop that is run piece by piece, as a compiled scan or sample by sample; every piece goes on from the last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from parapick.control import CallableLaw
from parapick.simulation.assembling import Assembled, wound_up
from parapick.simulation.divergence import last_good
from parapick.simulation.fused import initial_state, scan_of
from parapick.simulation.plant import STAGES
from parapick.simulation.plant_state import moving_blocks, state_rows, state_sizes
from parapick.simulation.series import LoopSeries
from parapick.simulation.stepping import Brain, CallableBrain, KernelBrain, KernelPlant, Plant, stepped

Outputs = dict[str, np.ndarray]

Rotors = tuple[np.ndarray, np.ndarray]
"""Angles and rates of the rotors (n each) where the drive train is elastic."""

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
    def place(self) -> tuple[np.ndarray, np.ndarray, Rotors | None]:
        """Task vector of the plate and its rate (dof each) at the sample that comes next, and the rotors there."""
        ...


@final
class NativeMachine:
    """A compiled scan. A piece is run to its end, judged, and run again up to where the judge ended it."""

    def __init__(self, made: Assembled, x: np.ndarray, rotors: Rotors | None) -> None:
        self._scan, self._substeps = scan_of(made.loop), STAGES * made.substeps
        self._parameters = made.parameters
        self._state = initial_state(made.loop, x, made.series.xd[0], self._scan.states, rotors)
        self._asked, self._loop = np.zeros(made.loop.motors), made.loop

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
    def place(self) -> tuple[np.ndarray, np.ndarray, Rotors | None]:
        """Where plate and rotors are, and their rates."""
        rows = state_rows(self._loop)
        places, rates = (moving_blocks(self._loop, self._state[rows[name]]) for name in ("place", "rate"))
        rotors = None if self._loop.drive_train is None else (places["motor"], rates["motor"])
        return places["x"], rates["x"], rotors


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
    def place(self) -> tuple[np.ndarray, np.ndarray, Rotors | None]:
        """Where plate and rotors are, and their rates."""
        seen = self.plant.look()
        return seen["x"], seen["xd"], (seen["q_motor"], seen["qd_motor"]) if "q_motor" in seen else None


def machine_of(
    engine: str, made: Assembled, law: CallableLaw | None, x: np.ndarray, rotors: Rotors | None = None
) -> Machine:
    """A loop at its beginning; the plate has the velocity of the first sample of its series.

    Args:
        engine: "native", "python" or "mujoco".
        made: the loop, with what it follows first.
        law: a Python function in the place of the loop's law.
        x: where the plate is (dof,).
        rotors: where the rotors of an elastic drive train are; None: their springs carry what the joints need.
    """
    loop, turned = made.loop, wound_up(made, x) if rotors is None else rotors
    if engine == "native":
        return NativeMachine(made, x, turned)
    limit, nothing = np.array(loop.drives.torque_max), np.zeros(loop.motors)
    brain = KernelBrain(loop, made.parameters) if law is None else CallableBrain(law, limit, loop.drives.delay)
    return SteppedMachine(brain, stepped_plant(engine, made, x, turned), nothing)


def stepped_plant(engine: str, made: Assembled, x: np.ndarray, rotors: Rotors | None) -> Plant:
    """A plant that is moved sample by sample.

    Args:
        engine: "python" for our own stages, "mujoco" for that engine.
        made: the loop.
        x: where the plate is (dof,).
        rotors: where the rotors of an elastic drive train are.
    """
    if engine == "mujoco":
        from parapick.simulation.mujoco_plant import MujocoPlant

        return MujocoPlant(made, x, rotors)
    # The plant's own state, and one entry of a controller's behind it.
    first = initial_state(made.loop, x, made.series.xd[0], sum(state_sizes(made.loop).values()) + 1, rotors)
    return KernelPlant(made.loop, made.parameters, made.substeps, first)
