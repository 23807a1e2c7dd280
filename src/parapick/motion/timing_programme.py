"""The linear programme behind a bound on jerk: squared speeds and accelerations at nodes, as large as limits allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.motion.errors import MotionError
from parapick.motion.timing_grid import Grid
from parapick.motion.timing_rows import Rows
from parapick.motion.timing_stretch import Stretch

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Programme", "rest_growth"]

# How far a variable may be from its scale: wide enough never to matter, close enough to keep the programme bounded.
_WIDE: Final = 1e3
_SOLVED: Final = 0
"""Status of SciPy's linprog for a solved problem."""


def rest_growth(length: np.ndarray | float, j_max: float) -> np.ndarray:
    """Squared speed that constant jerk gives over a length out of rest: `(j t^2 / 2)^2` with `s = j t^3 / 6`.

    Args:
        length: length from rest (...), m.
        j_max: jerk (m/s3).
    """
    return 6.0 ** (4 / 3) / 4.0 * np.asarray(length) ** (4 / 3) * j_max ** (2 / 3)


@final
@dataclass(frozen=True, eq=False)
class Programme:
    """Largest `sum of w u` with all rows of limits at both ends of all cells.

    Attributes:
        grid: the grid.
        rows: limits at both ends of its cells (N, 2).
        j_max: largest jerk (m/s3).
        speeds: speeds at both ends of the stretch (m/s).
        rest: which ends are at rest.
    """

    grid: Grid
    rows: Rows
    j_max: float
    speeds: tuple[float, float]
    rest: tuple[bool, bool]

    def guess(self, stretch: Stretch) -> np.ndarray:
        """Squared speeds (N + 1,) to begin with: the profile without the bound, and what jerk allows near rest.

        Args:
            stretch: the profile without the bound.
        """
        s, first, last = self.grid.s, self.grid.s[0], self.grid.s[-1]
        u = np.interp(s, stretch.grid.s, stretch.u)
        for resting, length in zip(self.rest, (s - first, last - s), strict=True):
            u = np.minimum(u, rest_growth(length, self.j_max)) if resting else u
        return u

    def solved(self, u: np.ndarray, directions: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Squared speeds and accelerations at the nodes, each (N + 1,).

        Args:
            u: squared speeds around which friction and jerk are linear (N + 1,), m2/s2.
            directions: unit vectors (N, 2, 3) along which the jerk is bounded.
        """
        from scipy.optimize import linprog
        from scipy.sparse import vstack

        scale = self._scale(u)
        equal = self._dynamics(scale)
        blocks = [self._limits(u, scale), *(self._jerk(u, scale, direction) for direction in directions)]
        matrix, right = vstack([block for block, _ in blocks]), np.concatenate([bound for _, bound in blocks])
        weights = np.concatenate([self._weights(u), np.zeros_like(u)]) * scale
        answer = linprog(
            -weights / weights.max(),
            A_ub=matrix,
            b_ub=right,
            A_eq=equal,
            b_eq=np.zeros(equal.shape[0]),
            bounds=self._bounds(scale),
            method="highs-ipm",
        )
        if answer.status != _SOLVED:
            raise MotionError(f"no timing with this bound on jerk was found: {answer.message}")
        return self._exact(answer.x, equal, scale)

    def _exact(self, y: np.ndarray, equal: csr_matrix, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The answer moved by what the solver left open, so that the speed does not jump between cells."""
        from scipy.sparse.linalg import spsolve

        fixed = np.zeros(len(y), dtype=bool)
        count = len(y) // 2
        fixed[[0, count - 1, count, -1]] = True
        free = equal[:, ~fixed]
        y[~fixed] -= free.T @ spsolve((free @ free.T).tocsc(), equal @ y)
        u, b = np.split(y * scale, 2)
        return np.maximum(u, 0.0), b

    def _scale(self, u: np.ndarray) -> np.ndarray:
        """Scale of the unknowns (2 N + 2,): what they were, so that the small ones near rest count as much."""
        s = self.grid.s
        inner = np.maximum(u, np.finfo(float).tiny)
        inner[[0, -1]] = inner[[1, -2]]
        distance = np.minimum(s - s[0], s[-1] - s)
        distance[[0, -1]] = distance[[1, -2]]
        return np.concatenate([inner, inner / distance])

    def _weights(self, u: np.ndarray) -> np.ndarray:
        """How much time a squared speed saves (N + 1,), s3/m2."""
        speed = np.sqrt(u)
        share = self.grid.h / (speed[:-1] + speed[1:]) ** 2
        total = np.concatenate([share, [0.0]]) + np.concatenate([[0.0], share])
        total[1:-1] /= speed[1:-1]
        total[[0, -1]] = 0.0
        return total

    def _bounds(self, scale: np.ndarray) -> np.ndarray:
        count = len(self.grid.s)
        cap = np.concatenate([[np.inf], self.rows.cap[:, 1]])
        cap[:-1] = np.minimum(cap[:-1], self.rows.cap[:, 0])
        h = self.grid.h
        for resting, node, cell in ((self.rest[0], 1, 0), (self.rest[1], -2, -1)):
            cap[node] = min(cap[node], float(rest_growth(h[cell], self.j_max))) if resting else cap[node]
        low = np.concatenate([np.zeros(count), np.full(count, -_WIDE)])
        high = np.concatenate([np.minimum(cap / scale[:count], _WIDE), np.full(count, _WIDE)])
        low[[0, count - 1]] = high[[0, count - 1]] = np.square(self.speeds) / scale[[0, count - 1]]
        low[[count, -1]] = high[[count, -1]] = 0.0
        return np.stack([low, high], axis=1)

    def _dynamics(self, scale: np.ndarray) -> csr_matrix:
        """`u_(i+1) - u_i = h (b_i + b_(i+1))`; in a cell out of rest `b_1 = 2 u_1 / (3 h)`."""
        count, h = len(self.grid.h), self.grid.h
        one, zero = np.ones(count), np.zeros(count)
        columns = [-one, one, -h, -h]
        for resting, cell, sign in ((self.rest[0], 0, 1.0), (self.rest[1], -1, -1.0)):
            if resting:
                far = [0.0, sign * 2 / 3, 0.0, -h[cell]] if cell == 0 else [sign * 2 / 3, 0.0, -h[cell], 0.0]
                for column, value in zip(columns, far, strict=True):
                    column[cell] = value
        return self._matrix(columns, scale, 1.0 / scale[np.arange(count) + (np.arange(count) == 0)]) if True else zero

    def _limits(self, u: np.ndarray, scale: np.ndarray) -> tuple[csr_matrix, np.ndarray]:
        raise NotImplementedError
