"""A carriage on a straight rail, with a rod or a pair of rods to the plate: the leg of a linear Delta.

Letters: `P` start of the rail, `a` its direction, `A = P + q a` the carriage, `B` point of the plate, `L` rod.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.kernel import noted
from parapick.mechanism.legs.leg import LegMotion, LegPose, Link, Term
from parapick.mechanism.legs.rods import rod_angle, rod_lean, rod_links, rod_newton, rod_residual, rod_terms, upward
from parapick.mechanism.rod import ONE_ROD, Ends, Rods

_CLOSURE: Final = "closure (along - q)^2 = L^2 - e . e, h = branch sqrt(L^2 - e . e), rod . w = h"
_MOTION: Final = "motion qd = rod . vB / h, qdd"
"""Groups under which the values of a leg are noted."""

SIZE_SHARE: Final = 0.4
"""Size of a leg as a share of its rod: about what an arm would be."""


@final
@dataclass(frozen=True)
class RailRod:
    """A carriage at `A = P + q a`, and a rod from it to the plate; `axis` and `pair` are orthogonal unit vectors.

    Attributes:
        base: point P at q = 0 (m).
        axis: direction a of the rail.
        pair: unit vector from the first rod of a pair to the second.
        travel: length of the rail (m): q lies between 0 and this.
        rod: length L (m).
        branch: +1 where the rod points along `axis`, -1 where it points against it (working mode).
        rods: the rods.
        mass: mass of the carriage (kg).
    """

    # The carriage goes as far as its coordinate.
    radius = 1.0

    base: Any
    axis: Any
    pair: Any
    travel: Any
    rod: Any
    branch: Any
    rods: Rods = ONE_ROD
    mass: Any = 0.0

    @property
    def inertia(self) -> Any:
        """Mass of the carriage (kg)."""
        return self.mass

    @property
    def bending(self) -> Any:
        """The rod alone turns."""
        return 1 / self.rod

    @property
    def stops(self) -> tuple[Any, Any]:
        """The ends of the rail (m)."""
        return 0.0, self.travel

    @property
    def carrier(self) -> Any:
        """The rail's length (m)."""
        return self.travel

    @property
    def size(self) -> Any:
        """A share of the rod (m)."""
        return SIZE_SHARE * self.rod

    @property
    def period(self) -> Any:
        """The rail (m)."""
        return self.travel

    @property
    def anchors(self) -> tuple[Any, ...]:
        """Both ends of the rail."""
        return self.base, self.base + self.travel * self.axis

    @property
    def reach(self) -> Any:
        """The rod (m)."""
        return self.rod

    @property
    def extent(self) -> Any:
        """From the start of the rail, with the carriage at its end and the rod in line (m)."""
        return self.travel + self.rod

    def close(self, end: Any) -> LegPose:
        """The leg on a plate point B: one square root.

        With d = B - P and e = d - (a . d) a the closure |d - q a| = L reads `(a . d - q)^2 = L^2 - e . e`; its roots
        are `q = a . d - h`, `h = branch sqrt(L^2 - e . e)`, and `rod . w = h`.
        """
        along, beside, radicand = self._closure(end)
        # Where the leg does not close the coordinate is void, but a number: mathematics has slow paths for NaN.
        h = noted(_CLOSURE, "h", self.branch * ca.sqrt(ca.fmax(radicand, 0.0)))
        rod = noted(_CLOSURE, "rod", beside + h * self.axis)
        return LegPose(noted(_CLOSURE, "q", along - h), (along - h) * self.axis, self.axis, rod, h, rod / h, radicand)

    def move(self, end: Any, velocity: Any, acceleration: Any) -> LegMotion:
        """The leg on a moving plate point B; not finite where the rod is square to the rail: there no rate follows B.

        qd  = rod . vB / lever
        qdd = (rod . aB + |vB - a qd|^2) / lever
        """
        along, beside, radicand = self._closure(end)
        h = noted(_CLOSURE, "h", self.branch * ca.sqrt(radicand))
        by_lever = 1 / h
        rod = noted(_CLOSURE, "rod", beside + h * self.axis)
        rate = noted(_MOTION, "qd", ca.dot(rod, velocity) * by_lever)
        turning = velocity - rate * self.axis
        joint = noted(_MOTION, "qdd", (ca.dot(rod, acceleration) + ca.dot(turning, turning)) * by_lever)
        pose = LegPose(along - h, (along - h) * self.axis, self.axis, rod, h, rod * by_lever, radicand)
        return LegMotion(pose, by_lever, rate, joint, self.axis * joint, ca.dot(self.axis, acceleration))

    def _closure(self, point: Any) -> tuple[Any, Any, Any]:
        """Part of d along the rail (m), its part beside the rail (m, 3 x 1), and L^2 less the square of that (m2)."""
        noted("rail", "axis", self.axis)
        d = noted(_CLOSURE, "d", point - noted("rail", "P", self.base))
        along = noted(_CLOSURE, "along", ca.dot(d, self.axis))
        beside = noted(_CLOSURE, "e", d - along * self.axis)
        return along, beside, noted(_CLOSURE, "radicand", self.rod * self.rod - ca.dot(beside, beside))

    def at(self, point: Any, q: Any) -> LegPose:
        """The leg with its carriage at q; its rod ends at `point` but need not have the length L there."""
        arm = q * self.axis
        rod = point - self.base - arm
        lever = ca.dot(rod, self.axis)
        return LegPose(q, arm, self.axis, rod, lever, slope=rod / lever, radicand=0.0)

    def span(self, point: Any) -> tuple[Any, Any]:
        """Distance (m) from B to the line of the rail; no rod is too long for it."""
        beside = self._closure(point)[1]
        return ca.sqrt(ca.dot(beside, beside)), ca.SX.inf()

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
        """Forces of carriage and rods along the rail, and forces of the rods at the plate."""
        own = Term("arms", self.mass, motion.acceleration), Term("gravity", self.mass * gravity, self.axis[2])
        sliding, pulling = rod_terms(self.rods, self.radius, motion, ends, gravity)
        return (*own, *sliding), pulling

    def elbow_angle(self, pose: LegPose) -> Any:
        """Angle between the rail, back towards its start, and the rod: 180 deg in line, 90 deg at under-mobility."""
        return rod_angle(self.axis, pose.rod)

    def lean(self, pose: LegPose) -> Any:
        """Angle between the rod and the plane through the rail that is square to the pair."""
        return rod_lean(self.pair, pose.rod)

    def links(self, pose: LegPose) -> tuple[Link, ...]:
        """The carriage, from the joint of one rod to that of the other, and the rods."""
        elbow = self.base + pose.arm
        width = 0.0 if self.rods.count == 1 or self.rods.spacing is None else self.rods.spacing
        carriage = Link("carriage", True, elbow - width / 2 * self.pair, width * self.pair, width * width)
        return (carriage, *rod_links(self.rods, self.pair, self.rod, elbow, pose.rod))

    def moment(self, pose: LegPose) -> Any:
        """Mass of the carriage times its height (kg m)."""
        return self.mass * (self.base[2] + pose.arm[2])

    def bearing(self, pose: LegPose, elbow: Any, push: Any, twist: Any, gravity: Any) -> tuple[Any, Any]:
        """Force and moment of the rail on the carriage, at A; along the rail it is the motor that pushes."""
        force = push + self.mass * (elbow + upward(gravity))
        return force - ca.dot(force, self.axis) * self.axis, twist

    def compliance(self, pose: LegPose, servo: Any, arms: Any, rods: Any) -> Any:
        """Motor that gives way along the rail, rods that strain (m/N); rail and carriage are rigid."""
        return (pose.lever / self.rod) ** 2 / servo + self.rod * rods / self.rods.count
