"""What a function costs: operations by kind, calls of libm, and numbers that it keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from parapick.kernel.operations import OPERATIONS

_KINDS: Final = {
    "ADD": "additions", "SUB": "additions", "NEG": "additions",
    "MUL": "multiplications", "SQ": "multiplications", "TWICE": "multiplications",
    "DIV": "divisions", "INV": "divisions", "SQRT": "square roots",
}  # fmt: skip
"""Kind of the operations that are counted by themselves; functions of libm are calls, all others selections."""

KINDS: Final = ("additions", "multiplications", "divisions", "square roots", "selections", "calls")
"""Every kind, in the order in which they are stated."""

FRAMES: Final = 384
"""Bytes that compilers keep beside the numbers of a call: return addresses, registers, arguments and temporaries of the
functions in it, up to three deep. Tests compare with what gcc reports (`-fstack-usage`), without optimisation."""


@final
@dataclass(frozen=True)
class CallCost:
    """What one call of a function costs; its code has no loops and no branches but selections.

    Attributes:
        counts: number of operations by kind (`KINDS`).
        calls: number of calls of each function of libm.
        kept: numbers that it keeps at most: an upper bound of its stack in numbers.
    """

    counts: dict[str, int]
    calls: dict[str, int]
    kept: int

    @property
    def operations(self) -> int:
        """All operations."""
        return sum(self.counts.values())

    def stack(self, size: int) -> int:
        """An upper bound of the stack of a call (bytes), what libm takes apart.

        Args:
            size: bytes of a number.
        """
        return self.kept * size + FRAMES

    def __add__(self, other: CallCost) -> CallCost:
        """Both, one after the other, in one function."""
        counts, calls = Counter(self.counts), Counter(self.calls)
        counts.update(other.counts)
        calls.update(other.calls)
        return CallCost(dict(counts), dict(calls), self.kept + other.kept)

    def times(self, count: int) -> CallCost:
        """The same again and again, on the same stack.

        Args:
            count: how often.
        """
        counts = {kind: count * number for kind, number in self.counts.items()}
        return CallCost(counts, {name: count * number for name, number in self.calls.items()}, self.kept)

    def text(self) -> str:
        """All in a line, without what does not occur."""
        counted = ", ".join(f"{self.counts[kind]} {kind}" for kind in KINDS if self.counts.get(kind))
        called = ", ".join(f"{number} {name}" for name, number in sorted(self.calls.items()))
        return f"{counted}{f' ({called})' if called else ''}"


def cost_of(operations: Iterable[str], kept: int) -> CallCost:
    """The cost of a list of operations.

    Args:
        operations: names of `OPERATIONS`.
        kept: numbers that are kept.
    """
    counts: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for operation in operations:
        function = OPERATIONS[operation].function
        counts["calls" if function else _KINDS.get(operation, "selections")] += 1
        if function:
            calls[function] += 1
    return CallCost(dict(counts), dict(calls), kept)
