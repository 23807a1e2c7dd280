"""The plate of Heli4 and of the asymmetric robot: two sub-platforms joined by a screw.

Letters of wu2020: h pitch, p origin of the lower sub-platform; h' = h / 2 pi is the lift per radian.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, final

import casadi as ca

from parapick.fields import label, quantity
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench, legs_of, vertical
from parapick.mechanism.plates.plate import (
    Internal,
    Part,
    PlatePose,
    Tool,
    Traits,
    TurningBody,
    at_centre,
    rotation,
    turned,
)


@final
@dataclass(frozen=True)
class Screw:
    """`B_i = p + radius u_i + carried_i h' yaw k` (wu2020 (1c)); the carried sub-platform is the nut of the screw."""

    traits: ClassVar[Traits] = Traits(
        masses=("mass", "carried_mass"),
        groups=("carried", (0, 1)),
        tool_inertia="screw_inertia",
        joints=(PlateJoint("screw bearing", "hinge"), PlateJoint("screw pair", "screw")),
    )
    dof: ClassVar[int] = 4
    drive: ClassVar[None] = None
    linear: ClassVar[tuple[()]] = ()

    radius: float = quantity("m", "distance of the plate joints from the screw's axis", above=0.0)
    pitch: float = quantity("m", "lift of the carried sub-platform per turn of the tool", above=0.0)
    carried: tuple[int, ...] = label("1 for the legs on the sub-platform that the screw lifts, 0 for the others")
    kind: Literal["screw"] = label("two sub-platforms joined by a screw", default="screw")
    angles: tuple[float, ...] | None = quantity(
        "rad", "azimuth of each plate joint; the motors' if not given", default=None
    )
    travel: float | None = quantity(
        "m", "travel of the screw from stop to stop, yaw 0 in its middle; no stop if not given", default=None, above=0.0
    )
    mass: float | None = quantity("kg", "mass of the sub-platform that carries the tool", default=None, at_least=0.0)
    carried_mass: float | None = quantity("kg", "mass of the sub-platform the screw lifts", default=None, at_least=0.0)
    screw_inertia: float = quantity("kg m2", "yaw inertia of screw and tool", default=0.0, at_least=0.0)

    @property
    def yaw_length(self) -> Any:
        """Lift per radian h'."""
        return self.pitch / (2 * math.pi)

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector."""
        lift = ca.vertcat(0.0, 0.0, self.yaw_length * x[3])
        joints = tuple(r + lift if c else r for r, c in zip(arms, self.carried, strict=True))
        lower, nut, screw = self._bodies()
        return PlatePose(
            points=tuple(x[:3] + r for r in joints),
            tool=Tool(x[:3], x[3], screw),
            parts=(
                Part("sub-platform", self.mass, x[:3], lower),
                Part("carried sub-platform", self.carried_mass, x[:3] + lift, nut.at(lift)),
            ),
            yaws=(TurningBody("screw", self.screw_inertia, x[3], screw),),
            yaw_slack=math.inf if self.travel is None else self.travel / 2 / self.yaw_length - ca.fabs(x[3]),
            internal=tuple((nut if c else lower).at(r) for r, c in zip(joints, self.carried, strict=True)),
            joint_axes=(vertical(),) * 2,
            joint_loads=lambda cut: self._loads(x, lift, cut),
        )

    def _loads(self, x: Any, lift: Any, cut: PlateCut) -> tuple[Wrench, ...]:
        """Bearing of the screw in its sub-platform, and the thread: without friction its torque is h' times its force.

        The bearing turns freely, so no torque is left about its axis.
        """
        nut, legs = "carried sub-platform", legs_of(self.carried, 1)
        return cut(x[:3], (nut, "screw", "payload"), legs), cut(x[:3] + lift, (nut,), legs)

    def _bodies(self) -> tuple[Internal, Internal, Internal]:
        """Internal motion of the lower sub-platform, the nut and the screw, all at the plate's centre (four speeds).

        They tilt together, for they have one axis; the sub-platforms may each turn by themselves, the screw keeps its
        yaw, and a turning nut climbs down it.
        """
        climb = ca.SX(3, 4)
        climb[2, 3] = -self.yaw_length
        return (
            turned((rotation(4, yaw=2), at_centre())),
            Internal(climb, rotation(4, yaw=3)),
            turned((rotation(4), at_centre())),
        )
