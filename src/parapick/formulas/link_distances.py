"""How near the links of different legs come to each other, as expressions: links are capsules.

An arm is the segment from P to A, a carriage that between the joints of its rods; a rod runs from A to B, and the two
rods of a pair lie half their spacing to either side of it. Links of the same leg are never compared, nor are the
motors, the rails, the plate and its load.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import casadi as ca

from parapick.formulas.expression import Expression
from parapick.formulas.kinematics import task_vector
from parapick.mechanism import Robot
from parapick.mechanism.legs import LegPose, Link, RodLeg

_TINY: Final = 1e-300
"""Keeps 0/0 out of a quotient whose value does not matter: parallel segments, or a segment without length. Its
reciprocal is still a number."""

TIE_SHARE: Final = 1.0 - 1e-9
"""Of pairs that are equally near, such as mirror images, the first is named: a later one has to be nearer than by
rounding."""


def segment_distance_squared(
    start: Any, along: Any, other_start: Any, other_along: Any, square: Any = None, other_square: Any = None
) -> Any:
    """Squared distance (m2) of two segments `start + s along` and `other_start + t other_along`, 0 <= s, t <= 1.

    With r = start - other_start, u = along, v = other_along and n = u x v, the nearest points of the two lines have
    `s = -r.(v x n) / n.n`. Clamped to [0, 1], the best t for it is `(u.v s + v.r) / v.v`, clamped; the best s for that
    is `(u.v t - u.r) / u.u`, clamped. The squared distance is convex in (s, t), so the second s is the optimum. For
    parallel segments any first s will do, and a segment without length has no use for its own parameter. With n.n from
    the cross product, and not as (u.u)(v.v) - (u.v)^2, nearly parallel segments lose no digits: the error is 3e-16 m
    where the other form has 1e-8 m.

    Args:
        start: start of the first segment (m), a column of 3.
        along: its end minus its start (m).
        other_start: start of the second segment (m).
        other_along: its end minus its start (m).
        square: squared length of the first segment (m2), where it is known better than by computing it.
        other_square: squared length of the second segment (m2).
    """
    r = start - other_start
    n = ca.cross(along, other_along)
    overlap = ca.dot(along, other_along)
    square = ca.dot(along, along) if square is None else square
    other_square = ca.dot(other_along, other_along) if other_square is None else other_square
    s = _clamped(-ca.dot(r, ca.cross(other_along, n)) / (ca.dot(n, n) + _TINY))
    t = _clamped((overlap * s + ca.dot(other_along, r)) / (other_square + _TINY))
    s = _clamped((overlap * t - ca.dot(along, r)) / (square + _TINY))
    between = r + s * along - t * other_along
    return ca.dot(between, between)


def _clamped(value: Any) -> Any:
    # The constant comes first: the operation then needs no test for NaN in it, and still keeps NaN in the value.
    return ca.fmin(1.0, ca.fmax(0.0, value))


def clearance(robot: Robot) -> Expression:
    """Smallest distances between links of different legs, and which two links come nearest."""
    x = task_vector(robot)
    poses = _closed(robot, x)
    distance, kinds, code = _nearest(robot, poses)
    outputs = {"distance": distance, **kinds, "pair": code}
    return Expression({"x": x}, outputs, ca.vertcat(*(pose.radicand for _, pose in poses)))


def smallest_distance(robot: Robot, poses: list[tuple[RodLeg, LegPose]]) -> Any:
    """Smallest distance of two links, surface to surface (m), as an expression of closed legs.

    Args:
        robot: the description, of numbers or expressions.
        poses: every arm-rod leg with its pose, in order.
    """
    return _nearest(robot, poses)[0]


def _closed(robot: Robot, x: Any) -> list[tuple[RodLeg, LegPose]]:
    return [(leg, leg.close(point)) for leg, point in zip(robot.rod_legs(), robot.points(x), strict=True)]


def _nearest(robot: Robot, poses: list[tuple[RodLeg, LegPose]]) -> tuple[Any, dict[str, Any], Any]:
    """Distance surface to surface, centre-line distance of each kind of pair, and the number of the nearest pair."""
    # Both links of a pair are arms (0), one is a rod (1), both are (2). Within a kind the radii are the same, so the
    # squares of the distances can be compared.
    best: list[Any] = [ca.SX(math.inf)] * 3
    codes: list[Any] = [ca.SX(0.0)] * 3
    legs = [leg.links(pose) for leg, pose in poses]
    for number, ((_, first), (_, second)) in enumerate(_pairs(robot, legs)):
        kind = (not first.driven) + (not second.driven)
        square = segment_distance_squared(
            first.start, first.along, second.start, second.along, first.square, second.square
        )
        codes[kind] = ca.if_else(square < TIE_SHARE * best[kind], float(number), codes[kind])
        best[kind] = ca.fmin(best[kind], square)
    lines = [ca.sqrt(square) for square in best]
    arm_radius, rod_radius = (0.0 if r is None else r for r in (robot.limb.body_radius, robot.limb.rod_radius))
    surfaces = [lines[0] - 2 * arm_radius, lines[1] - (arm_radius + rod_radius), lines[2] - 2 * rod_radius]
    distance, code = surfaces[0], codes[0]
    for surface, pair in zip(surfaces[1:], codes[1:], strict=True):
        code = ca.if_else(surface < distance, pair, code)
        distance = ca.fmin(distance, surface)
    return distance, dict(zip(("arms", "arm_to_rod", "rods"), lines, strict=True)), code


def _pairs(robot: Robot, legs: Sequence[tuple[Link, ...]]) -> Iterator[tuple[tuple[int, Link], tuple[int, Link]]]:
    """Every two links of different legs with the numbers of these, but not two rods that meet in a plate point."""
    links = [(number, link) for number, leg in enumerate(legs, start=1) for link in leg]
    for first, second in itertools.combinations(links, 2):
        together = robot.plate.traits.one_point and not first[1].driven and not second[1].driven
        if first[0] != second[0] and not together:
            yield first, second


def link_pairs(robot: Robot) -> tuple[str, ...]:
    """Names of every pair of links that is compared, in the order of the kernel's index."""
    legs = [leg.links(pose) for leg, pose in _closed(robot, ca.DM(list(robot.home)))]
    return tuple(f"{_name(*first)} - {_name(*second)}" for first, second in _pairs(robot, legs))


def _name(number: int, link: Link) -> str:
    """Name of a link with the number of its leg: "arm 2", "rod 3a"."""
    kind, _, letter = link.name.partition(" ")
    return f"{kind} {number}{letter}"
