"""Groups of instructions that are alike, one per lane of a vector, as many as a robot has legs; see `packs`.

Inputs and parameters are alike by their use, everything else by its operation and its operands. Lanes are given by the
operands, so that a leg has the same lane wherever it occurs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from parapick.kernel.trace.instructions import CONSTANT, INPUT, PARAMETER, Instruction, Trace

LANES: Final = (4, 3, 6)
"""Instructions of a pack, tried in this order: numbers of legs that robots have."""

_ENOUGH: Final = 0.25
"""Share of the instructions that packs must hold for other numbers of lanes not to be tried."""

_VECTOR: Final = frozenset({"ADD", "SUB", "MUL", "DIV", "NEG", "SQ", "TWICE", "INV", "SQRT", "FABS", "FMIN", "FMAX"})
"""Operations that processors have for vectors."""

_SLOW: Final = frozenset({"DIV", "INV", "SQRT"})
"""Operations that are worth the moves into a vector and out of it."""

Place = tuple[int, int]
"""Group and lane of an instruction."""


class Groups(NamedTuple):
    """Instructions that are alike.

    Attributes:
        lanes: instructions of a group.
        members: by group, the instruction of each lane.
        place: group and lane of each instruction that has one; what is given has groups too.
        packed: the same of instructions that are computed as vectors.
    """

    lanes: int
    members: list[tuple[int, ...]]
    place: dict[int, Place]
    packed: dict[int, Place]


def groups_of(trace: Trace, needed: set[int], depth: Sequence[int]) -> Groups:
    """The groups of the number of lanes that packs most."""
    best = Groups(LANES[0], [], {}, {})
    for lanes in LANES:
        best = max(best, _groups(trace, needed, depth, lanes), key=lambda groups: len(groups.packed))
        if len(best.packed) >= _ENOUGH * len(needed):
            break
    return best


def depths(instructions: Sequence[Instruction]) -> list[int]:
    """Length of the longest path from a leaf to each instruction."""
    depths: list[int] = []
    for instruction in instructions:
        depths.append(1 + max([depths[operand] for operand in instruction.operands], default=-1))
    return depths


def _groups(trace: Trace, needed: set[int], depth: Sequence[int], lanes: int) -> Groups:
    """All groups of a size."""
    groups = Groups(lanes, [], {}, {})
    leaves = _leaves(trace, needed, lanes)
    if not leaves:
        return groups
    colours = _colours(trace, leaves)
    classes: dict[int, list[int]] = defaultdict(list)
    for number in range(len(trace.instructions)):
        if number in needed or trace.fixed[number] or trace.instructions[number].operation == INPUT:
            classes[colours[number]].append(number)
    alike = [members for members in classes.values() if len(members) == lanes]
    for members in sorted(alike, key=lambda group: depth[group[0]]):
        _add_group(trace, groups, members, needed.issuperset(members))
    return groups


def _leaves(trace: Trace, needed: set[int], lanes: int) -> dict[int, int]:
    """Inputs and parameters that are alike, each with the first of its kind.

    Those are alike that follow each other, are used in the same way, and are exactly as many as there are lanes:
    numbers of legs follow each other, where others that are used alike by chance hardly do.
    """
    uses: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for number, (operation, operands, *_) in enumerate(trace.instructions):
        if number in needed or trace.fixed[number]:
            for position, operand in enumerate(operands):
                uses[operand].append((position, operation))
    leaves = [
        (operation, port, sorted(uses[number]), element, number)
        for number, (operation, _, _, port, element) in enumerate(trace.instructions)
        if operation in (INPUT, PARAMETER)
    ]
    # Sorted, those that follow each other differ from their rank by the same number.
    ranked = enumerate(sorted(leaves))
    runs = [
        [leaf for _, leaf in run] for _, run in groupby(ranked, lambda entry: (entry[1][:3], entry[1][3] - entry[0]))
    ]
    return {leaf[-1]: run[0][-1] for run in runs if len(run) == lanes for leaf in run}


def _colours(trace: Trace, leaves: Mapping[int, int]) -> list[int]:
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


def _add_group(trace: Trace, groups: Groups, members: list[int], computed: bool) -> None:
    """Give instructions that are alike their lanes, if their operands have the same lanes or none; make them a pack."""
    instructions = [trace.instructions[member] for member in members]
    operation, lanes = instructions[0].operation, range(groups.lanes)
    columns = [column for column in zip(*(each.operands for each in instructions), strict=True) if len(set(column)) > 1]
    leading = next((column for column in columns if all(operand in groups.place for operand in column)), None)
    order = [*lanes]
    if leading is not None:
        order.sort(key=lambda lane: groups.place[leading[lane]][1])
    elif not instructions[0].operands:
        order.sort(key=lambda lane: instructions[lane].element)
    aligned = all(_aligned(groups, [column[lane] for lane in order]) for column in columns)
    if not (aligned or (computed and operation in _SLOW)):
        return
    group = len(groups.members)
    groups.members.append(tuple([members[lane] for lane in order]))
    places = {member: (group, lane) for lane, member in enumerate(groups.members[-1])}
    groups.place.update(places)
    if computed and operation in _VECTOR:
        groups.packed.update(places)


def _aligned(groups: Groups, column: Sequence[int]) -> bool:
    """Whether operands are one group, lane by lane."""
    places = [groups.place.get(number, (-1, -1)) for number in column]
    return len({group for group, _ in places}) == 1 and [lane for _, lane in places] == list(range(groups.lanes))
