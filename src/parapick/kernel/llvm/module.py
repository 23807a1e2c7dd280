"""What every module of LLVM text has around its own functions: mathematics, declarations, attributes, the ending."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from parapick.kernel.llvm.angles import FUNCTIONS, LOOK_UP_DECLARED, look_up
from parapick.kernel.llvm.elementary import definition
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import Types, Written
from parapick.kernel.operations import OPERATIONS
from parapick.kernel.trace.instructions import Trace

_ATTRIBUTES: Final = 'nounwind "prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'
"""Vectors are as wide as the target; wider registers would only lower the clock."""

_ALIGNED: Final = '"stackrealign"'
"""Values that do not fit into registers lie on the stack within one cache line each: LLVM notices too late that it
needs aligned memory for them, and a vector across two lines takes twice as long."""

_DECLARED: Final = {
    "declare i32 @fetestexcept(i32)",
    "declare i32 @feclearexcept(i32)",
    "declare i64 @llvm.smin.i64(i64, i64)",
    "declare i64 @llvm.smax.i64(i64, i64)",
    "declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, <4 x i1>, <4 x double>)",
    "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
}


def module(trace: Trace, target: Target, written: Iterable[Written], loops: list[str], *, shares: bool = False) -> str:
    """A whole module as LLVM text.

    Args:
        trace: the computation.
        target: what code is made for.
        written: the functions that compute.
        loops: what is around them.
        shares: whether large angles are looked up by the function that kernels share (`shared_loop`).
    """
    used = {OPERATIONS[each.operation].function for each in trace.instructions if each.operation in OPERATIONS}
    called = sorted(target.written_out & used)
    functions = [*written, *(definition(name, Types(target.width)) for name in called)]
    if set(FUNCTIONS) & set(called):
        functions.append(Written([], {LOOK_UP_DECLARED}) if shares else look_up(target.width))
    return around([*functions, Written(loops, set())], target)


def around(functions: Iterable[Written], target: Target) -> str:
    """Functions as a module: with the declarations they need, and the meaning of their attributes."""
    functions = list(functions)
    declared = sorted({line for function in functions for line in function.declared} | _DECLARED)
    # One declaration per function, whatever attributes it was declared with.
    once = sorted({line.split("(")[0]: line for line in declared}.values())
    text = [line for function in functions for line in function.lines]
    attributes = _ATTRIBUTES.format(bits=max(256, 64 * target.width))
    ends = ['!0 = !{!"branch_weights", i32 1000, i32 1}']
    ends += [f"attributes #0 = {{ {attributes} }}", f"attributes #1 = {{ noinline {_ALIGNED} {attributes} }}"]
    ends += [f"attributes #2 = {{ alwaysinline {attributes} }}", ""]
    return "\n".join([f'target triple = "{target.triple}"', *once, *text, *ends])


def ending(target: Target) -> list[str]:
    """The end of an exported loop, from the label `check` on: the floating-point status is cleared.

    NaN is an answer here, not an accident to warn about.
    """
    return [
        "check:",
        f"%raised = call i32 @fetestexcept(i32 {target.exceptions})",
        "%quiet = icmp eq i32 %raised, 0",
        "br i1 %quiet, label %done, label %clear",
        "clear:",
        f"%cleared = call i32 @feclearexcept(i32 {target.exceptions})",
        "br label %done",
        "done:",
        "ret void",
        "}",
    ]
