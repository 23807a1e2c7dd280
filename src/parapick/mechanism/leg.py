"""The two kinds of leg: an arm with a rod, and a leg whose motor is linear in the task vector.

Letters: `P` centre of the motor axis, `A` elbow, `B` point of the plate, `l` arm, `L` rod (corbel2010 (1)-(7)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

__all__ = ["ArmRod", "Leg", "LegMotion", "LegPose", "Linear"]


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
        radicand: real legs have it >= 0 (m2); it has the sign of the leg's slack.
    """

    q: Any
    arm: Any
    w: Any
    rod: Any
    lever: Any
    slope: Any
    radicand: Any


@final
@dataclass(frozen=True)
class LegMotion:
    """An arm-rod leg with its rod ending in a moving plate point.

    Attributes:
        pose: the leg as it stands.
        by_lever: 1 / lever (1/m2).
        rate: joint rate qd (rad/s).
        acceleration: joint acceleration qdd (rad/s2).
        elbow: acceleration of A (m/s2): `w qdd - arm qd^2`.
        across: w . aB (m2/s2), the part of B's acceleration that turns the arm.
    """

    pose: LegPose
    by_lever: Any
    rate: Any
    acceleration: Any
    elbow: Any
    across: Any


@final
@dataclass(frozen=True)
class _Closure:
    """What `l (F cos(phi) + E sin(phi)) = G` is made of; see `ArmRod.close`.

    Attributes:
        d: vector from P to B (m).
        f: F, its part along `forward` (m).
        e: E, its part along `up` (m).
        g: G (m2).
        square: E^2 + F^2 (m2).
        radicand: l^2 (E^2 + F^2) - G^2 (m4).
    """

    d: Any
    f: Any
    e: Any
    g: Any
    square: Any
    radicand: Any


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
        found = self._closure(point)
        # Where the leg does not close the angle is void, but a number: mathematics has slow paths for NaN.
        h = self.branch * ca.sqrt(ca.fmax(found.radicand, 0.0))
        return self._pose(found, h, 1 / found.square)

    def move(self, point: Any, velocity: Any, acceleration: Any) -> LegMotion:
        """The leg on a moving plate point B; not finite where arm and rod are in line, for there no rate follows B.

            qd  = rod . vB / lever
            qdd = (rod . (aB + arm qd^2) + |vB - w qd|^2) / lever

        or, multiplied out with rod . arm + l^2 = d . arm = G: `qdd = (rod . aB + vB . vB + qd (G qd - 2 w . vB)) /
        lever`.

        Args:
            point: B (m).
            velocity: velocity vB (m/s).
            acceleration: acceleration aB (m/s2).
        """
        found = self._closure(point)
        h = self.branch * ca.sqrt(found.radicand)
        # One division for both reciprocals: lever = -sign h.
        shared = self.sign / (found.square * h)
        by_lever, by_square = -(found.square * shared), self.sign * h * shared
        pose = self._pose(found, h, by_square)
        rate = ca.dot(pose.rod, velocity) * by_lever
        own = rate * (found.g * rate - 2 * ca.dot(pose.w, velocity))
        joint = (ca.dot(pose.rod, acceleration) + ca.dot(velocity, velocity) + own) * by_lever
        elbow = pose.w * joint - pose.arm * (rate * rate)
        return LegMotion(pose, by_lever, rate, joint, elbow, ca.dot(pose.w, acceleration))

    def _closure(self, point: Any) -> _Closure:
        d = point - self.base
        f, e = ca.dot(d, self.forward), ca.dot(d, self.up)
        g = (ca.dot(d, d) + (self.arm * self.arm - self.rod * self.rod)) / 2
        square = e * e + f * f
        return _Closure(d, f, e, g, square, self.arm * self.arm * square - g * g)

    def _pose(self, found: _Closure, h: Any, by_square: Any) -> LegPose:
        """The leg for one root h of the closure."""
        # The arm in its plane, times the square: the angle needs no division.
        c, s = found.f * found.g - found.e * h, found.e * found.g + found.f * h
        middle = self.zero + self.sign * self.center
        c0, s0 = ca.cos(middle), ca.sin(middle)
        q = self.center + ca.atan2(self.sign * (s * c0 - c * s0), c * c0 + s * s0)
        arm, w = self._arm(c * by_square, s * by_square)
        lever = -self.sign * h
        # Numerator and denominator times the square, so that a Jacobian costs one division a leg.
        slope = (found.square * found.d - (c * self.forward + s * self.up)) / (found.square * lever)
        return LegPose(q, arm, w, found.d - arm, lever, slope, found.radicand)

    def at(self, point: Any, q: Any) -> LegPose:
        """The leg at joint angle q; its rod ends at `point` but need not have the length L there.

        Args:
            point: B (m).
            q: joint angle (rad).
        """
        phi = self.zero + self.sign * q
        arm, w = self._arm(self.arm * ca.cos(phi), self.arm * ca.sin(phi))
        rod = point - self.base - arm
        lever = ca.dot(rod, w)
        return LegPose(q, arm, w, rod, lever, slope=rod / lever, radicand=0.0)

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
