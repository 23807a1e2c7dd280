"""Arms and rods as bodies: the arm turns on its motor, each rod hangs on the elbow and is pinned to the plate.

A rod has a universal joint at the elbow (first hinge along the motor axis) and is held at the plate by a `connect`
equality, so it cannot spin freely; the universal joint is singular only where the rod lies along the motor axis, and
there the leg is singular too. With `ball` it has a ball joint and may spin, as real rods between two ball joints do.
The links of a planar five-bar turn on one hinge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism import Robot, Spindle
from parapick.multibody.elements import child, hinge, inertial
from parapick.multibody.geometry import Mount
from parapick.multibody.masses import arm_body, armature, rod_body

__all__ = ["Elbow", "Holder", "LimbSheet", "add_limb", "rod_names"]

Elbow = Literal["universal", "ball"]

RADIUS_SHARE: Final = 0.05
"""Drawn radius of an arm as a share of its length, where the file has none; rods are drawn at a third of it."""


@final
@dataclass(frozen=True)
class LimbSheet:
    """The parts of the MJCF document that limbs write to, the resolved description, and how the rods are made.

    Attributes:
        robot: the description.
        world: element of the world.
        equality: element of the equality constraints.
        elbow: kind of joint at the elbow.
        rod_radius: radius (m) of solid cylinders to use instead of the rod model; None for the rod model.
    """

    robot: Robot
    world: ET.Element
    equality: ET.Element
    elbow: Elbow
    rod_radius: float | None


@final
@dataclass(frozen=True)
class Holder:
    """The body of the plate that a leg holds: its element, its origin (m), and the plate joint (m), at the start pose.

    The body's axes are those of the world there.
    """

    body: ET.Element
    origin: np.ndarray
    joint: np.ndarray


def rod_names(robot: Robot, leg: int) -> tuple[str, ...]:
    """Names of the rods of a leg (from 0): `1a` and `1b`, or `1` for a single rod."""
    return (f"{leg + 1}",) if robot.limb.rods == 1 else (f"{leg + 1}a", f"{leg + 1}b")


def add_limb(sheet: LimbSheet, leg: int, mount: Mount, holder: Holder, q: float) -> None:
    """Add the arm and the rods of a leg, with the arm at a joint angle, and pin the rods to the plate.

    Args:
        sheet: where to write.
        leg: which leg, from 0.
        mount: the arm on its motor.
        holder: what the leg holds.
        q: joint angle of the start pose (rad).
    """
    arm = _arm(sheet, leg, mount, q)
    frame = np.column_stack([mount.direction(q), np.cross(mount.axis, mount.direction(q)), mount.axis])
    # Both rods of a pair point the same way, so their ends at the plate stand as far apart as at the elbow.
    along = frame.T @ (holder.joint - mount.elbow(q))
    sides = (0.0,) if sheet.robot.limb.rods == 1 else (-mount.spacing / 2, mount.spacing / 2)
    ends = [holder.joint + side * mount.axis - holder.origin for side in sides]
    for name, side, end in zip(rod_names(sheet.robot, leg), sides, ends, strict=True):
        rod = _rod(sheet, arm, leg, mount, name, side, along)
        child(rod, "site", name=f"rod{name}", pos=(mount.rod, 0.0, 0.0))
        child(holder.body, "site", name=f"plate{name}", pos=end)
        child(sheet.equality, "connect", name=f"rod{name}", site1=f"rod{name}", site2=f"plate{name}")
    if len(ends) == 2:
        size = RADIUS_SHARE / 3 * mount.arm
        child(holder.body, "geom", class_="plate", type="capsule", size=size, fromto=(*ends[0], *ends[1]))


def _arm(sheet: LimbSheet, leg: int, mount: Mount, q: float) -> ET.Element:
    """Arm with its origin on the motor, x along the arm and z along the motor axis."""
    limb = sheet.robot.limb
    x, y = mount.direction(q), np.cross(mount.axis, mount.direction(q))
    body = child(sheet.world, "body", name=f"arm{leg + 1}", pos=mount.point, xyaxes=(*x, *y))
    # The reference makes the joint's coordinate the robot's own q, whatever pose the file starts from.
    hinge(body, f"motor{leg + 1}", ref=q, armature=armature(sheet.robot.drive))
    arm = arm_body(limb, leg)
    inertial(body, arm.mass, (arm.center, 0.0, 0.0), (arm.along, arm.across, arm.across))
    radius = limb.arm_radius or RADIUS_SHARE * mount.arm
    elbow = (mount.arm, 0.0, 0.0)
    child(body, "geom", class_="arm", type="capsule", size=radius, fromto=(0.0, 0.0, 0.0, *elbow))
    child(body, "site", name=f"elbow{leg + 1}", pos=elbow)
    if mount.spacing:
        ends = (mount.arm, 0.0, -mount.spacing / 2, mount.arm, 0.0, mount.spacing / 2)
        child(body, "geom", class_="arm", type="capsule", size=radius / 2, fromto=ends)
    return body


def _rod(
    sheet: LimbSheet, arm: ET.Element, leg: int, mount: Mount, name: str, side: float, along: np.ndarray
) -> ET.Element:
    """Rod with its origin on the elbow and x along itself; `along` points to the plate, in the arm's frame."""
    limb, planar = sheet.robot.limb, isinstance(sheet.robot.plate, Spindle)
    axis = np.array([0.0, 0.0, 1.0])
    if planar:
        along = along - (along @ axis) * axis
    x = along / np.linalg.norm(along)
    y = np.cross(axis, x)
    y = y / np.linalg.norm(y)
    body = child(arm, "body", name=f"rod{name}", pos=(mount.arm, 0.0, side), xyaxes=(*x, *y))
    _elbow_joints(body, name, (x @ axis, 0.0, np.cross(x, y) @ axis), sheet.elbow, planar=planar)
    rod = rod_body(limb, leg, sheet.rod_radius)
    inertial(body, rod.mass, (rod.center, 0.0, 0.0), (rod.along, rod.across, rod.across))
    drawn = sheet.rod_radius or limb.rod_radius or RADIUS_SHARE / 3 * mount.arm
    child(body, "geom", class_="rod", type="capsule", size=drawn, fromto=(0.0, 0.0, 0.0, mount.rod, 0.0, 0.0))
    return body


def _elbow_joints(body: ET.Element, name: str, motor_axis: Any, elbow: Elbow, *, planar: bool) -> None:
    if planar:
        hinge(body, f"elbow{name}", motor_axis)
    elif elbow == "ball":
        child(body, "joint", name=f"elbow{name}", type="ball")
    else:
        hinge(body, f"elbow{name}_swing", motor_axis)
        hinge(body, f"elbow{name}_tilt", (0.0, 1.0, 0.0))
