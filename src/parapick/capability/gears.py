"""Sections of the force zonotope at speed, with lossy gearboxes: what a motor has on top whose joint drives it.

With rho what its rotor takes, the most that a motor gives its joint on one side s (1 or -1) is

    s tau <= s rho + k (L - s rho) - s f

with k the efficiency e where the motor drives the joint, and 1/e where the joint drives the motor. In a `Section` every
motor drives (`effort`). Where the joint drives, `(1/e - e) (L - s rho)` comes on top: `L - s rho`, what is left of the
torque beside the rotor, passes the gearbox. That is so

- as a rule, where the joint turns against the side: the motor brakes,
- beyond `L - s rho = 0`, where the rotor alone takes more than the whole torque, where it turns towards the side.

rho is an affine function of y, so both sides of a facet are bounded by planes, one per set of motors beyond; a plane
counts where its motors are so. On the sides to which motors drive, these planes cut from each other; on those to which
they brake, the body has a crease that points inwards, and is not convex.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, Final, final

import casadi as ca

from parapick.algebra import solve
from parapick.capability.section import Gears, Section, facets_of

MANY: Final = 2
"""Up to so many motors that push against one facet, all planes are looked at; of more, those with one motor beyond at
most and the one on which `ROUNDS` end."""

ROUNDS: Final = 3
"""Times a place is found again with the gearboxes as they work at the place found before."""

CORNERS: Final = 2
"""The same for the corners of robots that are not redundant: one motor more or less beyond changes little in them."""

EXACT: Final = 1e-9
"""Share of a motor's torque by which a plane may end before the place where it counts: rounding at its very end."""

FAR: Final = 1e12
"""An end of a line (in its own unit) beyond which it counts as without end, and at which it is looked for planes that
do end it."""

EDGE: Final = 1e-12
"""How far beyond its end an edge may be cut by the section: rounding of an end that lies in it."""


@final
@dataclass(frozen=True)
class _Push:
    """A motor that pushes against a side of a facet.

    Attributes:
        left: what is left beside its rotor at y = 0, weighted as in the support of the facet.
        change: the same per y, r x 1.
        usual: gain while something is left.
        other: gain beyond.
        size: its whole torque, weighted likewise.
    """

    left: Any
    change: Any
    usual: Any
    other: Any
    size: Any

    def at(self, y: Any) -> Any:
        """What is left at a y."""
        return self.left + ca.dot(self.change, y)


@final
@dataclass(frozen=True)
class _Plane:
    """`room - slope . y >= 0`, and what holds where it counts: `usual` per push, True while something is left."""

    room: Any
    slope: Any
    usual: tuple[bool, ...]


@final
@dataclass(frozen=True)
class _FacetSide:
    """One side of a facet, `room - slope . y + (what motors have on top) >= 0`."""

    regular: Any
    room: Any
    slope: Any
    pushes: tuple[_Push, ...]

    def plane(self, usual: tuple[bool, ...]) -> _Plane:
        """The plane of motors of which some are beyond."""
        room, slope = self.room, self.slope
        for push, here in zip(self.pushes, usual, strict=True):
            gain = push.usual if here else push.other
            room, slope = room + gain * push.left, slope - gain * push.change
        return _Plane(room, slope, usual)

    def planes(self) -> Iterator[_Plane]:
        """All planes, that without a motor beyond first; of many, those with one beyond at most."""
        count = len(self.pushes)
        for several in range(1 + (count if count <= MANY else 1)):
            for beyond in combinations(range(count), several):
                yield self.plane(tuple(k not in beyond for k in range(count)))

    def counts(self, plane: _Plane, y: Any) -> Any:
        """Whether a plane counts at a y."""
        holds = ca.SX(1)
        for push, here in zip(self.pushes, plane.usual, strict=True):
            left = push.at(y)
            holds = ca.logic_and(holds, (left if here else -left) >= -EXACT * push.size)
        return holds

    def around(self, y: Any) -> tuple[Any, Any]:
        """Room and slope of the plane that counts at a y."""
        room, slope = self.room, self.slope
        for push in self.pushes:
            gain = ca.if_else(push.at(y) >= 0, push.usual, push.other)
            room, slope = room + gain * push.left, slope - gain * push.change
        return room, slope


def _sides(section: Section, gears: Gears) -> Iterator[_FacetSide]:
    for facet in facets_of(section.generators, section.widths):
        across = ca.mtimes(section.matrix.T, facet.normal)
        at = ca.dot(facet.normal, section.offset)
        others = [k for k in range(section.generators.shape[1]) if k not in facet.spanning]
        reach = {k: ca.dot(facet.normal, section.generators[:, k]) for k in others}
        for side in (1, -1):
            pushes = tuple(_push(gears, k, side * reach[k]) for k in others)
            yield _FacetSide(facet.regular, facet.support - side * at, side * across, pushes)


def _push(gears: Gears, k: int, reach: Any) -> _Push:
    braking, size = reach * gears.turning[k] < 0, ca.fabs(reach) * gears.torque[k]
    usual = ca.if_else(braking, gears.gain[k], 0.0)
    left = size - reach * gears.offset[k]
    return _Push(left, -reach * gears.slope[k, :].T, usual, gears.gain[k] - usual, size)


def lossy_ball(section: Section, gears: Gears) -> Any:
    """Radius of the largest ball about the origin of y; see `zonotope.ball`.

    Args:
        gears: its gears.
    """
    sides = list(_sides(section, gears))
    if section.hidden:
        return _smallest(_shadow_distances(sides))
    return _smallest(ca.if_else(side.regular, _distance(side), math.inf) for side in sides)


def _distance(side: _FacetSide) -> Any:
    """From the origin to what lies beyond a side; negative where the origin does.

    The nearest place is the foot of the origin on a plane that counts there.
    """
    nearest: Any = ca.SX(math.inf)
    first: Any = None
    for plane in side.planes():
        square = ca.sumsqr(plane.slope)
        away = _quotient(plane.room, ca.sqrt(square))
        first = away if first is None else first
        counts = ca.logic_and(plane.room >= 0, side.counts(plane, plane.slope * _quotient(plane.room, square)))
        nearest = ca.if_else(counts, ca.fmin(nearest, away), nearest)
    room, slope = side.around(ca.SX.zeros(side.slope.shape))
    outside, beyond = room < 0, _quotient(room, ca.norm_2(slope))
    if len(side.pushes) > MANY:
        for _ in range(ROUNDS):
            foot = slope * _quotient(room, ca.sumsqr(slope))
            room, slope = side.around(foot)
        nearest = ca.fmin(nearest, _quotient(room, ca.norm_2(slope)))
    # No foot counts where the nearest place lies in a crease; the plane without a motor beyond lies before that.
    return ca.if_else(outside, beyond, ca.if_else(nearest < math.inf, nearest, first))


def _shadow_distances(sides: Sequence[_FacetSide]) -> Iterator[Any]:
    """Distances of the facets of a shadow: pairs of planes between which the hidden coordinate has no room left.

    Two planes whose slopes in the hidden coordinate differ in sign give one of the shadow (Fourier and Motzkin). Of the
    planes of a side, those are taken that bound everywhere; creases are filled, so that the shadow is not too large.
    """
    planes = [pair for side in sides for pair in _everywhere(side)]
    for bounds, plane in planes:
        level = ca.logic_and(bounds, plane.slope[-1] == 0)
        yield ca.if_else(level, _quotient(plane.room, ca.norm_2(plane.slope[:-1])), math.inf)
    for (bounds, one), (also, other) in combinations(planes, 2):
        first, second = ca.fabs(other.slope[-1]), ca.fabs(one.slope[-1])
        opposite = ca.logic_and(ca.logic_and(bounds, also), one.slope[-1] * other.slope[-1] < 0)
        slope = first * one.slope[:-1] + second * other.slope[:-1]
        yield ca.if_else(opposite, _quotient(first * one.room + second * other.room, ca.norm_2(slope)), math.inf)


def _everywhere(side: _FacetSide) -> Iterator[tuple[Any, _Plane]]:
    """Planes of a side, each with whether it bounds everywhere: those of motors that drive, beyond or not."""
    count = len(side.pushes)
    yield side.regular, side.plane((True,) * count)
    for k, push in enumerate(side.pushes):
        yield ca.logic_and(side.regular, push.other > 0), side.plane(tuple(j != k for j in range(count)))


def lossy_stretch(section: Section, gears: Gears) -> tuple[Any, Any]:
    """How far a line stays in the zonotope, both ways; see `zonotope.stretch`.

    Args:
        section: the section, its y a number.
        gears: its gears.
    """
    up, down = [], []
    for side in _sides(section, gears):
        up.append(ca.if_else(side.regular, _end(side, 1), math.inf))
        down.append(ca.if_else(side.regular, _end(side, -1), math.inf))
    return _smallest(up), _smallest(down)


def _end(side: _FacetSide, way: int) -> Any:
    """How far a line stays on this side of a facet, upward (1) or downward (-1).

    From the origin on, the line ends where the plane that counts at its last end does.
    """
    end = ca.SX(0)
    for _ in range(1 + min(len(side.pushes), ROUNDS)):
        room, slope = side.around(way * end)
        leaves = way * slope > 0
        missed = ca.logic_and(slope == 0, room < 0)
        end = ca.if_else(leaves, room / (way * slope), ca.if_else(missed, -FAR, FAR))
    return ca.if_else(end >= FAR, math.inf, ca.if_else(end <= -FAR, -math.inf, end))


def _smallest(values: Iterator[Any] | Sequence[Any]) -> Any:
    """The smallest; 0 where nothing bounds."""
    least = ca.SX(math.inf)
    for value in values:
        least = ca.fmin(least, value)
    return ca.if_else(least < math.inf, least, 0.0)


def _quotient(top: Any, bottom: Any) -> Any:
    """A quotient; one by zero is infinite, of the sign of its top."""
    return ca.if_else(bottom != 0, top / bottom, ca.if_else(top < 0, -math.inf, math.inf))


@final
@dataclass(frozen=True)
class Corner:
    """A y, and whether it lies in the section."""

    y: Any
    inside: Any


def corners(section: Section, gears: Gears) -> Iterator[Corner]:
    """Where all motors are at their limits, or, in a section with r = d - 1, all but one.

    Args:
        gears: its gears.
    """
    d, n = section.generators.shape
    if n == d:
        points = _meetings(section, gears)
    elif section.whole:
        points = (Corner(_settled(section, gears, signs), ca.SX(1)) for signs in product((-1, 1), repeat=n))
    else:
        points = (point for free in range(n) for point in _cuts(section, gears, free))
    for point in points:
        yield replace(point, y=point.y[:-1]) if section.hidden else point


def _meetings(section: Section, gears: Gears) -> Iterator[Corner]:
    """The corners of a robot that is not redundant: every side belongs to one motor, and r sides meet in a corner."""
    sides, r = list(_sides(section, gears)), section.matrix.shape[1]
    pairs = list(zip(sides[::2], sides[1::2], strict=True))
    for kept in combinations(range(len(pairs)), r):
        for chosen in product(*(pairs[k] for k in kept)):
            planes = [(side.plane((True,)).room, side.plane((True,)).slope) for side in chosen]
            y, _ = _meeting(planes)
            for _ in range(CORNERS - 1):
                y, _ = _meeting([side.around(y) for side in chosen])
            inside = ca.SX(1)
            for side in (side for k, pair in enumerate(pairs) if k not in kept for side in pair):
                room, slope = side.around(y)
                inside = ca.logic_and(inside, room - ca.dot(slope, y) >= -EDGE * side.pushes[0].size)
            yield Corner(y, inside)


def _meeting(planes: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """Where planes, given by room and slope, meet."""
    rooms, slopes = zip(*planes, strict=True)
    return solve(ca.horzcat(*slopes).T, ca.vertcat(*rooms))


def _cuts(section: Section, gears: Gears, free: int) -> Iterator[Corner]:
    """Where all motors but one are at their limits, and that one can do what is then asked of it."""
    kept = [k for k in range(section.generators.shape[1]) if k != free]
    others = gears.only(kept)
    along, across = _turned(section.generators[:, free])
    bound = Section(
        generators=ca.mtimes(across, section.generators[:, kept]),
        widths=section.widths[kept],
        offset=ca.mtimes(across, section.offset),
        basis=ca.mtimes(across, section.matrix),
    )
    for signs in product((-1, 1), repeat=len(kept)):
        y = _settled(bound, others, signs)
        used = ca.mtimes(section.generators[:, kept], _given(bound, others, signs, y))
        asked = ca.dot(along, ca.mtimes(section.matrix, y) + section.offset - used)
        yield Corner(y, _can(section, gears, free, asked, y))


def _turned(vector: Any) -> tuple[Any, Any]:
    """A row whose product with a vector is 1, and d - 1 rows orthogonal to it and to each other, by a reflection."""
    d = vector.shape[0]
    mirror = vector + ca.copysign(ca.norm_2(vector), vector[0]) * ca.SX.eye(d)[:, 0]
    reflection = ca.SX.eye(d) - 2 * ca.mtimes(mirror, mirror.T) / ca.sumsqr(mirror)
    return vector / ca.sumsqr(vector), reflection[1:, :]


def _can(section: Section, gears: Gears, motor: int, torque: Any, y: Any) -> Any:
    """Whether a motor can give a torque at a y."""
    inside = ca.SX(1)
    for side in (1, -1):
        left = gears.torque[motor] - side * gears.rotors(y)[motor]
        driven = side * left * gears.turning[motor] < 0
        most = section.widths[motor] + ca.if_else(driven, gears.gain[motor] * left, 0.0)
        inside = ca.logic_and(inside, side * torque <= most + EDGE * gears.torque[motor])
    return inside


def released(section: Section, gears: Gears) -> Any:
    """The y of motors that give nothing.

    Args:
        section: the section, its y all of the acceleration.
        gears: its gears.
    """
    return _settled(section, gears, [0] * section.generators.shape[1])


def _settled(section: Section, gears: Gears, signs: Sequence[int]) -> Any:
    """The y at which motors give their limits times signs.

    A joint drives its motor where what passes the gearbox is against its motion. That decides the equations for y,
    which decide what the rotors take: solved again and again.
    """
    torque = ca.DM(signs) * gears.torque
    driven = torque * gears.turning < 0
    y = ca.SX.zeros(section.matrix.shape[1])
    for repeat in range(ROUNDS):
        if repeat:
            driven = (torque - gears.rotors(y)) * gears.turning < 0
        matrix, right = section.matrix, -section.offset
        for k, sign in enumerate(signs):
            gain = ca.if_else(driven[k], gears.gain[k], 0.0)
            matrix = matrix + gain * ca.mtimes(section.generators[:, k], gears.slope[k, :])
            right = right + (sign * section.widths[k] + gain * (torque[k] - gears.offset[k])) * section.generators[:, k]
        y, _ = solve(matrix, right)
    return y


def _given(section: Section, gears: Gears, signs: Sequence[int], y: Any) -> Any:
    """Torques of motors at their limits times signs, n x 1, beyond that of rotors that drive."""
    left = ca.DM(signs) * gears.torque - gears.rotors(y)
    return ca.DM(signs) * section.widths + ca.if_else(left * gears.turning < 0, gears.gain * left, 0.0)
