"""Sums over all lanes of packs, found in trees of additions and subtractions.

`sum_i a_i + k sum_i b_i + c`, with packs `a` and `b`, is computed as the sum across the lanes of the vector `a + k b`,
and `c`. The order of the terms of a sum is the compiler's choice here as elsewhere (`FAST` of `lowering`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from parapick.kernel.trace.instructions import Trace

_Term = tuple[int, int]


class Across(NamedTuple):
    """A pack among the terms of a sum, with all its lanes.

    Attributes:
        sign: +1 or -1.
        group: the pack.
        factors: instructions the pack is multiplied by, the same for all lanes.
    """

    sign: int
    group: int
    factors: tuple[int, ...]


class Sums(NamedTuple):
    """Sums that have all lanes of a pack among their terms.

    Attributes:
        across: by the instruction of a whole sum, the packs.
        rest: by the same, sign and number of the other terms.
        inner: instructions of partial sums and products that nobody needs any more.
    """

    across: dict[int, list[Across]]
    rest: dict[int, list[_Term]]
    inner: set[int]


class _Reader:
    """Reads sums as signed terms, through products with a common factor where nothing else uses them."""

    def __init__(self, trace: Trace, needed: set[int], place: Mapping[int, tuple[int, int]], lanes: int) -> None:
        self.trace, self.place, self.lanes = trace, place, lanes
        self.uses = Counter(operand for number in needed for operand in trace.instructions[number].operands)
        self.uses.update(trace.roots)
        self.plain = {n for n in needed if trace.instructions[n].operation in ("ADD", "SUB") and n not in place}
        self._scaled: dict[int, tuple[int, int] | None] = {}
        self.products = {n for n in needed if trace.instructions[n].operation == "MUL" and n not in place}

    def within(self, number: int) -> bool:
        """Whether a value is a sum that serves one other value only."""
        return number in self.plain and self.uses[number] == 1

    def roots(self) -> set[int]:
        """Sums that are no part of another sum, directly or in a product."""
        operands = {operand for number in self.plain for operand in self.trace.instructions[number].operands}
        products = [self.scaled(number) for number in operands]
        return self.plain - {n for n in operands if self.within(n)} - {found[1] for found in products if found}

    def scaled(self, number: int) -> tuple[int, int] | None:
        """Factor and sum of a product that serves one sum only, if the sum consists of packs; otherwise None."""
        if number not in self._scaled:
            self._scaled[number] = self._factored(number)
        return self._scaled[number]

    def _factored(self, number: int) -> tuple[int, int] | None:
        if number not in self.products or self.uses[number] != 1:
            return None
        first, second = self.trace.instructions[number].operands
        for factor, total in ((first, second), (second, first)):
            if self.within(total):
                across, rest, _ = self.split(total)
                if across and not rest:
                    return factor, total
        return None

    def split(self, root: int) -> tuple[list[Across], list[_Term], set[int]]:
        """Packs with all their lanes, the added ones first; other terms; partial sums and products on the way."""
        terms, scaled, partial = self._terms(root)
        lanes: dict[_Term, dict[int, int]] = defaultdict(dict)
        for index, (sign, number) in enumerate(terms):
            if number in self.place:
                group, lane = self.place[number]
                lanes[sign, group].setdefault(lane, index)
        whole = {key: found for key, found in lanes.items() if len(found) == self.lanes}
        taken = {index for found in whole.values() for index in found.values()}
        across = [*scaled, *(Across(sign, group, ()) for sign, group in whole)]
        rest = [term for index, term in enumerate(terms) if index not in taken]
        return sorted(across, key=lambda one: -one.sign), rest, partial

    def _terms(self, root: int) -> tuple[list[_Term], list[Across], set[int]]:
        """Signed terms of a sum, packs that come with a factor, and what was looked through."""
        terms: list[_Term] = []
        scaled: list[Across] = []
        partial: set[int] = set()
        stack = [(1, root)]
        while stack:
            sign, number = stack.pop()
            product = None if number == root else self.scaled(number)
            if number == root or self.within(number):
                partial.add(number)
                operation, (first, second), *_ = self.trace.instructions[number]
                stack += [(sign if operation == "ADD" else -sign, second), (sign, first)]
            elif product:
                factor, total = product
                across, _, more = self.split(total)
                scaled += [Across(sign * one.sign, one.group, (*one.factors, factor)) for one in across]
                partial |= {number, total, *more}
            else:
                terms.append((sign, number))
        return terms, scaled, partial - {root}


def sums_of(trace: Trace, needed: set[int], place: Mapping[int, tuple[int, int]], lanes: int) -> Sums:
    """Find the sums.

    Args:
        trace: the computation.
        needed: instructions that are computed.
        place: group and lane of each instruction that is in a pack.
        lanes: instructions of a pack.
    """
    reader = _Reader(trace, needed, place, lanes)
    sums = Sums({}, {}, set())
    for root in sorted(reader.roots()):
        across, rest, partial = reader.split(root)
        if across:
            sums.across[root], sums.rest[root] = across, rest
            sums.inner.update(partial)
    return sums
