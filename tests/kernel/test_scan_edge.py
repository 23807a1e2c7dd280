"""The edge of a scan: a row that is not valid is NaN from there on, its neighbours are untouched, nobody is warned."""

from __future__ import annotations

import ctypes
import sys
import warnings

import casadi
import numpy as np
import pytest
from casadi import SX

from parapick.kernel import Scan, Substep, build_scan
from parapick.kernel.llvm.target import Target, host_target
from scans import arrays, example, on_target

ROWS, STEPS, AT = 6, 12, 5


@pytest.fixture(scope="module")
def scan() -> Scan:
    """The example."""
    return example()


def assert_nan_from(scan: Scan, given: list[np.ndarray], row: int, step: int) -> None:
    """One row is NaN from a step on; before that it is itself, and so are all others throughout."""
    good = arrays((ROWS,), STEPS)
    wanted, last = scan(*good, substeps=3), scan.final(*good, substeps=3)
    assert np.isfinite(last).all()
    run = scan(*given, substeps=3)
    for name, value in run.outputs.items():
        expected = wanted.outputs[name].copy()
        expected[row, step:] = np.nan
        np.testing.assert_array_equal(value, expected)
    for state, before in ((run.state, wanted.state), (scan.final(*given, substeps=3), last)):
        expected = before.copy()
        expected[row] = np.nan
        np.testing.assert_array_equal(state, expected)


@pytest.mark.parametrize("row", [0, 3, ROWS - 1])
@pytest.mark.parametrize(("array", "entry"), [(1, 0), (1, 1), (2, 0)])
def test_nan_in_a_series(scan: Scan, array: int, entry: int, row: int) -> None:
    given = [one.copy() for one in arrays((ROWS,), STEPS)]
    given[array][row, AT, entry] = np.nan
    assert_nan_from(scan, given, row, AT)


@pytest.mark.parametrize("array", [0, 3])
def test_nan_in_the_first_state_or_a_parameter(scan: Scan, array: int) -> None:
    for entry in range(arrays()[array].shape[-1]):
        given = [one.copy() for one in arrays((ROWS,), STEPS)]
        given[array][2, entry] = np.nan
        assert_nan_from(scan, given, 2, 0)


def test_validity_of_the_state(scan: Scan, target: Target) -> None:
    given = [one.copy() for one in arrays((ROWS,), STEPS)]
    given[0][4, 0] = 3.5
    assert_nan_from(on_target(scan, target), given, 4, 0)


def test_validity_of_parameters_alone(scan: Scan) -> None:
    given = [one.copy() for one in arrays((ROWS,), STEPS)]
    given[3][1, 2] = -0.1
    assert_nan_from(scan, given, 1, 0)


def counter(validity: SX | None = None, substep: bool = True) -> Scan:
    """A state whose expressions forget it: constants, a selection that swallows NaN."""
    state, u = SX.sym("state", 2), SX.sym("u", 1)
    forgets = casadi.vertcat(casadi.if_else(state[0] > 0, 1.0, 2.0), SX(5.0))
    inner = Substep(state, SX(0, 1), forgets) if substep else None
    return build_scan(
        "forgets", state, {"u": u}, None, forgets, {"y": SX(7.0), "u": u}, substep=inner, validity=validity
    )


@pytest.mark.parametrize("substep", [True, False])
def test_nan_stays_though_the_expressions_forget_it(substep: bool) -> None:
    scan = counter(substep=substep)
    run = scan([1.0, 1.0], [[0.0], [np.nan], [0.0]])
    np.testing.assert_array_equal(run.outputs["y"], [7.0, np.nan, np.nan])
    np.testing.assert_array_equal(run.outputs["u"], [0.0, np.nan, np.nan])
    np.testing.assert_array_equal(run.state, [np.nan, np.nan])
    np.testing.assert_array_equal(scan.final([1.0, 1.0], [[0.0], [np.nan], [0.0]]), [np.nan, np.nan])
    np.testing.assert_array_equal(scan.final([1.0, 1.0], [[0.0], [0.0]]), [1.0, 5.0])


@pytest.mark.parametrize(("value", "good"), [(0.0, True), (-0.0, True), (np.inf, True), (-1e-300, False)])
def test_validity_is_at_least_zero(value: float, good: bool) -> None:
    u = SX.sym("u", 1)
    state = SX.sym("state", 1)
    scan = build_scan("edge", state, {"u": u}, None, state + 1.0, {}, validity=u)
    np.testing.assert_array_equal(scan([0.0], [[value]]).state, [1.0 if good else np.nan])
    np.testing.assert_array_equal(scan.final([0.0], [[value]]), [1.0 if good else np.nan])


def test_a_substep_that_fails_poisons_the_whole_state() -> None:
    """A root of a negative number in one entry; the next substep sees NaN and forgets nothing of it."""
    state, u = SX.sym("state", 2), SX.sym("u", 1)
    inner = Substep(state, SX(0, 1), casadi.vertcat(casadi.sqrt(state[0] - 1.0), state[1] + 1.0))
    scan = build_scan("roots", state, {"u": u}, None, state, {"second": state[1]}, substep=inner)
    # 3 -> 1.41 -> 0.64 -> NaN: the third substep fails in one entry, the fourth makes it all of the state.
    run = scan([3.0, 0.0], np.zeros((3, 1)), substeps=4)
    np.testing.assert_array_equal(run.outputs["second"], [0.0, np.nan, np.nan])
    assert np.isnan(run.state).all()
    assert np.isfinite(scan([3.0, 0.0], np.zeros((1, 1)), substeps=2).state).all()


def test_nobody_is_warned(scan: Scan) -> None:
    given = [one.copy() for one in arrays((ROWS,), STEPS)]
    given[0][0] = np.inf
    given[3][1] = 0.0
    given[1][2] = np.nan
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert np.isnan(scan(*given).state[0]).any()
        assert np.isnan(scan.final(*given)[2]).all()
    with np.errstate(all="warn"), pytest.warns(RuntimeWarning):
        np.sqrt(np.array([-1.0]))  # NumPy's own warnings are as they were


@pytest.mark.skipif(sys.platform != "linux", reason="where the C library is, is known here")
def test_the_floating_point_status_is_left_clean() -> None:
    """Roots of negative numbers and overflows raise flags inside; whoever looks afterwards sees none."""
    state, u = SX.sym("state", 1), SX.sym("u", 1)
    scan = build_scan("flags", state, {"u": u}, None, casadi.sqrt(-casadi.exp(u)), {})
    library, bits = ctypes.CDLL("libm.so.6"), host_target().exceptions
    for call in (lambda: scan([1.0], [[800.0], [1.0]]), lambda: scan.final([1.0], [[800.0], [1.0]])):
        call()
        library.feclearexcept(bits)
        call()
        assert library.fetestexcept(bits) == 0
