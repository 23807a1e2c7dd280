"""What the legs of a robot share: lengths, masses and thicknesses, each stated once. A kind of leg has a table here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

from parapick.fields import label, like, quantity
from parapick.mechanism.base import Frame, Rail
from parapick.mechanism.drive import SLIDING, TURNING, AnyDrive, Drive, LinearMotor, MotorAxis
from parapick.mechanism.rod import RodBody, Rods

if TYPE_CHECKING:
    from parapick.mechanism.legs.arm_rod import ArmRod
    from parapick.mechanism.legs.rail_rod import RailRod

RodModel = Literal[
    "slender", "cylinder", "general", "halves", "two-thirds", "thirds", "variable-frozen", "variable-rate"
]


def per_leg(value: Any, index: int) -> Any:
    """The value of leg `index` (from 0), of a number for all legs or a tuple with one a leg.

    Args:
        value: a number for all legs, or a tuple with a number for each.
        index: the leg, from 0.
    """
    return value[index] if isinstance(value, tuple) else value


@final
@dataclass(frozen=True)
class Limb:
    """Arm and rods of a leg. A number holds for every leg; a list gives one number a leg.

    A robot without masses does all its kinematics.

    A kind of limb says more than its fields: `leg`, the file of its leg here and in `multibody/legs`; `axis`, the units
    of its coordinate; `direct`, the drive of a robot whose file states none; `body`, what its motor moves; `carrier`,
    what that is held by; `bars`, the names of its long bodies; `limits`, the fields of `Limits` that bound its
    coordinate; `implied`, whether a table without a kind is of this one.
    """

    leg: ClassVar[str] = "arm_rod"
    axis: ClassVar[MotorAxis] = TURNING
    direct: ClassVar[AnyDrive] = Drive()
    body: ClassVar[str] = "arm"
    carrier: ClassVar[str] = "arm"
    bars: ClassVar[tuple[str, ...]] = ("arm", "rod")
    limits: ClassVar[tuple[str, str]] = ("joint_min", "joint_max")
    implied: ClassVar[bool] = True

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
    arm_offset: float | tuple[float, ...] | None = quantity(
        "m",
        "distance of the arm's centre of mass from the line motor axis to elbow, positive toward where the arm turns "
        "as its angle grows; 0 if not given",
        default=None,
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
    kind: Literal["arm"] = label("an arm and rods; need not be stated", default="arm")

    @property
    def body_radius(self) -> Any:
        """Radius of what the motor moves (m); None where the file has none."""
        return self.arm_radius

    @property
    def missing_masses(self) -> tuple[str, ...]:
        """What the dynamics need and the file lacks."""
        arm = () if self.arm_mass is not None or self.arm_inertia is not None else ("arm_mass or limb.arm_inertia",)
        return (*arm, *(("rod_mass",) if self.rod_mass is None else ()))

    def legs(self, frames: Sequence[Frame], branches: Sequence[Any]) -> tuple[ArmRod, ...]:
        """The legs in order. An arm of a given mass without inertia is a uniform bar; without mass it has no weight.

        Args:
            frames: where each of them stands.
            branches: elbow of each of them.
        """
        from parapick.mechanism.legs.arm_rod import ArmRod

        legs = []
        for i, (frame, branch) in enumerate(zip(frames, branches, strict=True)):
            length, mass = per_leg(self.arm, i), per_leg(self.arm_mass, i)
            center, inertia = per_leg(self.arm_center, i), per_leg(self.arm_inertia, i)
            mass = 0.0 if mass is None else mass
            legs.append(
                ArmRod(
                    **vars(frame),
                    arm=length,
                    rod=per_leg(self.rod_length, i),
                    branch=branch,
                    rods=_rods(self, i),
                    mass=mass,
                    mass_center=length / 2 if center is None else center,
                    mass_offset=per_leg(self.arm_offset, i),
                    inertia=mass * length * length / 3 if inertia is None else inertia,
                )
            )
        return tuple(legs)


@final
@dataclass(frozen=True)
class CarriageLimb:
    """Carriage and rods of a leg on a rail. A number holds for every leg; a list gives one number a leg."""

    leg: ClassVar[str] = "rail_rod"
    axis: ClassVar[MotorAxis] = SLIDING
    direct: ClassVar[AnyDrive] = LinearMotor()
    body: ClassVar[str] = "carriage"
    carrier: ClassVar[str] = "rail"
    bars: ClassVar[tuple[str, ...]] = ("rod",)
    limits: ClassVar[tuple[str, str]] = ("carriage_min", "carriage_max")

    rod_length: float | tuple[float, ...] = quantity("m", "length of a rod, carriage to plate", above=0.0)
    kind: Literal["carriage"] = label("a carriage on a rail, and rods", default="carriage")
    rod_spacing: float | tuple[float, ...] | None = like(Limb, "rod_spacing")
    rods: int = like(Limb, "rods")
    rod_model: RodModel = label("how the mass of a rod is spread", default="slender")
    carriage_mass: float | tuple[float, ...] | None = quantity(
        "kg", "mass of a carriage with all that moves with it", default=None, at_least=0.0
    )
    rod_mass: float | tuple[float, ...] | None = like(Limb, "rod_mass")
    rod_center: float | tuple[float, ...] | None = quantity(
        "m",
        "distance of a rod's centre of mass from the carriage, by which its weight hangs on both ends; half the rod if "
        "not given",
        default=None,
    )
    rod_inertia: float | tuple[float, ...] | None = like(Limb, "rod_inertia")
    rod_modulus: float | None = like(Limb, "rod_modulus")
    rod_bore: float | None = like(Limb, "rod_bore")
    carriage_radius: float | None = quantity(
        "m", "radius of the carriage as a capsule from rod to rod", default=None, above=0.0
    )
    rod_radius: float | None = like(Limb, "rod_radius")

    @property
    def body_radius(self) -> Any:
        """Radius of what the motor moves (m); None where the file has none."""
        return self.carriage_radius

    @property
    def missing_masses(self) -> tuple[str, ...]:
        """What the dynamics need and the file lacks."""
        return tuple(name for name in ("carriage_mass", "rod_mass") if getattr(self, name) is None)

    def legs(self, frames: Sequence[Rail], branches: Sequence[Any]) -> tuple[RailRod, ...]:
        """The legs in order.

        Args:
            frames: the rail of each of them.
            branches: which way the rods of each of them point.
        """
        from parapick.mechanism.legs.rail_rod import RailRod

        masses = [per_leg(self.carriage_mass, i) for i in range(len(frames))]
        return tuple(
            RailRod(
                **vars(rail),
                rod=per_leg(self.rod_length, i),
                branch=branch,
                rods=_rods(self, i),
                mass=0.0 if mass is None else mass,
            )
            for i, (rail, branch, mass) in enumerate(zip(frames, branches, masses, strict=True))
        )


AnyLimb = Limb | CarriageLimb


def _rods(limb: AnyLimb, i: int) -> Rods:
    """The rods of leg i (from 0), their mass and shape all together."""
    mass, inertia = per_leg(limb.rod_mass, i), per_leg(limb.rod_inertia, i)
    body = None
    if mass is not None:
        body = RodBody(
            mass=limb.rods * mass,
            length=per_leg(limb.rod_length, i),
            center=per_leg(limb.rod_center, i),
            inertia=None if inertia is None else limb.rods * inertia,
            radius=limb.rod_radius,
        )
    return Rods(limb.rods, per_leg(limb.rod_spacing, i), limb.rod_model, body)
