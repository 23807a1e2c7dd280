"""Arms as bodies: each turns on its motor.

Nothing here knows how the robot moves. These few lines repeat what `mechanism/` says of motors on purpose: an oracle
that shared them could not find them wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, cast, final
from xml.etree import ElementTree as ET

import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism import Limb, Placed, Radial, Robot, per_leg
from parapick.multibody.elements import child, hinge, inertial
from parapick.multibody.geometry import UP, horizontal, shifts
from parapick.multibody.legs.mount import RADIUS_SHARE, spacing_of
from parapick.multibody.masses import Slim, armature

ROUGH_ANGLE: Final = 1.0
"""Angle (rad) between an arm and the line from its motor to its plate joint, at the rough pose."""

INERTIA_TOLERANCE: Final = 1e-12
"""An arm's moment about the motor axis may fall short of mass times distance squared by rounding only (kg m2)."""


@final
@dataclass(frozen=True)
class ArmMount:
    """One arm on its motor.

    Attributes:
        point: centre of the motor (m).
        zero: direction of the arm at q = 0.
        axis: motor axis; q counts positive about it.
        arm: length of the arm (m).
        rod: length of a rod (m).
        spacing: distance of the two rods of a pair (m); 0 for a single rod.
        branch: +1 when the elbow lies on the side of growing q, seen from the line motor to plate joint.
    """

    point: np.ndarray
    zero: np.ndarray
    axis: np.ndarray
    arm: float
    rod: float
    spacing: float
    branch: float

    @property
    def side(self) -> np.ndarray:
        """The motor axis."""
        return self.axis

    @property
    def size(self) -> float:
        """The arm (m)."""
        return self.arm

    @property
    def offset(self) -> float:
        """The arm (m)."""
        return self.arm

    @property
    def extent(self) -> float:
        """Arm and rod (m)."""
        return self.arm + self.rod

    def frame(self, q: float) -> np.ndarray:
        """X along the arm, z along the motor axis."""
        x = np.cos(q) * self.zero + np.sin(q) * np.cross(self.axis, self.zero)
        return np.column_stack([x, np.cross(self.axis, x), self.axis])

    def elbow(self, q: float) -> np.ndarray:
        """Elbow (m), midway between the rods."""
        return self.point + self.arm * self.frame(q)[:, 0]

    def rough(self, target: np.ndarray) -> float:
        """A joint angle (rad) on the right side of the line to a plate joint."""
        line = target - self.point
        toward = np.arctan2(line @ np.cross(self.axis, self.zero), line @ self.zero)
        return self.wrapped(float(toward) + self.branch * ROUGH_ANGLE)

    def wrapped(self, q: float) -> float:
        """The same angle within half a turn of 0 (rad)."""
        return float(np.arctan2(np.sin(q), np.cos(q)))

    def in_mode(self, plate: np.ndarray, elbow: np.ndarray) -> bool:
        """Whether the elbow lies on the side that the description names, seen from the line motor to plate joint."""
        return not self.branch * (np.cross(plate - self.point, elbow - self.point) @ self.axis) < 0

    def add(self, robot: Robot, world: ET.Element, leg: int, q: float) -> ET.Element:
        """Arm with its origin on the motor, x along the arm and z along the motor axis."""
        limb, axes = cast("Limb", robot.limb), self.frame(q)
        body = child(world, "body", name=f"arm{leg + 1}", pos=self.point, xyaxes=(*axes[:, 0], *axes[:, 1]))
        # The reference makes the joint's coordinate the robot's own q, whatever pose the file starts from.
        hinge(body, f"motor{leg + 1}", ref=q, armature=armature(robot.drive))
        arm = arm_body(limb, leg)
        inertial(body, arm.mass, (arm.center, arm.aside, 0.0), (arm.along, arm.across, arm.across))
        radius = limb.arm_radius or RADIUS_SHARE * self.arm
        elbow = (self.arm, 0.0, 0.0)
        child(body, "geom", class_="arm", type="capsule", size=radius, fromto=(0.0, 0.0, 0.0, *elbow))
        child(body, "site", name=f"elbow{leg + 1}", pos=elbow)
        if self.spacing:
            ends = (self.arm, 0.0, -self.spacing / 2, self.arm, 0.0, self.spacing / 2)
            child(body, "geom", class_="arm", type="capsule", size=radius / 2, fromto=ends)
        return body

    def draw(self, base: ET.Element) -> None:
        """The motor along its axis."""
        radius = RADIUS_SHARE * self.arm
        half = max(self.spacing / 2, 2 * radius) * self.axis
        ends = (*(self.point - half), *(self.point + half))
        child(base, "geom", class_="base", type="cylinder", size=1.5 * radius, fromto=ends)


def mounts(robot: Robot) -> tuple[ArmMount, ...]:
    """Every arm on its motor, in leg order.

    Args:
        robot: a resolved description.
    """
    limb = cast("Limb", robot.limb)
    stands = []
    for i, (point, zero, axis, sign) in enumerate(_stands(robot)):
        arm = per_leg(limb.arm, i)
        rod, branch = per_leg(limb.rod_length, i), sign * robot.branches[i]
        stands.append(ArmMount(point, zero, axis, arm, rod, spacing_of(robot, i, arm), branch))
    return tuple(stands)


def _unit(vector: tuple[float, ...]) -> np.ndarray:
    return np.asarray(vector) / np.linalg.norm(vector)


def _stands(robot: Robot) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]:
    """Point, zero direction and axis of every motor, and the sign of the branch whose elbow lies where q grows."""
    base = robot.base
    if isinstance(base, Placed):
        numbers = zip(base.points, base.zeros, base.axes, strict=True)
        return [(np.array(point), _unit(zero), _unit(axis), 1.0) for point, zero, axis in numbers]
    base = cast("Radial", base)
    stands = []
    for outward, shift in zip(map(horizontal, base.angles), shifts(base), strict=True):
        elevation = 0.0 if base.zero is None else base.zero
        zero = np.cos(elevation) * outward + np.sin(elevation) * UP
        # Turning about outward x up lifts the arm, which is what a positive sign means; a positive branch puts the
        # elbow outward whatever the sign.
        stands.append((base.radius * outward + shift, zero, base.sign * np.cross(outward, UP), base.sign))
    return stands


def arm_body(limb: Limb, leg: int) -> Slim:
    """Arm of a leg (from 0); the moment about the motor axis is what the description states.

    Raises:
        ParameterError: the moment about the motor axis is smaller than the mass at its distance allows.
    """
    length, mass = per_leg(limb.arm, leg), per_leg(limb.arm_mass, leg) or 0.0
    center, about_axis = per_leg(limb.arm_center, leg), per_leg(limb.arm_inertia, leg)
    center = length / 2 if center is None else center
    aside = per_leg(limb.arm_offset, leg) or 0.0
    if about_axis is None:
        about_axis = mass * length**2 / 3
    across = about_axis - mass * (center**2 + aside**2)
    if across < -INERTIA_TOLERANCE:
        raise ParameterError(
            "limb.arm_inertia",
            f"is {about_axis:g} kg m2 about the motor axis; {mass:g} kg at {math.hypot(center, aside):g} m alone have "
            f"{mass * (center**2 + aside**2):g} kg m2, so it must be at least that",
        )
    return Slim(mass, center, max(across, 0.0), 0.0, aside)
