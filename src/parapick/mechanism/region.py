"""Where a robot is meant to work, and what its joints and its yaw allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, final

import casadi as ca
import numpy as np

from parapick.errors import ParameterError
from parapick.fields import label, quantity
from parapick.mechanism.box import Box
from parapick.mechanism.curve import Points
from parapick.mechanism.region_ends import (
    Bounds,
    Extent,
    check_ends,
    check_inside,
    evenly,
    mesh,
    upright,
    upright_extents,
    with_upright_expressions,
    with_upright_slack,
)

_CIRCLE: Final = np.linspace(0.0, 2 * np.pi, 49)
"""Azimuths (rad) of the outline of a cylinder."""

_HAIR: Final = 1e-30
"""Square of a distance (m2) that keeps the slope of a radius finite on the axis, and changes nothing else."""


@final
@dataclass(frozen=True)
class Cylinder:
    """An upright cylinder; its own coordinates are radius, azimuth, z and yaw."""

    radius: float = quantity("m", "radius", above=0.0)
    z_min: float = quantity("m", "lower end")
    z_max: float = quantity("m", "upper end")
    kind: Literal["cylinder"] = label("upright cylinder", default="cylinder")
    x: float = quantity("m", "x of the axis", default=0.0)
    y: float = quantity("m", "y of the axis", default=0.0)
    yaw_min: float = quantity("rad", "smallest yaw, for robots that have yaw", default=0.0)
    yaw_max: float = quantity("rad", "largest yaw, for robots that have yaw", default=0.0)

    @property
    def middle(self) -> tuple[float, float]:
        """Where its axis is, seen from above (x, y), m."""
        return self.x, self.y

    @property
    def area(self) -> float:
        """Area of the base (m2)."""
        return math.pi * self.radius**2

    @property
    def width(self) -> tuple[float, float]:
        """Smallest and largest x (m)."""
        return self.x - self.radius, self.x + self.radius

    @property
    def outline(self) -> np.ndarray:
        """Its rim from above as a closed line (n, 2), m."""
        circle = np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=-1)
        return np.array([self.x, self.y]) + self.radius * circle

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """Its own coordinates with their ends."""
        return (("radius", 0.0, self.radius), ("azimuth", 0.0, 2 * math.pi), *upright(self))

    @property
    def coarse(self) -> tuple[int, int]:
        """Counts of radii and azimuths that show where reach ends.

        24 azimuths hold the planes of symmetry of 3, 4 and 6 legs and the planes halfway between them.
        """
        return 3, 24

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Middle and half length along x, y, z and yaw."""
        return ((self.x, self.radius), (self.y, self.radius), *upright_extents(self))

    @property
    def spread(self) -> tuple[float, int]:
        """What a lattice over its base covers (m2), and along how many axes: azimuths are as dense as on the rim."""
        return 2 * self.area, 2

    @property
    def text(self) -> str:
        """Its base in words."""
        about = "" if self.x == self.y == 0 else f" about x {self.x:g}, y {self.y:g} m"
        return f"a cylinder of radius {self.radius:g} m{about}"

    def places(self, coordinates: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) at its own coordinates (..., k).

        Args:
            coordinates: radius (m), azimuth (rad), z (m) and yaw (rad), the first k of them.
        """
        radius, azimuth = coordinates[..., 0], coordinates[..., 1]
        flat = np.stack([self.x + radius * np.cos(azimuth), self.y + radius * np.sin(azimuth)], axis=-1)
        return np.concatenate([flat, coordinates[..., 2:]], axis=-1)

    def halves(self, cells: np.ndarray) -> np.ndarray:
        """Half the sides (n, 3), m, of cells in its own coordinates; a step of azimuth is longest at the outer radius.

        Args:
            cells: smallest and largest coordinates (n, 2, 3).
        """
        half = (cells[:, 1] - cells[:, 0]) / 2
        half[:, 1] *= cells[:, 1, 0]
        return half

    def points(self, counts: Sequence[int]) -> np.ndarray:
        """Points (n, k) of the solid region in units of its extents, each from -1 to 1: rim, ends and inside.

        Args:
            counts: points along radius, azimuth, z and yaw, the first k of them; the axis is one point.
        """
        radius = np.linspace(0.0, 1.0, counts[0]) if counts[0] > 1 else np.ones(1)
        azimuth = np.linspace(0.0, 2 * np.pi, counts[1], endpoint=False)
        points = mesh([radius, azimuth, *map(evenly, counts[2:])])
        radius, azimuth = points[:, 0].copy(), points[:, 1].copy()
        points[:, 0], points[:, 1] = radius * np.cos(azimuth), radius * np.sin(azimuth)
        return points[(radius > 0.0) | (azimuth == 0.0)]

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """Points (..., k) in units of its extents, those outside moved to the nearest of the region.

        Args:
            points: the points (..., k).
        """
        inside = np.clip(points, -1.0, 1.0)
        radius = np.hypot(points[..., 0], points[..., 1])[..., None]
        inside[..., :2] = points[..., :2] / np.maximum(radius, 1.0)
        return inside

    def encloses(self, x: np.ndarray, y: np.ndarray, slack: float = 0.0) -> np.ndarray:
        """Whether places lie in it, seen from above.

        Args:
            x: x of the places (m).
            y: y of the places (m).
            slack: by how much they may lie outside (m).
        """
        return np.asarray(np.hypot(x - self.x, y - self.y) <= self.radius + slack)

    def slack(self, x: np.ndarray) -> np.ndarray:
        """What is left to its border (..., 1), m; with yaw (..., 2), m and rad. Negative is outside.

        Args:
            x: task vectors (..., dof).
        """
        flat = self.radius - np.hypot(x[..., 0] - self.x, x[..., 1] - self.y)
        return with_upright_slack(self, flat, x)

    def slack_expressions(self, x: Any) -> list[Any]:
        """The same as expressions, where fields may be symbols.

        Args:
            x: task vector, dof x 1.
        """
        flat = self.radius - ca.sqrt((x[0] - self.x) ** 2 + (x[1] - self.y) ** 2 + _HAIR)
        return with_upright_expressions(self, flat, x)

    def shrunk(self, share: float) -> Cylinder:
        """The same with its horizontal size multiplied by a share, about its axis.

        Args:
            share: between 0 and 1.
        """
        return replace(self, radius=share * self.radius)

    def upright_cut(self, x: float | None, y: float | None) -> Cylinder | Box:
        """Its part at an x, a y or both: a box without width; itself where neither is given.

        Args:
            x: x of the cut (m).
            y: y of the cut (m).

        Raises:
            ParameterError: the cut misses it.
        """
        if x is None and y is None:
            return self
        half_x = half_y = self.radius
        if x is not None:
            check_inside("x", x, *self.width)
            half_y = math.sqrt(self.radius**2 - (x - self.x) ** 2)
        if y is not None:
            check_inside("y", y, self.y - half_y, self.y + half_y)
            half_x = math.sqrt(self.radius**2 - (y - self.y) ** 2)
        ends = (self.x - half_x, self.x + half_x, self.y - half_y, self.y + half_y)
        box = Box(*ends, self.z_min, self.z_max, yaw_min=self.yaw_min, yaw_max=self.yaw_max)
        return box.upright_cut(x, y)

    def check(self) -> None:
        """Raise `ParameterError` if it is no region: without size, or with ends in the wrong order."""
        check_ends(upright(self))
        if not 0 < self.radius < math.inf:
            raise ParameterError("region.radius", f"is {self.radius:g} m; it must be greater than 0")


Workspace = Cylinder | Box


@final
@dataclass(frozen=True)
class Limits:
    """Limits of joints, yaw and links. A number holds for every leg, a list gives one a leg.

    What is not given is not limited. The elbow and the ball joints of the rods are passive: nothing drives them, but
    they turn only so far.
    """

    joint_min: float | tuple[float, ...] | None = quantity("rad", "smallest joint angle of the arm legs", default=None)
    joint_max: float | tuple[float, ...] | None = quantity("rad", "largest joint angle of the arm legs", default=None)
    carriage_min: float | tuple[float, ...] | None = quantity(
        "m", "smallest place of the carriages on their rails; the rail's end if not given", default=None
    )
    carriage_max: float | tuple[float, ...] | None = quantity(
        "m", "largest place of the carriages on their rails; the rail's end if not given", default=None
    )
    yaw_min: float | None = quantity("rad", "smallest yaw of the plate", default=None)
    yaw_max: float | None = quantity("rad", "largest yaw of the plate", default=None)
    elbow_min: float | tuple[float, ...] | None = quantity(
        "rad",
        "smallest angle between arm and rod at the elbow; 180 deg is stretched",
        default=None,
        at_least=0.0,
        at_most=math.pi,
    )
    elbow_max: float | tuple[float, ...] | None = quantity(
        "rad",
        "largest angle between arm and rod at the elbow; 180 deg is stretched",
        default=None,
        at_least=0.0,
        at_most=math.pi,
    )
    cone_max: float | tuple[float, ...] | None = quantity(
        "rad",
        "largest angle of a rod out of the plane in which its arm turns: how far its ball joints lean sideways",
        default=None,
        at_least=0.0,
        at_most=math.pi / 2,
    )
    clearance_min: float | None = quantity(
        "m", "smallest distance between links of different legs, surface to surface", default=None, at_least=0.0
    )
    joint_speed: float | tuple[float, ...] | None = quantity(
        "rad/s", "largest speed of the joints of the arm legs", default=None, above=0.0
    )
    joint_acceleration: float | tuple[float, ...] | None = quantity(
        "rad/s2", "largest acceleration of the joints of the arm legs", default=None, above=0.0
    )
    carriage_speed: float | tuple[float, ...] | None = quantity(
        "m/s", "largest speed of the carriages", default=None, above=0.0
    )
    carriage_acceleration: float | tuple[float, ...] | None = quantity(
        "m/s2", "largest acceleration of the carriages", default=None, above=0.0
    )
    joint_jerk: float | tuple[float, ...] | None = quantity(
        "rad/s3", "largest jerk of the joints of the arm legs", default=None, above=0.0
    )
    carriage_jerk: float | tuple[float, ...] | None = quantity(
        "m/s3", "largest jerk of the carriages", default=None, above=0.0
    )
    jerk_over_payload: Points | None = quantity(
        "",
        "share of the largest jerk that a payload leaves, points of mass and share; straight between them",
        default=None,
        units=("kg", ""),
        entries=2,
        at_least=0.0,
    )
    rod_pull: float | tuple[float, ...] | None = quantity(
        "N", "largest pull along one rod, which its ball joints bear", default=None, above=0.0
    )
    rod_push: float | tuple[float, ...] | None = quantity(
        "N",
        "largest push along one rod, which its ball joints bear; buckling is apart",
        default=None,
        above=0.0,
    )
