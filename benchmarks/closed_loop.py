"""The closed loop that `simulation.py` times, and ours: model expressions joined into one scan.

Each step, computed torque with feedback in task space asks for torques of least norm, cut off at a limit; the plant
follows in RK4 substeps. Computed torque knows the plant's own numbers, so the loop is as stiff as its gains say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

__all__ = ["Case", "case", "closed_loop", "parameters", "plant"]


@final
@dataclass(frozen=True, eq=False)
class Case:
    """A robot on a motion under a law.

    Attributes:
        model: the robot.
        x: reference (T, 3), m; `xd` and `xdd` are its rate and acceleration.
        xd: see `x`.
        xdd: see `x`.
        start: position and velocity (6,) at the first step.
        step: control period (s).
        substeps: RK4 steps a control period.
        stiffness: gain of the position error (1/s2).
        damping: gain of the velocity error (1/s).
        limit: torque at which a motor is cut off (N m).
    """

    model: Any
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    start: np.ndarray
    step: float
    substeps: int
    stiffness: float
    damping: float
    limit: float

    def with_substeps(self, substeps: int) -> Case:
        """The same case, integrated more finely."""
        return replace(self, substeps=substeps)


def case(model: Any, rate: float = 4000.0, duration: float = 0.5) -> Case:
    """Across and back by 0.25 m, lifted by 30 mm, at rest at both ends, from 5 mm beside so that motors saturate."""
    t = np.arange(round(rate * duration)) / rate
    across = _blend(2.0 * t / duration, 2.0 / duration) - _blend(2.0 * t / duration - 1.0, 2.0 / duration)
    origin = np.array([-0.125, 0.05, -0.72])
    way = np.array([0.25, -0.08, 0.03])
    x, xd, xdd = (across[order][:, None] * way for order in range(3))
    start = np.concatenate([origin + np.array([0.005, -0.003, 0.0]), np.zeros(3)])
    return Case(model, origin + x, xd.copy(), xdd.copy(), start, 1.0 / rate, 1, 200.0**2, 400.0, 15.0)


def _blend(s: np.ndarray, rate: float) -> np.ndarray:
    """The quintic from 0 to 1 with its rate and acceleration (3, T), at rest outside."""
    s = np.clip(s, 0.0, 1.0)
    value = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
    slope = 30.0 * s**2 * (1.0 - s) ** 2
    bend = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)
    return np.array([value, slope * rate, bend * rate**2])


def parameters(given: Case) -> np.ndarray:
    """The numbers of a case as the scans take them."""
    law = [given.stiffness, given.damping, given.limit, given.step / given.substeps]
    return np.concatenate([given.model.parameters, given.model.held.vector(), law])


class _Symbols:
    """The robot's expressions with symbols for everything that is a number in a case."""

    def __init__(self, model: Any) -> None:
        import casadi as ca

        from parapick.formulas import inverse_dynamics
        from parapick.formulas.torques import forward_dynamics
        from parapick.parameters import leaves, resolved, symbolic

        count = sum(1 for _ in leaves(model.kernels.structure))
        self.ca, self.dof, self.motors = ca, model.robot.dof, model.robot.motors
        self.parameters = ca.SX.sym("p", count + 9)
        robot = resolved(symbolic(model.kernels.structure, ca.vertsplit(self.parameters)[:count]))
        self.payload = self.parameters[count : count + 5]
        self.stiffness, self.damping, self.limit, self.interval = ca.vertsplit(self.parameters[count + 5 :])
        self._inverse, self._forward = inverse_dynamics(robot), forward_dynamics(robot)

    def torque(self, x: Any, xd: Any, xdd: Any) -> tuple[Any, Any]:
        """Torques and validity."""
        return self._put(self._inverse, ("x", "xd", "xdd", "payload"), (x, xd, xdd, self.payload))

    def slope(self, state: Any, tau: Any) -> Any:
        """Rate of the state under torques."""
        x, xd = state[: self.dof], state[self.dof :]
        names = ("x", "xd", "tau", "payload")
        return self.ca.vertcat(xd, self._put(self._forward, names, (x, xd, tau, self.payload))[0])

    def _put(self, expression: Any, names: Sequence[str], values: Sequence[Any]) -> Any:
        targets = [*expression.outputs.values(), expression.validity]
        return self.ca.substitute(targets, [expression.inputs[name] for name in names], list(values))

    def substep(self, torque: Any) -> Any:
        """One step of RK4 under torques held."""
        from parapick.kernel import Substep

        state, tau, h = self.ca.SX.sym("inner", 2 * self.dof), self.ca.SX.sym("tau", self.motors), self.interval
        k1 = self.slope(state, tau)
        k2 = self.slope(state + h / 2 * k1, tau)
        k3 = self.slope(state + h / 2 * k2, tau)
        k4 = self.slope(state + h * k3, tau)
        return Substep(state, tau, state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), values=torque)


def closed_loop(model: Any) -> Any:
    """The scan of the closed loop: `scan(start, x, xd, xdd, parameters, substeps=...)`."""
    from parapick.kernel import build_scan

    symbols = _Symbols(model)
    ca, dof = symbols.ca, symbols.dof
    state, inputs = ca.SX.sym("state", 2 * dof), {name: ca.SX.sym(name, dof) for name in ("x", "xd", "xdd")}
    x, xd = state[:dof], state[dof:]
    feedback = symbols.damping * (inputs["xd"] - xd) + symbols.stiffness * (inputs["x"] - x)
    torque, validity = symbols.torque(x, xd, inputs["xdd"] + feedback)
    applied = ca.fmin(ca.fmax(torque, -symbols.limit), symbols.limit)
    return build_scan(
        "closed_loop",
        state,
        inputs,
        symbols.parameters,
        state,
        {"x": x, "tau": applied},
        substep=symbols.substep(applied),
        validity=validity,
    )


def plant(model: Any) -> Any:
    """The scan of the plant alone under given torques: `scan(start, tau, parameters, substeps=...)`."""
    from parapick.kernel import build_scan

    symbols = _Symbols(model)
    state, tau = symbols.ca.SX.sym("state", 2 * symbols.dof), symbols.ca.SX.sym("tau", symbols.motors)
    outputs = {"x": state[: symbols.dof]}
    inner = symbols.substep(tau)
    return build_scan("plant", state, {"tau": tau}, symbols.parameters, state, outputs, substep=inner)
