"""Rewrites of a trace that do not ask what is computed: joined selections, shared reciprocals, nothing unused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from parapick.kernel.trace import Instruction, variability

__all__ = ["rewrite"]

Results = tuple[tuple[int, ...], ...]


def rewrite(instructions: Sequence[Instruction], results: Results) -> tuple[tuple[Instruction, ...], Results]:
    """Apply all rewrites.

    Args:
        instructions: the computation.
        results: groups of instruction numbers whose values are wanted.

    Returns:
        The new computation and the same groups in its numbers.
    """
    return _without_unused(*_share_reciprocals(_join_selections(instructions), results))


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
    the numerator does not: it is then computed once a call. Constant denominators are left to the compiler.
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
