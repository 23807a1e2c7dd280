"""Random expressions against CasADi's own evaluation."""

from __future__ import annotations

from collections.abc import Callable

import casadi
import numpy as np
from casadi import SX
from hypothesis import given, settings, strategies as st

from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import host_target
from parapick.kernel.trace.expressions import trace_of

TOLERANCE = 1e-10
"""Absolute, for numbers of at most a few units: every step below at most doubles an error, and steps share errors."""

# None of these magnifies an error much or jumps where operands are nearly equal; the values stay near 1.
STEPS: dict[str, Callable[[SX, SX, SX], SX]] = {
    "add": lambda a, b, c: 0.5 * (a + b),
    "subtract": lambda a, b, c: 0.5 * (a - b),
    "multiply": lambda a, b, c: casadi.sin(a) * casadi.cos(b),
    "divide": lambda a, b, c: a / (2 + b * b),
    "divide by the same": lambda a, b, c: (a - c) / (1 + b * b) + casadi.tanh(c) / (1 + b * b),
    "invert": lambda a, b, c: 1 / (3 + casadi.sin(a)) + 1 / (3 + casadi.sin(b)),
    "square root": lambda a, b, c: casadi.sqrt(1 + a * a) - 1,
    "smaller": lambda a, b, c: casadi.fmin(a, casadi.fmax(b, c)),
    "angle": lambda a, b, c: casadi.atan2(casadi.sin(a), 2 + casadi.cos(b)),
    "exponential": lambda a, b, c: casadi.exp(-casadi.fabs(a)) - casadi.log(1 + b * b) / 4,
    "power": lambda a, b, c: (1 + a * a) ** 0.3 - 1,
    "hypotenuse": lambda a, b, c: casadi.sqrt(a * a + b * b + 0.1) / 2,
}


@st.composite
def computations(draw: st.DrawFn) -> tuple[SX, SX, SX, SX]:
    """Inputs, parameters, outputs and validity of a random computation."""
    x, p = SX.sym("x", draw(st.integers(1, 6))), SX.sym("p", draw(st.integers(1, 5)))
    leaves = [*casadi.vertsplit(x), *casadi.vertsplit(p), SX(draw(st.floats(-2, 2)))]
    values = list(leaves)
    for _ in range(draw(st.integers(1, 25))):
        a, b, c = (values[draw(st.integers(0, len(values) - 1))] for _ in range(3))
        if draw(st.integers(0, 5)) == 0:
            # A condition on leaves is exact: rounding cannot turn it.
            one, other = (leaves[draw(st.integers(0, len(leaves) - 1))] for _ in range(2))
            values.append(casadi.if_else(casadi.logic_and(one < other, one != 0.5), a, 0.5 * b))
        else:
            values.append(STEPS[draw(st.sampled_from(sorted(STEPS)))](a, b, c))
    last = values[-draw(st.integers(1, 9)) :]
    return x, p, casadi.vertcat(*last), casadi.vertcat(leaves[0] + 0.7)


@given(computations(), st.integers(0, 2**32 - 1), st.sampled_from([1, 4]))
@settings(max_examples=40)
def test_random_computations(computation: tuple[SX, SX, SX, SX], seed: int, width: int) -> None:
    x, p, outputs, validity = computation
    kernel = kernel_of(trace_of("random", {"x": x}, p, {"y": outputs}, validity), host_target(width=width))
    generator = np.random.default_rng(seed)
    poses = generator.uniform(-1, 1, (7, x.numel())).round(generator.integers(0, 17))
    parameters = generator.uniform(-1, 1, (7, p.numel()))
    function = casadi.Function("f", [x, p], [outputs, validity])
    for given_parameters in (parameters, parameters[0]):
        (actual,) = kernel(poses, given_parameters)
        values, check = function(poses.T, np.broadcast_to(given_parameters, parameters.shape).T)
        expected = np.where(np.array(check).T >= 0, np.array(values).T, np.nan).reshape(actual.shape)
        np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)
