"""The C expression of a value: what is used once stands where it is used, with as few brackets as C needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from parapick.kernel.c.style import CStyle
from parapick.kernel.operations import AND, CALL, CHOICE, EQUALITY, OPERATIONS, OR, PRODUCT, SIGN, SUM
from parapick.kernel.trace.instructions import CONSTANT, Instruction


class CText(NamedTuple):
    """A piece of C.

    Attributes:
        text: the expression.
        rank: how strongly it binds.
        truth: whether it is a truth value, an `int` of C.
    """

    text: str
    rank: int
    truth: bool = False


class Speller:
    """Spells values as C.

    Args:
        instructions: the computation.
        atoms: the values that have a name already: what comes in, and locals.
        style: spelling.
    """

    def __init__(self, instructions: tuple[Instruction, ...], atoms: Mapping[int, CText], style: CStyle) -> None:
        self._instructions = instructions
        self._atoms = atoms
        self._style = style

    def number(self, value: int) -> str:
        """A value as a number, as it stands after `=`."""
        return self._as_number(self._piece(value)).text

    def own(self, value: int) -> CText:
        """What computes a value, although it has a name."""
        return self._made(value)

    def _piece(self, value: int) -> CText:
        return self._atoms[value] if value in self._atoms else self._made(value)

    def _made(self, value: int) -> CText:
        name, operands, constant, _, _ = self._instructions[value]
        if name == CONSTANT:
            text = self._style.literal(constant)
            return CText(text, SIGN if text.startswith("-") else CALL)
        operation = OPERATIONS[name]
        # What has one operand has it behind its sign: 1 / (a b) is not 1 / a b.
        first = 0 if len(operands) > 1 else 1
        numbers = {
            letter: _bracketed(self._as_number(self._piece(operand)), self._least(operation.rank, place))
            for place, (letter, operand) in enumerate(zip("abc", operands, strict=False), first)
        }
        truths = {
            letter: _bracketed(self._as_truth(self._piece(operand)), _least_of_truth(operation.rank))
            for letter, operand in zip("AB", operands, strict=False)
        }
        text = operation.in_c.format(**numbers, **truths, P=self._style.prefix, f=self._style.suffix)
        return CText(text, operation.rank, operation.truth)

    @staticmethod
    def _least(rank: int, place: int) -> int:
        """How strongly an operand must bind to stand without brackets: sums and products are read from the left."""
        if rank == CALL:
            return CHOICE
        return rank if rank in (SUM, PRODUCT) and place == 0 else rank + 1

    def _as_number(self, piece: CText) -> CText:
        if not piece.truth:
            return piece
        return CText(f"({self._style.number}){_bracketed(piece, CALL)}", SIGN)

    def _as_truth(self, piece: CText) -> CText:
        return piece if piece.truth else CText(f"{_bracketed(piece, SUM)} != 0", EQUALITY, True)


def _least_of_truth(rank: int) -> int:
    """Compilers warn of `&&` beside `||` without brackets."""
    return CALL if rank == SIGN else AND + 1 if rank in (OR, AND) else rank + 1


def _bracketed(piece: CText, least: int) -> str:
    return piece.text if piece.rank >= least else f"({piece.text})"
