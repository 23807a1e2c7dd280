"""Turning and moving something in the workspace: about the vertical through the origin, then by a shift."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True)
class Placement:
    """A turn about the z axis and a shift. The yaw of the plate does not turn along; it is shifted only.

    Attributes:
        azimuth: angle of the turn (rad).
        shift: what is added afterwards, (x, y, z) in m and, where there is yaw, rad.
    """

    azimuth: float = 0.0
    shift: tuple[float, ...] = (0.0, 0.0, 0.0)

    def vectors(self, v: np.ndarray) -> np.ndarray:
        """Velocities or other differences (..., dof), turned.

        Args:
            v: vectors (..., dof).
        """
        cosine, sine = math.cos(self.azimuth), math.sin(self.azimuth)
        turned = np.array(v, dtype=float)
        turned[..., 0] = cosine * v[..., 0] - sine * v[..., 1]
        turned[..., 1] = sine * v[..., 0] + cosine * v[..., 1]
        return turned

    def points(self, x: np.ndarray) -> np.ndarray:
        """Task vectors (..., dof), turned and shifted.

        Args:
            x: task vectors (..., dof).
        """
        return self.vectors(x) + fitted(self.shift, x.shape[-1])


def fitted(vector: Sequence[float], dof: int) -> np.ndarray:
    """A vector with a zero appended where the yaw is not spoken of (dof,)."""
    return np.array([*vector, 0.0][:dof] if len(vector) < dof else vector[:dof], dtype=float)
