"""A machine: a loop at its beginning that is run piece by piece, as a compiled scan or sample by sample.

`simulate` runs one piece without a judge, `parapick.operation.supervise` a piece per operating state, which the
supervisor ends. Every piece goes on from where the last one ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, final

import numpy as np

from parapick.errors import ParameterError
from parapick.progress import Listener, tell
from parapick.simulation.assembled import Assembled, wound_up
from parapick.simulation.divergence import Outputs, last_good
from parapick.simulation.native_loop import initial_state, scan_of
from parapick.simulation.plant import STAGES
from parapick.simulation.plant_state import moving_blocks, state_rows, state_sizes
from parapick.simulation.series import LoopSeries
from parapick.simulation.stepped_controller import CallableController, CompiledController, SampledController
from parapick.simulation.stepped_loop import stepped
from parapick.simulation.stepped_plant import CompiledPlant, Plant

EngineName = Literal["native", "python", "mujoco"]
ENGINES = ("native", "python", "mujoco")
"""What can move the plant: one compiled loop, our own stages stepped from Python, or MuJoCo."""

Rotors = tuple[np.ndarray, np.ndarray]
"""Angles and rates of the rotors (n each) where the drive train is elastic."""

Judge = Callable[[int, np.ndarray, np.ndarray], int]
"""Gets the number of the first of some samples in the piece, what the encoders say at them and what the law asked for
at the samples before (m, n each); answers how many of them belong to the piece."""


TOLD = 250
"""Samples of a loop stepped from Python between two words on its progress: a fraction of a second."""


def listening(progress: Listener | None, total: int) -> Judge:
    """A judge that ends nothing and says how far a loop is that is stepped sample by sample.

    Args:
        progress: who listens.
        total: number of samples.
    """

    def judge(first: int, q_meas: np.ndarray, _asked: np.ndarray) -> int:
        if first and first % TOLD == 0:
            tell(progress, "samples", first, total)
        return len(q_meas)

    return judge


class Machine(Protocol):
    """A loop that can be run piece by piece."""

    def run(self, series: LoopSeries, judge: Judge | None = None) -> Outputs:
        """Run a piece until its end, until the judge ends it, or until it diverges.

        Args:
            series: what the loop follows and what acts on it.
            judge: says where the piece ends; None: at its end.
        """
        ...

    @property
    def place(self) -> tuple[np.ndarray, np.ndarray, Rotors | None]:
        """Task vector of the plate and its rate (dof each) at the sample that comes next, and the rotors there."""
        ...


@final
class NativeMachine:
    """A compiled scan. A piece is run to its end, judged, and run again up to where the judge ended it."""

    def __init__(self, assembly: Assembled, x: np.ndarray, rotors: Rotors | None) -> None:
        """A machine at its beginning.

        Args:
            x: where the plate is (dof,).
            rotors: where the rotors of an elastic drive train are.
        """
        self._loop = assembly.loop
        self._scan = scan_of(assembly.loop)
        self._substeps = STAGES * assembly.substeps
        self._parameters = assembly.parameters
        self._state = initial_state(assembly.loop, x, assembly.series.xd[0], self._scan.states, rotors)
        self._asked = np.zeros(assembly.loop.motors)

    def run(self, series: LoopSeries, judge: Judge | None = None) -> Outputs:
        """Run a piece."""
        whole = self._scan(self._state, *series.inputs, self._parameters, substeps=self._substeps)
        outputs = whole.outputs
        if judge is None:
            self._state = whole.state
            return outputs
        good = last_good(outputs)
        before = np.concatenate([self._asked[None], outputs["command"]])
        count = judge(0, outputs["q_meas"][:good], before[:good])
        self._asked = before[count]
        if count == len(series.t):
            self._state = whole.state
            return outputs
        if count < good:
            start = [values[:count] for values in series.inputs]
            self._state = self._scan(self._state, *start, self._parameters, substeps=self._substeps).state
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
        controller: the controller.
        plant: the plant.
        asked: torques that the law asked for at the last sample (n,), N m.
        begun: whether they have been run before.
    """

    controller: SampledController
    plant: Plant
    asked: np.ndarray
    begun: bool = False

    def run(self, series: LoopSeries, judge: Judge | None = None) -> Outputs:
        """Run a piece."""

        def ending(k: int, seen: Outputs, before: Outputs | None) -> bool:
            self.asked = self.asked if before is None else before["command"]
            return judge is not None and judge(k, seen["q_meas"][None], self.asked[None]) == 0

        outputs = stepped(self.controller, self.plant, series, ending, begun=self.begun)
        self.begun = True
        if "command" in outputs:
            self.asked = outputs["command"][-1]
        return outputs

    @property
    def place(self) -> tuple[np.ndarray, np.ndarray, Rotors | None]:
        """Where plate and rotors are, and their rates."""
        seen = self.plant.observe()
        return seen["x"], seen["xd"], (seen["q_motor"], seen["qd_motor"]) if "q_motor" in seen else None


def machine_of(engine: str, assembly: Assembled, x: np.ndarray, rotors: Rotors | None = None) -> Machine:
    """A loop at its beginning; the plate has the velocity of the first sample of its series.

    Args:
        engine: "native", "python" or "mujoco".
        assembly: the loop, with what it follows first.
        x: where the plate is (dof,).
        rotors: where the rotors of an elastic drive train are; None: their springs carry what the joints need.
    """
    loop = assembly.loop
    turned = wound_up(assembly, x) if rotors is None else rotors
    if engine == "native":
        return NativeMachine(assembly, x, turned)
    plant = stepped_plant(engine, assembly, x, turned)
    return SteppedMachine(stepped_controller(assembly), plant, np.zeros(loop.motors))


def stepped_controller(assembly: Assembled) -> SampledController:
    """A controller that is stepped sample by sample."""
    if assembly.called is None:
        return CompiledController(assembly.loop, assembly.parameters)
    drives = assembly.loop.drives
    return CallableController(assembly.called, np.array(drives.torque_max), drives.delay)


def stepped_plant(engine: str, assembly: Assembled, x: np.ndarray, rotors: Rotors | None) -> Plant:
    """A plant that is advanced sample by sample.

    Args:
        engine: "python" for our own stages, "mujoco" for that engine.
        x: where the plate is (dof,).
        rotors: where the rotors of an elastic drive train are.
    """
    if engine == "mujoco":
        from parapick.simulation.mujoco_plant import MujocoPlant

        return MujocoPlant(assembly, x, rotors)
    # The plant's own state, and one entry of a controller's behind it.
    first = initial_state(assembly.loop, x, assembly.series.xd[0], sum(state_sizes(assembly.loop).values()) + 1, rotors)
    return CompiledPlant(assembly.loop, assembly.parameters, assembly.substeps, first)


def engine_for(assembly: Assembled, engine: str) -> str:
    """The engine that runs a loop: one whose law is a Python function cannot be compiled.

    Args:
        engine: the engine that is asked for, one of `ENGINES`.

    Raises:
        ParameterError: there is no such engine.
    """
    if engine not in ENGINES:
        raise ParameterError("engine", f"is {engine!r}; valid are {', '.join(ENGINES)}")
    return "python" if assembly.called is not None and engine == "native" else engine
