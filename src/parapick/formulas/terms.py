"""Sums of inertia times acceleration, in which all that moves alike is added up before it is multiplied.

Every force of a robot is a sum of terms `amount motion`: a mass and an acceleration, a moment of inertia and an angular
acceleration, a mass and gravity. Each is named after the part of the torque it belongs to, so that the same terms give
the torques of one part or of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca

from parapick.mechanism.legs import Term

_DEPTH: Final = 30
"""Levels to which two expressions are compared: a plate point's second derivative has about ten. Two that are equal
and not seen as such only cost more."""


@final
@dataclass(frozen=True, eq=False)
class PointMotion:
    """How a point (or an angle) of the plate moves; points that move alike have the same one.

    Attributes:
        slope: dp/dx, 3 x dof (1 x dof).
        velocity: m/s (rad/s).
        acceleration: m/s2 (rad/s2).
    """

    slope: Any
    velocity: Any
    acceleration: Any


def moving(point: Any, x: Any, xd: Any, xdd: Any) -> PointMotion:
    """Motion of a point (or angle) given as an expression of x.

    Args:
        point: its place (m), or the angle (rad).
        x: column of symbols of the task vector.
        xd: its rate.
        xdd: its acceleration.
    """
    slope = ca.jacobian(point, x)
    velocity = ca.mtimes(slope, xd)
    return PointMotion(slope, velocity, ca.mtimes(slope, xdd) + ca.jtimes(velocity, x, xd))


@final
class Motions:
    """The motions of a plate at a state, one for all points that move alike.

    Args:
        x: column of symbols of the task vector.
        xd: its rate.
        xdd: its acceleration.
    """

    def __init__(self, x: Any, xd: Any, xdd: Any) -> None:
        self._state = x, xd, xdd
        self._known: list[PointMotion] = []

    def of(self, point: Any) -> PointMotion:
        """Motion of a point (or angle).

        Args:
            point: its place (m), or the angle (rad), as an expression of x.
        """
        motion = moving(ca.SX(point), *self._state)
        for known in self._known:
            if _equal(known.slope, motion.slope) and _equal(known.acceleration, motion.acceleration):
                return known
        self._known.append(motion)
        return motion


def total(terms: Iterable[Term]) -> Any:
    """Sum of terms: amounts of equal motions are added first, then motions of equal amounts.

    Args:
        terms: the summands, all columns of the same length or all scalars.
    """
    by_motion = _merged([(term.motion, term.amount) for term in terms])
    by_amount = _merged([(amount, motion) for motion, amount in by_motion])
    return sum((amount * motion for amount, motion in by_amount), ca.SX(0))


def _merged(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Pairs with their second entries added up where the first ones are equal."""
    merged: list[tuple[Any, Any]] = []
    for first, second in pairs:
        place = next((k for k, (known, _) in enumerate(merged) if _equal(known, first)), None)
        if place is None:
            merged.append((first, second))
        else:
            merged[place] = (merged[place][0], merged[place][1] + second)
    return merged


def _equal(first: Any, second: Any) -> bool:
    """Whether two expressions are the same, as far as their first levels show."""
    if first is second:
        return True
    left, right = (value if isinstance(value, ca.SX) else ca.SX(value) for value in (first, second))
    return left.sparsity() == right.sparsity() and ca.is_equal(left, right, _DEPTH)
