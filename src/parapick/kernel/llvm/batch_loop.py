"""The inner loop of a gufunc around the computation, as LLVM text: `void loop(args, dimensions, steps, data)`.

Each turn computes `width` rows. An operand whose rows lie 8 bytes apart (a structure of arrays) is read and written in
place; any other goes through a tile (see `gather`). An input with outer stride 0 fills its tile once per call. Where
all operands are of these kinds or rows without gaps, whole turns run in a loop of their own that has no strides to
think of; in any other turn, and where rows are missing, everything goes through tiles. Parameters with outer stride 0
are prepared once per call, otherwise for the rows of each turn. Each way calls the same code, so that the results agree
to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parapick.kernel.llvm.compiler import symbol
from parapick.kernel.llvm.function import Array, body, prologue, shared_slots
from parapick.kernel.llvm.lowering import STRETCH, Lowering
from parapick.kernel.llvm.module import ending, module
from parapick.kernel.llvm.parameter_loads import collect, collectors
from parapick.kernel.llvm.row_moves import move, movers
from parapick.kernel.llvm.target import Target
from parapick.kernel.trace.instructions import Trace

_AXES = ("row", "column")


class _Operand(NamedTuple):
    """An argument of the gufunc.

    Attributes:
        place: its place among the arguments.
        axes: names of its core axes: none, `column`, or `row` and `column`.
        rows: entries along `row`, 1 where there is none.
        columns: entries along `column`, 1 where there is none.
        width: rows of its tile.
    """

    place: int
    axes: tuple[str, ...]
    rows: int
    columns: int
    width: int

    def array(self, name: str) -> Array:
        """The operand as an argument of a function that computes."""
        return Array(name, self.rows, self.columns, strided=True)

    @property
    def tile(self) -> dict[str, int]:
        """The strides of its tile by axis, in bytes."""
        return {"row": 8 * self.width * self.columns, "column": 8 * self.width}

    def move(self, name: str, rows: Sequence[str], dense: bool = False) -> str:
        """The call that moves rows between memory and tile, without gaps (`dense`) or in any layout."""
        k = self.place
        own = None if dense else (f"%core{k}.row", f"%core{k}.column")
        return move(name, (self.rows, self.columns), rows, f"%tile{k}", own)


class _Operands(NamedTuple):
    """The arguments of the gufunc by what they are for.

    Attributes:
        inputs: what the body reads.
        parameters: what the prologue reads: one operand, or none.
        outputs: what the body writes.
        width: rows of a turn.
    """

    inputs: list[_Operand]
    parameters: list[_Operand]
    outputs: list[_Operand]
    width: int

    @property
    def sources(self) -> list[_Operand]:
        """What is read."""
        return [*self.inputs, *self.parameters]

    @property
    def streams(self) -> list[_Operand]:
        """What the body reads and writes, turn after turn."""
        return [*self.inputs, *self.outputs]

    def compute(self, streams: list[str]) -> str:
        """The call that computes the rows of a turn, by its operands with their strides."""
        streams.insert(len(self.inputs), "ptr %hoisted" if self.parameters else "ptr null")
        return f"call void @body({', '.join(streams)})"


def batch_module(trace: Trace, target: Target) -> str:
    """The whole module for a trace, as LLVM text."""
    trace = trace.compact()
    operands = _operands(trace, target.width)
    slots = shared_slots(trace.hoisted) if operands.parameters else {}
    lowering = Lowering(trace, target, slots, STRETCH if slots else 0)
    sources = {port: operand.array(f"%x{port}") for port, operand in enumerate(operands.inputs)}
    sinks = [operand.array(f"%y{port}") for port, operand in enumerate(operands.outputs)]
    written = [body("body", lowering, sources, sinks, gate=bool(operands.parameters))]
    written += [prologue(trace, target, slots) for _ in operands.parameters]
    moving = collectors(trace.parameters or 0, target.width) if operands.parameters else []
    if target.width > 1:
        gathered, scattered = (
            [(operand.rows, operand.columns) for operand in listed] for listed in (operands.inputs, operands.outputs)
        )
        moving += movers(gathered, scattered, target.width)
    return module(trace, target, written, [*moving, *_loop(trace, target, operands, len(slots))])


def _operands(trace: Trace, width: int) -> _Operands:
    """The operands in the order of the arguments: inputs, parameters, outputs."""
    # Behind the parameters that are used is one more entry, see `collect`.
    given = [] if trace.parameters is None else [(trace.parameters + 1,)]
    shapes = [*(port.shape for port in trace.inputs), *given, *(port.shape for port in trace.outputs)]
    listed = []
    for place, shape in enumerate(shapes):
        rows, columns = (1, 1, *shape)[-2:]
        listed.append(_Operand(place, _AXES[2 - len(shape) :], rows, columns, width))
    first, second = len(trace.inputs), len(trace.inputs) + len(given)
    return _Operands(listed[:first], listed[first:second], listed[second:], width)


def _loop(trace: Trace, target: Target, operands: _Operands, hoisted: int) -> list[str]:
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
        lines += _whole_turns(operands)
    else:
        lines += ["br label %rest", "rest:", "%first = add i64 0, 0"]
    return [*lines, *_turn(target, operands), *ending(target)]


def _storage(target: Target, operands: _Operands, hoisted: int) -> list[str]:
    """Memory of the call: the parameters that are used, the hoisted values, and a tile for each other operand."""
    size = 8 * target.width
    lines = [f"%hoisted = alloca [{size * hoisted} x i8], align {size}"] if hoisted else []
    tiles = [*operands.parameters, *(operands.streams if target.width > 1 else [])]
    sizes = {operand.place: operand.rows * operand.columns * size for operand in tiles}
    return lines + [f"%tile{place} = alloca [{count} x i8], align {size}" for place, count in sizes.items()]


def _arguments(operands: list[_Operand]) -> list[str]:
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
        for axis in _AXES:
            if axis in axes:
                lines.append(f"%steps{k}.{axis} = getelementptr i64, ptr %steps, i64 {core}")
                lines.append(f"%core{k}.{axis} = load i64, ptr %steps{k}.{axis}, align 8")
                core += 1
            else:
                lines.append(f"%core{k}.{axis} = add i64 0, 0")
    return lines


def _when(condition: str, name: str, lines: list[str]) -> list[str]:
    """Some lines that run only where a condition holds; labels `<name>` and `<name>.end`."""
    return [
        f"br i1 {condition}, label %{name}, label %{name}.end",
        f"{name}:",
        *lines,
        f"br label %{name}.end",
        f"{name}.end:",
    ]


def _shared_sources(target: Target, operands: _Operands) -> list[str]:
    """Fill the tile of each source that all rows share (`same`), and prepare shared parameters, once per call."""
    lines = []
    for operand in operands.sources:
        k = operand.place
        lines.append(f"%same{k} = icmp eq i64 %outer{k}, 0")
        if operand in operands.parameters:
            once = _prepared(operand, [f"%base{k}"])
        else:
            once = [operand.move("gather", [f"%base{k}"] * operand.width)] if target.width > 1 else []
        lines += _when(f"%same{k}", f"fill{k}", once)
    return lines


def _prepared(parameters: _Operand, rows: list[str]) -> list[str]:
    """Prepare the parameters of a row for each lane, or of one for all."""
    k = parameters.place
    return [
        collect(rows, f"%core{k}.column", "%data", f"%tile{k}"),
        f"call void @prologue(ptr %tile{k}, ptr %hoisted)",
    ]


def _whole_turns(operands: _Operands) -> list[str]:
    """Compute whole turns where every operand is used in place, shared, or of rows without gaps.

    The way of each is known before the loop begins, and all distances between rows are; where nothing is moved, the
    loop does nothing but compute. `first` is the row after it.
    """
    lines = [line for operand in operands.streams for line in _layout(operand, shared=operand in operands.inputs)]
    conditions = [f"%easy{operand.place}" for operand in operands.streams] + [
        f"%same{operand.place}" for operand in operands.parameters
    ]
    lines.append(f"%still0 = icmp sge i64 %n, {operands.width}")
    lines += [f"%still{n + 1} = and i1 %still{n}, {condition}" for n, condition in enumerate(conditions)]
    lines += [f"br i1 %still{len(conditions)}, label %whole, label %rest", "whole:"]
    lines.append(f"%end.whole = and i64 %n, -{operands.width}")
    placed = "true"
    for operand in operands.streams:
        k = operand.place
        lines += [
            f"%start{k} = select i1 %lanes{k}, ptr %base{k}, ptr %tile{k}",
            f"%step{k} = select i1 %lanes{k}, i64 {8 * operand.width}, i64 0",
            f"%placed{k} = and i1 {placed}, %in.place{k}",
            *[
                f"%whole{k}.{axis} = select i1 %lanes{k}, i64 %core{k}.{axis}, i64 {stride}"
                for axis, stride in operand.tile.items()
            ],
        ]
        placed = f"%placed{k}"
    gathered = [line for operand in operands.inputs for line in _move_dense(operand, "gather")]
    scattered = [line for operand in operands.outputs for line in _move_dense(operand, "scatter")]
    return [
        *lines,
        f"br i1 {placed}, label %straight, label %next",
        *_turns(operands, "straight", [], []),
        *_turns(operands, "next", gathered, scattered),
        "whole.done:",
        "%some.left = icmp slt i64 %end.whole, %n",
        "br i1 %some.left, label %rest, label %check",
        "rest:",
        "%first = phi i64 [ 0, %before ], [ %end.whole, %whole.done ]",
    ]


def _turns(operands: _Operands, name: str, before: list[str], after: list[str]) -> list[str]:
    """A loop over the whole turns, with what is done before and after each computation; row `%<name>.row`."""
    lines = [f"{name}:", f"%{name}.row = phi i64 [ 0, %whole ], [ %{name}.row.next, %{name}.end ]"]
    streams = []
    for operand in operands.streams:
        here = f"%{name}{operand.place}"
        lines.append(f"{here} = phi ptr [ %start{operand.place}, %whole ], [ {here}.next, %{name}.end ]")
        streams.append(f"ptr {here}, i64 %whole{operand.place}.row, i64 %whole{operand.place}.column")
    lines += [*before, operands.compute(streams), *after, f"br label %{name}.end", f"{name}.end:"]
    for operand in operands.streams:
        here = f"%{name}{operand.place}"
        lines.append(f"{here}.next = getelementptr i8, ptr {here}, i64 %step{operand.place}")
    return [
        *lines,
        f"%{name}.row.next = add i64 %{name}.row, {operands.width}",
        f"%{name}.more = icmp slt i64 %{name}.row.next, %end.whole",
        f"br i1 %{name}.more, label %{name}, label %whole.done",
    ]


def _layout(operand: _Operand, shared: bool) -> list[str]:
    """Whether rows have no gaps (`dense`), whether nothing is moved (`in.place`), and whether either holds (`easy`)."""
    k, rows, columns = operand.place, operand.rows, operand.columns
    return [
        f"%dense{k}.outer = icmp eq i64 %outer{k}, {8 * rows * columns}",
        f"%dense{k}.row = icmp eq i64 %core{k}.row, {8 * columns if rows > 1 else f'%core{k}.row'}",
        f"%dense{k}.column = icmp eq i64 %core{k}.column, {8 if columns > 1 else f'%core{k}.column'}",
        f"%dense{k}.core = and i1 %dense{k}.row, %dense{k}.column",
        f"%dense{k} = and i1 %dense{k}.outer, %dense{k}.core",
        f"%in.place{k} = or i1 %lanes{k}, {f'%same{k}' if shared else 'false'}",
        f"%moved{k} = xor i1 %in.place{k}, true",
        f"%easy{k} = or i1 %in.place{k}, %dense{k}",
    ]


def _move_dense(operand: _Operand, name: str) -> list[str]:
    """Move rows without gaps between memory and tile; all distances are known, so the call becomes few moves."""
    k, size = operand.place, 8 * operand.rows * operand.columns
    rows = [f"%dense{k}.at{row}" for row in range(operand.width)]
    lines = [f"%dense{k}.along = mul i64 %next.row, {size}"]
    lines.append(f"{rows[0]} = getelementptr i8, ptr %base{k}, i64 %dense{k}.along")
    lines += [f"{rows[row]} = getelementptr i8, ptr {rows[0]}, i64 {size * row}" for row in range(1, operand.width)]
    lines.append(operand.move(name, rows, dense=True))
    return _when(f"%moved{k}", f"pack{k}", lines)


def _turn(target: Target, operands: _Operands) -> list[str]:
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
            lines += _when(f"%varies{operand.place}", f"move{operand.place}", [operand.move("gather", _rows(operand))])
    for operand in operands.parameters:
        varying = [*_position(target, operand), *_prepared(operand, _rows(operand))]
        lines += _when(f"%varies{operand.place}", "varying", varying)
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


def _rows(operand: _Operand) -> list[str]:
    """Names of the addresses of the rows of a turn."""
    return [f"%at{operand.place}.{row}" for row in range(operand.width)]


def _position(target: Target, operand: _Operand) -> list[str]:
    """Where the rows of a turn are."""
    k = operand.place
    lines = [f"%skip{k} = mul i64 %i, %outer{k}", f"%at{k}.0 = getelementptr i8, ptr %base{k}, i64 %skip{k}"]
    for row in range(1, target.width):
        lines.append(f"%offset{k}.{row} = mul i64 %row{row}, %outer{k}")
        lines.append(f"%at{k}.{row} = getelementptr i8, ptr %at{k}.0, i64 %offset{k}.{row}")
    return lines


def _used(target: Target, operand: _Operand) -> str:
    """An operand as an argument of a function: one row where it is, several in their tile."""
    k = operand.place
    if target.width == 1:
        return f"ptr %at{k}.0, i64 %core{k}.row, i64 %core{k}.column"
    return f"ptr %tile{k}, i64 {operand.tile['row']}, i64 {operand.tile['column']}"
