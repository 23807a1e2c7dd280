"""Instructions of a kind side by side: what a trace does several times alike becomes one vector operation.

A robot's legs are computed alike, each with numbers of its own. Instructions are *alike* when the same expression of
alike leaves leads to them; as many as there are legs make a pack, one a lane. Leaves are alike when that many are used
in the same way: the angles of four motors, four torques. A sum over all lanes of packs becomes a sum of vectors and one
sum across lanes. Packs are right whatever is alike by chance: they only say what is computed together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from parapick.kernel.pack_sums import sums_of
from parapick.kernel.trace import CONSTANT, INPUT, PARAMETER, Instruction, Trace

__all__ = ["HOISTED", "JOIN", "LANE", "LANES", "RUN", "SPLAT", "SUM", "Packed", "packed"]

LANES: Final = (4, 3, 6)
"""Instructions of a pack, tried in this order: numbers of legs that robots have."""

_ENOUGH: Final = 0.25
"""Share of the instructions that packs must hold for other numbers of lanes not to be tried."""

HOISTED, SPLAT, LANE, SUM, JOIN, RUN = "HOISTED", "SPLAT", "LANE", "SUM", "JOIN", "RUN"
"""Instructions beside those of a trace: a given value (`element` is its number in the trace that was packed), a number
in every lane, one lane (`element`), the sum across lanes, numbers as lanes, and given values that lie side by side in
memory (`element` counts `Packed.runs`)."""

_VECTOR: Final = frozenset({"ADD", "SUB", "MUL", "DIV", "NEG", "SQ", "TWICE", "INV", "SQRT", "FABS", "FMIN", "FMAX"})
"""Operations that processors have for vectors."""

_SIGHT: Final = 4
"""How many instructions ahead are looked at to tell what a leaf is used for."""

_SLOW: Final = frozenset({"DIV", "INV", "SQRT"})
"""Operations that are worth the moves into a vector and out of it."""


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


class _Groups(NamedTuple):
    """Instructions that are alike.

    Attributes:
        lanes: instructions of a group.
        members: by group, the instruction of each lane.
        place: group and lane of each instruction that has one.
        packs: groups that are computed as vectors.
    """

    lanes: int
    members: list[tuple[int, ...]]
    place: dict[int, tuple[int, int]]
    packs: set[int]


def packed(trace: Trace) -> Packed:
    """Find packs in the instructions that the results of a trace need."""
    needed = _needed(trace)
    depth = _depths(trace.instructions)
    best, roles = _Groups(LANES[0], [], {}, set()), _roles(trace, needed)
    for lanes in LANES:
        groups = _groups(trace, needed, depth, _leaf_kinds(roles, lanes), lanes)
        best = max(best, groups, key=lambda one: one.lanes * len(one.packs))
        if best.lanes * len(best.packs) >= _ENOUGH * len(needed):
            break
    return _Builder(trace, best, needed).built(sorted(needed, key=lambda number: (depth[number], number)))


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


def _depths(instructions: Sequence[Instruction]) -> list[int]:
    """Length of the longest way from a leaf to each instruction."""
    depths: list[int] = []
    for instruction in instructions:
        depths.append(1 + max([depths[operand] for operand in instruction.operands], default=-1))
    return depths


def _groups(trace: Trace, needed: set[int], depth: Sequence[int], leaves: Mapping[int, int], lanes: int) -> _Groups:
    """All groups of a size; what is given (inputs, hoisted values) has groups too, but is not computed here."""
    groups = _Groups(lanes, [], {}, set())
    if not leaves:
        return groups
    colours = _colours(trace, leaves)
    classes: dict[int, list[int]] = defaultdict(list)
    for number in range(len(trace.instructions)):
        if number in needed or trace.fixed[number] or trace.instructions[number].operation == INPUT:
            classes[colours[number]].append(number)
    alike = [members for members in classes.values() if len(members) == lanes]
    for members in sorted(alike, key=lambda some: depth[some[0]]):
        _add_group(trace, groups, members, all(member in needed for member in members))
    _drop_useless(trace, needed, groups)
    return groups


def _colours(trace: Trace, leaves: Mapping[int, int]) -> list[int]:
    """A number for each instruction, the same for those that are alike; `leaves` says which leaves are."""
    known: dict[object, int] = {}
    colours: list[int] = []
    for number, (operation, operands, value, port, element) in enumerate(trace.instructions):
        if operation == CONSTANT:
            # By its digits: a NaN is like itself, and 0 is not like -0.
            key: object = (CONSTANT, repr(value))
        elif operation in (INPUT, PARAMETER):
            key = leaves.get(number, (operation, port, element))
        else:
            key = (operation, *[colours[operand] for operand in operands])
        colours.append(known.setdefault(key, len(known)))
    return colours


def _roles(trace: Trace, needed: set[int]) -> list[dict[int, int]]:
    """What inputs and parameters are used for, as numbers that are the same for the same use, from ever farther away.

    The farther one looks, the more tells leaves apart, in the end the order of a sum.
    """
    users: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (_, operands, *_) in enumerate(trace.instructions):
        if number in needed or trace.fixed[number]:
            for position, operand in enumerate(operands):
                users[operand].append((position, number))
    leaves = [n for n, one in enumerate(trace.instructions) if one.operation in (INPUT, PARAMETER)]
    known: dict[object, int] = {}
    roles = [0] * len(trace.instructions)
    found = []
    for _ in range(_SIGHT):
        uses = [sorted([(position, roles[user]) for position, user in users[n]]) for n in range(len(roles))]
        keys = [(one.operation, one.port, *use) for one, use in zip(trace.instructions, uses, strict=True)]
        roles = [known.setdefault(key, len(known)) for key in keys]
        found.append({number: roles[number] for number in leaves})
    return found


def _leaf_kinds(roles: Iterable[Mapping[int, int]], lanes: int) -> dict[int, int]:
    """The use of leaves of which exactly as many as there are lanes are used alike, seen from nearby if that does."""
    kinds: dict[int, int] = {}
    for view in roles:
        counts = Counter(view.values())
        kinds = {number: role for number, role in view.items() if counts[role] == lanes} | kinds
    return kinds


def _add_group(trace: Trace, groups: _Groups, members: list[int], computed: bool) -> None:
    """Give instructions that are alike their lanes, if their operands have the same lanes or none; make them a pack."""
    instructions = trace.instructions
    arity = len(instructions[members[0]].operands)
    columns = [[instructions[member].operands[position] for member in members] for position in range(arity)]
    varying = [column for column in columns if len(set(column)) > 1]
    leading = next((column for column in varying if all(one in groups.place for one in column)), None)
    if leading is not None:
        order = sorted(range(groups.lanes), key=lambda lane: groups.place[leading[lane]][1])
    elif arity:
        order = list(range(groups.lanes))
    else:
        order = sorted(range(groups.lanes), key=lambda lane: instructions[members[lane]].element)
    lanes = [members[lane] for lane in order]
    aligned = all(_aligned(groups, [column[lane] for lane in order]) for column in varying)
    slow = instructions[lanes[0]].operation in _SLOW
    if not (aligned or (computed and slow)):
        return
    group = len(groups.members)
    groups.members.append(tuple(lanes))
    groups.place.update({member: (group, lane) for lane, member in enumerate(lanes)})
    if computed and instructions[lanes[0]].operation in _VECTOR:
        groups.packs.add(group)


def _aligned(groups: _Groups, column: Sequence[int]) -> bool:
    """Whether operands are one group, lane by lane."""
    places = [groups.place.get(number, (-1, -1)) for number in column]
    return len({group for group, _ in places}) == 1 and [lane for _, lane in places] == list(range(groups.lanes))


def _drop_useless(trace: Trace, needed: set[int], groups: _Groups) -> None:
    """Drop packs whose lanes all go apart again at once: two moves for an operation are no gain."""
    sums = sums_of(trace, needed, _packed_places(groups), groups.lanes)
    users: dict[int, set[int]] = defaultdict(set)
    for number in needed:
        place = groups.place.get(number)
        for operand in trace.instructions[number].operands:
            if operand in groups.place and place is not None and place[0] in groups.packs:
                users[groups.place[operand][0]].add(place[0])
    summed = {one.group for terms in sums.across.values() for one in terms}
    useful: set[int] = set()
    # A group's users have larger numbers than its own.
    for group in sorted(groups.packs, reverse=True):
        slow = trace.instructions[groups.members[group][0]].operation in _SLOW
        if slow or group in summed or users[group] & useful:
            useful.add(group)
    groups.packs.intersection_update(useful)


def _packed_places(groups: _Groups) -> dict[int, tuple[int, int]]:
    """Group and lane of each instruction that is in a pack."""
    return {number: place for number, place in groups.place.items() if place[0] in groups.packs}


class _Builder:
    """The packed trace being written; scalars, vectors and what leads from one to the other are made when needed."""

    def __init__(self, trace: Trace, groups: _Groups, needed: set[int]) -> None:
        self.trace, self.groups, self.kept = trace, groups, _packed_places(groups)
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
