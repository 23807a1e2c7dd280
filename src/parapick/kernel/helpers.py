"""Small functions that the C and structured-text spellings of `operations` call, as text to put before the code.

In structured text the sign of a zero is not looked at (a division that would tell it apart may stop a controller), and
a remainder is as exact as the product of quotient and divisor.
"""

from __future__ import annotations

__all__ = ["ST", "C"]

C = """\
static inline double parapick_fmin(double a, double b) { return a != a ? a : (a < b ? a : b); }
static inline double parapick_fmax(double a, double b) { return a != a ? a : (a > b ? a : b); }
static inline double parapick_sign(double a) { return a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : a); }
"""
"""C helpers; `static inline`, after `#include <math.h>`."""


def _st(name: str, inputs: str, body: str, local: str = "") -> str:
    """A structured-text function of LREAL inputs."""
    variables = f"VAR {local} END_VAR\n" if local else ""
    return (
        f"FUNCTION parapick_{name} : LREAL\nVAR_INPUT {inputs} : LREAL; END_VAR\n{variables}{body}\nEND_FUNCTION\n"
    ).replace("RESULT", f"parapick_{name}")


ST: dict[str, str] = {
    "parapick_fmin": _st("fmin", "a, b", "RESULT := SEL(a <> a, SEL(a < b, b, a), a);"),
    "parapick_fmax": _st("fmax", "a, b", "RESULT := SEL(a <> a, SEL(a > b, b, a), a);"),
    "parapick_sign": _st("sign", "a", "RESULT := SEL(a > 0.0, SEL(a < 0.0, a, -1.0), 1.0);"),
    "parapick_copysign": _st("copysign", "a, b", "RESULT := SEL(b < 0.0, ABS(a), -ABS(a));"),
    "parapick_floor": _st(
        "floor",
        "a",
        "whole := LINT_TO_LREAL(TRUNC(a));\nRESULT := SEL(whole > a, whole, whole - 1.0);",
        "whole : LREAL;",
    ),
    "parapick_ceil": _st(
        "ceil",
        "a",
        "whole := LINT_TO_LREAL(TRUNC(a));\nRESULT := SEL(whole < a, whole, whole + 1.0);",
        "whole : LREAL;",
    ),
    "parapick_fmod": _st("fmod", "a, b", "RESULT := a - b * LINT_TO_LREAL(TRUNC(a / b));"),
    "parapick_remainder": _st(
        "remainder",
        "a, b",
        "times := LINT_TO_LREAL(TRUNC(a / b));\n"
        "rest := a - times * b;\n"
        "odd := times <> 2.0 * LINT_TO_LREAL(TRUNC(times / 2.0));\n"
        "other := ABS(b) - ABS(rest);\n"
        "IF (ABS(rest) > other) OR ((ABS(rest) = other) AND odd) THEN\n"
        "    rest := SEL(rest < 0.0, rest - ABS(b), rest + ABS(b));\n"
        "END_IF\n"
        "RESULT := rest;",
        "times : LREAL; rest : LREAL; other : LREAL; odd : BOOL;",
    ),
    "parapick_atan2": _st(
        "atan2",
        "y, x",
        "IF x > 0.0 THEN\n"
        "    RESULT := ATAN(y / x);\n"
        "ELSIF x < 0.0 THEN\n"
        "    RESULT := ATAN(y / x) + SEL(y < 0.0, 3.141592653589793, -3.141592653589793);\n"
        "ELSE\n"
        "    RESULT := SEL(y > 0.0, SEL(y < 0.0, 0.0, -1.5707963267948966), 1.5707963267948966);\n"
        "END_IF",
    ),
    "parapick_sinh": _st(
        "sinh",
        "a",
        # The series where the difference of two exponentials would cancel; its next term is below 1e-17 of the first.
        "IF ABS(a) < 0.1 THEN\n"
        "    RESULT := a * (1.0 + a * a / 6.0 * (1.0 + a * a / 20.0 * (1.0 + a * a / 42.0 * (1.0 + a * a / 72.0))));\n"
        "ELSE\n"
        "    RESULT := 0.5 * (EXP(a) - EXP(-a));\n"
        "END_IF",
    ),
    "parapick_cosh": _st("cosh", "a", "RESULT := 0.5 * (EXP(a) + EXP(-a));"),
    "parapick_tanh": _st(
        "tanh",
        "a",
        # Beyond 20 the result is 1 to the last bit, and the exponential could overflow.
        "IF ABS(a) > 20.0 THEN\n"
        "    RESULT := SEL(a < 0.0, 1.0, -1.0);\n"
        "ELSE\n"
        "    RESULT := parapick_sinh(a) / parapick_cosh(a);\n"
        "END_IF",
    ),
    "parapick_asinh": _st(
        "asinh",
        "a",
        "size := parapick_log1p(ABS(a) + a * a / (1.0 + SQRT(a * a + 1.0)));\nRESULT := SEL(a < 0.0, size, -size);",
        "size : LREAL;",
    ),
    "parapick_acosh": _st("acosh", "a", "RESULT := LN(a + SQRT((a - 1.0) * (a + 1.0)));"),
    "parapick_atanh": _st("atanh", "a", "RESULT := 0.5 * parapick_log1p(2.0 * a / (1.0 - a));"),
    "parapick_hypot": _st(
        "hypot",
        "a, b",
        "large := SEL(ABS(a) < ABS(b), ABS(a), ABS(b));\n"
        "small := SEL(ABS(a) < ABS(b), ABS(b), ABS(a));\n"
        "IF large > 0.0 THEN\n"
        "    small := small / large;\n"
        "    RESULT := large * SQRT(1.0 + small * small);\n"
        "ELSE\n"
        "    RESULT := large;\n"
        "END_IF",
        "large : LREAL; small : LREAL;",
    ),
    "parapick_log1p": _st(
        "log1p",
        "a",
        # Kahan's form: the rounding of 1 + a is undone by the quotient.
        "near := 1.0 + a;\n"
        "IF near = 1.0 THEN\n"
        "    RESULT := a;\n"
        "ELSE\n"
        "    RESULT := LN(near) * a / (near - 1.0);\n"
        "END_IF",
        "near : LREAL;",
    ),
    "parapick_expm1": _st(
        "expm1",
        "a",
        "near := EXP(a);\n"
        "IF near = 1.0 THEN\n"
        "    RESULT := a;\n"
        "ELSIF near - 1.0 = -1.0 THEN\n"
        "    RESULT := -1.0;\n"
        "ELSE\n"
        "    RESULT := (near - 1.0) * a / LN(near);\n"
        "END_IF",
        "near : LREAL;",
    ),
}
"""Structured-text helpers by name; a helper may call others of this table."""
