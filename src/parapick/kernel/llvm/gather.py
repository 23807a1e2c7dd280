"""Moving four rows between memory of any layout and a tile, as LLVM text.

A tile holds four rows with their lanes side by side, entry after entry. `gather` fills one, `scatter` writes one back.
At the end of a batch the last row stands in the place of missing ones, so that a tile is always full and repeated rows
write the same numbers to the same place.

Where the entries of a row follow each other, four rows of four are moved by vector loads and a transposition; in any
other layout one number at a time. Rows of three that follow each other too are read as three whole vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

ROWS: Final = 4
"""Rows of a tile."""

TILE_ENTRY: Final = 8 * ROWS
"""Bytes of one entry of a tile."""

Shape = tuple[int, int]
"""Rows and columns of an operand; a column is one row, so that its entries follow each other."""

_TRIPLE: Final = 3
"""Entries of a position: the rows that are read most often, one after the other."""

_UNROLLED: Final = 4
"""Blocks of four entries up to which they are written out; the parameters of a robot are 20, and are moved once."""

_VECTOR: Final = "<4 x double>"
_LOW, _HIGH = (0, 4, 2, 6), (1, 5, 3, 7)
_FIRST, _SECOND = (0, 1, 4, 5), (2, 3, 6, 7)
_POINTERS: Final = ", ".join(f"ptr %row{row}" for row in range(ROWS))
_STRIDES: Final = "i64 %stride_row, i64 %stride_column"


def move(name: str, shape: Shape, rows: Sequence[str], strides: tuple[str, str], tile: str) -> str:
    """The call that moves four rows.

    Args:
        name: `gather` or `scatter`.
        shape: rows and columns of the operand.
        rows: address of each of the four rows.
        strides: bytes from one row of the operand to the next, and from one column to the next.
        tile: address of the tile.
    """
    pointers = ", ".join(f"ptr {row}" for row in rows)
    return f"call void @{name}_{shape[0]}x{shape[1]}({pointers}, i64 {strides[0]}, i64 {strides[1]}, ptr {tile})"


def movers(sources: Iterable[Shape], sinks: Iterable[Shape]) -> list[str]:
    """The functions that `move` calls."""
    lines = [*_one_by_one("gather"), *_one_by_one("scatter")]
    for name, shapes, vectors in (("gather", sources, _gather_vectors), ("scatter", sinks, _scatter_vectors)):
        for shape in sorted(set(shapes)):
            lines += _function(name, shape, vectors(shape[0] * shape[1]))
    return lines


def _function(name: str, shape: Shape, vectors: list[str]) -> list[str]:
    """`@<name>_<rows>x<columns>(row, row, row, row, strides, tile)` for an operand of this shape."""
    rows, columns = shape
    return [
        f"define internal void @{name}_{rows}x{columns}({_POINTERS}, {_STRIDES}, ptr noalias %tile) #2 {{",
        f"%dense.column = icmp eq i64 %stride_column, {'8' if columns > 1 else '%stride_column'}",
        f"%dense.row = icmp eq i64 %stride_row, {8 * columns if rows > 1 else '%stride_row'}",
        "%dense = and i1 %dense.column, %dense.row",
        "br i1 %dense, label %vectors, label %numbers",
        "vectors:",
        *vectors,
        "ret void",
        "numbers:",
        f"call void @{name}_any({_POINTERS}, {_STRIDES}, ptr %tile, i64 {rows}, i64 {columns})",
        "ret void",
        "}",
    ]


def _gather_vectors(size: int) -> list[str]:
    """Fill a tile from rows whose entries follow each other: four entries at a time, the rest one by one."""
    lines = _triples() if size == _TRIPLE else []

    def block(at: str, tile: str) -> list[str]:
        lines = _addresses(f"%a{at}", at)
        for row in range(ROWS):
            lines.append(f"%r{at}.{row} = load {_VECTOR}, ptr %a{at}.{row}, align 8")
        lines += _transpose(f"%c{at}", [f"%r{at}.{row}" for row in range(ROWS)])
        return lines + [line for entry in range(ROWS) for line in _store_entry(entry, f"%c{at}.{entry}", tile)]

    lines += _blocks(size // ROWS, block)
    for entry in range(size - size % ROWS, size):
        for row in range(ROWS):
            name, joined = f"%e{entry}.{row}", f"%e{entry}.{row - 1}j" if row else "poison"
            lines += [
                f"{name}p = getelementptr i8, ptr %row{row}, i64 {8 * entry}",
                f"{name} = load double, ptr {name}p, align 8",
                f"{name}j = insertelement {_VECTOR} {joined}, double {name}, i32 {row}",
            ]
        lines += _store_entry(entry, f"%e{entry}.{ROWS - 1}j", "%tile")
    return lines


def _scatter_vectors(size: int) -> list[str]:
    """Write a tile to rows whose entries follow each other: four entries at a time, the rest one by one."""

    def block(at: str, tile: str) -> list[str]:
        lines = [line for entry in range(ROWS) for line in _load_entry(entry, f"%r{at}.{entry}", tile)]
        lines += _transpose(f"%c{at}", [f"%r{at}.{entry}" for entry in range(ROWS)])
        lines += _addresses(f"%a{at}", at)
        return lines + [f"store {_VECTOR} %c{at}.{row}, ptr %a{at}.{row}, align 8" for row in range(ROWS)]

    lines = _blocks(size // ROWS, block)
    for entry in range(size - size % ROWS, size):
        lines += _load_entry(entry, f"%r{entry}", "%tile")
        for row in range(ROWS):
            name = f"%e{entry}.{row}"
            lines += [
                f"{name} = extractelement {_VECTOR} %r{entry}, i32 {row}",
                f"{name}p = getelementptr i8, ptr %row{row}, i64 {8 * entry}",
                f"store double {name}, ptr {name}p, align 8",
            ]
    return lines


def _blocks(count: int, block: Callable[[str, str], list[str]]) -> list[str]:
    """Some blocks of four entries: one after the other where they are few, in a loop where they are many.

    Args:
        count: number of blocks.
        block: makes one, of its first entry (a number, or the name of one) and the part of the tile that it fills.
    """
    if count <= _UNROLLED:
        lines = []
        for number in range(count):
            lines.append(f"%tile{number} = getelementptr i8, ptr %tile, i64 {ROWS * TILE_ENTRY * number}")
            lines += block(f"{ROWS * number}", f"%tile{number}")
        return lines
    return [
        "br label %block",
        "block:",
        "%.first = phi i64 [ 0, %vectors ], [ %.next, %block ]",
        f"%.offset = mul i64 %.first, {TILE_ENTRY}",
        "%.tile = getelementptr i8, ptr %tile, i64 %.offset",
        *block(".first", "%.tile"),
        f"%.next = add i64 %.first, {ROWS}",
        f"%.more = icmp slt i64 %.next, {ROWS * count}",
        "br i1 %.more, label %block, label %rest",
        "rest:",
    ]


def _addresses(name: str, entry: str) -> list[str]:
    """Write `<name>.<row>`, the address of an entry in each row."""
    number = entry if entry.isdecimal() else f"%{entry}"
    return [f"{name}.{row} = getelementptr double, ptr %row{row}, i64 {number}" for row in range(ROWS)]


def _one_by_one(name: str) -> list[str]:
    """`@gather_any` or `@scatter_any`: one number at a time, for any shape and strides."""
    lines = [
        f"define internal void @{name}_any({_POINTERS}, {_STRIDES}, ptr noalias %tile, i64 %rows, i64 %columns) #0 {{",
        "entry:",
        "br label %outer",
        "outer:",
        "%i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]",
        "%at.row = mul i64 %i, %stride_row",
        "%tile.row = mul i64 %i, %columns",
        "br label %inner",
        "inner:",
        "%j = phi i64 [ 0, %outer ], [ %j.next, %inner ]",
        "%at.column = mul i64 %j, %stride_column",
        "%at = add i64 %at.row, %at.column",
        "%entry.number = add i64 %tile.row, %j",
        f"%cell = getelementptr [{ROWS} x double], ptr %tile, i64 %entry.number",
    ]
    for row in range(ROWS):
        here, there = f"%m{row}", f"%t{row}"
        source, target = (here, there) if name == "gather" else (there, here)
        lines += [
            f"{here} = getelementptr i8, ptr %row{row}, i64 %at",
            f"{there} = getelementptr double, ptr %cell, i64 {row}",
            f"%n{row} = load double, ptr {source}, align 8",
            f"store double %n{row}, ptr {target}, align 8",
        ]
    return [
        *lines,
        "%j.next = add i64 %j, 1",
        "%inner.more = icmp slt i64 %j.next, %columns",
        "br i1 %inner.more, label %inner, label %outer.end",
        "outer.end:",
        "%i.next = add i64 %i, 1",
        "%outer.more = icmp slt i64 %i.next, %rows",
        "br i1 %outer.more, label %outer, label %done",
        "done:",
        "ret void",
        "}",
    ]


def _triples() -> list[str]:
    """Fill a tile from four rows of three entries without gaps: twelve numbers, read as three vectors."""
    lines = ["%adjacent0 = icmp eq i64 0, 0"]
    for row in range(1, ROWS):
        lines += [
            f"%follows{row} = getelementptr i8, ptr %row0, i64 {8 * _TRIPLE * row}",
            f"%near{row} = icmp eq ptr %row{row}, %follows{row}",
            f"%adjacent{row} = and i1 %adjacent{row - 1}, %near{row}",
        ]
    lines += [f"br i1 %adjacent{ROWS - 1}, label %triples, label %apart", "triples:"]
    for part in range(_TRIPLE):
        lines.append(f"%part{part}.at = getelementptr i8, ptr %row0, i64 {TILE_ENTRY * part}")
        lines.append(f"%part{part} = load {_VECTOR}, ptr %part{part}.at, align 8")
    for entry in range(_TRIPLE):
        places = [_TRIPLE * row + entry for row in range(ROWS)]
        # Those in the first two vectors, each in its lane, then the others from the third.
        early = tuple(place if place < 2 * ROWS else 0 for place in places)
        late = tuple(lane if place < 2 * ROWS else place - ROWS for lane, place in enumerate(places))
        lines += [
            _shuffle(f"%early{entry}", "%part0", "%part1", early),
            _shuffle(f"%entry{entry}", f"%early{entry}", "%part2", late),
            *_store_entry(entry, f"%entry{entry}", "%tile"),
        ]
    return [*lines, "ret void", "apart:"]


def _store_entry(entry: int, name: str, tile: str) -> list[str]:
    """Store one entry of a tile."""
    return [
        f"{name}.to = getelementptr i8, ptr {tile}, i64 {TILE_ENTRY * entry}",
        f"store {_VECTOR} {name}, ptr {name}.to, align {TILE_ENTRY}",
    ]


def _load_entry(entry: int, name: str, tile: str) -> list[str]:
    """Load one entry of a tile."""
    return [
        f"{name}.from = getelementptr i8, ptr {tile}, i64 {TILE_ENTRY * entry}",
        f"{name} = load {_VECTOR}, ptr {name}.from, align {TILE_ENTRY}",
    ]


def _shuffle(result: str, one: str, other: str, indices: tuple[int, ...]) -> str:
    mask = ", ".join(f"i32 {index}" for index in indices)
    return f"{result} = shufflevector {_VECTOR} {one}, {_VECTOR} {other}, <4 x i32> <{mask}>"


def _transpose(name: str, lines: list[str]) -> list[str]:
    """Transpose four vectors of four into `<name>.0` to `<name>.3`."""
    a, b, c, d = lines
    low, high = (f"{name}.ab.low", f"{name}.cd.low"), (f"{name}.ab.high", f"{name}.cd.high")
    return [
        _shuffle(low[0], a, b, _LOW),
        _shuffle(high[0], a, b, _HIGH),
        _shuffle(low[1], c, d, _LOW),
        _shuffle(high[1], c, d, _HIGH),
        _shuffle(f"{name}.0", *low, _FIRST),
        _shuffle(f"{name}.1", *high, _FIRST),
        _shuffle(f"{name}.2", *low, _SECOND),
        _shuffle(f"{name}.3", *high, _SECOND),
    ]
