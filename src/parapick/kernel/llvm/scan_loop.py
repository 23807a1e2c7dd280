"""A scan as LLVM text: its functions, and the loops around them.

`@prologue` computes what depends on parameters only, `@step` a step, `@hold` what substeps need of held values, and
`@substep` one substep. Shared values lie in the memory at `%hoisted`, those of `@prologue` before those of `@hold`.
NaN that a step or a substep meets stays, step after step.

`void parapick_<name>(first, last, steps, substeps, rows, table, strides, places)` runs rows `first` to `last - 1`,
`width` at a time, each through all its steps. `table` has for each operand the addresses of all its `rows` rows;
`strides` for each the bytes from one step to the next. Operands are the first state, the inputs, the parameters if
there are any, the recorded outputs and the last state. `places` is the table of `collect`. Missing rows at the end
repeat the last one: they write the same numbers to the same place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

from parapick.kernel.llvm.compiler import symbol
from parapick.kernel.llvm.function import Array, body, function, keep, packed_slots, prologue, shared_slots
from parapick.kernel.llvm.lowering import Lowering
from parapick.kernel.llvm.module import ending, module
from parapick.kernel.llvm.parameter_loads import collect, collectors
from parapick.kernel.llvm.row_moves import move, movers
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import Written
from parapick.kernel.trace.instructions import INPUT
from parapick.kernel.trace.packs import Packed, packed
from parapick.kernel.trace.scan_trace import ScanTrace


@final
@dataclass(frozen=True)
class _Plan:
    """How a scan is computed for a target.

    Attributes:
        scan: the computation.
        target: what code is made for; only code for one row at a time can record outputs.
        packs: the packed forms of step and substep; none where rows run side by side, each in a lane of its own.
        slots: places of shared values.
    """

    scan: ScanTrace
    target: Target
    packs: tuple[Packed, ...]
    slots: dict[int, int]

    @property
    def series(self) -> range:
        """Places of the inputs among the operands; the first state comes before them."""
        return range(1, 1 + len(self.scan.series))

    @property
    def parameters(self) -> range:
        """Place of the parameters, if there are any."""
        first = 1 + len(self.scan.series)
        return range(first, first + (self.scan.trace.parameters is not None))

    @property
    def recorded(self) -> range:
        """Places of the outputs; the last state comes behind them."""
        return range(self.parameters.stop, self.parameters.stop + len(self.scan.recorded))

    @property
    def lengths(self) -> list[int]:
        """Entries of each operand."""
        scan = self.scan
        # Behind the parameters that are used is one more entry, see `collect`.
        given = [] if scan.trace.parameters is None else [scan.trace.parameters + 1]
        sizes = [port.size for port in scan.series], [port.size for port in scan.recorded]
        return [scan.states, *sizes[0], *given, *sizes[1], scan.states]

    def lowering(self, substep: bool) -> Lowering:
        """A function for the step or the substep, nothing written yet."""
        if self.packs:
            pack = self.packs[substep]
            slots = packed_slots(pack, self.slots)
            return Lowering(pack.trace, self.target, slots, wide=pack.wide, lanes=pack.lanes)
        view = self.scan.substep if substep else self.scan.step
        return Lowering(view, self.target, self.slots)

    def copy(self, name: str, length: int, rows: list[str], tile: str) -> str:
        """The call that gathers rows into memory with lanes side by side, or scatters it; one row is simply copied."""
        if self.target.width > 1:
            return move(name, (1, length), rows, tile)
        target, source = (tile, rows[0]) if name == "gather" else (rows[0], tile)
        return f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {8 * length}, i1 false)"

    def rows(self, place: int, name: str = "at") -> list[str]:
        """Names of the addresses of an operand's rows."""
        return [f"%{name}{place}.{lane}" for lane in range(self.target.width)]


def scan_module(scan: ScanTrace, target: Target) -> str:
    """The whole module for a scan, as LLVM text."""
    scan = replace(scan, trace=scan.trace.compact())
    packs: tuple[Packed, ...] = ()
    if target.width == 1:
        packs = (packed(scan.step), *([packed(scan.substep)] if scan.substeps else []))
    plan = _Plan(scan, target, packs, shared_slots((*scan.trace.hoisted, *scan.holdable)))
    written = [_step(plan)]
    if scan.trace.parameters is not None:
        written.append(prologue(scan.trace, target, plan.slots))
    written += [_substep(plan)] if scan.substeps else []
    written += [_hold(plan)] if scan.holdable else []
    moving = [] if scan.trace.parameters is None else collectors(target.width)
    if target.width > 1:
        moving += movers([(1, plan.lengths[place]) for place in (0, *plan.series)], [(1, scan.states)], target.width)
    return module(scan.trace, target, written, [*moving, *_loop(plan)])


def _step(plan: _Plan) -> Written:
    """`@step(state, inputs, hoisted, outputs, next state, held)`; without held values the last is left out."""
    scan = plan.scan
    inputs = scan.trace.inputs[: 1 + len(scan.series)]
    sources = {port: Array(f"%x{port}", 1, shape.size) for port, shape in enumerate(inputs)}
    sinks = [Array(f"%y{index}", 1, len(result)) for index, result in enumerate(scan.step.results)]
    return body("step", plan.lowering(False), sources, sinks, gate=scan.trace.parameters is not None)


def _substep(plan: _Plan) -> Written:
    """`@substep(state, held, hoisted, next state)`; without held values there is no such argument."""
    scan = plan.scan
    first = 1 + len(scan.series)
    sources = {first + bool(scan.held): Array("%state", 1, scan.states)}
    if scan.held:
        sources[first] = Array("%held", 1, scan.held)
    return body("substep", plan.lowering(True), sources, [Array("%next", 1, scan.states)], gate=False)


def _hold(plan: _Plan) -> Written:
    """`@hold(held, hoisted)`: what substeps need of held values and parameters, once per step."""
    scan, trace = plan.scan, plan.scan.trace
    fixed = {number: slot for number, slot in plan.slots.items() if number >= 0 and trace.fixed[number]}
    lowering = Lowering(trace, plan.target, fixed)
    held = Array("%held", 1, scan.held)
    entries = held.loaded(lowering)
    for number in scan.of_held:
        instruction = trace.instructions[number]
        if instruction.operation == INPUT:
            lowering.names[number] = entries[instruction.element]
        lowering.write(number)
    keep(lowering, plan.slots, scan.holdable)
    return function("hold", [held.argument("noalias readonly"), "ptr noalias %hoisted"], lowering)


def _loop(plan: _Plan) -> list[str]:
    """The exported function."""
    scan, states = plan.scan, plan.scan.states
    arguments = "i64 %first, i64 %last, i64 %steps, i64 %substeps, i64 %rows, ptr %table, ptr %strides, ptr %places"
    return [
        f"define void @{symbol(scan.trace.name)}({arguments}) #0 {{",
        "entry:",
        *_storage(plan),
        *_arguments(plan),
        "%end.row = sub i64 %last, 1",
        "%some = icmp slt i64 %first, %last",
        "br i1 %some, label %row, label %done",
        "row:",
        "%r = phi i64 [ %first, %entry ], [ %r.next, %row.end ]",
        *_rows_of_turn(plan),
        "%steps.some = icmp sgt i64 %steps, 0",
        "br i1 %steps.some, label %time, label %row.end",
        "time:",
        "%t = phi i64 [ 0, %row ], [ %t.next, %time.end ]",
        "%now = phi ptr [ %state.a, %row ], [ %after, %time.end ]",
        *_one_step(plan),
        *_substeps(scan),
        "time.end:",
        f"%after = phi ptr [ {'%to' if scan.substeps else '%other'}, {'%sub' if scan.substeps else '%time'} ]",
        "%t.next = add i64 %t, 1",
        "%t.more = icmp slt i64 %t.next, %steps",
        "br i1 %t.more, label %time, label %row.end",
        "row.end:",
        "%end.state = phi ptr [ %state.a, %row ], [ %after, %time.end ]",
        plan.copy("scatter", states, plan.rows(plan.recorded.stop), "%end.state"),
        f"%r.next = add i64 %r, {plan.target.width}",
        "%r.more = icmp slt i64 %r.next, %last",
        "br i1 %r.more, label %row, label %check",
        *ending(plan.target),
    ]


def _storage(plan: _Plan) -> list[str]:
    """Memory of the call: two states, held values, shared values, and the inputs of a step with lanes side by side."""
    scan, size = plan.scan, 8 * plan.target.width
    wanted = {"state.a": scan.states, "state.b": scan.states, "held": scan.held, "hoisted": len(plan.slots)}
    tiles = (*plan.parameters, *(plan.series if plan.target.width > 1 else ()))
    wanted |= {f"tile{place}": plan.lengths[place] for place in tiles}
    return [f"%{name} = alloca [{size * count} x i8], align {size}" for name, count in wanted.items() if count]


def _arguments(plan: _Plan) -> list[str]:
    """Read the table and the stride of each operand."""
    lines = []
    for place in range(len(plan.lengths)):
        lines += [
            f"%begin{place} = mul i64 %rows, {place}",
            f"%table{place} = getelementptr ptr, ptr %table, i64 %begin{place}",
            f"%strides{place} = getelementptr i64, ptr %strides, i64 {place}",
            f"%stride{place} = load i64, ptr %strides{place}, align 8",
        ]
    return lines


def _rows_of_turn(plan: _Plan) -> list[str]:
    """Where the rows of a turn are; then the first state and the shared values."""
    lines = ["%row0 = add i64 %r, 0"]
    for lane in range(1, plan.target.width):
        lines.append(f"%beyond{lane} = add i64 %r, {lane}")
        lines.append(f"%row{lane} = call i64 @llvm.smin.i64(i64 %beyond{lane}, i64 %end.row)")
    for place in range(len(plan.lengths)):
        for lane, name in enumerate(plan.rows(place)):
            lines.append(f"{name}p = getelementptr ptr, ptr %table{place}, i64 %row{lane}")
            lines.append(f"{name} = load ptr, ptr {name}p, align 8")
    lines.append(plan.copy("gather", plan.scan.states, plan.rows(0), "%state.a"))
    for place in plan.parameters:
        lines.append(collect(plan.rows(place), "8", "%places", f"%tile{place}"))
        lines.append(f"call void @prologue(ptr %tile{place}, ptr %hoisted)")
    return lines


def _source(plan: _Plan, place: int, name: str) -> tuple[list[str], str]:
    """Lines that gather an operand into its tile, and where functions find it; one row is used in its place."""
    rows, tile = plan.rows(place, name), f"%tile{place}"
    if plan.target.width == 1:
        return [], rows[0]
    return [plan.copy("gather", plan.lengths[place], rows, tile)], tile


def _one_step(plan: _Plan) -> list[str]:
    """One step: its inputs, and the call."""
    lines = ["%is.a = icmp eq ptr %now, %state.a", "%other = select i1 %is.a, ptr %state.b, ptr %state.a"]
    for place in (*plan.series, *plan.recorded):
        lines.append(f"%skip{place} = mul i64 %t, %stride{place}")
        lines += [
            f"{there} = getelementptr i8, ptr {base}, i64 %skip{place}"
            for there, base in zip(plan.rows(place, "in"), plan.rows(place), strict=True)
        ]
    sources = [_source(plan, place, "in") for place in plan.series]
    lines += [line for gathered, _ in sources for line in gathered]
    given = ["%now", *(source for _, source in sources), "%hoisted"]
    given += [*(plan.rows(place, "in")[0] for place in plan.recorded), "%other", *(["%held"] if plan.scan.held else [])]
    return [*lines, f"call void @step({', '.join(f'ptr {pointer}' for pointer in given)})"]


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
