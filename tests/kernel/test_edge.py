"""The edge of a kernel: rows that are not valid are NaN in every output, their neighbours untouched, nobody warned."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.kernel import Kernel, Trace, build
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import Target
from parapick.kernel.trace.expressions import trace_of

Array = NDArray[np.float64]
Rows = Callable[..., tuple[Array, Array, Array]]


def by_row(kernel: Kernel, *arrays: Any) -> Array:
    """All outputs, one row each."""
    results = kernel(*arrays)
    return np.concatenate([result.reshape(len(result), -1) for result in results], axis=1)


@pytest.mark.parametrize("count", [1, 4, 6, 13])
def test_an_invalid_row_is_nan_and_the_others_are_untouched(
    count: int, example: Trace, make_rows: Rows, target: Target
) -> None:
    kernel = kernel_of(example, target)
    x, y, p = make_rows(count)
    good = by_row(kernel, x, y, p)
    assert np.isfinite(good).all()
    for row in range(count):
        bad = x.copy()
        bad[row, 0] = -2.5
        expected = good.copy()
        expected[row] = np.nan
        np.testing.assert_array_equal(by_row(kernel, bad, y, p), expected)
        np.testing.assert_array_equal(by_row(kernel, np.asfortranarray(bad), y, p), expected)


def test_validity_is_at_least_zero(target: Target) -> None:
    x = SX.sym("x", 2)
    trace = trace_of("edge", {"x": x}, None, {"y": x[0]}, casadi.vertcat(x[0] / x[1], 1.0))
    values = np.array([[1.0, 1.0], [0.0, 1.0], [-0.0, 1.0], [-1e-300, 1.0], [0.0, 0.0], [np.inf, 1.0], [-np.inf, 1.0]])
    (actual,) = kernel_of(trace, target)(values)
    np.testing.assert_array_equal(actual, [1.0, 0.0, 0.0, np.nan, np.nan, np.inf, np.nan])


@pytest.mark.parametrize("entry", range(3))
def test_nan_in_any_input_is_nan_in_every_output(entry: int, target: Target) -> None:
    """Also where no output uses the entry, and where CasADi has simplified the product with zero away."""
    x, z = SX.sym("x", 3), SX.sym("z", 1)
    outputs = {"y": x[0], "zero": 0 * x[1], "clamp": casadi.fmin(casadi.fmax(x[0], -1.0), 1.0), "constant": SX(3.0)}
    kernel = kernel_of(trace_of("inputs", {"x": x, "z": z}, None, outputs, None), target)
    given = np.arange(18.0).reshape(6, 3)
    good = by_row(kernel, given, np.ones((6, 1)))
    given[4, entry] = np.nan
    good[4] = np.nan
    np.testing.assert_array_equal(by_row(kernel, given, np.ones((6, 1))), good)
    assert np.isnan(by_row(kernel, np.ones((2, 3)), [np.nan])).all()


def test_nan_in_a_parameter_is_nan_everywhere_it_reaches(example: Trace, make_rows: Rows, target: Target) -> None:
    kernel = kernel_of(example, target)
    x, y, p = make_rows(6)
    for entry in range(4):
        shared = p[0].copy()
        shared[entry] = np.nan
        assert np.isnan(by_row(kernel, x, y, shared)).all()
        own = p.copy()
        own[3, entry] = np.nan
        expected = by_row(kernel, x, y, p)
        expected[3] = np.nan
        np.testing.assert_array_equal(by_row(kernel, x, y, own), expected)


def test_validity_of_parameters_alone(example: Trace, make_rows: Rows, target: Target) -> None:
    kernel = kernel_of(example, target)
    x, y, p = make_rows(6)
    shared = p[0].copy()
    shared[1] = -5.5
    assert np.isnan(by_row(kernel, x, y, shared)).all()
    own = p.copy()
    own[2, 1] = -5.5
    expected = by_row(kernel, x, y, p)
    expected[2] = np.nan
    np.testing.assert_array_equal(by_row(kernel, x, y, own), expected)


@pytest.mark.parametrize(
    "make",
    [casadi.sqrt, casadi.log, casadi.asin, lambda x: casadi.fmod(1.0, x + 1), lambda x: 1 / (x + 1), casadi.exp],
    ids=["sqrt", "log", "asin", "fmod", "division", "exp"],
)
def test_nobody_is_warned(make: Callable[[SX], SX], target: Target) -> None:
    x = SX.sym("x", 1)
    kernel = kernel_of(trace_of("quiet", {"x": x}, None, {"y": make(x)}, None), target)
    values = np.array([[-1.0], [1e300], [-1e300], [0.0], [np.nan], [np.inf], [-np.inf]])
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        (actual,) = kernel(values)
    assert not np.isfinite(actual).all()
    with np.errstate(all="warn"), pytest.warns(RuntimeWarning):
        np.sqrt(np.array([-1.0]))  # NumPy's own warnings are as they were


def test_a_selection_does_not_leak_the_branch_not_taken(target: Target) -> None:
    x = SX.sym("x", 1)
    safe = casadi.if_else(x > 0, casadi.log(x), -1.0)
    trace = trace_of("branches", {"x": x}, None, {"y": safe, "z": casadi.if_else(x > 0, 5.0, 1 / x)}, None)
    y, z = kernel_of(trace, target)(np.array([[1.0], [-1.0], [0.0], [-0.5]]))
    np.testing.assert_array_equal(y, [0.0, -1.0, -1.0, -1.0])
    np.testing.assert_array_equal(z, [5.0, -1.0, np.inf, -2.0])


def test_no_validity_and_constant_outputs() -> None:
    x = SX.sym("x", 1)
    kernel = build("plain", {"x": x}, None, {"nan": casadi.sqrt(x), "seven": SX(7.0)})
    root, seven = kernel(np.array([[-1.0], [4.0]]))
    np.testing.assert_array_equal(root, [np.nan, 2.0])
    np.testing.assert_array_equal(seven, [7.0, 7.0])
