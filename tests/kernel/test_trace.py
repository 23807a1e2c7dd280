"""Traces: what CasADi's instructions become, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX

from parapick.errors import KernelError
from parapick.kernel import Trace, build, compilations
from parapick.kernel.operations import OPERATIONS
from parapick.kernel.trace.expressions import trace_of
from parapick.kernel.trace.instructions import CONSTANT, INPUT, PARAMETER
from parapick.kernel.trace.schedule import by_longest_path


def traced(x: SX, outputs: SX, parameters: SX | None = None, validity: SX | None = None) -> Trace:
    return trace_of("test", {"x": x}, parameters, {"y": outputs}, validity)


def operations(trace: Trace) -> Counter[str]:
    return Counter(instruction.operation for instruction in trace.instructions)


def test_operands_come_before_their_use(example: Trace) -> None:
    for number, instruction in enumerate(example.instructions):
        assert all(operand < number for operand in instruction.operands)
        known = instruction.operation in OPERATIONS
        assert known != (instruction.operation in (CONSTANT, INPUT, PARAMETER))
        assert len(instruction.operands) == (OPERATIONS[instruction.operation].arity if known else 0)


def test_nothing_is_computed_in_vain(example: Trace) -> None:
    used = {operand for instruction in example.instructions for operand in instruction.operands} | set(example.roots)
    assert used == set(range(len(example.instructions)))


def test_equal_expressions_are_computed_once() -> None:
    x = SX.sym("x", 2)
    one, other = casadi.sin(x[0] * x[1]), casadi.sin(x[0] * x[1])
    assert operations(traced(x, casadi.vertcat(one + x[0], other - x[1])))["SIN"] == 1


def test_divisions_share_a_reciprocal() -> None:
    x = SX.sym("x", 4)
    two = operations(traced(x, casadi.vertcat(x[0] / x[3], x[1] / x[3], x[0] / x[1])))
    assert (two["INV"], two["MUL"], two["DIV"]) == (1, 2, 1)
    with_inverse = operations(traced(x, casadi.vertcat(1 / x[3], x[1] / x[3])))
    assert (with_inverse["INV"], with_inverse["MUL"], with_inverse["DIV"]) == (1, 1, 0)


def test_a_single_division_stays_exact() -> None:
    x = SX.sym("x", 2)
    kernel = build("quotient", {"x": x}, None, {"y": x[0] / x[1]})
    pairs = np.random.default_rng(0).uniform(-9, 9, (1000, 2))
    np.testing.assert_array_equal(kernel(pairs)[0], pairs[:, 0] / pairs[:, 1])


def test_division_by_a_parameter_is_prepared() -> None:
    x, p = SX.sym("x", 1), SX.sym("p", 2)
    trace = traced(x, casadi.vertcat(x / p[0], p[0] / p[1], x / 3), p)
    found = operations(trace)
    assert (found["INV"], found["MUL"]) == (1, 1)
    inverse = next(n for n, one in enumerate(trace.instructions) if one.operation == "INV")
    assert trace.fixed[inverse]
    assert inverse in trace.hoisted


@pytest.mark.parametrize("outer", ["u + p1", "u - p1", "p1 - u"])
@pytest.mark.parametrize("inner", ["x + p0", "x - p0", "p0 - x"])
def test_fixed_summands_are_joined_beforehand(outer: str, inner: str) -> None:
    def value(x: Any, p0: Any, p1: Any) -> Any:
        u = {"x + p0": x + p0, "x - p0": x - p0, "p0 - x": p0 - x}[inner]
        return {"u + p1": u + p1, "u - p1": u - p1, "p1 - u": p1 - u}[outer]

    x, p = SX.sym("x", 1), SX.sym("p", 2)
    trace = traced(x, value(x, p[0], p[1]) ** 2, p)
    varying = [one.operation for one, fixed in zip(trace.instructions, trace.fixed, strict=True) if not fixed]
    assert len(varying) == 3  # the input, one sum, the square
    assert len(trace.hoisted) == 1
    kernel = build("sum", {"x": x}, p, {"y": value(x, p[0], p[1])})
    assert kernel([0.7], [0.2, 11.0])[0] == pytest.approx(value(0.7, 0.2, 11.0), rel=1e-15)


def test_fixed_factors_are_joined_beforehand() -> None:
    x, p = SX.sym("x", 1), SX.sym("p", 2)
    trace = traced(x, p[0] * (x * p[1]) / p[0], p)
    varying = Counter(one.operation for one, fixed in zip(trace.instructions, trace.fixed, strict=True) if not fixed)
    assert varying == {INPUT: 1, "MUL": 1}


def test_a_sum_that_serves_others_too_stays() -> None:
    x, p = SX.sym("x", 1), SX.sym("p", 2)
    trace = traced(x, casadi.vertcat((x + p[0]) + p[1], casadi.sin(x + p[0])), p)
    assert set(trace.hoisted) == {n for n, one in enumerate(trace.instructions) if one.operation == PARAMETER}


def test_fixed_means_parameters_and_nothing_else() -> None:
    x, p = SX.sym("x", 1), SX.sym("p", 2)
    trace = traced(x, casadi.vertcat(casadi.sin(p[0]) * p[1] + x, 3 * x), p, p[0] - 1)
    by_operation = {one.operation: trace.fixed[number] for number, one in enumerate(trace.instructions)}
    assert by_operation["SIN"]
    assert by_operation["SUB"]
    assert not by_operation["ADD"]
    assert not by_operation[CONSTANT]
    assert not by_operation[INPUT]
    product = trace.instructions.index(next(one for one in trace.instructions if one.operation == "MUL"))
    assert set(trace.hoisted) == {product, *trace.validity}


def half(condition: SX, value: SX) -> SX:
    """The value where the condition holds, otherwise zero."""
    return SX.binary(casadi.OP_IF_ELSE_ZERO, condition, value)


@pytest.mark.parametrize("swap", [False, True])
def test_if_else_is_one_selection(swap: bool) -> None:
    x = SX.sym("x", 3)
    halves = [half(x[0] < 1, x[1]), half(casadi.logic_not(x[0] < 1), x[2])]
    found = operations(traced(x, sum(reversed(halves) if swap else halves, start=SX(0))))
    assert found["IF_ELSE"] == 1
    assert not found["IF_ELSE_ZERO"] + found["ADD"] + found["NOT"]


def test_halves_of_different_conditions_are_not_joined() -> None:
    x = SX.sym("x", 3)
    value = half(x[0] < 1, x[1]) + half(casadi.logic_not(x[0] < 2), x[2])
    found = operations(traced(x, value))
    assert (found["IF_ELSE"], found["IF_ELSE_ZERO"]) == (0, 2)


def test_content_tells_traces_apart(example: Trace) -> None:
    x = SX.sym("x", 2)
    contents = [
        traced(x, x[0] * 0.1).content(),
        traced(x, x[0] * 0.10000000000000002).content(),
        traced(x, x[1] * 0.1).content(),
        traced(x, casadi.vertcat(x[0] * 0.1, x[0] * 0.1)).content(),
        traced(x, x[0] * 0.1, validity=x[0]).content(),
        traced(x, x[0] * 0.1, SX.sym("p", 1)).content(),
        example.content(),
    ]
    assert len(set(contents)) == len(contents)
    again = SX.sym("other", 2)
    assert traced(again, again[0] * 0.1).content() == contents[0]


def test_an_order_has_every_instruction_once_and_after_its_operands(example: Trace) -> None:
    order = by_longest_path(example)
    given = {n for n, one in enumerate(example.instructions) if example.fixed[n] or one.operation == INPUT}
    constants = {n for n, one in enumerate(example.instructions) if one.operation == CONSTANT}
    assert len(order) == len(set(order))
    assert set(order) - constants == set(range(len(example.instructions))) - given - constants
    place = {number: at for at, number in enumerate(order)}
    for number in order:
        for operand in example.instructions[number].operands:
            assert operand in given or place[operand] < place[number]


def test_long_ways_are_begun_first_and_others_computed_meanwhile() -> None:
    """A long chain, a short one, and sums that need nothing: the sums fill the time in which the chains wait."""
    x = SX.sym("x", 8)
    sums = [x[k] + x[k + 1] for k in range(6)]
    trace = traced(x, casadi.vertcat(*sums, casadi.sqrt(x[6]), 1 / casadi.sqrt(x[7])))
    operations = [trace.instructions[number].operation for number in by_longest_path(trace)]
    arithmetic = [name for name in operations if name != "CONSTANT"]
    assert arithmetic == ["SQRT", "SQRT", *["ADD"] * 6, "INV"]
    first = next(n for n in by_longest_path(trace) if trace.instructions[n].operation == "SQRT")
    assert first in trace.instructions[trace.results[0][-1]].operands


def test_instructions_that_no_root_needs_are_left_out(example: Trace) -> None:
    less = replace(example, outputs=example.outputs[:1], results=example.results[:1], validity=())
    operations = {example.instructions[number].operation for number in by_longest_path(less)}
    assert operations
    assert "EXP" in {one.operation for one in example.instructions} - operations


def test_an_unknown_operation_is_named_before_anything_is_compiled() -> None:
    x = SX.sym("x", 1)
    before = compilations()
    with pytest.raises(KernelError, match="kernel 'inverse': the operation ERFINV has no spelling in native code"):
        build("inverse", {"x": x}, None, {"y": casadi.erfinv(x)})
    assert compilations() == before


def test_more_outputs_than_a_gufunc_can_have() -> None:
    x = SX.sym("x", 1)
    with pytest.raises(KernelError, match="kernel 'many': NumPy refuses it"):
        build("many", {"x": x}, None, {f"y{k}": k * x for k in range(100)})([1.0])


X = SX.sym("x", 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "not a name"}, "identifier"),
        ({"outputs": {}}, "at least one output"),
        ({"inputs": {}, "outputs": {"y": SX(1.0)}}, "at least one input or parameters"),
        ({"inputs": {"x": X.T}}, "input 'x' should be a column of SX symbols"),
        ({"inputs": {"x": 2 * X}}, "input 'x' should be a column of SX symbols"),
        ({"inputs": {"x": X, "y": np.ones(3)}}, "input 'y' should be a column of SX symbols"),
        ({"inputs": {"x": X, "y": SX(0, 1)}}, "input 'y' has no entries; leave it out"),
        ({"parameters": SX(0, 1)}, "parameters has no entries; leave it out"),
        ({"parameters": SX.zeros(2)}, "parameters should be a column of SX symbols"),
        ({"inputs": {"x": X, "again": X}}, "CasADi rejects the inputs"),
        ({"outputs": {"y": SX(0, 1)}}, "output 'y' has no entries"),
        ({"outputs": {"y": "text"}}, "output 'y' should be an SX expression, not str"),
        ({"validity": SX(0, 1)}, "validity has no entries"),
        ({"outputs": {"y": X + SX.sym("stray")}}, "symbols that are in no input and not among the parameters: stray"),
    ],
)
def test_what_cannot_be_traced_is_refused(arguments: dict[str, object], message: str) -> None:
    good: dict[str, object] = {"inputs": {"x": X}, "parameters": None, "outputs": {"y": X}, "validity": None}
    with pytest.raises(KernelError, match=message):
        trace_of(**{"name": "test", **good, **arguments})  # pyright: ignore[reportArgumentType]
