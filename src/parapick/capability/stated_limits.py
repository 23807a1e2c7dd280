"""What a file limits at every instant beside the torques of its motors, as further facets of what they can do.

The kinds are those of `formulas.INSTANT`. Torque over speed makes the force zonotope itself smaller. Of all others
every one bounds a quantity that is linear in the acceleration, `|a . xdd + c| <= w`. With `F = M xdd + h` the force,
that is a pair of facets with the normal `M^-1 a`. Jerk is another question, and not counted.
"""

from __future__ import annotations

from typing import Any, Final

import casadi as ca

from parapick.algebra import solve
from parapick.capability.section import FacetPair, facets_of
from parapick.formulas import (
    Balance,
    PlateState,
    axial_forces,
    friction_torque,
    instant_kinds,
    reflected,
    rod_limits,
)
from parapick.mechanism import Robot, motor_ratings

NO_LIMIT: Final = 1e6
"""How many times the one limit of a rod the other is taken to be where the file states none: without effect, and small
enough that the middle between both keeps its digits."""

_UNLIMITED: Final = 1e300
"""Stands for an infinite support of a facet that is none: infinities would meet zeros."""

_STILL: Final = 1e-9
"""A joint slower than this (rad/s) is at rest."""


def stated_pairs(
    robot: Robot, state: PlateState, forces: Balance, friction: Any, rows: Any, *, moving: bool
) -> list[tuple[Any, Any]]:
    """Quantities linear in the acceleration, each with the largest amount it may have.

    Args:
        state: the symbolic state, with an acceleration.
        forces: its balance.
        friction: 1, or 0 to leave friction out.
        rows: least-norm torques per task force (n x dof); None where motors share as they need to.
        moving: whether the plate moves.
    """
    keys = {kind.key for kind in instant_kinds(robot)}
    pairs: list[tuple[Any, Any]] = []
    if "acceleration" in keys:
        limits = motor_ratings(robot, "joint_acceleration")
        pairs += [(forces.accelerations[i], limit) for i, limit in enumerate(limits) if limit is not None]
    if "gearbox" in keys:
        pairs += _gearboxes(robot, forces, friction, rows, moving=moving)
    if keys & {"rod_pull", "rod_push"}:
        elbow, plate, _ = axial_forces(robot, state, forces)
        pull, push = _rods(robot, keys)
        for ends in (elbow, plate):
            axial = ca.vec(ends.T)
            pairs += [(axial[k] - (pull[k] - push[k]) / 2, (pull[k] + push[k]) / 2) for k in range(axial.numel())]
    return pairs


def _rods(robot: Robot, keys: set[str]) -> tuple[Any, Any]:
    """Largest pull and push of every rod (rods x 1), N."""
    stated = {key: rod_limits(robot, key) for key in ("rod_pull", "rod_push") if key in keys}
    largest = NO_LIMIT * next(iter(stated.values()))
    return stated.get("rod_pull", largest), stated.get("rod_push", largest)


def _gearboxes(robot: Robot, forces: Balance, friction: Any, rows: Any, *, moving: bool) -> list[tuple[Any, Any]]:
    """What the gearboxes pass: of each, or of every facet where motors share as they need to."""
    ratings = motor_ratings(robot, "gearbox_torque")
    limits, shift = [], []
    frictions: Any = robot.joint_frictions()
    for i, (rating, joint) in enumerate(zip(ratings, frictions, strict=True)):
        breakaway = friction * (joint.coulomb + joint.stribeck)
        still = ca.fabs(forces.rates[i]) < _STILL if moving else ca.SX(1)
        least = ca.SX(ca.inf) if rating is None else ca.fmax(rating - ca.if_else(still, breakaway, 0.0), 0.0)
        limits.append(least)
        shift.append(ca.if_else(still, 0.0, friction * friction_torque(joint, forces.rates[i])) if moving else ca.SX(0))
    widths = ca.vertcat(*limits)
    rotors = ca.vertcat(*(reflected(drive) for drive in robot.motor_drives()))
    beside = ca.vertcat(*shift) - rotors * forces.accelerations
    if rows is not None:
        passed = ca.mtimes(rows, forces.generalized()) + beside
        return [(passed[k], widths[k]) for k in range(robot.motors) if ratings[k] is not None]
    force = forces.generalized() + ca.mtimes(forces.jacobian.T, beside)
    facets = facets_of(forces.jacobian.T, widths)
    return [(ca.dot(facet.normal, force), ca.if_else(facet.regular, facet.support, ca.inf)) for facet in facets]


def facet_pairs(pairs: list[tuple[Any, Any]], xdd: Any, mass: Any, rest: Any) -> list[FacetPair]:
    """Facets in the force by quantities that are linear in the acceleration.

    Args:
        pairs: quantities, and the largest amounts that they may have.
        xdd: the acceleration in them (dof x 1).
        mass: mass matrix M of `F = M xdd + h`.
        rest: h.
    """
    if not pairs:
        return []
    values = ca.vertcat(*(value for value, _ in pairs))
    slopes = ca.jacobian(values, xdd)
    (at_rest,) = ca.substitute([values], [xdd], [ca.SX.zeros(*xdd.shape)])
    normals, _ = solve(mass.T, slopes.T)
    middles = at_rest - ca.mtimes(normals.T, rest)
    facets = []
    for k, (_, width) in enumerate(pairs):
        normal, slope = normals[:, k], slopes[k, :]
        # Without a limit there is no facet.
        regular = ca.logic_and(ca.sumsqr(slope) > 0, width < ca.inf)
        facets.append(FacetPair((), normal, ca.sumsqr(normal), ca.fmin(width, _UNLIMITED), regular, middles[k]))
    return facets
