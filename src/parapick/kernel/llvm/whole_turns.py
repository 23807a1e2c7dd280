"""The loop over whole turns whose operands are in place, shared, or of rows without gaps, as LLVM text.

The way of each operand is known before the loop begins, and all distances between rows are. Rows that have to be moved
are moved a block at a time: the rows of a block are gathered, then computed, then scattered. So moving never waits for
computing, nor computing for what was moved just before. A block is as large as stays in the first-level cache; where
nothing is moved, one block has all rows.

The memory of results is asked for while they are computed. Otherwise the scatter of a large batch would wait for it:
kinematics of par4 for 100,000 poses would take 1.15 of the time without blocks. So they take 1.02, and its mass matrix
takes 0.84.
"""

from __future__ import annotations

from typing import Final

from parapick.kernel.llvm.operands import Operand, Operands, when

_LINE: Final = 64
"""Bytes of a line of the cache; where lines are longer, some are asked for twice."""

_LINES: Final = 32
"""Lines of a turn that are asked for at most; by then the processor has seen where they lead."""


def whole_turns(operands: Operands) -> list[str]:
    """Compute whole turns where all operands allow it, from the label `before` on; `first` is the row after them."""
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
        lines += _along(operand)
        lines.append(f"%placed{operand.place} = and i1 {placed}, %in.place{operand.place}")
        placed = f"%placed{operand.place}"
    return [
        *lines,
        f"%block.most = select i1 {placed}, i64 %end.whole, i64 {operands.block}",
        "br label %block",
        *_block(operands),
        "whole.done:",
        "%some.left = icmp slt i64 %end.whole, %n",
        "br i1 %some.left, label %rest, label %check",
        "rest:",
        "%first = phi i64 [ 0, %before ], [ %end.whole, %whole.done ]",
    ]


def _layout(operand: Operand, shared: bool) -> list[str]:
    """Whether rows have no gaps (`dense`), whether nothing is moved (`in.place`), and whether either holds (`easy`)."""
    k, rows, columns = operand.place, operand.rows, operand.columns
    return [
        f"%dense{k}.outer = icmp eq i64 %outer{k}, {operand.row_bytes}",
        f"%dense{k}.row = icmp eq i64 %core{k}.row, {8 * columns if rows > 1 else f'%core{k}.row'}",
        f"%dense{k}.column = icmp eq i64 %core{k}.column, {8 if columns > 1 else f'%core{k}.column'}",
        f"%dense{k}.core = and i1 %dense{k}.row, %dense{k}.column",
        f"%dense{k} = and i1 %dense{k}.outer, %dense{k}.core",
        f"%in.place{k} = or i1 %lanes{k}, {f'%same{k}' if shared else 'false'}",
        f"%moved{k} = xor i1 %in.place{k}, true",
        f"%easy{k} = or i1 %in.place{k}, %dense{k}",
    ]


def _along(operand: Operand) -> list[str]:
    """Bytes from a row to the next where the body finds them: in memory, in the tiles, or always the same tile."""
    k = operand.place
    return [
        f"%tiled{k} = select i1 %moved{k}, i64 {operand.row_bytes}, i64 0",
        f"%along{k} = select i1 %lanes{k}, i64 8, i64 %tiled{k}",
        *[
            f"%whole{k}.{axis} = select i1 %lanes{k}, i64 %core{k}.{axis}, i64 {stride}"
            for axis, stride in operand.tile.items()
        ],
    ]


def _block(operands: Operands) -> list[str]:
    """The loop over blocks: inputs gathered, results computed, outputs scattered."""
    lines = [
        "block:",
        "%block.first = phi i64 [ 0, %whole ], [ %block.next, %block.end ]",
        "%block.left = sub i64 %end.whole, %block.first",
        "%block.rows = call i64 @llvm.smin.i64(i64 %block.left, i64 %block.most)",
    ]
    streams, starts = [], []
    for operand in operands.streams:
        k = operand.place
        lines += [
            f"%block{k}.skip = mul i64 %block.first, 8",
            f"%block{k}.there = getelementptr i8, ptr %base{k}, i64 %block{k}.skip",
            f"%block{k} = select i1 %lanes{k}, ptr %block{k}.there, ptr %tile{k}",
        ]
        starts += [
            f"%turn{k}.skip = mul i64 %turns.row, %along{k}",
            f"%turn{k} = getelementptr i8, ptr %block{k}, i64 %turn{k}.skip",
        ]
        streams.append(f"ptr %turn{k}, i64 %whole{k}.row, i64 %whole{k}.column")
    for operand in operands.inputs:
        lines += _moved(operand, "gather")
    for operand in operands.outputs:
        starts += when(f"%moved{operand.place}", f"ahead{operand.place}", _asked_for(operand))
    lines += _turns("turns", "true", [*starts, operands.compute(streams)], operands.width)
    for operand in operands.outputs:
        lines += _moved(operand, "scatter")
    return [
        *lines,
        "br label %block.end",
        "block.end:",
        "%block.next = add i64 %block.first, %block.rows",
        "%block.more = icmp slt i64 %block.next, %end.whole",
        "br i1 %block.more, label %block, label %whole.done",
    ]


def _turns(name: str, condition: str, lines: list[str], width: int) -> list[str]:
    """A loop over the turns of a block where a condition holds; `%<name>.row` counts its rows."""
    return [
        f"br label %{name}.before",
        f"{name}.before:",
        f"br i1 {condition}, label %{name}, label %{name}.done",
        f"{name}:",
        f"%{name}.row = phi i64 [ 0, %{name}.before ], [ %{name}.next, %{name}.end ]",
        *lines,
        f"br label %{name}.end",
        f"{name}.end:",
        f"%{name}.next = add i64 %{name}.row, {width}",
        f"%{name}.more = icmp slt i64 %{name}.next, %block.rows",
        f"br i1 %{name}.more, label %{name}, label %{name}.done",
        f"{name}.done:",
    ]


def _place(operand: Operand, name: str, loop: str) -> list[str]:
    """Where in memory the first row of a turn is, `%<name>.at0`; rows have no gaps."""
    return [
        f"%{name}.number = add i64 %block.first, %{loop}.row",
        f"%{name}.along = mul i64 %{name}.number, {operand.row_bytes}",
        f"%{name}.at0 = getelementptr i8, ptr %base{operand.place}, i64 %{name}.along",
    ]


def _asked_for(operand: Operand) -> list[str]:
    """Ask for the memory that the results of a turn will be scattered to."""
    name = f"ahead{operand.place}"
    lines = _place(operand, name, "turns")
    for byte in range(0, min(operand.row_bytes * operand.width, _LINES * _LINE), _LINE):
        lines += [
            f"%{name}.line{byte} = getelementptr i8, ptr %{name}.at0, i64 {byte}",
            f"call void @llvm.prefetch.p0(ptr %{name}.line{byte}, i32 1, i32 3, i32 1)",
        ]
    return lines


def _moved(operand: Operand, name: str) -> list[str]:
    """Move the rows of a block between memory and tiles; all distances are known, so a turn is few moves."""
    k, size = operand.place, operand.row_bytes
    loop = f"{name}{k}"
    rows = [f"%{loop}.at{row}" for row in range(operand.width)]
    lines = [
        *_place(operand, loop, loop),
        *[f"{rows[row]} = getelementptr i8, ptr {rows[0]}, i64 {size * row}" for row in range(1, operand.width)],
        f"%{loop}.skip = mul i64 %{loop}.row, {size}",
        f"%{loop}.tile = getelementptr i8, ptr %tile{k}, i64 %{loop}.skip",
        operand.move(name, rows, tile=f"%{loop}.tile"),
    ]
    return _turns(loop, f"%moved{k}", lines, operand.width)
