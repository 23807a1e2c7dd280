"""What the engine's model needs to know of a leg (a protocol): where it stands, and the body that its motor moves."""

from __future__ import annotations

from typing import Final, Protocol
from xml.etree import ElementTree as ET

import numpy as np

from parapick.mechanism import SPACING_SHARE, Robot, per_leg

RADIUS_SHARE: Final = 0.05
"""Drawn radius of an arm as a share of its length, where the file has none; rods are drawn at a third of it."""


class Mount(Protocol):
    """A leg on its base."""

    @property
    def point(self) -> np.ndarray:
        """Where it stands (m)."""
        ...

    @property
    def side(self) -> np.ndarray:
        """Unit vector from rod to rod of a pair, about which a rod first turns at its elbow."""
        ...

    @property
    def rod(self) -> float:
        """Length of a rod (m)."""
        ...

    @property
    def spacing(self) -> float:
        """Distance of the two rods of a pair (m); 0 for a single rod."""
        ...

    @property
    def size(self) -> float:
        """A length (m) to draw its parts with."""
        ...

    @property
    def offset(self) -> float:
        """Distance of the elbow from the origin of the body that the motor moves, along the body's x (m)."""
        ...

    @property
    def extent(self) -> float:
        """How far it reaches (m)."""
        ...

    def frame(self, q: float) -> np.ndarray:
        """Axes (3, 3), as columns, of the body that the motor moves; the third is `side`.

        Args:
            q: coordinate of the motor (rad, or m on a rail).
        """
        ...

    def elbow(self, q: float) -> np.ndarray:
        """Elbow (m), midway between the rods.

        Args:
            q: coordinate of the motor (rad, or m on a rail).
        """
        ...

    def rough(self, target: np.ndarray) -> float:
        """A coordinate from which the engine closes the loops on the right side; the rod need not fit.

        Args:
            target: plate joint (m).
        """
        ...

    def wrapped(self, q: float) -> float:
        """The same coordinate within one turn; of a carriage, the coordinate itself.

        Args:
            q: coordinate of the motor (rad, or m on a rail).
        """
        ...

    def in_mode(self, plate: np.ndarray, elbow: np.ndarray) -> bool:
        """Whether the elbow lies where the description names it.

        Args:
            plate: plate joint (m).
            elbow: elbow, or carriage (m).
        """
        ...

    def add(self, robot: Robot, world: ET.Element, leg: int, q: float) -> ET.Element:
        """Add the body that the motor moves, with its joint `motor<n>` and its site `elbow<n>`.

        Args:
            robot: the resolved description.
            world: element of the world.
            leg: which leg, from 0.
            q: coordinate of the start pose (rad, or m on a rail).
        """
        ...

    def draw(self, base: ET.Element) -> None:
        """Draw what stands still: a motor, a rail.

        Args:
            base: element of the base.
        """
        ...


def spacing_of(robot: Robot, leg: int, size: float) -> float:
    """Distance of the two rods of a leg (m), 0 for a single rod.

    Args:
        robot: a resolved description.
        leg: which leg, from 0.
        size: the mount's size (m).
    """
    stated = per_leg(robot.limb.rod_spacing, leg)
    if robot.limb.rods == 1:
        return 0.0
    return SPACING_SHARE * size if stated is None else stated
