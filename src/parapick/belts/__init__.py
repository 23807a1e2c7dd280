"""Pick and place on moving belts: nine phases at the earliest intercepts that belts, items and limits allow.

The phases are those of righettini2024 section 2.3: intercept with matched velocity, descent, grasp, ascent, intercept,
descent, release, ascent, stop. `plan` finds them, `pick_and_place` makes them where all times are given, `stream` lets
a robot work on what a seed puts on a belt.
"""

from __future__ import annotations

from parapick.belts.errors import BeltError, MissedItemError, NoInterceptError
from parapick.belts.meeting import Meeting
from parapick.belts.phases import PHASES, pick_and_place
from parapick.belts.plan import PickPlan, plan
from parapick.belts.row import picked_from_row
from parapick.belts.stream import Missed, Picked, Stream, stream
from parapick.belts.traffic import Slots, Traffic, arrivals
from parapick.belts.types import Anywhere, Approach, Belt, ConveyorLimits, Handling, Item, PickPlace

__all__ = [
    "PHASES",
    "Anywhere",
    "Approach",
    "Belt",
    "BeltError",
    "ConveyorLimits",
    "Handling",
    "Item",
    "Meeting",
    "Missed",
    "MissedItemError",
    "NoInterceptError",
    "PickPlace",
    "PickPlan",
    "Picked",
    "Slots",
    "Stream",
    "Traffic",
    "arrivals",
    "pick_and_place",
    "picked_from_row",
    "plan",
    "stream",
]
