"""Every operation on ordinary numbers, NaN, infinities and signed zeros: native code against CasADi."""

from __future__ import annotations

import itertools

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import Target
from parapick.kernel.operations import OPERATIONS
from parapick.kernel.trace.expressions import trace_of

ULPS = 4.0
"""Units in the last place: what glibc promises of its vector mathematics."""

ORDINARY = [1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.7, -3.7, 30.0, 1e5, -1e5, 1e-8, 0.999999999, 1.5707963267948966]
EXTREME = [np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -1e-300, 1e300, 710.0, -745.2, 1e22]

EXPONENTS = [2.5, -1.5, 1.0 / 3.0]
"""Constant powers CasADi does not write as products or roots."""

Array = NDArray[np.float64]


def expression(name: str, operands: list[SX]) -> SX:
    """The operation as CasADi expression."""
    if name == "IF_ELSE":
        return casadi.if_else(operands[0], operands[1], operands[2])
    code = getattr(casadi, f"OP_{name}")
    if name == "CONSTPOW":
        return casadi.vertcat(*[SX.binary(code, operands[0], SX(exponent)) for exponent in EXPONENTS])
    return SX.unary(code, *operands) if len(operands) == 1 else SX.binary(code, *operands)


def samples(arity: int) -> Array:
    """Operands, one set a row: every combination for one and two operands."""
    if arity == 3:
        return np.array(list(itertools.product([*EXTREME, 1.0, -2.0], EXTREME[:5], [1.0, np.nan, -0.0])))
    return np.array(list(itertools.product([*EXTREME, *ORDINARY], repeat=arity)))


def casadi_values(name: str, operands: Array) -> Array:
    """CasADi's own values, with the two places where its answer is not ours."""
    symbols = SX.sym("s", operands.shape[1])
    function = casadi.Function("f", [symbols], [expression(name, casadi.vertsplit(symbols))])
    values = np.array(function(operands.T)).T
    if name in ("FMIN", "FMAX"):
        # C's functions, which CasADi calls, return the other operand; ours keep NaN.
        values[np.isnan(operands).any(axis=1)] = np.nan
    return values


def differences(actual: Array, expected: Array) -> NDArray[np.intp]:
    """Rows in which numbers differ by more than `ULPS`; NaN equals NaN."""
    with np.errstate(all="ignore"):
        near = np.abs(actual - expected) <= ULPS * np.spacing(np.maximum(np.abs(expected), np.finfo(float).tiny))
    same = (actual == expected) | near | (np.isnan(actual) & np.isnan(expected))
    return np.flatnonzero(~same.all(axis=-1))


def undefined(name: str, operands: Array) -> NDArray[np.bool_]:
    """Rows whose result nobody defines: the sign of NaN."""
    return np.isnan(operands[:, 1]) if name == "COPYSIGN" else np.zeros(len(operands), bool)


def arity_of(name: str) -> int:
    """How many operands an operation has here."""
    return 1 if name == "CONSTPOW" else OPERATIONS[name].arity


@pytest.mark.parametrize("arity", [1, 2, 3])
def test_native_code_gives_casadis_values(arity: int, target: Target) -> None:
    names = [name for name in OPERATIONS if arity_of(name) == arity]
    # NaN among the inputs would make the row NaN at the edge; as 0/0 it arises inside.
    over, under = SX.sym("over", arity), SX.sym("under", arity)
    results = {name: expression(name, [over[k] / under[k] for k in range(arity)]) for name in names}
    trace = trace_of("operation", {"over": over, "under": under}, None, results, None)
    assert set(names) <= {instruction.operation for instruction in trace.instructions}
    operands = samples(arity)
    is_nan = np.isnan(operands)
    actual = kernel_of(trace, target)(np.where(is_nan, 0.0, operands), np.where(is_nan, 0.0, 1.0))
    for name, values in zip(names, actual, strict=True):
        defined = ~undefined(name, operands)
        given, expected = operands[defined], casadi_values(name, operands[defined])
        wrong = differences(values[defined].reshape(len(given), -1), expected)
        assert not len(wrong), f"{name} of {given[wrong[0]]}: {values[defined][wrong[0]]}, CasADi {expected[wrong[0]]}"


@pytest.mark.parametrize("names", [["FLOOR", "SIGN", "SIN", "SQRT", "TANH"], ["ATAN2", "COPYSIGN", "DIV"]])
def test_the_sign_of_zero_is_seen(names: list[str], target: Target) -> None:
    operands = np.array(list(itertools.product([0.0, -0.0, 1.0, -1.0], repeat=arity_of(names[0]))))
    symbols = SX.sym("s", operands.shape[1])
    results = {name: expression(name, casadi.vertsplit(symbols)) for name in names}
    actual = kernel_of(trace_of("signs", {"s": symbols}, None, results, None), target)(operands)
    for name, values in zip(names, actual, strict=True):
        expected = casadi_values(name, operands)[:, 0]
        defined = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(values[defined]), np.signbit(expected[defined]), name)


@pytest.mark.parametrize(("name", "expected"), [("FMIN", 1.0), ("FMAX", 2.0)])
def test_casadi_drops_nan_where_we_keep_it(name: str, expected: float) -> None:
    """The reason for the exception above; should CasADi change, it can go."""
    symbols = SX.sym("s", 2)
    function = casadi.Function("f", [symbols], [expression(name, casadi.vertsplit(symbols))])
    assert float(function([np.nan, expected])) == expected


def test_the_table_has_every_operation_promised() -> None:
    wanted = """ADD SUB MUL DIV NEG SQ TWICE SQRT INV FABS SIN COS TAN ATAN ATAN2 ASIN ACOS EXP LOG POW CONSTPOW TANH
        SINH COSH HYPOT LOG1P EXPM1 FLOOR CEIL FMOD SIGN COPYSIGN LT LE EQ NE NOT AND OR IF_ELSE_ZERO FMIN FMAX"""
    assert set(wanted.split()) <= set(OPERATIONS)
