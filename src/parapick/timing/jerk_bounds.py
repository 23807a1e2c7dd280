"""Bounds on jerk along a path: of the plate by its norm, of every joint by what the robot's file states.

Along a path x(s), with u the squared speed, v its root, b the acceleration and b' its slope by the length, the jerk of
the plate is `v (x' b' + 3 x'' b + x''' u)` and that of a joint `v (q' b' + 3 q'' b + q''' u)`, with the derivatives of
its coordinate by the length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, final

import numpy as np

from parapick.motion import LimitError, PathRates
from parapick.timing.grid import PathGrid
from parapick.timing.limits_along import KEPT, PathLimits

if TYPE_CHECKING:
    from parapick.model import Model

# Share of the largest second derivative that counts as a jump: above the rounding of a spline.
_JUMP: Final = 1e-6


class JerkRates(NamedTuple):
    """First, second and third derivative of coordinates (..., k) by the length of a path."""

    first: np.ndarray
    second: np.ndarray
    third: np.ndarray

    def jerks(self, u: np.ndarray, b: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Jerks (..., k) at squared speeds (m2/s2), accelerations (m/s2) and their slopes (1/s2), each (...)."""
        u, b, slope = u[..., None], b[..., None], slope[..., None]
        return np.sqrt(u) * (self.first * slope + 3.0 * self.second * b + self.third * u)


def plate_rates(path: PathRates) -> JerkRates:
    """Derivatives of the plate's place (..., 3) at points of a path."""
    return JerkRates(*(value[..., :3] for value in path[1:]))


@final
@dataclass(frozen=True, eq=False)
class JerkBounds:
    """What the jerk along a stretch must keep.

    Attributes:
        model: the robot, with what it carries.
        plate: largest jerk of the plate (m/s3); infinite without a bound.
        joints: largest jerk of every joint (n,), rad/s3; infinite without one.
    """

    model: Model
    plate: float
    joints: np.ndarray

    @staticmethod
    def of(limits: PathLimits, j_max: float) -> JerkBounds:
        """The bounds of a stretch, by its limits and what is asked of the plate (m/s3)."""
        return JerkBounds(limits.model, j_max, limits.joint_jerk)

    def lowered(self) -> JerkBounds:
        """The same bounds less the share `KEPT`."""
        return JerkBounds(self.model, self.plate * (1.0 - KEPT), self.joints * (1.0 - KEPT))

    @cached_property
    def limited(self) -> np.ndarray:
        """Joints with a bound (k,), from 0."""
        return np.isfinite(self.joints).nonzero()[0]

    @property
    def even(self) -> bool:
        """Whether cells are of constant jerk along the path, which follows a bound on joints twice as closely.

        With a bound on the plate alone the acceleration is linear in the length of a cell.
        """
        return len(self.limited) > 0

    @property
    def bounded(self) -> bool:
        """Whether there is any bound."""
        return self.plate < math.inf or len(self.limited) > 0

    @property
    def joints_limited(self) -> np.ndarray:
        """Bounds of the joints that have one (k,), rad/s3."""
        return self.joints[self.limited]

    def joint_rates(self, path: PathRates) -> JerkRates:
        """Derivatives of the joints that have a bound (..., k) at points of a path."""
        model = self.model
        derivatives = model.joint_rates(*path[:2]), model.joint_accelerations(*path[:3]), model.joint_jerks(*path)
        return JerkRates(*(value[..., self.limited] for value in derivatives))

    def out_of_rest(self, path: PathRates) -> float:
        """Largest jerk along the path (m/s3) with which a plate at rest may leave a point of it."""
        if not len(self.limited):
            return self.plate
        joints = float((np.abs(self.joint_rates(path).first) / self.joints_limited).max())
        return min(self.plate, 1.0 / max(joints, np.finfo(float).tiny))

    def check_smooth(self, grid: PathGrid) -> None:
        """Raise `LimitError` where the curvature of a path jumps, so that a jerk is infinite at any speed."""
        ends = grid.ends()
        checked = {"j_max": plate_rates(ends).second} if self.plate < math.inf else {}
        checked |= {"limits.joint_jerk": self.joint_rates(ends).second} if len(self.limited) else {}
        for field, second in checked.items():
            jump = np.linalg.norm(second[1:, 0] - second[:-1, -1], axis=-1)
            if jump.max(initial=0.0) > _JUMP * np.linalg.norm(second, axis=-1).max():
                where = float(grid.s[1:][int(np.argmax(jump))])
                text = f"the curvature jumps at {where:.6g} m of the path, so no bound on jerk holds; use via points"
                raise LimitError(field, text)
