"""An independent solver of the fastest timing: the whole motion as one nonlinear programme in time, by IPOPT.

It shares nothing with parapick's timing but the robot: the path is a curve of its own parameter and not of its length,
derivatives are CasADi's, torques of redundant robots are unknowns, and time is the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca
import numpy as np

import parapick as pp
from parapick.formulas.kinematics import inverse_jacobian
from parapick.formulas.torques import inverse_dynamics
from parapick.parameters import resolved

Curve = Callable[[Any], Any]
"""A point (dof x 1) of a parameter from 0 to 1, as an expression."""


class _Unknowns:
    """Unknowns and conditions as they are added."""

    def __init__(self) -> None:
        self.symbols: list[Any] = []
        self.bounds: list[np.ndarray] = []
        self.conditions: list[Any] = []
        self.limits: list[np.ndarray] = []

    def add(self, count: int, low: float, high: float, guess: Any) -> Any:
        symbol = ca.MX.sym(f"v{len(self.symbols)}", count)
        self.symbols.append(symbol)
        self.bounds.append(np.array([np.full(count, low), np.full(count, high), np.broadcast_to(guess, count)]))
        return symbol

    def require(self, value: Any, low: float = 0.0, high: float = 0.0) -> None:
        column = ca.vec(value)
        self.conditions.append(column)
        self.limits.append(np.array([np.full(column.numel(), low), np.full(column.numel(), high)]))


def fastest_duration(
    model: pp.Model, curves: Sequence[Curve], torque: float, viscous: float = 0.0, intervals: int = 30
) -> float:
    """Shortest time (s) from rest to rest along curves one after the other.

    Args:
        model: the robot.
        curves: the pieces of the path; directions are continuous where they meet.
        torque: limit of every motor (N m).
        viscous: viscous friction of every joint (N m s/rad).
        intervals: intervals of constant acceleration a curve; torques hold at their middles.
    """
    problem, total, speed = _Unknowns(), 0.0, None
    for i, curve in enumerate(curves):
        ends = i == 0, i == len(curves) - 1
        time, first, last = _piece(problem, model, curve, torque, viscous, intervals, ends)
        problem.require(first if speed is None else first - speed)
        total, speed = total + time, last
    problem.require(speed)
    solver = ca.nlpsol(
        "fastest",
        "ipopt",
        {"x": ca.vertcat(*problem.symbols), "f": 10 * total, "g": ca.vertcat(*problem.conditions)},
        {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "ipopt.tol": 1e-7},
    )
    low, high, guess = np.concatenate(problem.bounds, axis=1)
    least, most = np.concatenate(problem.limits, axis=1)
    answer = solver(x0=guess, lbx=low, ubx=high, lbg=least, ubg=most)
    assert solver.stats()["success"], solver.stats()["return_status"]
    return float(answer["f"]) / 10


def _piece(
    problem: _Unknowns, model: pp.Model, curve: Curve, torque: float, viscous: float, n: int, ends: tuple[bool, bool]
) -> tuple[Any, Any, Any]:
    """One curve: its time, and the speeds at both of its ends."""
    condition, speed = _functions(model, curve, torque, viscous)
    tau = np.linspace(0.0, 1.0, n + 1)
    guesses = {(True, True): tau**2 * (3 - 2 * tau), (True, False): tau**2, (False, True): 1 - (1 - tau) ** 2}
    place = guesses.get(ends, tau)
    rate = np.gradient(place, tau)
    time = problem.add(1, 1e-3, 1.0, 0.03)
    r, w = problem.add(n + 1, 0.0, 1.0, place), problem.add(n + 1, 0.0, 20.0, rate)
    a, dt = problem.add(n, -100.0, 100.0, np.diff(rate) * n), 1 / n
    problem.require(r[1:] - r[:-1] - dt * w[:-1] - dt * dt / 2 * a)
    problem.require(w[1:] - w[:-1] - dt * a)
    problem.require(ca.vertcat(r[0], r[-1] - 1))
    middle, pace = r[:-1] + dt / 2 * w[:-1] + dt * dt / 8 * a, (w[:-1] + w[1:]) / 2
    motors = model.robot.motors
    shares = ca.MX.zeros(motors, n)
    if model.robot.redundant:
        shares = ca.reshape(problem.add(motors * n, -1.0, 1.0, 0.0), motors, n)
    found = condition.map(n)(middle.T, pace.T, a.T, ca.repmat(time, 1, n), shares)
    slack = 0.0 if model.robot.redundant else 1.0
    problem.require(found, -slack, slack)
    return time, speed(r[0], w[0], time), speed(r[-1], w[-1], time)


def _functions(model: pp.Model, curve: Curve, torque: float, viscous: float) -> tuple[Any, Any]:
    """Shares of the torques (redundant: what the shares leave open of the task force), and the speed."""
    robot = resolved(model.robot)
    dynamics, kinematics = inverse_dynamics(robot), inverse_jacobian(robot)
    needed = ca.Function("needed", list(dynamics.inputs.values()), [dynamics.outputs["tau"]])
    jacobian = ca.Function("jacobian", list(kinematics.inputs.values()), [kinematics.outputs["J"]])
    r, w, a, time = (ca.SX.sym(name) for name in ("r", "w", "a", "T"))
    shares = ca.SX.sym("shares", robot.motors)
    x = curve(r)
    d1 = ca.jacobian(x, r)
    xd, xdd = d1 * w / time, (ca.jacobian(d1, r) * w * w + d1 * a) / time**2
    J = jacobian(x)
    tau = (needed(x, xd, xdd, ca.DM(model.held.vector())) + viscous * ca.mtimes(J, xd)) / torque
    condition = ca.mtimes(J.T, shares - tau) if robot.redundant else tau
    speed = ca.norm_2(ca.densify(d1)[:3]) * w / time
    return ca.Function("condition", [r, w, a, time, shares], [condition]), ca.Function("speed", [r, w, time], [speed])
