"""Where a robot is meant to work, and what its joints and its yaw allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

from parapick.fields import quantity
from parapick.mechanism.box import Box
from parapick.mechanism.curve import Points
from parapick.mechanism.cylinder import Cylinder
from parapick.mechanism.revolved import Revolved
from parapick.mechanism.revolved_cut import RevolvedCut

Workspace = Cylinder | Box | Revolved
"""What a file states."""

Region = Workspace | RevolvedCut
"""What a map is laid over: a workspace, or a cut of one."""


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
