"""Moving the rows of turns between memory of any layout and tiles, for operands of any shape, as LLVM text.

A tile holds a row in each lane, entry after entry. Shapes are data here (see `shared_loop`), so that all kernels share
these functions. `@fill(operand, at, turns)` fills the tiles of whole turns from rows whose entries follow each other,
`@empty` writes them back: four rows of four are moved by vector loads and a transposition, and the last four of a row
may be some of those before once more. `@fill_any(operand, at, turns, last)` and `@empty_any` move one number at a time,
in any layout, up to row `last` of the last turn: that row stands in the place of missing ones, so that a tile is always
full. The rows begin at `at`, as far apart as the operand says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from parapick.kernel.llvm.row_moves import SQUARE, VECTOR, shuffle, transpose
from parapick.kernel.llvm.types import Types

_POINTERS: Final[tuple[str, ...]] = ("here", "base", "tile")
_STRIDES: Final[tuple[str, ...]] = ("here_row", "here_column", "step", "outer", "row", "column", "room")
_KINDS: Final[tuple[str, ...]] = ("rows", "columns", "dense", "way")
FIELDS: Final[dict[str, str]] = {**dict.fromkeys(_POINTERS, "ptr"), **dict.fromkeys((*_STRIDES, *_KINDS), "i64")}
"""What an operand is described by, with LLVM's type, 8 bytes each. Pointers: where a turn finds it, its first row, its
tiles. Bytes: the strides where a turn finds it, and from there to where the next turn does; from row to row of the
batch, and the strides inside of one; of a tile. Then its rows and columns, whether entries of a row follow each other
(0 or 1), and one of these:"""

SAME, IN_PLACE, MOVED = range(3)
"""How an operand comes to a turn: one row for all that is there already; in place; moved to its tile or from it."""

OPERAND_BYTES: Final = 8 * len(FIELDS)

LEAST: Final = SQUARE
"""Entries that a tile has room for at least: that many are written at once."""


def load_field(name: str, result: str = "", operand: str = "%operand") -> list[str]:
    """Lines that load a field of an operand as `%<result>`; its own name by default."""
    value = f"%{result or name}"
    return [*_address(name, f"{value}.field", operand), f"{value} = load {FIELDS[name]}, ptr {value}.field, align 8"]


def store_fields(where: str, values: Mapping[str, str]) -> list[str]:
    """Lines that store fields of `%operand`: values with their types, by name; `where` keeps addresses apart."""
    lines = []
    for name, value in values.items():
        lines += _address(name, f"%{name}.{where}")
        lines.append(f"store {value}, ptr %{name}.{where}, align 8")
    return lines


def _address(name: str, result: str, operand: str = "%operand") -> list[str]:
    return [f"{result} = getelementptr i64, ptr {operand}, i64 {list(FIELDS).index(name)}"]


def tile_moves(width: int) -> list[str]:
    """The four functions.

    Args:
        width: number of lanes, a multiple of four.
    """
    return [
        *_vectors("fill", _fill_block, _fill_few(width), width),
        *_vectors("empty", _empty_block, _empty_few(width), width),
        *_any("fill_any", _fill_entry(width), width),
        *_any("empty_any", _empty_entry(), width),
    ]


def _turn_by_turn(name: str, more: str, before: list[str], lines: list[str], width: int) -> list[str]:
    """A function that does something for each turn: `%here` is its tile, `%along` bytes from the first to its rows."""
    return [
        f"define internal void @{name}(ptr %operand, ptr %at, i64 %turns{more}) #0 {{",
        "entry:",
        *[line for one in ("outer", "rows", "columns", "tile", "room") for line in load_field(one)],
        "%size = mul i64 %rows, %columns",
        f"%apart = mul i64 %outer, {width}",
        *before,
        "br label %turn",
        "turn:",
        "%t = phi i64 [ 0, %entry ], [ %t.next, %turn.end ]",
        "%along = phi i64 [ 0, %entry ], [ %along.next, %turn.end ]",
        "%here = phi ptr [ %tile, %entry ], [ %here.next, %turn.end ]",
        *lines,
        "turn.end:",
        "%t.next = add i64 %t, 1",
        "%along.next = add i64 %along, %apart",
        "%here.next = getelementptr i8, ptr %here, i64 %room",
        "%t.more = icmp slt i64 %t.next, %turns",
        "br i1 %t.more, label %turn, label %done",
        "done:",
        "ret void",
        "}",
    ]


def _vectors(name: str, block: Callable[[str, str, int], list[str]], few: list[str], width: int) -> list[str]:
    """`@<name>(operand, at, turns)`: rows whose entries follow each other, four entries at a time."""
    rows = ["%row0 = getelementptr i8, ptr %at, i64 0"]
    for row in range(1, width):
        rows.append(f"%skip{row} = mul i64 %outer, {row}")
        rows.append(f"%row{row} = getelementptr i8, ptr %at, i64 %skip{row}")
    lines = [
        "br i1 %many, label %block, label %few",
        "block:",
        "%first = phi i64 [ 0, %turn ], [ %next, %block ]",
        *block("%first", "%b", width),
        f"%beyond = add i64 %first, {8 * SQUARE}",
        # The last block ends with the row.
        "%next = call i64 @llvm.smin.i64(i64 %beyond, i64 %end)",
        "%more = icmp ne i64 %first, %end",
        "br i1 %more, label %block, label %turn.end",
        "few:",
        *few,
    ]
    before = [
        *rows,
        "%bytes = mul i64 %size, 8",
        f"%end = sub i64 %bytes, {8 * SQUARE}",
        "%many = icmp sge i64 %end, 0",
    ]
    return _turn_by_turn(name, "", before, lines, width)


def _begin(first: str, name: str, width: int) -> list[str]:
    """Where a block of entries begins, by the bytes of a row before it: in rows and in the tile."""
    return [
        f"{name}.begin = add i64 %along, {first}",
        f"{name}.skip = mul i64 {first}, {width}",
        f"{name}.cells = getelementptr i8, ptr %here, i64 {name}.skip",
    ]


def _fill_block(first: str, name: str, width: int, mask: str = "") -> list[str]:
    """Four entries of each row, from the first on, into the tile; with a mask only those that it has."""
    lines = _begin(first, name, width)
    for row in range(width):
        source = f"{name}.at{row}"
        lines.append(f"{source} = getelementptr i8, ptr %row{row}, i64 {name}.begin")
        read = f"load {VECTOR}, ptr {source}, align 8"
        if mask:
            masked = f"<{SQUARE} x i1> {mask}, {VECTOR} zeroinitializer"
            read = f"call {VECTOR} @llvm.masked.load.v{SQUARE}f64.p0(ptr align 8 {source}, {masked})"
        lines.append(f"{name}.r{row} = {read}")
    beside = [f"{name}.r{row}" for row in range(SQUARE)]
    if width > SQUARE:
        # The fifth row is beside the first in one vector, and so on: both halves are transposed at once.
        beside = [f"{name}.b{row}" for row in range(SQUARE)]
        for row, both in enumerate(beside):
            lines.append(shuffle(both, f"{name}.r{row}", f"{name}.r{row + SQUARE}", tuple(range(width))))
    lines += transpose(f"{name}.e", beside, width)
    for entry in range(SQUARE):
        lines.append(f"{name}.cell{entry} = getelementptr i8, ptr {name}.cells, i64 {8 * width * entry}")
        lines.append(f"store {Types(width).number} {name}.e.{entry}, ptr {name}.cell{entry}, align {8 * width}")
    return lines


def _fill_few(width: int) -> list[str]:
    """Fill a tile from rows of less than four entries, of which no more may be read."""
    lanes = ", ".join(f"i64 {lane}" for lane in range(SQUARE))
    return [
        f"%count = insertelement <{SQUARE} x i64> poison, i64 %size, i32 0",
        f"%counts = shufflevector <{SQUARE} x i64> %count, <{SQUARE} x i64> poison, <{SQUARE} x i32> zeroinitializer",
        f"%some = icmp slt <{SQUARE} x i64> <{lanes}>, %counts",
        *_fill_block("0", "%f", width, "%some"),
        "br label %turn.end",
    ]


def _block_rows(first: str, name: str, width: int) -> list[str]:
    """Four entries of the tile, from the first on, as `<name>.row<row>`: a vector for each row."""
    lines = _begin(first, name, width)
    for entry in range(SQUARE):
        lines.append(f"{name}.cell{entry} = getelementptr i8, ptr {name}.cells, i64 {8 * width * entry}")
        lines.append(f"{name}.e{entry} = load {Types(width).number}, ptr {name}.cell{entry}, align {8 * width}")
    lines += transpose(f"{name}.t", [f"{name}.e{entry}" for entry in range(SQUARE)], width)
    for row in range(width):
        half = tuple(range(row - row % SQUARE, row - row % SQUARE + SQUARE))
        lines.append(shuffle(f"{name}.row{row}", f"{name}.t.{row % SQUARE}", "poison", half, width))
    return lines


def _empty_block(first: str, name: str, width: int) -> list[str]:
    """Four entries of the tile, from the first on, into each row."""
    lines = _block_rows(first, name, width)
    for row in range(width):
        lines.append(f"{name}.to{row} = getelementptr i8, ptr %row{row}, i64 {name}.begin")
        lines.append(f"store {VECTOR} {name}.row{row}, ptr {name}.to{row}, align 8")
    return lines


def _empty_few(width: int) -> list[str]:
    """Write rows of less than four entries back: two entries or one, then the third."""
    lines = _block_rows("0", "%f", width)
    pairs, ones, thirds = [], [], []
    for row in range(width):
        vector, to = f"%f.row{row}", f"%f.to{row}"
        lines.append(f"{to} = getelementptr i8, ptr %row{row}, i64 %along")
        pairs.append(f"%pair{row} = shufflevector {VECTOR} {vector}, {VECTOR} poison, <2 x i32> <i32 0, i32 1>")
        pairs.append(f"store <2 x double> %pair{row}, ptr {to}, align 8")
        ones.append(f"%one{row} = extractelement {VECTOR} {vector}, i32 0")
        ones.append(f"store double %one{row}, ptr {to}, align 8")
        thirds.append(f"%third{row} = extractelement {VECTOR} {vector}, i32 2")
        thirds.append(f"%third{row}.to = getelementptr double, ptr {to}, i64 2")
        thirds.append(f"store double %third{row}, ptr %third{row}.to, align 8")
    return [
        *lines,
        "%single = icmp eq i64 %size, 1",
        "br i1 %single, label %ones, label %pairs",
        "ones:",
        *ones,
        "br label %turn.end",
        "pairs:",
        *pairs,
        "%three = icmp eq i64 %size, 3",
        "br i1 %three, label %thirds, label %turn.end",
        "thirds:",
        *thirds,
        "br label %turn.end",
    ]


def _any(name: str, entry: list[str], width: int) -> list[str]:
    """`@<name>(operand, at, turns, last)`: one number at a time; `entry` moves one of all lanes."""
    lines = [
        "%before = sub i64 %turns, 1",
        f"%rows.before = mul i64 %before, {width}",
        "%last.of.turn = sub i64 %last, %rows.before",
        "%is.last = icmp eq i64 %t, %before",
        f"%whole = call i64 @llvm.smin.i64(i64 %last.of.turn, i64 {width - 1})",
        f"%end = select i1 %is.last, i64 %whole, i64 {width - 1}",
        "%end.skip = mul i64 %end, %outer",
        "br label %entry.loop",
        "entry.loop:",
        "%number = phi i64 [ 0, %turn ], [ %number.next, %entry.end ]",
        "%j = phi i64 [ 0, %turn ], [ %j.next, %entry.end ]",
        "%row.begin = phi i64 [ %along, %turn ], [ %row.next, %entry.end ]",
        "%skip = phi i64 [ %along, %turn ], [ %skip.next, %entry.end ]",
        "%from = getelementptr i8, ptr %at, i64 %skip",
        f"%one.cell = getelementptr [{width} x double], ptr %here, i64 %number",
        *entry,
        "%j.more = add i64 %j, 1",
        "%row.ends = icmp eq i64 %j.more, %columns",
        "%j.next = select i1 %row.ends, i64 0, i64 %j.more",
        "%row.after = add i64 %row.begin, %row",
        "%row.next = select i1 %row.ends, i64 %row.after, i64 %row.begin",
        "%column.after = add i64 %skip, %column",
        "%skip.next = select i1 %row.ends, i64 %row.after, i64 %column.after",
        "%number.next = add i64 %number, 1",
        "%number.more = icmp slt i64 %number.next, %size",
        "br i1 %number.more, label %entry.loop, label %turn.end",
    ]
    return _turn_by_turn(name, ", i64 %last", [*load_field("row"), *load_field("column")], lines, width)


def _lane_by_lane(before: list[str], source: str, sink: str, stop: str) -> list[str]:
    """Move a number of each lane but those from `stop` on."""
    return [
        *before,
        f"%some = icmp sgt i64 {stop}, 0",
        "br i1 %some, label %lane, label %entry.end",
        "lane:",
        "%l = phi i64 [ 0, %entry.loop ], [ %l.next, %lane ]",
        "%l.skip = mul i64 %l, %outer",
        "%memory = getelementptr i8, ptr %from, i64 %l.skip",
        "%place = getelementptr double, ptr %one.cell, i64 %l",
        f"%value = load double, ptr {source}, align 8",
        f"store double %value, ptr {sink}, align 8",
        "%l.next = add i64 %l, 1",
        f"%l.more = icmp slt i64 %l.next, {stop}",
        "br i1 %l.more, label %lane, label %entry.end",
        "entry.end:",
    ]


def _fill_entry(width: int) -> list[str]:
    """One entry of all lanes into the tile: that of the last row everywhere, then those of the others."""
    number = Types(width).number
    everywhere = [
        "%last.at = getelementptr i8, ptr %from, i64 %end.skip",
        "%last.value = load double, ptr %last.at, align 8",
        f"%last.lane = insertelement {number} poison, double %last.value, i32 0",
        f"%last.all = shufflevector {number} %last.lane, {number} poison, <{width} x i32> zeroinitializer",
        f"store {number} %last.all, ptr %one.cell, align {8 * width}",
    ]
    return _lane_by_lane(everywhere, "%memory", "%place", "%end")


def _empty_entry() -> list[str]:
    """One entry of all rows from the tile."""
    return _lane_by_lane(["%stop = add i64 %end, 1"], "%place", "%memory", "%stop")
