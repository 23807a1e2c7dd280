"""What the arm-rod legs of a robot share: lengths, masses and thicknesses, each stated once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, final

from parapick.fields import label, quantity

__all__ = ["Limb", "per_leg"]

RodModel = Literal[
    "slender", "cylinder", "general", "halves", "two-thirds", "thirds", "variable-frozen", "variable-rate"
]


@final
@dataclass(frozen=True)
class Limb:
    """Arm and rods of a leg. A number holds for every leg; a list gives one number a leg.

    A robot without masses does all its kinematics.
    """

    arm: float | tuple[float, ...] = quantity("m", "length of the arm, motor axis to elbow", above=0.0)
    rod_length: float | tuple[float, ...] = quantity("m", "length of a rod, elbow to plate", above=0.0)
    rod_spacing: float | tuple[float, ...] | None = quantity(
        "m", "distance between the two rods of a pair", default=None, above=0.0
    )
    rods: int = label("rods a leg: 2 for a parallelogram, 1 for a single link", default=2)
    rod_model: RodModel = label("how the mass of a rod is spread", default="slender")
    arm_mass: float | tuple[float, ...] | None = quantity("kg", "mass of an arm", default=None, at_least=0.0)
    arm_center: float | tuple[float, ...] | None = quantity(
        "m", "distance of the arm's centre of mass from the motor axis; half the arm if not given", default=None
    )
    arm_inertia: float | tuple[float, ...] | None = quantity(
        "kg m2",
        "moment of inertia of an arm about the motor axis; that of a uniform bar if not given",
        default=None,
        at_least=0.0,
    )
    rod_mass: float | tuple[float, ...] | None = quantity("kg", "mass of one rod", default=None, at_least=0.0)
    rod_center: float | tuple[float, ...] | None = quantity(
        "m",
        "distance of a rod's centre of mass from the elbow, by which its weight hangs on both ends; half the rod if "
        "not given",
        default=None,
    )
    rod_inertia: float | tuple[float, ...] | None = quantity(
        "kg m2", "moment of inertia of one rod about a transverse axis through its centre", default=None, at_least=0.0
    )
    rod_modulus: float | None = quantity(
        "Pa", "Young's modulus of the rods, for their buckling load and stiffness", default=None, above=0.0
    )
    rod_bore: float | None = quantity("m", "inner radius of a rod that is a tube", default=None, at_least=0.0)
    arm_radius: float | None = quantity("m", "radius of the arm as a capsule", default=None, above=0.0)
    rod_radius: float | None = quantity("m", "radius of a rod as a capsule or cylinder", default=None, above=0.0)


def per_leg(value: Any, index: int) -> Any:
    """The value of leg `index` (from 0), of a number for all legs or a tuple with one a leg."""
    return value[index] if isinstance(value, tuple) else value
