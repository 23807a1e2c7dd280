"""The rigid plate of the Delta family: all legs hold one body that only translates.

Yaw, where the robot has it, comes down a telescopic shaft with its own motor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, final

from parapick.fields import label, quantity
from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.joints import PlateJoint, vertical
from parapick.mechanism.plates.plate import Part, PlatePose, Tool, Traits, TurningBody, at_centre, rotation, turned
from parapick.mechanism.plates.telescope import Telescope

if TYPE_CHECKING:
    from parapick.mechanism.legs.linear import Linear


@final
@dataclass(frozen=True)
class Rigid:
    """One body; `B_i = p + radius u_i` (corbel2010 (3))."""

    radius: float = quantity("m", "distance of the plate joints from the plate's centre", above=0.0)
    kind: Literal["rigid"] = label("one body that only translates", default="rigid")
    angles: tuple[float, ...] | None = quantity(
        "rad", "azimuth of each plate joint; the motors' if not given", default=None
    )
    mass: float | None = quantity("kg", "mass of the plate", default=None, at_least=0.0)
    telescope: Telescope | None = label("shaft that gives the tool its yaw", default=None)

    @property
    def traits(self) -> Traits:
        """Its mass, and the joints of its telescope."""
        joints = () if self.telescope is None else (PlateJoint("tool", "hinge"), PlateJoint("telescope", "telescope"))
        inertia = "" if self.telescope is None else "telescope.inertia"
        return Traits(masses=("mass",), drive_path="telescope.drive", tool_inertia=inertia, joints=joints)

    @property
    def dof(self) -> int:
        """Three translations, and yaw with a telescope."""
        return 3 if self.telescope is None else 4

    @property
    def drive(self) -> Drive | None:
        """Drive of the telescope."""
        return None if self.telescope is None else self.telescope.drive

    @property
    def yaw_length(self) -> Any:
        """The plate's radius."""
        return self.radius

    @property
    def linear(self) -> tuple[Linear, ...]:
        """The telescope."""
        from parapick.mechanism.legs.linear import Linear

        return () if self.telescope is None else (Linear((0.0, 0.0, 0.0, self.telescope.ratio)),)

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector; where the rod pairs do not hold it, it may turn about three axes.

        A tool on a telescope tilts with the plate, but its yaw is the shaft's.
        """
        shaft, body = self.telescope, rotation(3, yaw=2)
        tool = turned((body if shaft is None else _turn_on_shaft(shaft, x), at_centre()))
        return PlatePose(
            points=tuple(x[:3] + r for r in arms),
            tool=Tool(x[:3], 0.0 if shaft is None else x[3], tool),
            parts=(Part("plate", self.mass, x[:3], turned((body, at_centre()))),),
            yaws=() if shaft is None else (TurningBody("tool", shaft.inertia, x[3], tool),),
            internal=tuple(turned((body, r)) for r in arms),
            joint_axes=() if shaft is None else (vertical(), shaft.upward(x)),
            own_compliance=() if shaft is None else (shaft.ratio**2 * shaft.compliance(x),),
            joint_loads=lambda cut: () if shaft is None else shaft.loads(x, cut),
            swings=() if shaft is None else shaft.bodies(x),
        )


def _turn_on_shaft(shaft: Telescope, x: Any) -> Any:
    """Turn matrix of the tool where the plate tilts and the motor of its telescope stands.

    Of a telescope without mass only the torque about the vertical counts, and the tool does not turn about it. The
    universal joints of real halves let it turn across the moment that they pass.
    """
    turn = rotation(3)
    if shaft.massive:
        turn[2, :2] = -shaft.cardan(x)[:2].T
    return turn
