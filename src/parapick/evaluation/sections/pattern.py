"""The items of a pattern: how long each takes, what it asks of the robot, and which of them asks most."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from parapick.answer import Answer, Requirement, Table, columns, percent
from parapick.evaluation.context import Context
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.load_requirements import RMS
from parapick.evaluation.run import Run
from parapick.motion import Phase

if TYPE_CHECKING:
    from parapick.tasks import PickPlaceTask


class _Item(NamedTuple):
    """An item: its part of the motion, and the requirement that comes nearest to its limit there."""

    phase: Phase
    limiting: Requirement | None


def section(context: Context) -> Answer | None:
    """Items per minute and patterns per minute, and what every item asks; None where one item does not move.

    Heat is left aside here: it is a matter of the whole cycle.

    Args:
        context: the robot along the motion of its task.
    """
    # By its kind, for the class would bring the whole planner of belts into every evaluation.
    if getattr(context.task, "kind", None) != "pick-and-place":
        return None
    task = cast("PickPlaceTask", context.task)
    if task.count == 1 and task.pick.belt is None:
        return None
    names = {transfer.name for transfer in task.transfers(context.model)}
    items = [_item(context, phase) for phase in context.motion.phases if phase.name in names]
    duration = context.motion.duration
    data = {
        "picks_per_minute": 60.0 * len(items) / duration,
        "patterns_per_minute": 60.0 / duration,
        "worst_place": None,
    }
    worst = max(items, key=_rank)
    words = f"{data['picks_per_minute']:.4g} picks per minute, {data['patterns_per_minute']:.4g} patterns per minute"
    notes = [words]
    if task.pick.belt is not None:
        data["brought_per_minute"] = task.pick.belt.pace
        notes.append(f"the belt brings {task.pick.belt.pace:.4g} per minute")
    if worst.limiting is not None:
        data["worst_place"] = worst.phase.name
        notes.append(f"worst place: {worst.phase.name}, {worst.limiting.brief or worst.limiting.text}")
    return Answer(
        key="pattern",
        title=f"Pattern of {len(items)} items",
        tables=(_table(items),),
        summary={"pattern": "; ".join(notes)},
        data=data,
    )


def _item(context: Context, phase: Phase) -> _Item:
    samples = context.samples.between(phase.start, phase.end)
    part = Run(replace(context.ride, samples=samples), context.motion)
    return _Item(phase, limiting_of(requirement for requirement in part.requirements if requirement.name != RMS))


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
    return Table("items", "items in their order", heads, rows, f"use: share of the limit, {percent(1.0)} is all of it")
