"""Controllers that are stepped from Python: a law compiled on its own, or a law that is a Python function."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Protocol, final

import casadi as ca
import numpy as np

from parapick.arrays import reals
from parapick.control import CallableLaw, Measured, Reference
from parapick.errors import ShapeError
from parapick.formulas import inlined
from parapick.kernel import Kernel, build
from parapick.simulation.control_step import control_step
from parapick.simulation.loop import Loop
from parapick.simulation.native_loop import loop_symbols, outputs_of


@final
@dataclass(frozen=True)
class ControlOutput:
    """What a controller answers at a sample.

    Attributes:
        applied: torques the drives are asked for, limit and delay included (n), N m.
        recorded: what is recorded of it, by name.
    """

    applied: np.ndarray
    recorded: dict[str, np.ndarray]


class SampledController(Protocol):
    """A controller that is asked sample by sample."""

    def step(self, t: float, measured: Measured, reference: Reference) -> ControlOutput:
        """Torques for a sample.

        Args:
            t: time (s).
            measured: what is measured.
            reference: what is wanted.
        """
        ...


@final
class CompiledController:
    """A law of ours, compiled on its own."""

    def __init__(self, loop: Loop, parameters: np.ndarray) -> None:
        symbols = loop_symbols(loop)
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

    def step(self, t: float, measured: Measured, reference: Reference) -> ControlOutput:
        """Torques for a sample.

        Args:
            t: time (s), of no use to laws of ours.
            measured: what is measured.
            reference: what is wanted.
        """
        wanted = np.concatenate([reference.x, reference.xd, reference.xdd])
        sensed = (measured.q, measured.qd, measured.x, measured.xd)
        learned = () if reference.learned is None else (reference.learned,)
        values = self._kernel(self._state, *sensed, wanted, reference.payload, *learned, self._parameters)
        outputs = dict(zip(self._names, values, strict=True))
        # A law that remembers nothing has a state of one number, which kernels give as a scalar.
        self._state = np.atleast_1d(outputs.pop("next"))
        return ControlOutput(outputs.pop("applied"), outputs)


@final
@dataclass
class CallableController:
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

    def step(self, t: float, measured: Measured, reference: Reference) -> ControlOutput:
        """Torques for a sample."""
        command = reals("the torque of the law", self.law(t, measured, reference))
        if command.shape != self.torque_max.shape:
            raise ShapeError(f"the law's torque at {t:g} s", command.shape, f"({len(self.torque_max)},)")
        limited = np.clip(command, -self.torque_max, self.torque_max)
        if not self._started:
            self._queue.extend([limited] * self.delay)
            self._started = True
        self._queue.append(limited)
        return ControlOutput(self._queue.popleft(), {"command": command})
