"""Where a robot is meant to work, and what its joints and its yaw allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, final

from parapick.mechanism.fields import label, quantity


@final
@dataclass(frozen=True)
class Cylinder:
    """An upright cylinder."""

    radius: float = quantity("m", "radius", above=0.0)
    z_min: float = quantity("m", "lower end")
    z_max: float = quantity("m", "upper end")
    kind: Literal["cylinder"] = label("upright cylinder", default="cylinder")
    x: float = quantity("m", "x of the axis", default=0.0)
    y: float = quantity("m", "y of the axis", default=0.0)
    yaw_min: float = quantity("rad", "smallest yaw, for robots that have yaw", default=0.0)
    yaw_max: float = quantity("rad", "largest yaw, for robots that have yaw", default=0.0)


@final
@dataclass(frozen=True)
class Box:
    """A box along the axes."""

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
    def area(self) -> float:
        """Area of the base (m2)."""
        return (self.x_max - self.x_min) * (self.y_max - self.y_min)


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
