"""Interior points of convex programmes along chains of cells, whose limits couple neighbours and a few sums couple all.

The programme is: least T with `rows_c(p, q) <= 0` in every cell c, p and q being the unknowns at its two nodes, and
`sums_j(x) <= share_j T` for a few sums over all cells. Rows and curvature of a cell couple two neighbours, so that the
matrix of a Newton step has three diagonals; the sums are a border of a few columns (block elimination). A step then
costs about as much as evaluating the programme. Steps are Mehrotra's: a predictor without barrier says how much of it
is needed, and how far slacks and multipliers bend.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, final

import numpy as np

# Steps; some fifteen are enough.
_STEPS: Final = 60
# Shares of T to which the gap to the dual programme and the slopes of the Lagrangian vanish, and shares to which limits
# are met.
_GAP: Final = 1e-6
_FLAT: Final = 1e-5
_MET: Final = 1e-6
# Share of the way to where a slack, a multiplier or an unknown would vanish that a step goes at most.
_INWARD: Final = 0.99
# Least slack to begin with, as a share of a limit; and what slack times multiplier is then, as a share of T.
_ROOM: Final = 1e-3
_BARRIER: Final = 0.1


class ChainValues(NamedTuple):
    """What a programme is at some unknowns (M,), in N cells, with k rows each and m sums.

    Attributes:
        rows: limits in cells (N, k), at most 0.
        slopes: slopes of the rows by the unknowns before and after the cell (2, N, k).
        sums: sums over all cells (m,).
        sum_slopes: slopes of the sums by the unknowns (M, m).
        curvature: from weights of the rows (N, k) and of the sums (m,) to second derivatives of what they weigh, by p
            twice, by p and q and by q twice, in cells (3, N).
    """

    rows: np.ndarray
    slopes: np.ndarray
    sums: np.ndarray
    sum_slopes: np.ndarray
    curvature: Callable[[np.ndarray, np.ndarray], np.ndarray]


@final
@dataclass(frozen=True, eq=False)
class Chain:
    """Which unknowns the cells of a programme have.

    Attributes:
        before: unknown before each cell (N,).
        after: unknown after each cell (N,), the next one.
        free: which unknowns are free (M,); others stay 0.
        share: share of T that each sum may have (m,).
    """

    before: np.ndarray
    after: np.ndarray
    free: np.ndarray
    share: np.ndarray

    def gathered(self, by_p: np.ndarray, by_q: np.ndarray) -> np.ndarray:
        """Slopes by all unknowns (M, ...) of sums over cells with slopes (N, ...) by their own; 0 by fixed ones."""
        slopes = np.zeros((len(self.free), *by_p.shape[1:]))
        slopes[self.before] += by_p
        slopes[self.after] += by_q
        slopes[~self.free] = 0.0
        return slopes

    def along(self, slopes: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Change of rows (N, k) with slopes (2, N, k) along a change of the unknowns (M,)."""
        return slopes[0] * x[self.before, None] + slopes[1] * x[self.after, None]


@final
@dataclass(frozen=True, eq=False)
class _Point:
    """Unknowns, T, and slacks and multipliers of rows and sums; or a step of all of them."""

    x: np.ndarray
    total: float
    slack: np.ndarray
    pull: np.ndarray
    spare: np.ndarray
    price: np.ndarray

    @property
    def gap(self) -> float:
        """Sum of slacks times multipliers."""
        # No dot product of BLAS: for so many numbers it would wake threads.
        return float((self.slack * self.pull).sum() + (self.spare * self.price).sum())

    def moved(self, step: _Point, primal: float, dual: float) -> _Point:
        """The point after shares of a step: of unknowns and slacks, and of multipliers."""
        return _Point(
            self.x + primal * step.x,
            self.total + primal * step.total,
            self.slack + primal * step.slack,
            self.pull + dual * step.pull,
            self.spare + primal * step.spare,
            self.price + dual * step.price,
        )

    def reach(self, step: _Point, free: np.ndarray) -> tuple[float, float]:
        """How much of a step leaves free unknowns (M,) and slacks positive, and how much of it the multipliers."""
        primal = _reach(self.slack, step.slack), _reach(self.spare, step.spare), _reach(self.x[free], step.x[free])
        return min(primal), min(_reach(self.pull, step.pull), _reach(self.price, step.price))


def _reach(value: np.ndarray, step: np.ndarray) -> float:
    """Share of a step at which the first of some positive values would vanish."""
    return 1.0 / max(float((-step / value).max(initial=0.0)), np.finfo(float).tiny)


class Optimum(NamedTuple):
    """The optimum of a programme.

    Attributes:
        x: unknowns (M,).
        total: T.
        price: by how much T would fall with each sum (m,).
    """

    x: np.ndarray
    total: float
    price: np.ndarray


def optimum(chain: Chain, at: Callable[[np.ndarray], ChainValues], x: np.ndarray) -> Optimum | None:
    """The optimum of a programme; None where it is not met in some steps, as where no unknowns keep all limits.

    Args:
        chain: which unknowns the cells have.
        at: the programme at unknowns (M,).
        x: unknowns to begin with (M,), positive where they are free and of the size of 1.
    """
    values = at(x)
    total = max(float((values.sums / np.maximum(chain.share, _ROOM)).max()), np.finfo(float).tiny)
    slack = np.maximum(-values.rows, _ROOM)
    spare = np.maximum(chain.share * total - values.sums, _ROOM * total)
    barrier = _BARRIER * total / slack.size
    price = np.full(len(spare), 1.0 / len(spare))
    point = _Point(x, total, slack, barrier / slack, spare, price)
    for _ in range(_STEPS):
        newton = _Newton(chain, values, point)
        if newton.done:
            return Optimum(point.x, point.total, point.price)
        try:
            point = newton.next_point()
        except np.linalg.LinAlgError:
            # Rounding: a matrix that is positive definite is not so any more.
            return None
        values = at(point.x)
    return None


@final
@dataclass(frozen=True, eq=False)
class _Newton:
    """The equations of a Newton step from a point."""

    chain: Chain
    values: ChainValues
    point: _Point

    @cached_property
    def _missed(self) -> tuple[np.ndarray, np.ndarray]:
        """By how much slacks of rows (N, k) and sums (m,) miss what is left to their limits."""
        sums = self.values.sums - self.chain.share * self.point.total
        return self.values.rows + self.point.slack, sums + self.point.spare

    @cached_property
    def _slope(self) -> np.ndarray:
        """Slope of the Lagrangian by the unknowns (M,)."""
        by_p, by_q = ((slopes * self.point.pull).sum(axis=1) for slopes in self.values.slopes)
        return self.chain.gathered(by_p, by_q) + self.values.sum_slopes @ self.point.price

    @property
    def done(self) -> bool:
        """Whether the point is the optimum."""
        total = abs(self.point.total)
        rows, sums = self._missed
        met = np.abs(rows).max() <= _MET and np.abs(sums).max() <= _MET * total
        return bool(met and self.point.gap <= _GAP * total and np.abs(self._slope).max() <= _FLAT * total)

    @cached_property
    def _diagonals(self) -> np.ndarray:
        """The matrix of a step without the sums, as LAPACK has symmetric bands (2, M)."""
        chain, point = self.chain, self.point
        by_p, by_q = self.values.slopes
        weights = point.pull / point.slack
        pp, pq, qq = self.values.curvature(point.pull, point.price)
        weighted = weights * by_p
        pp, pq = pp + (weighted * by_p).sum(axis=1), pq + (weighted * by_q).sum(axis=1)
        qq = qq + (weights * by_q * by_q).sum(axis=1)
        bands = np.zeros((2, len(chain.free)))
        bands[1] = np.where(chain.free, chain.gathered(pp, qq), 1.0)
        bands[0, chain.after] = np.where(chain.free[chain.before] & chain.free[chain.after], pq, 0.0)
        return bands

    @cached_property
    def _bordered(self) -> np.ndarray:
        """What the unknowns answer to the sums (M, m)."""
        return _band_solved(self._diagonals, self.values.sum_slopes)

    def next_point(self) -> _Point:
        """The point after a predictor and its corrector."""
        point, free = self.point, self.chain.free
        predicted = self._step(np.zeros_like(point.slack), np.zeros_like(point.spare))
        primal, dual = (min(1.0, share) for share in point.reach(predicted, free))
        left = point.moved(predicted, primal, dual).gap / point.gap
        barrier = left**3 * point.gap / (point.slack.size + point.spare.size)
        step = self._step(
            barrier - predicted.slack * predicted.pull,
            barrier - predicted.spare * predicted.price,
        )
        primal, dual = (min(1.0, _INWARD * share) for share in point.reach(step, free))
        return point.moved(step, primal, dual)

    def _step(self, rows: np.ndarray, sums: np.ndarray) -> _Point:
        """The step after which slack times multiplier is a target for rows (N, k) and for sums (m,)."""
        chain, point, slopes = self.chain, self.point, self.values.sum_slopes
        missed_rows, missed_sums = self._missed
        # What multipliers would become if the unknowns stayed.
        pulled = (rows + point.pull * (missed_rows - point.slack)) / point.slack
        priced = (sums + point.price * (missed_sums - point.spare)) / point.spare
        by_p, by_q = ((side * pulled).sum(axis=1) for side in self.values.slopes)
        alone = _band_solved(self._diagonals, -self._slope - chain.gathered(by_p, by_q))
        # The border: prices of the sums, and T.
        ease, count = point.spare / point.price, len(point.spare)
        border = np.zeros((count + 1, count + 1))
        border[:count, :count] = -slopes.T @ self._bordered - np.diag(ease)
        border[:count, count] = border[count, :count] = -chain.share
        right = np.append(-ease * priced - slopes.T @ alone, chain.share @ point.price - 1.0)
        *price, total = np.linalg.solve(border, right)
        x = alone - self._bordered @ price
        change = chain.along(self.values.slopes, x)
        return _Point(
            x,
            float(total),
            -missed_rows - change,
            pulled + point.pull / point.slack * change,
            -missed_sums - (slopes.T @ x - chain.share * total),
            np.array(price),
        )


def _band_solved(bands: np.ndarray, right: np.ndarray) -> np.ndarray:
    """What a symmetric positive definite matrix of three diagonals takes to right-hand sides (M,) or (M, m)."""
    from scipy.linalg import solveh_banded

    return solveh_banded(bands, right, check_finite=False)
