"""A robot as a page of frozen numbers: base, limbs, plate, drives, limits, home and workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.fields import POSE, label, quantity
from parapick.forms import Name
from parapick.mechanism.base import Base
from parapick.mechanism.drive import Drive
from parapick.mechanism.leg import ArmRod, Leg
from parapick.mechanism.limb import Limb, per_leg
from parapick.mechanism.parameters import resolved
from parapick.mechanism.plates import AnyPlate, PlatePose
from parapick.mechanism.region import Limits, Workspace

__all__ = ["TASK_NAMES", "Robot", "WorkingMode"]

TASK_NAMES: Final = ("x", "y", "z", "yaw")


@final
@dataclass(frozen=True)
class WorkingMode:
    """A named choice of elbows.

    Attributes:
        name: name in the file.
        signs: one `+` or `-` an arm-rod leg.
    """

    name: str
    signs: str


@final
@dataclass(frozen=True)
class Robot:
    """The frozen description of a robot; its floats are the parameters of every kernel made from it."""

    name: str = label("short name, as in file names and commands", form=Name())
    base: Base = label("where the motors stand")
    limb: Limb = label("arm and rods")
    plate: AnyPlate = label("what the legs carry")
    home: tuple[float, ...] = quantity("", "task vector of a pose well inside the workspace", units=POSE)
    branches: tuple[float, ...] = quantity("", "elbow of each arm-rod leg", one_of=(-1.0, 1.0))
    title: str = label("one line that says what it is", default="")
    modes: tuple[WorkingMode, ...] = label("named working modes", default=())
    drive: Drive | None = label("drive of each arm", default=None)
    limits: Limits = label("limits of joints and yaw", default=Limits())
    workspace: Workspace | None = label("where the robot is meant to work", default=None)
    gravity: float = quantity("m/s2", "acceleration of gravity, down", default=9.81, at_least=0.0)

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.plate.dof

    @property
    def task_names(self) -> tuple[str, ...]:
        """Names of the task coordinates: x, y, z and, with four freedoms, yaw."""
        return TASK_NAMES[: self.dof]

    @property
    def arms(self) -> int:
        """Number of arm-rod legs."""
        return self.base.count

    @property
    def motors(self) -> int:
        """Number of legs, each with one motor."""
        return self.arms + len(self.plate.linear())

    @property
    def redundant(self) -> bool:
        """Whether there are more motors than task coordinates."""
        return self.motors > self.dof

    def motor_drives(self) -> tuple[Drive, ...]:
        """The drive of every motor, arms first; one that the file does not state is direct, without limits."""
        arm, plate = (Drive() if drive is None else drive for drive in (self.drive, self.plate.drive))
        return (arm,) * self.arms + (plate,) * (self.motors - self.arms)

    def legs(self) -> tuple[Leg, ...]:
        """Every leg in order: the arm-rod legs, then the plate's own linear ones."""
        return (*self.arm_legs(), *resolved(self).plate.linear())

    def arm_legs(self) -> tuple[ArmRod, ...]:
        """The arm-rod legs in order."""
        this = resolved(self)
        return tuple(
            ArmRod(
                base=frame.point,
                forward=frame.forward,
                up=frame.up,
                zero=frame.zero,
                sign=frame.sign,
                arm=per_leg(this.limb.arm, i),
                rod=per_leg(this.limb.rod_length, i),
                branch=branch,
                center=frame.center,
            )
            for i, (frame, branch) in enumerate(zip(this.base.frames(), this.branches, strict=True))
        )

    def plate_pose(self, x: Any) -> PlatePose:
        """The plate at a task vector.

        Args:
            x: task vector (m, rad), a column of numbers or expressions.
        """
        this = resolved(self)
        azimuths = this.plate.angles or this.base.angles or (0.0,) * this.arms
        arms = (
            this.plate.radius * ca.vertcat(ca.cos(angle), ca.sin(angle), 0.0) + shift
            for angle, shift in zip(azimuths, this.base.shifts(), strict=True)
        )
        return this.plate.at(x, tuple(arms))

    def points(self, x: Any) -> tuple[Any, ...]:
        """Plate point B of every arm-rod leg (m).

        Args:
            x: task vector (m, rad), a column of numbers or expressions.
        """
        return self.plate_pose(x).points
