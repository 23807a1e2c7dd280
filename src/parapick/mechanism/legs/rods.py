"""What all legs with rods have in common: the rods' closure, forces and bodies."""

from __future__ import annotations

from typing import Any

import casadi as ca

from parapick.mechanism.legs.leg import LegMotion, LegPose, Link, Term
from parapick.mechanism.rod import VARIABLE, Ends, Rods, end_forces


def upward(size: Any) -> Any:
    """A vector straight up.

    Args:
        size: its length, a number or an expression.
    """
    return size * ca.DM([0.0, 0.0, 1.0])


def rod_residual(pose: LegPose, length: Any) -> Any:
    """What is left of a rod's length (m).

    Args:
        pose: the leg at a coordinate.
        length: length L of the rod (m).
    """
    return ca.sqrt(ca.dot(pose.rod, pose.rod)) - length


def rod_newton(pose: LegPose, length: Any, *, encoders: bool) -> tuple[Any, Any, Any]:
    """`(|B - A|^2 - L^2) / (2 L)`, its direction and divisor; an error of the coordinate has rod . w in the place of L.

    Args:
        pose: the leg at a coordinate.
        length: length L of the rod (m).
        encoders: whether the residual is to be an error of the coordinate.
    """
    scale = pose.lever if encoders else length
    return (ca.dot(pose.rod, pose.rod) - length * length) / (2 * scale), pose.rod, scale


def rod_angle(back: Any, rod: Any) -> Any:
    """Angle at A between a rod and a link that ends there; by sine and cosine, so that no digit is lost near 180 deg.

    Args:
        back: vector along the link, towards A (m).
        rod: vector from A to B (m).
    """
    across = ca.cross(back, rod)
    return ca.atan2(ca.sqrt(ca.dot(across, across)), -ca.dot(back, rod))


def rod_lean(normal: Any, rod: Any) -> Any:
    """Angle between a rod and a plane.

    Args:
        normal: unit vector square to the plane.
        rod: vector from A to B (m).
    """
    beside = ca.dot(rod, normal)
    along = rod - beside * normal
    return ca.atan2(ca.fabs(beside), ca.sqrt(ca.dot(along, along)))


def rod_terms(
    rods: Rods, radius: Any, motion: LegMotion, ends: Ends, gravity: Any
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """What the rods of a leg need at its coordinate, `w . f_A`, and forces they need at the plate, f_B.

    Where the masses are constant, w . aA = |w|^2 qdd.

    Args:
        radius: |w|.
        motion: the leg in motion.
        ends: how both ends of the rods move.
        gravity: acceleration of gravity (m/s2).
    """
    numbers = rods.inertia
    hanging = Term("gravity", numbers.weight1 * gravity, motion.pose.w[2])
    carried = Term("gravity", numbers.weight2, upward(gravity))
    if rods.model in VARIABLE:
        elbow, plate = end_forces(rods.model, rods.known, ends)
        return (Term("rods", 1.0, ca.dot(motion.pose.w, elbow)), hanging), (Term("rods", 1.0, plate), carried)
    inertia = numbers.m11 * radius * radius
    turning = Term("rods", inertia, motion.acceleration), Term("rods", numbers.m12, motion.across)
    pulling = Term("rods", numbers.m12, ends.acceleration_a), Term("rods", numbers.m22, ends.acceleration_b)
    return (*turning, hanging), (*pulling, carried)


def rod_links(rods: Rods, pair: Any, length: Any, elbow: Any, along: Any) -> tuple[Link, ...]:
    """The rods as segments.

    Args:
        pair: unit vector from the first rod of a pair to the second.
        length: their length L (m).
        elbow: point A (m).
        along: vector from A to B (m).
    """
    return tuple(
        Link(
            f"rod {letter}".rstrip(),
            False,
            elbow + (side * rods.spacing * pair if side else 0.0),
            along,
            length * length,
        )
        for letter, side in rods.sides
    )
