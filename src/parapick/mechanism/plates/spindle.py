"""The ball-screw-spline at the tip of a planar five-bar linkage (righettini2024 (7)-(11)).

The linkage holds the spindle's axis at (x, y); a screw nut and a spline nut, each with its own motor, lift and turn
the shaft.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

import casadi as ca

from parapick.fields import label, quantity
from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench, vertical
from parapick.mechanism.plates.plate import Part, PlatePose, Tool, Traits, TurningBody

if TYPE_CHECKING:
    from parapick.mechanism.legs.linear import Linear


@final
@dataclass(frozen=True)
class Spindle:
    """Both arms meet in `B = (x, y, 0)`; screw nut `q3 = yaw - 2 pi z / pitch`, spline nut `q4 = yaw`."""

    traits: ClassVar[Traits] = Traits(
        masses=("mass",),
        one_point=True,
        planar=True,
        legs=2,
        tool_inertia="inertia",
        joints=(PlateJoint("screw nut", "screw"), PlateJoint("spline nut", "spline")),
    )
    dof: ClassVar[int] = 4
    radius: ClassVar[float] = 0.0
    angles: ClassVar[None] = None

    pitch: float = quantity("m", "lift of the shaft per turn of the screw nut", above=0.0)
    kind: Literal["spindle"] = label("ball-screw-spline on a planar linkage", default="spindle")
    mass: float | None = quantity("kg", "mass of shaft and end effector", default=None, at_least=0.0)
    inertia: float = quantity("kg m2", "yaw inertia of shaft and end effector", default=0.0, at_least=0.0)
    screw_nut_inertia: float = quantity("kg m2", "moment of inertia of the screw nut", default=0.0, at_least=0.0)
    spline_nut_inertia: float = quantity("kg m2", "moment of inertia of the spline nut", default=0.0, at_least=0.0)
    drive: Drive | None = label("drive of each nut", default=None)

    @property
    def yaw_length(self) -> Any:
        """Lift per radian of the screw nut."""
        return self.pitch / (2 * math.pi)

    @property
    def linear(self) -> tuple[Linear, ...]:
        """Screw nut and spline nut."""
        from parapick.mechanism.legs.linear import Linear

        return (
            Linear((0.0, 0.0, -1 / self.yaw_length, 1.0)),
            Linear((0.0, 0.0, 0.0, 1.0)),
        )

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The spindle at a task vector; single planar links have no internal kind of singularity."""
        screw, spline = self.linear
        carriage = ca.vertcat(x[0], x[1], 0.0)
        return PlatePose(
            points=(carriage,) * 2,
            tool=Tool(x[:3], x[3]),
            parts=(Part("shaft", self.mass, x[:3]),),
            yaws=(
                TurningBody("shaft", self.inertia, x[3]),
                TurningBody("screw nut", self.screw_nut_inertia, ca.mtimes(screw.row, x)),
                TurningBody("spline nut", self.spline_nut_inertia, ca.mtimes(spline.row, x)),
            ),
            joint_axes=(vertical(),) * 2,
            joint_loads=lambda cut: self._loads(carriage, cut),
        )

    def _loads(self, carriage: Any, cut: PlateCut) -> tuple[Wrench, ...]:
        """Both nuts on the shaft: the screw nut lifts it, its torque -h' times its force; the spline holds the rest."""
        shaft = cut(carriage, ("shaft", "payload"))
        lift, torque = shaft.force[2], -self.yaw_length * shaft.force[2]
        nut = Wrench(ca.vertcat(0.0, 0.0, lift), ca.vertcat(0.0, 0.0, torque))
        return nut, Wrench(shaft.force - nut.force, shaft.moment - nut.moment)
