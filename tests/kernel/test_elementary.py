"""Sine, cosine, arctangent and exponential written out: a few units in the last place from extended precision."""

from __future__ import annotations

import re
from collections.abc import Callable

import casadi
import numpy as np
import pytest
from casadi import SX

from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.batch_loop import batch_module
from parapick.kernel.llvm.elementary import definition
from parapick.kernel.llvm.target import FUSED, PLAIN, Target, host_target
from parapick.kernel.llvm.types import Types
from parapick.kernel.trace.expressions import trace_of

UNITS = 2.5
"""Units in the last place; the polynomials are good to 0.1, the rest is four roundings."""

WIDTHS = pytest.mark.parametrize("width", [1, 4])


def compiled(function: Callable[..., SX], arity: int, width: int) -> Callable[..., np.ndarray]:
    target: Target = host_target(width=width)
    x = SX.sym("x", arity)
    trace = trace_of("elementary", {"x": x}, None, {"y": function(*casadi.vertsplit(x))}, None)
    kernel = kernel_of(trace, target)
    return lambda *operands: kernel(np.stack(np.broadcast_arrays(*operands), axis=-1))[0]


def units(got: np.ndarray, exact: np.ndarray) -> float:
    """Largest difference in units in the last place of the exact value."""
    return float(np.max(np.abs(got.astype(np.longdouble) - exact) / np.spacing(np.abs(exact).astype(float))))


@WIDTHS
@pytest.mark.parametrize(("function", "exact"), [(casadi.sin, np.sin), (casadi.cos, np.cos)])
def test_sine_and_cosine(function: Callable[..., SX], exact: Callable[..., np.ndarray], width: int) -> None:
    rng = np.random.default_rng(0)
    ours = compiled(function, 1, width)
    for size in (1e-300, 1e-8, 0.8, 3.0, 100.0, 9.9e4, 1e6, 1e17):
        x = rng.uniform(-size, size, 4001)
        assert units(ours(x), exact(x.astype(np.longdouble))) <= UNITS, size
    # Near multiples of pi/2 one of them is small, and its digits come from the second step of the reduction.
    multiples = np.arange(-60_000, 60_000, 37) * (np.pi / 2)
    error = np.abs(ours(multiples) - exact(multiples.astype(np.longdouble)))
    assert np.max(error) < 2.3e-16


@WIDTHS
def test_arctangent(width: int) -> None:
    rng = np.random.default_rng(1)
    ours = compiled(casadi.atan2, 2, width)
    for size in (1e-305, 1e-8, 1.0, 1e8, 1e300):
        y, x = rng.normal(size=(2, 8001)) * size
        assert units(ours(y, x), np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))) <= UNITS, size
    y, x = rng.normal(size=4000), rng.normal(size=4000) * 10 ** rng.uniform(-200, 200, 4000)
    assert units(ours(y, x), np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))) <= UNITS
    turn = np.linspace(-np.pi, np.pi, 100_001)
    assert np.max(np.abs(ours(np.sin(turn), np.cos(turn)) - np.arctan2(np.sin(turn), np.cos(turn)))) < 5e-16


@WIDTHS
def test_odd_arguments_are_those_of_c(width: int) -> None:
    odd = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1.7e308, 1e-308])
    y, x = (axis.ravel() for axis in np.meshgrid(odd, odd))
    got, expected = compiled(casadi.atan2, 2, width)(y, x), np.arctan2(y, x)
    np.testing.assert_allclose(got, expected, rtol=4e-16, atol=0)
    defined = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got[defined]), np.signbit(expected[defined]))
    with np.errstate(invalid="ignore"):
        for function, exact in ((casadi.sin, np.sin), (casadi.cos, np.cos)):
            np.testing.assert_allclose(compiled(function, 1, width)(odd), exact(odd), rtol=4e-16, atol=0)


@WIDTHS
def test_exponential(width: int) -> None:
    rng, ours = np.random.default_rng(2), compiled(casadi.exp, 1, width)
    for size in (1e-300, 1e-9, 0.4, 3.0, 50.0, 700.0):
        x = rng.uniform(-size, size, 4001)
        assert units(ours(x), np.exp(x.astype(np.longdouble))) <= 1.0, size
    odd = np.array([0.0, -0.0, np.inf, np.nan, 5e-324, -5e-324, 709.78, 709.79, 1e300, -708.0])
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(ours(odd), np.exp(odd), rtol=4e-16, atol=0)
    np.testing.assert_array_equal(ours(np.array([-708.1, -1e4, -1e300, -np.inf])), 0.0)


def test_the_exponential_is_the_same_in_every_lane_count() -> None:
    x = np.random.default_rng(3).uniform(-800.0, 720.0, 1003)
    one, four, eight = (compiled(casadi.exp, 1, width)(x) for width in (1, 4, 8))
    np.testing.assert_array_equal(one, four)
    np.testing.assert_array_equal(one, eight)


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    ours = compiled(casadi.sin, 1, 4)
    x = np.array([0.3, 1e9, -0.7, np.nan])
    alone = np.array([ours(value) for value in x])
    np.testing.assert_array_equal(ours(x), alone)


@WIDTHS
def test_a_large_angle_may_follow_from_another(width: int) -> None:
    """Each round of `angles` makes one more angle known; rows with small angles keep their bits meanwhile."""
    ours = compiled(lambda x: casadi.sin(1e7 * casadi.cos(1e7 * casadi.sin(x))), 1, width)
    x = np.array([0.3, 1e9, 3e-8, 0.0, -2.5e12, np.nan, 1.0, -0.7, 1e-7])
    inner = 1e7 * np.cos(1e7 * np.sin(x))
    got = ours(x)
    # An angle of 1e7 carries a hundred million units of its sine's last place.
    np.testing.assert_allclose(got, np.sin(inner), rtol=0.0, atol=2e-8)
    np.testing.assert_array_equal(got, [ours(value) for value in x])


@WIDTHS
def test_libm_is_called_beside_the_function_not_inside(width: int) -> None:
    """An angle is noted once for its sine and cosine."""
    x = SX.sym("x")
    trace = trace_of("both", {"x": x}, None, {"y": casadi.vertcat(casadi.sin(x), casadi.cos(x))}, None)
    text = batch_module(trace, host_target(width=width))
    inside = text[text.index("@body(") : text.index("\n}", text.index("@body("))]
    assert inside.count("store") == 1 + 2 + 2  # the angle, the results, and the results of rows that are not valid
    assert "@sin(" not in inside
    assert "@parapick.look_up(" in inside


@pytest.mark.parametrize("function", sorted(PLAIN | FUSED))
def test_no_constant_is_subnormal(function: str) -> None:
    """Arithmetic with one made kinematics three times slower, unless another library had switched subnormals off."""
    lines, _ = definition(function, Types(1))
    words = re.findall(r"0x([0-9A-F]{16})", "\n".join(lines))
    constants = np.abs(np.array([int(word, 16) for word in words], np.uint64).view(np.float64))
    assert len(constants) > 10
    assert not np.any((constants > 0) & (constants < np.finfo(float).tiny))
