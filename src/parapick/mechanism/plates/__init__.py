"""The kinds of plate, one file each; a new kind is one line here."""

from __future__ import annotations

from parapick.mechanism.plates.bars import Bars
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench
from parapick.mechanism.plates.parallelogram import Parallelogram
from parapick.mechanism.plates.plate import Bar, Internal, Part, Plate, PlatePose, SwingingBody, Tool, TurningBody
from parapick.mechanism.plates.point import Point
from parapick.mechanism.plates.rigid import Rigid
from parapick.mechanism.plates.screw import Screw
from parapick.mechanism.plates.slider import Slider
from parapick.mechanism.plates.spindle import Spindle
from parapick.mechanism.plates.telescope import Telescope, TelescopeHalf

__all__ = [
    "AnyPlate",
    "Bar",
    "Bars",
    "Internal",
    "Parallelogram",
    "Part",
    "Plate",
    "PlateCut",
    "PlateJoint",
    "PlatePose",
    "Point",
    "Rigid",
    "Screw",
    "Slider",
    "Spindle",
    "SwingingBody",
    "Telescope",
    "TelescopeHalf",
    "Tool",
    "TurningBody",
    "Wrench",
]

AnyPlate = Rigid | Parallelogram | Bars | Slider | Screw | Point | Spindle
