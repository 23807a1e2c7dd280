"""What every plate says of itself (a protocol), and the parts it is made of.

A plate maps the task vector to the points its legs hold and to its moving parts. The plate joints lie on a circle at
the azimuths of the motors unless the plate states its own; they reach the plate as vectors from its centre (`arms`),
because the base owns azimuths and shifts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, final

import casadi as ca

from parapick.mechanism.drive import Drive
from parapick.mechanism.plates.joints import PlateCut, PlateJoint, Wrench

if TYPE_CHECKING:
    from parapick.mechanism.legs.linear import Linear


def at_centre() -> Any:
    """The plate's centre, from itself: where a chain of links without a lever ends."""
    return ca.DM.zeros(3)


@final
@dataclass(frozen=True)
class Internal:
    """How a point of the plate and its body could move if the rod pairs did not stop them (nabat2005 (7)-(12)).

    Attributes:
        drift: 3 x k matrix from the k internal speeds to the velocity of the point.
        turn: 3 x k matrix from the internal speeds to the body's angular velocity.
    """

    drift: Any
    turn: Any

    def at(self, vector: Any) -> Internal:
        """The same for another point of the body.

        Args:
            vector: from this point to the other (m).
        """
        return Internal(self.drift - ca.mtimes(ca.skew(vector), self.turn), self.turn)


def fixed(speeds: int = 0) -> Internal:
    """A body that no internal speed moves: nothing but the task vector does.

    Args:
        speeds: number of internal speeds of its plate.
    """
    return Internal(ca.SX(3, speeds), ca.SX(3, speeds))


@final
@dataclass(frozen=True)
class Part:
    """A body of the plate that moves like its point.

    Attributes:
        name: name in messages.
        mass: mass (kg); None where the file has none.
        point: its point (m).
        internal: how it could move internally.
    """

    name: str
    mass: Any
    point: Any
    internal: Internal = field(default_factory=fixed)


@final
@dataclass(frozen=True)
class Bar:
    """A thin uniform bar between two points of the plate.

    Attributes:
        name: name in messages.
        mass: mass (kg); None where the file has none.
        start: its first end (m).
        end: its second end (m).
        internal: how its two ends could move internally.
    """

    name: str
    mass: Any
    start: Any
    end: Any
    internal: tuple[Internal, Internal] = field(default_factory=lambda: (fixed(), fixed()))


@final
@dataclass(frozen=True)
class TurningBody:
    """A body that turns about the vertical.

    Attributes:
        name: name in messages.
        inertia: moment of inertia (kg m2).
        angle: angle (rad).
        internal: how it could turn internally.
    """

    name: str
    inertia: Any
    angle: Any
    internal: Internal = field(default_factory=fixed)


@final
@dataclass(frozen=True)
class SwingingBody:
    """A rigid body that moves and turns any way.

    With unit vectors e fixed in it, along its principal axes, and the second moments of mass `S = sum m (r . e)^2`
    along them, it has the kinetic energy of its centre and `sum S |ed|^2 / 2`.

    Attributes:
        name: name in messages.
        mass: mass (kg).
        point: its centre of mass (m).
        second_moments: second moment of mass along each axis (kg m2).
        axes: the unit vectors e.
        internal: how it could move internally.
    """

    name: str
    mass: Any
    point: Any
    second_moments: tuple[Any, ...]
    axes: tuple[Any, ...]
    internal: Internal = field(default_factory=fixed)


@final
@dataclass(frozen=True)
class Tool:
    """Where the tool is.

    Attributes:
        point: its point (m).
        yaw: its yaw (rad), after gear or belt.
        internal: how it could move internally.
    """

    point: Any
    yaw: Any
    internal: Internal = field(default_factory=fixed)


def no_loads(_cut: PlateCut, /) -> tuple[Wrench, ...]:
    """The loads of a plate without joints.

    Args:
        _cut: what must act on its bodies.
    """
    return ()


@final
@dataclass(frozen=True)
class PlatePose:
    """A plate at a task vector.

    Attributes:
        points: point B of every leg with rods (m).
        tool: where the tool is.
        parts: bodies that move like a point.
        bars: thin bars between points of the plate.
        yaws: bodies that turn about the vertical.
        swings: bodies that move and turn any way.
        yaw_slack: what is left of the plate's own travel in yaw (rad), negative beyond it; infinite without a stop.
        internal: per leg, how its point and body could move internally at a fixed task vector; None where the plate has
            no internal kind. With it, parts, bars, turning bodies and tool say the same of themselves.
        joint_axes: unit vector of the axis of each of its joints (`Traits.joints`); none where it is one body.
        joint_loads: from what must act on its bodies, what acts through each of these joints on the body that is
            farther from the plate's centre, about the joint's point.
        own_compliance: per leg of the plate's own, by how much what lies between its motor and the plate gives way, in
            units of its coordinate per unit of its torque (rad/(N m)); empty where that is rigid.
        links: per leg, the link (m) between the body of the plate's centre and the body that the leg holds; 0 where
            they are one. A plate whose link is longer than stated holds its joints by so much elsewhere. Empty where
            no link has a length of its own.
    """

    points: tuple[Any, ...]
    tool: Tool
    parts: tuple[Part, ...]
    bars: tuple[Bar, ...] = ()
    yaws: tuple[TurningBody, ...] = ()
    internal: tuple[Internal, ...] | None = None
    yaw_slack: Any = math.inf
    joint_axes: tuple[Any, ...] = ()
    joint_loads: Callable[[PlateCut], tuple[Wrench, ...]] = field(default=no_loads)
    own_compliance: tuple[Any, ...] = ()
    links: tuple[Any, ...] = ()
    swings: tuple[SwingingBody, ...] = ()


@final
@dataclass(frozen=True)
class Traits:
    """What holds for every plate of a kind.

    Attributes:
        masses: names of its fields that dynamics cannot do without.
        one_point: whether all legs meet in one point, so that their rods touch there by construction.
        planar: whether its legs move in a horizontal plane, and the plate's own motors do the rest.
        yaw_is_an_angle: whether its yaw is the angle of a bar, so that a whole turn is the same pose.
        groups: the field that says which of two parts each leg holds, and its two values; None where there is one part.
        legs: how many legs with rods hold it; None where any number may.
        drive_path: where the drive of its own legs stands in the file, from the plate's table on.
        tool_inertia: where the yaw inertia of its tool stands, from the plate's table on; empty without yaw.
        joints: the joints between its bodies, in the order of `PlatePose.joint_axes`.
        joint_fields: names of its fields that the forces in its joints cannot do without.
    """

    masses: tuple[str, ...]
    one_point: bool = False
    planar: bool = False
    yaw_is_an_angle: bool = False
    groups: tuple[str, tuple[int, int]] | None = None
    legs: int | None = None
    drive_path: str = "drive"
    tool_inertia: str = ""
    joints: tuple[PlateJoint, ...] = ()
    joint_fields: tuple[str, ...] = ()


class Plate(Protocol):
    """The contract of a plate."""

    @property
    def traits(self) -> Traits:
        """What holds for every plate of its kind."""
        ...

    @property
    def kind(self) -> str:
        """Name of the kind, as in the file."""
        ...

    @property
    def dof(self) -> int:
        """Length of the task vector: 3, or 4 with yaw."""
        ...

    @property
    def radius(self) -> Any:
        """Distance of the plate joints from the plate's centre at yaw 0 (m)."""
        ...

    @property
    def angles(self) -> tuple[float, ...] | None:
        """Azimuths of the plate points (rad), where they are not the motors'."""
        ...

    @property
    def drive(self) -> Drive | None:
        """Drive of the plate's own linear legs."""
        ...

    @property
    def yaw_length(self) -> Any:
        """Length (m) that makes the yaw column of a Jacobian dimensionless."""
        ...

    @property
    def linear(self) -> tuple[Linear, ...]:
        """The plate's own legs, after the legs with rods in leg order."""
        ...

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector.

        Args:
            x: task vector (m, rad), a column of numbers or expressions.
            arms: vector from the plate's centre to the joint of each leg with rods at yaw 0 (m).
        """
        ...


def rotation(speeds: int, yaw: int | None = None, ratio: Any = 1.0) -> Any:
    """Turn matrix (3 x speeds) of a body that tilts with the whole plate: internal speeds 0 and 1 are its tilts.

    Args:
        speeds: number of internal speeds.
        yaw: index of the speed at which the body turns about the vertical; None where none turns it.
        ratio: turns of the body per turn of that speed.
    """
    matrix = ca.SX(3, speeds)
    matrix[0, 0], matrix[1, 1] = 1.0, 1.0
    if yaw is not None:
        matrix[2, yaw] = ratio
    return matrix


def turned(*links: tuple[Any, Any]) -> Internal:
    """Internal motion of a point at the end of a chain of links (turn matrix, vector) from the plate's centre.

    The point drifts by the sum of `turn_k speeds x vector_k`; its body turns with the last link.

    Args:
        links: from the centre on, each with its turn matrix (3 x k) and its vector (m).
    """
    drift = ca.SX.zeros(*links[0][0].shape)
    for turn, vector in links:
        drift = Internal(drift, turn).at(vector).drift
    return Internal(drift, links[-1][0])
