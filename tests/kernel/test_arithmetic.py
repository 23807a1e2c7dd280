"""CasADi's operators while expressions are written: the same expressions, and CasADi's own again afterwards."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import DM, SX

from parapick.kernel.call import kernel as kernels
from parapick.kernel.call.kernel import known
from parapick.kernel.recipe import Recipe
from parapick.kernel.registry import Registry
from parapick.kernel.trace.arithmetic import direct_arithmetic

OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv)
A, V, M = SX.sym("a"), SX.sym("v", 3), SX.sym("m", 3, 3)
SPARSE = SX(3, 3)
NUMBERS = (0, 1, 2.5, -1.0, 0.0, -0.0, math.inf, math.nan, True, 2**60, np.float64(2.0), np.int64(3))
PAIRS = [
    *[(A, number) for number in NUMBERS],
    *[(number, V) for number in NUMBERS if not isinstance(number, np.generic)],
    *[
        (V, V),
        (A, M),
        (M, A),
        (A, SPARSE),
        (SPARSE, V[0]),
        (V, DM([1, 2, 3])),
        (DM(2.0), V),
        (V, np.ones(3)),
        (M, M[0, 0]),
    ],
]


@pytest.mark.parametrize("operate", OPERATORS)
@pytest.mark.parametrize(("one", "other"), PAIRS, ids=str)
def test_the_expression_is_the_same(operate: Callable[[Any, Any], SX], one: Any, other: Any) -> None:
    usual = operate(one, other)
    with direct_arithmetic():
        direct = operate(one, other)
    assert direct.sparsity() == usual.sparsity()
    assert str(direct) == str(usual)
    assert casadi.is_equal(direct, usual, 10) or "nan" in str(usual)


@pytest.mark.parametrize(("one", "other"), [(V, SX.sym("w", 2)), (V, "text"), (None, A)], ids=str)
def test_the_failure_is_the_same(one: Any, other: Any) -> None:
    with pytest.raises((RuntimeError, TypeError, NotImplementedError)) as usual:
        operator.add(one, other)
    with pytest.raises(usual.type) as direct, direct_arithmetic():
        operator.add(one, other)
    assert str(direct.value) == str(usual.value)


def test_casadis_own_operators_are_back_afterwards() -> None:
    before = SX.__add__
    with direct_arithmetic():
        assert SX.__add__ is not before
        with direct_arithmetic():
            pass
        assert SX.__add__ is not before
    assert SX.__add__ is before
    with pytest.raises(KeyError), direct_arithmetic():
        raise KeyError
    assert SX.__add__ is before
    assert "__add__" not in vars(SX)


def test_expressions_of_kernels_are_written_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_known", Registry())
    seen: list[bool] = []

    def make() -> kernels.Kernel:
        seen.append("__mul__" in vars(SX))
        x = SX.sym("x", 2)
        return kernels.build("written", {"x": x}, None, {"y": 2 * x[0] * x[1]})

    kernel = known(Recipe(("somebody.else",), "written", (1.0,)), make)
    assert seen == [True]
    assert kernel([3.0, 4.0]) == (24.0,)
