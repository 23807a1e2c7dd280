"""Objects for processors other than this machine's, by the LLVM that is there: plain functions, one row a call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from parapick.errors import KernelError
from parapick.kernel.llvm.compiler import compile_text
from parapick.kernel.llvm.function import Array, body
from parapick.kernel.llvm.lowering import Lowering
from parapick.kernel.llvm.module import module
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import Written
from parapick.kernel.trace.instructions import Trace

PROCESSORS: Final = {
    "aarch64": Target("aarch64-linux-gnu", "cortex-a72", width=1),
    "cortex-m7": Target("thumbv7em-none-none-eabihf", "cortex-m7", "+fp-armv8d16", width=1),
}
"""Processors by name: 64-bit ARM under Linux; Cortex-M7 with its double-precision unit, hard-float calls, no system."""


def processor_object(traces: Iterable[Trace], prefix: str, processor: str) -> bytes:
    """Computations without parameters as an object file (ELF) for a processor.

    Each is `void <prefix>_<name>(const double *input, ..., double *output, ...)`, arrays row after row, all answers NaN
    where one is not valid. They call nothing but the C mathematics library.

    Args:
        traces: the computations.
        prefix: what the names of the functions begin with.
        processor: one of `PROCESSORS`.

    Raises:
        KernelError: another processor, or a computation with parameters.
    """
    if processor not in PROCESSORS:
        raise KernelError(processor, f"is not a processor that objects are made for; valid are {', '.join(PROCESSORS)}")
    target = PROCESSORS[processor]
    written: list[Written] = []
    traces = tuple(traces)
    for trace in traces:
        if trace.parameters:
            raise KernelError(trace.name, "has parameters; give it numbers in their place")
        written += _functions(trace, f"{prefix}_{trace.name}", target)
    return compile_text(module(traces[0], target, written, []), target)


def _functions(trace: Trace, name: str, target: Target) -> list[Written]:
    """The computation, and the function that calls it from outside."""
    sources = {port: Array(f"%i{port}", 1, one.size) for port, one in enumerate(trace.inputs)}
    sinks = [Array(f"%o{port}", 1, one.size) for port, one in enumerate(trace.outputs)]
    inner = body(f"{name}.body", Lowering(trace, target), sources, sinks, gate=False)
    given, wanted = ([f"ptr {array.name}" for array in arrays] for arrays in (sources.values(), sinks))
    outer = [
        f"define void @{name}({', '.join([*given, *wanted])}) {{",
        f"call void @{name}.body({', '.join([*given, 'ptr null', *wanted])})",
        "ret void",
        "}",
    ]
    return [inner, Written(outer, set())]
