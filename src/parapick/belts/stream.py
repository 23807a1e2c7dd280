"""A stream of items on a belt, from a seed: how many a minute a robot picks, and what it misses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.belts.errors import MissedItemError, NoInterceptError
from parapick.belts.plan import PickPlan, checked_cell, known_contacts, planned
from parapick.belts.traffic import Slots, Traffic, arrivals, check_place
from parapick.belts.types import Anywhere, ConveyorLimits, Item, PickPlace
from parapick.motion.errors import MotionError
from parapick.motion.motion import Motion, hold

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
        """Items picked a minute."""
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
        model: the robot.
        traffic: what comes.
        place: where items are put: boxes in a row, anywhere on a belt, or one place that stands still.
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
    contacts = known_contacts(cell)
    pose = tuple(model.robot.home if start is None else start)
    picked: list[Picked] = []
    missed: list[Missed] = []
    cycles: list[PickPlan] = []
    filled: set[int] = set()
    now = busy = 0.0
    for item, reading in arrivals(traffic, np.random.default_rng(rng)):
        begin = max(now, item.time)
        boxes = _boxes(place, filled, begin, contacts) if isinstance(place, Slots) else {}
        where = tuple(boxes) if isinstance(place, Slots) else place
        try:
            cycle = planned(cell, reading, where, pose, begin, contacts)
        except (MissedItemError, NoInterceptError) as error:
            missed.append(Missed(item, str(error), late=getattr(error, "late", 0.0)))
            continue
        cycles.append(cycle)
        now, pose, busy = cycle.end, tuple(cycle.motion.end.tolist()), busy + cycle.motion.duration
        error = _grasp_error(item, cycle)
        if error > tolerance:
            reason = f"{item.belt.name}: the grasp at {cycle.pick.touch:.4g} s was {error:.4g} m off the item"
            missed.append(Missed(item, reason, error=error))
            continue
        picked.append(Picked(item, cycle, error))
        filled.update(number for box, number in boxes.items() if box == cycle.place.item)
    return Stream(tuple(picked), tuple(missed), max(now, traffic.duration), busy, tuple(cycles))


def _boxes(slots: Slots, filled: set[int], now: float, contacts: Contacts) -> dict[Item, int]:
    """The free boxes that come next, with their numbers."""
    end = contacts(slots.box(0), placing=True).stretches[-1][1]
    first = slots.first(end, now)
    numbers = [number for number in range(first, first + _BOXES + len(filled)) if number not in filled]
    return {slots.box(number): number for number in numbers[:_BOXES]}


def _grasp_error(item: Item, cycle: PickPlan) -> float:
    tool = cycle.motion.at(cycle.pick.touch - cycle.start).x[:3]
    return float(np.linalg.norm(tool - item.at(cycle.pick.touch)))
