"""The loop that all kernels share, as LLVM text: compiled once for a target, and kept beside the kernels.

`void parapick.turns(args, dimensions, steps, table, kernel, operands, tiles, hoisted)` is the inner loop of a gufunc
around the computation of a kernel (`batch_loop`). Each turn computes `width` rows. An operand whose rows lie 8 bytes
apart (a structure of arrays) is read and written in place, any other through a tile (`tile_moves`). An input with outer
stride 0 fills its tile once per call, and parameters with outer stride 0 are prepared once per call, otherwise for the
rows of each turn. In the last turn, where rows are missing, everything goes through tiles. Each way calls the same
code, so that the results agree to the last bit.

What a kernel is, is data here. At `kernel` lie, 8 bytes each: the function that computes turns, that which prepares
parameters; the number of turns for which there are tiles, of inputs, of parameters (0 or 1: there are none, or some)
and of outputs; then of each argument where its strides are among all, that of its rows and that of its columns, and
how many rows and columns it has. An axis that it lacks has one entry, and any stride.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from parapick.kernel.llvm.angles import look_up
from parapick.kernel.llvm.compiler import TURNS
from parapick.kernel.llvm.module import around, ending
from parapick.kernel.llvm.parameter_loads import collect, collectors
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.tile_moves import (
    FIELDS,
    IN_PLACE,
    LEAST,
    MOVED,
    OPERAND_BYTES,
    SAME,
    load_field,
    store_fields,
    tile_moves,
)
from parapick.kernel.llvm.types import Written

_HEADER: Final = ("compute", "prepare", "tiled", "inputs", "given", "outputs")
_SHAPE: Final = ("row.place", "column.place", "rows", "columns")


def shared_module(target: Target) -> str:
    """The whole module, as LLVM text."""
    moves = tile_moves(target.width) if target.width > 1 else []
    lines = [*collectors(target.width), *moves, *_find(target.width), *_bring(target.width), *_loop(target)]
    return around([look_up(target.width), Written(lines, set())], target)


def _loop(target: Target) -> list[str]:
    """The exported function."""
    names = ("args", "dimensions", "steps", "table", "kernel", "operands", "tiles", "hoisted")
    lines = [f"define void @{TURNS}({', '.join(f'ptr %{name}' for name in names)}) #0 {{", "entry:"]
    for place, name in enumerate(_HEADER):
        lines.append(f"%{name}.at = getelementptr i64, ptr %kernel, i64 {place}")
        lines.append(f"%{name} = load {'i64' if place > 1 else 'ptr'}, ptr %{name}.at, align 8")
    return [
        *lines,
        "%n = load i64, ptr %dimensions, align 8",
        "%some = icmp sgt i64 %n, 0",
        "br i1 %some, label %start, label %done",
        "start:",
        "%first.output = add i64 %inputs, %given",
        "%count = add i64 %first.output, %outputs",
        f"%shapes = getelementptr i64, ptr %kernel, i64 {len(_HEADER)}",
        "call void @find(ptr %operands, ptr %args, ptr %steps, ptr %shapes, ptr %tiles, i64 %count, "
        "i64 %first.output, i64 %tiled)",
        f"%skip = mul i64 %inputs, {OPERAND_BYTES}",
        "%operand = getelementptr i8, ptr %operands, i64 %skip",
        "%with = icmp ne i64 %given, 0",
        "br i1 %with, label %parameters, label %chunk",
        "parameters:",
        *[line for name in ("base", "outer", "column", "tile") for line in load_field(name)],
        # They come to a turn by a way of their own.
        *store_fields("now", {"way": f"i64 {SAME}"}),
        "%varying = icmp ne i64 %outer, 0",
        "br i1 %varying, label %chunk, label %shared",
        "shared:",
        collect(["%base"], "%column", "%table", "%tile"),
        "call void %prepare(ptr %tile, ptr %hoisted)",
        "br label %chunk",
        *_chunk(target.width),
        *ending(target),
    ]


def _chunk(width: int) -> list[str]:
    """Some turns: what is moved before, their computation, what is moved after; one where rows are missing."""
    given = "i64 %count, i64 %inputs, i64 %i, i64 %last, i64 %turns"
    return [
        "chunk:",
        "%i = phi i64 [ 0, %start ], [ 0, %parameters ], [ 0, %shared ], [ %i.next, %computed ]",
        "%own = phi i1 [ false, %start ], [ true, %parameters ], [ false, %shared ], [ %own, %computed ]",
        "%left = sub i64 %n, %i",
        "%last = sub i64 %left, 1",
        f"%whole = sdiv i64 %left, {width}",
        "%most = select i1 %own, i64 1, i64 %tiled",
        "%some.turns = call i64 @llvm.smin.i64(i64 %whole, i64 %most)",
        "%turns = call i64 @llvm.smax.i64(i64 %some.turns, i64 1)",
        "br i1 %own, label %prepare.rows, label %compute.rows",
        "prepare.rows:",
        *_prepared(width),
        "br label %compute.rows",
        "compute.rows:",
        f"call void @before(ptr %operands, i64 0, {given})",
        "call void %compute(ptr %operands, ptr %hoisted, i64 %turns)",
        *([f"call void @after(ptr %operands, i64 %first.output, {given})"] if width > 1 else []),
        "br label %computed",
        "computed:",
        f"%rows.done = mul i64 %turns, {width}",
        "%i.next = add i64 %i, %rows.done",
        "%more = icmp slt i64 %i.next, %n",
        "br i1 %more, label %chunk, label %check",
    ]


def _prepared(width: int) -> list[str]:
    """Prepare the parameters of the rows of a turn."""
    rows = [f"%parameters{lane}" for lane in range(width)]
    lines = []
    for name in ("base", "outer", "column", "tile"):
        lines += load_field(name, f"own.{name}")
    for lane, row in enumerate(rows):
        lines += [
            f"{row}.ahead = call i64 @llvm.smin.i64(i64 %last, i64 {lane})",
            f"{row}.number = add i64 %i, {row}.ahead",
            f"{row}.skip = mul i64 {row}.number, %own.outer",
            f"{row} = getelementptr i8, ptr %own.base, i64 {row}.skip",
        ]
    return [
        *lines,
        collect(rows, "%own.column", "%table", "%own.tile"),
        "call void %prepare(ptr %own.tile, ptr %hoisted)",
    ]


def _each(
    name: str, arguments: str, first: str, body: list[str], along: Mapping[str, tuple[str, str]] | None = None
) -> list[str]:
    """A function that goes over operands, `%operand` number `%k`, from a first one to `%count`.

    Args:
        name: its name.
        arguments: its arguments.
        first: number of the first operand.
        body: what is done with one; it leads to the label `end`.
        along: what is carried from one to the next as `%<name>.next`: type and first value, by name.
    """
    carried = [
        f"%{value} = phi {kind} [ {begin}, %entry ], [ %{value}.next, %end ]"
        for value, (kind, begin) in (along or {}).items()
    ]
    return [
        f"define internal void @{name}({arguments}) #{0 if along else 2} {{",
        "entry:",
        f"%none = icmp sge i64 {first}, %count",
        "br i1 %none, label %done, label %next",
        "next:",
        f"%k = phi i64 [ {first}, %entry ], [ %k.next, %end ]",
        *carried,
        f"%begin = mul i64 %k, {OPERAND_BYTES}",
        "%operand = getelementptr i8, ptr %operands, i64 %begin",
        *body,
        "end:",
        "%k.next = add i64 %k, 1",
        "%k.more = icmp slt i64 %k.next, %count",
        "br i1 %k.more, label %next, label %done",
        "done:",
        "ret void",
        "}",
    ]


def _find(width: int) -> list[str]:
    """`@find`: describe the operands, and fill the tiles of inputs that all rows share."""
    arguments = (
        "ptr %operands, ptr %args, ptr %steps, ptr %shapes, ptr %tiles, i64 %count, i64 %first.output, i64 %tiled"
    )
    body = [
        *_shape(),
        "%base.at = getelementptr ptr, ptr %args, i64 %k",
        "%base = load ptr, ptr %base.at, align 8",
        "%outer.at = getelementptr i64, ptr %steps, i64 %k",
        "%outer = load i64, ptr %outer.at, align 8",
        *_dense(),
        "%entries = mul i64 %rows, %columns",
        f"%entries.room = call i64 @llvm.smax.i64(i64 %entries, i64 {LEAST})",
        f"%room = mul i64 %entries.room, {8 * width}",
        "%all.room = mul i64 %room, %tiled",
        "%tile.next = getelementptr i8, ptr %tile, i64 %all.room",
        # One row is computed where it lies, several where they are side by side.
        f"%there = icmp eq i64 %outer, {'8' if width > 1 else '%outer'}",
        "%source = icmp slt i64 %k, %first.output",
        "%still = icmp eq i64 %outer, 0",
        "%same = and i1 %still, %source",
        f"%differs = select i1 %there, i64 {IN_PLACE}, i64 {MOVED}",
        f"%way = select i1 %same, i64 {SAME}, i64 %differs",
        f"%turn.bytes = mul i64 %outer, {width}",
        "%moves = select i1 %there, i64 %turn.bytes, i64 %room",
        "%step = select i1 %same, i64 0, i64 %moves",
        f"%tile.row = mul i64 %columns, {8 * width}",
        "%here = select i1 %there, ptr %base, ptr %tile",
        "%here_row = select i1 %there, i64 %row, i64 %tile.row",
        f"%here_column = select i1 %there, i64 %column, i64 {8 * width}",
        *store_fields("found", {name: f"{kind} %{name}" for name, kind in FIELDS.items()}),
        *(["br i1 %same, label %shared, label %end", "shared:"] if width > 1 else []),
        *(["call void @fill_any(ptr %operand, ptr %base, i64 1, i64 0)"] if width > 1 else []),
        "br label %end",
    ]
    return _each("find", arguments, "0", body, {"tile": ("ptr", "%tiles")})


def _dense() -> list[str]:
    """Whether the entries of a row follow each other."""
    return [
        "%row.bytes = mul i64 %columns, 8",
        "%row.follows = icmp eq i64 %row, %row.bytes",
        "%row.single = icmp eq i64 %rows, 1",
        "%row.dense = or i1 %row.follows, %row.single",
        "%column.follows = icmp eq i64 %column, 8",
        "%column.single = icmp eq i64 %columns, 1",
        "%column.dense = or i1 %column.follows, %column.single",
        "%both.dense = and i1 %row.dense, %column.dense",
        "%dense = zext i1 %both.dense to i64",
    ]


def _shape() -> list[str]:
    """Read the shape of an operand, and its strides inside of a row."""
    lines = [f"%shape.number = mul i64 %k, {len(_SHAPE)}"]
    for place, name in enumerate(_SHAPE):
        lines += [
            f"%{name}.number = add i64 %shape.number, {place}",
            f"%{name}.at = getelementptr i64, ptr %shapes, i64 %{name}.number",
            f"%{name} = load i64, ptr %{name}.at, align 8",
        ]
    for name in ("row", "column"):
        lines.append(f"%{name}.at = getelementptr i64, ptr %steps, i64 %{name}.place")
        lines.append(f"%{name} = load i64, ptr %{name}.at, align 8")
    return lines


def _bring(width: int) -> list[str]:
    """`@before` and `@after`: make the operands ready for the rows of a turn, and write back what lies in tiles."""
    arguments = "ptr %operands, i64 %first, i64 %count, i64 %inputs, i64 %i, i64 %last, i64 %turns"
    position = [
        *load_field("base"),
        *load_field("outer"),
        "%skip = mul i64 %i, %outer",
        "%at = getelementptr i8, ptr %base, i64 %skip",
    ]
    begin = [*load_field("way"), f"%whole = icmp sge i64 %last, {width - 1}"]
    before = [
        *begin,
        f"%same = icmp eq i64 %way, {SAME}",
        "br i1 %same, label %end, label %differs",
        "differs:",
        *position,
        f"%lanes = icmp eq i64 %way, {IN_PLACE}",
        "%there = and i1 %lanes, %whole",
        "br i1 %there, label %in.place, label %through",
        "in.place:",
        *store_fields("there", {"here": "ptr %at"}),
        "br label %end",
        "through:",
        *_through(width),
    ]
    after = [
        *begin,
        f"%lanes = icmp eq i64 %way, {IN_PLACE}",
        "%there = and i1 %lanes, %whole",
        "br i1 %there, label %end, label %through",
        "through:",
        *position,
        *_moved("empty"),
    ]
    lines = _each("before", arguments, "%first", before)
    return lines + (_each("after", arguments, "%first", after) if width > 1 else [])


def _moved(name: str) -> list[str]:
    """Fill or empty tiles, by vectors where that is possible."""
    return [
        *load_field("dense"),
        "%follow = icmp ne i64 %dense, 0",
        "%easy = and i1 %follow, %whole",
        "br i1 %easy, label %vectors, label %numbers",
        "vectors:",
        f"call void @{name}(ptr %operand, ptr %at, i64 %turns)",
        "br label %end",
        "numbers:",
        f"call void @{name}_any(ptr %operand, ptr %at, i64 %turns, i64 %last)",
        "br label %end",
    ]


def _through(width: int) -> list[str]:
    """Let an operand be found in its tile, and fill that of an input."""
    if width == 1:
        return ["br label %end"]
    return [
        "br i1 %lanes, label %missing, label %ready",
        # Only in the last turn, where rows are missing.
        "missing:",
        *load_field("tile"),
        *load_field("columns"),
        f"%tile.row = mul i64 %columns, {8 * width}",
        *store_fields("tile", {"here": "ptr %tile", "here_row": "i64 %tile.row", "here_column": f"i64 {8 * width}"}),
        "br label %ready",
        "ready:",
        "%source = icmp slt i64 %k, %inputs",
        "br i1 %source, label %read, label %end",
        "read:",
        *_moved("fill"),
    ]
