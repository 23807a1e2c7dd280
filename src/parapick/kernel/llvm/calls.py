"""Calls of mathematical functions as LLVM text: our own, a vector function of libmvec, or libm lane by lane."""

from __future__ import annotations

from typing import NamedTuple

from parapick.kernel.llvm.target import Target, vector_symbol
from parapick.kernel.llvm.types import Types


class Call(NamedTuple):
    """A call that has been written.

    Attributes:
        lines: its text; the last line defines the result.
        declared: declarations it needs.
    """

    lines: list[str]
    declared: set[str]


def declaration(name: str, kind: str, arity: int) -> str:
    """Declare a function that is pure as far as the compiler is concerned: status flags are nobody's business here.

    Args:
        name: its name.
        kind: type of its operands and of its result.
        arity: number of operands.
    """
    return f"declare {kind} @{name}({', '.join([kind] * arity)}) nounwind willreturn memory(none)"


def call(function: str, result: str, operands: list[str], target: Target) -> Call:
    """Call a function of libm for every lane.

    Args:
        function: its name in libm.
        result: name of the result.
        operands: the operands, of the target's width.
        target: what code is made for; it says which functions are written out and which have a vector form.
    """
    whole = Types(target.width).number
    if function in target.written_out:
        return Call([_line(result, whole, f"parapick_{function}", operands)], set())
    lanes = target.lanes if target.width > 1 and function in target.functions else 1
    name = function if lanes == 1 else vector_symbol(target.isa, function, len(operands))
    part = Types(lanes).number
    declared = {declaration(name, part, len(operands))}
    if lanes == target.width:
        return Call([_line(result, whole, name, operands)], declared)
    written = _lane_by_lane if lanes == 1 else _half_by_half
    return Call(written(name, result, operands, whole, target.width), declared)


def _line(result: str, kind: str, name: str, operands: list[str]) -> str:
    return f"{result} = call {kind} @{name}({', '.join(f'{kind} {operand}' for operand in operands)})"


def _lane_by_lane(name: str, result: str, operands: list[str], vector: str, width: int) -> list[str]:
    """One call per lane."""
    lines: list[str] = []
    joined = "poison"
    for lane in range(width):
        parts = [f"{result}.{lane}.{index}" for index in range(len(operands))]
        lines += [
            f"{part} = extractelement {vector} {operand}, i32 {lane}"
            for part, operand in zip(parts, operands, strict=True)
        ]
        lines.append(_line(f"{result}.{lane}r", "double", name, parts))
        after = result if lane == width - 1 else f"{result}.{lane}"
        lines.append(f"{after} = insertelement {vector} {joined}, double {result}.{lane}r, i32 {lane}")
        joined = after
    return lines


def _half_by_half(name: str, result: str, operands: list[str], vector: str, _: int) -> list[str]:
    """Two calls, each for two of four lanes."""
    lines: list[str] = []
    for half, mask in enumerate(("<2 x i32> <i32 0, i32 1>", "<2 x i32> <i32 2, i32 3>")):
        parts = [f"{result}.{half}.{index}" for index in range(len(operands))]
        lines += [
            f"{part} = shufflevector {vector} {operand}, {vector} poison, {mask}"
            for part, operand in zip(parts, operands, strict=True)
        ]
        lines.append(_line(f"{result}.{half}", "<2 x double>", name, parts))
    joined = "<4 x i32> <i32 0, i32 1, i32 2, i32 3>"
    return [*lines, f"{result} = shufflevector <2 x double> {result}.0, <2 x double> {result}.1, {joined}"]
