"""The loops of a scan around its functions, as LLVM text.

`void parapick_<name>(first, last, steps, substeps, rows, table, strides)` runs rows `first` to `last - 1`, `width` at a
time, each through all its steps. `table` has for each operand the addresses of all its `rows` rows; `strides` for each
the bytes from one step to the next. Operands are the first state, the inputs, the parameters if there are any, the
recorded outputs and the last state. Missing rows at the end repeat the last one: they write the same numbers to the
same place.
"""

from __future__ import annotations

from typing import NamedTuple

from parapick.kernel.elementary import definition
from parapick.kernel.loop import functions, symbol
from parapick.kernel.lowering import Types
from parapick.kernel.scan_emit import Plan, hold, plan_of, prepare, step, substep
from parapick.kernel.scan_trace import ScanTrace
from parapick.kernel.target import Target

__all__ = ["emit_scan", "operands_of"]

_ATTRIBUTES = 'nounwind "prefer-vector-width"="256"'


class _Operands(NamedTuple):
    """Places of the operands among the arguments, and their lengths.

    Attributes:
        state: place of the first state.
        series: places of the inputs.
        parameters: place of the parameters, or -1.
        recorded: places of the outputs.
        final: place of the last state.
        lengths: entries of each operand.
    """

    state: int
    series: range
    parameters: int
    recorded: range
    final: int
    lengths: list[int]


def operands_of(scan: ScanTrace) -> _Operands:
    """The operands of a scan in the order of its arguments."""
    inputs, outputs = len(scan.series), len(scan.recorded)
    given = scan.trace.parameters is not None
    first = 1 + inputs + given
    lengths = [scan.states, *(port.size for port in scan.series), *([scan.trace.parameters or 0] if given else [])]
    lengths += [*(port.size for port in scan.recorded), scan.states]
    recorded = range(first, first + outputs)
    return _Operands(0, range(1, 1 + inputs), 1 + inputs if given else -1, recorded, first + outputs, lengths)


def emit_scan(scan: ScanTrace, target: Target) -> str:
    """The whole module for a scan, as LLVM text; only code for one row at a time can record outputs."""
    plan = plan_of(scan, target)
    written = [step(plan)]
    if scan.trace.parameters is not None:
        written.append(prepare(plan))
    if scan.substeps:
        written.append(substep(plan))
    if scan.holdable:
        written.append(hold(plan))
    text = [line for one in written for line in one.lines]
    declared = {line for one in written for line in one.declared}
    declared |= {"declare i32 @fetestexcept(i32)", "declare i32 @feclearexcept(i32)"}
    declared |= {"declare i64 @llvm.smin.i64(i64, i64)"}
    for function in sorted(target.written_out & functions(scan.trace)):
        more, also = definition(function, Types(target.width))
        text, declared = text + more, declared | also
    operands = operands_of(scan)
    for length in sorted(set(operands.lengths)):
        text += _gather(length, target.width) + _scatter(length, target.width)
    text += _loop(plan, operands)
    once = sorted({line.split("(")[0]: line for line in sorted(declared)}.values())
    ends = ['!0 = !{!"branch_weights", i32 1000, i32 1}']
    ends += [f"attributes #0 = {{ {_ATTRIBUTES} }}", f"attributes #1 = {{ noinline {_ATTRIBUTES} }}", ""]
    return "\n".join([f'target triple = "{target.triple}"', *once, *text, *ends])


def _gather(length: int, width: int) -> list[str]:
    """`@gather_n(tile, row, row, ...)`: fill a tile, lanes side by side, from a row for each lane."""
    types = Types(width)
    lines = [f"define internal void @gather_{length}(ptr noalias %tile, {_pointers('%row', width)}) #0 {{"]
    for element in range(length):
        joined = "poison"
        for lane in range(width):
            name = f"%e{element}.{lane}"
            lines.append(f"{name}p = getelementptr i8, ptr %row{lane}, i64 {8 * element}")
            lines.append(f"{name} = load double, ptr {name}p, align 8")
            if width > 1:
                lines.append(f"{name}j = insertelement {types.number} {joined}, double {name}, i32 {lane}")
            joined = f"{name}j" if width > 1 else name
        lines.append(f"%t{element} = getelementptr i8, ptr %tile, i64 {types.bytes * element}")
        lines.append(f"store {types.number} {joined}, ptr %t{element}, align 8")
    return [*lines, "ret void", "}"]


def _scatter(length: int, width: int) -> list[str]:
    """`@scatter_n(tile, row, row, ...)`: write a tile to a row for each lane."""
    types = Types(width)
    lines = [f"define internal void @scatter_{length}(ptr noalias %tile, {_pointers('%row', width)}) #0 {{"]
    for element in range(length):
        lines.append(f"%t{element} = getelementptr i8, ptr %tile, i64 {types.bytes * element}")
        lines.append(f"%v{element} = load {types.number}, ptr %t{element}, align 8")
        for lane in range(width):
            name, value = f"%e{element}.{lane}", f"%v{element}"
            if width > 1:
                lines.append(f"{name} = extractelement {types.number} {value}, i32 {lane}")
                value = name
            lines.append(f"{name}p = getelementptr i8, ptr %row{lane}, i64 {8 * element}")
            lines.append(f"store double {value}, ptr {name}p, align 8")
    return [*lines, "ret void", "}"]


def _pointers(name: str, width: int) -> str:
    """A pointer for each lane, as arguments."""
    return ", ".join(f"ptr {name}{lane}" for lane in range(width))


def _loop(plan: Plan, operands: _Operands) -> list[str]:
    """The exported function."""
    scan, target = plan.scan, plan.target
    arguments = "i64 %first, i64 %last, i64 %steps, i64 %substeps, i64 %rows, ptr %table, ptr %strides"
    return [
        f"define void @{symbol(scan.trace)}({arguments}) #0 {{",
        "entry:",
        *_storage(plan, operands),
        *_arguments(operands),
        "%end.row = sub i64 %last, 1",
        "%some = icmp slt i64 %first, %last",
        "br i1 %some, label %row, label %done",
        "row:",
        "%r = phi i64 [ %first, %entry ], [ %r.next, %row.end ]",
        *_rows(scan, target, operands),
        "%steps.some = icmp sgt i64 %steps, 0",
        "br i1 %steps.some, label %time, label %row.end",
        "time:",
        "%t = phi i64 [ 0, %row ], [ %t.next, %time.end ]",
        "%now = phi ptr [ %state.a, %row ], [ %after, %time.end ]",
        *_step(scan, target, operands),
        *_substeps(scan),
        "time.end:",
        f"%after = phi ptr [ {'%to' if scan.substeps else '%other'}, {'%sub' if scan.substeps else '%time'} ]",
        "%t.next = add i64 %t, 1",
        "%t.more = icmp slt i64 %t.next, %steps",
        "br i1 %t.more, label %time, label %row.end",
        "row.end:",
        "%end.state = phi ptr [ %state.a, %row ], [ %after, %time.end ]",
        f"call void @scatter_{scan.states}(ptr %end.state, {_lanes(operands.final, target)})",
        f"%r.next = add i64 %r, {target.width}",
        "%r.more = icmp slt i64 %r.next, %last",
        "br i1 %r.more, label %row, label %check",
        *_ending(target),
    ]


def _storage(plan: Plan, operands: _Operands) -> list[str]:
    """Memory of the call: two states, held values, shared values, and the inputs of a step with lanes side by side."""
    scan, target = plan.scan, plan.target
    size = 8 * target.width
    wanted = {"state.a": scan.states, "state.b": scan.states, "held": scan.held, "hoisted": plan.size}
    if target.width > 1:
        wanted |= {f"tile{place}": operands.lengths[place] for place in operands.series}
        if operands.parameters >= 0:
            wanted["parameters"] = operands.lengths[operands.parameters]
    return [f"%{name} = alloca [{size * count} x i8], align {size}" for name, count in wanted.items() if count]


def _arguments(operands: _Operands) -> list[str]:
    """Read the table and the stride of each operand."""
    lines = []
    for place in range(len(operands.lengths)):
        lines += [
            f"%begin{place} = mul i64 %rows, {place}",
            f"%table{place} = getelementptr ptr, ptr %table, i64 %begin{place}",
            f"%strides{place} = getelementptr i64, ptr %strides, i64 {place}",
            f"%stride{place} = load i64, ptr %strides{place}, align 8",
        ]
    return lines


def _lanes(place: int, target: Target, name: str = "at") -> str:
    """The addresses of an operand's rows, as arguments."""
    return ", ".join(f"ptr %{name}{place}.{lane}" for lane in range(target.width))


def _rows(scan: ScanTrace, target: Target, operands: _Operands) -> list[str]:
    """Where the rows of a turn are; then the first state and the shared values."""
    lines = ["%row0 = add i64 %r, 0"]
    for lane in range(1, target.width):
        lines.append(f"%beyond{lane} = add i64 %r, {lane}")
        lines.append(f"%row{lane} = call i64 @llvm.smin.i64(i64 %beyond{lane}, i64 %end.row)")
    for place in range(len(operands.lengths)):
        for lane in range(target.width):
            name = f"%at{place}.{lane}"
            lines.append(f"{name}p = getelementptr ptr, ptr %table{place}, i64 %row{lane}")
            lines.append(f"{name} = load ptr, ptr {name}p, align 8")
    lines.append(f"call void @gather_{scan.states}(ptr %state.a, {_lanes(operands.state, target)})")
    if operands.parameters >= 0:
        given = f"%at{operands.parameters}.0"
        if target.width > 1:
            given, length = "%parameters", operands.lengths[operands.parameters]
            lines.append(f"call void @gather_{length}(ptr {given}, {_lanes(operands.parameters, target)})")
        lines.append(f"call void @prepare(ptr {given}, ptr %hoisted)")
    return lines


def _step(scan: ScanTrace, target: Target, operands: _Operands) -> list[str]:
    """One step: its inputs, and the call."""
    lines = ["%is.a = icmp eq ptr %now, %state.a", "%other = select i1 %is.a, ptr %state.b, ptr %state.a"]
    given = ["ptr %now"]
    for place in (*operands.series, *operands.recorded):
        lines.append(f"%skip{place} = mul i64 %t, %stride{place}")
        lines += [
            f"%in{place}.{lane} = getelementptr i8, ptr %at{place}.{lane}, i64 %skip{place}"
            for lane in range(target.width)
        ]
    for place in operands.series:
        if target.width > 1:
            length = operands.lengths[place]
            lines.append(f"call void @gather_{length}(ptr %tile{place}, {_lanes(place, target, 'in')})")
        given.append(f"ptr %tile{place}" if target.width > 1 else f"ptr %in{place}.0")
    given += ["ptr %hoisted", *(f"ptr %in{place}.0" for place in operands.recorded), "ptr %other"]
    given += ["ptr %held"] if scan.held else []
    return [*lines, f"call void @step({', '.join(given)})"]


def _substeps(scan: ScanTrace) -> list[str]:
    """The loop of substeps, from the state the step has left in `%other`; afterwards it is in `%to`."""
    if not scan.substeps:
        return ["br label %time.end"]
    given = ["ptr %from", *(["ptr %held"] if scan.held else []), "ptr %hoisted", "ptr %to"]
    return [
        *(["call void @hold(ptr %held, ptr %hoisted)"] if scan.holdable else []),
        "br label %sub",
        "sub:",
        "%s = phi i64 [ 0, %time ], [ %s.next, %sub ]",
        "%from = phi ptr [ %other, %time ], [ %to, %sub ]",
        "%from.a = icmp eq ptr %from, %state.a",
        "%to = select i1 %from.a, ptr %state.b, ptr %state.a",
        f"call void @substep({', '.join(given)})",
        "%s.next = add i64 %s, 1",
        "%s.more = icmp slt i64 %s.next, %substeps",
        "br i1 %s.more, label %sub, label %time.end",
    ]


def _ending(target: Target) -> list[str]:
    """Clear the floating-point status: NaN is an answer here, not an accident to warn about."""
    return [
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
