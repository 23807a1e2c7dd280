"""The kinds of leg, one file each: how it closes, how it moves, what it weighs and where its bodies are."""

from __future__ import annotations

from parapick.mechanism.legs.arm_rod import ArmRod
from parapick.mechanism.legs.leg import Leg, LegMotion, LegPose, Link, RodLeg, Term
from parapick.mechanism.legs.linear import Linear
from parapick.mechanism.legs.rail_rod import RailRod

__all__ = ["ArmRod", "Leg", "LegMotion", "LegPose", "Linear", "Link", "RailRod", "RodLeg", "Term"]
