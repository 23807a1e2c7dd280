"""The room around poses: how far the plate may go from each before anything can fail.

It is a bound and not an estimate: `formulas/free_room.py` derives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.mechanism import stance
from parapick.model.margins import Margins
from parapick.model.model import Model


class Surroundings(NamedTuple):
    """A batch of poses and the room around them; NaN where a leg does not close.

    Attributes:
        radius: how far every plate point may move from the pose, along any path, with all legs closed, all limits of
            the robot held and all margins at least the floor (...), m; negative where the pose itself fails.
        under: margin to under-mobility (...).
        over: margin to over-mobility (...).
        internal: margin to internal singularities (...); infinite where the robot has no internal kind.
        plate_determinant: det J_x (...), which changes its sign at over-mobility; 1 where J_x is not square.
        internal_determinant: det J_int (...), likewise; 1 where it is not square or there is none.
        sweep: how far a plate point moves per radian of yaw (...), m, the largest of all legs.
    """

    radius: np.ndarray
    under: np.ndarray
    over: np.ndarray
    internal: np.ndarray
    plate_determinant: np.ndarray
    internal_determinant: np.ndarray
    sweep: np.ndarray

    @property
    def margins(self) -> Margins:
        """The three margins."""
        return Margins(self.under, self.over, self.internal)

    @property
    def orientation(self) -> np.ndarray:
        """Signs of the two determinants as one number (...): where it differs, there is a singularity between."""
        return (self.plate_determinant > 0) + np.int8(2) * (self.internal_determinant > 0)


@final
@dataclass(frozen=True)
class Room:
    """Where a robot may be: legs closed, limits held, margins at least at a floor.

    Attributes:
        model: the robot.
        margin: smallest margin to each kind of singularity; at 0, nothing but a singularity itself stops it.
    """

    model: Model
    margin: float = 0.0

    def around(self, x: ArrayLike, spin: ArrayLike = 0.0) -> Surroundings:
        """The room around poses.

        Args:
            x: task vectors (..., dof), m and rad.
            spin: yaw that comes with a metre of travel of the plate points (...), rad/m: 0 keeps the yaw.
        """
        poses = np.asarray(x, dtype=float)
        turns = np.broadcast_to(np.asarray(spin, dtype=float), poses.shape[:-1])[..., None]
        kernel = self.model.kernel("room")
        return Surroundings(*kernel(poses, turns, np.array([self.margin]), self.model.parameters))

    def radius(self, x: ArrayLike) -> np.ndarray:
        """How far the plate may go from poses at constant yaw (...), m; negative or NaN where the pose itself fails.

        Args:
            x: task vectors (..., dof), m and rad.
        """
        return self.around(x).radius

    @cached_property
    def shortest_rod(self) -> float:
        """Length (m) that everything else about the robot is small or large against."""
        return float(np.min(stance(self.model.robot).rod))
