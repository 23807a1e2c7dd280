"""Instructions that are alike, in groups of as many as a robot has legs; see `pack`.

Inputs and parameters are alike by their use, everything else by its operation and its operands. Lanes are given by the
operands, so that a leg has the same lane wherever it occurs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from parapick.kernel.trace.instructions import CONSTANT, INPUT, PARAMETER, Instruction, Trace
from parapick.kernel.trace.lane_sums import sums_of

LANES: Final = (4, 3, 6)
"""Instructions of a pack, tried in this order: numbers of legs that robots have."""

_ENOUGH: Final = 0.25
"""Share of the instructions that packs must hold for other numbers of lanes not to be tried."""

_VECTOR: Final = frozenset({"ADD", "SUB", "MUL", "DIV", "NEG", "SQ", "TWICE", "INV", "SQRT", "FABS", "FMIN", "FMAX"})
"""Operations that processors have for vectors."""

_SIGHT: Final = 4
"""How many instructions ahead are looked at to tell what a leaf is used for."""

_SLOW: Final = frozenset({"DIV", "INV", "SQRT"})
"""Operations that are worth the moves into a vector and out of it."""


class Groups(NamedTuple):
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


def groups_of(trace: Trace, needed: set[int], depth: Sequence[int]) -> Groups:
    """The groups of the number of lanes that packs most.

    Args:
        trace: the computation.
        needed: instructions that are computed.
        depth: what `depths` gives.
    """
    best, roles = Groups(LANES[0], [], {}, set()), _roles(trace, needed)
    for lanes in LANES:
        groups = _groups(trace, needed, depth, _leaf_kinds(trace, roles, lanes), lanes)
        best = max(best, groups, key=lambda one: one.lanes * len(one.packs))
        if best.lanes * len(best.packs) >= _ENOUGH * len(needed):
            break
    return best


def depths(instructions: Sequence[Instruction]) -> list[int]:
    """Length of the longest way from a leaf to each instruction."""
    depths: list[int] = []
    for instruction in instructions:
        depths.append(1 + max([depths[operand] for operand in instruction.operands], default=-1))
    return depths


def _groups(
    trace: Trace, needed: set[int], depth: Sequence[int], leaves: Mapping[int, tuple[int, int]], lanes: int
) -> Groups:
    """All groups of a size; what is given (inputs, hoisted values) has groups too, but is not computed here."""
    groups = Groups(lanes, [], {}, set())
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


def _colours(trace: Trace, leaves: Mapping[int, tuple[int, int]]) -> list[int]:
    """A number for each instruction, the same for those that are alike; `leaves` says which leaves are."""
    known: dict[object, int] = {}
    colours: list[int] = []
    for number, (operation, operands, value, port, element) in enumerate(trace.instructions):
        if operation == CONSTANT:
            # By its digits: a NaN is like itself, and 0 is not like -0.
            key: object = (CONSTANT, repr(value))
        elif operation in (INPUT, PARAMETER):
            key = ("alike", leaves[number]) if number in leaves else (operation, port, element)
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


def _leaf_kinds(trace: Trace, roles: Iterable[Mapping[int, int]], lanes: int) -> dict[int, tuple[int, int]]:
    """Use and first entry of leaves of which exactly as many as there are lanes follow each other and are used alike.

    Numbers of legs follow each other, where others that are used alike by chance hardly do. Seen from nearby if that
    does.
    """
    kinds: dict[int, tuple[int, int]] = {}
    for view in roles:
        runs: dict[tuple[int, int], list[int]] = defaultdict(list)
        before = (-1, -1, -1, -1)
        for number in sorted(view, key=lambda leaf: (view[leaf], *trace.instructions[leaf][3:])):
            *_, port, element = trace.instructions[number]
            follows = before[:3] == (view[number], port, element - 1)
            first = before[3] if follows else number
            runs[view[number], first].append(number)
            before = (view[number], port, element, first)
        kinds = {leaf: key for key, run in runs.items() if len(run) == lanes for leaf in run} | kinds
    return kinds


def _add_group(trace: Trace, groups: Groups, members: list[int], computed: bool) -> None:
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


def _aligned(groups: Groups, column: Sequence[int]) -> bool:
    """Whether operands are one group, lane by lane."""
    places = [groups.place.get(number, (-1, -1)) for number in column]
    return len({group for group, _ in places}) == 1 and [lane for _, lane in places] == list(range(groups.lanes))


def _drop_useless(trace: Trace, needed: set[int], groups: Groups) -> None:
    """Drop packs whose lanes all go apart again at once: two moves for an operation are no gain."""
    sums = sums_of(trace, needed, packed_places(groups), groups.lanes)
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


def packed_places(groups: Groups) -> dict[int, tuple[int, int]]:
    """Group and lane of each instruction that is in a pack."""
    return {number: place for number, place in groups.place.items() if place[0] in groups.packs}
