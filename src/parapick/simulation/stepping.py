"""The same loop in Python, for what has no expression: a law that is a callable, a plant that is another engine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, final

import casadi as ca
import numpy as np

from parapick.arrays import reals
from parapick.control import CallableLaw, Measured, Reference
from parapick.control.inline import inlined
from parapick.errors import ParameterError, ShapeError
from parapick.kernel import Kernel, build
from parapick.simulation.control_step import control_step
from parapick.simulation.description import Loop
from parapick.simulation.fused import outputs_of, symbols_of
from parapick.simulation.plant import STAGES, plant_stage
from parapick.simulation.series import LoopSeries, faulty


@final
@dataclass(frozen=True)
class Thought:
    """What a controller answers at a sample.

    Attributes:
        applied: torques the drives are asked for, limit and delay included (n), N m.
        recorded: what is recorded of it, by name.
    """

    applied: np.ndarray
    recorded: dict[str, np.ndarray]


class Brain(Protocol):
    """A controller that is asked sample by sample."""

    def think(self, t: float, measured: Measured, reference: Reference) -> Thought:
        """Torques for a sample.

        Args:
            t: time (s).
            measured: what is measured.
            reference: what is wanted.
        """
        ...


class Plant(Protocol):
    """A plant that is moved sample by sample."""

    def look(self) -> dict[str, np.ndarray]:
        """What is seen of it now: x, xd, q, qd, q_meas, friction, closes."""
        ...

    def settle(self, torque: np.ndarray) -> None:
        """Let lagging drives give a torque already, before the first sample.

        Args:
            torque: torques (n), N m.
        """
        ...

    def move(self, command: np.ndarray, payload: np.ndarray, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Move for a control period; the answer is the torque at the arm axes at its start (n), N m.

        Args:
            command: torques the drives are asked for (n), N m.
            payload: what the tool holds (5), and behind it the mass that swings, where one can.
            force: force on the plate (dof), or empty.
            torque: disturbing torques at the joints (n), or empty.
        """
        ...


@final
class KernelBrain:
    """A law of ours, compiled on its own."""

    def __init__(self, loop: Loop, parameters: np.ndarray) -> None:
        symbols = symbols_of(loop)
        control = control_step(symbols.loop)
        sample, measured, reference = control.sample, control.sample.measured, control.sample.reference
        outputs = {"next": control.next, "applied": control.applied, **outputs_of(control)}
        self._names = [*outputs]
        values = inlined([*outputs.values()], [sample.step], [symbols.period])
        self._kernel: Kernel = build(
            "control",
            inputs={
                "state": control.state,
                "q": measured.q,
                "qd": measured.qd,
                "x": measured.x,
                "xd": measured.xd,
                "reference": ca.vertcat(reference.x, reference.xd, reference.xdd),
                "payload": reference.payload,
                **({"learned": reference.learned} if loop.learns else {}),
            },
            parameters=symbols.parameters,
            outputs=dict(zip(self._names, values, strict=True)),
            validity=ca.SX.ones(1),
        )
        self._state = np.zeros(control.state.shape[0])
        self._state[0] = 1.0
        self._parameters = parameters

    def think(self, t: float, measured: Measured, reference: Reference) -> Thought:
        """Torques for a sample."""
        wanted = np.concatenate([reference.x, reference.xd, reference.xdd])
        sensed = (measured.q, measured.qd, measured.x, measured.xd)
        learned = () if reference.learned is None else (reference.learned,)
        values = self._kernel(self._state, *sensed, wanted, reference.payload, *learned, self._parameters)
        outputs = dict(zip(self._names, values, strict=True))
        # A law that remembers nothing has a state of one number, which kernels give as a scalar.
        self._state = np.atleast_1d(outputs.pop("next"))
        return Thought(outputs.pop("applied"), outputs)


@final
@dataclass
class CallableBrain:
    """A law that is a Python function, with the limit and the delay of the drives.

    Attributes:
        law: the function.
        torque_max: torque limits (n), N m.
        delay: whole samples of delay.
    """

    law: CallableLaw
    torque_max: np.ndarray
    delay: int
    _queue: deque[np.ndarray] = field(default_factory=deque)
    _started: bool = False

    def think(self, t: float, measured: Measured, reference: Reference) -> Thought:
        """Torques for a sample."""
        command = reals("the torque of the law", self.law(t, measured, reference))
        if command.shape != self.torque_max.shape:
            raise ShapeError(f"the law's torque at {t:g} s", command.shape, f"({len(self.torque_max)},)")
        limited = np.clip(command, -self.torque_max, self.torque_max)
        if not self._started:
            self._queue.extend([limited] * self.delay)
            self._started = True
        self._queue.append(limited)
        return Thought(self._queue.popleft(), {"command": command})


@final
class KernelPlant:
    """Our own plant, compiled on its own and stepped from Python."""

    def __init__(self, loop: Loop, parameters: np.ndarray, substeps: int, start: np.ndarray) -> None:
        """A plant of a loop.

        Args:
            loop: the loop.
            parameters: its numbers, control period and substep.
            substeps: integration steps per control period.
            start: state before the first sample, what lies behind the plant's left out.
        """
        symbols = symbols_of(loop)
        plant = plant_stage(symbols.loop)
        state, load = plant.state.column, plant.load.column
        (after,) = inlined([plant.next.column], [plant.load.step], [symbols.substep])
        given = {"state": state, "load": load[:-1]}
        valid = ca.SX.ones(1)
        self._advance = build("plant_stage", given, symbols.parameters, {"next": after}, valid)
        self._look = build("plant_seen", {"state": state}, symbols.parameters, plant.seen, valid)
        self._names = [*plant.seen]
        self._state = np.array(start[: state.shape[0]])
        self._lag = plant.lag_rows
        self._parameters, self._stages = parameters, STAGES * substeps

    def look(self) -> dict[str, np.ndarray]:
        """What is seen of it now."""
        return dict(zip(self._names, self._look(self._state, self._parameters), strict=True))

    def settle(self, torque: np.ndarray) -> None:
        """Let lagging drives give a torque already."""
        if self._lag:
            self._state[self._lag] = torque

    def move(self, command: np.ndarray, payload: np.ndarray, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Move for a control period."""
        load = np.concatenate([command, payload, force, torque])
        acting = self._state[self._lag] if self._lag else command
        for _ in range(self._stages):
            (self._state,) = self._advance(self._state, load, self._parameters)
        return acting


Ending = Callable[[int, dict[str, np.ndarray], dict[str, np.ndarray] | None], bool]
"""Whether a run ends before a sample: its number, what is seen at it, and what was recorded at the one before."""


def stepped(
    brain: Brain, plant: Plant, series: LoopSeries, ending: Ending | None = None, *, begun: bool = False
) -> dict[str, np.ndarray]:
    """Run a loop sample by sample; it ends early once something seen is not finite or a leg does not close.

    Args:
        brain: the controller.
        plant: the plant.
        series: references, payloads and disturbances.
        ending: says before which sample the run ends; None: it runs to its end.
        begun: whether controller and plant have been run before, so that this run goes on where their last one ended.

    Returns:
        What was recorded, by name; arrays with one row a sample.
    """
    rows: list[dict[str, np.ndarray]] = []
    for k, t in enumerate(series.t):
        seen = _seen(plant, series, k)
        if not (np.isfinite(np.concatenate([*seen.values()])).all() and (seen["closes"] >= 0).all()):
            rows.append(seen)
            break
        if ending is not None and ending(k, seen, rows[-1] if rows else None):
            break
        measured = Measured(seen["q_meas"], seen.get("qd_motor", seen["qd"]), seen["x"], seen["xd"])
        learned = None if series.learned is None else series.learned[k]
        reference = Reference(series.x[k], series.xd[k], series.xdd[k], series.payload_ref[k], learned)
        thought = brain.think(float(t), measured, reference)
        if not np.isfinite(thought.applied).all():
            if k == 0:
                raise ParameterError("law", "its torque is not finite at the first sample")
            rows.append({**seen, **thought.recorded})
            break
        rows.append({**seen, **thought.recorded, "torque": _moved(plant, series, k, thought.applied, begun)})
    return {name: _filled(rows, name) for name in rows[0]} if rows else {}


def _seen(plant: Plant, series: LoopSeries, k: int) -> dict[str, np.ndarray]:
    """What is seen of a plant at a sample, through encoders that may be broken."""
    seen = plant.look()
    if series.faults is not None:
        seen["q_meas"] = faulty(seen["q_meas"], series.faults[k], "encoder")
    return seen


def _moved(plant: Plant, series: LoopSeries, k: int, applied: np.ndarray, begun: bool) -> np.ndarray:
    """Torque at the arm axes while the plant is moved for a control period."""
    nothing = np.zeros(0)
    if series.faults is not None:
        applied = faulty(applied, series.faults[k], "drive")
    if k == 0 and not begun:
        plant.settle(applied)
    force = nothing if series.force is None else series.force[k]
    torque = nothing if series.torque is None else series.torque[k]
    held = nothing if series.swinging is None else series.swinging[k]
    return np.array(plant.move(applied, np.concatenate([series.payload[k], held]), force, torque))


def _filled(rows: list[dict[str, Any]], name: str) -> np.ndarray:
    """A column of the record; rows that lack it are NaN."""
    blank = np.full_like(np.asarray(rows[0][name], dtype=float), np.nan)
    return np.array([row.get(name, blank) for row in rows])
