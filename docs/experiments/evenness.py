"""nabat2005's purpose shown: how even Par4 is over a workspace, beside H4, I4 and a Delta with a telescope.

The document says (sections I and III) that H4's motors cannot be spread evenly, which makes it "non-homogeneous" and
soft, that I4 can but wears out its guides, that Delta's telescopic leg lacks stiffness, and that Par4 has revolute
joints and an even arrangement. It prints no number for it. Here the shipped robots are mapped over one cylinder and one
whole turn of the tool: 45 degrees either way of the plates of Par4 and H4, whose tool turns four times as far. Par4, H4
and I4 have the same limbs, motors and plate mass; the Delta has the same lengths and plate mass, and three arms with
the motors that corbel2010 gives three: as much torque in all. What the joints bear is in
`parapick.papers.nabat2005.alternatives`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from parapick.capability import Homogeneity, index_map, region_of
from parapick.mechanism import Cylinder
from parapick.model import Model
from parapick.robots import load_robot

COMPARED: Final = ("stiffness", "yaw-stiffness", "conditioning", "internal-conditioning", "acceleration")
"""Indices that are compared."""

RADIUS: Final = 0.2
"""Radius of the cylinder (m): that of H4's own workspace, the smallest of all."""

POINTS: Final = (9, 48, 5)
"""Points along radius, azimuth and height."""

TURNS: Final = 13
"""Points along the yaw."""


def evenness(
    robots: Sequence[str] = ("par4", "h4", "i4", "delta-4"), *, radius: float = RADIUS
) -> Mapping[str, Mapping[str, Homogeneity]]:
    """How even each index is, by robot and index, over z from -0.75 to -0.65 m and the yaw of each robot's file.

    Args:
        robots: names of robots with yaw.
        radius: radius of the cylinder (m).
    """
    compared: dict[str, dict[str, Homogeneity]] = {}
    for name in robots:
        model = Model(load_robot(name).robot)
        stated = region_of(model.robot)
        cylinder = Cylinder(radius, -0.75, -0.65, yaw_min=stated.yaw_min, yaw_max=stated.yaw_max)
        compared[name] = {
            index: index_map(model, index, cylinder, points=(*POINTS, TURNS)).homogeneity() for index in COMPARED
        }
    return compared
