"""The joints within a plate: hinges, guides, screws, bearings, and the forces that pass through them.

A plate knows of which bodies it is made and which of them lie beyond a joint. What the joint passes is what those
bodies need for their motion and weight, less what the rods that hold them give: a `PlateCut` says this of any bodies
and legs. From there on every plate says by itself which part of it a joint bears, and which part passes beside it
through a rack, a belt or a thread.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, final

import casadi as ca

JointKind = Literal["hinge", "slide", "screw", "spline", "telescope"]


@final
@dataclass(frozen=True)
class Wrench:
    """A force (N, 3 x 1) and a moment (N m, 3 x 1) about a point."""

    force: Any
    moment: Any

    def less(self, force: Any, lever: Any) -> Wrench:
        """What is left of it without a force.

        Args:
            force: the force (N, 3 x 1).
            lever: from the point to where that force acts (m).
        """
        return Wrench(self.force - force, self.moment - ca.cross(lever, force))


@final
@dataclass(frozen=True)
class PlateJoint:
    """A joint between two bodies of a plate.

    Attributes:
        name: name in tables.
        kind: a hinge turns about its axis, a slide moves along it, a screw does both at once; a spline and a telescope
            slide along it and pass a torque about it.
    """

    name: str
    kind: JointKind


class PlateCut(Protocol):
    """What must act on bodies of the plate from the rest of it."""

    def __call__(self, point: Any, bodies: Collection[str], legs: Sequence[int] = ()) -> Wrench:
        """The wrench about a point that the rest of the plate puts on some of its bodies.

        Args:
            point: the point (m).
            bodies: names of parts, bars and turning bodies of the plate; "payload" for what the tool holds.
            legs: indices of the legs that hold these bodies.
        """
        ...


def vertical() -> Any:
    """The axis of every joint that turns about the vertical."""
    return ca.DM([0.0, 0.0, 1.0])


def legs_of(choice: Sequence[int], value: int) -> list[int]:
    """Indices of the legs on one of two parts.

    Args:
        choice: which part each leg holds, as in the file.
        value: the part.
    """
    return [leg for leg, part in enumerate(choice) if part == value]


def tool_wrench(cut: PlateCut, point: Any) -> Wrench:
    """What a tool needs at its bearing: for turning it and for what it holds.

    Args:
        cut: what must act on bodies of the plate.
        point: the tool's point (m).
    """
    return cut(point, ("tool", "payload"))
