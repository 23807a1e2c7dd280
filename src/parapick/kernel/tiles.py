"""Moving rows between memory of any layout and a tile, as LLVM text.

A tile holds `width` rows with their lanes side by side, entry after entry. `gather` fills one, `scatter` writes one
back. Row `r` begins `offset r` bytes after the first; at the end of a batch the offsets of missing rows repeat the last
one, so that a tile is always full and repeated rows write the same numbers to the same place.

Where the entries of a row follow each other, four rows of four are moved by vector loads and a transposition; in any
other layout one number at a time. Rows of three that follow each other too are read as three whole vectors.
"""

from __future__ import annotations

__all__ = ["ROWS", "TILE_ENTRY", "gather", "scatter", "strided"]

ROWS = 4
"""Rows of a tile."""

TILE_ENTRY = 8 * ROWS
"""Bytes of one entry of a tile."""

_TRIPLE = 3
"""Entries of a row whose transposition LLVM would store in halves; a load of the whole entry right after would then
wait until both have reached the cache."""

_VECTOR = "<4 x double>"
_LOW, _HIGH = (0, 4, 2, 6), (1, 5, 3, 7)
_FIRST, _SECOND = (0, 1, 4, 5), (2, 3, 6, 7)


def gather(rows: int, columns: int) -> list[str]:
    """`@gather_<rows>x<columns>(source, offsets, strides, tile)` for an operand of this core shape."""
    lines = [_head("gather", rows, columns), *_pointers()]
    if rows * columns == _TRIPLE:
        lines += _triples()
    for start, count in _chunks(rows * columns):
        lines += [
            f"%a{start}.{row} = getelementptr i8, ptr %row{row}, i64 {8 * start}\n"
            f"%l{start}.{row} = load {_short(count)}, ptr %a{start}.{row}, align 8\n"
            + _resize(f"%r{start}.{row}", f"%l{start}.{row}", count, ROWS)
            for row in range(ROWS)
        ]
        lines += _transpose(f"%c{start}", [f"%r{start}.{row}" for row in range(ROWS)])
        lines += [
            f"%t{start}.{entry} = getelementptr i8, ptr %tile, i64 {TILE_ENTRY * (start + entry)}\n"
            f"store {_VECTOR} %c{start}.{entry}, ptr %t{start}.{entry}, align {TILE_ENTRY}"
            for entry in range(count)
        ]
    return [*lines, "ret void", *_otherwise("gather", rows, columns), "}"]


def scatter(rows: int, columns: int) -> list[str]:
    """`@scatter_<rows>x<columns>(target, offsets, strides, tile)` for an operand of this core shape."""
    lines = [_head("scatter", rows, columns), *_pointers()]
    for start, count in _chunks(rows * columns):
        entries = [f"%r{start}.{entry}" for entry in range(count)]
        lines += [
            f"%t{start}.{entry} = getelementptr i8, ptr %tile, i64 {TILE_ENTRY * (start + entry)}\n"
            f"{name} = load {_VECTOR}, ptr %t{start}.{entry}, align {TILE_ENTRY}"
            for entry, name in enumerate(entries)
        ]
        lines += _transpose(f"%c{start}", [*entries, *["poison"] * (ROWS - count)])
        lines += [
            _resize(f"%s{start}.{row}", f"%c{start}.{row}", ROWS, count)
            + f"\n%a{start}.{row} = getelementptr i8, ptr %row{row}, i64 {8 * start}\n"
            f"store {_short(count)} %s{start}.{row}, ptr %a{start}.{row}, align 8"
            for row in range(ROWS)
        ]
    return [*lines, "ret void", *_otherwise("scatter", rows, columns), "}"]


def strided() -> list[str]:
    """`@gather_any` and `@scatter_any`: one number at a time, for any core shape and strides."""
    lines: list[str] = []
    for name in ("gather", "scatter"):
        lines += [
            f"define internal void @{name}_any({_ARGUMENTS}, i64 %rows, i64 %columns) #0 {{",
            "entry:",
            *[f"%row{row} = getelementptr i8, ptr %memory, i64 {_OFFSETS[row]}" for row in range(ROWS)],
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
        lines += [
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
    return lines


_ARGUMENTS = (
    "ptr %memory, i64 %offset1, i64 %offset2, i64 %offset3, i64 %stride_row, i64 %stride_column, ptr noalias %tile"
)
_OFFSETS = ("0", "%offset1", "%offset2", "%offset3")


def _head(name: str, rows: int, columns: int) -> str:
    """Begin a function; entries that follow each other take the way of vectors."""
    return "\n".join(
        [
            f"define internal void @{name}_{rows}x{columns}({_ARGUMENTS}) #0 {{",
            f"%dense.column = icmp eq i64 %stride_column, {'8' if columns > 1 else '%stride_column'}",
            f"%dense.row = icmp eq i64 %stride_row, {8 * columns if rows > 1 else '%stride_row'}",
            "%dense = and i1 %dense.column, %dense.row",
            "br i1 %dense, label %vectors, label %numbers",
            "vectors:",
        ]
    )


def _otherwise(name: str, rows: int, columns: int) -> list[str]:
    """End a function: the way of single numbers."""
    given = "ptr %memory, i64 %offset1, i64 %offset2, i64 %offset3, i64 %stride_row, i64 %stride_column, ptr %tile"
    return ["numbers:", f"call void @{name}_any({given}, i64 {rows}, i64 {columns})", "ret void"]


def _pointers() -> list[str]:
    """The address of each row."""
    return [f"%row{row} = getelementptr i8, ptr %memory, i64 {_OFFSETS[row]}" for row in range(ROWS)]


def _triples() -> list[str]:
    """Fill a tile from four rows of three entries without gaps: twelve numbers, read as three vectors."""
    size = 8 * _TRIPLE
    lines = [
        # Offsets are multiples of the stride, so these two leave no other value for the second.
        f"%adjacent.second = icmp eq i64 %offset1, {size}",
        f"%adjacent.last = icmp eq i64 %offset3, {3 * size}",
        "%adjacent = and i1 %adjacent.second, %adjacent.last",
        "br i1 %adjacent, label %triples, label %apart",
        "triples:",
    ]
    for part in range(_TRIPLE):
        lines.append(f"%part{part}.at = getelementptr i8, ptr %memory, i64 {TILE_ENTRY * part}")
        lines.append(f"%part{part} = load {_VECTOR}, ptr %part{part}.at, align 8")
    for entry in range(_TRIPLE):
        places = [_TRIPLE * row + entry for row in range(ROWS)]
        # Those in the first two vectors, each in its lane, then the others from the third.
        early = tuple(place if place < 2 * ROWS else 0 for place in places)
        late = tuple(lane if place < 2 * ROWS else place - ROWS for lane, place in enumerate(places))
        lines += [
            _shuffle(f"%early{entry}", "%part0", "%part1", early),
            _shuffle(f"%entry{entry}", f"%early{entry}", "%part2", late),
            f"%entry{entry}.to = getelementptr i8, ptr %tile, i64 {TILE_ENTRY * entry}",
            f"store {_VECTOR} %entry{entry}, ptr %entry{entry}.to, align {TILE_ENTRY}",
        ]
    return [*lines, "ret void", "apart:"]


def _chunks(size: int) -> list[tuple[int, int]]:
    """Entries in fours, the rest last: pairs of start and count."""
    return [(start, min(ROWS, size - start)) for start in range(0, size, ROWS)]


def _short(count: int) -> str:
    return f"<{count} x double>"


def _resize(result: str, source: str, old: int, new: int) -> str:
    """A vector with entries cut off or left undefined."""
    indices = ", ".join(f"i32 {index}" if index < old else "i32 poison" for index in range(new))
    return f"{result} = shufflevector {_short(old)} {source}, {_short(old)} poison, <{new} x i32> <{indices}>"


def _shuffle(result: str, one: str, other: str, indices: tuple[int, ...]) -> str:
    mask = ", ".join(f"i32 {index}" for index in indices)
    return f"{result} = shufflevector {_VECTOR} {one}, {_VECTOR} {other}, <4 x i32> <{mask}>"


def _transpose(name: str, lines: list[str]) -> list[str]:
    """Transpose four vectors of four into `<name>.0` to `<name>.3`."""
    a, b, c, d = lines
    return [
        _shuffle(f"{name}.ab.low", a, b, _LOW),
        _shuffle(f"{name}.ab.high", a, b, _HIGH),
        _shuffle(f"{name}.cd.low", c, d, _LOW),
        _shuffle(f"{name}.cd.high", c, d, _HIGH),
        _shuffle(f"{name}.0", f"{name}.ab.low", f"{name}.cd.low", _FIRST),
        _shuffle(f"{name}.1", f"{name}.ab.high", f"{name}.cd.high", _FIRST),
        _shuffle(f"{name}.2", f"{name}.ab.low", f"{name}.cd.low", _SECOND),
        _shuffle(f"{name}.3", f"{name}.ab.high", f"{name}.cd.high", _SECOND),
    ]
