"""A kernel for small batches as LLVM text: its computation, and what the loop that all kernels share must know of it.

The exported function is the inner loop of a gufunc, `void loop(args, dimensions, steps, table)`: it hands its
arguments to `shared_loop`, with the functions that compute and with the shapes of the operands. It is compiled in half
the time of a loop of its own (`batch_loop`), which takes up to a tenth less time over a row. Both call the same
computation, so that results agree to the last bit.
"""

from __future__ import annotations

from parapick.kernel.llvm.batch_loop import computation
from parapick.kernel.llvm.compiler import TURNS, symbol
from parapick.kernel.llvm.module import module
from parapick.kernel.llvm.operands import AXES, Operands
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.tile_moves import LEAST, OPERAND_BYTES, load_field
from parapick.kernel.trace.instructions import Trace


def small_batch_module(trace: Trace, target: Target) -> str:
    """The whole module for a trace, as LLVM text."""
    trace = trace.compact()
    operands = Operands.of(trace, target.width)
    written, hoisted = computation(trace, target, operands)
    lines = [*_compute(operands), *_loop(trace, target, operands, hoisted)]
    return module(trace, target, written, lines, shares=True)


def _compute(operands: Operands) -> list[str]:
    """`@compute(operands, hoisted, turns)`: the rows of some turns, from where their operands are found."""
    lines = ["define internal void @compute(ptr %operands, ptr %hoisted, i64 %turns) #0 {", "entry:"]
    first, passed, last = [], [], []
    for place in (one.place for one in operands.streams):
        operand, here = f"%operand{place}", f"%here{place}"
        lines.append(f"{operand} = getelementptr i8, ptr %operands, i64 {OPERAND_BYTES * place}")
        for name in ("here", "here_row", "here_column", "step"):
            lines += load_field(name, f"{name}{place}.first" if name == "here" else f"{name}{place}", operand)
        first.append(f"{here} = phi ptr [ {here}.first, %entry ], [ {here}.next, %turn ]")
        passed.append(f"ptr {here}, i64 %here_row{place}, i64 %here_column{place}")
        last.append(f"{here}.next = getelementptr i8, ptr {here}, i64 %step{place}")
    return [
        *lines,
        "br label %turn",
        "turn:",
        "%t = phi i64 [ 0, %entry ], [ %t.next, %turn ]",
        *first,
        operands.compute(passed),
        *last,
        "%t.next = add i64 %t, 1",
        "%t.more = icmp slt i64 %t.next, %turns",
        "br i1 %t.more, label %turn, label %done",
        "done:",
        "ret void",
        "}",
    ]


def _loop(trace: Trace, target: Target, operands: Operands, hoisted: int) -> list[str]:
    """The exported function."""
    size, everything = 8 * target.width, [*operands.sources, *operands.outputs]
    turn = size * sum(max(LEAST, one.rows * one.columns) for one in everything)
    tiled = operands.block // target.width
    room = {"operands": OPERAND_BYTES * len(everything), "tiles": tiled * turn, "hoisted": size * hoisted}
    numbers = [tiled, len(operands.inputs), len(operands.parameters), len(operands.outputs)]
    stride = len(everything)
    for one in everything:
        # NumPy puts the strides inside of rows behind those from row to row, operand after operand.
        places = [*range(stride, stride + len(one.axes))]
        stride += len(places)
        numbers += [*[0] * (len(AXES) - len(places)), *places, one.rows, one.columns]
    prepare = "@prologue" if operands.parameters else "null"
    kernel = ", ".join(["ptr @compute", f"ptr {prepare}", *(f"i64 {number}" for number in numbers)])
    pointers = ", ".join(f"ptr %{name}" for name in ("args", "dimensions", "steps", "table"))
    passed = ", ".join(f"ptr {name}" for name in ("@kernel", "%operands", "%tiles", "%hoisted"))
    return [
        f"@kernel = private constant {{ ptr, ptr{', i64' * len(numbers)} }} {{ {kernel} }}, align 8",
        f"declare void @{TURNS}({', '.join(['ptr'] * 8)})",
        f"define void @{symbol(trace.name)}({pointers}) #0 {{",
        *[f"%{name} = alloca [{count} x i8], align {size}" for name, count in room.items()],
        f"call void @{TURNS}({pointers}, {passed})",
        "ret void",
        "}",
    ]
