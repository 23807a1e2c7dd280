"""The limits at a point of a path as native rows, for the structure of a robot.

With `u = sd^2` and `b = sdd` along a path x(s), `xdd = x' b + x'' u`, so that every limit on a torque is a row

    alpha b + beta u + gamma + delta sqrt(u) <= 1

with gravity and dry friction in gamma and viscous friction in delta. A limit that consists of several lines in speed is
as many rows. Limits on speed alone are a cap on u, and the bound on the plate's acceleration is the circle
`b^2 + (kappa u)^2 <= a^2`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

STILL: Final = 1e-9
"""A joint that moves less than this along the path (rad/m) stands still: the sign of its rate is rounding."""

SLOW: Final = 1e-6
"""Speed (m/s) below which a tangent of viscous friction is not made steeper: a division by zero at rest."""

UNBOUNDED: Final = 1e12
"""Squared speed (m2/s2) that stands for no bound: infinities would meet zeros."""

BOUNDS, USE, CELL_USE = "cell_bounds", "limit_use", "cell_use"
FORWARD, BACKWARD = "forward_pass", "backward_pass"
"""Names of the kernels and of the scans that work on rows."""


@final
@dataclass(frozen=True)
class LimitForm:
    """What the rows of a robot consist of.

    Attributes:
        torques: whether motors have torque limits.
        rough: whether joints have friction or gearboxes losses.
        lossy: whether gearboxes have losses.
        yaw: whether the acceleration of the yaw has a limit.
        single: whether every motor has a row of its own: without redundancy, and where motors share by least norm.
        kinds: keys of the limits of an instant that the file states, see `formulas.INSTANT`.
    """

    torques: bool
    rough: bool
    lossy: bool
    yaw: bool
    single: bool = True
    kinds: tuple[str, ...] = ()

    @property
    def weighed(self) -> bool:
        """Whether the rows depend on the masses of the robot."""
        return self.torques or any(kind != "acceleration" for kind in self.kinds)


@final
@dataclass(frozen=True)
class RowForm:
    """How the rows at a point lie in one vector.

    Alpha, beta and gamma of all rows, delta where there is friction; at last what `CAP`, `CURVATURE` and `REGULAR` say.

    Attributes:
        count: number of rows.
        rough: whether there is a delta.
        bounded: whether the plate's acceleration has a bound.
    """

    count: int
    rough: bool
    bounded: bool

    @classmethod
    def of(cls, width: int, *, rough: bool, bounded: bool) -> RowForm:
        """The form of vectors of a length."""
        return cls((width - 3) // (4 if rough else 3), rough, bounded)

    @property
    def width(self) -> int:
        """Length of the vector."""
        return (4 if self.rough else 3) * self.count + 3

    def coefficients(self, rows: Any) -> list[Any]:
        """Alpha, beta, gamma and delta, each (count, ...), of a vector (width, ...); delta is 0 without friction."""
        columns = [rows[i * self.count : (i + 1) * self.count] for i in range(4 if self.rough else 3)]
        return columns if self.rough else [*columns, 0.0]


CAP, CURVATURE, REGULAR = -3, -2, -1
"""Where a vector of rows has the largest squared speed (m2/s2), the curvature of the path (1/m), and a number that
changes its sign at a singularity."""


def constants(parameters: np.ndarray, payload: np.ndarray, torque: np.ndarray, speed: np.ndarray, *plate: float) -> Any:
    """The last input of a kernel: numbers of the robot and payload, limits at the joints, limits of the plate.

    The latter are its speed, yaw rate and yaw acceleration, and the share that is used of the limits of an instant.
    """
    return np.concatenate([parameters, payload, torque, speed, plate])


def linear_rows(form: RowForm, rows: np.ndarray, u: np.ndarray) -> list[np.ndarray]:
    """Alpha, beta and gamma (..., k) of rows (..., width), viscous friction by its tangent at squared speeds (...).

    A tangent lies above the root: `sqrt(u) <= v / 2 + u / (2 v)`. Where friction loads a motor the row is then too
    strict away from u, where it helps too loose; at u itself it is exact. At rest viscous friction is left out.
    """
    alpha, beta, gamma, delta = form.coefficients(np.moveaxis(rows, -1, 0))
    if form.rough:
        # A tangent at more than the speed that friction alone allows would leave nothing at rest.
        speed = np.minimum(np.sqrt(u), 1.0 / np.maximum(delta.max(axis=0), np.finfo(float).tiny))
        slow = speed <= SLOW
        beta = beta + delta * np.where(slow, 0.0, 0.5 / np.where(slow, 1.0, speed))
        gamma = gamma + delta * np.where(slow, 0.0, 0.5 * speed)
    return [np.moveaxis(value, 0, -1) for value in (alpha, beta, gamma)]
