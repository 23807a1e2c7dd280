"""Functions of a kernel and of a scan as LLVM text: one writer for both.

`prologue` computes what depends on parameters only and stores it at `%hoisted`; `body` computes the rest of a row, or
of as many rows as the target is wide. Both read and write arrays with lanes side by side. How rows get there is the
business of `batch_loop` and `scan_loop`.

A row whose inputs or parameters hold NaN, or whose validity is not >= 0, gets NaN in every result, whatever the
expressions do with it. The text is written directly: thousands of instructions take milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from parapick.kernel.llvm.lowering import Lowering
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import Written
from parapick.kernel.trace.instructions import INPUT, PARAMETER, Trace, variability
from parapick.kernel.trace.packs import HOISTED, Packed
from parapick.kernel.trace.schedule import by_longest_path

GATE: Final = -1
"""Number under which a slot holds the parameters' own validity: 0 in lanes where it holds, otherwise NaN."""


class Array(NamedTuple):
    """An array among the arguments of a function, lanes side by side.

    Attributes:
        name: name of its pointer.
        rows: entries along the first axis; 1 for a column.
        columns: entries along the second axis.
        strided: whether bytes between rows and columns are arguments too, `<name>.row` and `<name>.column`; otherwise
            entries follow each other.
    """

    name: str
    rows: int
    columns: int
    strided: bool = False

    def argument(self, attributes: str) -> str:
        """The array among the arguments of a function."""
        strides = f", i64 {self.name}.row, i64 {self.name}.column" if self.strided else ""
        return f"ptr {attributes} {self.name}{strides}"

    def addresses(self, lowering: Lowering) -> list[str]:
        """Write the address of each entry, row after row; their names."""
        names = [f"{self.name}.{row}.{column}" for row in range(self.rows) for column in range(self.columns)]
        for entry, name in enumerate(names):
            offset = f"{entry * lowering.types.bytes}"
            if self.strided:
                row, column = divmod(entry, self.columns)
                offset = f"{name}o"
                lowering.lines += [
                    f"{name}r = mul i64 {self.name}.row, {row}",
                    f"{name}c = mul i64 {self.name}.column, {column}",
                    f"{offset} = add i64 {name}r, {name}c",
                ]
            lowering.lines.append(f"{name} = getelementptr i8, ptr {self.name}, i64 {offset}")
        return names

    def loaded(self, lowering: Lowering) -> list[str]:
        """Write the loads of all entries; their names."""
        addresses = self.addresses(lowering)
        for address in addresses:
            lowering.load(f"{address}v", address)
        return [f"{address}v" for address in addresses]


def shared_slots(numbers: Iterable[int]) -> dict[int, int]:
    """Places of the gate and of some instructions in the memory at `%hoisted`, counted in numbers."""
    return {number: slot for slot, number in enumerate((GATE, *numbers))}


def packed_slots(pack: Packed, slots: Mapping[int, int]) -> dict[int, int]:
    """Place of each given value by its instruction in a packed trace."""
    nodes = enumerate(pack.trace.instructions)
    return {GATE: slots[GATE]} | {number: slots[one.element] for number, one in nodes if one.operation == HOISTED}


def prologue(trace: Trace, target: Target, slots: Mapping[int, int]) -> Written:
    """`@prologue(parameters, hoisted)`: the gate and everything that depends on parameters only.

    Args:
        trace: the computation, of nothing but the parameters that it uses.
        target: what code is made for.
        slots: places of shared values.
    """
    parameters = Array("%p", 1, (trace.parameters or 0) + 1)
    # Mathematics by calls: this runs once, and written out it would be a large part of the code.
    lowering = Lowering(trace, replace(target, written_out=frozenset()))
    entries = parameters.loaded(lowering)
    level = variability(trace.instructions)
    for number, instruction in enumerate(trace.instructions):
        if instruction.operation == PARAMETER:
            lowering.names[number] = entries[instruction.element]
        elif level[number] < 2:
            lowering.write(number)
    # The last entry is NaN where any parameter is, used or not.
    valid = lowering.valid(entries[-1:], [lowering.value(number) for number in trace.validity if trace.fixed[number]])
    types = lowering.types
    zero, nan = types.double(0.0), types.nan
    lowering.lines.append(f"%gate = select {types.truth} {valid}, {types.number} {zero}, {types.number} {nan}")
    lowering.names[GATE] = "%gate"
    keep(lowering, slots, (GATE, *trace.hoisted))
    return function("prologue", [parameters.argument("noalias readonly"), "ptr noalias %hoisted"], lowering)


def body(name: str, lowering: Lowering, sources: Mapping[int, Array], sinks: Sequence[Array], *, gate: bool) -> Written:
    """A function that computes the results of a trace: `@<name>(sources, hoisted, sinks)`.

    Args:
        name: its name.
        lowering: with the trace, and nothing written yet.
        sources: the inputs by port.
        sinks: where the results go, in the order of the trace's outputs.
        gate: whether the validity of parameters counts here.
    """
    trace = lowering.trace
    entries = {port: source.loaded(lowering) for port, source in sources.items()}
    for number, instruction in enumerate(trace.instructions):
        if instruction.operation == INPUT and instruction.port in entries:
            lowering.names[number] = entries[instruction.port][instruction.element]
    places: dict[int, list[str]] = {}
    for sink, result in zip(sinks, trace.results, strict=True):
        for address, number in zip(sink.addresses(lowering), result, strict=True):
            places.setdefault(number, []).append(address)
    order = by_longest_path(trace)
    for number in (*sorted(places.keys() - set(order)), *order):
        lowering.write(number)
        # Stored as soon as they are known, which keeps few values alive.
        for address in places.get(number, ()):
            lowering.store(lowering.value(number), address)
    ordered = [entry for column in entries.values() for entry in column]
    ordered += [lowering.value(GATE)] if gate else []
    valid = lowering.valid(ordered, [lowering.value(number) for number in trace.validity if not trace.fixed[number]])
    _repair(lowering, valid, [address for addresses in places.values() for address in addresses])
    arguments = [source.argument("noalias readonly") for source in sources.values()]
    arguments += ["ptr noalias readonly %hoisted", *(sink.argument("noalias") for sink in sinks)]
    return function(name, arguments, lowering)


def _repair(lowering: Lowering, valid: str, addresses: list[str]) -> None:
    """Write NaN over the results of lanes that are not valid, if there are any: they are rare."""
    number, truth, nan = lowering.types.number, lowering.types.truth, lowering.types.nan
    lowering.lines += lowering.types.all_true(valid, "%valid")
    lowering.lines += ["br i1 %valid, label %done, label %repair, !prof !0", "repair:"]
    for address in addresses:
        lowering.load(f"{address}l", address)
        lowering.lines.append(f"{address}s = select {truth} {valid}, {number} {address}l, {number} {nan}")
        lowering.store(f"{address}s", address)
    lowering.lines += ["br label %done", "done:"]


def keep(lowering: Lowering, slots: Mapping[int, int], numbers: Iterable[int]) -> None:
    """Write the stores of shared values."""
    for number in numbers:
        slot = slots[number]
        lowering.lines.append(f"%slot{slot} = getelementptr i8, ptr %hoisted, i64 {slot * lowering.types.bytes}")
        lowering.store(lowering.value(number), f"%slot{slot}")


def function(name: str, arguments: list[str], lowering: Lowering) -> Written:
    """The function around what has been written; never inlined, so that every call computes the same bits."""
    head = f"define internal void @{name}({', '.join(arguments)}) #1 {{"
    lines, declared = lowering.angles.around(lowering.lines)
    return Written([head, *lines, "ret void", "}"], lowering.declared | declared)
