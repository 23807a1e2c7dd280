"""Calls of mathematical functions as LLVM text: our own, a vector function of libmvec, or libm lane by lane."""

from __future__ import annotations

from parapick.kernel.llvm.target import Target, vector_symbol
from parapick.kernel.llvm.types import Types, Written


def declaration(name: str, kind: str, arity: int) -> str:
    """Declare a function that is pure as far as the compiler is concerned: status flags are nobody's business here."""
    return f"declare {kind} @{name}({', '.join([kind] * arity)}) nounwind willreturn memory(none)"


def call(function: str, result: str, operands: list[str], target: Target) -> Written:
    """Call a function of libm for every lane.

    Args:
        function: its name in libm.
        result: name of the result.
        operands: the operands, of the target's width.
        target: what code is made for; it says which functions are written out and which have a vector form.
    """
    whole = Types(target.width).number
    if function in target.written_out:
        return Written([_line(result, whole, f"parapick_{function}", operands)], set())
    if target.width == 1 or function not in target.functions:
        return scalar_calls(function, result, operands, Types(target.width))
    name = vector_symbol(target.isa, function, len(operands))
    return Written([_line(result, whole, name, operands)], {declaration(name, whole, len(operands))})


def _line(result: str, kind: str, name: str, operands: list[str]) -> str:
    return f"{result} = call {kind} @{name}({', '.join(f'{kind} {operand}' for operand in operands)})"


def scalar_calls(name: str, result: str, operands: list[str], types: Types) -> Written:
    """One call of libm per lane."""
    declared = {declaration(name, "double", len(operands))}
    if types.width == 1:
        return Written([_line(result, "double", name, operands)], declared)
    vector, width = types.number, types.width
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
    return Written(lines, declared)
