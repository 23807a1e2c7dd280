"""Where the plate is held at the zero pose: read from the description, in plain NumPy.

These few lines repeat what `mechanism/` says of attachment points on purpose: an oracle that shared them could not find
them wrong.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.mechanism import Base, Robot

UP: Final = np.array([0.0, 0.0, 1.0])


def horizontal(angle: float) -> np.ndarray:
    """Horizontal unit vector at an azimuth (rad)."""
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def shifts(base: Base) -> np.ndarray:
    """Shift of every leg and its plate joint from its place on the circle (arms, 3), m."""
    offsets = getattr(base, "offsets", None)
    return np.zeros((base.count, 3)) if offsets is None else np.array(offsets)


def attachments(robot: Robot) -> np.ndarray:
    """Plate joint of every leg from the plate's centre, at yaw 0 (arms, 3), m.

    Args:
        robot: a resolved description.
    """
    azimuths = robot.plate.angles or robot.base.angles or (0.0,) * robot.arms
    return robot.plate.radius * np.array([horizontal(angle) for angle in azimuths]) + shifts(robot.base)
