"""Where the arms stand and where the plate is held, at the zero pose: read from the description, in plain NumPy.

Nothing here knows how the robot moves. These few lines repeat what `mechanism/` says of motors and attachment points
on purpose: an oracle that shared them could not find them wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.mechanism import Placed, Radial, Robot
from parapick.mechanism.limb import per_leg

__all__ = ["Mount", "attachments", "horizontal", "mounts"]

UP: Final = np.array([0.0, 0.0, 1.0])

SPACING_SHARE: Final = 0.25
"""Distance of the two rods of a pair, as a share of the arm, where the file has none. Torques do not depend on it; how
a pair shares its force does."""

ROUGH_ANGLE: Final = 1.0
"""Angle (rad) between an arm and the line from its motor to its plate joint, at the rough pose."""


@final
@dataclass(frozen=True)
class Mount:
    """One arm on its motor.

    Attributes:
        point: centre of the motor (m).
        zero: direction of the arm at q = 0.
        axis: motor axis; q counts positive about it.
        arm: length of the arm (m).
        rod: length of a rod (m).
        spacing: distance of the two rods of a pair (m); 0 for a single rod.
        branch: +1 when the elbow lies on the side of growing q, seen from the line motor to plate joint.
    """

    point: np.ndarray
    zero: np.ndarray
    axis: np.ndarray
    arm: float
    rod: float
    spacing: float
    branch: float

    def direction(self, q: float) -> np.ndarray:
        """Direction of the arm at a joint angle (rad)."""
        return np.cos(q) * self.zero + np.sin(q) * np.cross(self.axis, self.zero)

    def elbow(self, q: float) -> np.ndarray:
        """Elbow (m), midway between the rods, at a joint angle (rad)."""
        return self.point + self.arm * self.direction(q)

    def rough(self, target: np.ndarray) -> float:
        """A joint angle (rad) on the right side of the line to a plate joint `target` (m); the rod need not fit."""
        line = target - self.point
        toward = np.arctan2(line @ np.cross(self.axis, self.zero), line @ self.zero)
        angle = toward + self.branch * ROUGH_ANGLE
        return float(np.arctan2(np.sin(angle), np.cos(angle)))


def horizontal(angle: float) -> np.ndarray:
    """Horizontal unit vector at an azimuth (rad)."""
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _unit(vector: tuple[float, ...]) -> np.ndarray:
    return np.asarray(vector) / np.linalg.norm(vector)


def _stands(base: Radial | Placed) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]:
    """Point, zero direction and axis of every motor, and the sign of the branch whose elbow lies where q grows."""
    if isinstance(base, Placed):
        numbers = zip(base.points, base.zeros, base.axes, strict=True)
        return [(np.array(point), _unit(zero), _unit(axis), 1.0) for point, zero, axis in numbers]
    stands = []
    for outward, shift in zip(map(horizontal, base.angles), _shifts(base), strict=True):
        elevation = 0.0 if base.zero is None else base.zero
        zero = np.cos(elevation) * outward + np.sin(elevation) * UP
        # Turning about outward x up lifts the arm, which is what a positive sign means; a positive branch puts the
        # elbow outward whatever the sign.
        stands.append((base.radius * outward + shift, zero, base.sign * np.cross(outward, UP), base.sign))
    return stands


def _shifts(base: Radial | Placed) -> np.ndarray:
    if isinstance(base, Placed) or base.offsets is None:
        return np.zeros((base.count, 3))
    return np.array(base.offsets)


def mounts(robot: Robot) -> tuple[Mount, ...]:
    """Every arm on its motor, in leg order.

    Args:
        robot: a resolved description.
    """
    limb = robot.limb
    found = []
    for i, (point, zero, axis, sign) in enumerate(_stands(robot.base)):
        arm, spacing = per_leg(limb.arm, i), per_leg(limb.rod_spacing, i)
        if limb.rods == 1:
            spacing = 0.0
        elif spacing is None:
            spacing = SPACING_SHARE * arm
        rod, branch = per_leg(limb.rod_length, i), sign * robot.branches[i]
        found.append(Mount(point, zero, axis, arm, rod, spacing, branch))
    return tuple(found)


def attachments(robot: Robot) -> np.ndarray:
    """Plate joint of every leg from the plate's centre, at yaw 0 (arms, 3), m.

    Args:
        robot: a resolved description.
    """
    azimuths = robot.plate.angles or robot.base.angles or (0.0,) * robot.arms
    return robot.plate.radius * np.array([horizontal(angle) for angle in azimuths]) + _shifts(robot.base)
