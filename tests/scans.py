"""An example scan for the tests, with everything in it, and the same written as a Python loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import casadi
import numpy as np
from casadi import SX
from numpy.typing import NDArray

from parapick.kernel import Scan, Substep, build_scan
from parapick.kernel.llvm.target import Target

Array = NDArray[np.float64]

STEP = 0.01
"""Length of a substep of the example (s)."""


class Recorded(NamedTuple):
    """What the loop in Python gives."""

    error: Array
    square: Array
    effort: Array
    state: Array


def expressions() -> dict[str, Any]:
    """A driven pendulum under a clipped spring and damper: arguments of `build_scan`."""
    state, wish, push, p = SX.sym("state", 3), SX.sym("wish", 2), SX.sym("push", 1), SX.sym("p", 4)
    limit = casadi.sqrt(p[0] ** 2 + p[1] ** 2)
    effort = p[2] * (wish[0] - state[0]) + casadi.exp(-p[3]) * (wish[1] - state[1])
    clipped = casadi.fmin(casadi.fmax(effort, -limit), limit)
    inner, held = SX.sym("inner", 3), SX.sym("held", 2)
    swing = casadi.cos(held[1]) * held[0] - casadi.sin(p[3]) * casadi.sin(inner[0])
    after = casadi.vertcat(inner[0] + STEP * inner[1], inner[1] + STEP * swing / p[1], inner[2])
    return {
        "state": state,
        "inputs": {"wish": wish, "push": push},
        "parameters": p,
        "next_state": casadi.vertcat(state[0], state[1], state[2] + clipped**2),
        "outputs": {
            "error": wish - state[:2],
            "square": casadi.mtimes(state[:2], wish.T) / limit,
            "effort": clipped,
        },
        "substep": Substep(inner, held, after, values=casadi.vertcat(clipped + push, push * state[1])),
        "validity": casadi.vertcat(3.0 - casadi.fabs(state[0]), p[2]),
    }


def example(**changes: Any) -> Scan:
    """The example as a scan, with some arguments of `build_scan` changed."""
    return build_scan("pendulum", **{**expressions(), **changes})


def on_target(scan: Scan, target: Target) -> Scan:
    """The same scan for another target: its width for the lanes, one row at a time for the record."""
    single = replace(target, width=1, isa="", functions=frozenset())
    return replace(scan, single=single, lanes=target)


def in_python(state: Array, wish: Array, push: Array, p: Array, substeps: int) -> Recorded:
    """The example as a loop over NumPy numbers, without validity."""
    limit = np.hypot(p[0], p[1])
    errors, squares, efforts = [], [], []
    a, b, c = state
    for (angle, rate), (force,) in zip(wish, push, strict=True):
        effort = np.clip(p[2] * (angle - a) + np.exp(-p[3]) * (rate - b), -limit, limit)
        errors.append([angle - a, rate - b])
        squares.append([[a * angle, a * rate], [b * angle, b * rate]])
        efforts.append(effort)
        drive, lean = effort + force, force * b
        c = c + effort**2
        for _ in range(substeps):
            a, b = a + STEP * b, b + STEP * (np.cos(lean) * drive - np.sin(p[3]) * np.sin(a)) / p[1]
    return Recorded(
        np.array(errors).reshape(-1, 2),
        np.array(squares).reshape(-1, 2, 2) / limit,
        np.array(efforts),
        np.array([a, b, c]),
    )


def arrays(rows: tuple[int, ...] = (), steps: int = 40, seed: int = 0) -> tuple[Array, Array, Array, Array]:
    """First states, both series and parameters with leading dimensions `rows`; all of them valid throughout."""
    generator = np.random.default_rng(seed)
    return (
        generator.uniform(-0.5, 0.5, (*rows, 3)),
        generator.uniform(-1.0, 1.0, (*rows, steps, 2)),
        generator.uniform(-0.2, 0.2, (*rows, steps, 1)),
        generator.uniform(0.5, 1.5, (*rows, 4)),
    )
