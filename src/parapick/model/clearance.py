"""How near the links of different legs come to each other: links as capsules, one number as the margin.

An arm is the segment from P to A, a carriage that between the joints of its rods; a rod runs from A to B, and the two
rods of a pair lie half their spacing to either side of it. Links of the same leg are never compared, nor are the
motors, the rails, the plate and its load.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import poses_of
from parapick.mechanism.legs.leg import LegPose, Link, RodLeg
from parapick.mechanism.parameters import leaves
from parapick.mechanism.robot import Robot, WorkingMode
from parapick.model.expression import Expression
from parapick.model.kinematics import task_vector

if TYPE_CHECKING:
    from parapick.model.asked import AskedModel

_TINY: Final = 1e-300
"""Keeps 0/0 out of a quotient whose value does not matter: parallel segments, or a segment without length. Its
reciprocal is still a number."""

TIE_SHARE: Final = 1.0 - 1e-9
"""Of pairs that are equally near, such as mirror images, the first is named: a later one has to be nearer than by
rounding."""

TIE_DIGITS: Final = 9
"""Working modes whose clearances agree to a nanometre are equally good, and the distance of their arms decides."""


@final
@dataclass(frozen=True)
class Clearance:
    """Distances between links of different legs at a batch of poses; NaN where a leg does not close.

    Attributes:
        distance: smallest distance of any two links, surface to surface (...), m; negative: they penetrate. Links whose
            radius the file does not give count as lines: see `without_radius`.
        arms: smallest distance of two arms (or carriages), centre line to centre line (...), m; infinite where there is
            no such pair.
        arm_to_rod: the same of an arm (or carriage) and a rod (...), m.
        rods: the same of two rods (...), m.
        pair: which two links give `distance` (...), an index into `pairs`.
        pairs: names of every pair of links compared, such as "arm 2 - rod 3a".
        without_radius: "arms" (or "carriages"), "rods" or both: the links that are lines of no thickness here.
    """

    distance: np.ndarray
    arms: np.ndarray
    arm_to_rod: np.ndarray
    rods: np.ndarray
    pair: np.ndarray
    pairs: tuple[str, ...]
    without_radius: tuple[str, ...]

    @staticmethod
    def of(robot: Robot, outputs: tuple[np.ndarray, ...]) -> Clearance:
        """The answer of the kernel "clearance" with the names of the links.

        Args:
            robot: the description.
            outputs: what the kernel returned.
        """
        radii = ((f"{robot.limb.body}s", robot.limb.body_radius), ("rods", robot.limb.rod_radius))
        lines = tuple(name for name, radius in radii if radius is None)
        return Clearance(*outputs, pairs=link_pairs(robot), without_radius=lines)

    def closest(self, index: tuple[int, ...] = ()) -> str:
        """Names of the two links that come nearest at one pose of the batch; empty where a leg does not close.

        Args:
            index: position of the pose in the batch.
        """
        code = float(np.asarray(self.pair)[index])
        return "" if math.isnan(code) or not self.pairs else self.pairs[int(code)]


class ModeClearance(NamedTuple):
    """A working mode and the room it leaves.

    Attributes:
        mode: the working mode.
        distance: smallest distance of two links over all poses, surface to surface (m).
        arms: smallest distance of two arms over all poses, centre line to centre line (m).
        closest: names of the two links that give `distance`.
    """

    mode: WorkingMode
    distance: float
    arms: float
    closest: str


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
    for number, ((_, one), (_, other)) in enumerate(_pairs(robot, legs)):
        kind = (not one.driven) + (not other.driven)
        square = segment_distance_squared(one.start, one.along, other.start, other.along, one.square, other.square)
        codes[kind] = ca.if_else(square < TIE_SHARE * best[kind], float(number), codes[kind])
        best[kind] = ca.fmin(best[kind], square)
    lines = [ca.sqrt(square) for square in best]
    arm_radius, rod_radius = (0.0 if r is None else r for r in (robot.limb.body_radius, robot.limb.rod_radius))
    surfaces = [lines[0] - 2 * arm_radius, lines[1] - (arm_radius + rod_radius), lines[2] - 2 * rod_radius]
    distance, code = surfaces[0], codes[0]
    for surface, own in zip(surfaces[1:], codes[1:], strict=True):
        code = ca.if_else(surface < distance, own, code)
        distance = ca.fmin(distance, surface)
    return distance, dict(zip(("arms", "arm_to_rod", "rods"), lines, strict=True)), code


def _pairs(robot: Robot, legs: Sequence[tuple[Link, ...]]) -> Iterator[tuple[tuple[int, Link], tuple[int, Link]]]:
    """Every two links of different legs with the numbers of these, but not two rods that meet in a plate point."""
    links = [(number, link) for number, own in enumerate(legs, start=1) for link in own]
    for one, other in itertools.combinations(links, 2):
        together = robot.plate.traits.one_point and not one[1].driven and not other[1].driven
        if one[0] != other[0] and not together:
            yield one, other


def link_pairs(robot: Robot) -> tuple[str, ...]:
    """Names of every pair of links that is compared, in the order of the kernel's index.

    Args:
        robot: the description.
    """
    legs = [leg.links(pose) for leg, pose in _closed(robot, ca.DM(list(robot.home)))]
    return tuple(f"{_name(*one)} - {_name(*other)}" for one, other in _pairs(robot, legs))


def _name(number: int, link: Link) -> str:
    """Name of a link with the number of its leg: "arm 2", "rod 3a"."""
    kind, _, letter = link.name.partition(" ")
    return f"{kind} {number}{letter}"


def mode_clearances(model: AskedModel, x: ArrayLike) -> tuple[ModeClearance, ...]:
    """What room every working mode leaves over some poses, most room first.

    Args:
        model: the robot; its own working mode does not matter.
        x: task vectors (..., dof), m and rad: one pose, or all those of a motion.

    Raises:
        UnreachableError: a leg does not close at one of the poses, in any working mode.
    """
    poses = poses_of("x", x, model.robot.dof)
    model.reach(poses).raise_if_open()
    modes = model.working_modes
    distance, arms, *_, pair = model.kernel("clearance")(poses, _parameters(model, modes)[:, None, :])
    names = link_pairs(model.robot)
    worst = np.argmin(distance, axis=-1)
    entries = [
        ModeClearance(mode, float(row[k]), float(between.min()), names[int(code[k])] if names else "")
        for mode, row, between, code, k in zip(modes, distance, arms, pair, worst, strict=True)
    ]
    return tuple(sorted(entries, key=lambda entry: (-round(entry.distance, TIE_DIGITS), -entry.arms)))


def _parameters(model: AskedModel, modes: tuple[WorkingMode, ...]) -> np.ndarray:
    """The parameters (modes, numbers) of a model in every working mode: only the branches differ."""
    first = [path for path, _ in leaves(model.robot)].index("branches.1")
    table = np.tile(model.parameters, (len(modes), 1))
    table[:, first : first + model.robot.arms] = [[1.0 if sign == "+" else -1.0 for sign in m.signs] for m in modes]
    return table


def collision_free_modes(model: AskedModel, x: ArrayLike, minimum: float = 0.0) -> tuple[ModeClearance, ...]:
    """The working modes in which no two links touch, most room first: what picks a working mode (wu2020, after (4)).

    Args:
        model: the robot; its own working mode does not matter.
        x: task vectors (..., dof), m and rad: one pose, or all those of a motion.
        minimum: smallest distance, surface to surface, that counts as free (m); exactly this is not free.

    Raises:
        UnreachableError: a leg does not close at one of the poses, in any working mode.
    """
    return tuple(entry for entry in mode_clearances(model, x) if entry.distance > minimum)
