"""What a robot is: frozen dataclasses whose floats are the parameters of every kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching
from parapick.mechanism.base import Base, Placed, Radial, Rails
from parapick.mechanism.changes import replaced
from parapick.mechanism.drive import Drive, Friction, LinearFriction, LinearMotor
from parapick.mechanism.gripper import Gripper
from parapick.mechanism.limb import CarriageLimb, Limb
from parapick.mechanism.parameters import Follow, leaves, resolved, structure, symbolic, values
from parapick.mechanism.plates import (
    Bars,
    Parallelogram,
    Plate,
    PlatePose,
    Point,
    Rigid,
    Screw,
    Slider,
    Spindle,
    Telescope,
)
from parapick.mechanism.region import Box, Cylinder, Limits, Workspace
from parapick.mechanism.robot import Robot, WorkingMode

if TYPE_CHECKING:
    from parapick.mechanism.legs import ArmRod, Leg, Linear, RailRod, RodLeg

__all__ = [
    "ArmRod",
    "Bars",
    "Base",
    "Box",
    "CarriageLimb",
    "Cylinder",
    "Drive",
    "Follow",
    "Friction",
    "Gripper",
    "Leg",
    "Limb",
    "Limits",
    "Linear",
    "LinearFriction",
    "LinearMotor",
    "Parallelogram",
    "Placed",
    "Plate",
    "PlatePose",
    "Point",
    "Radial",
    "RailRod",
    "Rails",
    "Rigid",
    "Robot",
    "RodLeg",
    "Screw",
    "Slider",
    "Spindle",
    "Telescope",
    "WorkingMode",
    "Workspace",
    "leaves",
    "replaced",
    "resolved",
    "structure",
    "symbolic",
    "values",
]

# Legs are needed where expressions are made.
__getattr__ = fetching(
    __name__,
    {
        "legs": ("ArmRod", "Leg", "Linear", "RailRod", "RodLeg"),
    },
)
