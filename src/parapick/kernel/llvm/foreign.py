"""Objects for processors other than this machine's, by the LLVM that is there: plain functions, one row a call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from parapick.errors import KernelError
from parapick.kernel.llvm.compiler import assembly_text, compile_text
from parapick.kernel.llvm.function import Array, body
from parapick.kernel.llvm.lowering import Lowering
from parapick.kernel.llvm.module import module
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import Written
from parapick.kernel.operations import OPERATIONS
from parapick.kernel.trace.instructions import Trace

PROCESSORS: Final = {
    "aarch64": Target("aarch64-linux-gnu", "cortex-a72", width=1),
    "cortex-m7": Target("thumbv7em-none-none-eabihf", "cortex-m7", "+fp-armv8d16", width=1),
}
"""Processors by name: 64-bit ARM under Linux; Cortex-M7 with its double-precision unit, hard-float calls, no system."""


@final
@dataclass(frozen=True, eq=False)
class ProcessorObject:
    """Computations as machine code for a processor.

    Attributes:
        code: an object file (ELF).
        instructions: by function, how many it has; it has no loops, so that a call takes no more. Those of the C
            mathematics library are not in it.
        calls: by function, how often it calls that library at most.
    """

    code: bytes
    instructions: dict[str, int]
    calls: dict[str, int]


def processor_object(traces: Iterable[Trace], prefix: str, processor: str) -> ProcessorObject:
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
    names: list[str] = []
    traces = tuple(traces)
    for trace in traces:
        if trace.parameters:
            raise KernelError(trace.name, "has parameters; give it numbers in their place")
        names.append(f"{prefix}_{trace.name}")
        written += _functions(trace, names[-1], target)
    text = module(traces[0], target, written, [])
    counts = _counted(assembly_text(text, target))
    instructions = {name: counts[name] + counts[f"{name}.body"] for name in names}
    calls = {name: _calls(trace) for name, trace in zip(names, traces, strict=True)}
    return ProcessorObject(compile_text(text, target), instructions, calls)


def _calls(trace: Trace) -> int:
    """Operations that are functions of the C mathematics library."""
    known = [OPERATIONS.get(instruction.operation) for instruction in trace.instructions]
    return sum(operation is not None and bool(operation.function) for operation in known)


def _counted(assembly: str) -> Counter[str]:
    """Instructions by function: indented lines that are neither directives nor comments."""
    counts: Counter[str] = Counter()
    function = ""
    for line in assembly.splitlines():
        label = re.match(r'"?([A-Za-z_][\w.]*)"?:', line)
        if label:
            function = label[1]
        elif re.match(r"\s+[a-z]", line):
            counts[function] += 1
    return counts


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
