"""The rigid plate of the Delta family: all legs hold one body that only translates.

Yaw, where the robot has it, comes down a telescopic shaft with its own motor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

import casadi as ca

from parapick.fields import label, quantity
from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.joints import Cut, PlateJoint, Wrench, tool_wrench, vertical
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


@final
@dataclass(frozen=True)
class Rigid:
    """One body; `B_i = p + radius u_i` (corbel2010 (3))."""

    traits: ClassVar[Traits] = Traits(masses=("mass",), drive_path="telescope.drive")

    radius: float = quantity("m", "distance of the plate joints from the plate's centre", above=0.0)
    kind: Literal["rigid"] = label("one body that only translates", default="rigid")
    angles: tuple[float, ...] | None = quantity(
        "rad", "azimuth of each plate joint; the motors' if not given", default=None
    )
    mass: float | None = quantity("kg", "mass of the plate", default=None, at_least=0.0)
    telescope: Telescope | None = label("shaft that gives the tool its yaw", default=None)

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
            joints=()
            if shaft is None
            else (
                PlateJoint("tool", "hinge", x[:3], vertical()),
                PlateJoint("telescope", "telescope", x[:3], upward_shaft(x)),
            ),
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


def _loads(x: Any, cut: Cut) -> tuple[Wrench, ...]:
    """Bearing of the tool on the plate, and the telescope, which slides freely: a moment is all it passes.

    The universal joints of a slanting shaft pass more than the torque about the vertical; the bearing holds the rest.
    """
    tool = tool_wrench(cut, x[:3])
    moment = tool.moment[2] * cardan(x)
    return Wrench(tool.force, tool.moment - moment), Wrench(ca.SX.zeros(3), moment)
