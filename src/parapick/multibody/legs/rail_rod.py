"""Carriages as bodies: each slides on its rail.

These few lines repeat what `mechanism/` says of rails on purpose: an oracle that shared them could not find them wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast, final
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism import CarriageLimb, Rails, Robot, per_leg
from parapick.multibody.elements import child, plain, slide
from parapick.multibody.geometry import UP, horizontal, shifts
from parapick.multibody.legs.mount import RADIUS_SHARE, spacing_of
from parapick.multibody.masses import armature

SIZE_SHARE: Final = 0.4
"""Size by which a leg on a rail is drawn, as a share of its rod: about what an arm would be."""

ROUGH_SHARE: Final = 0.8
"""Distance of a carriage from its plate joint along the rail, as a share of the rod, at the rough pose."""


@final
@dataclass(frozen=True)
class RailMount:
    """One carriage on its rail.

    Attributes:
        point: where the rail starts, at q = 0 (m).
        axis: direction of the rail.
        side: direction along which the two rods of a pair stand apart.
        travel: length of the rail (m).
        rod: length of a rod (m).
        spacing: distance of the two rods of a pair (m); 0 for a single rod.
        branch: +1 when the rod points along the rail's direction.
    """

    offset: ClassVar[float] = 0.0

    point: np.ndarray
    axis: np.ndarray
    side: np.ndarray
    travel: float
    rod: float
    spacing: float
    branch: float

    @property
    def size(self) -> float:
        """A share of the rod (m)."""
        return SIZE_SHARE * self.rod

    @property
    def extent(self) -> float:
        """Rail and rod (m)."""
        return self.travel + self.rod

    def frame(self, q: float) -> np.ndarray:
        """X along the rail, z along the pair, wherever the carriage is."""
        return np.column_stack([self.axis, np.cross(self.side, self.axis), self.side])

    def elbow(self, q: float) -> np.ndarray:
        """The carriage (m), midway between the rods."""
        return self.point + q * self.axis

    def rough(self, target: np.ndarray) -> float:
        """A place (m) on the right side of a plate joint."""
        return float((target - self.point) @ self.axis - self.branch * ROUGH_SHARE * self.rod)

    def wrapped(self, q: float) -> float:
        """The place itself (m): a rail is straight."""
        return q

    def in_mode(self, plate: np.ndarray, elbow: np.ndarray) -> bool:
        """Whether the rod points along the rail's direction, or against it, as the description names it."""
        return not self.branch * ((plate - elbow) @ self.axis) < 0

    def add(self, robot: Robot, world: ET.Element, leg: int, q: float) -> ET.Element:
        """Carriage with its origin between the joints of its rods, x along the rail and z along the pair."""
        limb, axes = cast("CarriageLimb", robot.limb), self.frame(q)
        body = child(world, "body", name=f"carriage{leg + 1}", pos=self.elbow(q), xyaxes=(*axes[:, 0], *axes[:, 1]))
        # The reference makes the joint's coordinate the robot's own q, whatever pose the file starts from.
        slide(body, f"motor{leg + 1}", (1.0, 0.0, 0.0), ref=q, armature=armature(robot.drive))
        radius = limb.carriage_radius or RADIUS_SHARE * self.size
        plain(body, per_leg(limb.carriage_mass, leg) or 0.0, radius)
        half = max(self.spacing / 2, radius)
        child(body, "geom", class_="arm", type="capsule", size=radius, fromto=(0.0, 0.0, -half, 0.0, 0.0, half))
        child(body, "site", name=f"elbow{leg + 1}", pos=(0.0, 0.0, 0.0))
        return body

    def draw(self, base: ET.Element) -> None:
        """The rail from end to end."""
        ends = (*self.point, *self.elbow(self.travel))
        child(base, "geom", class_="base", type="capsule", size=RADIUS_SHARE * self.size, fromto=ends)


def mounts(robot: Robot) -> tuple[RailMount, ...]:
    """Every carriage on its rail, in leg order.

    Args:
        robot: a resolved description.
    """
    base, limb = cast("Rails", robot.base), robot.limb
    stands = []
    for i, (angle, shift) in enumerate(zip(base.angles, shifts(base), strict=True)):
        tilt, rod, outward = per_leg(base.tilt, i), per_leg(limb.rod_length, i), horizontal(angle)
        axis = np.sin(tilt) * outward - np.cos(tilt) * UP
        spacing = spacing_of(robot, i, SIZE_SHARE * rod)
        place = base.radius * outward + shift
        stands.append(RailMount(place, axis, np.cross(UP, outward), base.length, rod, spacing, robot.branches[i]))
    return tuple(stands)
