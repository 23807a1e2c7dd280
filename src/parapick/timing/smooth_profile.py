"""A profile whose acceleration is continuous: linear in the length within cells, with constant jerk next to rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.motion.path import PathRates
from parapick.timing.grid import Grid
from parapick.timing.timing_steps import Steps

# Newton steps that find how long a cell takes; the start is the mean speed.
_NEWTON: Final = 8


@final
@dataclass(frozen=True, eq=False)
class Spline:
    """Squared speeds and accelerations at the nodes of a grid.

    Within a cell b is linear in s and u its integral. In a cell out of rest, or into it, `u ~ s^(4/3)`.

    Attributes:
        grid: the grid.
        u: squared speeds (N + 1,), m2/s2.
        b: accelerations (N + 1,), m/s2.
        rest: which ends of the stretch are at rest.
    """

    grid: Grid
    u: np.ndarray
    b: np.ndarray
    rest: tuple[bool, bool]

    @property
    def durations(self) -> np.ndarray:
        """Times of the cells (N,) from their mean speeds, s; `steps` has the exact ones."""
        speed = np.sqrt(self.u)
        return 2.0 * self.grid.h / (speed[:-1] + speed[1:])

    def looked(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Squared speeds, accelerations and their slopes by the length, at shares of every cell (N, looks).

        Args:
            shares: where to look (looks,).
        """
        along = self.grid.h[:, None] * shares
        slope = np.repeat((np.diff(self.b) / self.grid.h)[:, None], len(shares), axis=1)
        b = self.b[:-1, None] + slope * along
        u = np.maximum(self.u[:-1, None] + along * (self.b[:-1, None] + b), 0.0)
        for cell, node, away, sign in ((0, 1, shares, 1.0), (-1, -2, 1.0 - shares, -1.0)):
            if self.rest[cell]:
                # At rest itself the slope is infinite, and its product with the speed is not.
                x, h = np.maximum(away, np.finfo(float).eps), self.grid.h[cell]
                u[cell], b[cell] = self.u[node] * x ** (4 / 3), sign * (2 / 3) * self.u[node] / h * np.cbrt(x)
                slope[cell] = (2 / 9) * self.u[node] / h**2 * x ** (-2 / 3)
        return u, b, slope

    def jerk(self, path: PathRates, shares: np.ndarray) -> np.ndarray:
        """Jerk of the plate (N, looks, 3), m/s3.

        Args:
            path: the path at these shares of every cell (N, looks, dof).
            shares: where to look (looks,).
        """
        u, b, slope = (value[..., None] for value in self.looked(shares))
        return np.sqrt(u) * (path.d1[..., :3] * slope + 3.0 * path.d2[..., :3] * b + path.d3[..., :3] * u)

    def steps(self) -> Steps:
        """The profile as a timing."""
        h, speed, slope = self.grid.h, np.sqrt(self.u), np.diff(self.b) / self.grid.h
        acceleration, jerk, times = self.b[:-1].copy(), np.zeros_like(slope), self.durations
        free = np.ones(len(slope), dtype=bool)
        for cell, node in ((0, 1), (-1, -2)):
            if self.rest[cell]:
                # s = j t^3 / 6, v = j t^2 / 2
                times[cell] = 3.0 * h[cell] / speed[node]
                jerk[cell] = 2.0 * speed[node] / times[cell] ** 2
                acceleration[cell] = 0.0 if cell == 0 else -jerk[cell] * times[cell]
                slope[cell], free[cell] = 0.0, False
        cells = np.flatnonzero(free)
        for _ in range(_NEWTON):
            reached = Steps(times, self.grid.s[:-1], speed[:-1], acceleration, jerk, slope).within(cells, times[cells])
            times[cells] -= (reached.s - self.grid.s[cells + 1]) / reached.sd
        return Steps(times, self.grid.s[:-1], speed[:-1], acceleration, jerk, slope)
