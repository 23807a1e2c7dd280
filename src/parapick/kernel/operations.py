"""The one table of operations: how each CasADi operation is spelt in LLVM, in C and in IEC 61131-3 structured text.

Every printer reads this table, so an operation means the same everywhere:

- truth follows C: a number is true unless it equals zero, so NaN is true; comparisons give 1.0 or 0.0;
- `FMIN` and `FMAX` keep NaN (C's `fmin` and CasADi drop it);
- `IF_ELSE_ZERO` and `IF_ELSE` select, they never multiply: NaN in the branch not taken stays there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import casadi

__all__ = ["CASADI_NAMES", "OPERATIONS", "Operation"]


@final
@dataclass(frozen=True)
class Operation:
    """One operation in every language.

    Exactly one of `llvm` and `function` is given.

    Attributes:
        arity: number of operands.
        c: C expression; `{0}`, `{1}`, `{2}` are the operands. Names beginning with `parapick_` are in `helpers.C`.
        st: structured-text expression in LREAL; names beginning with `parapick_` are in `helpers.ST`. None where
            structured text has no reasonable spelling.
        llvm: LLVM instructions as a template, one a line: `{r}` is the result, `{a}`, `{b}`, `{c}` are the operands,
            `{A}`, `{B}` their truth, `{D}`, `{M}` the types of a number and a truth value, `{F}` the fast-math flags,
            `{S}` the type's suffix in intrinsic names, `{zero}`, `{one}`, `{minus}` (-1) and `{true}` constants.
        truth: the result of `llvm` is a truth value (type `{M}`).
        function: name in libm; also the name under which a vector form of it is looked up.
        beside_constant: shorter LLVM instructions for a second operand that is a constant number.
    """

    arity: int
    c: str
    st: str | None
    llvm: str = ""
    truth: bool = False
    function: str = ""
    beside_constant: str = ""


def _binary(instruction: str, sign: str) -> Operation:
    """Arithmetic on two numbers, with fast-math flags."""
    spelling = f"({{0}} {sign} {{1}})"
    return Operation(2, spelling, spelling, f"{{r}} = {instruction} {{F}} {{D}} {{a}}, {{b}}")


def _compare(predicate: str, c: str, st: str) -> Operation:
    """A comparison of two numbers; no fast-math flags, so that NaN is seen."""
    return Operation(
        2,
        f"(double)({{0}} {c} {{1}})",
        f"SEL({{0}} {st} {{1}}, 0.0, 1.0)",
        f"{{r}} = fcmp {predicate} {{D}} {{a}}, {{b}}",
        truth=True,
    )


def _intrinsic(name: str, arity: int, c: str, st: str) -> Operation:
    """An operation that LLVM knows for vectors."""
    operands = ", ".join(f"{{D}} {{{letter}}}" for letter in "ab"[:arity])
    return Operation(arity, c, st, f"{{r}} = call {{D}} @llvm.{name}.{{S}}({operands})")


def _function(name: str, arity: int = 1, st: str | None = None) -> Operation:
    """A function of libm; in structured text `parapick_<name>` unless given."""
    operands = ", ".join(f"{{{index}}}" for index in range(arity))
    return Operation(arity, f"{name}({operands})", st or f"parapick_{name}({operands})", function=name)


def _extreme(predicate: str, name: str) -> Operation:
    """The smaller or larger of two numbers; NaN if either is NaN.

    The first select gives `b` when `a` is NaN or `b` is NaN; the second restores `a` when it is `a` that is NaN.
    """
    return Operation(
        2,
        f"parapick_{name}({{0}}, {{1}})",
        f"parapick_{name}({{0}}, {{1}})",
        f"{{r}}c = fcmp {predicate} {{D}} {{a}}, {{b}}\n"
        "{r}s = select {M} {r}c, {D} {a}, {D} {b}\n"
        "{r}u = fcmp uno {D} {a}, {zero}\n"
        "{r} = select {M} {r}u, {D} {a}, {D} {r}s",
        # NaN compares false with the constant, so that it is kept; processors have this as one instruction.
        beside_constant=(
            f"{{r}}c = fcmp {predicate} {{D}} {{b}}, {{a}}\n{{r}} = select {{M}} {{r}}c, {{D}} {{b}}, {{D}} {{a}}"
        ),
    )


OPERATIONS: dict[str, Operation] = {
    "ADD": _binary("fadd", "+"),
    "SUB": _binary("fsub", "-"),
    "MUL": _binary("fmul", "*"),
    "DIV": _binary("fdiv", "/"),
    "NEG": Operation(1, "(-{0})", "(-{0})", "{r} = fneg {D} {a}"),
    "SQ": Operation(1, "({0} * {0})", "({0} * {0})", "{r} = fmul {F} {D} {a}, {a}"),
    "TWICE": Operation(1, "({0} + {0})", "({0} + {0})", "{r} = fadd {F} {D} {a}, {a}"),
    "INV": Operation(1, "(1.0 / {0})", "(1.0 / {0})", "{r} = fdiv {F} {D} {one}, {a}"),
    "SQRT": _intrinsic("sqrt", 1, "sqrt({0})", "SQRT({0})"),
    "FABS": _intrinsic("fabs", 1, "fabs({0})", "ABS({0})"),
    "FLOOR": _intrinsic("floor", 1, "floor({0})", "parapick_floor({0})"),
    "CEIL": _intrinsic("ceil", 1, "ceil({0})", "parapick_ceil({0})"),
    "COPYSIGN": _intrinsic("copysign", 2, "copysign({0}, {1})", "parapick_copysign({0}, {1})"),
    "SIGN": Operation(
        1,
        "parapick_sign({0})",
        "parapick_sign({0})",
        "{r}p = fcmp ogt {D} {a}, {zero}\n"
        "{r}n = fcmp olt {D} {a}, {zero}\n"
        "{r}s = select {M} {r}p, {D} {one}, {D} {a}\n"
        "{r} = select {M} {r}n, {D} {minus}, {D} {r}s",
    ),
    "FMIN": _extreme("olt", "fmin"),
    "FMAX": _extreme("ogt", "fmax"),
    "LT": _compare("olt", "<", "<"),
    "LE": _compare("ole", "<=", "<="),
    "EQ": _compare("oeq", "==", "="),
    "NE": _compare("une", "!=", "<>"),
    "NOT": Operation(1, "(double)({0} == 0.0)", "SEL({0} = 0.0, 0.0, 1.0)", "{r} = xor {M} {A}, {true}", truth=True),
    "AND": Operation(
        2,
        "(double)(({0} != 0.0) && ({1} != 0.0))",
        "SEL(({0} <> 0.0) AND ({1} <> 0.0), 0.0, 1.0)",
        "{r} = and {M} {A}, {B}",
        truth=True,
    ),
    "OR": Operation(
        2,
        "(double)(({0} != 0.0) || ({1} != 0.0))",
        "SEL(({0} <> 0.0) OR ({1} <> 0.0), 0.0, 1.0)",
        "{r} = or {M} {A}, {B}",
        truth=True,
    ),
    "IF_ELSE_ZERO": Operation(
        2, "({0} != 0.0 ? {1} : 0.0)", "SEL({0} <> 0.0, 0.0, {1})", "{r} = select {M} {A}, {D} {b}, {D} {zero}"
    ),
    # Ours, not CasADi's: the trace joins the two halves of `casadi.if_else` into one selection.
    "IF_ELSE": Operation(
        3, "({0} != 0.0 ? {1} : {2})", "SEL({0} <> 0.0, {2}, {1})", "{r} = select {M} {A}, {D} {b}, {D} {c}"
    ),
    "SIN": _function("sin", st="SIN({0})"),
    "COS": _function("cos", st="COS({0})"),
    "TAN": _function("tan", st="TAN({0})"),
    "ASIN": _function("asin", st="ASIN({0})"),
    "ACOS": _function("acos", st="ACOS({0})"),
    "ATAN": _function("atan", st="ATAN({0})"),
    "ATAN2": _function("atan2", 2),
    "EXP": _function("exp", st="EXP({0})"),
    "LOG": _function("log", st="LN({0})"),
    "POW": _function("pow", 2, st="EXPT({0}, {1})"),
    "CONSTPOW": _function("pow", 2, st="EXPT({0}, {1})"),
    "SINH": _function("sinh"),
    "COSH": _function("cosh"),
    "TANH": _function("tanh"),
    "ASINH": _function("asinh"),
    "ACOSH": _function("acosh"),
    "ATANH": _function("atanh"),
    "HYPOT": _function("hypot", 2),
    "LOG1P": _function("log1p"),
    "EXPM1": _function("expm1"),
    "FMOD": _function("fmod", 2),
    "REMAINDER": _function("remainder", 2),
    "ERF": Operation(1, "erf({0})", None, function="erf"),
}

CASADI_NAMES: dict[int, str] = {
    getattr(casadi, attribute): attribute.removeprefix("OP_")
    for attribute in dir(casadi)
    if attribute.startswith("OP_")
}
"""Name of every CasADi operation by its code, known to the table or not."""
