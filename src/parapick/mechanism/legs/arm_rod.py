"""An arm that turns on its motor, with a rod or a pair of rods to the plate.

Letters: `P` centre of the motor axis, `A` elbow, `B` point of the plate, `l` arm, `L` rod (corbel2010 (1)-(7)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.kernel import noted
from parapick.mechanism.legs.leg import LegMotion, LegPose, Link, Term
from parapick.mechanism.legs.rods import rod_angle, rod_lean, rod_links, rod_newton, rod_residual, rod_terms, upward
from parapick.mechanism.rod import ONE_ROD, Ends, Rods

_CLOSURE: Final = "closure l (F cos(phi) + E sin(phi)) = G, h = branch sqrt(l^2 (E^2 + F^2) - G^2)"
_ARM: Final = "arm, w = dA/dq, rod = B - A, lever = rod . w"
_MOTION: Final = "motion qd = rod . vB / lever, qdd, acceleration aA of the elbow"
"""Groups under which the values of a leg are noted."""


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
        rods: the rods.
        mass: mass of the arm (kg).
        mass_center: distance of the arm's centre of mass from P, along the arm (m).
        mass_offset: its distance from the arm, positive along `w` (m); None where it lies on the line from P to A.
        inertia: moment of inertia of the arm about the motor axis (kg m2).
    """

    # The same for every arm, so no fields: it may turn anywhere, and a turn is a turn.
    stops = (None, None)
    period = 2 * math.pi

    base: Any
    forward: Any
    up: Any
    zero: Any
    sign: Any
    arm: Any
    rod: Any
    branch: Any
    center: Any = 0.0
    rods: Rods = ONE_ROD
    mass: Any = 0.0
    mass_center: Any = 0.0
    mass_offset: Any = None
    inertia: Any = 0.0

    @property
    def radius(self) -> Any:
        """The arm's length (m)."""
        return self.arm

    @property
    def bending(self) -> Any:
        """Arm and rod both turn."""
        return 1 / self.arm + 1 / self.rod

    @property
    def carrier(self) -> Any:
        """The arm's length (m)."""
        return self.arm

    @property
    def size(self) -> Any:
        """The arm's length (m)."""
        return self.arm

    @property
    def anchors(self) -> tuple[Any, ...]:
        """The motor."""
        return (self.base,)

    @property
    def reach(self) -> Any:
        """Arm and rod stretched (m)."""
        return self.arm + self.rod

    @property
    def extent(self) -> Any:
        """Arm and rod stretched (m)."""
        return self.arm + self.rod

    @property
    def axis(self) -> Any:
        """Unit vector of the motor axis; q counts positive about it."""
        return self.sign * ca.cross(self.forward, self.up)

    @property
    def pair(self) -> Any:
        """Unit vector from the first rod of a pair to the second, along the motor axis (f of nabat2005)."""
        return ca.cross(self.up, self.forward)

    def close(self, end: Any) -> LegPose:
        """The leg on a plate point B: one square root, and no trigonometry but the angle itself.

        With d = B - P, F = d.forward, E = d.up and G = (d.d + l^2 - L^2)/2 the closure |B - A| = L reads
        `d . arm = G`, or `l (F cos(phi) + E sin(phi)) = G`; its two roots differ in the sign of
        `h = branch sqrt(l^2 (E^2 + F^2) - G^2)`, and `rod . w = d . w = -sign h`. corbel2010 (9)-(16) in the form that
        needs no asin (papers/corbel2010: erratum E2, the frame of (10)-(16), and erratum E3, (13)).
        """
        closure = self._closure(end)
        # Where the leg does not close the angle is void, but a number: mathematics has slow paths for NaN.
        h = noted(_CLOSURE, "h", self.branch * ca.sqrt(ca.fmax(closure.radicand, 0.0)))
        return self._pose(closure, h, 1 / closure.square)

    def move(self, end: Any, velocity: Any, acceleration: Any) -> LegMotion:
        """The leg on a moving plate point B; not finite where arm and rod are in line, for there no rate follows B.

            qd  = rod . vB / lever
            qdd = (rod . (aB + arm qd^2) + |vB - w qd|^2) / lever

        or, multiplied out with rod . arm + l^2 = d . arm = G: `qdd = (rod . aB + vB . vB + qd (G qd - 2 w . vB)) /
        lever`.
        """
        closure = self._closure(end)
        h = noted(_CLOSURE, "h", self.branch * ca.sqrt(closure.radicand))
        # One division for both reciprocals: lever = -sign h.
        shared = self.sign / (closure.square * h)
        by_lever, by_square = noted(_CLOSURE, "by_lever", -(closure.square * shared)), self.sign * h * shared
        pose = self._pose(closure, h, by_square)
        rate = noted(_MOTION, "qd", ca.dot(pose.rod, velocity) * by_lever)
        own = rate * (closure.g * rate - 2 * ca.dot(pose.w, velocity))
        joint = noted(_MOTION, "qdd", (ca.dot(pose.rod, acceleration) + ca.dot(velocity, velocity) + own) * by_lever)
        elbow = noted(_MOTION, "aA", pose.w * joint - pose.arm * (rate * rate))
        return LegMotion(pose, by_lever, rate, joint, elbow, ca.dot(pose.w, acceleration))

    def _closure(self, point: Any) -> _Closure:
        noted("motor", "forward", self.forward)
        noted("motor", "up", self.up)
        d = noted(_CLOSURE, "d", point - noted("motor", "P", self.base))
        f, e = noted(_CLOSURE, "F", ca.dot(d, self.forward)), noted(_CLOSURE, "E", ca.dot(d, self.up))
        g = noted(_CLOSURE, "G", (ca.dot(d, d) + (self.arm * self.arm - self.rod * self.rod)) / 2)
        square = noted(_CLOSURE, "square", e * e + f * f)
        return _Closure(d, f, e, g, square, noted(_CLOSURE, "radicand", self.arm * self.arm * square - g * g))

    def _pose(self, closure: _Closure, h: Any, by_square: Any) -> LegPose:
        """The leg for one root h of the closure."""
        # The arm in its plane, times the square: the angle needs no division.
        c = noted(_ARM, "c", closure.f * closure.g - closure.e * h)
        s = noted(_ARM, "s", closure.e * closure.g + closure.f * h)
        middle = self.zero + self.sign * self.center
        c0, s0 = ca.cos(middle), ca.sin(middle)
        q = noted(_ARM, "q", self.center + ca.atan2(self.sign * (s * c0 - c * s0), c * c0 + s * s0))
        arm, w = self._arm(c * by_square, s * by_square)
        lever = noted(_ARM, "lever", -self.sign * h)
        # Numerator and denominator times the square, so that a Jacobian costs one division a leg.
        slope = (closure.square * closure.d - (c * self.forward + s * self.up)) / (closure.square * lever)
        rod = noted(_ARM, "rod", closure.d - arm)
        return LegPose(q, arm, w, rod, lever, noted(_ARM, "slope", slope), closure.radicand)

    def at(self, point: Any, q: Any) -> LegPose:
        """The leg at joint angle q; its rod ends at `point` but need not have the length L there."""
        phi = self.zero + self.sign * q
        arm, w = self._arm(self.arm * ca.cos(phi), self.arm * ca.sin(phi))
        rod = noted(_ARM, "rod", point - self.base - arm)
        lever = noted(_ARM, "lever", ca.dot(rod, w))
        return LegPose(q, arm, w, rod, lever, slope=rod / lever, radicand=0.0)

    def _arm(self, c: Any, s: Any) -> tuple[Any, Any]:
        """Arm and dA/dq from the arm's coordinates along `forward` and `up` (m)."""
        arm = noted(_ARM, "arm", c * self.forward + s * self.up)
        return arm, noted(_ARM, "w", self.sign * (c * self.up - s * self.forward))

    def span(self, point: Any) -> tuple[Any, Any]:
        """Smallest and largest distance (m) from B to the circle of the elbow: what the rod must bridge."""
        d = point - self.base
        f, e = ca.dot(d, self.forward), ca.dot(d, self.up)
        r = ca.sqrt(e * e + f * f)
        beside = ca.fmax(ca.dot(d, d) - r * r, 0.0)
        return ca.sqrt(beside + (r - self.arm) ** 2), ca.sqrt(beside + (r + self.arm) ** 2)

    def residual(self, end: Any, q: Any) -> Any:
        """What is left of the rod's length (m): `|B - A(q)| - L`."""
        return rod_residual(self.at(end, q), self.rod)

    def newton(self, end: Any, q: Any, scale: Any, *, encoders: bool) -> tuple[Any, Any, Any]:
        """See `rod_newton`."""
        return rod_newton(self.at(end, q), self.rod, encoders=encoders)

    def unit_row(self, row: Any, scale: Any) -> Any:
        """The row of a rod of unit length."""
        return row / (self.rod * scale)

    def row_square(self, row: Any) -> Any:
        """The rod's squared length (m2)."""
        return self.rod * self.rod

    def terms(self, motion: LegMotion, ends: Ends, gravity: Any) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Torques of arm and rods at the motor, and forces of the rods at the plate."""
        own = (
            Term("arms", self.inertia, motion.acceleration),
            Term("gravity", self.mass * gravity * self.mass_center / self.arm, motion.pose.w[2]),
        )
        if self.mass_offset is not None:
            # The centre is P + (c arm + o w) / l, and dw/dq = -arm.
            own = (*own, Term("gravity", self.mass * gravity * self.mass_offset / self.arm, -motion.pose.arm[2]))
        turning, pulling = rod_terms(self.rods, self.arm, motion, ends, gravity)
        return (*own, *turning), pulling

    def elbow_angle(self, pose: LegPose) -> Any:
        """Angle between AP and AB."""
        return rod_angle(pose.arm, pose.rod)

    def lean(self, pose: LegPose) -> Any:
        """Angle between the rod and the plane in which its arm turns."""
        return rod_lean(self.axis, pose.rod)

    def links(self, pose: LegPose) -> tuple[Link, ...]:
        """The arm from P to A, and the rods."""
        arm = Link("arm", True, self.base, pose.arm, self.arm * self.arm)
        return (arm, *rod_links(self.rods, self.pair, self.rod, self.base + pose.arm, pose.rod))

    def moment(self, pose: LegPose) -> Any:
        """Mass of the arm times the height of its centre (kg m)."""
        height = self.mass_center * pose.arm[2] / self.arm
        if self.mass_offset is not None:
            height = height + self.mass_offset * pose.w[2] / self.arm
        return self.mass * (self.base[2] + height)

    def bearing(self, pose: LegPose, elbow: Any, push: Any, twist: Any, gravity: Any) -> tuple[Any, Any]:
        """Force at P, and moment there without the motor's own torque."""
        share = self.mass_center / self.arm
        center, acceleration = share * pose.arm, share * elbow
        if self.mass_offset is not None:
            # The arm turns as a whole: a quarter of a turn further, w and its acceleration are those of A.
            aside = self.mass_offset / self.arm
            center, acceleration = center + aside * pose.w, acceleration + aside * ca.cross(self.axis, elbow)
        weight = self.mass * (acceleration + upward(gravity))
        moment = ca.cross(pose.arm, push) + ca.cross(center, weight) + twist
        return push + weight, moment - ca.dot(moment, self.axis) * self.axis

    def compliance(self, pose: LegPose, servo: Any, arms: Any, rods: Any) -> Any:
        """Motor that turns, arm that bends as a cantilever, rods that strain (m/N)."""
        along = pose.rod / self.rod
        turning = ca.dot(along, pose.w) ** 2 / servo
        across = 1 - (ca.dot(along, pose.arm) / self.arm) ** 2
        bending = across * self.arm**3 * arms / 3
        strain = self.rod * rods / self.rods.count
        return turning + bending + strain
