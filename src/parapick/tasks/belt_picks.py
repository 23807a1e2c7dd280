"""Picks from a belt: the items that it brings, put down at the places of a pattern, as `parapick.belts` plans them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import reduce
from typing import TYPE_CHECKING, Final

from parapick.belts import PITCH, Belt, ConveyorLimits, Handling, Item, PickPlace, RowPlan, RowWork
from parapick.errors import FileProblem
from parapick.motion import Motion
from parapick.tasks.base_task import CycleTask, moved
from parapick.tasks.belt_tables import ItemRow
from parapick.tasks.stations import Station, StationTable

if TYPE_CHECKING:
    from parapick.model import Model

_PACE: Final = "the belt sets the pace; leave it out"
_STANDING: Final = "is for picks that do not move; leave it out where a belt brings the items"
_UNUSED: Final = {
    "cycles_per_minute": _PACE,
    "picks_per_minute": _PACE,
    "j_max": _STANDING,
    "law": _STANDING,
    "overlap": _STANDING,
    "corner_radius": _STANDING,
    "back": _STANDING,
    "payload_back": _STANDING,
}
"""Fields of a pattern that its picks from a belt have no use for, and what to do instead."""


def belt_work(task: CycleTask, belt: ItemRow, pick: StationTable, place: StationTable, model: Model) -> RowWork:
    """The items that a belt brings, put at one place after the other.

    Args:
        task: limits, load and timing.
        belt: the belt with its items.
        pick: what is done there.
        place: where items are put, and what is done there.

    Raises:
        BeltError: a belt or a place that the robot cannot reach or serve.
        LimitError: limits, heights or times that cannot be.
    """
    (nominal,), stations = pick.stations(model, task.frame, "pick"), place.stations(model, task.frame, "place")
    row = belt.items(moved(model, task.frame, (0.0, 0.0, 0.0)), *nominal.pose[3:] or (0.0,))
    grip, release = (Handling(table.retreat, table.time) for table in (pick, place))
    work = PickPlace(grip, release, payload=task.payload, timing=task.timing)
    limits = {"v_max": task.v_max, "a_max": task.a_max}
    stated = ConveyorLimits(**{name: limit for name, limit in limits.items() if limit is not None})
    return RowWork.of(model, row, [_standing(station) for station in stations], work, stated)


def belt_motion(plan: RowPlan, names: Iterable[str]) -> Motion:
    """A pattern that is filled from a belt, from rest above the last place to there again, one phase per item.

    Args:
        plan: the pattern.
        names: of its places.
    """
    named = (pick.plan.motion.named(name) for pick, name in zip(plan.picks, names, strict=True))
    return reduce(Motion.then, named)


def _standing(place: Station) -> Item:
    """A place that stands still, as a box on a table that is no longer than it must be."""
    x, y, z, *yaw = place.pose
    return Item(Belt((x, y, z), (1.0, 0.0, 0.0), 0.0, (-PITCH, PITCH), place.name), 0.0, 0.0, *yaw)


def belt_problems(task: CycleTask, pick: StationTable, place: StationTable) -> Iterator[FileProblem]:
    """What stands against a pattern whose items come on a belt.

    Args:
        pick: what is done at the belt.
        place: what is done where items are put.
    """
    defaults = {field.name: field.default for field in fields(task)}
    for name, reason in _UNUSED.items():
        if getattr(task, name) != defaults[name]:
            yield FileProblem(name, reason)
    for name, table in (("pick", pick), ("place", place)):
        if table.time == 0.0:
            yield FileProblem(f"{name}.time", "is 0 s; the tool goes along with the belt while it grips: give a time")
    if task.a_max is None and task.timing == "law":
        yield FileProblem("a_max", 'is not given; give it, or timing = "fastest", otherwise no intercept is too fast')
