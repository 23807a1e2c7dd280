"""The two kinds of leg: an arm with a rod, and a leg whose motor is linear in the task vector.

Letters: `P` centre of the motor axis, `A` elbow, `B` point of the plate, `l` arm, `L` rod (corbel2010 (1)-(7)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

__all__ = ["ArmRod", "Leg", "LegPose", "Linear"]


@final
@dataclass(frozen=True)
class LegPose:
    """An arm-rod leg with its rod ending in a plate point.

    Attributes:
        q: joint angle (rad).
        arm: vector from P to A (m).
        w: dA/dq (m).
        rod: vector from A to B (m).
        lever: rod . w (m2), by which a joint rate changes the rod's length.
        slope: rod / lever (1/m), so that `qd = slope . vB`.
        along: (B - P) . arm (m2).
        radicand: real legs have it >= 0 (m2); it has the sign of the leg's slack.
    """

    q: Any
    arm: Any
    w: Any
    rod: Any
    lever: Any
    slope: Any
    along: Any
    radicand: Any

    def rate(self, velocity: Any) -> Any:
        """Joint rate (rad/s): `qd = rod . vB / lever`.

        Args:
            velocity: velocity of B (m/s).
        """
        return ca.dot(self.rod, velocity) / self.lever

    def acceleration(self, rate: Any, velocity: Any, acceleration: Any) -> Any:
        """Joint acceleration (rad/s2): `qdd = (rod . (aB + arm qd^2) + |vB - w qd|^2) / lever`.

        Multiplied out, with (B - P) . arm = rod . arm + l^2: `(rod . aB + vB . vB + qd (along qd - 2 w . vB)) / lever`.

        Args:
            rate: joint rate qd (rad/s).
            velocity: velocity of B (m/s).
            acceleration: acceleration of B (m/s2).
        """
        own = rate * (self.along * rate - 2 * ca.dot(self.w, velocity))
        return (ca.dot(self.rod, acceleration) + ca.dot(velocity, velocity) + own) / self.lever


@final
@dataclass(frozen=True)
class ArmRod:
    """An arm that turns at P in the plane of `forward` and `up`, and a rod from its elbow to the plate.

    The arm points to `cos(phi) forward + sin(phi) up` with `phi = zero + sign q`; `forward` and `up` are
    orthogonal unit vectors. Fields are numbers or expressions.

    Attributes:
        base: point P on the motor axis (m).
        forward: direction of the arm at phi = 0.
        up: direction of the arm at phi = pi/2; the motor axis is `sign forward x up`.
        zero: phi at q = 0 (rad).
        sign: +1 or -1, the sense in which q counts.
        arm: length l (m).
        rod: length L (m).
        branch: +1 or -1, which of the two elbows (working mode).
        center: joint angles are answered within half a turn of this one (rad).
    """

    base: Any
    forward: Any
    up: Any
    zero: Any
    sign: Any
    arm: Any
    rod: Any
    branch: Any
    center: Any = 0.0

    @property
    def axis(self) -> Any:
        """Unit vector of the motor axis; q counts positive about it."""
        return self.sign * ca.cross(self.forward, self.up)

    @property
    def pair(self) -> Any:
        """Unit vector from the first rod of a pair to the second, along the motor axis (f of nabat2005)."""
        return ca.cross(self.up, self.forward)

    def close(self, point: Any) -> LegPose:
        """The leg on a plate point B: one square root, and no trigonometry but the angle itself.

        With d = B - P, F = d.forward, E = d.up and G = (d.d + l^2 - L^2)/2 the closure |B - A| = L reads
        `d . arm = G`, or `l (F cos(phi) + E sin(phi)) = G`; its two roots differ in the sign of
        `h = branch sqrt(l^2 (E^2 + F^2) - G^2)`, and `rod . w = d . w = -sign h`. corbel2010 (9)-(16) in the form that
        needs no asin (papers/corbel2010.py: erratum E2, the frame of (10)-(16), and erratum E3, (13)).

        Args:
            point: B (m).
        """
        d = point - self.base
        f, e = ca.dot(d, self.forward), ca.dot(d, self.up)
        g = (ca.dot(d, d) + (self.arm * self.arm - self.rod * self.rod)) / 2
        square = e * e + f * f
        radicand = self.arm * self.arm * square - g * g
        # Where the leg does not close the angle is void, but a number: mathematics has slow paths for NaN.
        h = self.branch * ca.sqrt(ca.fmax(radicand, 0.0))
        # The arm in its plane, times the square: the angle needs no division.
        c, s = f * g - e * h, e * g + f * h
        middle = self.zero + self.sign * self.center
        c0, s0 = ca.cos(middle), ca.sin(middle)
        q = self.center + ca.atan2(self.sign * (s * c0 - c * s0), c * c0 + s * s0)
        arm, w = self._arm(c / square, s / square)
        lever = -self.sign * h
        # Numerator and denominator times the square, so that a Jacobian costs one division a leg.
        slope = (square * d - (c * self.forward + s * self.up)) / (square * lever)
        return LegPose(q=q, arm=arm, w=w, rod=d - arm, lever=lever, slope=slope, along=g, radicand=radicand)

    def at(self, point: Any, q: Any) -> LegPose:
        """The leg at joint angle q; its rod ends at `point` but need not have the length L there.

        Args:
            point: B (m).
            q: joint angle (rad).
        """
        phi = self.zero + self.sign * q
        arm, w = self._arm(self.arm * ca.cos(phi), self.arm * ca.sin(phi))
        d = point - self.base
        rod = d - arm
        lever = ca.dot(rod, w)
        return LegPose(q, arm, w, rod, lever, slope=rod / lever, along=ca.dot(d, arm), radicand=0.0)

    def _arm(self, c: Any, s: Any) -> tuple[Any, Any]:
        """Arm and dA/dq from the arm's coordinates along `forward` and `up` (m)."""
        return c * self.forward + s * self.up, self.sign * (c * self.up - s * self.forward)

    def span(self, point: Any) -> tuple[Any, Any]:
        """Smallest and largest distance (m) from B to the circle of the elbow: what the rod must bridge.

        Args:
            point: B (m).
        """
        d = point - self.base
        f, e = ca.dot(d, self.forward), ca.dot(d, self.up)
        r = ca.sqrt(e * e + f * f)
        beside = ca.fmax(ca.dot(d, d) - r * r, 0.0)
        return ca.sqrt(beside + (r - self.arm) ** 2), ca.sqrt(beside + (r + self.arm) ** 2)

    def slack(self, point: Any) -> Any:
        """What is left of the rod (m): `min(L - d_min, d_max - L)`, negative where the leg cannot close.

        It has the sign of `radicand`: L^2 - d_min^2 = 2 (l r - G) and d_max^2 - L^2 = 2 (l r + G).

        Args:
            point: B (m).
        """
        nearest, farthest = self.span(point)
        return ca.fmin(self.rod - nearest, farthest - self.rod)


@final
@dataclass(frozen=True)
class Linear:
    """A leg whose motor coordinate is linear in the task vector: `q = row . x`.

    The ball screw and the spline of righettini2024 (7), or a telescopic yaw leg.

    Attributes:
        row: coefficients (rad/m for lengths, rad/rad for yaw), one a task coordinate.
    """

    row: Any


Leg = ArmRod | Linear
