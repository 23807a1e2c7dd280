"""A robot as a page of frozen numbers: base, limbs, plate, drives, limits, home and workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import casadi as ca

from parapick.fields import POSE, label, quantity
from parapick.forms import Name
from parapick.mechanism.base import Base
from parapick.mechanism.bus import Bus
from parapick.mechanism.drive import TURNING, AnyDrive, Drive, Friction, LinearFriction, MotorAxis
from parapick.mechanism.gripper import Gripper
from parapick.mechanism.limb import AnyLimb, per_leg
from parapick.mechanism.plates import AnyPlate, PlatePose
from parapick.mechanism.region import Limits, Workspace
from parapick.parameters import resolved

if TYPE_CHECKING:
    from parapick.mechanism.legs.leg import Leg, RodLeg

TASK_NAMES: Final = ("x", "y", "z", "yaw")


@final
@dataclass(frozen=True)
class WorkingMode:
    """A named choice of elbows.

    Attributes:
        name: name in the file.
        signs: one `+` or `-` per leg with rods.
    """

    name: str
    signs: str

    def __str__(self) -> str:
        return self.signs if self.name == self.signs else f"{self.name} ({self.signs})"


@final
@dataclass(frozen=True)
class Robot:
    """The frozen description of a robot; its floats are the parameters of every kernel made from it."""

    name: str = label("short name, as in file names and commands", form=Name(), words=True)
    base: Base = label("where the motors are")
    limb: AnyLimb = label("arm and rods, or carriage and rods")
    plate: AnyPlate = label("what the legs carry")
    home: tuple[float, ...] = quantity("", "task vector of a pose well inside the workspace", units=POSE)
    branches: tuple[float, ...] = quantity("", "elbow of each leg with rods", one_of=(-1.0, 1.0))
    title: str = label("one line that says what it is", default="", words=True)
    modes: tuple[WorkingMode, ...] = label("named working modes", default=(), words=True)
    drive: AnyDrive | None = label("drive of each arm or carriage", default=None)
    limits: Limits = label("limits of joints and yaw", default=Limits())
    workspace: Workspace | None = label("where the robot is meant to work", default=None)
    gravity: float = quantity("m/s2", "acceleration of gravity, down", default=9.81, at_least=0.0)
    gripper: Gripper = label("what the tool always holds; a task's load comes on top of it", default=Gripper())
    bus: Bus | None = label("the bus that feeds the drives", default=None)

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
        """Number of legs with rods, each on an arm or a carriage."""
        return self.base.count

    @property
    def motors(self) -> int:
        """Number of legs, each with one motor."""
        return self.arms + len(self.plate.linear)

    @property
    def redundant(self) -> bool:
        """Whether there are more motors than task coordinates."""
        return self.motors > self.dof

    def motor_drives(self) -> tuple[AnyDrive, ...]:
        """The drive of every motor, arms first; one that the file does not state is direct, without limits."""
        arm = self.limb.direct if self.drive is None else self.drive
        plate = Drive() if self.plate.drive is None else self.plate.drive
        return (arm,) * self.arms + (plate,) * (self.motors - self.arms)

    def motor_frictions(self) -> tuple[Friction | LinearFriction, ...]:
        """Friction at the joint of every motor, arms first: that of the joint and that of its gearbox."""
        pairs = zip(self.motor_drives(), self.joint_frictions(), strict=True)
        return tuple(
            friction if drive.gearbox is None else drive.gearbox.joined(friction, drive.ratio)
            for drive, friction in pairs
        )

    def joint_frictions(self) -> tuple[Friction | LinearFriction, ...]:
        """Friction of the joint of every motor behind its gearbox: one number each, whether the file states a list."""
        drives = self.motor_drives()
        return tuple(drive.friction.of_axis(i if i < self.arms else i - self.arms) for i, drive in enumerate(drives))

    def joint_motion_limits(self, name: str) -> tuple[Any, ...]:
        """What the file states for the joint of every motor, arms first; None for those of the plate, and without.

        Args:
            name: "speed", "acceleration" or "jerk".
        """
        coordinate = self.limb.limits[0].partition("_")[0]
        stated = getattr(self.limits, f"{coordinate}_{name}")
        return (*(per_leg(stated, i) for i in range(self.arms)), *(None,) * (self.motors - self.arms))

    @property
    def axes(self) -> tuple[MotorAxis, ...]:
        """Units of the coordinate of every motor, arms first."""
        return (self.limb.axis,) * self.arms + (TURNING,) * (self.motors - self.arms)

    def legs(self) -> tuple[Leg, ...]:
        """Every leg in order: those with rods, then the plate's own linear ones."""
        return (*self.rod_legs(), *resolved(self).plate.linear)

    def rod_legs(self) -> tuple[RodLeg, ...]:
        """The legs with rods in order."""
        this = resolved(self)
        return this.limb.legs(this.base.frames(), this.branches)  # pyright: ignore[reportArgumentType]

    def joint_limits(self) -> tuple[tuple[Any, Any], ...]:
        """Smallest and largest coordinate of every leg with rods, None where nothing limits it.

        Each is what the file states, or else the leg's own stop.
        """
        stated = [getattr(self.limits, name) for name in self.limb.limits]
        limits = []
        for i, leg in enumerate(self.rod_legs()):
            own = zip((per_leg(limit, i) for limit in stated), leg.stops, strict=True)
            low, high = (stop if limit is None else limit for limit, stop in own)
            limits.append((low, high))
        return tuple(limits)

    def plate_pose(self, x: Any) -> PlatePose:
        """The plate at a task vector.

        Args:
            x: task vector (m, rad), a column of numbers or expressions.
        """
        return resolved(self).plate.at(x, self.plate_joints())

    def plate_joints(self) -> tuple[Any, ...]:
        """Vector from the plate's centre to the joint of every leg with rods (m)."""
        this = resolved(self)
        azimuths = this.plate.angles or this.base.angles or (0.0,) * this.arms
        return tuple(
            this.plate.radius * ca.vertcat(ca.cos(angle), ca.sin(angle), 0.0) + shift
            for angle, shift in zip(azimuths, this.base.shifts(), strict=True)
        )

    def points(self, x: Any) -> tuple[Any, ...]:
        """Plate point B of every leg with rods (m).

        Args:
            x: task vector (m, rad), a column of numbers or expressions.
        """
        return self.plate_pose(x).points

    def ends(self, x: Any) -> tuple[Any, ...]:
        """What every leg ends in: a plate point B (m), or the task vector for the plate's own legs.

        Args:
            x: task vector (m, rad), a column of numbers or expressions.
        """
        return (*self.points(x), *(x,) * (self.motors - self.arms))
