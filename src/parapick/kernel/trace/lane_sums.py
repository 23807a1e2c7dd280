"""Sums over all lanes of packs, found in trees of additions and subtractions.

`sum_i a_i - sum_i b_i + c`, with packs `a` and `b`, is computed as the sum across the lanes of the vector `a - b`, and
`c`. The order of the terms of a sum is the compiler's choice here as elsewhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from parapick.kernel.trace.instructions import Trace

Term = tuple[int, int]
"""Sign of a term of a sum (+1 or -1), and its instruction or its pack."""


class LaneSum(NamedTuple):
    """A sum that has all lanes of a pack among its terms.

    Attributes:
        packs: sign and group of each pack, the added ones first.
        rest: sign and instruction of the other terms.
        partial: instructions of partial sums that nobody needs any more.
    """

    packs: list[Term]
    rest: list[Term]
    partial: set[int]


def lane_sums(trace: Trace, needed: set[int], place: Mapping[int, tuple[int, int]], lanes: int) -> dict[int, LaneSum]:
    """The sums over lanes, by the instruction of the whole sum."""
    plain = {n for n in needed if trace.instructions[n].operation in ("ADD", "SUB") and n not in place}
    uses = Counter(operand for number in needed for operand in trace.instructions[number].operands)
    uses.update(trace.roots)
    # A sum that serves one other sum only is a part of it.
    inner = {operand for number in plain for operand in trace.instructions[number].operands if uses[operand] == 1}
    sums: dict[int, LaneSum] = {}
    for root in sorted(plain - inner):
        terms, partial = _terms(trace, root, plain & inner)
        packs, rest = _split(terms, place, lanes)
        if packs:
            sums[root] = LaneSum(packs, rest, partial)
    return sums


def _terms(trace: Trace, root: int, inner: set[int]) -> tuple[list[Term], set[int]]:
    """Signed terms of a sum, and the partial sums that were looked through."""
    terms: list[Term] = []
    partial: set[int] = set()
    stack = [(1, root)]
    while stack:
        sign, number = stack.pop()
        if number == root or number in inner:
            partial.add(number)
            operation, (first, second), *_ = trace.instructions[number]
            stack += [(sign if operation == "ADD" else -sign, second), (sign, first)]
        else:
            terms.append((sign, number))
    return terms, partial - {root}


def _split(terms: list[Term], place: Mapping[int, tuple[int, int]], lanes: int) -> tuple[list[Term], list[Term]]:
    """Packs with all their lanes among some terms, and the other terms."""
    seen: dict[Term, dict[int, int]] = defaultdict(dict)
    for index, (sign, number) in enumerate(terms):
        if number in place:
            group, lane = place[number]
            seen[sign, group].setdefault(lane, index)
    whole = {key: indices for key, indices in seen.items() if len(indices) == lanes}
    taken = {index for indices in whole.values() for index in indices.values()}
    rest = [term for index, term in enumerate(terms) if index not in taken]
    return sorted(whole, key=lambda term: -term[0]), rest
