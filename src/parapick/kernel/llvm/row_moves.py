"""Moving rows between memory of any layout and a tile, as LLVM text.

A tile holds as many rows as a vector has lanes, four or eight, with their lanes side by side, entry after entry.
`gather` fills one, `scatter` writes one back. At the end of a batch the last row stands in the place of missing ones,
so that a tile is always full and repeated rows write the same numbers to the same place.

Where the entries of a row follow each other, four rows of four are moved by vector loads and a transposition; in any
other layout one number at a time. Rows of three that follow each other too are moved as three whole vectors. Of eight
rows, the fifth is beside the first in one vector, and so on: both halves are transposed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from parapick.kernel.llvm.types import Types

Shape = tuple[int, int]
"""Rows and columns of an operand; a column is one row, so that its entries follow each other."""

SQUARE: Final = 4
"""Rows and entries that are transposed together."""

_TRIPLE: Final = 3
"""Entries of a position: the rows that are moved most often, one after the other."""

_UNROLLED: Final = 4
"""Blocks of four entries up to which they are written out."""

VECTOR: Final = "<4 x double>"
_LOW, _HIGH = (0, 4, 2, 6), (1, 5, 3, 7)
_FIRST, _SECOND = (0, 1, 4, 5), (2, 3, 6, 7)
_STRIDES: Final = "i64 %stride_row, i64 %stride_column"


def move(name: str, shape: Shape, rows: Sequence[str], tile: str, strides: tuple[str, str] | None = None) -> str:
    """The call that moves rows, one a lane.

    Args:
        name: `gather` or `scatter`.
        shape: rows and columns of the operand.
        rows: address of the operand in each lane.
        tile: address of the tile.
        strides: bytes from one row of the operand to the next, and from one column to the next; None: its entries
            follow each other, and a few moves are made in the place of the call.
    """
    pointers = ", ".join(f"ptr {row}" for row in rows)
    function = f"{name}_{shape[0]}x{shape[1]}"
    if strides is None:
        return f"call void @{function}({pointers}, ptr {tile})"
    return f"call void @{function}_any({pointers}, i64 {strides[0]}, i64 {strides[1]}, ptr {tile})"


def movers(sources: Iterable[Shape], sinks: Iterable[Shape], width: int) -> list[str]:
    """The functions that `move` calls.

    Args:
        sources: shapes of what is gathered.
        sinks: shapes of what is scattered.
        width: number of lanes, a multiple of four.
    """
    lines = [*_one_by_one("gather", width), *_one_by_one("scatter", width)]
    for name, shapes, vectors in (("gather", sources, _gather_vectors), ("scatter", sinks, _scatter_vectors)):
        for shape in sorted(set(shapes)):
            lines += _function(name, shape, width, vectors(shape[0] * shape[1], width))
    return lines


def _pointers(width: int) -> str:
    return ", ".join(f"ptr %row{row}" for row in range(width))


def _function(name: str, shape: Shape, width: int, vectors: list[str]) -> list[str]:
    """`@<name>_<rows>x<columns>(row of each lane, tile)` for an operand of this shape, and the same with strides."""
    rows, columns = shape
    function, pointers = f"{name}_{rows}x{columns}", _pointers(width)
    passed = f"{pointers}, ptr %tile"
    return [
        f"define internal void @{function}({pointers}, ptr noalias %tile) #2 {{",
        "vectors:",
        *vectors,
        "ret void",
        "}",
        f"define internal void @{function}_any({pointers}, {_STRIDES}, ptr noalias %tile) #1 {{",
        f"%dense.column = icmp eq i64 %stride_column, {'8' if columns > 1 else '%stride_column'}",
        f"%dense.row = icmp eq i64 %stride_row, {8 * columns if rows > 1 else '%stride_row'}",
        "%dense = and i1 %dense.column, %dense.row",
        "br i1 %dense, label %vectors, label %numbers",
        "vectors:",
        f"call void @{function}({passed})",
        "ret void",
        "numbers:",
        f"call void @{name}_any({pointers}, {_STRIDES}, ptr %tile, i64 {rows}, i64 {columns})",
        "ret void",
        "}",
    ]


def _gather_vectors(size: int, width: int) -> list[str]:
    """Fill a tile from rows whose entries follow each other: four entries at a time."""
    lines = _gather_triples(width) if size == _TRIPLE else []

    def block(at: str, tile: str) -> list[str]:
        lines = _addresses(f"%a{at}", at, width)
        for row in range(width):
            lines.append(f"%r{at}.{row} = load {VECTOR}, ptr %a{at}.{row}, align 8")
        beside = [f"%b{at}.{row}" if width > SQUARE else f"%r{at}.{row}" for row in range(SQUARE)]
        for row in range(SQUARE if width > SQUARE else 0):
            lines.append(shuffle(beside[row], f"%r{at}.{row}", f"%r{at}.{row + SQUARE}", tuple(range(width))))
        lines += transpose(f"%c{at}", beside, width)
        for entry in range(SQUARE):
            lines += _store_entry(entry, f"%c{at}.{entry}", tile, width)
        return lines

    lines += _blocks(size, block, width)
    for entry in _alone(size):
        for row in range(width):
            name, joined = f"%e{entry}.{row}", f"%e{entry}.{row - 1}j" if row else "poison"
            lines += [
                f"{name}p = getelementptr i8, ptr %row{row}, i64 {8 * entry}",
                f"{name} = load double, ptr {name}p, align 8",
                f"{name}j = insertelement {Types(width).number} {joined}, double {name}, i32 {row}",
            ]
        lines += _store_entry(entry, f"%e{entry}.{width - 1}j", "%tile", width)
    return lines


def _scatter_vectors(size: int, width: int) -> list[str]:
    """Write a tile to rows whose entries follow each other: four entries at a time."""

    def block(at: str, tile: str) -> list[str]:
        lines = [line for entry in range(SQUARE) for line in _load_entry(entry, f"%r{at}.{entry}", tile, width)]
        lines += _addresses(f"%a{at}", at, width)
        lines += transpose(f"%c{at}", [f"%r{at}.{entry}" for entry in range(SQUARE)], width)
        for row in range(width):
            place, half = f"%c{at}.{row % SQUARE}", f"%h{at}.{row}"
            first = row - row % SQUARE
            lines.append(shuffle(half, place, "poison", tuple(range(first, first + SQUARE)), width))
            lines.append(f"store {VECTOR} {half}, ptr %a{at}.{row}, align 8")
        return lines

    lines = _scatter_triples(width) if size == _TRIPLE else []
    lines += _blocks(size, block, width)
    for entry in _alone(size):
        lines += _load_entry(entry, f"%r{entry}", "%tile", width)
        for row in range(width):
            name = f"%e{entry}.{row}"
            lines += [
                f"{name} = extractelement {Types(width).number} %r{entry}, i32 {row}",
                f"{name}p = getelementptr i8, ptr %row{row}, i64 {8 * entry}",
                f"store double {name}, ptr {name}p, align 8",
            ]
    return lines


def _blocks(size: int, block: Callable[[str, str], list[str]], width: int) -> list[str]:
    """Entries in blocks of four: one after the other where they are few, in a loop where they are many.

    Where some are left over, the last block begins before the end of the one before it, and moves the same numbers.

    Args:
        size: number of entries, of which those of `_alone` are not moved here.
        block: makes one, of its first entry (a number, or the name of one) and the part of the tile that it fills.
        width: number of lanes.
    """
    count = size // SQUARE
    firsts = [SQUARE * number for number in range(count if count <= _UNROLLED else 0)]
    firsts += [size - SQUARE] if size % SQUARE and not _alone(size) else []
    lines = _block_loop(count, block, width) if count > _UNROLLED else []
    for first in firsts:
        lines.append(f"%tile{first} = getelementptr i8, ptr %tile, i64 {Types(width).bytes * first}")
        lines += block(f"{first}", f"%tile{first}")
    return lines


def _alone(size: int) -> range:
    """Entries that are moved one by one: fewer than four, or a single one left over; for more a block is faster."""
    left = size % SQUARE
    return range(size - left if size < SQUARE or left == 1 else size, size)


def _block_loop(count: int, block: Callable[[str, str], list[str]], width: int) -> list[str]:
    """Blocks of four entries in a loop; arguments as those of `_blocks`."""
    return [
        "br label %block",
        "block:",
        "%.first = phi i64 [ 0, %vectors ], [ %.next, %block ]",
        f"%.offset = mul i64 %.first, {Types(width).bytes}",
        "%.tile = getelementptr i8, ptr %tile, i64 %.offset",
        *block(".first", "%.tile"),
        f"%.next = add i64 %.first, {SQUARE}",
        f"%.more = icmp slt i64 %.next, {SQUARE * count}",
        "br i1 %.more, label %block, label %rest",
        "rest:",
    ]


def _addresses(name: str, entry: str, width: int) -> list[str]:
    """Write `<name>.<row>`, the address of an entry in each row."""
    number = entry if entry.isdecimal() else f"%{entry}"
    return [f"{name}.{row} = getelementptr double, ptr %row{row}, i64 {number}" for row in range(width)]


def _one_by_one(name: str, width: int) -> list[str]:
    """`@gather_any` or `@scatter_any`: one number at a time, for any shape and strides."""
    arguments = f"{_pointers(width)}, {_STRIDES}, ptr noalias %tile, i64 %rows, i64 %columns"
    lines = [
        f"define internal void @{name}_any({arguments}) #0 {{",
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
        f"%cell = getelementptr [{width} x double], ptr %tile, i64 %entry.number",
    ]
    for row in range(width):
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


def _triples(moved: list[str], width: int) -> list[str]:
    """Moves of three entries of each row where rows follow each other, in three vectors; behind, the label `apart`."""
    lines = ["%adjacent0 = icmp eq i64 0, 0"]
    for row in range(1, width):
        lines += [
            f"%follows{row} = getelementptr i8, ptr %row0, i64 {8 * _TRIPLE * row}",
            f"%near{row} = icmp eq ptr %row{row}, %follows{row}",
            f"%adjacent{row} = and i1 %adjacent{row - 1}, %near{row}",
        ]
    lines += [f"br i1 %adjacent{width - 1}, label %triples, label %apart", "triples:"]
    for part in range(_TRIPLE):
        lines.append(f"%part{part}.at = getelementptr i8, ptr %row0, i64 {8 * width * part}")
    return [*lines, *moved, "ret void", "apart:"]


def _joined(name: str, vectors: Sequence[str], places: Sequence[tuple[int, int]], width: int) -> list[str]:
    """Write `name`: for each lane a place in one of three vectors, by number of the vector and lane."""
    early = tuple(width * vector + lane if vector < 2 else 0 for vector, lane in places)
    late = tuple(here if vector < 2 else width + lane for here, (vector, lane) in enumerate(places))
    return [
        shuffle(f"{name}.early", vectors[0], vectors[1], early, width),
        shuffle(name, f"{name}.early", vectors[2], late, width),
    ]


def _gather_triples(width: int) -> list[str]:
    """Fill a tile from rows of three entries without gaps."""
    parts = [f"%part{part}" for part in range(_TRIPLE)]
    lines = [f"{part} = load {Types(width).number}, ptr {part}.at, align 8" for part in parts]
    for entry in range(_TRIPLE):
        places = [divmod(_TRIPLE * row + entry, width) for row in range(width)]
        lines += _joined(f"%entry{entry}", parts, places, width)
        lines += _store_entry(entry, f"%entry{entry}", "%tile", width)
    return _triples(lines, width)


def _scatter_triples(width: int) -> list[str]:
    """Write a tile to rows of three entries without gaps."""
    entries = [f"%entry{entry}" for entry in range(_TRIPLE)]
    lines = [line for entry, name in enumerate(entries) for line in _load_entry(entry, name, "%tile", width)]
    for part in range(_TRIPLE):
        rows = [divmod(width * part + lane, _TRIPLE) for lane in range(width)]
        lines += _joined(f"%part{part}", entries, [(entry, row) for row, entry in rows], width)
        lines.append(f"store {Types(width).number} %part{part}, ptr %part{part}.at, align 8")
    return _triples(lines, width)


def _store_entry(entry: int, name: str, tile: str, width: int) -> list[str]:
    """Store one entry of a tile."""
    types = Types(width)
    return [
        f"{name}.to = getelementptr i8, ptr {tile}, i64 {types.bytes * entry}",
        f"store {types.number} {name}, ptr {name}.to, align {types.bytes}",
    ]


def _load_entry(entry: int, name: str, tile: str, width: int) -> list[str]:
    """Load one entry of a tile."""
    types = Types(width)
    return [
        f"{name}.from = getelementptr i8, ptr {tile}, i64 {types.bytes * entry}",
        f"{name} = load {types.number}, ptr {name}.from, align {types.bytes}",
    ]


def shuffle(result: str, one: str, other: str, indices: tuple[int, ...], width: int = SQUARE) -> str:
    """Lanes of two vectors of a width as one vector."""
    mask, kind = ", ".join(f"i32 {index}" for index in indices), Types(width).number
    return f"{result} = shufflevector {kind} {one}, {kind} {other}, <{len(indices)} x i32> <{mask}>"


def transpose(name: str, lines: list[str], width: int) -> list[str]:
    """Transpose four vectors, each four of their lanes for themselves, into `<name>.0` to `<name>.3`."""
    a, b, c, d = lines
    low, high = (f"{name}.ab.low", f"{name}.cd.low"), (f"{name}.ab.high", f"{name}.cd.high")
    moves = [
        (low[0], a, b, _LOW),
        (high[0], a, b, _HIGH),
        (low[1], c, d, _LOW),
        (high[1], c, d, _HIGH),
        (f"{name}.0", *low, _FIRST),
        (f"{name}.1", *high, _FIRST),
        (f"{name}.2", *low, _SECOND),
        (f"{name}.3", *high, _SECOND),
    ]
    return [shuffle(result, one, other, _repeated(lanes, width), width) for result, one, other, lanes in moves]


def _repeated(lanes: tuple[int, ...], width: int) -> tuple[int, ...]:
    """A choice of lanes of two vectors of four, for each four lanes of wider ones."""
    return tuple(
        lane % SQUARE + first + (width if lane >= SQUARE else 0) for first in range(0, width, SQUARE) for lane in lanes
    )
