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
from parapick.mechanism import AnyDrive, AnyLimb, Robot, per_leg
from parapick.multibody.elements import THIN

LUMPED_AT_ELBOW: Final = {"halves": 1 / 2, "two-thirds": 2 / 3, "thirds": 1 / 3}
"""Share of a rod's mass that the lumped rod models put on the elbow."""


@final
@dataclass(frozen=True)
class Slim:
    """A long body.

    Attributes:
        mass: mass (kg).
        center: distance of its centre from its first end, along it (m).
        across: transverse moment of inertia about the centre (kg m2).
        along: axial moment of inertia (kg m2).
        aside: distance of its centre from its axis (m).
    """

    mass: float
    center: float
    across: float
    along: float
    aside: float = 0.0


def check_masses(robot: Robot) -> None:
    """Raise if a description lacks masses of its bodies.

    Raises:
        MissingMassError: naming what is missing.
    """
    missing = [f"limb.{name}" for name in robot.limb.missing_masses]
    missing += [f"plate.{name}" for name in robot.plate.traits.masses if getattr(robot.plate, name) is None]
    if missing:
        raise MissingMassError(robot.name, tuple(missing))


def armature(drive: AnyDrive | None) -> float:
    """Inertia of rotor and gearbox as the joint feels it (kg m2, or kg): ratio squared times that at the motor."""
    if drive is None:
        return 0.0
    return drive.ratio**2 * ((drive.inertia or 0.0) + drive.coupled_inertia)


def rod_body(limb: AnyLimb, leg: int, radius: float | None = None) -> Slim:
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
        raise ParameterError(
            "limb.rod_model", f"is {limb.rod_model!r}, which is not a rigid rod; valid here are {valid}"
        )
    return Slim(mass, center, across, THIN * across)


def _stated(value: float | None, path: str) -> float:
    if value is None:
        raise ParameterError(path, "is missing; the rod model needs it")
    return value


def bars_lumped(robot: Robot) -> bool:
    """Whether the bars of a plate carry their mass on their ends: they do where the rods do."""
    return robot.limb.rod_model in LUMPED_AT_ELBOW
