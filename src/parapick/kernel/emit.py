"""From a trace to LLVM: the computation itself, as text.

Two functions are made. `@prologue` computes what depends on parameters only and stores it as vectors; `@body` computes
everything else for `width` rows at once. Both read and write lanes side by side: entry `k` of row `r` of an operand is
at `pointer + k stride + 8 r`. How rows get there is the business of `loop`.

The text is written directly: thousands of instructions take milliseconds.
"""

from __future__ import annotations

from dataclasses import replace

from parapick.kernel.lowering import GATE, Lowering
from parapick.kernel.order import by_longest_path
from parapick.kernel.target import Target
from parapick.kernel.trace import INPUT, PARAMETER, Trace, variability

__all__ = ["body", "grid", "prologue"]

_QUIET_NAN = "0x7FF8000000000000"


def grid(shape: tuple[int, ...]) -> tuple[int, int]:
    """A core shape as rows and columns; a column is one row, so that its entries follow each other."""
    return (shape[0], shape[1]) if len(shape) == 2 else (1, shape[0] if shape else 1)


def _addresses(lowering: Lowering, operand: str, shape: tuple[int, ...]) -> list[str]:
    """Write the address of each entry of an operand with strides `<operand>.row` and `<operand>.column`, in bytes."""
    rows, columns = grid(shape)
    names = []
    for row in range(rows):
        for column in range(columns):
            name = f"{operand}.{row}.{column}"
            lowering.lines += [
                f"{name}r = mul i64 {operand}.row, {row}",
                f"{name}c = mul i64 {operand}.column, {column}",
                f"{name}o = add i64 {name}r, {name}c",
                f"{name} = getelementptr i8, ptr {operand}, i64 {name}o",
            ]
            names.append(name)
    return names


def _operand(name: str, attributes: str) -> str:
    """An operand among the arguments of a function."""
    return f"ptr {attributes} {name}, i64 {name}.row, i64 {name}.column"


def prologue(trace: Trace, target: Target) -> tuple[list[str], set[str]]:
    """The function that computes the hoisted values, and the declarations it needs.

    `@prologue(parameters, its strides, hoisted)` stores one number per lane for each of `trace.hoisted`, and before
    them the gate: 0 in lanes whose parameters are free of NaN and whose parameter-only validity holds, otherwise NaN.
    """
    # Mathematics by calls: the prologue runs once a batch, and written out it would be the larger part of the code.
    lowering = Lowering(trace, replace(target, written_out=frozenset()))
    addresses = _addresses(lowering, "%p", (trace.parameters or 0,))
    entries = [f"%in{index}" for index in range(len(addresses))]
    for entry, address in zip(entries, addresses, strict=True):
        lowering.load(entry, address)
    for number, instruction in enumerate(trace.instructions):
        if instruction.operation == PARAMETER:
            lowering.names[number] = entries[instruction.element]
    level = variability(trace.instructions)
    lowering.write(n for n, one in enumerate(trace.instructions) if level[n] < 2 and one.operation != PARAMETER)
    valid = lowering.valid(entries, [lowering.names[number] for number in trace.validity if trace.fixed[number]])
    types = lowering.types
    zero, nan = types.double(0.0), types.constant(_QUIET_NAN)
    lowering.lines.append(f"%gate = select {types.truth} {valid}, {types.number} {zero}, {types.number} {nan}")
    for slot, name in enumerate(["%gate", *(lowering.names[number] for number in trace.hoisted)]):
        lowering.lines.append(f"%slot{slot} = getelementptr i8, ptr %hoisted, i64 {slot * types.bytes}")
        lowering.lines.append(f"store {types.number} {name}, ptr %slot{slot}, align {types.bytes}")
    head = f"define internal void @prologue({_operand('%p', 'noalias readonly')}, ptr noalias %hoisted) #1 {{"
    return [head, *lowering.lines, "ret void", "}"], lowering.declared


def body(trace: Trace, target: Target) -> tuple[list[str], set[str]]:
    """The function that computes the outputs of `width` rows, and the declarations it needs.

    `@body(inputs and their strides, hoisted, outputs and their strides)`.
    """
    slots = {number: slot for slot, number in enumerate((GATE, *trace.hoisted))}
    lowering = Lowering(trace, target, {} if trace.parameters is None else slots)
    entries: dict[tuple[int, int], str] = {}
    for port, (_, shape) in enumerate(trace.inputs):
        for element, address in enumerate(_addresses(lowering, f"%x{port}", shape)):
            entries[port, element] = f"{address}v"
            lowering.load(f"{address}v", address)
    ordered = list(entries.values())
    for number, instruction in enumerate(trace.instructions):
        if instruction.operation == INPUT:
            lowering.names[number] = entries[instruction.port, instruction.element]
    places = _places(lowering)
    order = by_longest_path(trace)
    for number in sorted(places.keys() - set(order)):  # given: inputs and hoisted values
        _store(lowering, number, places)
    for number in order:
        lowering.write([number])
        _store(lowering, number, places)
    if trace.parameters is not None:
        ordered.append(lowering.value(GATE))
    valid = lowering.valid(ordered, [lowering.names[number] for number in trace.validity if not trace.fixed[number]])
    lowering.lines += _repair(lowering, valid, [address for addresses in places.values() for address in addresses])
    arguments = [_operand(f"%x{port}", "noalias readonly") for port in range(len(trace.inputs))]
    arguments += ["ptr noalias readonly %hoisted"] if trace.parameters is not None else []
    arguments += [_operand(f"%y{port}", "noalias") for port in range(len(trace.outputs))]
    # Never inlined: the loop calls it in two places, and optimised apart their last bits might differ.
    head = f"define internal void @body({', '.join(arguments)}) #1 {{"
    return [head, *lowering.lines, "ret void", "}"], lowering.declared


def _store(lowering: Lowering, number: int, places: dict[int, list[str]]) -> None:
    """Store the value of an instruction wherever it goes."""
    for address in places.get(number, ()):
        lowering.store(lowering.value(number), address)


def _places(lowering: Lowering) -> dict[int, list[str]]:
    """Write the addresses of all outputs; returned by the instruction whose value goes there."""
    places: dict[int, list[str]] = {}
    for port, (output, result) in enumerate(zip(lowering.trace.outputs, lowering.trace.results, strict=True)):
        for address, number in zip(_addresses(lowering, f"%y{port}", output.shape), result, strict=True):
            places.setdefault(number, []).append(address)
    return places


def _repair(lowering: Lowering, valid: str, addresses: list[str]) -> list[str]:
    """Write NaN over the outputs of lanes that are not valid, if there are any, and return.

    Outputs are stored as soon as they are known, which keeps few values alive; rows that are not valid are rare.
    """
    number, truth, width = lowering.types.number, lowering.types.truth, lowering.types.width
    if width == 1:
        lines = [f"br i1 {valid}, label %done, label %repair", "repair:"]
    else:
        lines = [
            f"%valid.bits = bitcast {truth} {valid} to i{width}",
            f"%valid.all = icmp eq i{width} %valid.bits, -1",
            "br i1 %valid.all, label %done, label %repair",
            "repair:",
        ]
    nan = lowering.types.constant(_QUIET_NAN)
    for address in addresses:
        lines += [
            f"{address}l = load {number}, ptr {address}, align 8",
            f"{address}s = select {truth} {valid}, {number} {address}l, {number} {nan}",
            f"store {number} {address}s, ptr {address}, align 8",
        ]
    return [*lines, "br label %done", "done:"]
