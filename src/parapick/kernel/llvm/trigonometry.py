"""Sine, cosine and arctangent written out as LLVM, so that no call stands in the way of the code around them.

A call of a vector function costs little by itself, but every value alive around it must go to memory and back. These
three are what kinematics need: an arctangent per leg, sine and cosine of the yaw.

`atan2`: the larger of |x| and |y| divides the smaller; quotients above tan(pi/8) are turned back by pi/4 before the one
division. For what is left, |z| <= tan(pi/8), `atan z = z + z^3 P(z^2)`.

`sin`, `cos`: `r = x - n pi/2` with n the nearest integer, in two fused steps that lose nothing for |x| up to 1e5; then
`sin r = r + r^3 S(r^2)` and `cos r = 1 - r^2/2 + r^4 C(r^2)`, exchanged and negated by quadrant.

Larger arguments of these two are the business of `angles`.

The polynomials interpolate in Chebyshev points and are off by less than 1e-17; with rounding, results are within 2.5
units in the last place. Signs of zeros, infinities and NaN are those of C. No fast-math flags: these sequences live
from their rounding. No constant is subnormal: arithmetic with such a number takes many processors a hundred cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from parapick.kernel.llvm.types import Types, Written

_ATAN: Final = (
    -0.3333333333333333, 0.19999999999995516, -0.14285714284665682, 0.11111111015187018,
    -0.0909090457530649, 0.07692183125376892, -0.06664510525508936, 0.05858140904866328,
    -0.050854078345894844, 0.03923044778479309, -0.019175404711104935,
)  # fmt: skip
_SIN: Final = (
    -0.16666666666666666, 0.008333333333333331, -0.0001984126984126504, 2.755731921932058e-06,
    -2.50521062259944e-08, 1.6058530596645953e-10, -7.586636882825159e-13,
)  # fmt: skip
_COS: Final = (
    0.041666666666666664, -0.0013888888888887389, 2.48015872987544e-05, -2.755731726587808e-07,
    2.087614504941318e-09, -1.138254464534925e-11,
)  # fmt: skip
_PI, _HALF_PI, _QUARTER_PI = 3.141592653589793, 1.5707963267948966, 0.7853981633974483
_HALF_PI_REST: Final = 6.123233995736766e-17
"""What the double nearest to pi/2 lacks."""
_SHIFT: Final = 1.5 * 2.0**52
"""Added to a whole number, it leaves that number in the lowest bits."""
_TAN_EIGHTH: Final = 0.41421356237309503


class _Writer:
    """Instructions of one function, with short names for the types."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.lines: list[str] = []
        self.declared: set[str] = set()

    def op(self, name: str, text: str, *operands: str) -> str:
        """`name = <text> type operand, operand`; the name."""
        self.lines.append(f"%{name} = {text} {self.types.number} {', '.join(operands)}")
        return f"%{name}"

    def call(self, name: str, intrinsic: str, *operands: str) -> str:
        """A call of an LLVM intrinsic; the name of its result."""
        number = self.types.number
        function = f"llvm.{intrinsic}.{self.types.suffix}"
        self.declared.add(f"declare {number} @{function}({', '.join([number] * len(operands))})")
        given = ", ".join(f"{number} {operand}" for operand in operands)
        self.lines.append(f"%{name} = call {number} @{function}({given})")
        return f"%{name}"

    def select(self, name: str, condition: str, yes: str, no: str) -> str:
        """A selection; the name of its result."""
        number = self.types.number
        self.lines.append(f"%{name} = select {self.types.truth} {condition}, {number} {yes}, {number} {no}")
        return f"%{name}"

    def truth(self, name: str, text: str, *operands: str) -> str:
        """Two truths joined by `and` or `or`; the name of the result."""
        self.lines.append(f"%{name} = {text} {self.types.truth} {', '.join(operands)}")
        return f"%{name}"

    def polynomial(self, name: str, coefficients: Sequence[float], powers: Sequence[str]) -> str:
        """A polynomial by Estrin's scheme, whose chains are short; `powers` are w, w^2, w^4, ..."""
        level = [self.types.double(coefficient) for coefficient in coefficients]
        for depth, power in enumerate(powers):
            pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
            level = [
                self.call(f"{name}.{depth}.{k}", "fmuladd", pair[1], power, pair[0]) if len(pair) == 2 else pair[0]
                for k, pair in enumerate(pairs)
            ]
        return level[0]


def definition(function: str, types: Types) -> Written:
    """The function `@parapick_<function>` at a width, always inlined, and the declarations it needs."""
    writer = _Writer(types)
    _DEFINITIONS[function](writer)
    arguments = {"atan2": ("y", "x")}.get(function, ("x",))
    given = ", ".join(f"{types.number} %{name}" for name in arguments)
    head = f"define internal {types.number} @parapick_{function}({given}) alwaysinline nounwind memory(none) {{"
    return Written([head, *writer.lines, "}"], writer.declared)


def _atan2(write: _Writer) -> None:
    constant = write.types.double
    zero, one = constant(0.0), constant(1.0)
    a, b = write.call("a", "fabs", "%y"), write.call("b", "fabs", "%x")
    steep = write.op("steep", "fcmp ogt", a, b)
    large, small = write.select("large", steep, a, b), write.select("small", steep, b, a)
    # "Or equal" turns two infinities back, the second condition keeps two zeros from it.
    wide = write.op("wide", "fcmp oge", small, write.op("limit", "fmul", large, constant(_TAN_EIGHTH)))
    back = write.truth("back", "and", wide, write.op("positive", "fcmp ogt", small, zero))
    difference = write.op("difference", "fsub", small, large)
    # Infinity less infinity is NaN and becomes 0, as it should be on the diagonal.
    difference = write.select("shift", write.op("below", "fcmp olt", difference, zero), difference, zero)
    top = write.select("top", back, difference, small)
    bottom = write.select("bottom", back, write.op("sum", "fadd", small, large), large)
    # Two zeros: 0 over 1 is 0. NaN compares false and stays.
    z = write.op("z", "fdiv", top, write.select("over", write.op("none", "fcmp oeq", bottom, zero), one, bottom))
    w = write.op("w", "fmul", z, z)
    w2 = write.op("w2", "fmul", w, w)
    w4 = write.op("w4", "fmul", w2, w2)
    series = write.polynomial("p", _ATAN, (w, w2, w4, write.op("w8", "fmul", w4, w4)))
    angle = write.call("angle", "fmuladd", write.op("cube", "fmul", z, w), series, z)
    octant = write.op("octant", "fadd", angle, write.select("offset", back, constant(_QUARTER_PI), zero))
    quadrant = write.select("quadrant", steep, write.op("rest", "fsub", constant(_HALF_PI), octant), octant)
    # By the sign bit, which -0 has too.
    number, none = write.types.number, write.types.constant("0", "i64")
    bits = number.replace("double", "i64")
    write.lines += [f"%word = bitcast {number} %x to {bits}", f"%left = icmp slt {bits} %word, {none}"]
    half = write.select("half", "%left", write.op("other", "fsub", constant(_PI), quadrant), quadrant)
    write.lines.append(f"ret {number} {write.call('signed', 'copysign', half, '%y')}")


def _turned(function: str) -> Callable[[_Writer], None]:
    """Sine or cosine: the polynomial of the quadrant; both are computed, and shared where both are asked for."""

    def written(write: _Writer) -> None:
        constant = write.types.double
        n = write.call("n", "rint", write.op("turns", "fmul", "%x", constant(1 / _HALF_PI)))
        r = write.call("r0", "fma", n, constant(-_HALF_PI), "%x")
        r = write.call("r", "fma", n, constant(-_HALF_PI_REST), r)
        w = write.op("w", "fmul", r, r)
        w2 = write.op("w2", "fmul", w, w)
        powers = (w, w2, write.op("w4", "fmul", w2, w2))
        cube = write.op("cube", "fmul", r, w)
        sine = write.call("sine", "fmuladd", cube, write.polynomial("s", _SIN, powers), r)
        near = write.call("near", "fmuladd", w, constant(-0.5), constant(1.0))
        cosine = write.call("cosine", "fmuladd", w2, write.polynomial("c", _COS, powers), near)
        value = _in_quadrant(write, function, n, sine, cosine)
        if function == "sin":
            # The reduction adds +0 to -0 and loses its sign.
            value = write.select("kept", write.op("zero", "fcmp oeq", "%x", constant(0.0)), "%x", value)
        write.lines.append(f"ret {write.types.number} {value}")

    return written


def _in_quadrant(write: _Writer, function: str, n: str, sine: str, cosine: str) -> str:
    """Sine or cosine of an angle from those of what is left of it after n quarter turns; the name of the result."""
    number, whole = write.types.number, write.types.constant
    words = number.replace("double", "i64")
    shifted = write.op("shifted", "fadd", n, write.types.double(_SHIFT))
    one, two, far = (whole(f"{value}", "i64") for value in (1, 2, 62))
    write.lines += [
        f"%turn = bitcast {number} {shifted} to {words}",
        f"%last = and {words} %turn, {one}",
        f"%odd = icmp ne {words} %last, {whole('0', 'i64')}",
        # The sine is negative in the last two quadrants, the cosine in the two before.
        f"%ahead = add {words} %turn, {one if function == 'cos' else whole('0', 'i64')}",
        f"%half = and {words} %ahead, {two}",
        f"%sign = shl {words} %half, {far}",
    ]
    same, other = (sine, cosine) if function == "sin" else (cosine, sine)
    value = write.select("value", "%odd", other, same)
    write.lines += [
        f"%value.word = bitcast {number} {value} to {words}",
        f"%signed.word = xor {words} %value.word, %sign",
        f"%signed = bitcast {words} %signed.word to {number}",
    ]
    return "%signed"


_DEFINITIONS: Final = {"atan2": _atan2, "sin": _turned("sin"), "cos": _turned("cos")}
