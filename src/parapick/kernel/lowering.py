"""From instructions of a trace to instructions of LLVM, as text, for one row or several rows at once."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import final

from parapick.kernel.operations import OPERATIONS, Operation
from parapick.kernel.target import Target, vector_symbol
from parapick.kernel.trace import CONSTANT, Trace

__all__ = ["FAST", "GATE", "Lowering", "Types"]

FAST = "reassoc nsz arcp contract"
"""Fast-math flags of sums, products and quotients; never `nnan` or `ninf`: NaN and infinity are values here."""


STRETCH = 64
"""Instructions after which hoisted values are loaded anew, as they are after a call. Kept for longer they would be
copied to the stack and read from there; 64 measured best, by a few per cent, between 8 and 128."""

GATE = -1
"""Number under which a slot holds the parameters' own validity."""


@final
@dataclass(frozen=True)
class Types:
    """LLVM's spelling of types and constants at a width.

    Attributes:
        width: rows computed at once.
    """

    width: int

    @property
    def number(self) -> str:
        """Type of a number in every lane."""
        return "double" if self.width == 1 else f"<{self.width} x double>"

    @property
    def truth(self) -> str:
        """Type of a truth value in every lane."""
        return "i1" if self.width == 1 else f"<{self.width} x i1>"

    @property
    def bits(self) -> str:
        """Type of a number in every lane, as an integer of its bits."""
        return "i64" if self.width == 1 else f"<{self.width} x i64>"

    @property
    def suffix(self) -> str:
        """Suffix of intrinsic names."""
        return "f64" if self.width == 1 else f"v{self.width}f64"

    @property
    def bytes(self) -> int:
        """Size of a number in every lane."""
        return 8 * self.width

    def constant(self, literal: str, scalar: str = "double") -> str:
        """The same constant in every lane."""
        if self.width == 1:
            return literal
        return f"<{', '.join([f'{scalar} {literal}'] * self.width)}>"

    def double(self, value: float) -> str:
        """A floating-point constant, exactly, in every lane."""
        return self.constant(f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}")


@final
@dataclass
class Lowering:
    """Instructions being written for one function.

    Attributes:
        trace: the computation.
        target: what code is made for.
        slots: place of each hoisted value in the memory at `%hoisted`; empty where nothing is hoisted.
        lines: LLVM instructions so far.
        names: LLVM operand of each instruction that has one already.
        declared: declarations needed by what has been written.
        types: LLVM's spelling of types at the target's width.
    """

    trace: Trace
    target: Target
    slots: Mapping[int, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    types: Types = field(init=False)
    _truths: dict[int, str] = field(default_factory=dict, init=False)
    _common: dict[str, str] = field(default_factory=dict, init=False)
    _hoisted: str = field(default="%hoisted", init=False)
    _stretch: int = field(default=0, init=False)
    _since: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.types = Types(self.target.width)
        self._common = {
            "D": self.types.number,
            "M": self.types.truth,
            "S": self.types.suffix,
            "F": FAST,
            "zero": self.types.double(0.0),
            "one": self.types.double(1.0),
            "minus": self.types.double(-1.0),
            "true": self.types.constant("true", "i1"),
        }

    def write(self, numbers: Iterable[int]) -> None:
        """Write these instructions, in order; their operands have names or slots already."""
        for number in numbers:
            instruction = self.trace.instructions[number]
            if instruction.operation == CONSTANT:
                self.names[number] = self.types.double(instruction.value)
                continue
            operation = OPERATIONS[instruction.operation]
            operands = [self.value(operand) for operand in instruction.operands]
            self._since += 1
            if operation.function:
                self._call(operation, f"%v{number}", operands)
            else:
                self._template(operation, number, operands)
            self.names[number] = f"%v{number}"
            called = operation.function and operation.function not in self.target.written_out
            if self.slots and (called or self._since >= STRETCH):
                self._begin_stretch()

    def value(self, number: int) -> str:
        """The LLVM operand of an instruction; a hoisted one is loaded where a stretch first needs it."""
        if number not in self.names:
            slot = self.slots[number]
            name = f"%h{slot}.{self._stretch}"
            self.lines.append(f"{name}p = getelementptr i8, ptr {self._hoisted}, i64 {slot * self.types.bytes}")
            self.load(name, f"{name}p", self.types.bytes)
            self.names[number] = name
        return self.names[number]

    def _begin_stretch(self) -> None:
        """Forget the hoisted values that were loaded, and keep LLVM from remembering them.

        An empty piece of assembly hides that the pointer is the same as before, so that later loads are loads.
        """
        self._stretch, self._since = self._stretch + 1, 0
        hidden = f"%hoisted.{self._stretch}"
        self.lines.append(f'{hidden} = call ptr asm sideeffect "", "=r,0"(ptr {self._hoisted})')
        self._hoisted = hidden
        for number in self.slots:
            self.names.pop(number, None)
            self._truths.pop(number, None)

    def _template(self, operation: Operation, number: int, operands: list[str]) -> None:
        """Write an operation of LLVM's own; a truth value also as a number."""
        uses = dict(zip("abc", operands, strict=False))
        if "{A}" in operation.llvm:
            uses["A"] = self._truth(self.trace.instructions[number].operands[0])
        if "{B}" in operation.llvm:
            uses["B"] = self._truth(self.trace.instructions[number].operands[1])
        result = f"%t{number}" if operation.truth else f"%v{number}"
        self.lines.append(self._spelling(operation, number).format(r=result, **uses, **self._common))
        if "@llvm." in operation.llvm:
            name = operation.llvm.split("@")[1].split("(")[0].format(**self._common)
            self._declare(name, self.types.number, operation.arity)
        if operation.truth:
            self._truths[number] = result
            one, zero, number_type = self._common["one"], self._common["zero"], self.types.number
            self.lines.append(
                f"%v{number} = select {self.types.truth} {result}, {number_type} {one}, {number_type} {zero}"
            )

    def _spelling(self, operation: Operation, number: int) -> str:
        """The template of an operation; the shorter one where there is one for a constant second operand."""
        last = self.trace.instructions[self.trace.instructions[number].operands[-1]]
        if operation.beside_constant and last.operation == CONSTANT and last.value == last.value:
            return operation.beside_constant
        return operation.llvm

    def _truth(self, number: int) -> str:
        """The truth value of an instruction: of a comparison its own, of a number whether it differs from zero."""
        if number not in self._truths:
            name = f"%t{number}.{self._stretch}"
            self.lines.append(f"{name} = fcmp une {self.types.number} {self.value(number)}, {self._common['zero']}")
            self._truths[number] = name
        return self._truths[number]

    def _call(self, operation: Operation, result: str, operands: list[str]) -> None:
        """Write a function: our own where it is written out, a vector function where there is one, or lane by lane."""
        name, arity, width = operation.function, operation.arity, self.target.width
        if name in self.target.written_out:
            number = self.types.number
            given = ", ".join(f"{number} {operand}" for operand in operands)
            self.lines.append(f"{result} = call {number} @parapick_{name}({given})")
            return
        lanes = self.target.lanes if width > 1 and name in self.target.functions else 1
        if lanes > 1:
            name = vector_symbol(self.target.isa, name, arity)
        part = Types(lanes).number
        self._declare(name, part, arity)
        if lanes == width:
            given = ", ".join(f"{part} {operand}" for operand in operands)
            self.lines.append(f"{result} = call {part} @{name}({given})")
        elif lanes == 1:
            self._lane_by_lane(name, result, operands)
        else:
            self._half_by_half(name, part, result, operands)

    def _lane_by_lane(self, name: str, result: str, operands: list[str]) -> None:
        vector = self.types.number
        previous = "poison"
        for lane in range(self.target.width):
            given = []
            for index, operand in enumerate(operands):
                given.append(f"double {result}.{lane}.{index}")
                self.lines.append(f"{result}.{lane}.{index} = extractelement {vector} {operand}, i32 {lane}")
            last = lane == self.target.width - 1
            joined = result if last else f"{result}.{lane}"
            self.lines.append(f"{result}.{lane}r = call double @{name}({', '.join(given)})")
            self.lines.append(f"{joined} = insertelement {vector} {previous}, double {result}.{lane}r, i32 {lane}")
            previous = joined

    def _half_by_half(self, name: str, part: str, result: str, operands: list[str]) -> None:
        vector = self.types.number
        for half, mask in enumerate(("<2 x i32> <i32 0, i32 1>", "<2 x i32> <i32 2, i32 3>")):
            given = []
            for index, operand in enumerate(operands):
                piece = f"{result}.{half}.{index}"
                given.append(f"{part} {piece}")
                self.lines.append(f"{piece} = shufflevector {vector} {operand}, {vector} poison, {mask}")
            self.lines.append(f"{result}.{half} = call {part} @{name}({', '.join(given)})")
        joined = "<4 x i32> <i32 0, i32 1, i32 2, i32 3>"
        self.lines.append(f"{result} = shufflevector {part} {result}.0, {part} {result}.1, {joined}")

    def _declare(self, name: str, kind: str, arity: int) -> None:
        # Pure as far as the compiler is concerned: error numbers and status flags are nobody's business here.
        self.declared.add(f"declare {kind} @{name}({', '.join([kind] * arity)}) nounwind willreturn memory(none)")

    def load(self, result: str, address: str, align: int = 8) -> None:
        """Write the load of a number in every lane; arrays are aligned to one double only."""
        self.lines.append(f"{result} = load {self.types.number}, ptr {address}, align {align}")

    def store(self, name: str, address: str) -> None:
        """Write the store of a number in every lane."""
        self.lines.append(f"store {self.types.number} {name}, ptr {address}, align 8")

    def valid(self, ordered: list[str], positive: list[str]) -> str:
        """Write the test that no number of `ordered` is NaN and every one of `positive` is >= 0.

        Returns:
            The LLVM name of the truth value.
        """
        number, truth = self.types.number, self.types.truth
        zero = self._common["zero"]
        # One comparison sees two numbers: "ordered" is true when neither is NaN.
        pairs = [(ordered[at], ordered[at + 1] if at + 1 < len(ordered) else zero) for at in range(0, len(ordered), 2)]
        tests = [f"ord {number} {one}, {other}" for one, other in pairs]
        tests += [f"oge {number} {name}, {zero}" for name in positive]
        valid = self._common["true"]
        for index, test in enumerate(tests):
            self.lines.append(f"%ok{index} = fcmp {test}")
            self.lines.append(f"%all{index} = and {truth} {valid}, %ok{index}")
            valid = f"%all{index}"
        return valid
