"""The inner loop of a gufunc around the computation, as LLVM text: `void loop(args, dimensions, steps, data)`.

Each turn computes `width` rows. An operand whose rows lie 8 bytes apart (a structure of arrays) is read and written in
place; any other goes through a tile (see `tiles`), as does the last turn when rows are missing. An input with outer
stride 0 fills its tile once a call. Where all operands are of these kinds or rows without gaps, whole turns run in a
loop of their own that has no strides to think of. Parameters with outer stride 0 are prepared once a call, otherwise
for the rows of each turn. Each way calls the same code, so that the results agree to the last bit. Finally the
floating-point status is cleared: NaN is an answer here, not an accident to warn about.
"""

from __future__ import annotations

from typing import NamedTuple

from parapick.kernel.elementary import definition
from parapick.kernel.emit import body, grid, prologue
from parapick.kernel.lowering import Types
from parapick.kernel.operations import OPERATIONS
from parapick.kernel.target import Target
from parapick.kernel.tiles import ROWS, TILE_ENTRY, gather, scatter, strided
from parapick.kernel.trace import Trace

__all__ = ["emit", "symbol"]

_ATTRIBUTES = 'nounwind "prefer-vector-width"="256"'
"""Vectors are four doubles; wider registers would only lower the clock."""


class _Operand(NamedTuple):
    """An argument of the gufunc.

    Attributes:
        place: its place among the arguments.
        axes: names of its core axes: none, `column`, or `row` and `column`.
        rows: entries along `row`, 1 where there is none.
        columns: entries along `column`, 1 where there is none.
    """

    place: int
    axes: tuple[str, ...]
    rows: int
    columns: int

    def passed(self, name: str = "use") -> str:
        """The operand as an argument of `@body` or `@prologue`, by the name of its pointer and strides."""
        return f"ptr %{name}{self.place}, i64 %{name}{self.place}.row, i64 %{name}{self.place}.column"

    @property
    def tile(self) -> dict[str, int]:
        """The strides of its tile by axis, in bytes."""
        return {"row": TILE_ENTRY * self.columns, "column": TILE_ENTRY}

    def moved(self, name: str) -> str:
        """The call that moves the rows of a turn: `gather` or `scatter`."""
        k = self.place
        offsets = ", ".join(f"i64 %offset{k}.{row}" for row in range(1, ROWS))
        strides = f"i64 %core{k}.row, i64 %core{k}.column"
        return f"call void @{name}_{self.rows}x{self.columns}(ptr %at{k}, {offsets}, {strides}, ptr %tile{k})"


def symbol(trace: Trace) -> str:
    """Name of the loop in the object; the prefix keeps it apart from the C library's names."""
    return f"parapick_{trace.name}"


def _once(declared: set[str]) -> list[str]:
    """One declaration a function, whatever attributes it was declared with."""
    return sorted({line.split("(")[0]: line for line in sorted(declared)}.values())


def functions(trace: Trace) -> frozenset[str]:
    """Names of the libm functions a trace uses."""
    used = (OPERATIONS.get(one.operation) for one in trace.instructions)
    return frozenset(operation.function for operation in used if operation and operation.function)


def emit(trace: Trace, target: Target) -> str:
    """The whole module for a trace, as LLVM text."""
    shapes = [port.shape for port in trace.inputs]
    shapes += [(trace.parameters,)] if trace.parameters is not None else []
    shapes += [port.shape for port in trace.outputs]
    operands = [
        _Operand(place, ("row", "column")[2 - len(shape) :], *grid(shape)) for place, shape in enumerate(shapes)
    ]
    sources, sinks = operands[: -len(trace.outputs)], operands[-len(trace.outputs) :]
    text, declared = body(trace, target)
    if trace.parameters is not None:
        more, also = prologue(trace, target)
        text, declared = text + more, declared | also
    declared |= {"declare i32 @fetestexcept(i32)", "declare i32 @feclearexcept(i32)"}
    declared |= {"declare i64 @llvm.smin.i64(i64, i64)"}
    for function in sorted(target.written_out & functions(trace)):
        more, also = definition(function, Types(target.width))
        text, declared = text + more, declared | also
    if target.width > 1:
        text += strided()
        for rows, columns in sorted({(one.rows, one.columns) for one in sources}):
            text += gather(rows, columns)
        for rows, columns in sorted({(one.rows, one.columns) for one in sinks}):
            text += scatter(rows, columns)
    text += _loop(trace, target, sources, sinks)
    ends = ['!0 = !{!"branch_weights", i32 1000, i32 1}']
    ends += [f"attributes #0 = {{ {_ATTRIBUTES} }}", f"attributes #1 = {{ noinline {_ATTRIBUTES} }}", ""]
    return "\n".join([f'target triple = "{target.triple}"', *_once(declared), *text, *ends])


def _loop(trace: Trace, target: Target, sources: list[_Operand], sinks: list[_Operand]) -> list[str]:
    """The exported function."""
    inputs, parameters = sources[: len(trace.inputs)], sources[len(trace.inputs) :]
    lines = [
        f"define void @{symbol(trace)}(ptr %args, ptr %dimensions, ptr %steps, ptr %data) #0 {{",
        "entry:",
        *_storage(trace, target, [*sources, *sinks]),
        "%n = load i64, ptr %dimensions, align 8",
        *_arguments([*sources, *sinks]),
        "%some = icmp sgt i64 %n, 0",
        "br i1 %some, label %start, label %done",
        "start:",
    ]
    for operand in sources:
        lines += _fill_shared(target, operand)
    for operand in parameters:
        lines += _prepare_shared(target, operand)
    lines += ["br label %before", "before:"]
    if target.width > 1:
        lines += _whole_turns(inputs, parameters, sinks)
    else:
        lines += ["br label %rest", "rest:", "%first = add i64 0, 0"]
    lines += ["br label %turn", "turn:", "%i = phi i64 [ %first, %rest ], [ %i.next, %end ]", *_rows_of_turn(target)]
    for operand in inputs:
        lines += [*_position(target, operand), *_move(target, operand, "gather")]
    for operand in parameters:
        lines += [f"br i1 %same{operand.place}, label %prepared, label %varying", "varying:"]
        lines += [*_position(target, operand), *_move(target, operand, "gather")]
        lines += [f"call void @prologue({operand.passed()}, ptr %hoisted)", "br label %prepared", "prepared:"]
    for operand in sinks:
        lines += _position(target, operand)
    lines.append(_compute(inputs, parameters, sinks, "use"))
    for operand in sinks:
        lines += _move(target, operand, "scatter")
    return [*lines, *_ending(target)]


def _compute(inputs: list[_Operand], parameters: list[_Operand], sinks: list[_Operand], name: str) -> str:
    """The call that computes the rows of a turn."""
    passed = [one.passed(name) for one in inputs]
    passed += ["ptr %hoisted" for _ in parameters]
    return f"call void @body({', '.join([*passed, *(one.passed(name) for one in sinks)])})"


def _storage(trace: Trace, target: Target, operands: list[_Operand]) -> list[str]:
    """Memory of the call: a tile for each operand, and the hoisted values."""
    lines = []
    if target.width > 1:
        for k, _, rows, columns in operands:
            lines.append(f"%tile{k} = alloca [{rows * columns} x <{ROWS} x double>], align {TILE_ENTRY}")
    if trace.parameters is not None:
        size = 8 * target.width
        lines.append(f"%hoisted = alloca [{size * (1 + len(trace.hoisted))} x i8], align {size}")
    return lines


def _arguments(operands: list[_Operand]) -> list[str]:
    """Read pointer, outer stride and core strides of each operand; NumPy puts all core strides after the outer ones."""
    lines = []
    core = len(operands)
    for k, axes, _, _ in operands:
        lines += [
            f"%args{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"%base{k} = load ptr, ptr %args{k}, align 8",
            f"%steps{k} = getelementptr i64, ptr %steps, i64 {k}",
            f"%outer{k} = load i64, ptr %steps{k}, align 8",
            f"%lanes{k} = icmp eq i64 %outer{k}, 8",
        ]
        for axis in ("row", "column"):
            if axis in axes:
                lines.append(f"%steps{k}.{axis} = getelementptr i64, ptr %steps, i64 {core}")
                lines.append(f"%core{k}.{axis} = load i64, ptr %steps{k}.{axis}, align 8")
                core += 1
            else:
                lines.append(f"%core{k}.{axis} = add i64 0, 0")
    return lines


def _fill_shared(target: Target, operand: _Operand) -> list[str]:
    """Fill the tile of a source once when all rows share it; `same` says whether they do."""
    k = operand.place
    lines = [f"%same{k} = icmp eq i64 %outer{k}, 0"]
    if target.width == 1:
        return lines
    given = f"ptr %base{k}, i64 0, i64 0, i64 0, i64 %core{k}.row, i64 %core{k}.column, ptr %tile{k}"
    return [
        *lines,
        f"br i1 %same{k}, label %fill{k}, label %filled{k}",
        f"fill{k}:",
        f"call void @gather_{operand.rows}x{operand.columns}({given})",
        f"br label %filled{k}",
        f"filled{k}:",
    ]


def _prepare_shared(target: Target, operand: _Operand) -> list[str]:
    """Prepare the parameters once when all rows share them."""
    k = operand.place
    given = f"ptr %base{k}, i64 %core{k}.row, i64 %core{k}.column"
    if target.width > 1:
        given = f"ptr %tile{k}, i64 0, i64 {TILE_ENTRY}"
    lines = [f"br i1 %same{k}, label %prepare, label %ready", "prepare:"]
    return [*lines, f"call void @prologue({given}, ptr %hoisted)", "br label %ready", "ready:"]


def _whole_turns(inputs: list[_Operand], parameters: list[_Operand], sinks: list[_Operand]) -> list[str]:
    """Compute whole turns where every operand is used in place, shared, or of rows without gaps.

    The way of each is known before the loop begins, and all distances between rows are. `first` is the row after it.
    """
    lines = []
    for one in (*inputs, *sinks):
        lines += _layout(one, shared=one in inputs)
    conditions = [f"%easy{one.place}" for one in (*inputs, *sinks)] + [f"%same{one.place}" for one in parameters]
    lines.append(f"%still0 = icmp sge i64 %n, {ROWS}")
    lines += [f"%still{n + 1} = and i1 %still{n}, {condition}" for n, condition in enumerate(conditions)]
    lines += [f"br i1 %still{len(conditions)}, label %whole, label %rest", "whole:"]
    lines.append(f"%end.whole = and i64 %n, -{ROWS}")
    for one in (*inputs, *sinks):
        k = one.place
        lines += [
            f"%start{k} = select i1 %lanes{k}, ptr %base{k}, ptr %tile{k}",
            f"%step{k} = select i1 %lanes{k}, i64 8, i64 0",
            *[
                f"%whole{k}.{axis} = select i1 %lanes{k}, i64 %core{k}.{axis}, i64 {stride}"
                for axis, stride in one.tile.items()
            ],
        ]
    lines += ["br label %next", "next:", "%w = phi i64 [ 0, %whole ], [ %w.next, %next.end ]"]
    for one in inputs:
        lines += _move_dense(one, "gather")
    for one in (*inputs, *sinks):
        k = one.place
        lines.append(f"%along{k} = mul i64 %w, %step{k}")
        lines.append(f"%whole{k} = getelementptr i8, ptr %start{k}, i64 %along{k}")
    lines.append(_compute(inputs, parameters, sinks, "whole"))
    for one in sinks:
        lines += _move_dense(one, "scatter")
    return [
        *lines,
        "br label %next.end",
        "next.end:",
        f"%w.next = add i64 %w, {ROWS}",
        "%w.more = icmp slt i64 %w.next, %end.whole",
        "br i1 %w.more, label %next, label %whole.done",
        "whole.done:",
        "%some.left = icmp slt i64 %end.whole, %n",
        "br i1 %some.left, label %rest, label %check",
        "rest:",
        "%first = phi i64 [ 0, %before ], [ %end.whole, %whole.done ]",
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
        f"%easy{k} = or i1 %in.place{k}, %dense{k}",
    ]


def _move_dense(operand: _Operand, name: str) -> list[str]:
    """Move four rows without gaps between memory and tile; all distances are known, so the call becomes few moves."""
    k, size = operand.place, 8 * operand.rows * operand.columns
    offsets = ", ".join(f"i64 {size * row}" for row in range(1, ROWS))
    given = f"ptr %dense{k}.at, {offsets}, i64 {8 * operand.columns}, i64 8, ptr %tile{k}"
    return [
        f"br i1 %in.place{k}, label %packed{k}, label %pack{k}",
        f"pack{k}:",
        f"%dense{k}.along = mul i64 %w, {size}",
        f"%dense{k}.at = getelementptr i8, ptr %base{k}, i64 %dense{k}.along",
        f"call void @{name}_{operand.rows}x{operand.columns}({given})",
        f"br label %packed{k}",
        f"packed{k}:",
    ]


def _rows_of_turn(target: Target) -> list[str]:
    """Which rows a turn computes: four, or those left with the last one repeated."""
    if target.width == 1:
        return []
    rows = [f"%row{row} = call i64 @llvm.smin.i64(i64 %last, i64 {row})" for row in range(1, ROWS)]
    return ["%left = sub i64 %n, %i", f"%full = icmp sge i64 %left, {ROWS}", "%last = sub i64 %left, 1", *rows]


def _position(target: Target, operand: _Operand) -> list[str]:
    """Where the rows of a turn are, and where the computation finds them: there, or in the tile."""
    k = operand.place
    lines = [f"%skip{k} = mul i64 %i, %outer{k}", f"%at{k} = getelementptr i8, ptr %base{k}, i64 %skip{k}"]
    if target.width == 1:
        return [
            *lines,
            f"%use{k} = getelementptr i8, ptr %at{k}, i64 0",
            *[f"%use{k}.{axis} = add i64 %core{k}.{axis}, 0" for axis in ("row", "column")],
        ]
    return [
        *lines,
        *[f"%offset{k}.{row} = mul i64 %row{row}, %outer{k}" for row in range(1, ROWS)],
        f"%direct{k} = and i1 %full, %lanes{k}",
        f"%use{k} = select i1 %direct{k}, ptr %at{k}, ptr %tile{k}",
        *[
            f"%use{k}.{axis} = select i1 %direct{k}, i64 %core{k}.{axis}, i64 {stride}"
            for axis, stride in operand.tile.items()
        ],
    ]


def _move(target: Target, operand: _Operand, name: str) -> list[str]:
    """Move the rows of a turn between memory and tile, unless they are used in place or in the tile already."""
    if target.width == 1:
        return []
    k = operand.place
    lines = [f"%stay{k} = or i1 %direct{k}, {f'%same{k}' if name == 'gather' else 'false'}"]
    lines.append(f"br i1 %stay{k}, label %there{k}, label %move{k}")
    return [*lines, f"move{k}:", operand.moved(name), f"br label %there{k}", f"there{k}:"]


def _ending(target: Target) -> list[str]:
    """The end of a turn and of the call."""
    return [
        "br label %end",
        "end:",
        f"%i.next = add i64 %i, {target.width}",
        "%more = icmp slt i64 %i.next, %n",
        "br i1 %more, label %turn, label %check",
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
