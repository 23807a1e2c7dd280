"""Plants that are stepped from Python: what every engine must offer, and our own plant compiled on its own."""

from __future__ import annotations

from typing import Protocol, final

import casadi as ca
import numpy as np

from parapick.formulas import inlined
from parapick.kernel import build
from parapick.simulation.loop import Loop
from parapick.simulation.native_loop import loop_symbols
from parapick.simulation.plant import STAGES, plant_stage


class Plant(Protocol):
    """A plant that is moved sample by sample."""

    def observe(self) -> dict[str, np.ndarray]:
        """What is seen of it now: x, xd, q, qd, q_meas, friction, closes."""
        ...

    def settle(self, torque: np.ndarray) -> None:
        """Let lagging drives give a torque already, before the first sample.

        Args:
            torque: torques (n), N m.
        """
        ...

    def advance(self, command: np.ndarray, payload: np.ndarray, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Move for a control period; the answer is the torque at the arm axes at its start (n), N m.

        Args:
            command: torques the drives are asked for (n), N m.
            payload: what the tool holds (5), and behind it the mass that swings, where one can.
            force: force on the plate (dof), or empty.
            torque: disturbing torques at the joints (n), or empty.
        """
        ...


@final
class CompiledPlant:
    """Our own plant, compiled on its own and stepped from Python."""

    def __init__(self, loop: Loop, parameters: np.ndarray, substeps: int, start: np.ndarray) -> None:
        """A plant of a loop.

        Args:
            parameters: its numbers, control period and substep.
            substeps: integration steps per control period.
            start: state before the first sample, what lies behind the plant's left out.
        """
        symbols = loop_symbols(loop)
        plant = plant_stage(symbols.loop)
        state, load = plant.state.column, plant.load.column
        (after,) = inlined([plant.next.column], [plant.load.step], [symbols.substep])
        inputs = {"state": state, "load": load[:-1]}
        valid = ca.SX.ones(1)
        self._advance = build("plant_stage", inputs, symbols.parameters, {"next": after}, valid)
        self._observe = build("plant_seen", {"state": state}, symbols.parameters, plant.seen, valid)
        self._names = [*plant.seen]
        self._state = np.array(start[: state.shape[0]])
        self._lag = plant.lag_rows
        self._parameters, self._stages = parameters, STAGES * substeps

    def observe(self) -> dict[str, np.ndarray]:
        """What is seen of it now."""
        return dict(zip(self._names, self._observe(self._state, self._parameters), strict=True))

    def settle(self, torque: np.ndarray) -> None:
        """Let lagging drives give a torque already."""
        if self._lag:
            self._state[self._lag] = torque

    def advance(self, command: np.ndarray, payload: np.ndarray, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Move for a control period."""
        load = np.concatenate([command, payload, force, torque])
        acting = self._state[self._lag] if self._lag else command
        for _ in range(self._stages):
            (self._state,) = self._advance(self._state, load, self._parameters)
        return acting
