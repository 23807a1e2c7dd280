"""Where a robot is meant to work, and what its joints and its yaw allow."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, final

import numpy as np

from parapick.fields import label, quantity

Bounds = tuple[str, float, float]
"""A coordinate of a region: its name, its smallest and its largest value (m, rad)."""

_CIRCLE: Final = np.linspace(0.0, 2 * np.pi, 49)
"""Azimuths (rad) of the outline of a cylinder."""


@final
@dataclass(frozen=True)
class Cylinder:
    """An upright cylinder; its own coordinates are radius, azimuth, z and yaw."""

    polar: ClassVar[bool] = True

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
        return (("radius", 0.0, self.radius), ("azimuth", 0.0, 2 * math.pi), *_upright(self))

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
        return _with_upright_slack(self, flat, x)

    def shrunk(self, share: float) -> Cylinder:
        """The same with its horizontal size multiplied by a share, about its axis.

        Args:
            share: between 0 and 1.
        """
        return replace(self, radius=share * self.radius)


@final
@dataclass(frozen=True)
class Box:
    """A box along the axes; its own coordinates are those of the task vector."""

    polar: ClassVar[bool] = False

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
    def bounds(self) -> tuple[Bounds, ...]:
        """Its own coordinates with their ends."""
        return (("x", self.x_min, self.x_max), ("y", self.y_min, self.y_max), *_upright(self))

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

    def encloses(self, x: np.ndarray, y: np.ndarray, slack: float = 0.0) -> np.ndarray:
        """Whether places lie in it, seen from above.

        Args:
            x: x of the places (m).
            y: y of the places (m).
            slack: by how much they may lie outside (m).
        """
        within = (x >= self.x_min - slack) & (x <= self.x_max + slack)
        return np.asarray(within & (y >= self.y_min - slack) & (y <= self.y_max + slack))

    def slack(self, x: np.ndarray) -> np.ndarray:
        """What is left to its border (..., 1), m; with yaw (..., 2), m and rad. Negative is outside.

        Args:
            x: task vectors (..., dof).
        """
        flat = np.minimum(
            _between(x[..., 0], self.x_min, self.x_max),
            _between(x[..., 1], self.y_min, self.y_max),
        )
        return _with_upright_slack(self, flat, x)

    def shrunk(self, share: float) -> Box:
        """The same with its horizontal sizes multiplied by a share, about its axis.

        Args:
            share: between 0 and 1.
        """
        (x, y), width, depth = self.middle, share * (self.x_max - self.x_min) / 2, share * (self.y_max - self.y_min) / 2
        return replace(self, x_min=x - width, x_max=x + width, y_min=y - depth, y_max=y + depth)


Workspace = Cylinder | Box


def ends_text(name: str, low: float, high: float) -> str:
    """The ends of a coordinate in words; one of them where the region is cut there.

    Args:
        name: of the coordinate.
        low: its smallest value (m, rad).
        high: its largest value (m, rad).
    """
    factor, unit = (180.0 / math.pi, "deg") if name == "yaw" else (1.0, "m")
    ends = [f"{factor * low:g}"] if low == high else [f"{factor * low:g}", f"{factor * high:g}"]
    return f"{name} {' to '.join(ends)} {unit}"


def _upright(region: Workspace) -> tuple[Bounds, Bounds]:
    return ("z", region.z_min, region.z_max), ("yaw", region.yaw_min, region.yaw_max)


def _between(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """What is left to the nearer of two ends; negative beyond them."""
    return np.minimum(values - low, high - values)


def _with_upright_slack(region: Workspace, flat: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The smaller slack of base and height (..., 1), m; with yaw also that of yaw (..., 2), rad."""
    place = np.minimum(flat, _between(x[..., 2], region.z_min, region.z_max))
    if x.shape[-1] < 4:
        return place[..., None]
    return np.stack([place, _between(x[..., 3], region.yaw_min, region.yaw_max)], axis=-1)


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
    rod_pull: float | tuple[float, ...] | None = quantity(
        "N", "largest pull along one rod, which its ball joints bear", default=None, above=0.0
    )
    rod_push: float | tuple[float, ...] | None = quantity(
        "N",
        "largest push along one rod, which its ball joints bear; buckling is apart",
        default=None,
        above=0.0,
    )
