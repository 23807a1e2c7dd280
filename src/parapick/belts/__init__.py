"""Pick and place on moving belts: nine phases at the earliest intercepts that belts, items and limits allow.

The phases are those of righettini2024 section 2.3: intercept with matched velocity, descent, grasp, ascent, intercept,
descent, release, ascent, stop. `plan` finds them, `pick_and_place` makes them where all times are given, `stream` lets
a robot work on what a seed puts on a belt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.belts.checks import (
        check_belt as check_belt,
        check_limits as check_limits,
        check_work as check_work,
    )
    from parapick.belts.contact import (
        PITCH as PITCH,
    )
    from parapick.belts.errors import (
        BeltError as BeltError,
        MissedItemError as MissedItemError,
        NoInterceptError as NoInterceptError,
    )
    from parapick.belts.ladder import (
        LADDER as LADDER,
    )
    from parapick.belts.meeting import (
        Meeting as Meeting,
    )
    from parapick.belts.phases import (
        PHASES as PHASES,
        pick_and_place as pick_and_place,
    )
    from parapick.belts.picks import (
        ITEMS as ITEMS,
        Picks as Picks,
    )
    from parapick.belts.plan import (
        PickPlan as PickPlan,
        plan as plan,
    )
    from parapick.belts.row import (
        SLOWEST_ROW as SLOWEST_ROW,
        RowPlan as RowPlan,
        RowWork as RowWork,
        picked_from_row as picked_from_row,
    )
    from parapick.belts.stream import (
        Missed as Missed,
        Picked as Picked,
        Stream as Stream,
        stream as stream,
    )
    from parapick.belts.traffic import (
        Slots as Slots,
        Traffic as Traffic,
        arrivals as arrivals,
        check_place as check_place,
        check_traffic as check_traffic,
    )
    from parapick.belts.types import (
        Anywhere as Anywhere,
        Approach as Approach,
        Belt as Belt,
        ConveyorLimits as ConveyorLimits,
        Handling as Handling,
        Item as Item,
        PickPlace as PickPlace,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "checks": "check_belt check_limits check_work",
        "contact": "PITCH",
        "errors": "BeltError MissedItemError NoInterceptError",
        "ladder": "LADDER",
        "meeting": "Meeting",
        "phases": "PHASES pick_and_place",
        "picks": "ITEMS Picks",
        "plan": "PickPlan plan",
        "row": "RowPlan RowWork SLOWEST_ROW picked_from_row",
        "stream": "Missed Picked Stream stream",
        "traffic": "Slots Traffic arrivals check_place check_traffic",
        "types": "Anywhere Approach Belt ConveyorLimits Handling Item PickPlace",
    },
)
