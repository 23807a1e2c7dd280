"""Items that come along in a row, put down at one place after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from parapick.belts.errors import MissedItemError
from parapick.belts.plan import PickPlan, checked_cell, known_contacts, planned
from parapick.belts.traffic import Slots, check_place
from parapick.belts.types import ConveyorLimits, Item, PickPlace

if TYPE_CHECKING:
    from parapick.model import Model


def picked_from_row(
    model: Model,
    row: Slots,
    places: Sequence[Item],
    work: PickPlace,
    limits: ConveyorLimits,
    *,
    start: Sequence[float] | None = None,
) -> Iterator[PickPlan]:
    """Plan a cycle for every place, each when the one before is done, with the first item that can still be met.

    The first item has a whole pitch to go until it can be met, so that the robot is there. What passes while the robot
    is busy is let go.

    Args:
        row: the items, evenly along a belt.
        places: where they are put, none of which moves.
        work: what is done in a cycle.
        limits: what has to hold.
        start: task vector at rest from which the first cycle starts (m, rad); the robot's home if not given.

    Raises:
        BeltError: a belt or a place that the robot cannot reach or serve.
        NoInterceptError: no intercept keeps the limits, whenever; says which.
        LimitError: limits, heights or times that cannot be.
    """
    cell = checked_cell(model, work, limits)
    check_place(row)
    contacts = known_contacts(cell)
    stretches = contacts(row.box(0), placing=False).stretches
    pose, now = tuple(model.robot.home if start is None else start), 0.0
    number = row.first(stretches[0][0], now) + 1
    for place in places:
        cycle = None
        while cycle is None:
            with suppress(MissedItemError):
                cycle = planned(cell, row.box(number), place, pose, now, contacts)
            number += 1
        yield cycle
        pose, now = tuple(cycle.motion.end.tolist()), cycle.end
        number = max(number, row.first(stretches[-1][1], now))
