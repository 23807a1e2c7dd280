"""C from traces: compiled with warnings as errors, and compared with the library's kernel of the same expressions."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.errors import ParameterError
from parapick.kernel import (
    CArgument,
    CFunction,
    CStyle,
    Signature,
    Trace,
    build,
    c_function,
    collecting,
    helper_texts,
    identifier,
    identifiers,
    is_identifier,
    noted,
    part_of,
    plain_signature,
    trace_of,
)
from parapick.kernel.operations import OPERATIONS

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
EXTREME = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e300, -745.2, 1.0, -1.0, 0.5, -3.7, 30.0, 1e-8]

Array = NDArray[np.float64]

pytestmark = pytest.mark.skipif(not COMPILERS, reason="no C compiler")


def compiled(function: CFunction, style: CStyle, folder: Path, compiler: str = "gcc") -> ctypes.CDLL:
    """A function as a shared library."""
    text = f"#include <math.h>\ntypedef {style.real} {style.number};\n{helper_texts(style, function.helpers)}"
    source, library = folder / f"{function.name}.c", folder / f"{function.name}-{compiler}.so"
    source.write_text(f"{text}\n{function.declaration};\n{function.definition}")
    subprocess.run([compiler, *FLAGS, "-O1", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def plain(trace: Trace, style: CStyle, parameters: list[str] | None = None) -> CFunction:
    """A trace as a function that takes arrays."""
    names = parameters or []
    first = (CArgument("p", f"const {style.number} *p"),) if names else ()
    return c_function(trace, f"{style.prefix}_{trace.name}", style, plain_signature(trace, style, first, names))


def operation_expression(name: str, operands: list[SX]) -> SX:
    """An operation as CasADi expression."""
    if name == "IF_ELSE":
        return casadi.if_else(operands[0], operands[1], operands[2])
    code = getattr(casadi, f"OP_{name}")
    if name == "CONSTPOW":
        return SX.binary(code, operands[0], SX(2.5))
    return SX.unary(code, operands[0]) if OPERATIONS[name].arity == 1 else SX.binary(code, *operands[:2])


@pytest.mark.parametrize("compiler", COMPILERS)
def test_every_operation_is_that_of_the_kernel(compiler: str, tmp_path: Path) -> None:
    """On ordinary numbers, infinities and NaN made inside: as 0/0 it passes the test of what comes in."""
    over, under = SX.sym("over", 3), SX.sym("under", 3)
    operands = casadi.vertsplit(over / under)
    outputs = {name: operation_expression(name, operands) for name in OPERATIONS if name != "COPYSIGN"}
    outputs["COPYSIGN"] = casadi.copysign(operands[0], over[1])
    inputs = {"over": over, "under": under}
    trace = trace_of("all", inputs, None, outputs, None, notes=())
    library = compiled(plain(trace, CStyle("t")), CStyle("t"), tmp_path, compiler)
    kernel = build("all", inputs, None, outputs, None)
    generator = np.random.default_rng(1)
    for _ in range(400):
        values = generator.choice(EXTREME, 3)
        a, b = np.where(np.isnan(values), 0.0, values), np.where(np.isnan(values), 0.0, 1.0)
        expected = np.array([float(one) for one in kernel(a, b)])
        actual = np.zeros((len(outputs), 1))
        pointers = [actual[k].ctypes.data_as(ctypes.c_void_p) for k in range(len(outputs))]
        assert library.t_all(a.ctypes.data_as(ctypes.c_void_p), b.ctypes.data_as(ctypes.c_void_p), *pointers) == 1
        with np.errstate(all="ignore"):
            near = np.abs(actual[:, 0] - expected) <= 8 * np.spacing(np.abs(expected))
        wrong = ~((actual[:, 0] == expected) | near | (np.isnan(actual[:, 0]) & np.isnan(expected)))
        assert not wrong.any(), (values, [name for name, bad in zip(outputs, wrong, strict=True) if bad])


def test_an_example_with_everything_equals_its_kernel(tmp_path: Path) -> None:
    x, p = SX.sym("x", 3), SX.sym("p", 2)
    outputs = {
        "column": casadi.vertcat(casadi.sin(x[0]) * p[0], x[1] / p[1]),
        "matrix": casadi.mtimes(x, x[:2].T) - (x[0] - (x[1] - x[2])),
        "scalar": -(-x[0] * 2) / (x[1] / (p[0] * x[2])),
        "fixed": casadi.vertcat(7.0, p[1]),
    }
    validity = casadi.vertcat(x[0] + 1.0, p[1])
    trace = trace_of("example", {"x": x}, p, outputs, validity, notes=())
    library = compiled(plain(trace, CStyle("t"), ["p[0]", "p[1]"]), CStyle("t"), tmp_path)
    kernel = build("example", {"x": x}, p, outputs, validity)
    generator, parameters = np.random.default_rng(2), np.array([0.7, 1.3])
    rows = generator.uniform(-1.5, 1.5, (100, 3))
    rows[3, 1] = np.nan
    seen = set()
    for row in rows:
        expected = kernel(row, parameters)
        arrays = [np.zeros(np.shape(one)) for one in expected]
        pointers = [each.ctypes.data_as(ctypes.c_void_p) for each in (parameters, row, *arrays)]
        valid = library.t_example(*pointers)
        seen.add(valid)
        assert valid == np.isfinite(expected[0]).all()
        for one, other in zip(arrays, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-15)
    assert seen == {0, 1}


def test_answers_may_lie_where_inputs_do(tmp_path: Path) -> None:
    """A state that is swapped in place is read whole before it is written."""
    state = SX.sym("state", 2)
    trace = trace_of("swap", {"state": state}, None, {"next": casadi.vertcat(state[1], state[0] + 1)}, None, notes=())
    entries = ["s[0]", "s[1]"]
    signature = Signature((CArgument("s", "double *s"),), {"state": entries}, {"next": entries}, validity=False)
    function = c_function(trace, "t_swap", CStyle("t"), signature)
    library = compiled(function, CStyle("t"), tmp_path)
    values = np.array([1.0, 5.0])
    library.t_swap(values.ctypes.data_as(ctypes.c_void_p))
    assert values.tolist() == [5.0, 2.0]


def test_names_and_groups_are_those_that_were_noted() -> None:
    x, other = SX.sym("x", 3), SX.sym("other")
    with collecting() as notes:
        total = SX(0)
        for leg in (1, 2):
            with part_of(f"leg {leg}"):
                d = noted("closure", "d", x * leg)
                total = total + noted("closure", "square", casadi.dot(d, d))
        noted("elsewhere", "foreign", other * 2)
        noted("unused", "nothing", x[0] ** 3)
    text = plain(trace_of("named", {"x": x}, None, {"total": total}, None, notes), CStyle("t")).definition
    assert "/* leg 1: closure */" in text
    assert "leg2_d_z = 2.0 * x[2]" in text
    assert "leg1_square" in text
    assert "foreign" not in text
    assert "nothing" not in text


def test_notes_change_nothing_where_nobody_collects() -> None:
    value = SX.sym("v")
    with part_of("leg 1"):
        assert noted("closure", "v", value) is value
    with collecting() as notes:
        assert noted("closure", "v", None) is None
    assert notes == []


def test_numbers_of_type_float_are_spelt_for_it(tmp_path: Path) -> None:
    x = SX.sym("x", 2)
    outputs = {"y": casadi.sqrt(x[0]) + 0.1 * x[1] + 1e-300}
    style = CStyle("t", "float")
    function = plain(trace_of("single", {"x": x}, None, outputs, None, notes=()), style)
    assert "sqrtf(" in function.definition
    assert "0.1f" in function.definition
    assert "1.1754944e-38f" in function.definition
    library = compiled(function, style, tmp_path)
    given, answer = np.array([4.0, 3.0], np.float32), np.zeros(1, np.float32)
    library.t_single(given.ctypes.data_as(ctypes.c_void_p), answer.ctypes.data_as(ctypes.c_void_p))
    assert answer[0] == np.float32(2.3)


def test_a_call_is_counted() -> None:
    x = SX.sym("x", 2)
    outputs = {"y": casadi.sin(x[0]) * x[1] + casadi.sqrt(x[0]) / x[1] - casadi.fmax(x[0], x[1])}
    cost = plain(trace_of("cost", {"x": x}, None, outputs, None, notes=()), CStyle("t")).cost
    assert cost.text() == "2 additions, 1 multiplications, 1 divisions, 1 square roots, 1 selections, 1 calls (1 sin)"
    assert (cost + cost).operations == 2 * cost.operations == cost.times(2).operations
    assert cost.times(2).kept == cost.kept


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("limb.arm", "limb_arm"),
        ("delta-4", "delta_4"),
        ("4-bar", "n4_bar"),
        ("double", "double_"),
        ("sqrt", "sqrt_"),
        ("é.a", "a"),
    ],
)
def test_names_become_identifiers(name: str, expected: str) -> None:
    assert identifier(name) == expected
    assert is_identifier(expected)


def test_identifiers_do_not_collide() -> None:
    assert identifiers(["a.b", "a-b", "a_b"], taken=["a_b"]) == {"a.b": "a_b_2", "a-b": "a_b_3", "a_b": "a_b_4"}
    with pytest.raises(ParameterError, match="another name"):
        identifier("--")


def test_the_reciprocal_of_a_product_keeps_its_brackets(tmp_path: Path) -> None:
    a, b = SX.sym("a"), SX.sym("b")
    style = CStyle("p")
    trace = trace_of("inverse", {"a": a, "b": b}, None, {"product": 1 / (a * b), "quotient": 1 / (a / b)}, None, None)
    library = compiled(c_function(trace, "p_inverse", style, plain_signature(trace, style)), style, tmp_path)
    product, quotient = ctypes.c_double(), ctypes.c_double()
    numbers = (ctypes.c_double(3.0), ctypes.c_double(5.0))
    library.p_inverse(*numbers, ctypes.byref(product), ctypes.byref(quotient))
    assert product.value == pytest.approx(1.0 / 15.0, rel=1e-15)
    assert quotient.value == pytest.approx(5.0 / 3.0, rel=1e-15)
