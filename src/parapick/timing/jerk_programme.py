"""The linear programme behind a bound on jerk: squared speeds and accelerations at nodes, as large as limits allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import MotionError
from parapick.motion import PathRates
from parapick.timing.grid import PathGrid
from parapick.timing.jerk_bounds import JerkBounds, JerkRates, plate_rates
from parapick.timing.limit_rows import CAP, CURVATURE, linear_rows
from parapick.timing.limits_along import KEPT
from parapick.timing.refinement import Course, TimedStretch, resting_looks

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


# How far an unknown may be from its scale: wide enough never to matter, close enough to keep the programme bounded.
_WIDE: Final = 1e3
# Share of a limit above which it may be reached by the next programme.
_NEAR: Final = 0.6
# Chords a quarter circle: they give away at most 0.06 % of the acceleration, and nothing on a line or in a cruise.
_CHORDS: Final = 24
# Newton steps that make cells of constant jerk meet: what is left is squared with each.
_EXACT: Final = 4
# Status of SciPy's linprog for a solved problem.
_SOLVED: Final = 0


@final
@dataclass(frozen=True, eq=False)
class Programme:
    """Largest weighted sum of squared speeds, with all limits at both ends of all cells.

    The unknowns are u and b at the nodes of the grid. Every row has coefficients of `u_i, u_(i+1), b_i, b_(i+1)`, i
    being its cell. In a cell out of rest, or into it, the jerk is constant: `u ~ s^(4/3)`, so `b = 2 u / (3 s)`. In the
    others b is linear in the length, or the jerk is constant too (`JerkBounds.even`). With `tau` how long a cell takes
    that is `u_(i+1) - u_i = h (b_i + b_(i+1)) + tau^2 (b_(i+1)^2 - b_i^2) / 12`, linear around the last answer.

    Attributes:
        course: what is asked of the stretch.
        grid: the grid.
        bounds: what the jerk must keep.
        tight: how much tighter than given the limits are taken in every cell (N,).
    """

    course: Course
    grid: PathGrid
    bounds: JerkBounds
    tight: np.ndarray

    @property
    def speeds(self) -> tuple[float, float]:
        """Speeds at both ends of the stretch (m/s)."""
        return self.course.speeds

    @property
    def rest(self) -> tuple[bool, bool]:
        """Which ends of the stretch are at rest."""
        return self.speeds[0] == 0.0, self.speeds[1] == 0.0

    def guess(self, stretch: TimedStretch) -> np.ndarray:
        """Squared speeds (N + 1,) to begin with: the profile without the bound, and what jerk allows near rest."""
        s = self.grid.nodes
        u = np.interp(s, stretch.grid.nodes, stretch.u)
        for end, length in enumerate((s - s[0], s[-1] - s)):
            u = np.minimum(u, self._growth(length, end)) if self.rest[end] else u
        return u

    def near(self, u: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Which rows of limits (N, 2, k) come near to being reached; the others need not be looked at next time."""
        us, bs = (_both_ends(value)[..., None] for value in (u, b))
        alpha, beta, gamma = self._linear(u)
        return alpha * bs + beta * us + gamma > _NEAR

    def solved(
        self,
        u: np.ndarray,
        directions: Sequence[np.ndarray],
        near: np.ndarray | None = None,
        b: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Squared speeds and accelerations at the nodes, each (N + 1,); raises `MotionError` where the solver gives up.

        Args:
            u: squared speeds around which friction and jerk are linear (N + 1,), m2/s2.
            directions: unit vectors (N, 2, 3) along which the plate's jerk is bounded.
            near: rows of limits to hold (N, 2, k); all if not given.
            b: accelerations around which cells of constant jerk are linear (N + 1,), m/s2; none if not given.
        """
        from scipy.optimize import linprog
        from scipy.sparse import vstack

        scale, b = self._scale(u), b if self.bounds.even else None
        equal, rest = self._dynamics(scale, u, b)
        blocks = [self._limits(u, scale, near), *self._jerks(u, b, scale, directions)]
        weights = np.concatenate([self._weights(u), np.zeros_like(u)]) * scale
        answer = linprog(
            -weights / weights.max(),
            A_ub=vstack([block for block, _ in blocks]),
            b_ub=np.concatenate([bound for _, bound in blocks]),
            A_eq=equal,
            b_eq=rest,
            bounds=self._bounds(scale),
            method="highs-ipm",
        )
        if answer.status != _SOLVED:
            raise MotionError(f"no timing with this bound on jerk was found: {answer.message}")
        y, left = answer.x, equal @ answer.x
        for _ in range(_EXACT if self.bounds.even else 1):
            if self.bounds.even:
                u, b = np.split(y * scale, 2)
                equal, rest = self._dynamics(scale, np.maximum(u, 0.0), b)
                left = equal @ y - rest
            y = _moved(y, equal, left)
        u, b = np.split(y * scale, 2)
        return np.maximum(u, 0.0), b

    @cached_property
    def _out_of_rest(self) -> tuple[float, float]:
        """Largest jerks along the path (m/s3) out of rest at the start of the stretch, and into it at its end."""
        start, end = (PathRates(*self.grid.points[:, cell, look]) for cell, look in ((0, 0), (-1, -1)))
        return self.bounds.out_of_rest(start), self.bounds.out_of_rest(end)

    def _growth(self, length: np.ndarray, end: int) -> np.ndarray:
        """Squared speed that constant jerk gives over a length out of rest: `(j t^2 / 2)^2` with `s = j t^3 / 6`."""
        return 6.0 ** (4 / 3) / 4.0 * length ** (4 / 3) * self._out_of_rest[end] ** (2 / 3)

    def _scale(self, u: np.ndarray) -> np.ndarray:
        """Scales of the unknowns (2 N + 2,): what they were, so that the small ones near rest count as much."""
        s = self.grid.nodes
        size, distance = np.maximum(u, np.finfo(float).tiny), np.minimum(s - s[0], s[-1] - s)
        size[[0, -1]], distance[[0, -1]] = size[[1, -2]], distance[[1, -2]]
        return np.concatenate([size, size / distance])

    def _weights(self, u: np.ndarray) -> np.ndarray:
        """How much time a squared speed saves (N + 1,), s3/m2; those at the ends are given."""
        speed = np.sqrt(u)
        share = self.grid.h / (speed[:-1] + speed[1:]) ** 2
        weights = np.zeros_like(u)
        weights[1:-1] = (share[:-1] + share[1:]) / speed[1:-1]
        return weights

    def _bounds(self, scale: np.ndarray) -> np.ndarray:
        """Lower and upper bounds of the unknowns (2 N + 2, 2)."""
        count, caps = len(self.grid.s) + 1, self._rows(np.zeros(len(self.grid.s) + 1))[..., CAP]
        cap = np.concatenate([caps[:, 0], [np.inf]])
        cap[1:] = np.minimum(cap[1:], caps[:, 1])
        # Between nodes u is curved and may exceed what the nodes keep; speeds asked for at the ends stay allowed.
        tight = np.maximum(np.append(self.tight, 1.0), np.append(1.0, self.tight))
        cap = np.maximum(cap * ((1.0 - KEPT) / tight) ** 2, np.minimum(cap, max(self.speeds) ** 2))
        for end, (node, cell) in enumerate(((1, 0), (-2, -1))):
            cap[node] = min(cap[node], self._growth(self.grid.h[cell], end)) if self.rest[end] else cap[node]
        low, high = np.full(2 * count, -_WIDE), np.full(2 * count, _WIDE)
        low[:count], high[:count] = 0.0, np.minimum(cap / scale[:count], _WIDE)
        ends = [0, count - 1]
        low[ends] = high[ends] = np.square(self.speeds) / scale[ends]
        low[[count, -1]] = high[[count, -1]] = 0.0
        return np.stack([low, high], axis=1)

    def _dynamics(self, scale: np.ndarray, u: np.ndarray, b: np.ndarray | None) -> tuple[csr_matrix, np.ndarray]:
        """`u_(i+1) - u_i = h (b_i + b_(i+1)) + rest` within the cells, and the rest (N,), linear around u and b."""
        h, rest = self.grid.h, np.zeros(len(self.grid.h))
        rows = np.stack([-np.ones_like(h), np.ones_like(h), -h, -h], axis=1)
        if b is not None:
            share = cell_times(h, u, b) ** 2 / 12.0
            rows[:, 2:] += 2.0 * share[:, None] * np.stack([b[:-1], -b[1:]], axis=1)
            rest = share * (b[:-1] ** 2 - b[1:] ** 2)
        if self.rest[0]:
            rows[0], rest[0] = [0.0, 2 / 3, 0.0, -h[0]], 0.0
        if self.rest[1]:
            rows[-1], rest[-1] = [-2 / 3, 0.0, -h[-1], 0.0], 0.0
        size = np.maximum(scale[: len(h)], scale[1 : len(h) + 1])
        return self._matrix(np.arange(len(h)), rows / size[:, None], scale), rest / size

    def _rows(self, u: np.ndarray) -> np.ndarray:
        """Limits at both ends of the cells (N, 2, width), at squared speeds (N + 1,)."""
        resting = resting_looks(self.grid, [self.course], 2)
        return self.course.lowered.rows(self.grid.ends(), resting, np.sqrt(_both_ends(u)))

    def _linear(self, u: np.ndarray) -> list[np.ndarray]:
        """Alpha, beta and gamma (N, 2, k) of all limits around squared speeds (N + 1,).

        The bound on the plate's acceleration is there as chords of its circle.
        """
        limits, rows = self.course.lowered, self._rows(u)
        coefficients = linear_rows(limits.form, rows, _both_ends(u))
        if limits.form.bounded:
            chords = _chords(rows[..., CURVATURE], limits.a_max)
            coefficients = [np.concatenate(pair, axis=-1) for pair in zip(coefficients, chords, strict=True)]
        return coefficients

    def _limits(self, u: np.ndarray, scale: np.ndarray, near: np.ndarray | None) -> tuple[csr_matrix, np.ndarray]:
        """`alpha b + beta u <= 1 - gamma` at both ends of the cells."""
        alpha, beta, gamma = self._linear(u)
        cells, _, count = beta.shape
        rows = np.zeros((cells, 2, count, 4))
        for end in (0, 1):
            rows[:, end, :, end], rows[:, end, :, 2 + end] = beta[:, end], alpha[:, end]
        cell = np.broadcast_to(np.arange(cells)[:, None, None], gamma.shape)
        held = np.ones(gamma.shape, dtype=bool) if near is None else near
        return self._matrix(cell[held], rows[held], scale), 1.0 / self.tight[cell[held]] - gamma[held]

    @cached_property
    def _joints(self) -> JerkRates | None:
        """Derivatives of the joints at both ends of the cells (N, 2, k), towards either side; None without bounds."""
        if not len(self.bounds.limited):
            return None
        rates = self.bounds.joint_rates(self.grid.ends())
        return JerkRates(*(np.concatenate([value, -value], axis=-1) for value in rates))

    def _jerks(
        self, u: np.ndarray, b: np.ndarray | None, scale: np.ndarray, directions: Sequence[np.ndarray]
    ) -> Iterator[tuple[csr_matrix, np.ndarray]]:
        """Rows of the jerk of the plate along unit vectors (N, 2, 3), and of that of joints."""
        plate, h = plate_rates(self.grid.ends()), np.repeat(self.grid.h[:, None], 2, axis=1)
        if self.bounds.even:
            # The slope of b by the length times the speed is then the jerk.
            h = cell_times(self.grid.h, u, b)[:, None] * np.sqrt(_both_ends(u))
        for direction in directions:
            rates = JerkRates(*(np.einsum("nkd,nkd->nk", direction, value)[..., None] for value in plate))
            yield self._jerk(u, h, scale, rates, np.array([self.bounds.plate]))
        if self._joints is not None:
            yield self._jerk(u, h, scale, self._joints, np.tile(self.bounds.joints_limited, 2))

    def _jerk(
        self, u: np.ndarray, h: np.ndarray, scale: np.ndarray, rates: JerkRates, bound: np.ndarray
    ) -> tuple[csr_matrix, np.ndarray]:
        """`r' b' + 3 r'' b + r''' u <= J (3 / (2 v) - u / (2 v^3))`, times v / J, of rates (N, 2, k), bounds J (k,).

        The slope b' is the difference of b over lengths h (N, 2).
        """
        cells = np.arange(int(self.rest[0]), len(self.grid.h) - int(self.rest[1]))
        h, (along, bend, twist) = h[cells, :, None], (value[cells] for value in rates)
        rows = np.zeros((*along.shape, 4))
        for end in (0, 1):
            speed = np.sqrt(u[cells + end])[:, None]
            rows[:, end, :, end] = twist[:, end] + bound / (2.0 * speed**3)
            rows[:, end, :, 2] = -along[:, end] / h[:, end]
            rows[:, end, :, 3] = along[:, end] / h[:, end]
            rows[:, end, :, 2 + end] += 3.0 * bend[:, end]
            rows[:, end] *= (speed / bound)[..., None]
        cell = np.repeat(cells, 2 * along.shape[-1])
        return self._matrix(cell, rows.reshape(-1, 4), scale), 1.5 / self.tight[cell]

    def _matrix(self, cell: np.ndarray, rows: np.ndarray, scale: np.ndarray) -> csr_matrix:
        """Sparse matrix of rows with four coefficients (R, 4) in given cells (R,)."""
        from scipy.sparse import csr_matrix

        count = len(self.grid.s) + 1
        columns = np.stack([cell, cell + 1, count + cell, count + cell + 1], axis=1)
        starts = np.arange(0, 4 * len(cell) + 1, 4)
        matrix = csr_matrix(((rows * scale[columns]).ravel(), columns.ravel(), starts), shape=(len(cell), 2 * count))
        matrix.eliminate_zeros()
        return matrix


def cell_times(h: np.ndarray, u: np.ndarray, b: np.ndarray | None) -> np.ndarray:
    """How long cells of constant jerk take (N,), s: `(v_0 + v_1) / 2 tau - (b_1 - b_0) tau^2 / 12 = h`.

    Args:
        h: their lengths (N,), m.
        u: squared speeds at the nodes (N + 1,), m2/s2.
        b: accelerations there (N + 1,), m/s2; at mean speeds if not given.
    """
    speed = np.sqrt(u)
    mean = 0.5 * (speed[:-1] + speed[1:])
    if b is None:
        return h / mean
    return 2.0 * h / (mean + np.sqrt(np.maximum(mean**2 - np.diff(b) * h / 3.0, 0.0)))


def _moved(y: np.ndarray, equal: csr_matrix, left: np.ndarray) -> np.ndarray:
    """An answer moved by what it leaves open (N,), so that the speed does not jump between cells; its ends stay."""
    from scipy.sparse.linalg import spsolve

    fixed = np.zeros(len(y), dtype=bool)
    fixed[[0, len(y) // 2 - 1, len(y) // 2, -1]] = True
    free = equal[:, ~fixed]
    y[~fixed] -= free.T @ spsolve((free @ free.T).tocsc(), left)
    return y


def _both_ends(nodes: np.ndarray) -> np.ndarray:
    """Values at nodes (N + 1,) at both ends of the cells (N, 2)."""
    return np.stack([nodes[:-1], nodes[1:]], axis=1)


def _chords(curvature: np.ndarray, a_max: float) -> np.ndarray:
    """Alpha, beta and gamma (3, ..., chords) of the bound on the plate's acceleration at curvatures (...), 1/m."""
    # Two chords are enough on a line.
    chords = _CHORDS if curvature.any() else 1
    half = np.pi / (4 * _CHORDS) if curvature.any() else 0.0
    angle = half * (2 * np.arange(chords) + 1)
    scale = 1.0 / (a_max * np.cos(half))
    beta = scale * np.tile(np.sin(angle), 2) * curvature[..., None]
    alpha = np.broadcast_to(scale * np.concatenate([np.cos(angle), -np.cos(angle)]), beta.shape)
    return np.stack([alpha, beta, np.zeros_like(beta)])
