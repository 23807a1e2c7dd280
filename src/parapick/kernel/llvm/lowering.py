"""From instructions of a trace to instructions of LLVM, as text.

Every value has the width of the target: one row, or several rows side by side. Only the packs of a packed trace
(`trace.packs`) are vectors within one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

from parapick.kernel.llvm.angles import FUNCTIONS, Angles
from parapick.kernel.llvm.calls import call, declaration
from parapick.kernel.llvm.target import Target
from parapick.kernel.llvm.types import FAST, Types
from parapick.kernel.operations import OPERATIONS, Operation
from parapick.kernel.trace.instructions import CONSTANT, Trace
from parapick.kernel.trace.packs import LANE, MOVES, SPLAT, SUM

STRETCH: Final = 64
"""Instructions after which shared values are loaded anew, as they are after a call. Kept for longer they would be
copied to the stack and read from there; 64 measured best, by a few per cent, between 8 and 128."""


@final
@dataclass
class Lowering:
    """Instructions being written for one function.

    Attributes:
        trace: the computation.
        target: what code is made for.
        slots: place of each shared value in the memory at `%hoisted`, counted in numbers.
        stretch: instructions after which shared values are loaded anew; 0: never.
        wide: for each instruction of a packed trace, whether it is a pack; empty where there are no packs.
        lanes: numbers of a pack.
        lines: LLVM instructions so far.
        names: LLVM operand of each instruction that has one already.
        declared: declarations needed by what has been written.
        types: LLVM's spelling of types at the target's width.
        angles: the angles of sines and cosines that are written out.
    """

    trace: Trace
    target: Target
    slots: Mapping[int, int] = field(default_factory=dict)
    stretch: int = 0
    wide: tuple[bool, ...] = ()
    lanes: int = 1
    lines: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    types: Types = field(init=False)
    angles: Angles = field(init=False)
    _words: dict[bool, dict[str, str]] = field(init=False)
    _truths: dict[int, str] = field(default_factory=dict, init=False)
    _hoisted: str = field(default="%hoisted", init=False)
    _stretches: int = field(default=0, init=False)
    _since: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.types = Types(self.target.width)
        self.angles = Angles(self.types)
        self._words = {False: self.types.words(), True: Types(self.lanes).words()}

    def write(self, number: int) -> None:
        """Write an instruction; its operands have names or slots already. Constants and given values need no text."""
        if number in self.slots or number in self.names:
            return
        instruction = self.trace.instructions[number]
        if instruction.operation in MOVES:
            self._move(number)
            return
        operation = OPERATIONS.get(instruction.operation)
        if operation is None:
            return
        wide = self._is_wide(number)
        operands = [self.value(operand, wide=wide) for operand in instruction.operands]
        self._since += 1
        inside = operation.function in self.target.written_out
        if inside and operation.function in FUNCTIONS:
            self.lines += self.angles.value(operation.function, f"%v{number}", operands[0])
        elif operation.function:
            written = call(operation.function, f"%v{number}", operands, self.target)
            self.lines += written.lines
            self.declared |= written.declared
        else:
            self._template(operation, number, operands)
        self.names[number] = f"%v{number}"
        if self.stretch and ((operation.function and not inside) or self._since >= self.stretch):
            self._begin_stretch()

    def value(self, number: int, *, wide: bool = False) -> str:
        """The LLVM operand of an instruction; a shared one is loaded where a stretch first needs it.

        A constant is spelt for a pack where it is wanted wide.
        """
        if number in self.slots and number not in self.names:
            slot, kind = self.slots[number], self._words[self._is_wide(number)]["D"]
            name = f"%h{slot}.{self._stretches}"
            self.lines.append(f"{name}p = getelementptr i8, ptr {self._hoisted}, i64 {slot * self.types.bytes}")
            self.lines.append(f"{name} = load {kind}, ptr {name}p, align {self.types.bytes}")
            self.names[number] = name
        if number not in self.names and self.trace.instructions[number].operation == CONSTANT:
            types = Types(self.lanes) if wide else self.types
            return types.double(self.trace.instructions[number].value)
        return self.names[number]

    def _is_wide(self, number: int) -> bool:
        return bool(self.wide) and number >= 0 and self.wide[number]

    def _begin_stretch(self) -> None:
        """Forget the shared values that were loaded, and keep LLVM from remembering them.

        An empty piece of assembly hides that the pointer is the same as before, so that later loads are loads.
        """
        self._stretches, self._since = self._stretches + 1, 0
        hidden = f"%hoisted.{self._stretches}"
        self.lines.append(f'{hidden} = call ptr asm sideeffect "", "=r,0"(ptr {self._hoisted})')
        self._hoisted = hidden
        for number in self.slots:
            self.names.pop(number, None)
            self._truths.pop(number, None)

    def _template(self, operation: Operation, number: int, operands: list[str]) -> None:
        """Write an operation of LLVM's own; a truth value also as a number."""
        words = self._words[self._is_wide(number)]
        uses = dict(zip("abc", operands, strict=False))
        for letter, operand in zip("AB", self.trace.instructions[number].operands, strict=False):
            if f"{{{letter}}}" in operation.llvm:
                uses[letter] = self._truth(operand)
        result = f"%t{number}" if operation.truth else f"%v{number}"
        self.lines.append(self._spelling(operation, number).format(r=result, **uses, **words))
        if "@llvm." in operation.llvm:
            name = operation.llvm.split("@")[1].split("(")[0].format(**words)
            self.declared.add(declaration(name, words["D"], operation.arity))
        if operation.truth:
            self._truths[number] = result
            self.lines.append("%v{0} = select {M} {1}, {D} {one}, {D} {zero}".format(number, result, **words))

    def _spelling(self, operation: Operation, number: int) -> str:
        """The template of an operation; the shorter one where there is one for a constant second operand."""
        last = self.trace.instructions[self.trace.instructions[number].operands[-1]]
        if operation.beside_constant and last.operation == CONSTANT and last.value == last.value:
            return operation.beside_constant
        return operation.llvm

    def _truth(self, number: int) -> str:
        """The truth value of an instruction: of a comparison its own, of a number whether it differs from zero."""
        if number not in self._truths:
            name = f"%t{number}.{self._stretches}"
            self.lines.append("{0} = fcmp une {D} {1}, {zero}".format(name, self.value(number), **self._words[False]))
            self._truths[number] = name
        return self._truths[number]

    def _move(self, number: int) -> None:
        """Write what leads from scalars to a pack (`SPLAT`, `JOIN`) and back (`LANE`, `SUM`)."""
        operation, operands, _, _, element = self.trace.instructions[number]
        name, pack = f"%v{number}", Types(self.lanes)
        vector, values = pack.number, [self.value(operand) for operand in operands]
        if operation == LANE:
            self.lines.append(f"{name} = extractelement {vector} {values[0]}, i32 {element}")
        elif operation == SUM:
            reduce = f"llvm.vector.reduce.fadd.{pack.suffix}"
            self.declared.add(f"declare double @{reduce}(double, {vector})")
            self.lines.append(f"{name} = call {FAST} double @{reduce}(double -0.0, {vector} {values[0]})")
        elif operation == SPLAT:
            self.lines += [
                f"{name}.0 = insertelement {vector} poison, double {values[0]}, i32 0",
                f"{name} = shufflevector {vector} {name}.0, {vector} poison, <{self.lanes} x i32> zeroinitializer",
            ]
        else:
            names = ["poison", *(f"{name}.{lane}" for lane in range(1, self.lanes)), name]
            self.lines += [
                f"{names[lane + 1]} = insertelement {vector} {names[lane]}, double {value}, i32 {lane}"
                for lane, value in enumerate(values)
            ]
        self.names[number] = name

    def load(self, result: str, address: str) -> None:
        """Write the load of a number in every lane; arrays are aligned to one double only."""
        self.lines.append(f"{result} = load {self.types.number}, ptr {address}, align 8")

    def store(self, name: str, address: str) -> None:
        """Write the store of a number in every lane."""
        self.lines.append(f"store {self.types.number} {name}, ptr {address}, align 8")

    def valid(self, ordered: list[str], positive: list[str]) -> str:
        """Write the test that no number of `ordered` is NaN and every one of `positive` is >= 0.

        Returns:
            The LLVM name of the truth value.
        """
        number, truth, zero = self.types.number, self.types.truth, self.types.double(0.0)
        # One comparison sees two numbers: "ordered" is true when neither is NaN.
        pairs = [(ordered[at], ordered[at + 1] if at + 1 < len(ordered) else zero) for at in range(0, len(ordered), 2)]
        tests = [f"ord {number} {left}, {right}" for left, right in pairs]
        tests += [f"oge {number} {name}, {zero}" for name in positive]
        valid = self.types.constant("true", "i1")
        for index, test in enumerate(tests):
            self.lines.append(f"%ok{index} = fcmp {test}")
            self.lines.append(f"%all{index} = and {truth} {valid}, %ok{index}")
            valid = f"%all{index}"
        return valid
