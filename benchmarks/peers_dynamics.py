"""Inverse dynamics of a closed-loop robot by a general multibody engine, and the time spent inside its library.

Engines have trees of bodies; loops are constraints beside them. With the rows `R` of loops and task, the way from a
task vector to torques is the same for all:

    close the loops:  R dq = -residual, again until closed, from the robot's home
    velocities:       R S = (0, 1),  v = S xd
    accelerations:    R a = (0, xdd) - (dR/dt) v
    forces:           f = inverse dynamics of the tree;  J_m' tau = S' f,  J_m the rows of S at the motors

Everything a library can do is done by it, linear systems included, and every call of it is noted. The calls are then
repeated one after the other and timed, less the same calls for the smallest loop there is, which is what a call from
Python costs: what is left is what a program in C or C++ would spend inside the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, final

import numpy as np

from racing import race

__all__ = ["SMALLEST_LOOP", "Cost", "Log", "Peer", "cost_of", "torques"]

# Largest residual (m, rad) of closed loops: far below what torques compared to 1e-6 could show.
CLOSED = 1e-10
STEPS_MAX = 30
ROUNDS = 15

SMALLEST_LOOP = """
<mujoco>
  <worldbody>
    <body name="first">
      <joint name="motor" type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <site name="first"/>
    </body>
    <body name="second">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <site name="second"/>
      <site name="tool"/>
    </body>
  </worldbody>
  <equality><connect site1="first" site2="second"/></equality>
  <actuator><motor joint="motor"/></actuator>
</mujoco>
"""
"""MJCF of two bodies on rails, pinned together, one of them driven."""


Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A library function and its arguments."""


@final
@dataclass
class Log:
    """Library calls in their order, by what they were made for.

    Attributes:
        stage: what the calls are for at present, "closing" or "pose".
        calls: calls by stage.
    """

    stage: str = "closing"
    calls: dict[str, list[Call]] = field(default_factory=lambda: {"closing": [], "pose": []})

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a library function and note it."""
        self.calls[self.stage].append((function, arguments))
        return function(*arguments)


class Peer(Protocol):
    """A robot in an engine; every library call goes through `log`."""

    log: Log

    @property
    def home(self) -> np.ndarray:
        """Coordinates at the robot's home, loops closed."""
        ...

    @property
    def motors(self) -> np.ndarray:
        """Places of the motor joints in the velocity vector."""
        ...

    @property
    def constraints(self) -> int:
        """Number of loop rows."""
        ...

    def place(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows of loops and task (m, nv), what the loops are open by, and the task vector, at coordinates q."""
        ...

    def factor(self, rows: np.ndarray) -> None:
        """Prepare to solve `rows y = right` in the least-squares sense."""
        ...

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Solution of the prepared system."""
        ...

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates after a step (nv,)."""
        ...

    def rates(self, q: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """Rate of the rows times velocity (m,)."""
        ...

    def forces(self, q: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        """Inverse dynamics of the tree (nv,)."""
        ...


def torques(peer: Peer, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> tuple[np.ndarray, int]:
    """Torques (n,) of one state, of least norm where there are many, and the Newton steps that closed the loops."""
    peer.log.stage = "closing"
    q, steps = peer.home, 0
    rows, residual = _residual(peer, q, x)
    while np.max(np.abs(residual)) > CLOSED:
        if steps == STEPS_MAX:
            raise ArithmeticError(f"the loops do not close at {x}")
        peer.factor(rows)
        q, steps = peer.moved(q, -peer.solve(residual)), steps + 1
        rows, residual = _residual(peer, q, x)
    peer.log.stage = "pose"
    rows, _, _ = peer.place(q)
    peer.factor(rows)
    count, dof = len(rows), len(x)
    motions = np.column_stack([peer.solve(unit) for unit in np.eye(count)[count - dof :]])
    velocity = motions @ xd
    right = -peer.rates(q, velocity)
    right[count - dof :] += xdd
    forces = peer.forces(q, velocity, peer.solve(right))
    jacobian = motions[peer.motors]
    return np.linalg.lstsq(jacobian.T, motions.T @ forces, rcond=None)[0], steps


def _residual(peer: Peer, q: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, open_by, here = peer.place(q)
    return rows, np.concatenate([open_by, here - x])


@final
@dataclass(frozen=True)
class Cost:
    """What one state costs in an engine, seconds.

    Attributes:
        freedoms: joint coordinates of the tree.
        constraints: loop rows.
        steps: Newton steps that close the loops, on average.
        closing: inside the library until the loops are closed.
        pose: inside the library from closed loops to torques.
        algebra: the part of both that solves linear systems.
        whole: the whole way in Python.
        torque: torques found (states, n).
    """

    freedoms: int
    constraints: int
    steps: float
    closing: float
    pose: float
    algebra: float
    whole: float
    torque: np.ndarray

    @property
    def library(self) -> float:
        """Inside the library from the task vector to the torques."""
        return self.closing + self.pose


def cost_of(peer: Peer, smallest: Peer, states: Sequence[np.ndarray], algebra: frozenset[str]) -> Cost:
    """Measure an engine on states (x, xd, xdd), each (count, dof).

    Args:
        peer: the robot in the engine.
        smallest: the smallest loop in the same engine, by which the cost of a call from Python is found.
        states: task vectors, rates, accelerations.
        algebra: names of functions that solve linear systems.
    """

    def whole() -> list[tuple[np.ndarray, int]]:
        peer.log = Log()
        return [torques(peer, *state) for state in zip(*states, strict=True)]

    answers = whole()
    calls, count = peer.log.calls, len(answers)
    every = [*calls["closing"], *calls["pose"]]
    solving = [call for call in every if call[0].__name__ in algebra]
    likeness = _likeness(smallest)
    contenders: dict[str, Callable[[], object]] = {"whole": whole}
    for name, some in (("closing", calls["closing"]), ("pose", calls["pose"]), ("algebra", solving)):
        contenders[name] = partial(_repeat, some)
        contenders[f"{name}, smallest"] = partial(_repeat, [likeness[function.__name__] for function, _ in some])
    outcome = race(contenders, ROUNDS)

    def inside(name: str) -> float:
        return max(0.0, outcome.best(name) - outcome.best(f"{name}, smallest")) / count

    return Cost(
        freedoms=peer.place(peer.home)[0].shape[1],
        constraints=peer.constraints,
        steps=float(np.mean([steps for _, steps in answers])),
        closing=inside("closing"),
        pose=inside("pose"),
        algebra=inside("algebra"),
        whole=outcome.best("whole") / count,
        torque=np.array([tau for tau, _ in answers]),
    )


def _likeness(smallest: Peer) -> dict[str, Call]:
    """By name, a call of every function for the smallest loop."""
    smallest.log = Log()
    torques(smallest, *np.eye(3)[0] * [[0.1], [1.0], [1.0]])
    return {call[0].__name__: call for calls in smallest.log.calls.values() for call in calls}


def _repeat(calls: Sequence[Call]) -> None:
    """Make calls again, one after the other.

    A call does not depend on when it is made: repeated at the pose that was last, it takes what it took.
    """
    for function, arguments in calls:
        function(*arguments)
