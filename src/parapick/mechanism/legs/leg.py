"""What every leg says of itself (two protocols), and the values it answers with.

A leg has one motor coordinate `q` and ends in something of the plate: a leg with rods in a plate point B (m), a leg of
the plate itself in the task vector. Seen from its end every leg is alike: `qd = rod . v / lever`, v the end's velocity.

Letters: `P` where the leg stands, `A` joint between what the motor moves and the rods, `B` plate point, `L` rod,
`w = dA/dq` (corbel2010 (1)-(7)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, final

from parapick.mechanism.rod import Ends, Rods


@final
@dataclass(frozen=True)
class LegPose:
    """A leg on its end.

    Attributes:
        q: coordinate of the motor (rad, or m on a rail).
        arm: vector from P to A (m); None for a leg without rods.
        w: dA/dq (m/rad, or 1 on a rail); None for a leg without rods.
        rod: vector from A to B (m); for a leg without rods the slope of its coordinate.
        lever: rod . w, by which a rate of the coordinate changes the rod's length (m2/rad, or m); 1 without rods.
        slope: rod / lever, so that `qd = slope . v`.
        radicand: real legs have it >= 0 (m4, or m2); it has the sign of the leg's slack. Empty without rods.
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
    """A leg on its moving end.

    Attributes:
        pose: the leg as it stands.
        by_lever: 1 / lever.
        rate: rate qd of the coordinate.
        acceleration: acceleration qdd of the coordinate.
        elbow: acceleration of A (m/s2); None for a leg without rods.
        across: w . aB, the part of B's acceleration that moves the motor; None for a leg without rods.
    """

    pose: LegPose
    by_lever: Any
    rate: Any
    acceleration: Any
    elbow: Any = None
    across: Any = None


class Term(NamedTuple):
    """One summand of a force or torque.

    Attributes:
        part: what it is spent on, a name of `parapick.model.dynamics.PARTS`.
        amount: mass, weight or moment of inertia.
        motion: what it multiplies, a column or a scalar.
    """

    part: str
    amount: Any
    motion: Any


@final
@dataclass(frozen=True)
class Link:
    """A body of a leg as a segment.

    Attributes:
        name: its name in messages, without the number of the leg: "arm", "rod a".
        driven: whether the motor moves it; otherwise it is a rod.
        start: where the segment starts (m).
        along: its end minus its start (m).
        square: its squared length (m2).
    """

    name: str
    driven: bool
    start: Any
    along: Any
    square: Any


class Leg(Protocol):
    """The contract of a leg."""

    def close(self, end: Any) -> LegPose:
        """The leg on its end.

        Args:
            end: what it ends in, a column: the plate point B (m), or the task vector (m, rad).
        """
        ...

    def move(self, end: Any, velocity: Any, acceleration: Any) -> LegMotion:
        """The leg on its moving end.

        Args:
            end: what it ends in, a column: B (m), or the task vector.
            velocity: the end's velocity: vB (m/s), or the rate of the task vector.
            acceleration: the end's acceleration: aB (m/s2), or that of the task vector.
        """
        ...

    def residual(self, end: Any, q: Any) -> Any:
        """What is left of the closure: of the rod's length (m), or of the coordinate.

        Args:
            end: what the leg ends in: B (m), or the task vector.
            q: coordinate of the motor (rad, or m on a rail).
        """
        ...

    def newton(self, end: Any, q: Any, scale: Any, *, encoders: bool) -> tuple[Any, Any, Any]:
        """Residual of the closure for Newton's method, the direction it grows along (at the end), and its divisor.

        Args:
            end: what the leg ends in: B (m), or the task vector.
            q: coordinate of the motor (rad, or m on a rail).
            scale: row that makes task coordinates metres; rods already are in metres.
            encoders: whether the residual is to be an error of the coordinate and not of the rod's length (m); without
                rods both are the same.
        """
        ...

    def unit_row(self, row: Any, scale: Any) -> Any:
        """The row `rod' d(end)/dx`, dimensionless and of unit length for translations.

        Args:
            row: the row.
            scale: row that makes task coordinates metres.
        """
        ...

    def row_square(self, row: Any) -> Any:
        """Squared length of the row `rod' d(end)/dx` in metres, as it is known of the leg.

        Args:
            row: the row, already in metres.
        """
        ...

    def terms(self, motion: LegMotion, ends: Ends, gravity: Any) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """What the leg takes from its motor, without the motor itself, and what it takes from the plate.

        Args:
            motion: the leg in motion.
            ends: how both ends of its rods move.
            gravity: acceleration of gravity (m/s2).
        """
        ...


class RodLeg(Leg, Protocol):
    """The contract of a leg that holds a point of the plate by its rods."""

    @property
    def base(self) -> Any:
        """Point P (m)."""
        ...

    @property
    def axis(self) -> Any:
        """Unit vector about which, or along which, q counts positive."""
        ...

    @property
    def pair(self) -> Any:
        """Unit vector from the first rod of a pair to the second (f of nabat2005)."""
        ...

    @property
    def rod(self) -> Any:
        """Length L of the rods (m)."""
        ...

    @property
    def rods(self) -> Rods:
        """The rods: how many, how far apart, of what mass."""
        ...

    @property
    def radius(self) -> Any:
        """How far A goes with the coordinate, |dA/dq|: the arm's length (m/rad), 1 on a rail."""
        ...

    @property
    def inertia(self) -> Any:
        """Inertia of what the motor moves, at the coordinate (kg m2, or kg on a rail)."""
        ...

    @property
    def bending(self) -> Any:
        """How fast the elbow angle may change with a plate point (1/m), at a lever of 1: see `parapick.model.room`."""
        ...

    @property
    def stops(self) -> tuple[Any, Any]:
        """Smallest and largest coordinate that the leg itself allows; None where it allows any."""
        ...

    @property
    def carrier(self) -> Any:
        """Length of the arm, or of the rail (m)."""
        ...

    @property
    def size(self) -> Any:
        """A length (m) to draw it by: about that of an arm."""
        ...

    @property
    def period(self) -> Any:
        """What the counts of an encoder cover: a turn (rad), or the rail (m)."""
        ...

    @property
    def anchors(self) -> tuple[Any, ...]:
        """Points (m) such that no plate point is farther than `reach` from their hull."""
        ...

    @property
    def reach(self) -> Any:
        """Distance (m) from the hull of the anchors that the plate point cannot exceed."""
        ...

    @property
    def extent(self) -> Any:
        """Largest distance (m) of the plate point from P."""
        ...

    def at(self, point: Any, q: Any) -> LegPose:
        """The leg at a coordinate; its rod ends at `point` but need not have the length L there.

        Args:
            point: B (m).
            q: coordinate of the motor (rad, or m on a rail).
        """
        ...

    def span(self, point: Any) -> tuple[Any, Any]:
        """Smallest and largest distance (m) from B to where A can be: what the rod must bridge.

        What is left of the rod, `min(L - d_min, d_max - L)`, has the sign of `radicand`.

        Args:
            point: B (m).
        """
        ...

    def elbow_angle(self, pose: LegPose) -> Any:
        """Angle (rad) at A between what the motor moves and the rods; 180 deg is stretched."""
        ...

    def lean(self, pose: LegPose) -> Any:
        """Angle (rad) by which the rods leave the plane in which A and the rods would move without it."""
        ...

    def links(self, pose: LegPose) -> tuple[Link, ...]:
        """Its bodies as segments, what the motor moves first."""
        ...

    def moment(self, pose: LegPose) -> Any:
        """Mass times height (kg m) of what the motor moves."""
        ...

    def bearing(self, pose: LegPose, elbow: Any, push: Any, twist: Any, gravity: Any) -> tuple[Any, Any]:
        """Force (N) and moment (N m) of the frame on what the motor moves, without what the motor itself gives.

        Args:
            elbow: acceleration of A (m/s2).
            push: force on the rods at A (N).
            twist: moment on the rods at A (N m).
            gravity: acceleration of gravity (m/s2).
        """
        ...

    def compliance(self, pose: LegPose, servo: Any, arms: Any, rods: Any) -> Any:
        """How far the plate point gives way along the rod under a unit force (m/N).

        Args:
            servo: stiffness of the position loop at the coordinate (N m/rad, or N/m).
            arms: 1 / E I of the arm (1/(N m2)); a carriage is rigid.
            rods: 1 / E A of one rod (1/N).
        """
        ...
