"""Instructions of a kind side by side: what a trace does several times alike becomes one vector operation.

A robot's legs are computed alike, each with numbers of its own. Instructions are *alike* when the same expression of
alike leaves leads to them; as many as there are legs make a pack, one a lane. Leaves are alike when that many are used
in the same way: the angles of four motors, four torques. A sum over all lanes of packs becomes a sum of vectors and one
sum across lanes. Packs are right whatever is alike by chance: they only say what is computed together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from parapick.kernel.trace.alike import Groups, depths, groups_of, packed_places
from parapick.kernel.trace.instructions import CONSTANT, INPUT, Instruction, Trace
from parapick.kernel.trace.lane_sums import sums_of

HOISTED, SPLAT, LANE, SUM, JOIN, RUN = "HOISTED", "SPLAT", "LANE", "SUM", "JOIN", "RUN"
"""Instructions beside those of a trace: a given value (`element` is its number in the trace that was packed), a number
in every lane, one lane (`element`), the sum across lanes, numbers as lanes, and given values that lie side by side in
memory (`element` counts `Packed.runs`)."""


class Packed(NamedTuple):
    """A trace with packs.

    Attributes:
        trace: the computation; `results` and `validity` are those of the trace that was packed.
        lanes: instructions of a pack.
        wide: for each instruction, whether it is a vector.
        runs: what the `RUN`s read: given instructions of the trace that was packed.
    """

    trace: Trace
    lanes: int
    wide: tuple[bool, ...]
    runs: tuple[tuple[int, ...], ...]


def packed(trace: Trace) -> Packed:
    """Find packs in the instructions that the results of a trace need."""
    needed = _needed(trace)
    depth = depths(trace.instructions)
    groups = groups_of(trace, needed, depth)
    return _Builder(trace, groups, needed).built(sorted(needed, key=lambda number: (depth[number], number)))


def _needed(trace: Trace) -> set[int]:
    """The instructions that have to be computed for the results; given ones are left out."""
    found: set[int] = set()
    stack = list(trace.roots)
    while stack:
        number = stack.pop()
        instruction = trace.instructions[number]
        if number not in found and not trace.fixed[number] and instruction.operation != INPUT:
            found.add(number)
            stack.extend(instruction.operands)
    return found


class _Builder:
    """The packed trace being written; scalars, vectors and what leads from one to the other are made when needed."""

    def __init__(self, trace: Trace, groups: Groups, needed: set[int]) -> None:
        self.trace, self.groups, self.kept = trace, groups, packed_places(groups)
        self.sums = sums_of(trace, needed, self.kept, groups.lanes)
        self.nodes: list[Instruction] = []
        self.wide: list[bool] = []
        self.runs: dict[tuple[int, ...], int] = {}
        self._known: dict[object, int] = {}

    def built(self, order: Iterable[int]) -> Packed:
        """The packed trace; `order` are the instructions to compute, operands first."""
        for number in order:
            if number in self.kept:
                self._vector(self.kept[number][0])
            elif number not in self.sums.inner:
                self._scalar(number)
        results = tuple(tuple(self._scalar(number) for number in result) for result in self.trace.results)
        validity = tuple(self._scalar(number) for number in self.trace.validity)
        trace = replace(
            self.trace,
            instructions=tuple(self.nodes),
            results=results,
            validity=validity,
            fixed=tuple(node.operation in (HOISTED, RUN) for node in self.nodes),
        )
        return Packed(trace, self.groups.lanes, tuple(self.wide), tuple(self.runs))

    def _node(self, key: object, wide: bool, instruction: Instruction) -> int:
        """A new instruction, or the one made before under the same key."""
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(instruction)
            self.wide.append(wide)
        return self._known[key]

    def _scalar(self, number: int) -> int:
        """The instruction that gives the value of `number` as a scalar."""
        key = ("scalar", number)
        if key in self._known:
            return self._known[key]
        instruction = self.trace.instructions[number]
        if number in self.kept:
            group, lane = self.kept[number]
            return self._node(key, False, Instruction(LANE, (self._vector(group),), element=lane))
        if self.trace.fixed[number]:
            return self._node(key, False, Instruction(HOISTED, element=number))
        if number in self.sums.across:
            return self._sum(key, number)
        operands = tuple([self._scalar(operand) for operand in instruction.operands])
        return self._node(key, False, instruction._replace(operands=operands))

    def _sum(self, key: object, number: int) -> int:
        """A sum over lanes: vectors first, then across, then what else is added."""
        vector = -1
        for sign, group, factors in self.sums.across[number]:
            term = self._vector(group)
            for factor in factors:
                operands = (self._splat(factor), term)
                term = self._node(("MUL", *operands), True, Instruction("MUL", operands))
            vector = self._added(vector, sign, term, True)
        total = self._node((SUM, number), False, Instruction(SUM, (vector,)))
        for sign, term in self.sums.rest[number]:
            total = self._added(total, sign, self._scalar(term), False)
        self._known[key] = total
        return total

    def _added(self, before: int, sign: int, term: int, wide: bool) -> int:
        """One more term of a sum; before the first there is -1."""
        if before < 0:
            return term if sign > 0 else self._node(("neg", term), wide, Instruction("NEG", (term,)))
        operation = "ADD" if sign > 0 else "SUB"
        return self._node((operation, before, term), wide, Instruction(operation, (before, term)))

    def _vector(self, group: int) -> int:
        """The instruction that computes a pack."""
        key = ("vector", group)
        if key in self._known:
            return self._known[key]
        members = self.groups.members[group]
        columns = zip(*(self.trace.instructions[member].operands for member in members), strict=True)
        operands = tuple([self._operand(column) for column in columns])
        return self._node(key, True, Instruction(self.trace.instructions[members[0]].operation, operands))

    def _operand(self, column: tuple[int, ...]) -> int:
        """Operands of a pack as one vector."""
        if len(set(column)) == 1:
            return self._splat(column[0])
        group = self.kept.get(column[0], (-1, 0))[0]
        if [self.kept.get(number) for number in column] == [(group, lane) for lane in range(self.groups.lanes)]:
            return self._vector(group)
        if all(self.trace.fixed[number] for number in column):
            index = self.runs.setdefault(column, len(self.runs))
            return self._node((RUN, index), True, Instruction(RUN, element=index))
        return self._node((JOIN, column), True, Instruction(JOIN, tuple([self._scalar(n) for n in column])))

    def _splat(self, number: int) -> int:
        """A scalar in every lane; a constant is spelt for any width."""
        scalar = self._scalar(number)
        if self.trace.instructions[number].operation == CONSTANT:
            return scalar
        return self._node((SPLAT, scalar), True, Instruction(SPLAT, (scalar,)))
