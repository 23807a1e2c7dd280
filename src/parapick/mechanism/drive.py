"""A motor with its gearbox, and the friction at its joint: named numbers, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.fields import label, quantity

__all__ = ["Drive", "Friction"]


@final
@dataclass(frozen=True)
class Friction:
    """Friction at the joint (gearbox output)."""

    coulomb: float = quantity("N m", "Coulomb friction torque", default=0.0, at_least=0.0)
    viscous: float = quantity("N m s/rad", "viscous friction coefficient", default=0.0, at_least=0.0)
    stribeck: float = quantity("N m", "breakaway torque above Coulomb's", default=0.0, at_least=0.0)
    stribeck_speed: float = quantity("rad/s", "speed at which the Stribeck excess has decayed", default=0.01, above=0.0)


@final
@dataclass(frozen=True)
class Drive:
    """A motor and its gearbox. Torques and speed are motor-side; the joint sees `ratio` times the torque."""

    rated_torque: float | None = quantity("N m", "continuous torque of the motor", default=None, above=0.0)
    peak_torque: float | None = quantity("N m", "peak torque of the motor", default=None, above=0.0)
    peak_speed: float | None = quantity("rad/s", "peak speed of the motor", default=None, above=0.0)
    inertia: float | None = quantity("kg m2", "moment of inertia of the rotor", default=None, at_least=0.0)
    gearbox_inertia: float = quantity(
        "kg m2", "moment of inertia of the gearbox, at the motor shaft", default=0.0, at_least=0.0
    )
    ratio: float = quantity("", "motor turns per joint turn", default=1.0, above=0.0)
    efficiency: float = quantity("", "efficiency of the gearbox", default=1.0, above=0.0, at_most=1.0)
    friction: Friction = label("friction at the joint", default=Friction())
