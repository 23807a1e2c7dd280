"""A stream of items on a belt, from a seed: how many per minute a robot picks, and what it misses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.belts.errors import MissedItemError, NoInterceptError
from parapick.belts.limit_use import Cell
from parapick.belts.plan import PickPlan, checked_cell, known_contacts, planned
from parapick.belts.traffic import Slots, Traffic, arrivals, check_place
from parapick.belts.types import Anywhere, ConveyorLimits, Item, PickPlace
from parapick.errors import MotionError
from parapick.motion import Motion, hold

if TYPE_CHECKING:
    from parapick.belts.meeting import Contacts
    from parapick.model import Model


# Boxes that are tried for one item, from the one that leaves first.
_BOXES: Final = 8


@final
@dataclass(frozen=True, eq=False)
class Picked:
    """An item that was picked.

    Attributes:
        item: where it really was.
        plan: the cycle.
        error: distance between tool and item when the grasp begins (m).
    """

    item: Item
    plan: PickPlan
    error: float


@final
@dataclass(frozen=True)
class Missed:
    """An item that was not picked.

    Attributes:
        item: where it really was.
        reason: why, in words.
        late: how much too late the robot would have been (s); 0 where that is not the reason.
        error: by how much a grasp went astray (m); 0 where that is not the reason.
    """

    item: Item
    reason: str
    late: float = 0.0
    error: float = 0.0


@final
@dataclass(frozen=True, eq=False)
class Stream:
    """What a robot made of a stream.

    Attributes:
        picked: items that were picked, in order.
        missed: items that were not.
        duration: from the time 0 until nothing was left to do (s).
        busy: time in motion (s), waits for items included.
        cycles: every cycle that was run, those whose grasp went astray included.
    """

    picked: tuple[Picked, ...]
    missed: tuple[Missed, ...]
    duration: float
    busy: float
    cycles: tuple[PickPlan, ...] = ()

    @property
    def picks_per_minute(self) -> float:
        """Items picked per minute."""
        return 60.0 * len(self.picked) / self.duration if self.duration else 0.0

    @property
    def missed_share(self) -> float:
        """Share of the items that were missed."""
        count = len(self.picked) + len(self.missed)
        return len(self.missed) / count if count else 0.0

    def motion(self) -> Motion:
        """All cycles one after the other, with the rests between them; its time is that of the stream.

        Raises:
            MotionError: no cycle was run.
        """
        if not self.cycles:
            raise MotionError("nothing could be picked, so there is no motion" + "".join(self._why()))
        parts: list[Motion] = []
        now = 0.0
        for cycle in self.cycles:
            if cycle.start > now:
                parts.append(hold(cycle.motion.start, cycle.start - now, "rest"))
            parts.append(cycle.motion)
            now = cycle.end
        return reduce(Motion.then, parts)

    def _why(self) -> list[str]:
        return [f"; the first of {len(self.missed)} items: {self.missed[0].reason}"] if self.missed else []


def stream(
    model: Model,
    traffic: Traffic,
    place: Item | Anywhere | Slots,
    work: PickPlace,
    limits: ConveyorLimits,
    rng: np.random.Generator | int,
    *,
    tolerance: float = math.inf,
    start: Sequence[float] | None = None,
) -> Stream:
    """Let a robot work on a stream: items in the order in which they come, each if it can still be met.

    The robot knows an item from when it is seen. It plans a cycle when it is at rest, and rests where it stopped.

    Args:
        traffic: what comes.
        place: where items are put: boxes in a row, anywhere on a belt, or one place that does not move.
        work: what is done in a cycle.
        limits: what has to hold.
        rng: where chance comes from: a generator, or a seed for one.
        tolerance: how far the tool may be off an item and still grasp it (m).
        start: task vector from which it starts (m, rad); the robot's home if not given.

    Raises:
        BeltError: a belt that the robot cannot serve at all.
        LimitError: limits, heights, times or traffic that cannot be.
        MotionError: one box on a moving belt, which would be gone after the first item.
    """
    cell = checked_cell(model, work, limits)
    check_place(place)
    pose = tuple(model.robot.home if start is None else start)
    runs = list(_runs(cell, arrivals(traffic, np.random.default_rng(rng)), place, tolerance, pose))
    picked = tuple(run for _, run in runs if isinstance(run, Picked))
    missed = tuple(run for _, run in runs if isinstance(run, Missed))
    cycles = tuple(cycle for cycle, _ in runs if cycle is not None)
    duration = max([traffic.duration, *(cycle.end for cycle in cycles)])
    return Stream(picked, missed, duration, sum(cycle.motion.duration for cycle in cycles), cycles)


def _runs(
    cell: Cell,
    items: Iterable[tuple[Item, Item]],
    place: Item | Anywhere | Slots,
    tolerance: float,
    pose: tuple[float, ...],
) -> Iterator[tuple[PickPlan | None, Picked | Missed]]:
    """What becomes of every item, given as it is and as it is reported, with the cycle that was run for it, if any."""
    contacts, now, filled = known_contacts(cell), 0.0, set[int]()
    for item, reading in items:
        begin = max(now, item.time)
        boxes = _boxes(place, filled, begin, contacts) if isinstance(place, Slots) else {}
        where = tuple(boxes) if isinstance(place, Slots) else place
        try:
            cycle = planned(cell, reading, where, pose, begin, contacts)
        except (MissedItemError, NoInterceptError) as error:
            yield None, Missed(item, str(error), late=getattr(error, "late", 0.0))
            continue
        now, pose = cycle.end, tuple(cycle.motion.end.tolist())
        run = _grasped(item, cycle, tolerance)
        yield cycle, run
        if isinstance(run, Picked):
            filled.update(number for box, number in boxes.items() if box == cycle.place.item)


def _boxes(slots: Slots, filled: set[int], now: float, contacts: Contacts) -> dict[Item, int]:
    """The free boxes that come next, with their numbers."""
    end = contacts(slots.box(0), placing=True).stretches[-1][1]
    first = slots.first(end, now)
    numbers = [number for number in range(first, first + _BOXES + len(filled)) if number not in filled]
    return {slots.box(number): number for number in numbers[:_BOXES]}


def _grasped(item: Item, cycle: PickPlan, tolerance: float) -> Picked | Missed:
    """What becomes of an item by the distance between it and the tool when the grasp begins, allowed up to one (m)."""
    touch = cycle.pick.touch
    error = float(np.linalg.norm(cycle.motion.at(touch - cycle.start).x[:3] - item.at(touch)))
    if error <= tolerance:
        return Picked(item, cycle, error)
    return Missed(item, f"{item.belt.name}: the grasp at {touch:.4g} s was {error:.4g} m off the item", error=error)
