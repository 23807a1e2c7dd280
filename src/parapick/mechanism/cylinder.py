"""An upright cylinder, in which a robot is meant to work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import casadi as ca
import numpy as np

from parapick.errors import ParameterError
from parapick.fields import label, quantity
from parapick.mechanism.box import Box
from parapick.mechanism.region_ends import (
    Bounds,
    Extent,
    check_ends,
    check_inside,
    end_rims,
    even_place_expressions,
    even_places,
    side_box,
    upright,
    upright_extents,
    with_upright_expressions,
    with_upright_slack,
)
from parapick.mechanism.round_region import COARSE, HAIR, circle, disc_nearest, disc_places, disc_points


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
        return circle(self.x, self.y, self.radius)

    @property
    def rims(self) -> tuple[np.ndarray, ...]:
        """Its rim at both ends, each a closed line (n, 3), m."""
        return end_rims(self)

    @property
    def side(self) -> np.ndarray:
        """Its outline along y as a closed line (n, 2) of x and z, m."""
        return side_box(self)

    @property
    def bends(self) -> tuple[float, ...]:
        """Heights between its ends at which its side has an edge: none."""
        return ()

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """Its own coordinates with their ends."""
        return (("radius", 0.0, self.radius), ("azimuth", 0.0, 2 * math.pi), *upright(self))

    @property
    def coarse(self) -> tuple[int, int]:
        """Counts of radii and azimuths that show where reach ends."""
        return COARSE

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
        return disc_places(self.x, self.y, coordinates)

    def narrowing(self, z: np.ndarray) -> np.ndarray:
        """Share of its radius at heights (...): all of it.

        Args:
            z: the heights (m).
        """
        return np.ones_like(z)

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
        return disc_points(counts)

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """Points (..., k) in units of its extents, those outside moved to the nearest of the region.

        Args:
            points: the points (..., k).
        """
        return disc_nearest(points)

    def unit_places(self, points: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) of points in units of its extents.

        Args:
            points: the points (..., k).
        """
        return even_places(self, points)

    def unit_place_expressions(self, point: Any) -> list[Any]:
        """The same of one point as expressions, where fields may be symbols.

        Args:
            point: column of symbols, dof x 1.
        """
        return even_place_expressions(self, point)

    def encloses(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Whether places lie in it, seen from above.

        Args:
            x: x of the places (m).
            y: y of the places (m).
            z: their heights (m), which do not matter here.
        """
        return np.asarray((np.hypot(x - self.x, y - self.y) <= self.radius) & np.isfinite(z))

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
        flat = self.radius - ca.sqrt((x[0] - self.x) ** 2 + (x[1] - self.y) ** 2 + HAIR)
        return with_upright_expressions(self, flat, x)

    def shrunk(self, share: float) -> Cylinder:
        """The same with its horizontal size multiplied by a share, about its axis.

        Args:
            share: between 0 and 1.
        """
        return replace(self, radius=share * self.radius)

    def layer(self, low: float, high: float) -> Cylinder:
        """The same between two heights.

        Args:
            low: lower height (m).
            high: upper height (m).
        """
        return replace(self, z_min=low, z_max=high)

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
