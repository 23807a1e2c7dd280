"""What every plate says of itself (a protocol), and the parts it is made of.

A plate maps the task vector to the points its legs hold and to its moving parts. The plate joints lie on a circle at the
azimuths of the motors unless the plate states its own; they reach the plate as vectors from its centre (`arms`), because
the base owns azimuths and shifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

import casadi as ca

from parapick.mechanism.drive import Drive
from parapick.mechanism.leg import Linear

__all__ = ["Bar", "Internal", "Part", "Plate", "PlatePose", "Tool", "Turning", "turned"]


@final
@dataclass(frozen=True)
class Part:
    """A body of the plate that moves like its point: name, mass (kg; None where the file has none), point (m)."""

    name: str
    mass: Any
    point: Any


@final
@dataclass(frozen=True)
class Bar:
    """A thin uniform bar between two points of the plate: name, mass (kg), its two ends (m)."""

    name: str
    mass: Any
    start: Any
    end: Any


@final
@dataclass(frozen=True)
class Turning:
    """A body that turns about the vertical: name, moment of inertia (kg m2), angle (rad)."""

    name: str
    inertia: Any
    angle: Any


@final
@dataclass(frozen=True)
class Tool:
    """Where the tool is: point (m) and yaw (rad), after gear or belt."""

    point: Any
    yaw: Any


@final
@dataclass(frozen=True)
class Internal:
    """How the body a leg holds could move if its rod pairs did not stop it (nabat2005 (7)-(12)).

    Attributes:
        drift: 3 x k matrix from the k internal speeds to the velocity of the leg's point B.
        turn: 3 x k matrix from the internal speeds to the body's angular velocity.
    """

    drift: Any
    turn: Any


@final
@dataclass(frozen=True)
class PlatePose:
    """A plate at a task vector.

    Attributes:
        points: point B of every arm-rod leg (m).
        tool: where the tool is.
        parts: bodies that move like a point.
        bars: thin bars between points of the plate.
        yaws: bodies that turn about the vertical.
        internal: per leg, how its body could move internally; None where the plate has no internal kind.
    """

    points: tuple[Any, ...]
    tool: Tool
    parts: tuple[Part, ...]
    bars: tuple[Bar, ...] = ()
    yaws: tuple[Turning, ...] = ()
    internal: tuple[Internal, ...] | None = None


class Plate(Protocol):
    """The contract of a plate."""

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

    def linear(self) -> tuple[Linear, ...]:
        """The plate's own legs, after the arm-rod legs in leg order."""
        ...

    def at(self, x: Any, arms: Sequence[Any]) -> PlatePose:
        """The plate at a task vector (a column, of numbers or expressions), with its joints at `arms` from its centre."""
        ...


def turned(*links: tuple[Any, Any]) -> Internal:
    """Internal motion of a point at the end of a chain of links, given as (turn matrix, vector) from the plate's centre.

    The point drifts by the sum of `turn_k speeds x vector_k`; its body turns with the last link.
    """
    drift = sum((-ca.mtimes(ca.skew(vector), turn) for turn, vector in links), ca.SX.zeros(*links[0][0].shape))
    return Internal(drift, links[-1][0])
