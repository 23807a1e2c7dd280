"""The structured-text spelling of every operation, run by a small interpreter of the part of the language we use."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from parapick.kernel import helpers
from parapick.kernel.operations import OPERATIONS

ROUNDING = 1e-14
"""Relative: some helpers use a formula of several steps where libm has one function."""

STANDARD: dict[str, Callable[..., Any]] = {
    "SEL": lambda condition, zero, one: one if condition else zero,
    "TRUNC": math.trunc,
    "LINT_TO_LREAL": float,
    "ABS": abs,
    "SQRT": math.sqrt,
    "EXP": math.exp,
    "LN": math.log,
    "EXPT": math.pow,
    "SIN": math.sin,
    "COS": math.cos,
    "TAN": math.tan,
    "ASIN": math.asin,
    "ACOS": math.acos,
    "ATAN": math.atan,
}
"""Functions of IEC 61131-3 that spellings may use."""


def python_expression(text: str) -> str:
    """An expression of structured text in Python."""
    text = text.replace("<>", "!=")
    text = re.sub(r"(?<![<>!:])=", "==", text)
    return text.replace(" AND ", " and ").replace(" OR ", " or ")


def python_function(name: str, text: str) -> str:
    """A function of structured text, one statement a line, in Python."""
    first, inputs, *body = text.strip().splitlines()
    assert first == f"FUNCTION {name} : LREAL"
    given = re.fullmatch(r"VAR_INPUT (.*) : LREAL; END_VAR", inputs)
    assert given is not None
    assert body.pop() == "END_FUNCTION"
    declared = {*given[1].split(", "), name}
    if body[0].startswith("VAR "):
        declared |= set(re.findall(r"(\w+) : (?:LREAL|BOOL);", body.pop(0)))
    lines = [f"def {name}({given[1]}):"]
    depth = 1
    for line in body:
        statement = line.strip()
        if condition := re.fullmatch(r"(IF|ELSIF) (.*) THEN", statement):
            keyword = {"IF": "if", "ELSIF": "elif"}[condition[1]]
            depth -= keyword == "elif"
            lines.append("    " * depth + f"{keyword} {python_expression(condition[2])}:")
            depth += 1
        elif statement == "ELSE":
            lines.append("    " * (depth - 1) + "else:")
        elif statement == "END_IF":
            depth -= 1
        else:
            assignment = re.fullmatch(r"(\w+) := (.*);", statement)
            assert assignment is not None, statement
            assert assignment[1] in declared
            variable = "result_" if assignment[1] == name else assignment[1]
            lines.append("    " * depth + f"{variable} = {python_expression(assignment[2])}")
    assert depth == 1
    return "\n".join([*lines, "    return result_"])


@pytest.fixture(scope="module")
def language() -> dict[str, object]:
    """The standard functions and our helpers."""
    names: dict[str, object] = dict(STANDARD)
    for name, text in helpers.ST.items():
        exec(python_function(name, text), names)
    return names


REFERENCES: dict[str, Callable[..., float]] = {
    "ADD": lambda a, b: a + b,
    "SUB": lambda a, b: a - b,
    "MUL": lambda a, b: a * b,
    "DIV": lambda a, b: a / b,
    "NEG": lambda a: -a,
    "SQ": lambda a: a * a,
    "TWICE": lambda a: 2 * a,
    "INV": lambda a: 1 / a,
    "SIGN": lambda a: (a > 0) - (a < 0),
    "FMIN": min,
    "FMAX": max,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "NOT": lambda a: not a,
    "AND": lambda a, b: bool(a) and bool(b),
    "OR": lambda a, b: bool(a) or bool(b),
    "IF_ELSE_ZERO": lambda a, b: b if a else 0.0,
    "IF_ELSE": lambda a, b, c: b if a else c,
    "CONSTPOW": math.pow,
    **{
        name: getattr(math, name.lower()) for name in ("SQRT", "FABS", "FLOOR", "CEIL", "COPYSIGN", "SIN", "COS", "TAN")
    },
    **{name: getattr(math, name.lower()) for name in ("ASIN", "ACOS", "ATAN", "ATAN2", "EXP", "LOG", "POW", "SINH")},
    **{name: getattr(math, name.lower()) for name in ("COSH", "TANH", "ASINH", "ACOSH", "ATANH", "HYPOT", "LOG1P")},
    **{name: getattr(math, name.lower()) for name in ("EXPM1", "FMOD", "REMAINDER")},
}

BINARY_FRACTIONS = [0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 2.5, -7.0, 0.75, 3.25, -3.25, 1024.5]
"""Values whose quotients and products are exact, for the remainders: they are only as exact as those."""

VALUES = [0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.7, -3.7, 1e-9, -1e-9, 0.05, 25.0, -25.0, 2.5, -7.0]


def reference(name: str, operands: list[float]) -> float | None:
    """What Python's mathematics says; None where it refuses."""
    try:
        return float(REFERENCES[name](*operands))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.st])
def test_structured_text(name: str, language: dict[str, object]) -> None:
    spelling, arity = OPERATIONS[name].st, OPERATIONS[name].arity
    assert spelling is not None
    expression = python_expression(spelling.format("a0", "a1", "a2"))
    tried = 0
    values = BINARY_FRACTIONS if name in ("FMOD", "REMAINDER") else VALUES
    for first in values:
        for second in values if arity > 1 else [0.0]:
            operands = [first, second, 9.0][:arity]
            expected = reference(name, operands)
            if expected is None:
                continue
            tried += 1
            names = {f"a{k}": operand for k, operand in enumerate(operands)}
            actual = eval(expression, dict(language), names)
            assert math.isclose(actual, expected, rel_tol=ROUNDING, abs_tol=1e-300), (operands, actual, expected)
    assert tried > 3


@pytest.mark.parametrize("name", ["FMIN", "FMAX"])
@pytest.mark.parametrize("operands", [(math.nan, 1.0), (1.0, math.nan)])
def test_minimum_and_maximum_keep_nan(name: str, operands: tuple[float, float], language: dict[str, object]) -> None:
    spelling = OPERATIONS[name].st
    assert spelling is not None
    assert math.isnan(eval(spelling.format("a", "b"), dict(language), dict(zip("ab", operands, strict=True))))


def test_every_helper_is_used_and_every_use_has_a_helper() -> None:
    spelt = " ".join([operation.st or "" for operation in OPERATIONS.values()] + list(helpers.ST.values()))
    calls = set(re.findall(r"(parapick_\w+)\(", spelt))
    assert calls == set(helpers.ST)
    in_c = " ".join(operation.c for operation in OPERATIONS.values())
    assert set(re.findall(r"(parapick_\w+)\(", in_c)) == set(re.findall(r"inline double (\w+)\(", helpers.C))
