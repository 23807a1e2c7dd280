"""A trace: the instructions of a kernel in single-assignment form, which every printer reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Final, NamedTuple, final

from parapick.kernel.ports import Port, Ports

CONSTANT, INPUT, PARAMETER = "CONSTANT", "INPUT", "PARAMETER"
"""The three instructions that have no operands, beside those of the operation table."""


class Instruction(NamedTuple):
    """One value of a trace; a tuple, because thousands are made where a cached kernel is to be ready at once.

    Attributes:
        operation: a name of `operations.OPERATIONS`, or `CONSTANT`, `INPUT`, `PARAMETER`.
        operands: numbers of the instructions it uses, all smaller than its own.
        value: the number of a `CONSTANT`.
        port: which input an `INPUT` reads.
        element: which entry of the input or of the parameters is read.
    """

    operation: str
    operands: tuple[int, ...] = ()
    value: float = 0.0
    port: int = 0
    element: int = 0


class NamedValue(NamedTuple):
    """A value that has a name, for printers of readable code.

    Attributes:
        part: what it belongs to; empty for the whole.
        group: its purpose.
        name: its name.
        shape: as that of a port.
        instructions: the instruction of each entry, row after row.
    """

    part: str
    group: str
    name: str
    shape: tuple[int, ...]
    instructions: tuple[int, ...]


@final
@dataclass(frozen=True)
class Trace:
    """The computation of a kernel.

    Attributes:
        name: name of the kernel, an identifier.
        inputs: the inputs in order, all columns.
        parameters: number of parameters; None when the kernel takes none.
        outputs: the outputs in order.
        instructions: the computation; an instruction's number is its place here.
        results: for each output, the instruction of each entry, row after row.
        validity: instructions that must all be >= 0 for a row to be valid.
        fixed: for each instruction, whether it depends on parameters and on nothing else that varies.
        named: values with names; the code does not depend on them.
    """

    name: str
    inputs: tuple[Port, ...]
    parameters: int | None
    outputs: tuple[Port, ...]
    instructions: tuple[Instruction, ...]
    results: tuple[tuple[int, ...], ...]
    validity: tuple[int, ...]
    fixed: tuple[bool, ...]
    named: tuple[NamedValue, ...] = ()

    @property
    def ports(self) -> Ports:
        """What a call needs to know of it."""
        work = len(self.instructions)
        return Ports(self.name, self.inputs, self.parameters, self.outputs, work, places=self.places)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Which of the parameters are used, in order."""
        return tuple(sorted({each.element for each in self.instructions if each.operation == PARAMETER}))

    def compact(self) -> Trace:
        """The same computation of nothing but the parameters that it uses."""
        if self.parameters is None:
            return self
        rank = {place: number for number, place in enumerate(self.places)}
        instructions = [
            each._replace(element=rank[each.element]) if each.operation == PARAMETER else each
            for each in self.instructions
        ]
        return replace(self, parameters=len(rank), instructions=tuple(instructions))

    @property
    def roots(self) -> tuple[int, ...]:
        """Instructions the outside sees: outputs, then validity."""
        return (*(number for result in self.results for number in result), *self.validity)

    def computed(self) -> set[int]:
        """The instructions to compute for the roots; inputs and what depends on parameters only are taken as given."""
        needed: set[int] = set()
        stack = list(self.roots)
        while stack:
            number = stack.pop()
            instruction = self.instructions[number]
            if number not in needed and not self.fixed[number] and instruction.operation != INPUT:
                needed.add(number)
                stack.extend(instruction.operands)
        return needed

    @property
    def hoisted(self) -> tuple[int, ...]:
        """Fixed instructions whose value is used by others that are not fixed, or by the outside."""
        used = set(self.roots)
        for number, instruction in enumerate(self.instructions):
            if not self.fixed[number]:
                used.update(instruction.operands)
        return tuple(number for number in sorted(used) if self.fixed[number])

    def content(self) -> bytes:
        """Everything that determines the code, for a cache key; equal for traces that differ in `places` only."""
        return self._content

    @cached_property
    def _content(self) -> bytes:
        used = self.compact()
        parts = (self.name, self.inputs, used.parameters, self.outputs, self.results, self.validity)
        # Bare tuples print several times faster than named ones.
        return repr((parts, [tuple(instruction) for instruction in used.instructions])).encode()


OF_PARAMETERS: Final = 1
"""The bit of `dependencies` for parameters."""


def dependencies(instructions: Sequence[Instruction], bit_of: Callable[[int], int]) -> list[int]:
    """What each instruction depends on, as bits; an input has the bits of its port."""
    bits: list[int] = []
    for operation, operands, _, port, _ in instructions:
        if operands:
            bits.append(reduce(or_, [bits[operand] for operand in operands]))
        else:
            bits.append(bit_of(port) if operation == INPUT else OF_PARAMETERS * (operation == PARAMETER))
    return bits


def variability(instructions: Sequence[Instruction]) -> list[int]:
    """What each instruction depends on: 0 constants only, 1 parameters too, 2 inputs too."""
    return [min(bits, 2) for bits in dependencies(instructions, lambda _: 2)]
