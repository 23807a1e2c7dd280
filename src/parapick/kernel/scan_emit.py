"""The functions of a scan as LLVM text.

`@prepare` computes what depends on parameters only, `@step` a step, `@hold` what substeps need of held values, and
`@substep` one substep. All read and write numbers with their lanes side by side, entry after entry. Shared values lie
in the memory at `%hoisted`: first the gate of the parameters, then what `@prepare` stores, then what `@hold` stores.

A row whose state, inputs or parameters hold NaN, or whose validity is not >= 0, gets NaN in every output and in its
whole state; from there NaN stays, step after step, whatever the expressions do with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, final

from parapick.kernel.lowering import GATE, Lowering
from parapick.kernel.order import by_longest_path
from parapick.kernel.pack import Packed, packed
from parapick.kernel.pack_emit import PackWriter
from parapick.kernel.scan_trace import ScanTrace
from parapick.kernel.target import Target
from parapick.kernel.trace import INPUT, PARAMETER, Trace, variability

__all__ = ["Plan", "Written", "hold", "plan_of", "prepare", "step", "substep"]

_QUIET_NAN = "0x7FF8000000000000"


class Written(NamedTuple):
    """A function that has been written.

    Attributes:
        lines: its text.
        declared: declarations it needs.
    """

    lines: list[str]
    declared: set[str]


@final
@dataclass(frozen=True)
class Plan:
    """How a scan is computed for a target.

    Attributes:
        scan: the computation.
        target: what code is made for.
        packs: the packed forms of `step` and `substep`; None where rows run side by side, each in a lane of its own.
        slots: place of each shared value in the memory at `%hoisted`.
        runs: where the values of a run begin there, each a second time.
        size: number of places.
    """

    scan: ScanTrace
    target: Target
    packs: tuple[Packed, ...] | None
    slots: dict[int, int]
    runs: dict[tuple[int, ...], int]
    size: int

    def places(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """Every place where one of some shared values is kept, with its number."""
        found = [(slot, number) for number, slot in self.slots.items() if number in numbers]
        for run, first in self.runs.items():
            found += [(first + lane, number) for lane, number in enumerate(run) if number in numbers]
        return found


def plan_of(scan: ScanTrace, target: Target) -> Plan:
    """Decide what goes together and where shared values lie."""
    shared = (GATE, *scan.trace.hoisted, *scan.holdable)
    slots = {number: slot for slot, number in enumerate(shared)}
    packs = None
    runs: dict[tuple[int, ...], int] = {}
    size = len(slots)
    if target.width == 1:
        packs = (packed(scan.step), *([packed(scan.substep)] if scan.substeps else []))
        for run in (run for pack in packs for run in pack.runs):
            if run not in runs:
                runs[run] = size
                size += len(run)
    return Plan(scan, target, packs, slots, runs, size)


def prepare(plan: Plan) -> Written:
    """`@prepare(parameters, hoisted)`: the gate and everything that depends on parameters only, once a run."""
    trace, target = plan.scan.trace, plan.target
    # Mathematics by calls: this runs once, and written out it would be a large part of the code.
    lowering = Lowering(trace, replace(target, written_out=frozenset()))
    entries = _load(lowering, "%p", trace.parameters or 0)
    level = variability(trace.instructions)
    for number, instruction in enumerate(trace.instructions):
        if instruction.operation == PARAMETER:
            lowering.names[number] = entries[instruction.element]
    lowering.write(n for n, one in enumerate(trace.instructions) if level[n] < 2 and one.operation != PARAMETER)
    valid = lowering.valid(entries, [lowering.names[number] for number in trace.validity if trace.fixed[number]])
    types = lowering.types
    zero, nan = types.double(0.0), types.constant(_QUIET_NAN)
    lowering.lines.append(f"%gate = select {types.truth} {valid}, {types.number} {zero}, {types.number} {nan}")
    lowering.names[GATE] = "%gate"
    _keep(lowering, plan.places({GATE, *trace.hoisted}))
    return _function("prepare", ["ptr noalias readonly %p", "ptr noalias %hoisted"], lowering)


def step(plan: Plan) -> Written:
    """`@step(state, inputs, hoisted, outputs, next state, held)`; without held values the last is left out."""
    scan = plan.scan
    sources = {port: f"%x{port}" for port in range(1 + len(scan.series))}
    sinks = [f"%y{index}" for index in range(len(scan.step.results))]
    gate = scan.trace.parameters is not None
    if plan.packs is not None:
        return packed_body("step", plan, plan.packs[0], sources, sinks, gate)
    return _body("step", plan, scan.step, sources, sinks, gate)


def hold(plan: Plan) -> Written:
    """`@hold(held, hoisted)`: what substeps need of held values and parameters, once a step."""
    scan, slots, wanted = plan.scan, plan.slots, set(plan.scan.holdable)
    lowering = Lowering(scan.trace, plan.target)
    entries = _load(lowering, "%held", scan.held)
    for number in _closure(scan, wanted):
        instruction = scan.trace.instructions[number]
        if instruction.operation == INPUT:
            lowering.names[number] = entries[instruction.element]
        elif scan.trace.fixed[number]:
            address = f"%from{slots[number]}"
            lowering.lines.append(f"{address} = getelementptr i8, ptr %hoisted, i64 {_place(lowering, slots[number])}")
            lowering.load(f"{address}v", address)
            lowering.names[number] = f"{address}v"
        else:
            lowering.write([number])
    _keep(lowering, plan.places(wanted))
    return _function("hold", ["ptr noalias readonly %held", "ptr noalias %hoisted"], lowering)


def substep(plan: Plan) -> Written:
    """`@substep(state, held, hoisted, next state)`; without held values there is no such argument."""
    scan = plan.scan
    first = 1 + len(scan.series)
    sources = {first + bool(scan.held): "%state"}
    if scan.held:
        sources[first] = "%held"
    if plan.packs is not None:
        return packed_body("substep", plan, plan.packs[1], sources, ["%next"], False)
    return _body("substep", plan, scan.substep, sources, ["%next"], False)


def _closure(scan: ScanTrace, wanted: Iterable[int]) -> list[int]:
    """The instructions that some of held values need, in order; those of parameters only are not followed further."""
    found: set[int] = set()
    stack = list(wanted)
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            if not scan.trace.fixed[number]:
                stack.extend(scan.trace.instructions[number].operands)
    return sorted(found)


def _body(name: str, plan: Plan, view: Trace, sources: Mapping[int, str], sinks: list[str], gate: bool) -> Written:
    """A function that computes the results of a view of the trace, NaN where a source holds NaN or is not valid."""
    lowering = Lowering(view, plan.target, plan.slots)
    entries = _load_sources(lowering, sources)
    places = _places(lowering, sinks)
    order = by_longest_path(view)
    for number in sorted(places.keys() - set(order)):  # given: inputs and hoisted values
        _store(lowering, number, places)
    for number in order:
        lowering.write([number])
        _store(lowering, number, places)
    ordered = [*entries, *([lowering.value(GATE)] if gate else [])]
    valid = lowering.valid(ordered, [lowering.names[number] for number in view.validity if not view.fixed[number]])
    return _finished(name, lowering, valid, places, sources, sinks)


def packed_body(
    name: str, plan: Plan, pack: Packed, sources: Mapping[int, str], sinks: list[str], gate: bool
) -> Written:
    """The same for a packed view: one row, with vectors where instructions are alike."""
    writer = PackWriter(pack, plan.target, plan.slots, plan.runs)
    lowering = writer.scalar
    entries = _load_sources(lowering, sources)
    places = _places(lowering, sinks)
    order = by_longest_path(pack.trace)
    for number in (*sorted(places.keys() - set(order)), *order):
        writer.write(number)
        _store(lowering, number, places)
    ordered = [*entries, *([writer.hoisted(GATE)] if gate else [])]
    checked = [lowering.names[number] for number in pack.trace.validity if not pack.trace.fixed[number]]
    return _finished(name, lowering, lowering.valid(ordered, checked), places, sources, sinks)


def _load_sources(lowering: Lowering, sources: Mapping[int, str]) -> list[str]:
    """Write the loads of all inputs and give the instructions that read them their names; all names."""
    inputs = lowering.trace.inputs
    entries = {port: _load(lowering, pointer, inputs[port].size) for port, pointer in sources.items()}
    for number, instruction in enumerate(lowering.trace.instructions):
        if instruction.operation == INPUT and instruction.port in entries:
            lowering.names[number] = entries[instruction.port][instruction.element]
    return [entry for column in entries.values() for entry in column]


def _finished(
    name: str,
    lowering: Lowering,
    valid: str,
    places: Mapping[int, list[str]],
    sources: Mapping[int, str],
    sinks: list[str],
) -> Written:
    """The end of a body, and the function around it."""
    lowering.lines += _repair(lowering, valid, [address for addresses in places.values() for address in addresses])
    arguments = [f"ptr noalias readonly {pointer}" for pointer in sources.values()]
    arguments += ["ptr noalias readonly %hoisted", *(f"ptr noalias {pointer}" for pointer in sinks)]
    return _function(name, arguments, lowering)


def _load(lowering: Lowering, pointer: str, count: int) -> list[str]:
    """Write the loads of all entries behind a pointer; their names."""
    names = []
    for element in range(count):
        name = f"{pointer}.{element}"
        lowering.lines.append(f"{name}p = getelementptr i8, ptr {pointer}, i64 {_place(lowering, element)}")
        lowering.load(name, f"{name}p")
        names.append(name)
    return names


def _place(lowering: Lowering, element: int) -> int:
    """Where an entry is, in bytes."""
    return element * lowering.types.bytes


def _keep(lowering: Lowering, places: Iterable[tuple[int, int]]) -> None:
    """Write the stores of shared values, by place and number."""
    for slot, number in places:
        lowering.lines.append(f"%slot{slot} = getelementptr i8, ptr %hoisted, i64 {_place(lowering, slot)}")
        lowering.store(lowering.names[number], f"%slot{slot}")


def _places(lowering: Lowering, sinks: list[str]) -> dict[int, list[str]]:
    """Write the addresses of all results; returned by the instruction whose value goes there."""
    places: dict[int, list[str]] = {}
    for pointer, result in zip(sinks, lowering.trace.results, strict=True):
        for element, number in enumerate(result):
            address = f"{pointer}.{element}"
            lowering.lines.append(f"{address} = getelementptr i8, ptr {pointer}, i64 {_place(lowering, element)}")
            places.setdefault(number, []).append(address)
    return places


def _store(lowering: Lowering, number: int, places: Mapping[int, list[str]]) -> None:
    """Store the value of an instruction wherever it goes."""
    for address in places.get(number, ()):
        lowering.store(lowering.value(number), address)


def _repair(lowering: Lowering, valid: str, addresses: list[str]) -> list[str]:
    """Write NaN over the results of lanes that are not valid, if there are any: they are rare."""
    number, truth, width = lowering.types.number, lowering.types.truth, lowering.types.width
    lines = [f"%valid.all = and i1 {valid}, true"]
    if width > 1:
        lines = [f"%valid.bits = bitcast {truth} {valid} to i{width}", f"%valid.all = icmp eq i{width} %valid.bits, -1"]
    lines += ["br i1 %valid.all, label %done, label %repair, !prof !0", "repair:"]
    nan = lowering.types.constant(_QUIET_NAN)
    for address in addresses:
        lines += [
            f"{address}l = load {number}, ptr {address}, align 8",
            f"{address}s = select {truth} {valid}, {number} {address}l, {number} {nan}",
            f"store {number} {address}s, ptr {address}, align 8",
        ]
    return [*lines, "br label %done", "done:"]


def _function(name: str, arguments: list[str], lowering: Lowering) -> Written:
    """The function around what has been written; never inlined, so that every call computes the same bits."""
    head = f"define internal void @{name}({', '.join(arguments)}) #1 {{"
    return Written([head, *lowering.lines, "ret void", "}"], lowering.declared)
