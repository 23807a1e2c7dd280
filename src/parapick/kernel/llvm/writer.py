"""Writing one function as LLVM text, without fast-math flags: what lives from its rounding."""

from __future__ import annotations

from collections.abc import Sequence

from parapick.kernel.llvm.types import Types


class Writer:
    """Instructions of one function, with short names for the types."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.lines: list[str] = []
        self.declared: set[str] = set()

    def op(self, name: str, text: str, *operands: str) -> str:
        """`name = <text> type operand, operand`; the name."""
        self.lines.append(f"%{name} = {text} {self.types.number} {', '.join(operands)}")
        return f"%{name}"

    def call(self, name: str, intrinsic: str, *operands: str) -> str:
        """A call of an LLVM intrinsic; the name of its result."""
        number = self.types.number
        function = f"llvm.{intrinsic}.{self.types.suffix}"
        self.declared.add(f"declare {number} @{function}({', '.join([number] * len(operands))})")
        given = ", ".join(f"{number} {operand}" for operand in operands)
        self.lines.append(f"%{name} = call {number} @{function}({given})")
        return f"%{name}"

    def select(self, name: str, condition: str, yes: str, no: str) -> str:
        """A selection; the name of its result."""
        number = self.types.number
        self.lines.append(f"%{name} = select {self.types.truth} {condition}, {number} {yes}, {number} {no}")
        return f"%{name}"

    def truth(self, name: str, text: str, *operands: str) -> str:
        """Two truths joined by `and` or `or`; the name of the result."""
        self.lines.append(f"%{name} = {text} {self.types.truth} {', '.join(operands)}")
        return f"%{name}"

    def polynomial(self, name: str, coefficients: Sequence[float], powers: Sequence[str]) -> str:
        """A polynomial by Estrin's scheme, whose chains are short; `powers` are w, w^2, w^4, ..."""
        level = [self.types.double(coefficient) for coefficient in coefficients]
        for depth, power in enumerate(powers):
            pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
            level = [
                self.call(f"{name}.{depth}.{k}", "fmuladd", pair[1], power, pair[0]) if len(pair) == 2 else pair[0]
                for k, pair in enumerate(pairs)
            ]
        return level[0]
