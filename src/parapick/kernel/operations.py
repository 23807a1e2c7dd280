"""The one table of operations: how each CasADi operation is spelt.

Every printer reads this table, so an operation means the same everywhere. There are two spellings, LLVM and C; an
export to another language adds a field to `Operation` and its spelling to each row.

- Truth follows C: a number is true unless it equals zero, so NaN is true; comparisons give 1.0 or 0.0.
- `FMIN` and `FMAX` keep NaN (C's `fmin` and CasADi drop it).
- `IF_ELSE_ZERO` and `IF_ELSE` select, they never multiply: NaN in the branch not taken stays there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

CHOICE, OR, AND, EQUALITY, ORDER, SUM, PRODUCT, SIGN, CALL = range(9)
"""How strongly the expressions of C bind, weakest first."""


@final
@dataclass(frozen=True)
class Operation:
    """One operation; exactly one of `llvm` and `function` is given, and `c` unless it is a function.

    Attributes:
        arity: number of operands.
        llvm: LLVM instructions as a template, one per line: `{r}` is the result, `{a}`, `{b}`, `{c}` are the operands,
            `{A}`, `{B}` their truth, `{D}`, `{M}` the types of a number and a truth value, `{F}` the fast-math flags,
            `{S}` the type's suffix in intrinsic names, `{zero}`, `{one}`, `{minus}` (-1) and `{true}` constants.
        truth: the result of `llvm` is a truth value (type `{M}`).
        function: name in libm; also the name under which a vector form of it is looked up.
        beside_constant: shorter LLVM instructions for a second operand that is a constant number.
        c: a C expression as a template: `{a}`, `{b}`, `{c}` are the operands, `{A}`, `{B}` their truth, `{P}` the
            prefix of symbols, `{f}` what functions and literals of the type end with.
        rank: how strongly the C expression binds: the larger, the more (`CALL` for calls).
    """

    arity: int
    llvm: str = ""
    truth: bool = False
    function: str = ""
    beside_constant: str = ""
    c: str = ""
    rank: int = CALL

    @property
    def in_c(self) -> str:
        """The C expression as a template; that of a function is its call."""
        return self.c or f"{self.function}{{f}}({', '.join(f'{{{letter}}}' for letter in 'ab'[: self.arity])})"


def _binary(instruction: str, sign: str, rank: int) -> Operation:
    """Arithmetic on two numbers, with fast-math flags."""
    return Operation(2, f"{{r}} = {instruction} {{F}} {{D}} {{a}}, {{b}}", c=f"{{a}} {sign} {{b}}", rank=rank)


def _compare(predicate: str, sign: str, rank: int) -> Operation:
    """A comparison of two numbers; no fast-math flags, so that NaN is seen."""
    llvm = f"{{r}} = fcmp {predicate} {{D}} {{a}}, {{b}}"
    return Operation(2, llvm, truth=True, c=f"{{a}} {sign} {{b}}", rank=rank)


def _intrinsic(name: str, arity: int = 1) -> Operation:
    """An operation that LLVM knows for vectors."""
    operands = ", ".join(f"{{D}} {{{letter}}}" for letter in "ab"[:arity])
    call = ", ".join(f"{{{letter}}}" for letter in "ab"[:arity])
    return Operation(arity, f"{{r}} = call {{D}} @llvm.{name}.{{S}}({operands})", c=f"{name}{{f}}({call})")


def _function(name: str, arity: int = 1) -> Operation:
    """A function of libm."""
    return Operation(arity, function=name)


def _extreme(predicate: str, name: str) -> Operation:
    """The smaller or larger of two numbers; NaN if either is NaN.

    The first select gives `b` when `a` is NaN or `b` is NaN; the second restores `a` when it is `a` that is NaN.
    """
    return Operation(
        2,
        f"{{r}}c = fcmp {predicate} {{D}} {{a}}, {{b}}\n"
        "{r}s = select {M} {r}c, {D} {a}, {D} {b}\n"
        "{r}u = fcmp uno {D} {a}, {zero}\n"
        "{r} = select {M} {r}u, {D} {a}, {D} {r}s",
        # NaN compares false with the constant, so that it is kept; processors have this as one instruction.
        beside_constant=(
            f"{{r}}c = fcmp {predicate} {{D}} {{b}}, {{a}}\n{{r}} = select {{M}} {{r}}c, {{D}} {{b}}, {{D}} {{a}}"
        ),
        c=f"{{P}}_{name}({{a}}, {{b}})",
    )


OPERATIONS: Final[dict[str, Operation]] = {
    "ADD": _binary("fadd", "+", SUM),
    "SUB": _binary("fsub", "-", SUM),
    "MUL": _binary("fmul", "*", PRODUCT),
    "DIV": _binary("fdiv", "/", PRODUCT),
    "NEG": Operation(1, "{r} = fneg {D} {a}", c="-{a}", rank=SIGN),
    "SQ": Operation(1, "{r} = fmul {F} {D} {a}, {a}", c="{a} * {a}", rank=PRODUCT),
    "TWICE": Operation(1, "{r} = fadd {F} {D} {a}, {a}", c="2.0{f} * {a}", rank=PRODUCT),
    "INV": Operation(1, "{r} = fdiv {F} {D} {one}, {a}", c="1.0{f} / {a}", rank=PRODUCT),
    "SQRT": _intrinsic("sqrt"),
    "FABS": _intrinsic("fabs"),
    "FLOOR": _intrinsic("floor"),
    "CEIL": _intrinsic("ceil"),
    "COPYSIGN": _intrinsic("copysign", 2),
    "SIGN": Operation(
        1,
        "{r}p = fcmp ogt {D} {a}, {zero}\n"
        "{r}n = fcmp olt {D} {a}, {zero}\n"
        "{r}s = select {M} {r}p, {D} {one}, {D} {a}\n"
        "{r} = select {M} {r}n, {D} {minus}, {D} {r}s",
        c="{P}_sign({a})",
    ),
    "FMIN": _extreme("olt", "min"),
    "FMAX": _extreme("ogt", "max"),
    "LT": _compare("olt", "<", ORDER),
    "LE": _compare("ole", "<=", ORDER),
    "EQ": _compare("oeq", "==", EQUALITY),
    "NE": _compare("une", "!=", EQUALITY),
    "NOT": Operation(1, "{r} = xor {M} {A}, {true}", truth=True, c="!{A}", rank=SIGN),
    "AND": Operation(2, "{r} = and {M} {A}, {B}", truth=True, c="{A} && {B}", rank=AND),
    "OR": Operation(2, "{r} = or {M} {A}, {B}", truth=True, c="{A} || {B}", rank=OR),
    "IF_ELSE_ZERO": Operation(2, "{r} = select {M} {A}, {D} {b}, {D} {zero}", c="{A} ? {b} : 0.0{f}", rank=CHOICE),
    # Ours, not CasADi's: the trace joins the two halves of `casadi.if_else` into one selection.
    "IF_ELSE": Operation(3, "{r} = select {M} {A}, {D} {b}, {D} {c}", c="{A} ? {b} : {c}", rank=CHOICE),
    "SIN": _function("sin"),
    "COS": _function("cos"),
    "TAN": _function("tan"),
    "ASIN": _function("asin"),
    "ACOS": _function("acos"),
    "ATAN": _function("atan"),
    "ATAN2": _function("atan2", 2),
    "EXP": _function("exp"),
    "LOG": _function("log"),
    "POW": _function("pow", 2),
    "CONSTPOW": _function("pow", 2),
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
    "ERF": _function("erf"),
}
