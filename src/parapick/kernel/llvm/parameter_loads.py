"""The parameters that a computation uses, taken by their places from all that a call is given, as LLVM text.

Code knows neither how many parameters a call has nor which of them it uses: a table says it, the number of all and of
those that are used, then the place of each of these. So computations that are equal but for the places of their
parameters share their code.
What is taken lies with lanes side by side, entry after entry; one more entry behind is NaN in lanes where any parameter
is NaN, used or not, and otherwise 0.
"""

from __future__ import annotations

from typing import Final

from parapick.kernel.llvm.types import Types

_BLOCK: Final = 4
"""Parameters that are looked at together where they follow each other."""


def collect(rows: list[str], stride: str, table: str, into: str) -> str:
    """The call that takes the parameters of several rows, one a lane; of one row, if given, for all lanes.

    Args:
        rows: address of the parameters of each lane, or of all.
        stride: bytes from one parameter to the next.
        table: address of the table.
        into: address of what is taken.
    """
    name = "spread" if len(rows) == 1 else "collect"
    pointers = ", ".join(f"ptr {row}" for row in rows)
    return f"call void @{name}({pointers}, i64 {stride}, ptr {table}, ptr {into})"


def collectors(width: int) -> list[str]:
    """The functions that `collect` calls.

    Args:
        width: number of lanes.
    """
    several = _taking("collect", width, width) if width > 1 else []
    return [*_missing(), *_taking("spread", 1, width), *several]


def _taking(name: str, rows: int, width: int) -> list[str]:
    """`@<name>(rows, stride, table, into)`."""
    pointers = ", ".join(f"ptr %row{row}" for row in range(rows))
    lines = [
        f"define internal void @{name}({pointers}, i64 %stride, ptr %table, ptr noalias %into) #0 {{",
        "entry:",
        "%count = load i64, ptr %table, align 8",
        "%used.at = getelementptr i64, ptr %table, i64 1",
        "%used = load i64, ptr %used.at, align 8",
        "%places = getelementptr i64, ptr %table, i64 2",
    ]
    gates = [f"%gate{row}" for row in range(rows)]
    lines += [
        f"{gate} = call double @missing(ptr %row{row}, i64 %stride, i64 %count)" for row, gate in enumerate(gates)
    ]
    lines += _stored("gate", gates, width, "%used")
    lines += [
        "%some = icmp sgt i64 %used, 0",
        "br i1 %some, label %next, label %done",
        "next:",
        "%j = phi i64 [ 0, %entry ], [ %j.next, %next ]",
        "%j.next = add i64 %j, 1",
        "%cell = getelementptr i64, ptr %places, i64 %j",
        "%place = load i64, ptr %cell, align 8",
        "%along = mul i64 %place, %stride",
    ]
    for row in range(rows):
        lines.append(f"%at{row} = getelementptr i8, ptr %row{row}, i64 %along")
        lines.append(f"%value{row} = load double, ptr %at{row}, align 8")
    return [
        *lines,
        *_stored("entry", [f"%value{row}" for row in range(rows)], width, "%j"),
        "%more = icmp slt i64 %j.next, %used",
        "br i1 %more, label %next, label %done",
        "done:",
        "ret void",
        "}",
    ]


def _stored(name: str, values: list[str], width: int, entry: str) -> list[str]:
    """Store an entry of all lanes; one value stands for all."""
    kind = Types(width).number
    lines = [f"%{name}.cell = getelementptr {kind}, ptr %into, i64 {entry}"]
    joined = values[0]
    if width > 1:
        joined = "poison"
        for lane in range(width):
            value = values[lane % len(values)]
            lines.append(f"%{name}.join{lane} = insertelement {kind} {joined}, double {value}, i32 {lane}")
            joined = f"%{name}.join{lane}"
    return [*lines, f"store {kind} {joined}, ptr %{name}.cell, align {8 * width}"]


def _missing() -> list[str]:
    """`double @missing(row, stride, count)`: NaN if any parameter of a row is NaN, otherwise 0."""
    vector, truths = f"<{_BLOCK} x double>", f"<{_BLOCK} x i1>"
    return [
        "define internal double @missing(ptr %row, i64 %stride, i64 %count) #0 {",
        "entry:",
        "%dense = icmp eq i64 %stride, 8",
        f"%whole = and i64 %count, -{_BLOCK}",
        "%whole.some = icmp sgt i64 %whole, 0",
        "%blocks = and i1 %dense, %whole.some",
        "br i1 %blocks, label %block, label %rest",
        "block:",
        "%i = phi i64 [ 0, %entry ], [ %i.next, %block ]",
        f"%seen = phi {truths} [ zeroinitializer, %entry ], [ %seen.next, %block ]",
        "%at = getelementptr double, ptr %row, i64 %i",
        f"%some = load {vector}, ptr %at, align 8",
        f"%bad = fcmp uno {vector} %some, zeroinitializer",
        f"%seen.next = or {truths} %seen, %bad",
        f"%i.next = add i64 %i, {_BLOCK}",
        "%i.more = icmp slt i64 %i.next, %whole",
        "br i1 %i.more, label %block, label %block.done",
        "block.done:",
        f"%seen.bits = bitcast {truths} %seen.next to i{_BLOCK}",
        f"%seen.any = icmp ne i{_BLOCK} %seen.bits, 0",
        "br label %rest",
        "rest:",
        "%first = phi i64 [ 0, %entry ], [ %whole, %block.done ]",
        "%before = phi i1 [ false, %entry ], [ %seen.any, %block.done ]",
        "%rest.some = icmp slt i64 %first, %count",
        "br i1 %rest.some, label %one, label %done",
        "one:",
        "%k = phi i64 [ %first, %rest ], [ %k.next, %one ]",
        "%met = phi i1 [ %before, %rest ], [ %met.next, %one ]",
        "%one.along = mul i64 %k, %stride",
        "%one.at = getelementptr i8, ptr %row, i64 %one.along",
        "%one.value = load double, ptr %one.at, align 8",
        "%one.bad = fcmp uno double %one.value, 0.0",
        "%met.next = or i1 %met, %one.bad",
        "%k.next = add i64 %k, 1",
        "%k.more = icmp slt i64 %k.next, %count",
        "br i1 %k.more, label %one, label %done",
        "done:",
        "%any = phi i1 [ %before, %rest ], [ %met.next, %one ]",
        f"%gate = select i1 %any, double {Types(1).nan}, double 0.0",
        "ret double %gate",
        "}",
    ]
