"""Where the motors stand: on a circle, each placed by hand, or on rails.

A base gives every leg its frame; the order of the legs is the order of its lists.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, final

import casadi as ca

from parapick.fields import label, quantity

Vector = tuple[float, float, float]


DIRECTIONS: Final = ("forward", "side", "up")
"""A frame's own directions: outward from the robot, along the motor axis or the tangent, and up."""


@final
@dataclass(frozen=True)
class Frame:
    """Frame of one arm; the fields are those of `ArmRod`, which is made of them."""

    tilts: ClassVar[tuple[str, str]] = ("forward", "up")
    """The directions about which the motor axis can be turned."""

    base: Any
    forward: Any
    up: Any
    zero: Any
    sign: Any
    center: Any = 0.0

    @property
    def directions(self) -> tuple[Any, Any, Any]:
        """Unit vectors of `DIRECTIONS`."""
        return self.forward, ca.cross(self.up, self.forward), self.up

    def displaced(self, shift: Any, turns: Sequence[Any]) -> Frame:
        """The same frame mounted elsewhere.

        Args:
            shift: by how much (m, 3 x 1).
            turns: angles about `tilts` (rad).
        """
        forward, up = (_turned(vector, (self.forward, self.up), turns) for vector in (self.forward, self.up))
        return replace(self, base=self.base + shift, forward=forward, up=up)


@final
@dataclass(frozen=True)
class Rail:
    """A rail; the fields are those of `RailRod`, which is made of them."""

    tilts: ClassVar[tuple[str, str]] = ("forward", "side")
    """The directions about which the rail can be turned."""

    base: Any
    axis: Any
    pair: Any
    travel: Any

    @property
    def directions(self) -> tuple[Any, Any, Any]:
        """Unit vectors of `DIRECTIONS`; up is along the rail."""
        return ca.cross(self.axis, self.pair), self.pair, -self.axis

    def displaced(self, shift: Any, turns: Sequence[Any]) -> Rail:
        """The same rail mounted elsewhere.

        Args:
            shift: by how much (m, 3 x 1).
            turns: angles about `tilts` (rad).
        """
        axis, pair = (_turned(vector, self.directions[:2], turns) for vector in (self.axis, self.pair))
        return replace(self, base=self.base + shift, axis=axis, pair=pair)


def _turned(vector: Any, axes: Sequence[Any], angles: Sequence[Any]) -> Any:
    """A vector turned about unit vectors by angles (rad), one after the other."""
    for axis, angle in zip(axes, angles, strict=True):
        along = ca.dot(axis, vector) * axis
        vector = along + ca.cos(angle) * (vector - along) + ca.sin(angle) * ca.cross(axis, vector)
    return vector


@final
@dataclass(frozen=True)
class Radial:
    """Motors on a horizontal circle; each arm turns in its vertical radial plane (corbel2010 (1)-(5)).

    Positive branches put the elbow outward.
    """

    limb: ClassVar[str] = "arm"
    listed: ClassVar[str] = "angles"

    radius: float = quantity("m", "distance of the motor axes from the centre", at_least=0.0)
    angles: tuple[float, ...] = quantity("rad", "azimuth of each motor, in the order of the legs")
    kind: Literal["radial"] = label("motors on a circle", default="radial")
    zero: float | None = quantity(
        "rad", "elevation of an arm above the outward horizontal at q = 0; 0 if not given", default=None
    )
    sign: float = quantity("", "+1: q grows when the arm rises; -1: when it falls", default=1.0, one_of=(-1.0, 1.0))
    offsets: tuple[Vector, ...] | None = quantity(
        "m", "shift of each motor and its plate joint from its place on the circle", default=None
    )

    @property
    def count(self) -> int:
        """Number of arm-rod legs."""
        return len(self.angles)

    def frames(self) -> tuple[Frame, ...]:
        """Frame of every arm."""
        up = ca.DM([0.0, 0.0, 1.0])
        outward = [ca.vertcat(ca.cos(angle), ca.sin(angle), 0.0) for angle in self.angles]
        return tuple(
            Frame(self.radius * u + shift, u, up, 0.0 if self.zero is None else self.zero, self.sign)
            for u, shift in zip(outward, self.shifts(), strict=True)
        )

    def shifts(self) -> tuple[Any, ...]:
        """Shift of each motor and its plate joint (m)."""
        return _shifts(self.offsets, self.count)


@final
@dataclass(frozen=True)
class Placed:
    """Motors placed one by one: centre, direction of the arm at q = 0, and motor axis.

    With branch +1 the elbow lies on the positive side of q seen from the line P-B. Such motors have no azimuths; the
    plate states them where it needs them.
    """

    limb: ClassVar[str] = "arm"
    listed: ClassVar[str] = "points"
    angles: ClassVar[None] = None

    points: tuple[Vector, ...] = quantity("m", "centre of each motor")
    zeros: tuple[Vector, ...] = quantity("", "direction of each arm at q = 0 (any length)")
    axes: tuple[Vector, ...] = quantity("", "motor axis of each arm, perpendicular to its zero (any length)")
    centers: tuple[float, ...] | None = quantity(
        "rad",
        "middle of the range in which each joint angle is answered, half a turn to either side; 0 if not given",
        default=None,
    )
    kind: Literal["placed"] = label("motors placed one by one", default="placed")

    @property
    def count(self) -> int:
        """Number of arm-rod legs."""
        return len(self.points)

    def shifts(self) -> tuple[Any, ...]:
        """No shifts: a placed motor already stands where it should."""
        return (ca.DM(3, 1),) * self.count

    def frames(self) -> tuple[Frame, ...]:
        """Frame of every arm."""
        frames = []
        centers = self.centers or (0.0,) * self.count
        for point, zero, axis, center in zip(self.points, self.zeros, self.axes, centers, strict=True):
            forward = _unit(ca.vertcat(*zero))
            up = ca.cross(_unit(ca.vertcat(*axis)), forward)
            frames.append(Frame(ca.vertcat(*point), forward, up, 0.0, 1.0, center))
        return tuple(frames)


def _unit(vector: Any) -> Any:
    return vector / ca.sqrt(ca.dot(vector, vector))


@final
@dataclass(frozen=True)
class Rails:
    """Straight rails that start on a horizontal circle, each in its vertical radial plane: vertical, or inclined.

    Carriage i stands at `radius u_i + q a_i` with `a_i = sin(tilt) u_i - cos(tilt) k`, u_i outward and k up: q = 0 is
    the upper end of the rail, and q grows downwards. Positive branches let the rods hang along the rail.
    """

    limb: ClassVar[str] = "carriage"
    listed: ClassVar[str] = "angles"

    radius: float = quantity("m", "distance of the upper ends of the rails from the centre", at_least=0.0)
    length: float = quantity("m", "length of the rails, over which the carriages travel", above=0.0)
    angles: tuple[float, ...] = quantity("rad", "azimuth of each rail, in the order of the legs")
    kind: Literal["rails"] = label("carriages on straight rails", default="rails")
    tilt: float | tuple[float, ...] = quantity(
        "rad",
        "angle of the rails from the vertical; positive: they go outward on their way down, 90 deg: horizontal",
        default=0.0,
        at_least=-math.pi / 2,
        at_most=math.pi / 2,
    )
    offsets: tuple[Vector, ...] | None = quantity(
        "m", "shift of each rail and its plate joint from its place on the circle", default=None
    )

    @property
    def count(self) -> int:
        """Number of rails."""
        return len(self.angles)

    def frames(self) -> tuple[Rail, ...]:
        """Every rail; the pair of its rods lies along the tangent of the circle."""
        tilts = self.tilt if isinstance(self.tilt, tuple) else (self.tilt,) * self.count
        rails = []
        for angle, tilt, shift in zip(self.angles, tilts, self.shifts(), strict=True):
            c, s = ca.cos(angle), ca.sin(angle)
            outward, down = ca.sin(tilt), -ca.cos(tilt)
            axis = ca.vertcat(outward * c, outward * s, down)
            point = self.radius * ca.vertcat(c, s, 0.0) + shift
            rails.append(Rail(point, axis, ca.vertcat(-s, c, 0.0), self.length))
        return tuple(rails)

    def shifts(self) -> tuple[Any, ...]:
        """Shift of each rail and its plate joint (m)."""
        return _shifts(self.offsets, self.count)


def _shifts(offsets: tuple[Vector, ...] | None, count: int) -> tuple[Any, ...]:
    if offsets is None:
        return (ca.DM(3, 1),) * count
    return tuple(ca.vertcat(*offset) for offset in offsets)


Base = Radial | Placed | Rails
