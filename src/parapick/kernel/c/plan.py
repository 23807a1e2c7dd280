"""Which values of a trace get a name in C, and in which order they are computed.

Named values are computed in the order in which formulas noted them, each after what it needs. A value without a name is
written where it is used, unless it is used more than once or is too long for a line that a person reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Final, NamedTuple, final

from parapick.kernel.c.names import identifier, unique
from parapick.kernel.trace.instructions import CONSTANT, INPUT, PARAMETER, NamedValue, Trace

LONGEST: Final = 14
"""Most operations that are written as one expression: a row of a 4 x 4 system, and about two lines."""

_AXES: Final = ("x", "y", "z")
_GIVEN: Final = (CONSTANT, INPUT, PARAMETER)


@final
@dataclass(frozen=True)
class Local:
    """A value that gets a name.

    Attributes:
        value: number of its instruction.
        name: its name.
        heading: comment over the group it is in.
    """

    value: int
    name: str
    heading: str


def locals_of(trace: Trace, taken: set[str]) -> list[Local]:
    """Every value with a name, in the order in which they are computed.

    Args:
        trace: the computation, with named values.
        taken: names that are in use.
    """
    needed = _needed(trace)
    targets = _targets(trace, needed, taken)
    kept = _kept(trace, needed, targets)
    writer = _Writer(trace, targets, kept, _users(trace, needed, targets), taken)
    # What comes in has a name; where it is an answer too, it is copied at the end.
    copies = [value for value in targets if trace.instructions[value].operation in _GIVEN]
    computed = [value for value in targets if value not in copies]
    for heading, members in groupby(computed, lambda value: targets[value].heading):
        writer.place_group(heading, [*members])
    return [*writer.ordered, *(Local(value, targets[value].name, targets[value].heading) for value in copies)]


class _Target(NamedTuple):
    """A value that has a name: the name, the prefix of its part, and the heading it stands under."""

    name: str
    part: str
    heading: str


class _Writer:
    """Puts values in order: a group of named values as a whole, after what it needs of others."""

    def __init__(
        self, trace: Trace, targets: dict[int, _Target], kept: set[int], users: dict[int, set[str]], taken: set[str]
    ) -> None:
        self.ordered: list[Local] = []
        self._trace = trace
        self._targets = targets
        self._kept = kept
        self._users = users
        self._taken = taken
        self._placed: set[int] = set()
        self._counts: Counter[str] = Counter()

    def place_group(self, heading: str, members: Sequence[int]) -> None:
        """Place the values of a group, and before them what they need of other groups."""
        missing = self._missing(members)
        for value in missing:
            if self._heading(value, heading) != heading:
                self._place(value, heading)
        for value in members:
            self._place(value, heading)

    def _heading(self, value: int, around: str) -> str:
        return self._targets[value].heading if value in self._targets else around

    def _place(self, value: int, around: str) -> None:
        own = self._heading(value, around)
        for each in self._missing([value]):
            self._placed.add(each)
            heading = self._heading(each, own)
            target = self._targets.get(each)
            self.ordered.append(Local(each, target.name if target else self._new_name(each), heading))

    def _new_name(self, value: int) -> str:
        """A name for a value that nobody named: of the part that uses it, unless several do."""
        users = self._users[value]
        part = next(iter(users)) if len(users) == 1 else ""
        self._counts[part] += 1
        return unique(f"{part}t{self._counts[part]}", self._taken)

    def _missing(self, values: Sequence[int]) -> list[int]:
        """What must be computed for some values and is not yet, these last, in order."""
        seen: set[int] = set()
        stack = [*values]
        while stack:
            each = stack.pop()
            if each not in seen and each not in self._placed:
                seen.add(each)
                stack.extend(self._trace.instructions[each].operands)
        return sorted(
            each for each in seen if each in self._kept and self._trace.instructions[each].operation not in _GIVEN
        )


def _users(trace: Trace, needed: set[int], targets: dict[int, _Target]) -> dict[int, set[str]]:
    """Prefixes of the parts that use each value; what belongs to no part does not count."""
    parts: dict[int, set[str]] = {value: set() for value in needed}
    for value in sorted(needed, reverse=True):
        own = {targets[value].part} - {""} if value in targets else parts[value]
        for operand in trace.instructions[value].operands:
            parts[operand] |= own
    return parts


def _needed(trace: Trace) -> set[int]:
    """What outputs and validity are made of."""
    needed: set[int] = set()
    stack = list(trace.roots)
    while stack:
        value = stack.pop()
        if value not in needed:
            needed.add(value)
            stack.extend(trace.instructions[value].operands)
    return needed


def _targets(trace: Trace, needed: set[int], taken: set[str]) -> dict[int, _Target]:
    """Name, prefix of its part and heading of every value that is named, noted values first, outputs last."""
    outputs = [
        NamedValue("", "answer", port.name, port.shape, result)
        for port, result in zip(trace.outputs, trace.results, strict=True)
    ]
    checks = NamedValue("", "validity", "left", (len(trace.validity),), trace.validity)
    targets: dict[int, _Target] = {}
    for named in (*trace.named, *outputs, checks):
        # What depends on nothing that comes in is the same in every use of a leg.
        fixed = all(_is_fixed(trace, value) for value in named.instructions)
        whole = named.part.rpartition(", ")[2] if fixed else named.part
        part = f"{identifier(whole.replace(' ', ''))}_" if whole else ""
        heading = f"{whole}: {named.group}" if whole else named.group
        for noted, suffix in zip(named.instructions, _suffixes(named.shape), strict=True):
            value, sign = _with_sign(trace, noted, needed)
            operation = trace.instructions[value].operation
            # An answer that comes in is copied before any is written, for its place may be that of another answer.
            given = operation in _GIVEN and (named not in outputs or operation == CONSTANT)
            if value in needed and value not in targets and not given:
                name = f"{part}{sign}{identifier(named.name)}{suffix}"
                targets[value] = _Target(unique(name, taken), part, heading)
    return targets


def _is_fixed(trace: Trace, value: int) -> bool:
    return trace.fixed[value] or trace.instructions[value].operation == CONSTANT


def _with_sign(trace: Trace, value: int, needed: set[int]) -> tuple[int, str]:
    """A value, or its negative where only that one is used: CasADi moves signs to where they cost least."""
    operation, operands, *_ = trace.instructions[value]
    if value not in needed and operation == "NEG" and operands[0] in needed:
        return operands[0], "minus_"
    return value, ""


def _suffixes(shape: tuple[int, ...]) -> list[str]:
    """What the entries of a named value end with: axes of a vector, otherwise numbers from 1."""
    if not shape:
        return [""]
    if shape == (3,):
        return [f"_{axis}" for axis in _AXES]
    return ["".join(f"_{index + 1}" for index in place) for place in product(*(range(size) for size in shape))]


def _kept(trace: Trace, needed: set[int], targets: dict[int, _Target]) -> set[int]:
    """The values that are not written where they are used."""
    uses = Counter(trace.roots)
    for value in needed:
        operation, operands, *_ = trace.instructions[value]
        # A square is written as a product, so that its operand stands there twice.
        uses.update(operands * 2 if operation == "SQ" else operands)
    kept, sizes = set(targets), {}
    for value in sorted(needed):
        operation, operands, *_ = trace.instructions[value]
        if operation in _GIVEN:
            sizes[value] = 0
            continue
        sizes[value] = 1 + sum(sizes[operand] for operand in operands if operand not in kept)
        if uses[value] > 1 or sizes[value] > LONGEST:
            kept.add(value)
    return kept
