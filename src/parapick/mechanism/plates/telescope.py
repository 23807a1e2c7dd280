"""The telescopic shaft of a Delta that turns its tool: two halves, each with a universal joint, slide in each other.

Letters: `o` the upper universal joint, on the base; `p` the lower one, at the plate's centre; `s` the unit vector of
the shaft, from p up to o; `a` the level arm of both crosses, which turns with the tool and lies along x at yaw 0; `b`
the other arm, fixed in the shaft and across a and s. The outer forks are parallel, so both ends have the same a and b,
and the tool turns as its motor turns. The shaft between them does not: it turns about s at the rate

    ((s . a) sd . (a x s) + s_z yawd) / (1 - (s . a)^2)

which follows from b alone, `bd . (s x b)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.fields import label, quantity
from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.joints import PlateCut, Wrench, tool_wrench
from parapick.mechanism.plates.plate import SwingingBody, fixed

HALVES: Final = ("upper half", "lower half")
"""Names of the halves among the bodies of the plate."""


@final
@dataclass(frozen=True)
class TelescopeHalf:
    """One half of a telescope: a body of revolution about the shaft, as far as its moments of inertia tell."""

    mass: float = quantity("kg", "mass", at_least=0.0)
    center: float = quantity(
        "m", "distance of its centre of mass from its own universal joint, along the shaft", at_least=0.0
    )
    inertia: float = quantity(
        "kg m2", "moment of inertia about a transverse axis through its centre", default=0.0, at_least=0.0
    )
    spin_inertia: float = quantity("kg m2", "moment of inertia about the shaft's axis", default=0.0, at_least=0.0)


@final
@dataclass(frozen=True)
class Telescope:
    """A telescopic shaft that turns the tool on the plate: `q = ratio yaw`."""

    ratio: float = quantity("", "joint turns per turn of the tool", default=1.0, above=0.0)
    inertia: float = quantity(
        "kg m2",
        "inertia of what turns with the tool about the vertical, without halves that have their own",
        default=0.0,
        at_least=0.0,
    )
    drive: Drive | None = label("drive of the shaft", default=None)
    tube_radius: float | None = quantity("m", "outer radius of its tubes, as one", default=None, above=0.0)
    tube_bore: float | None = quantity("m", "inner radius of its tubes; solid if not given", default=None, at_least=0.0)
    shear_modulus: float | None = quantity("Pa", "shear modulus of its tubes", default=None, above=0.0)
    joint_stiffness: float | None = quantity(
        "N m/rad", "torsional stiffness of its universal joints and its spline together", default=None, above=0.0
    )
    upper: TelescopeHalf | None = label("the half on the base; without mass if not given", default=None)
    lower: TelescopeHalf | None = label("the half on the plate; without mass if not given", default=None)
    height: float | None = quantity(
        "m", "z of its upper universal joint, which lies on the base's axis; 0 if not given", default=None
    )

    @property
    def massive(self) -> bool:
        """Whether one of its halves has a mass."""
        return self.upper is not None or self.lower is not None

    def span(self, x: Any) -> Any:
        """Vector from the upper universal joint to the lower one (m).

        Args:
            x: task vector (m, rad).
        """
        return x[:3] if self.height is None else x[:3] - ca.vertcat(0.0, 0.0, self.height)

    def upward(self, x: Any) -> Any:
        """Unit vector s of the shaft, from the tool up to the base.

        Args:
            x: task vector (m, rad).
        """
        span = self.span(x)
        return -span / ca.norm_2(span)

    def cardan(self, x: Any) -> Any:
        """Direction, with a vertical component of 1, of the moment that the universal joints pass.

        A universal joint passes a moment across both arms of its cross, `a x b`; with s that is `s - a (a . s)`, which
        is alike at both ends.

        Args:
            x: task vector (m, rad).
        """
        shaft, arm = self.upward(x), _level_arm(x)
        return (shaft - arm * ca.dot(arm, shaft)) / shaft[2]

    def compliance(self, x: Any) -> Any:
        """Twist of the tool per unit torque about the vertical (rad/(N m)): tubes as long as the pose needs, joints.

        The shaft of length d slants, so its universal joints pass g times the torque to it and, the other way, its
        twist to the tool: `g^2 (d / (G J) + 1 / k)`. What the file does not state is rigid.

        Args:
            x: task vector (m, rad).
        """
        share, soft = ca.dot(self.cardan(x), self.upward(x)), ca.SX(0)
        if self.shear_modulus is not None and self.tube_radius is not None:
            bore = 0.0 if self.tube_bore is None else self.tube_bore
            soft += ca.norm_2(self.span(x)) / (self.shear_modulus * math.pi / 2 * (self.tube_radius**4 - bore**4))
        if self.joint_stiffness is not None:
            soft += 1 / self.joint_stiffness
        return share * share * soft

    def bodies(self, x: Any) -> tuple[SwingingBody, ...]:
        """The halves that have a mass.

        Where the plate could tilt, both stay: the motor holds them, and their ends do not move.

        Args:
            x: task vector (m, rad).
        """
        if not self.massive:
            return ()
        up = self.upward(x)
        across = ca.cross(up, _level_arm(x))
        arm = across / ca.norm_2(across)
        axes = up, arm, ca.cross(up, arm)
        top = x[:3] - self.span(x)
        places = zip(HALVES, (self.upper, self.lower), (top, x[:3]), (-up, up), strict=True)
        return tuple(
            SwingingBody(name, half.mass, end + half.center * inward, _second_moments(half), axes, fixed(3))
            for name, half, end, inward in places
            if half is not None
        )

    def loads(self, x: Any, cut: PlateCut) -> tuple[Wrench, Wrench]:
        """Bearing of the tool on the plate, and what the telescope passes to the tool.

        The universal joints of a slanting shaft pass more than the torque about the vertical; the bearing holds the
        rest. Without mass the shaft, which slides freely, passes a moment M alone. With mass it leans on the tool too.
        Of the force f of the tool on the lower half, the part along the shaft is what that half needs, for nothing
        along the shaft passes the slide. The rest follows from the moments about o of both halves, `K = d x f - M + N`
        with d from o to p and N the moment of the upper joint, which has the direction of `cardan` too.

        Args:
            x: task vector (m, rad).
            cut: what must act on bodies of the plate.
        """
        tool, direction = tool_wrench(cut, x[:3]), self.cardan(x)
        moment = tool.moment[2] * direction
        if not self.massive:
            return Wrench(tool.force, tool.moment - moment), Wrench(ca.SX.zeros(3), moment)
        span, down = self.span(x), -self.upward(x)
        needed = cut(x[:3] - span, HALVES).moment + moment
        needed -= direction * ca.dot(needed, down) / ca.dot(direction, down)
        push = ca.cross(needed, down) / ca.norm_2(span) + down * ca.dot(cut(x[:3], HALVES[1:]).force, down)
        return Wrench(tool.force + push, tool.moment - moment), Wrench(-push, moment)


def _level_arm(x: Any) -> Any:
    """Unit vector a."""
    return ca.vertcat(ca.cos(x[3]), ca.sin(x[3]), 0.0)


def _second_moments(half: TelescopeHalf) -> tuple[Any, Any, Any]:
    """Second moments of mass along the shaft and along two axes across it (kg m2)."""
    return half.inertia - half.spin_inertia / 2, half.spin_inertia / 2, half.spin_inertia / 2
