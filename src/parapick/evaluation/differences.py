"""What differs between robots that are compared, and names that tell variants of one robot apart."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from parapick.answer import Cell, Column, Table, amount
from parapick.fields import quantity_of
from parapick.names import WORDS
from parapick.parameters import leaves, resolved

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model

NAMED: Final = 2
"""Numbers that the name of a variant states; of more of them it says how many there are."""

MODE: Final = "working mode"
_BRANCHES: Final = "branches"


class Fact(NamedTuple):
    """A number of a description (SI) with its unit, or what is chosen in it."""

    value: Cell
    unit: str


def facts_of(model: Model) -> dict[str, Fact]:
    """Everything that a robot's description states, by path, in its order; elbows as the signs of a working mode."""
    return _all_facts(model.numbers)


def labels_of(models: Sequence[Model]) -> tuple[str, ...]:
    """A name for each robot: its own, and of robots that share it how each differs from what its file states.

    A robot whose numbers were not changed keeps its name; where there is no telling, the first of the name does.
    """
    labels = []
    for model in models:
        alike = [other for other in models if other.robot.name == model.robot.name]
        labels.append(model.robot.name if len(alike) == 1 else _label(model, alike))
    return _numbered(labels)


def differences_of(models: Sequence[Model], labels: Sequence[str]) -> Table:
    """What differs between descriptions: each number, or what is chosen, in every robot; empty where they have none.

    It is printed where the robots are built alike, so that numbers are what tells them apart.

    Args:
        labels: a name for each.
    """
    known = [facts_of(model) for model in models]
    rows = []
    for path in _different(known):
        facts = [facts.get(path) for facts in known]
        unit = next(fact.unit for fact in facts if fact is not None)
        rows.append((path, *(None if fact is None else fact.value for fact in facts), unit))
    columns = (Column("number"), *(Column(label, by_row=True) for label in labels), Column("unit"))
    alike = len({_kinds(facts) for facts in known}) == 1
    return Table("differences", "what differs", columns, tuple(rows), printed=None if alike and rows else 0)


def same_notes(models: Sequence[Model], labels: Sequence[str]) -> Iterator[str]:
    """Which robots state the same in everything, so that nothing but their names could tell them apart.

    Args:
        labels: a name for each.
    """
    known = [facts_of(model) for model in models]
    for i, (label, facts) in enumerate(zip(labels, known, strict=True)):
        first = known.index(facts)
        if first < i:
            yield f"{label} is the same as {labels[first]} in every number"


def _all_facts(robot: Robot) -> dict[str, Fact]:
    signs = "".join("+" if branch > 0 else "-" for branch in robot.branches)
    return {**dict(_facts(robot)), MODE: Fact(signs, "")}


def _label(model: Model, alike: Sequence[Model]) -> str:
    """The name of one of several robots of a name, with the numbers that it has otherwise."""
    facts = facts_of(model)
    reference = facts_of(alike[0]) if model.original is None else _all_facts(resolved(model.original))
    different = _different([facts_of(other) for other in alike])
    own = [path for path in different if path in facts and facts[path] != reference.get(path)]
    words = [f"{path} {_shown(facts[path])}" for path in own]
    if len(words) > NAMED:
        words = [*words[:NAMED], f"and {len(words) - NAMED} more"]
    return f"{model.robot.name} ({', '.join(words)})" if words else model.robot.name


def _numbered(labels: Sequence[str]) -> tuple[str, ...]:
    """Names, those that come again with a number."""
    seen: Counter[str] = Counter()
    names = []
    for label in labels:
        seen[label] += 1
        names.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return tuple(names)


def _different(known: Sequence[Mapping[str, Fact]]) -> list[str]:
    """Paths at which descriptions differ, in the order of the first one that has them."""
    paths = dict.fromkeys(path for facts in known for path in facts)
    return [path for path in paths if len({facts.get(path) for facts in known}) > 1]


def _kinds(facts: Mapping[str, Fact]) -> frozenset[str]:
    """Which numbers a description has, whatever they are, beside those that any may leave out."""
    return frozenset(path for path in facts if path.partition(".")[0] in ("base", "limb", "plate"))


def _facts(node: Any, prefix: str = "") -> Iterator[tuple[str, Fact]]:
    """Numbers and choices of a description, with their paths."""
    for field in dataclasses.fields(node):
        path, value, stated = f"{prefix}{field.name}", getattr(node, field.name), quantity_of(field)
        if path == _BRANCHES or field.metadata.get(WORDS):
            continue
        if stated is not None:
            yield from ((leaf, Fact(number, _unit(stated, leaf))) for leaf, number in leaves(value, path))
        elif dataclasses.is_dataclass(value):
            yield from _facts(value, f"{path}.")
        elif isinstance(value, (str, int)):
            yield path, Fact(value, "")


def _unit(stated: Any, leaf: str) -> str:
    """Unit of an entry of a list, or of the number."""
    last = leaf.rpartition(".")[2]
    return stated.entry(int(last) - 1).unit if last.isdigit() and stated.units else stated.unit


def _shown(fact: Fact) -> str:
    return amount(fact.value, fact.unit) if isinstance(fact.value, float) else str(fact.value)
