"""A body of revolution about an upright axis: working ranges as makers state them, radii over heights.

What is left to its border inside it is the true distance: to its ends, and to its side, cones and cylinders, of which
the nearest point may lie on an edge. Its side is thought to go on beyond both ends, and of ends and side the smaller
counts, so that a profile of one radius measures as the cylinder does, outside too. Letters: `rho` the distance from the
axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any, Final, Literal, final

import casadi as ca
import numpy as np

from parapick.errors import ParameterError
from parapick.fields import label, quantity
from parapick.mechanism.box import Box
from parapick.mechanism.curve import Points
from parapick.mechanism.cylinder import Cylinder
from parapick.mechanism.region_ends import (
    Bounds,
    Extent,
    check_ends,
    check_inside,
    upright,
    upright_extents,
    with_upright_expressions,
    with_upright_slack,
)
from parapick.mechanism.revolved_cut import RevolvedCut, met_heights
from parapick.mechanism.round_region import (
    COARSE,
    HAIR,
    circle,
    disc_nearest,
    disc_places,
    disc_points,
    radii_text,
    radius_at,
)

RADII_MAX: Final = 64
"""Most points of a profile: every one is part of the formulas of a study; makers state three or four."""


@final
@dataclass(frozen=True)
class Revolved:
    """A body of revolution; its own coordinates are radius, azimuth, z and yaw, the radius as at its widest height."""

    radii: Points = quantity(
        "",
        "points of z and radius from the lowest up, straight between them",
        units=("m", "m"),
        entries=2,
    )
    kind: Literal["profile"] = label("body of revolution, radii over heights", default="profile")
    x: float = quantity("m", "x of the axis", default=0.0)
    y: float = quantity("m", "y of the axis", default=0.0)
    yaw_min: float = quantity("rad", "smallest yaw, for robots that have yaw", default=0.0)
    yaw_max: float = quantity("rad", "largest yaw, for robots that have yaw", default=0.0)

    @property
    def z_min(self) -> float:
        """Lower end (m)."""
        return self.radii[0][0]

    @property
    def z_max(self) -> float:
        """Upper end (m)."""
        return self.radii[-1][0]

    @property
    def widest(self) -> Any:
        """Largest radius (m): a number, or an expression where fields are."""
        radii = [radius for _, radius in self.radii]
        return max(radii) if all(isinstance(radius, float) for radius in radii) else reduce(ca.fmax, radii)

    @property
    def middle(self) -> tuple[float, float]:
        """Where its axis is, seen from above (x, y), m."""
        return self.x, self.y

    @property
    def area(self) -> float:
        """Area seen from above (m2)."""
        return math.pi * self.widest**2

    @property
    def width(self) -> tuple[float, float]:
        """Smallest and largest x (m)."""
        return self.x - self.widest, self.x + self.widest

    @property
    def outline(self) -> np.ndarray:
        """Its widest circle from above as a closed line (n, 2), m."""
        return circle(self.x, self.y, self.widest)

    @property
    def rims(self) -> tuple[np.ndarray, ...]:
        """The circles at its heights, lowest first, each a closed line (n, 3), m."""
        rings = ((circle(self.x, self.y, radius), z) for z, radius in self.radii)
        return tuple(np.column_stack([ring, np.full(len(ring), z)]) for ring, z in rings)

    @property
    def side(self) -> np.ndarray:
        """Its outline along y as a closed line (n, 2) of x and z, m."""
        z, radius = np.array(self.radii).T
        right, left = np.stack([self.x + radius, z], axis=-1), np.stack([self.x - radius, z], axis=-1)
        return np.concatenate([left[:1], right, left[::-1]])

    @property
    def bends(self) -> tuple[float, ...]:
        """Heights between its ends at which its side has an edge (m)."""
        return tuple(z for z, _ in self.radii[1:-1])

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """Its own coordinates with their ends."""
        return (("radius", 0.0, self.widest), ("azimuth", 0.0, 2 * math.pi), *upright(self))

    @property
    def coarse(self) -> tuple[int, int]:
        """Counts of radii and azimuths that show where reach ends."""
        return COARSE

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Middle and half length along x, y, z and yaw."""
        return ((self.x, self.widest), (self.y, self.widest), *upright_extents(self))

    @property
    def spread(self) -> tuple[float, int]:
        """What a lattice over its base covers (m2), and along how many axes: azimuths are as dense as on the rim."""
        return 2 * self.area, 2

    @property
    def text(self) -> str:
        """Its shape in words."""
        about = "" if self.x == self.y == 0 else f" about x {self.x:g}, y {self.y:g} m"
        return f"a body of revolution{about} of radius {radii_text(self.radii)}"

    def radius_at(self, z: np.ndarray) -> np.ndarray:
        """Radius at heights (...), m; beyond its ends that of the end.

        Args:
            z: the heights (m).
        """
        return radius_at(self.radii, z)

    def narrowing(self, z: np.ndarray) -> np.ndarray:
        """Share of its largest radius at heights (...).

        Args:
            z: the heights (m).
        """
        return self.radius_at(z) / self.widest

    def places(self, coordinates: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) at its own coordinates (..., k).

        Args:
            coordinates: radius (m) as it would be at the widest height, azimuth (rad), z (m) and yaw (rad), the first
                k of them and at least three.
        """
        return disc_places(self.x, self.y, coordinates, self.narrowing(coordinates[..., 2]))

    def halves(self, cells: np.ndarray) -> np.ndarray:
        """Half the sides (n, 3), m, of boxes that hold cells in its own coordinates.

        The radius changes with the height, too: by no more than the steepest piece of its side lets it.

        Args:
            cells: smallest and largest coordinates (n, 2, 3).
        """
        half = (cells[:, 1] - cells[:, 0]) / 2
        steepest = max(abs(radius - before) / (z - low) for (low, before), (z, radius) in pairwise(self.radii))
        outer = cells[:, 1, 0] / self.widest
        # A cell may span an edge, where its radius is larger than at both of its ends.
        most = np.minimum(self.radius_at(cells[:, :, 2].mean(axis=1)) + steepest * half[:, 2], self.widest)
        # A sum a + b is at most the root of 2 a^2 + 2 b^2: each side grows with its own coordinate alone.
        half[:, 0] *= math.sqrt(2) * most / self.widest
        half[:, 1] *= outer * most
        half[:, 2] *= np.sqrt(1 + 2 * (outer * steepest) ** 2)
        return half

    def points(self, counts: Sequence[int]) -> np.ndarray:
        """Points (n, k) of the solid region in its units, each from -1 to 1: rim, ends, edges and inside.

        Args:
            counts: points along radius, azimuth, z and yaw, the first k of them; the axis is one point.
        """
        (low, _), (high, _) = self.radii[0], self.radii[-1]
        return disc_points(counts, [2 * (z - low) / (high - low) - 1 for z in self.bends])

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """Points (..., k) in its units, those outside moved to the nearest of the region, as counted in these units.

        Args:
            points: the points (..., k).
        """
        return disc_nearest(points)

    def unit_places(self, points: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) of points in its units: x and y in radii of their height, z and yaw in half lengths.

        Args:
            points: the points (..., k), at least three coordinates of each.
        """
        middle, half = np.array(self.extents)[: points.shape[-1]].T
        places = middle + half * points
        places[..., :2] = [self.x, self.y] + self.radius_at(places[..., 2])[..., None] * points[..., :2]
        return places

    def unit_place_expressions(self, point: Any) -> list[Any]:
        """The same of one point as expressions, where fields may be symbols.

        Args:
            point: column of symbols, dof x 1.
        """
        place = [middle + half * point[i] for i, (middle, half) in enumerate(self.extents[: point.numel()])]
        radius = self._on_side(ca.fmin(ca.fmax(place[2], self.z_min), self.z_max))
        return [self.x + radius * point[0], self.y + radius * point[1], *place[2:]]

    def encloses(self, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Whether places lie in it, seen from above; heights beyond its ends count as the end.

        Args:
            x: x of the places (m).
            y: y of the places (m).
            z: their heights (m).
        """
        return np.asarray(np.hypot(x - self.x, y - self.y) <= self.radius_at(z))

    def slack(self, x: np.ndarray) -> np.ndarray:
        """What is left to its border (..., 1), m; with yaw (..., 2), m and rad. Negative is outside.

        Args:
            x: task vectors (..., dof).
        """
        rho, z = np.hypot(x[..., 0] - self.x, x[..., 1] - self.y), x[..., 2]
        heights, radii = np.array(self.radii).T
        rise, step = np.diff(heights), np.diff(radii)
        length = np.hypot(rise, step)
        up, out = z[..., None] - heights[:-1], rho[..., None] - radii[:-1]
        # How far along each piece its foot lies, as a share; the first and the last piece have no end.
        share = (up * rise + out * step) / length**2
        low, high = np.zeros(len(rise)), np.ones(len(rise))
        low[0], high[-1] = -np.inf, np.inf
        held = np.clip(share, low, high)
        edge = np.hypot(up - held * rise, out - held * step)
        piece = np.clip(np.searchsorted(heights, z, side="right") - 1, 0, len(rise) - 1)
        inside = radii[piece] + (z - heights[piece]) * (step / rise)[piece] >= rho
        signed = np.where(held == share, (up * step - out * rise) / length, np.where(inside[..., None], edge, -edge))
        flat = np.take_along_axis(signed, np.abs(signed).argmin(axis=-1)[..., None], axis=-1)[..., 0]
        return with_upright_slack(self, flat, x)

    def slack_expressions(self, x: Any) -> list[Any]:
        """The same as expressions, where fields may be symbols.

        Args:
            x: task vector, dof x 1.
        """
        rho, z = ca.sqrt((x[0] - self.x) ** 2 + (x[1] - self.y) ** 2 + HAIR), x[2]
        inside, pieces, flat = self._on_side(z) >= rho, [*pairwise(self.radii)], None
        for k, ((low, radius), (high, other)) in enumerate(pieces):
            rise, step, up, out = high - low, other - radius, z - low, rho - radius
            length = ca.sqrt(rise**2 + step**2)
            share = (up * rise + out * step) / length**2
            signed = (up * step - out * rise) / length
            for bound, end, beyond in ((0, k > 0, share < 0), (1, k + 1 < len(pieces), share > 1)):
                if end:
                    edge = ca.sqrt((up - bound * rise) ** 2 + (out - bound * step) ** 2 + HAIR)
                    signed = ca.if_else(beyond, ca.if_else(inside, edge, -edge), signed)
            flat = signed if flat is None else ca.if_else(ca.fabs(signed) < ca.fabs(flat), signed, flat)
        return with_upright_expressions(self, flat, x)

    def _on_side(self, z: Any) -> Any:
        """Radius of the side at a height as an expression (m); beyond its ends the side goes on straight."""
        value = None
        for (low, radius), (high, other) in pairwise(self.radii):
            line = radius + (other - radius) / (high - low) * (z - low)
            value = line if value is None else ca.if_else(z >= low, line, value)
        return value

    def shrunk(self, share: float) -> Revolved:
        """The same with its horizontal size multiplied by a share, about its axis.

        Args:
            share: between 0 and 1.
        """
        return replace(self, radii=tuple((z, share * radius) for z, radius in self.radii))

    def layer(self, low: float, high: float) -> Revolved | Cylinder:
        """Its part between two heights, a cylinder where both are one; beyond its ends the radius is that of the end.

        Args:
            low: lower height (m).
            high: upper height (m).
        """
        if low == high:
            radius = float(self.radius_at(np.array(low)))
            return Cylinder(radius, low, high, x=self.x, y=self.y, yaw_min=self.yaw_min, yaw_max=self.yaw_max)
        return self.between(low, high)

    def between(self, low: float, high: float) -> Revolved:
        """Its part between two heights that differ.

        Args:
            low: lower height (m).
            high: upper height (m).
        """
        heights = [low, *(z for z, _ in self.radii if low < z < high), high]
        return replace(self, radii=tuple((z, float(self.radius_at(np.array(z)))) for z in heights))

    def upright_cut(self, x: float | None, y: float | None) -> Revolved | RevolvedCut | Box:
        """Its part at an x, a y or both: a body without width; itself where neither is given.

        Args:
            x: x of the cut (m).
            y: y of the cut (m).

        Raises:
            ParameterError: the cut misses it.
        """
        if x is None and y is None:
            return self
        aside = [value - middle for value, middle in ((x, self.x), (y, self.y)) if value is not None]
        if x is not None:
            check_inside("x", x, *self.width)
        if y is not None:
            half = math.sqrt(self.widest**2 - (aside[0] ** 2 if x is not None else 0.0))
            check_inside("y", y, self.y - half, self.y + half)
        distance = math.hypot(*aside)
        low, high = met_heights(self.radii, distance, "y" if x is None else "x")
        turn = self.yaw_min, self.yaw_max
        if x is not None and y is not None:
            return Box(x, x, y, y, low, high, yaw_min=turn[0], yaw_max=turn[1])
        radii = self.between(low, high).radii
        if y is not None:
            return RevolvedCut(radii, "x", self.x, y, distance, *turn)
        return RevolvedCut(radii, "y", self.y, self.x + aside[0], distance, *turn)

    def check(self) -> None:
        """Raise `ParameterError` if it is no region: without size, or with heights in the wrong order."""
        for path, message in self.objections():
            raise ParameterError(f"region.{path}", message)
        check_ends(upright(self)[1:])

    def objections(self) -> Iterator[tuple[str, str]]:
        """What is wrong with its points, each with the path below its own table; numbers not known yet are left out."""
        if len(self.radii) < 2:
            yield "radii", "has one point; a body has at least two heights"
            return
        if len(self.radii) > RADII_MAX:
            yield "radii", f"has {len(self.radii)} points; give at most {RADII_MAX}, between which it is straight"
            return
        for number, (z, radius) in enumerate(self.radii, start=1):
            if math.inf in (abs(z), radius):
                yield f"radii.{number}", f"is {radius:g} m at z {z:g} m; both must be finite"
            if radius < 0:
                yield f"radii.{number}.2", f"is {radius:g} m; a radius is at least 0"
        for number, ((z, _), (above, _)) in enumerate(pairwise(self.radii), start=2):
            if above <= z:
                text = f"has z {above:g} m, not above {z:g} m of the point before it"
                yield f"radii.{number}", f"{text}; give points from the lowest up"
        if all(radius == 0 for _, radius in self.radii):
            yield "radii", "has the radius 0 everywhere; a body has a radius greater than 0 at one height at least"
