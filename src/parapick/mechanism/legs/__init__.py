"""The kinds of leg, one file each: how it closes, how it moves, what it weighs and where its bodies are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.mechanism.legs.arm_rod import ArmRod
    from parapick.mechanism.legs.leg import Leg, LegMotion, LegPose, Link, RodLeg, Term
    from parapick.mechanism.legs.linear import Linear
    from parapick.mechanism.legs.rail_rod import RailRod

__all__ = ["ArmRod", "Leg", "LegMotion", "LegPose", "Linear", "Link", "RailRod", "RodLeg", "Term"]

# Each is imported at its first use, where expressions are made.
__getattr__ = fetching(
    __name__,
    {
        "arm_rod": ("ArmRod",),
        "leg": ("Leg", "LegMotion", "LegPose", "Link", "RodLeg", "Term"),
        "linear": ("Linear",),
        "rail_rod": ("RailRod",),
    },
)
