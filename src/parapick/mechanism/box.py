"""A box along the axes, in which a robot is meant to work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, final

import casadi as ca
import numpy as np

from parapick.fields import label, quantity
from parapick.mechanism.region_ends import (
    Bounds,
    Extent,
    between,
    check_ends,
    check_inside,
    end_rims,
    ends_text,
    even_place_expressions,
    even_places,
    evenly,
    extent,
    left_between,
    mesh,
    side_box,
    upright,
    upright_extents,
    with_upright_expressions,
    with_upright_slack,
)


@final
@dataclass(frozen=True)
class Box:
    """A box along the axes; its own coordinates are those of the task vector."""

    x_min: float = quantity("m", "smallest x")
    x_max: float = quantity("m", "largest x")
    y_min: float = quantity("m", "smallest y")
    y_max: float = quantity("m", "largest y")
    z_min: float = quantity("m", "smallest z")
    z_max: float = quantity("m", "largest z")
    kind: Literal["box"] = label("box along the axes", default="box")
    yaw_min: float = quantity("rad", "smallest yaw, for robots that have yaw", default=0.0)
    yaw_max: float = quantity("rad", "largest yaw, for robots that have yaw", default=0.0)

    @property
    def middle(self) -> tuple[float, float]:
        """Where its axis is, seen from above (x, y), m."""
        return (self.x_min + self.x_max) / 2, (self.y_min + self.y_max) / 2

    @property
    def area(self) -> float:
        """Area of the base (m2)."""
        return (self.x_max - self.x_min) * (self.y_max - self.y_min)

    @property
    def width(self) -> tuple[float, float]:
        """Smallest and largest x (m)."""
        return self.x_min, self.x_max

    @property
    def outline(self) -> np.ndarray:
        """Its rim from above as a closed line (5, 2), m."""
        x = [self.x_min, self.x_max, self.x_max, self.x_min, self.x_min]
        y = [self.y_min, self.y_min, self.y_max, self.y_max, self.y_min]
        return np.stack([x, y], axis=-1)

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
        return (("x", self.x_min, self.x_max), ("y", self.y_min, self.y_max), *upright(self))

    @property
    def coarse(self) -> tuple[int, int]:
        """Counts of places along x and y that show where reach ends."""
        return 5, 5

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Middle and half length along x, y, z and yaw."""
        return (extent(self.x_min, self.x_max), extent(self.y_min, self.y_max), *upright_extents(self))

    @property
    def spread(self) -> tuple[float, int]:
        """What a lattice over its base covers (m2; m where it is flat), and along how many axes."""
        sides = [high - low for _, low, high in self.bounds[:2] if high > low]
        return math.prod(sides), len(sides)

    @property
    def text(self) -> str:
        """Its base in words."""
        return f"a box, {', '.join(ends_text(*bounds) for bounds in self.bounds[:2])}"

    def places(self, coordinates: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) at its own coordinates (..., k), which are the same.

        Args:
            coordinates: x, y, z (m) and yaw (rad), the first k of them.
        """
        return coordinates

    def narrowing(self, z: np.ndarray) -> np.ndarray:
        """Share of its width at heights (...): all of it.

        Args:
            z: the heights (m).
        """
        return np.ones_like(z)

    def halves(self, cells: np.ndarray) -> np.ndarray:
        """Half the sides (n, 3), m, of cells in its own coordinates.

        Args:
            cells: smallest and largest coordinates (n, 2, 3).
        """
        return (cells[:, 1] - cells[:, 0]) / 2

    def points(self, counts: Sequence[int]) -> np.ndarray:
        """Points (n, k) of the solid region in units of its extents, each from -1 to 1: rim, ends and inside.

        Args:
            counts: points along x, y, z and yaw, the first k of them.
        """
        return mesh([*map(evenly, counts)])

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """Points (..., k) in units of its extents, those outside moved to the nearest of the region.

        Args:
            points: the points (..., k).
        """
        return np.clip(points, -1.0, 1.0)

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
        within = (x >= self.x_min) & (x <= self.x_max)
        return np.asarray(within & (y >= self.y_min) & (y <= self.y_max) & np.isfinite(z))

    def slack(self, x: np.ndarray) -> np.ndarray:
        """What is left to its border (..., 1), m; with yaw (..., 2), m and rad. Negative is outside.

        Args:
            x: task vectors (..., dof).
        """
        flat = np.minimum(
            between(x[..., 0], self.x_min, self.x_max),
            between(x[..., 1], self.y_min, self.y_max),
        )
        return with_upright_slack(self, flat, x)

    def slack_expressions(self, x: Any) -> list[Any]:
        """The same as expressions, where fields may be symbols.

        Args:
            x: task vector, dof x 1.
        """
        flat = ca.fmin(left_between(x[0], self.x_min, self.x_max), left_between(x[1], self.y_min, self.y_max))
        return with_upright_expressions(self, flat, x)

    def shrunk(self, share: float) -> Box:
        """The same with its horizontal sizes multiplied by a share, about its axis.

        Args:
            share: between 0 and 1.
        """
        (x, y), width, depth = self.middle, share * (self.x_max - self.x_min) / 2, share * (self.y_max - self.y_min) / 2
        return replace(self, x_min=x - width, x_max=x + width, y_min=y - depth, y_max=y + depth)

    def layer(self, low: float, high: float) -> Box:
        """The same between two heights.

        Args:
            low: lower height (m).
            high: upper height (m).
        """
        return replace(self, z_min=low, z_max=high)

    def upright_cut(self, x: float | None, y: float | None) -> Box:
        """Its part at an x, a y or both; itself where neither is given.

        Args:
            x: x of the cut (m).
            y: y of the cut (m).

        Raises:
            ParameterError: the cut misses it.
        """
        box = self
        if x is not None:
            check_inside("x", x, self.x_min, self.x_max)
            box = replace(box, x_min=x, x_max=x)
        if y is not None:
            check_inside("y", y, self.y_min, self.y_max)
            box = replace(box, y_min=y, y_max=y)
        return box

    def check(self) -> None:
        """Raise `ParameterError` if it is no region: with ends in the wrong order."""
        check_ends(self.bounds)
