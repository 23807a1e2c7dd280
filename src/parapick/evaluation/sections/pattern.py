"""The items of a pattern: how long each takes, what it asks of the robot, and which of them asks most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from parapick.answer import Answer, Requirement, Table, at_most, columns
from parapick.evaluation.context import Context
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.run import Run
from parapick.evaluation.sections.belt_rate import KEY
from parapick.motion import Phase
from parapick.motors import CYCLE

if TYPE_CHECKING:
    from parapick.belts import Picks
    from parapick.tasks import PickPlaceTask


class _Item(NamedTuple):
    """An item: its part of the motion, and the requirement that comes nearest to its limit there."""

    phase: Phase
    limiting: Requirement | None


def section(context: Context) -> Answer | None:
    """Picks per minute, whether the items that come along are picked, and what each asks; None where one lies still.

    Heat and other sums are left aside here: they are a matter of the whole cycle.

    Args:
        context: the robot along the motion of its task.
    """
    picks = context.run.picks
    if picks is None or (picks.picked == 1 and picks.brought is None):
        return None
    # By its kind, for the class would bring the whole planner of belts into every evaluation.
    patterned = getattr(context.task, "kind", None) == "pick-and-place"
    names = _places(context) if patterned else set()
    items = [_item(context, phase) for phase in context.motion.phases if phase.name in names]
    worst = max(items, key=_rank, default=None)
    limiting = None if worst is None else worst.limiting
    data = _data(context, picks) | {"worst_place": None if worst is None or limiting is None else worst.phase.name}
    notes = list(_notes(data))
    if worst is not None and limiting is not None:
        notes.append(f"worst place: {worst.phase.name}, {limiting.brief or limiting.text}")
    return Answer(
        key="pattern",
        title=f"Pattern of {len(items)} items" if patterned else f"Items of a belt: {picks.picked + picks.missed}",
        findings=context.run.item_requirements,
        tables=(_table(items),) if items else (),
        summary={"pattern" if patterned else "items": "; ".join(notes)},
        data=data,
    )


def _places(context: Context) -> set[str]:
    """Names of the items of a pattern."""
    return {transfer.name for transfer in cast("PickPlaceTask", context.task).transfers(context.model)}


def _data(context: Context, picks: Picks) -> dict[str, Any]:
    """What programs are given: paces, and what becomes of the items; the largest rate where they are missed."""
    duration = context.motion.duration
    lasting = duration if picks.brought is None else picks.duration
    data: dict[str, Any] = {"picks_per_minute": 60.0 * picks.picked / lasting}
    if getattr(context.task, "kind", None) == "pick-and-place":
        data["patterns_per_minute"] = 60.0 / lasting
    if picks.brought is None:
        return data
    missed = not all(requirement.ok for requirement in context.run.item_requirements)
    data |= {"brought_per_minute": picks.brought, "picked": picks.picked, "missed": picks.missed}
    data |= {"picked_share": picks.share, "allowed_missed_share": picks.allowed}
    data |= {"in_a_row": context.planned.row is not None}
    return data | {"largest_belt_rate": context.largest_rate if missed else None}


def _notes(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"{data['picks_per_minute']:.4g} picks per minute"
    if "patterns_per_minute" in data:
        yield f"{data['patterns_per_minute']:.4g} patterns per minute"
    if "brought_per_minute" in data:
        yield f"the belt brings {data['brought_per_minute']:.4g} per minute"
        if data["largest_belt_rate"]:
            yield f"the robot keeps up with {at_most(data['largest_belt_rate'])} per minute"
        elif data["in_a_row"] and not data["missed"]:
            yield f"how many it keeps up with: --sections {KEY}"


def _item(context: Context, phase: Phase) -> _Item:
    samples = context.samples.between(phase.start, phase.end)
    part = Run(replace(context.ride, samples=samples), context.motion)
    sums = {kind.title for kind in CYCLE}
    return _Item(phase, limiting_of(requirement for requirement in part.requirements if requirement.name not in sums))


def _rank(item: _Item) -> tuple[bool, float]:
    """What is broken is worse than what is not, and then what uses more of its limit."""
    requirement = item.limiting
    return (False, 0.0) if requirement is None else (not requirement.ok, requirement.use or 0.0)


def _table(items: list[_Item]) -> Table:
    rows = tuple(
        (
            item.phase.name,
            item.phase.start,
            item.phase.end - item.phase.start,
            None if item.limiting is None or item.limiting.use is None else item.limiting.use,
            "" if item.limiting is None else item.limiting.brief or item.limiting.text,
        )
        for item in items
    )
    heads = columns(("place", "from", "takes", "use", "nearest limit"), ("", "s", "s", "", ""))
    return Table("items", "items in their order", heads, rows, "use: share of the limit; 1 is all of it")
