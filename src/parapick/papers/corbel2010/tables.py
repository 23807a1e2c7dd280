"""corbel2010, Tables III to V as programs: three robots with the same total torque, over one cylinder.

The document states masses, radius and height of the cylinder, not its altitude, and the printed numbers do not follow
from what it states (papers/corbel2010, errata E5 and E6). So each table has three settings: as stated at
the altitude that fits best, with the plate's mass alone, and with the mass and height that come nearest to the print.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple, cast, final

import numpy as np

from parapick.capability import Acceleration, acceleration, lattice
from parapick.mechanism import Cylinder, Limb
from parapick.model import Model
from parapick.papers.setup import Setup

ROBOTS: Final = MappingProxyType({"NR": "delta-nr", "R4": "delta-r4", "R6": "delta-r6"})
"""The robots of Table II and their files."""

PAIRS: Final = (("NR", "R4"), ("NR", "R6"), ("R4", "R6"))

RADIUS: Final = 0.3
"""Radius of the cylinder (m), section IV.B."""

HEIGHT: Final = 0.1
"""Height of the cylinder (m), section IV.B."""

GRID: Final = (7, 48)
"""Points of the grid along the radius and around it."""


class Range(NamedTuple):
    """Smallest and largest value over the cylinder."""

    low: float
    high: float


@final
@dataclass(frozen=True)
class Setting:
    """What a column of numbers was computed with.

    Attributes:
        mass: what moves with the plate (kg); None for the document's own (26).
        z_min: lower end of the cylinder (m).
        z_max: upper end (m).
        levels: points of the grid along z.
    """

    mass: float | None
    z_min: float
    z_max: float
    levels: int


SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        "as stated": Setting(None, -0.98, -0.88, 6),
        "plate only": Setting(0.6, -0.937, -0.837, 6),
        "nearest": Setting(0.45, -0.906, -0.606, 7),
    }
)
"""As stated: 1.2 kg by (26), at the best altitude. Plate only: without the halves of the forearms. Nearest: the plate
and load of section V in a cylinder 300 mm high (papers/corbel2010, errata E5 and E6)."""


@final
@dataclass(frozen=True)
class Tables:
    """Tables III to V.

    Attributes:
        min_max: Table III: gain of the second robot over the first in acceleration in any direction (%), by "NR/R4" and
            so on.
        max: Table IV: the same for acceleration in the best direction (%).
        ratio: Table V: acceleration in the best over that in any direction, by robot.
    """

    min_max: Mapping[str, Range]
    max: Mapping[str, Range]
    ratio: Mapping[str, Range]


PRINTED: Final = Tables(
    min_max=MappingProxyType({"NR/R4": Range(12, 23), "NR/R6": Range(22, 30), "R4/R6": Range(4, 9)}),
    max=MappingProxyType({"NR/R4": Range(-2.3, 2.1), "NR/R6": Range(-7.1, -3.6), "R4/R6": Range(-5.7, -4.4)}),
    ratio=MappingProxyType({"NR": Range(1.80, 2.17), "R4": Range(1.53, 1.88), "R6": Range(1.33, 1.64)}),
)
"""The print, with the two pairs of Table IV that are printed the wrong way round in order
(papers/corbel2010, erratum E8)."""


def acceleration_tables(setting: str | Setting = "nearest", setup: Setup | None = None) -> Tables:
    """Compute Tables III to V.

    Args:
        setting: a name of `SETTINGS`, or a setting of your own.
        setup: robots and numbers; as shipped if not given.
    """
    chosen, setup = SETTINGS[setting] if isinstance(setting, str) else setting, setup or Setup()
    accelerations = {name: _accelerations(setup.model(file), chosen, setup) for name, file in ROBOTS.items()}
    return Tables(
        min_max={f"{a}/{b}": _gain(accelerations[a].min_max, accelerations[b].min_max) for a, b in PAIRS},
        max={f"{a}/{b}": _gain(accelerations[a].max, accelerations[b].max) for a, b in PAIRS},
        ratio={name: _range(values.ratio) for name, values in accelerations.items()},
    )


def lumped(model: Model, mass: float | None = None) -> Model:
    """A robot with the masses of the document's dynamics: half a forearm on each of its ends, and no gravity.

    Args:
        mass: what moves with the plate (kg), with the elbows' halves as they are; (26) if not given.
    """
    # Masses that follow lengths, (50) and (51), become numbers: here they are replaced.
    plain = replace(model, robot=model.numbers).with_rod_model("halves").with_gravity(0.0)
    if mass is None:
        return plain
    # Rods without mass, and their elbow halves as inertia of the arms, (24): then the plate's mass is all there is.
    limb = cast("Limb", plain.robot.limb)
    forearm = limb.rods * float(limb.rod_mass)  # pyright: ignore[reportArgumentType]
    inertia = float(limb.arm_inertia) + float(limb.arm) ** 2 * forearm / 2  # pyright: ignore[reportArgumentType]
    return plain.with_parameters({"limb.rod_mass": 0.0, "limb.arm_inertia": inertia, "plate.mass": mass})


def _accelerations(robot: Model, setting: Setting, setup: Setup) -> Acceleration:
    model = lumped(robot, None if setting.mass is None else setup.number("moved mass", setting.mass))
    height = setting.z_max - setting.z_min
    stated = math.isclose(height, HEIGHT)
    height = setup.number("cylinder height" if stated else "another cylinder height", height)
    low = setup.number("cylinder altitude", setting.z_min)
    cylinder = Cylinder(setup.number("cylinder radius", RADIUS), low, low + height)
    return acceleration(model, lattice(model.robot, cylinder, points=(*GRID, setting.levels)).poses())


def _gain(first: np.ndarray, second: np.ndarray) -> Range:
    return _range(100 * (second / first - 1))


def _range(values: np.ndarray) -> Range:
    return Range(float(values.min()), float(values.max()))
