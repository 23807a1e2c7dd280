"""Rewrites of a trace that do not ask what it computes: joined selections, shared reciprocals, fixed terms together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from parapick.kernel.trace.instructions import Instruction, variability

VARYING: Final = 2
"""Level of what depends on inputs; see `variability`."""

Results = tuple[tuple[int, ...], ...]


def rewrite(
    instructions: Sequence[Instruction], results: Results, *, readable: bool = False
) -> tuple[tuple[Instruction, ...], Results]:
    """Apply all rewrites.

    Args:
        instructions: the computation.
        results: groups of instruction numbers whose values are wanted.
        readable: leave out what serves speed over many rows only and hides the formulas.

    Returns:
        The new computation and the same groups in its numbers.
    """
    joined = _join_selections(instructions)
    if readable:
        return _without_unused(joined, results)
    return _without_unused(*_gather_fixed(*_share_reciprocals(joined, results)))


def _join_selections(instructions: Sequence[Instruction]) -> list[Instruction]:
    """Write `if_else` as one instruction: CasADi has it as `IF_ELSE_ZERO(c, a) + IF_ELSE_ZERO(not c, b)`."""
    joined = list(instructions)
    for number, instruction in enumerate(instructions):
        if instruction.operation != "ADD":
            continue
        for first, second in (instruction.operands, instruction.operands[::-1]):
            one, other = instructions[first], instructions[second]
            if one.operation == other.operation == "IF_ELSE_ZERO":
                condition, negation = one.operands[0], instructions[other.operands[0]]
                if negation.operation == "NOT" and negation.operands[0] == condition:
                    joined[number] = Instruction("IF_ELSE", (condition, one.operands[1], other.operands[1]))
                    break
    return joined


def _share_reciprocals(instructions: Sequence[Instruction], results: Results) -> tuple[list[Instruction], Results]:
    """Replace divisions by multiplications where one reciprocal serves several or can be computed beforehand.

    A denominator that two or more divisions use gets one reciprocal. So does one that depends on parameters only, when
    the numerator does not: it is then computed once per call. Constant denominators are left to the compiler.
    """
    level = variability(instructions)
    uses = Counter([one.operands[-1] for one in instructions if one.operation in ("DIV", "INV")])
    place: list[int] = []
    reciprocal: dict[int, int] = {}
    shared: list[Instruction] = []
    for instruction in instructions:
        operation, operands = instruction.operation, instruction.operands
        moved = tuple([place[operand] for operand in operands])
        if operation in ("DIV", "INV") and level[operands[-1]] > 0:
            denominator = operands[-1]
            if uses[denominator] > 1 or level[denominator] < level[operands[0]]:
                if denominator not in reciprocal:
                    reciprocal[denominator] = len(shared)
                    shared.append(Instruction("INV", (moved[-1],)))
                if operation == "INV":
                    place.append(reciprocal[denominator])
                    continue
                operation, moved = "MUL", (moved[0], reciprocal[denominator])
        place.append(len(shared))
        shared.append(Instruction(operation, moved) if operands else instruction)
    return shared, tuple(tuple([place[number] for number in result]) for result in results)


class _Form(NamedTuple):
    """A value as a product, or as a signed sum, of something that varies and something fixed; both by number."""

    product: bool
    varying: int
    fixed: int
    sign_varying: int = 1
    sign_fixed: int = 1

    def instruction(self) -> Instruction:
        """The value as one instruction; at most one of its signs is negative."""
        if self.product:
            return Instruction("MUL", (self.varying, self.fixed))
        if self.sign_varying < 0:
            return Instruction("SUB", (self.fixed, self.varying))
        return Instruction("ADD" if self.sign_fixed > 0 else "SUB", (self.varying, self.fixed))


def _form(instruction: Instruction, level: Sequence[int]) -> _Form | None:
    """The form of an instruction that joins something that varies and something fixed; None for any other."""
    if instruction.operation not in ("ADD", "SUB", "MUL"):
        return None
    first, second = instruction.operands
    if (level[first] == VARYING) == (level[second] == VARYING):
        return None
    sign = -1 if instruction.operation == "SUB" else 1
    if level[first] == VARYING:
        return _Form(instruction.operation == "MUL", first, second, sign_fixed=sign)
    return _Form(instruction.operation == "MUL", second, first, sign_varying=sign)


def _gather_fixed(instructions: Sequence[Instruction], results: Results) -> tuple[list[Instruction], Results]:
    """Put what depends on parameters only side by side, so that it is joined once per call.

    `(v + f) - g` becomes `v + (f - g)`, and `(v f) g` becomes `v (f g)`: f and g are fixed, v is not, and what is in
    the brackets serves nothing else.
    """
    level = variability(instructions)
    uses = Counter([operand for one in instructions for operand in one.operands])
    uses.update([number for result in results for number in result])
    place: list[int] = []
    forms: dict[int, _Form] = {}
    written: list[Instruction] = []
    for number, one in enumerate(instructions):
        form = _form(one, level)
        if form is None:
            moved = tuple([place[operand] for operand in one.operands])
            written.append(Instruction(one.operation, moved) if moved else one)
        else:
            inside = forms.get(form.varying) if uses[form.varying] == 1 else None
            form = form._replace(varying=place[form.varying], fixed=place[form.fixed])
            if inside is not None and inside.product == form.product:
                fixed, form = _joined(inside, form, len(written))
                written.append(fixed)
            forms[number] = form
            written.append(form.instruction())
        place.append(len(written) - 1)
    return written, tuple(tuple([place[number] for number in result]) for result in results)


def _joined(inside: _Form, outside: _Form, number: int) -> tuple[Instruction, _Form]:
    """Both fixed operands as one instruction, to be given this number, and the form that uses it."""
    if outside.product:
        return Instruction("MUL", (inside.fixed, outside.fixed)), _Form(True, inside.varying, number)
    varying, one = outside.sign_varying * inside.sign_varying, outside.sign_varying * inside.sign_fixed
    if one == outside.sign_fixed:
        return Instruction("ADD", (inside.fixed, outside.fixed)), _Form(False, inside.varying, number, varying, one)
    operands = (inside.fixed, outside.fixed) if one > 0 else (outside.fixed, inside.fixed)
    return Instruction("SUB", operands), _Form(False, inside.varying, number, varying)


def _without_unused(instructions: Sequence[Instruction], results: Results) -> tuple[tuple[Instruction, ...], Results]:
    """Leave out what no result needs."""
    needed = [False] * len(instructions)
    for result in results:
        for number in result:
            needed[number] = True
    for number in range(len(instructions) - 1, -1, -1):
        if needed[number]:
            for operand in instructions[number].operands:
                needed[operand] = True
    place: list[int] = []
    kept: list[Instruction] = []
    for instruction, keep in zip(instructions, needed, strict=True):
        place.append(len(kept))
        if keep:
            operation, operands, value, port, element = instruction
            moved = tuple([place[operand] for operand in operands])
            kept.append(Instruction(operation, moved, value, port, element))
    return tuple(kept), tuple(tuple([place[number] for number in result]) for result in results)
