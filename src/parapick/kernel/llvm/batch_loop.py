"""The inner loop of a gufunc around the computation, as LLVM text: `void loop(args, dimensions, steps, data)`.

Each turn computes `width` rows. An operand whose rows lie 8 bytes apart (a structure of arrays) is read and written in
place; any other goes through a tile (see `gather`). An input with outer stride 0 fills its tile once per call. Where
all operands are of these kinds or rows without gaps, whole turns run in a loop of their own (see `whole_turns`); in any
other turn, and where rows are missing, everything goes through tiles. Parameters with outer stride 0
are prepared once per call, otherwise for the rows of each turn. Each way calls the same code, so that the results agree
to the last bit.
"""

from __future__ import annotations

from parapick.kernel.llvm.compiler import symbol
from parapick.kernel.llvm.function import body, prologue, shared_slots
from parapick.kernel.llvm.lowering import STRETCH, Lowering
from parapick.kernel.llvm.module import ending, module
from parapick.kernel.llvm.operands import AXES, Operand, Operands, when
from parapick.kernel.llvm.parameter_loads import collect, collectors
from parapick.kernel.llvm.row_moves import movers
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import Written
from parapick.kernel.llvm.whole_turns import whole_turns
from parapick.kernel.trace.instructions import Trace


def batch_module(trace: Trace, target: Target) -> str:
    """The whole module for a trace, as LLVM text."""
    trace = trace.compact()
    operands = Operands.of(trace, target.width)
    written, hoisted = computation(trace, target, operands)
    moving = collectors(target.width) if operands.parameters else []
    if target.width > 1:
        gathered, scattered = (
            [(operand.rows, operand.columns) for operand in listed] for listed in (operands.inputs, operands.outputs)
        )
        moving += movers(gathered, scattered, target.width)
    return module(trace, target, written, [*moving, *_loop(trace, target, operands, hoisted)])


def computation(trace: Trace, target: Target, operands: Operands) -> tuple[list[Written], int]:
    """The functions that compute the rows of a turn, and how many hoisted values they share.

    Args:
        trace: the computation, of nothing but the parameters that it uses.
        target: what code is made for.
        operands: its arguments.
    """
    slots = shared_slots(trace.hoisted) if operands.parameters else {}
    lowering = Lowering(trace, target, slots, STRETCH if slots else 0)
    sources = {port: operand.array(f"%x{port}") for port, operand in enumerate(operands.inputs)}
    sinks = [operand.array(f"%y{port}") for port, operand in enumerate(operands.outputs)]
    written = [body("body", lowering, sources, sinks, gate=bool(operands.parameters))]
    return [*written, *(prologue(trace, target, slots) for _ in operands.parameters)], len(slots)


def _loop(trace: Trace, target: Target, operands: Operands, hoisted: int) -> list[str]:
    """The exported function."""
    everything = [*operands.sources, *operands.outputs]
    lines = [
        f"define void @{symbol(trace.name)}(ptr %args, ptr %dimensions, ptr %steps, ptr %data) #0 {{",
        "entry:",
        *_storage(target, operands, hoisted),
        "%n = load i64, ptr %dimensions, align 8",
        *_arguments(everything),
        "%some = icmp sgt i64 %n, 0",
        "br i1 %some, label %start, label %done",
        "start:",
    ]
    lines += [*_shared_sources(target, operands), "br label %before", "before:"]
    if target.width > 1:
        lines += whole_turns(operands)
    else:
        lines += ["br label %rest", "rest:", "%first = add i64 0, 0"]
    return [*lines, *_turn(target, operands), *ending(target)]


def _storage(target: Target, operands: Operands, hoisted: int) -> list[str]:
    """Memory of the call: the parameters that are used, the hoisted values, and a tile for each other operand."""
    size = 8 * target.width
    lines = [f"%hoisted = alloca [{size * hoisted} x i8], align {size}"] if hoisted else []
    tiles = [*operands.parameters, *(operands.streams if target.width > 1 else [])]
    rows = {operand.place: operands.block if operand in operands.streams else target.width for operand in tiles}
    return lines + [
        f"%tile{operand.place} = alloca [{operand.row_bytes * rows[operand.place]} x i8], align {size}"
        for operand in tiles
    ]


def _arguments(operands: list[Operand]) -> list[str]:
    """Read pointer, outer stride and core strides of each operand; NumPy puts all core strides after the outer ones."""
    lines = []
    core = len(operands)
    for k, axes, *_ in operands:
        lines += [
            f"%args{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"%base{k} = load ptr, ptr %args{k}, align 8",
            f"%steps{k} = getelementptr i64, ptr %steps, i64 {k}",
            f"%outer{k} = load i64, ptr %steps{k}, align 8",
            f"%lanes{k} = icmp eq i64 %outer{k}, 8",
        ]
        for axis in AXES:
            if axis in axes:
                lines.append(f"%steps{k}.{axis} = getelementptr i64, ptr %steps, i64 {core}")
                lines.append(f"%core{k}.{axis} = load i64, ptr %steps{k}.{axis}, align 8")
                core += 1
            else:
                lines.append(f"%core{k}.{axis} = add i64 0, 0")
    return lines


def _shared_sources(target: Target, operands: Operands) -> list[str]:
    """Fill the tile of each source that all rows share (`same`), and prepare shared parameters, once per call."""
    lines = []
    for operand in operands.sources:
        k = operand.place
        lines.append(f"%same{k} = icmp eq i64 %outer{k}, 0")
        if operand in operands.parameters:
            once = _prepared(operand, [f"%base{k}"])
        else:
            once = [operand.move("gather", [f"%base{k}"] * operand.width)] if target.width > 1 else []
        lines += when(f"%same{k}", f"fill{k}", once)
    return lines


def _prepared(parameters: Operand, rows: list[str]) -> list[str]:
    """Prepare the parameters of a row for each lane, or of one for all."""
    k = parameters.place
    return [
        collect(rows, f"%core{k}.column", "%data", f"%tile{k}"),
        f"call void @prologue(ptr %tile{k}, ptr %hoisted)",
    ]


def _turn(target: Target, operands: Operands) -> list[str]:
    """The loop over turns of any layout, the last one with rows missing; several rows go through tiles."""
    lines = ["br label %turn", "turn:", "%i = phi i64 [ %first, %rest ], [ %i.next, %end ]"]
    if target.width > 1:
        # The last row is repeated where rows are missing.
        lines += ["%left = sub i64 %n, %i", "%last = sub i64 %left, 1"]
        lines += [f"%row{row} = call i64 @llvm.smin.i64(i64 %last, i64 {row})" for row in range(1, target.width)]
    for operand in operands.sources:
        lines.append(f"%varies{operand.place} = xor i1 %same{operand.place}, true")
    for operand in operands.inputs:
        lines += _position(target, operand)
        if target.width > 1:
            lines += when(f"%varies{operand.place}", f"move{operand.place}", [operand.move("gather", _rows(operand))])
    for operand in operands.parameters:
        varying = [*_position(target, operand), *_prepared(operand, _rows(operand))]
        lines += when(f"%varies{operand.place}", "varying", varying)
    for operand in operands.outputs:
        lines += _position(target, operand)
    lines.append(operands.compute([_used(target, operand) for operand in operands.streams]))
    lines += [operand.move("scatter", _rows(operand)) for operand in operands.outputs if target.width > 1]
    return [
        *lines,
        "br label %end",
        "end:",
        f"%i.next = add i64 %i, {target.width}",
        "%more = icmp slt i64 %i.next, %n",
        "br i1 %more, label %turn, label %check",
    ]


def _rows(operand: Operand) -> list[str]:
    """Names of the addresses of the rows of a turn."""
    return [f"%at{operand.place}.{row}" for row in range(operand.width)]


def _position(target: Target, operand: Operand) -> list[str]:
    """Where the rows of a turn are."""
    k = operand.place
    lines = [f"%skip{k} = mul i64 %i, %outer{k}", f"%at{k}.0 = getelementptr i8, ptr %base{k}, i64 %skip{k}"]
    for row in range(1, target.width):
        lines.append(f"%offset{k}.{row} = mul i64 %row{row}, %outer{k}")
        lines.append(f"%at{k}.{row} = getelementptr i8, ptr %at{k}.0, i64 %offset{k}.{row}")
    return lines


def _used(target: Target, operand: Operand) -> str:
    """An operand as an argument of a function: one row where it is, several in their tile."""
    k = operand.place
    if target.width == 1:
        return f"ptr %at{k}.0, i64 %core{k}.row, i64 %core{k}.column"
    return f"ptr %tile{k}, i64 {operand.tile['row']}, i64 {operand.tile['column']}"
