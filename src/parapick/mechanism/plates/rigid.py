"""The rigid plate of the Delta family: all legs hold one body that only translates.

Yaw, where the robot has it, comes down a telescopic shaft with its own motor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, final

import casadi as ca

from parapick.fields import label, quantity
from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench, tool_wrench, vertical
from parapick.mechanism.plates.plate import Part, PlatePose, Tool, Traits, TurningBody, at_centre, rotation, turned

if TYPE_CHECKING:
    from parapick.mechanism.legs.linear import Linear


@final
@dataclass(frozen=True)
class Telescope:
    """A telescopic shaft that turns the tool on the plate: `q = ratio yaw`."""

    ratio: float = quantity("", "joint turns per turn of the tool", default=1.0, above=0.0)
    inertia: float = quantity("kg m2", "yaw inertia of shaft and tool", default=0.0, at_least=0.0)
    drive: Drive | None = label("drive of the shaft", default=None)
    tube_radius: float | None = quantity("m", "outer radius of its tubes, as one", default=None, above=0.0)
    tube_bore: float | None = quantity("m", "inner radius of its tubes; solid if not given", default=None, at_least=0.0)
    shear_modulus: float | None = quantity("Pa", "shear modulus of its tubes", default=None, above=0.0)
    joint_stiffness: float | None = quantity(
        "N m/rad", "torsional stiffness of its universal joints and its spline together", default=None, above=0.0
    )

    def compliance(self, x: Any) -> Any:
        """Twist of the tool per unit torque about the vertical (rad/(N m)): tubes as long as the pose needs, joints.

        The shaft of length d slants, so its universal joints pass g times the torque to it and, the other way, its
        twist to the tool: `g^2 (d / (G J) + 1 / k)`. What the file does not state is rigid.

        Args:
            x: task vector (m, rad).
        """
        share, soft = ca.dot(cardan(x), upward_shaft(x)), ca.SX(0)
        if self.shear_modulus is not None and self.tube_radius is not None:
            bore = 0.0 if self.tube_bore is None else self.tube_bore
            soft += ca.norm_2(x[:3]) / (self.shear_modulus * math.pi / 2 * (self.tube_radius**4 - bore**4))
        if self.joint_stiffness is not None:
            soft += 1 / self.joint_stiffness
        return share * share * soft


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
        tool = turned((body if shaft is None else rotation(3), at_centre()))
        return PlatePose(
            points=tuple(x[:3] + r for r in arms),
            tool=Tool(x[:3], 0.0 if shaft is None else x[3], tool),
            parts=(Part("plate", self.mass, x[:3], turned((body, at_centre()))),),
            yaws=() if shaft is None else (TurningBody("tool", shaft.inertia, x[3], tool),),
            internal=tuple(turned((body, r)) for r in arms),
            joint_axes=() if shaft is None else (vertical(), upward_shaft(x)),
            own_compliance=() if shaft is None else (shaft.ratio**2 * shaft.compliance(x),),
            joint_loads=lambda cut: () if shaft is None else _loads(x, cut),
        )


def upward_shaft(x: Any) -> Any:
    """Unit vector of the telescope from the tool up to the middle of the base, the origin.

    Args:
        x: task vector (m, rad).
    """
    return -x[:3] / ca.norm_2(x[:3])


def cardan(x: Any) -> Any:
    """Direction, with a vertical component of 1, of the moment that the telescope's universal joints pass.

    A universal joint passes a moment across both arms of its cross. Those of the outer forks lie level and turn with
    the tool, along x at yaw 0; so with the shaft s and the arm a, `s - a (a . s)`, which is alike at both ends.

    Args:
        x: task vector (m, rad).
    """
    shaft, arm = upward_shaft(x), ca.vertcat(ca.cos(x[3]), ca.sin(x[3]), 0.0)
    return (shaft - arm * ca.dot(arm, shaft)) / shaft[2]


def _loads(x: Any, cut: PlateCut) -> tuple[Wrench, ...]:
    """Bearing of the tool on the plate, and the telescope, which slides freely: a moment is all it passes.

    The universal joints of a slanting shaft pass more than the torque about the vertical; the bearing holds the rest.
    """
    tool = tool_wrench(cut, x[:3])
    moment = tool.moment[2] * cardan(x)
    return Wrench(tool.force, tool.moment - moment), Wrench(ca.SX.zeros(3), moment)
