"""Small helpers to write MJCF: elements with numbers in full precision, and the kinds of inertia the robots have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from xml.etree import ElementTree as ET

import numpy as np

TINY: Final = 1e-12
"""Mass (kg) and moment of inertia (kg m2) of what the description calls massless: MuJoCo wants a positive number in
every moving body, and this one changes torques by about 1e-10 of their peak."""

THIN: Final = 1e-9
"""Moment of inertia of a thin rod about its own axis, as a share of the transverse one. A rod 0.8 m long has it at a
radius of 10 micrometres, so spin is without effect and the inertia matrix stays regular."""

Vector = Sequence[float] | np.ndarray


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    numbers = np.atleast_1d(np.asarray(value, dtype=float)) + 0.0
    return " ".join(f"{number:.17g}" for number in numbers)


def child(parent: ET.Element, tag: str, **attributes: Any) -> ET.Element:
    """A new last child; numbers and vectors are written with 17 digits, attributes that are None are left out.

    Args:
        parent: the element that gets the child.
        tag: name of the child.
        attributes: its attributes; a trailing underscore, for Python's own words, is dropped.
    """
    written = {name.rstrip("_"): _text(value) for name, value in attributes.items() if value is not None}
    return ET.SubElement(parent, tag, written)


def inertial(body: ET.Element, mass: float, pos: Vector, diagonal: Vector, xyaxes: Vector | None = None) -> None:
    """Mass, centre (m, in the body's frame) and principal moments (kg m2) of a body, none below `TINY`.

    Args:
        body: the body's element.
        mass: mass (kg).
        pos: centre of mass (m).
        diagonal: three principal moments of inertia (kg m2).
        xyaxes: first two principal axes; those of the body's frame if not given.
    """
    child(body, "inertial", pos=pos, mass=max(mass, TINY), diaginertia=np.maximum(diagonal, TINY), xyaxes=xyaxes)


def plain(body: ET.Element, mass: float, radius: float, pos: Vector = (0.0, 0.0, 0.0)) -> None:
    """Inertia of a part that never turns: a disc of its size, since the value has no effect.

    Args:
        body: the body's element.
        mass: mass (kg).
        radius: size of the part (m).
        pos: centre of mass (m).
    """
    square = mass * radius * radius
    inertial(body, mass, pos, (square / 4, square / 4, square / 2))


def turning(body: ET.Element, inertia: float, mass: float = 0.0) -> None:
    """Inertia of a part that turns about the vertical through its centre of mass, and about no other axis.

    Args:
        body: the body's element.
        inertia: moment of inertia about the vertical (kg m2).
        mass: mass (kg).
    """
    inertial(body, mass, (0.0, 0.0, 0.0), (inertia, inertia, inertia))


def bar(body: ET.Element, mass: float, span: np.ndarray, *, lumped: bool) -> None:
    """Inertia of a horizontal bar from the body's origin along `span`: thin and uniform, or half its mass on each end.

    Args:
        body: the body's element.
        mass: mass (kg).
        span: vector from end to end (m).
        lumped: whether the mass sits on the ends.
    """
    length = float(np.linalg.norm(span))
    across = mass * length**2 / (4 if lumped else 12)
    along = span / length
    side = np.cross((0.0, 0.0, 1.0), along)
    inertial(body, mass, span / 2, (THIN * across, across, across), (*along, *side))


def hinge(body: ET.Element, name: str, axis: Vector = (0.0, 0.0, 1.0), **more: Any) -> None:
    """A hinge through the body's origin.

    Args:
        body: the body's element.
        name: name of the joint.
        axis: its axis in the body's frame.
        more: further attributes, such as `ref` (rad) or `armature` (kg m2).
    """
    child(body, "joint", name=name, type="hinge", axis=axis, **more)


def slide(body: ET.Element, name: str, axis: Vector, **more: Any) -> None:
    """A slide.

    Args:
        body: the body's element.
        name: name of the joint.
        axis: its direction in the body's frame.
        more: further attributes, such as `ref` (m) or `armature` (kg).
    """
    child(body, "joint", name=name, type="slide", axis=axis, **more)
