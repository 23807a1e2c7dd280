"""Angles too large for the sine and cosine that are written out, as LLVM text.

`elementary` reduces angles up to `LARGEST`; the sine and cosine of a larger one come from libm. A call of libm amid a
function would send every value alive around it to memory and back, whether it is made or not. So a function computes
to its end as if every angle were small. It has noted its angles; where one is large, sines and cosines of the large
ones are looked up, and the function runs again from its beginning, with these in the place of what it would compute.
It does so until no angle is new: an angle may depend on the sine of another.

A lane has what is looked up where its angle is the one looked up, and else what is computed: a row does not depend on
its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final

from parapick.kernel.llvm.compiler import LOOK_UP
from parapick.kernel.llvm.types import Types, Written

LARGEST: Final = 1e5
"""Angles up to here keep all digits in the two steps of the reduction."""

FUNCTIONS: Final = ("sin", "cos")
"""What is looked up of an angle, in the order of its memory, behind the angle itself."""

_ENTRIES: Final = 1 + len(FUNCTIONS)

LOOK_UP_DECLARED: Final = f"declare i1 @{LOOK_UP}(ptr, ptr, ptr, i64) nounwind"


@final
@dataclass
class Angles:
    """The angles of a function being written.

    Attributes:
        types: LLVM's spelling of types at the width of the function.
        names: LLVM operands of the angles so far.
    """

    types: Types
    names: list[str] = field(default_factory=list)

    def value(self, function: str, result: str, angle: str) -> list[str]:
        """Lines that make `result` the sine or cosine of an angle."""
        number, truth = self.types.number, self.types.truth
        lines = [] if angle in self.names else self._note(angle)
        place = self.names.index(angle)
        return [
            *lines,
            f"{result}.small = call {number} @parapick_{function}({number} {angle})",
            *self._known(f"{result}.large", place, 1 + FUNCTIONS.index(function)),
            f"{result} = select {truth} %angle{place}.is, {number} {result}.large, {number} {result}.small",
        ]

    def _note(self, angle: str) -> list[str]:
        """Store an angle; ask whether it is small, and whether it has been looked up."""
        place, number, size = len(self.names), self.types.number, f"llvm.fabs.{self.types.suffix}"
        self.names.append(angle)
        name = f"%angle{place}"
        return [
            f"{name}.at = getelementptr i8, ptr %angles, i64 {place * self.types.bytes}",
            f"store {number} {angle}, ptr {name}.at, align {self.types.bytes}",
            f"{name}.size = call {number} @{size}({number} {angle})",
            # NaN stays NaN and needs nothing.
            f"{name}.small = fcmp ule {number} {name}.size, {self.types.double(LARGEST)}",
            *self._known(f"{name}.known", place, 0),
            f"{name}.is = fcmp oeq {number} {name}.known, {angle}",
        ]

    def _known(self, result: str, place: int, entry: int) -> list[str]:
        """Load what is known of an angle: the angle looked up, its sine or its cosine."""
        offset = (place * _ENTRIES + entry) * self.types.bytes
        return [
            f"{result}.at = getelementptr i8, ptr %angles.known, i64 {offset}",
            f"{result} = load {self.types.number}, ptr {result}.at, align {self.types.bytes}",
        ]

    def around(self, lines: list[str]) -> Written:
        """The lines of a function, which run again where an angle is large, and what they need declared."""
        if not self.names:
            return Written(lines, set())
        number, suffix, truth, count = self.types.number, self.types.suffix, self.types.truth, len(self.names)
        entries = count * _ENTRIES * self.types.width
        none = f"@angles.none{entries}"
        nothing = ", ".join([f"double {Types(1).nan}"] * entries)
        declared = {
            f"declare {number} @llvm.fabs.{suffix}({number})",
            f"{none} = private constant [{entries} x double] [{nothing}], align {self.types.bytes}",
        }
        small = [f"%angles.small{place}" for place in range(count)]
        joined = zip([self.types.constant("true", "i1"), *small], small, strict=False)
        return Written(
            [
                "entry:",
                f"%angles = alloca [{count * self.types.bytes} x i8], align {self.types.bytes}",
                f"%angles.own = alloca [{8 * entries} x i8], align {self.types.bytes}",
                "br label %again",
                "again:",
                f"%angles.known = phi ptr [ {none}, %entry ], [ %angles.own, %large ]",
                *lines,
                *[
                    f"{after} = and {truth} {before}, %angle{place}.small"
                    for place, (before, after) in enumerate(joined)
                ],
                *self.types.all_true(small[-1], "%angles.small"),
                "br i1 %angles.small, label %leave, label %large, !prof !0",
                "large:",
                f"%angles.new = call i1 @{LOOK_UP}(ptr %angles, ptr %angles.known, ptr %angles.own, i64 {count})",
                "br i1 %angles.new, label %again, label %leave",
                "leave:",
            ],
            declared,
        )


def look_up(width: int) -> Written:
    """`i1 @parapick.look_up(angles, known, own, count)`: look up sines and cosines of large angles; whether one is new.

    What is known is at `known` before, or nothing, and at `own` behind; in lanes of small angles it is NaN.
    """
    nan, size = Types(1).nan, 8 * width
    lines = [
        f"define i1 @{LOOK_UP}(ptr %angles, ptr %known, ptr %own, i64 %count) #1 {{",
        "entry:",
        f"%end = mul i64 %count, {width}",
        "br label %next",
        "next:",
        "%i = phi i64 [ 0, %entry ], [ %i.next, %next ]",
        "%new = phi i1 [ false, %entry ], [ %new.next, %next ]",
        f"%place = udiv i64 %i, {width}",
        f"%lane = urem i64 %i, {width}",
        f"%first = mul i64 %place, {_ENTRIES * width}",
        "%entry.number = add i64 %first, %lane",
        "%angle.at = getelementptr double, ptr %angles, i64 %i",
        "%angle = load double, ptr %angle.at, align 8",
        "%size = call double @llvm.fabs.f64(double %angle)",
        f"%large = fcmp ogt double %size, {Types(1).double(LARGEST)}",
        "%known.at = getelementptr double, ptr %known, i64 %entry.number",
        "%before = load double, ptr %known.at, align 8",
        "%other = fcmp une double %before, %angle",
        "%fresh = and i1 %large, %other",
        "%new.next = or i1 %new, %fresh",
        f"%wanted = select i1 %large, double %angle, double {nan}",
        "%own.at = getelementptr double, ptr %own, i64 %entry.number",
        "store double %wanted, ptr %own.at, align 8",
    ]
    for entry, function in enumerate(FUNCTIONS, 1):
        lines += [
            f"%{function} = call double @{function}(double %wanted)",
            f"%{function}.at = getelementptr i8, ptr %own.at, i64 {entry * size}",
            f"store double %{function}, ptr %{function}.at, align 8",
        ]
    lines += [
        "%i.next = add i64 %i, 1",
        "%more = icmp slt i64 %i.next, %end",
        "br i1 %more, label %next, label %done",
        "done:",
        "ret i1 %new.next",
        "}",
    ]
    declared = {"declare double @llvm.fabs.f64(double)"}
    declared |= {f"declare double @{function}(double) nounwind willreturn memory(none)" for function in FUNCTIONS}
    return Written(lines, declared)
