"""Limbs as bodies: the motor moves an arm or a carriage, each rod hangs on its elbow and is pinned to the plate.

A rod has a universal joint at the elbow (first hinge along the pair) and is held at the plate by a `connect`
equality, so it cannot spin freely; the universal joint is singular only where the rod lies along the pair, and
there the leg is singular too. With `ball` it has a ball joint and may spin, as real rods between two ball joints do.
The links of a planar five-bar turn on one hinge.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism import Robot
from parapick.multibody.elements import child, hinge, inertial
from parapick.multibody.legs.mount import RADIUS_SHARE, Mount
from parapick.multibody.masses import rod_body
from parapick.multibody.plates.sheet import Elbow, Holder, Sheet


def rod_names(robot: Robot, leg: int) -> tuple[str, ...]:
    """Names of the rods of a leg (from 0): `1a` and `1b`, or `1` for a single rod."""
    return (f"{leg + 1}",) if robot.limb.rods == 1 else (f"{leg + 1}a", f"{leg + 1}b")


def add_limb(sheet: Sheet, leg: int, mount: Mount, holder: Holder, q: float) -> None:
    """Add what the motor of a leg moves and its rods, at a coordinate, and pin the rods to the plate.

    Args:
        sheet: where to write.
        leg: which leg, from 0.
        mount: the leg on its base.
        holder: what the leg holds.
        q: coordinate of the motor at the start pose (rad, or m).
    """
    arm = mount.add(sheet.robot, sheet.world, leg, q)
    # Both rods of a pair point the same way, so their ends at the plate stand as far apart as at the elbow.
    along = mount.frame(q).T @ (holder.joint - mount.elbow(q))
    sides = (0.0,) if sheet.robot.limb.rods == 1 else (-mount.spacing / 2, mount.spacing / 2)
    ends = [holder.joint + side * mount.side - holder.origin for side in sides]
    for name, side, end in zip(rod_names(sheet.robot, leg), sides, ends, strict=True):
        rod = _rod(sheet, arm, leg, mount, name, side, along)
        child(rod, "site", name=f"rod{name}", pos=(mount.rod, 0.0, 0.0))
        child(holder.body, "site", name=f"plate{name}", pos=end)
        child(sheet.equality, "connect", name=f"rod{name}", site1=f"rod{name}", site2=f"plate{name}")
    if len(ends) == 2:
        size = RADIUS_SHARE / 3 * mount.size
        child(holder.body, "geom", class_="plate", type="capsule", size=size, fromto=(*ends[0], *ends[1]))


def _rod(
    sheet: Sheet, arm: ET.Element, leg: int, mount: Mount, name: str, side: float, along: np.ndarray
) -> ET.Element:
    """Rod with its origin on the elbow and x along itself; `along` points to the plate, in its carrier's frame."""
    limb, planar = sheet.robot.limb, sheet.robot.plate.traits.planar
    axis = np.array([0.0, 0.0, 1.0])
    if planar:
        along = along - (along @ axis) * axis
    x = along / np.linalg.norm(along)
    y = np.cross(axis, x)
    y = y / np.linalg.norm(y)
    body = child(arm, "body", name=f"rod{name}", pos=(mount.offset, 0.0, side), xyaxes=(*x, *y))
    _elbow_joints(body, name, (x @ axis, 0.0, np.cross(x, y) @ axis), sheet.elbow, planar=planar)
    rod = rod_body(limb, leg, sheet.rod_radius)
    inertial(body, rod.mass, (rod.center, 0.0, 0.0), (rod.along, rod.across, rod.across))
    drawn = sheet.rod_radius or limb.rod_radius or RADIUS_SHARE / 3 * mount.size
    child(body, "geom", class_="rod", type="capsule", size=drawn, fromto=(0.0, 0.0, 0.0, mount.rod, 0.0, 0.0))
    return body


def _elbow_joints(body: ET.Element, name: str, pair_axis: Any, elbow: Elbow, *, planar: bool) -> None:
    if planar:
        hinge(body, f"elbow{name}", pair_axis)
    elif elbow == "ball":
        child(body, "joint", name=f"elbow{name}", type="ball")
    else:
        hinge(body, f"elbow{name}_swing", pair_axis)
        hinge(body, f"elbow{name}_tilt", (0.0, 1.0, 0.0))
