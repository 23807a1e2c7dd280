"""A packed trace as LLVM text: scalars and vectors of one row in the same function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from parapick.kernel.lowering import FAST, Lowering
from parapick.kernel.pack import HOISTED, JOIN, LANE, RUN, SPLAT, SUM, Packed
from parapick.kernel.target import Target
from parapick.kernel.trace import CONSTANT

__all__ = ["PackWriter"]


class PackWriter:
    """Instructions of a packed trace being written, each when its operands are there.

    Args:
        pack: the computation.
        target: what code is made for, one row at a time.
        slots: place of each shared value at `%hoisted`.
        runs: where the values of each run begin there.
    """

    def __init__(
        self, pack: Packed, target: Target, slots: Mapping[int, int], runs: Mapping[tuple[int, ...], int]
    ) -> None:
        self.scalar = Lowering(pack.trace, target)
        self.vector = Lowering(pack.trace, replace(target, width=pack.lanes))
        # One text: both write to the same lines and declare in the same place.
        self.vector.lines, self.vector.declared = self.scalar.lines, self.scalar.declared
        self._pack, self._slots, self._runs = pack, slots, runs

    def write(self, number: int) -> None:
        """Write one instruction; given values are loaded where they are first used."""
        instruction = self._pack.trace.instructions[number]
        wide = self._pack.wide[number]
        if instruction.operation in (SPLAT, LANE, SUM, JOIN):
            self._between(number)
            return
        for operand in instruction.operands:
            self._have(operand, wide)
        if instruction.operation in (HOISTED, RUN):
            self._have(number, wide)
        elif number not in self.scalar.names or wide:
            (self.vector if wide else self.scalar).write([number])

    def hoisted(self, number: int) -> str:
        """Write the load of a shared value, by its number in the trace that was packed; its name."""
        return self._load(f"%h{self._slots[number]}", self._slots[number], "double")

    def _have(self, number: int, wide: bool) -> None:
        """See to it that an operand has a name."""
        names = (self.vector if wide else self.scalar).names
        if number in names:
            return
        operation, _, _, _, element = self._pack.trace.instructions[number]
        if operation == HOISTED:
            names[number] = self.hoisted(element)
        elif operation == RUN:
            first = self._runs[self._pack.runs[element]]
            names[number] = self._load(f"%q{first}", first, self.vector.types.number)
        elif operation == CONSTANT:
            (self.vector if wide else self.scalar).write([number])

    def _load(self, name: str, slot: int, kind: str) -> str:
        self.scalar.lines += [
            f"{name}p = getelementptr i8, ptr %hoisted, i64 {8 * slot}",
            f"{name} = load {kind}, ptr {name}p, align 8",
        ]
        return name

    def _between(self, number: int) -> None:
        """What leads from scalars to vectors and back."""
        operation, operands, _, _, element = self._pack.trace.instructions[number]
        name, lines, vector = f"%v{number}", self.scalar.lines, self.vector.types.number
        for operand in operands:
            self._have(operand, operation in (LANE, SUM))
        if operation == LANE:
            lines.append(f"{name} = extractelement {vector} {self.vector.names[operands[0]]}, i32 {element}")
        elif operation == SUM:
            reduce = f"llvm.vector.reduce.fadd.{self.vector.types.suffix}"
            self.scalar.declared.add(f"declare double @{reduce}(double, {vector})")
            lines.append(
                f"{name} = call {FAST} double @{reduce}(double -0.0, {vector} {self.vector.names[operands[0]]})"
            )
        elif operation == SPLAT:
            one = f"insertelement {vector} poison, double {self.scalar.names[operands[0]]}, i32 0"
            lines.append(f"{name}.0 = {one}")
            lines.append(
                f"{name} = shufflevector {vector} {name}.0, {vector} poison, <{self._pack.lanes} x i32> zeroinitializer"
            )
        else:
            before = "poison"
            for lane, operand in enumerate(operands):
                after = name if lane == self._pack.lanes - 1 else f"{name}.{lane}"
                lines.append(
                    f"{after} = insertelement {vector} {before}, double {self.scalar.names[operand]}, i32 {lane}"
                )
                before = after
        (self.vector if self._pack.wide[number] else self.scalar).names[number] = name
