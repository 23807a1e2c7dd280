"""Sine, cosine, arctangent and exponential written out as LLVM, so that no call stands amid the code around them.

A call of a vector function costs little by itself, but every value alive around it must go to memory and back. The
first three are what kinematics need: an arctangent per leg, sine and cosine of the yaw. Dry friction needs the last, of
numbers so negative that a library computes lane after lane what is 0 in all of them.

`atan2`: the larger of |x| and |y| divides the smaller; quotients above tan(pi/8) are turned back by pi/4 before the one
division. For what is left, |z| <= tan(pi/8), `atan z = z + z^3 P(z^2)`.

`sin`, `cos`: `r = x - n pi/2` with n the nearest integer, in two fused steps that lose nothing for |x| up to 1e5; then
`sin r = r + r^3 S(r^2)` and `cos r = 1 - r^2/2 + r^4 C(r^2)`, exchanged and negated by quadrant.

Larger arguments of these two are the business of `angles`.

`exp`: `r = x - n log 2` with n the nearest integer, likewise; `exp r = 1 + r + r^2 E(r)`, times 2^n by its exponent.
What is less than exp(-708), about 3e-308, is 0: numbers that are subnormal take long and serve nobody.

The polynomials interpolate in Chebyshev points and are off by less than 1e-17; with rounding, results are within 2.5
units in the last place. Signs of zeros, infinities and NaN are those of C. No fast-math flags: these sequences live
from their rounding. No constant is subnormal: arithmetic with such a number takes many processors a hundred cycles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from parapick.kernel.llvm.types import Types, Written
from parapick.kernel.llvm.writer import Writer

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
_EXP: Final = (
    0.5, 0.1666666666666667, 0.04166666666666667, 0.008333333333326141, 0.0013888888888883752,
    0.00019841269874800512, 2.4801587325533377e-05, 2.7557255425720897e-06, 2.75572736613304e-07,
    2.510520638458724e-08, 2.091467938417506e-09,
)  # fmt: skip
_PI, _HALF_PI, _QUARTER_PI = 3.141592653589793, 1.5707963267948966, 0.7853981633974483
_HALF_PI_REST: Final = 6.123233995736766e-17
"""What the double nearest to pi/2 lacks."""
_LOG2, _LOG2_REST = 0.6931471805599453, 2.3190468138462996e-17
"""The double nearest to log 2, and what it lacks."""
_LEAST, _MOST = -708.0, 710.0
"""Exponents of which the exponential is 0 below, and infinite above."""
_HALF_BIAS: Final = 1022
"""Bias of the exponent of a double, less one: with it 2^n becomes half of that, which exists for n = 1024 too."""
_FRACTION: Final = 52
"""Bits behind the exponent of a double."""
_SHIFT: Final = 1.5 * 2.0**52
"""Added to a whole number, it leaves that number in the lowest bits."""
_TAN_EIGHTH: Final = 0.41421356237309503


def definition(function: str, types: Types) -> Written:
    """The function `@parapick_<function>` at a width, always inlined, and the declarations it needs."""
    writer = Writer(types)
    _DEFINITIONS[function](writer)
    arguments = {"atan2": ("y", "x")}.get(function, ("x",))
    given = ", ".join(f"{types.number} %{name}" for name in arguments)
    head = f"define internal {types.number} @parapick_{function}({given}) alwaysinline nounwind memory(none) {{"
    return Written([head, *writer.lines, "}"], writer.declared)


def _atan2(write: Writer) -> None:
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


def _turned(function: str) -> Callable[[Writer], None]:
    """Sine or cosine: the polynomial of the quadrant; both are computed, and shared where both are asked for."""

    def written(write: Writer) -> None:
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


def _in_quadrant(write: Writer, function: str, n: str, sine: str, cosine: str) -> str:
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


def _exp(write: Writer) -> None:
    constant, words = write.types.double, write.types.number.replace("double", "i64")
    least, most = constant(_LEAST), constant(_MOST)
    x = write.select("high", write.op("over", "fcmp ogt", "%x", most), most, "%x")
    x = write.select("low", write.op("under", "fcmp olt", x, least), least, x)
    n = write.call("n", "rint", write.op("powers", "fmul", x, constant(1 / _LOG2)))
    r = write.call("r0", "fma", n, constant(-_LOG2), x)
    r = write.call("r", "fma", n, constant(-_LOG2_REST), r)
    r2 = write.op("r2", "fmul", r, r)
    r4 = write.op("r4", "fmul", r2, r2)
    series = write.polynomial("e", _EXP, (r, r2, r4, write.op("r8", "fmul", r4, r4)))
    value = write.op("value", "fadd", write.call("rest", "fmuladd", r2, series, r), constant(1.0))
    shifted = write.op("shifted", "fadd", n, constant(_SHIFT))
    bias, places = (write.types.constant(f"{whole}", "i64") for whole in (_HALF_BIAS, _FRACTION))
    write.lines += [
        f"%whole = bitcast {write.types.number} {shifted} to {words}",
        f"%biased = add {words} %whole, {bias}",
        f"%exponent = shl {words} %biased, {places}",
        f"%scale = bitcast {words} %exponent to {write.types.number}",
    ]
    # Twice the value first: half of 2^n is there for every n.
    scaled = write.op("scaled", "fmul", write.op("twice", "fadd", value, value), "%scale")
    result = write.select("result", "%under", constant(0.0), scaled)
    write.lines.append(f"ret {write.types.number} {result}")


_DEFINITIONS: Final = {"atan2": _atan2, "sin": _turned("sin"), "cos": _turned("cos"), "exp": _exp}
