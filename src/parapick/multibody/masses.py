"""Mass, centre and moments of inertia of every body, from the numbers of the description.

A rod model is a rigid rod here: `slender` is thin and uniform, the lumped models are two point masses on a massless
rod, which is a rigid body too. So every model whose numbers are constant has its exact twin in the engine, up to the
weight of lumped rods: a body hangs by the centre of its own masses, our lumped rods by `limb.rod_center`. Both agree
where the two are one place, and without gravity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from parapick.errors import MissingMassError, ParameterError
from parapick.mechanism import Drive, Robot
from parapick.mechanism.limb import Limb, per_leg
from parapick.multibody.elements import THIN

__all__ = ["Slim", "arm_body", "armature", "bars_lumped", "check_masses", "rod_body"]

LUMPED_AT_ELBOW: Final = {"halves": 1 / 2, "two-thirds": 2 / 3, "thirds": 1 / 3}
"""Share of a rod's mass that the lumped rod models put on the elbow."""

INERTIA_TOLERANCE: Final = 1e-12
"""An arm's moment about the motor axis may fall short of mass times distance squared by rounding only (kg m2)."""


@final
@dataclass(frozen=True)
class Slim:
    """A long body: mass (kg), distance of its centre from its first end (m), transverse and axial inertia (kg m2)."""

    mass: float
    center: float
    across: float
    along: float


def check_masses(robot: Robot) -> None:
    """Refuse a description without the masses of its bodies.

    Args:
        robot: the description.

    Raises:
        MissingMassError: naming what is missing.
    """
    limb = robot.limb
    missing = [] if limb.arm_mass is not None or limb.arm_inertia is not None else ["limb.arm_mass or limb.arm_inertia"]
    if limb.rod_mass is None:
        missing.append("limb.rod_mass")
    plate_masses = ("mass", "carried_mass", "side_mass", "bar_mass", "crossbar_mass")
    missing += [f"plate.{name}" for name in plate_masses if getattr(robot.plate, name, 0.0) is None]
    if missing:
        raise MissingMassError(robot.name, tuple(missing))


def armature(drive: Drive | None) -> float:
    """Moment of inertia of rotor and gearbox as the joint feels it (kg m2): ratio squared times that at the motor."""
    if drive is None:
        return 0.0
    return drive.ratio**2 * ((drive.inertia or 0.0) + drive.gearbox_inertia)


def arm_body(limb: Limb, leg: int) -> Slim:
    """Arm of a leg (from 0); the moment about the motor axis is what the description states.

    Raises:
        ParameterError: the moment about the motor axis is smaller than the mass at its distance allows.
    """
    length, mass = per_leg(limb.arm, leg), per_leg(limb.arm_mass, leg) or 0.0
    center, about_axis = per_leg(limb.arm_center, leg), per_leg(limb.arm_inertia, leg)
    center = length / 2 if center is None else center
    if about_axis is None:
        about_axis = mass * length**2 / 3
    across = about_axis - mass * center**2
    if across < -INERTIA_TOLERANCE:
        raise ParameterError(
            "limb.arm_inertia",
            f"is {about_axis:g} kg m2 about the motor axis; {mass:g} kg at {center:g} m alone have "
            f"{mass * center**2:g} kg m2, so it must be at least that",
        )
    return Slim(mass, center, max(across, 0.0), 0.0)


def rod_body(limb: Limb, leg: int, radius: float | None = None) -> Slim:
    """One rod of a leg (from 0), under the rod model of the description or as a solid cylinder.

    Args:
        limb: arm and rods.
        leg: which leg.
        radius: radius (m) of a solid cylinder to use instead of the rod model; its spin counts then.

    Raises:
        ParameterError: the rod model is not a rigid rod, or lacks a number.
    """
    mass, length = per_leg(limb.rod_mass, leg), per_leg(limb.rod_length, leg)
    if radius is not None:
        return Slim(mass, length / 2, mass * (length**2 / 12 + radius**2 / 4), mass * radius**2 / 2)
    center, across = length / 2, mass * length**2 / 12
    if limb.rod_model in LUMPED_AT_ELBOW:
        share = LUMPED_AT_ELBOW[limb.rod_model]
        center, across = (1 - share) * length, mass * share * (1 - share) * length**2
    elif limb.rod_model == "cylinder":
        across += mass * _stated(limb.rod_radius, "limb.rod_radius") ** 2 / 4
    elif limb.rod_model == "general":
        across = _stated(per_leg(limb.rod_inertia, leg), "limb.rod_inertia")
        center = length / 2 if limb.rod_center is None else per_leg(limb.rod_center, leg)
    elif limb.rod_model != "slender":
        valid = ", ".join(("slender", "cylinder", "general", *LUMPED_AT_ELBOW))
        raise ParameterError("limb.rod_model", f"is {limb.rod_model!r}, which is no rigid rod; valid here are {valid}")
    return Slim(mass, center, across, THIN * across)


def _stated(value: float | None, path: str) -> float:
    if value is None:
        raise ParameterError(path, "is missing; the rod model needs it")
    return value


def bars_lumped(robot: Robot) -> bool:
    """Whether the bars of a plate carry their mass on their ends: they do where the rods do."""
    return robot.limb.rod_model in LUMPED_AT_ELBOW
