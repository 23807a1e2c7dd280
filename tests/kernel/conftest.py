"""What the kernel tests share: the targets a computation is tried on, and an example with everything in it."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.kernel import Kernel, Trace
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import Target, host_target
from parapick.kernel.trace.expressions import trace_of

Array = NDArray[np.float64]


@pytest.fixture(autouse=True)
def own_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's choices out of the tests."""
    for name in ("PARAPICK_CPU", "PARAPICK_VECTOR_MATH", "PARAPICK_THREADS"):
        monkeypatch.delenv(name, raising=False)


def _targets() -> dict[str, dict[str, Any]]:
    targets: dict[str, dict[str, Any]] = {
        "one row": {"width": 1},
        "four rows": {"width": 4},
        "eight rows": {"width": 8},
        "four rows, scalar mathematics": {"width": 4, "vector_math": "scalar"},
    }
    if platform.machine() in ("x86_64", "AMD64"):
        targets["four rows, AVX2 masked"] = {"cpu": "x86-64"}
        targets["four rows, AVX2 masked, scalar mathematics"] = {"cpu": "x86-64", "vector_math": "scalar"}
    return targets


@pytest.fixture(params=list(_targets().values()), ids=list(_targets()))
def target(request: pytest.FixtureRequest) -> Target:
    """Each way in which code is made on this machine."""
    return host_target(**request.param)


@pytest.fixture(scope="session")
def example() -> Trace:
    """A trace with column, matrix and scalar outputs, parameters alone and mixed, libm calls and a validity."""
    x, y, p = SX.sym("x", 3), SX.sym("y", 5), SX.sym("p", 4)
    length = casadi.sqrt(p[0] ** 2 + p[1] ** 2)
    outputs = {
        "column": casadi.vertcat(casadi.sin(x[0]) * length, x[1] / length, casadi.atan2(x[2], y[4] + p[2])),
        "matrix": casadi.mtimes(x, y[:2].T) / (1 + p[3] ** 2) + p[0],
        "scalar": casadi.sumsqr(y) / casadi.exp(x[0]) - casadi.cos(p[3]),
        "fixed": casadi.vertcat(length, casadi.tan(p[0]), 7.0),
    }
    return trace_of("example", {"x": x, "y": y}, p, outputs, casadi.vertcat(x[0] + 2.0, p[1] + 5.0))


@pytest.fixture(scope="session")
def formula() -> Callable[[Array, Array, Array], tuple[Array, ...]]:
    """The example written for NumPy, one row at a time and without validity."""

    def row(x: Array, y: Array, p: Array) -> tuple[Array, ...]:
        length = np.sqrt(p[0] ** 2 + p[1] ** 2)
        return (
            np.array([np.sin(x[0]) * length, x[1] / length, np.arctan2(x[2], y[4] + p[2])]),
            np.outer(x, y[:2]) / (1 + p[3] ** 2) + p[0],
            np.array(y @ y / np.exp(x[0]) - np.cos(p[3])),
            np.array([length, np.tan(p[0]), 7.0]),
        )

    return row


@pytest.fixture(scope="session")
def example_kernel(example: Trace) -> Kernel:
    """The example compiled for this machine."""
    return kernel_of(example, host_target())


def rows(count: int, seed: int = 0) -> tuple[Array, Array, Array]:
    """Random valid inputs x, y and parameters of the example, a row each."""
    generator = np.random.default_rng(seed)
    return (
        generator.uniform(-1.5, 1.5, (count, 3)),
        generator.uniform(-1.5, 1.5, (count, 5)),
        generator.uniform(0.5, 1.5, (count, 4)),
    )


@pytest.fixture(scope="session")
def make_rows() -> Callable[..., tuple[Array, Array, Array]]:
    """Random valid inputs of the example: `make_rows(count, seed)`."""
    return rows
