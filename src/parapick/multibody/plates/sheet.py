"""What plates are made with: the sheet they and the limbs write on, their root body, spokes to the legs, turning tools.

At the start pose a plate stands at the robot's home with yaw 0 and every body of it has the axes of the world. Where
rods come in pairs the plate is free in all six directions and the pairs must hold it; where rods are single the file
leaves open what keeps the plate level, so it has three slides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, final
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism import Drive, Robot
from parapick.multibody.elements import child, hinge, plain, slide, turning
from parapick.multibody.geometry import attachments

ORIGIN: Final = np.zeros(3)

Elbow = Literal["universal", "ball"]


@final
@dataclass(frozen=True)
class Sheet:
    """The parts of the MJCF document that plate and limbs write to, and the robot they are made from.

    Attributes:
        robot: the resolved description.
        world: element of the world.
        equality: element of the equality constraints.
        tendon: element of the tendons.
        leg: size (m) of the smallest leg, to draw by.
        elbow: kind of joint between arm and rod.
        rod_radius: radius (m) of solid cylinders to use instead of the rod model; None for the rod model.
    """

    robot: Robot
    world: ET.Element
    equality: ET.Element
    tendon: ET.Element
    leg: float
    elbow: Elbow
    rod_radius: float | None

    @property
    def home(self) -> np.ndarray:
        """Plate's centre at the start pose (m)."""
        return np.array(self.robot.home[:3])

    @property
    def size(self) -> float:
        """A length (m) to draw the plate's parts with."""
        return max(float(self.robot.plate.radius), 0.15 * self.leg)

    def couple(self, name: str, follower: str, leader: str, ratio: float) -> None:
        """Tie two joints: follower = ratio leader."""
        poly = (0.0, ratio, 0.0, 0.0, 0.0)
        child(self.equality, "joint", name=name, joint1=follower, joint2=leader, polycoef=poly)


@final
@dataclass(frozen=True)
class Holder:
    """The body of the plate that a leg holds: its element, its origin (m), and the plate joint (m), at the start pose.

    The body's axes are those of the world there.
    """

    body: ET.Element
    origin: np.ndarray
    joint: np.ndarray


@final
@dataclass(frozen=True)
class Built:
    """A finished plate: what each leg holds, the body that carries a payload, and the drives of its own motors."""

    holders: tuple[Holder, ...]
    tool: ET.Element
    motors: tuple[tuple[str, Drive | None], ...] = ()


def root(sheet: Sheet, mass: float) -> ET.Element:
    """The body with the task point: free, or on three slides where single rods cannot hold its orientation.

    Args:
        sheet: where to write.
        mass: its mass (kg).
    """
    body = child(sheet.world, "body", name="plate", pos=sheet.home)
    if sheet.robot.limb.rods == 2:
        child(body, "freejoint", name="plate")
    else:
        for name, axis in zip("xyz", np.eye(3), strict=True):
            slide(body, f"plate_{name}", axis)
    plain(body, mass, sheet.size)
    child(body, "site", name="tool", pos=ORIGIN)
    return body


def held(sheet: Sheet, parts: Sequence[tuple[ET.Element, np.ndarray]], choice: Sequence[int]) -> tuple[Holder, ...]:
    """Legs on the parts, given as (body, its origin at the start pose), with a spoke drawn to each joint.

    Args:
        sheet: where to write.
        parts: bodies and their origins (m).
        choice: which of them each leg holds.
    """
    holders = []
    for r, index in zip(attachments(sheet.robot), choice, strict=True):
        body, origin = parts[index]
        joint = sheet.home + r
        if np.linalg.norm(joint - origin) > 0:
            spoke(sheet, body, ORIGIN, joint - origin)
        holders.append(Holder(body, origin, joint))
    return tuple(holders)


def spoke(sheet: Sheet, body: ET.Element, start: np.ndarray, end: np.ndarray) -> None:
    """A spoke, for the eye.

    Args:
        sheet: where to write.
        body: the body it belongs to.
        start: its start (m), in the body's frame.
        end: its end (m).
    """
    child(body, "geom", class_="plate", type="capsule", size=0.08 * sheet.size, fromto=(*start, *end))


def turn_on(sheet: Sheet, parent: ET.Element, name: str, joint: str, inertia: float) -> ET.Element:
    """A weightless body that turns about the vertical through its parent's origin, drawn with a pointer.

    Args:
        sheet: where to write.
        parent: the body it turns on.
        name: name of the new body.
        joint: name of its joint.
        inertia: yaw inertia (kg m2).
    """
    body = child(parent, "body", name=name)
    hinge(body, joint)
    turning(body, inertia)
    radius = 0.15 * sheet.size
    tip = (0.0, 0.0, -3 * radius)
    child(body, "geom", class_="tool", type="cylinder", size=radius, fromto=(0.0, 0.0, 0.0, *tip))
    child(body, "geom", class_="tool", type="capsule", size=radius / 3, fromto=(*tip, 3 * radius, 0.0, -3 * radius))
    return body
