"""The convex programme of the fastest cycle under heat: squared speeds at nodes that make its time T least.

With p and q the squared speeds at the ends of a cell of length h, `D = 2 h / (sqrt p + sqrt q)` its time and tau the
torques at looks into it, which are linear in p and q, it is

    least T,   sum D + rests <= T,   sum D (mean of tau_i^2 + e_i) + l_i <= C_i^2 T,   A q + B p <= C in every cell.

D is one over a concave function, a square over a concave function is convex, and so is every sum: what is found is the
optimum of all stretches of the cycle together. e stands for what heats a motor as long as a cell lasts and l for what
does so whatever the speed, or linear in p and q. T is the time that motors have to cool. Where it is longer than the
cycle the programme asks for a rest in which motors hold nothing, which there is not: then `cools` takes the time of
the cycle itself, by its tangents, which lie below it (the convex-concave procedure).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Final, NamedTuple, final

import numpy as np

from parapick.timing.interior_point import Chain, ChainValues, optimum

# Share of the speeds that a programme begins with: inside all limits, which leave room at rest.
_INSIDE: Final = 0.98


@final
@dataclass(frozen=True, eq=False)
class HeatTerms:
    """What heats the motors in cells, as shares of the squares of what they bear.

    Attributes:
        torque: torques at the looks for p = q = 0, and their slopes by p and by q (3, N, looks, n).
        steady: what heats a motor beside its torque as long as a cell lasts (N, n), at least 0.
        fixed: what heats a motor whatever the speed, and its slopes by p and by q (3, N, n), s.
        beside: what heats a motor beside the cells (n,), s: in rests, and what looks into cells miss.
    """

    torque: np.ndarray
    steady: np.ndarray
    fixed: np.ndarray
    beside: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class HeatProgramme:
    """The programme of a cycle.

    Attributes:
        h: lengths of the cells of all stretches (N,), m.
        first: number of the first cell of each stretch (stretches,).
        often: how often each cell is run through in a cycle (N,).
        rows: A, B and C of the limits in cells (3, N, k).
        bows: of each cell the bound on the plate's acceleration (m/s2), and the curvatures at its ends (1/m) (N, 3);
            None without a bound.
        heat: what heats the motors.
        rest: time of all rests (s).
        cools: whether motors cool for the time T rather than for that of the cycle, by tangents in `heat.fixed`.
    """

    h: np.ndarray
    first: np.ndarray
    often: np.ndarray
    rows: np.ndarray
    bows: np.ndarray | None
    heat: HeatTerms
    rest: float
    cools: bool = True

    @cached_property
    def chain(self) -> Chain:
        """Nodes of the cells; stretches begin and end at rest."""
        count, stretches = len(self.h), len(self.first)
        starts = np.zeros(count, dtype=int)
        starts[self.first[1:]] = 1
        before = np.arange(count) + np.cumsum(starts)
        free = np.ones(count + stretches, dtype=bool)
        free[before[self.first]] = False
        free[before[np.append(self.first[1:], count) - 1] + 1] = False
        share = np.full(len(self.heat.beside) + 1, float(self.cools))
        share[0] = 1.0
        return Chain(before, before + 1, free, share)

    def ends(self, u: np.ndarray) -> np.ndarray:
        """Squared speeds at both ends of the cells (2, N) of those at the nodes (N + stretches,)."""
        return np.stack([u[self.chain.before], u[self.chain.after]])

    def nodes(self, ends: np.ndarray) -> np.ndarray:
        """Squared speeds at the nodes (N + stretches,) of those at both ends of the cells (2, N)."""
        u = np.zeros(len(self.chain.free))
        u[self.chain.before], u[self.chain.after] = ends
        return u

    def solved(self, u: np.ndarray) -> tuple[np.ndarray, float] | None:
        """The squared speeds (N + stretches,), m2/s2, of the least T, and T (s); None where they are not found.

        Args:
            u: squared speeds to begin with, which keep all limits, m2/s2.
        """
        chain = self.chain
        # Unknowns are shares of what they are at the beginning: those near rest count as much as the others.
        scale = np.where(chain.free, np.maximum(u, np.finfo(float).tiny), 0.0)
        scaled = self._scaled(scale)

        def at(x: np.ndarray) -> ChainValues:
            return _Values(scaled, x * scale, scale).all

        answer = optimum(chain, at, np.where(chain.free, _INSIDE, 0.0))
        return None if answer is None else (answer.x * scale, answer.total)

    def meeting(self, u: np.ndarray, sums: np.ndarray) -> HeatProgramme:
        """The programme in which the heat of the motors is some sums (n,), s, at squared speeds (N + stretches,).

        What its cells miss, rests among it, counts beside them.
        """
        missed = sums - _Values(self, u, np.where(self.chain.free, 1.0, 0.0)).sums[1:]
        return replace(self, heat=replace(self.heat, beside=self.heat.beside + missed))

    def _scaled(self, scale: np.ndarray) -> HeatProgramme:
        """The programme with slopes by shares of squared speeds (N + stretches,) in the place of squared speeds."""
        p, q = self.ends(scale)
        rows, torque, fixed = self.rows.copy(), self.heat.torque.copy(), self.heat.fixed.copy()
        rows[0] *= q[:, None]
        rows[1] *= p[:, None]
        for number, size in ((1, p), (2, q)):
            torque[number] *= size[:, None, None]
            fixed[number] *= size[:, None]
        return replace(self, rows=rows, heat=replace(self.heat, torque=torque, fixed=fixed))


class CellTimes(NamedTuple):
    """Times of cells (N,), s, and their slopes and second derivatives by the squared speeds at their ends (N,)."""

    time: np.ndarray
    p: np.ndarray
    q: np.ndarray
    pp: np.ndarray
    pq: np.ndarray
    qq: np.ndarray

    @staticmethod
    def of(h: np.ndarray, ends: np.ndarray, scale: np.ndarray | float = 1.0) -> CellTimes:
        """Of lengths (N,), m, and squared speeds (2, N), m2/s2, by shares of a scale (2, N); by none that is 0."""
        speed = np.sqrt(ends)
        both = speed[0] + speed[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(ends > 0.0, 0.5 * scale / speed, 0.0)
            bend = np.where(ends > 0.0, -0.25 * scale * scale / (ends * speed), 0.0)
        time, (p, q), (pp, qq) = 2.0 * h / both, slope / both, bend / both
        return CellTimes(
            time, -time * p, -time * q, time * (2.0 * p * p - pp), 2.0 * time * p * q, time * (2.0 * q * q - qq)
        )


def _over_looks(values: np.ndarray) -> np.ndarray:
    """Sums (..., n) over the looks into cells (..., looks, n): look by look, for they are few."""
    return reduce(np.add, (values[..., look, :] for look in range(values.shape[-2])))


@final
@dataclass(frozen=True, eq=False)
class _Values:
    """A scaled programme at squared speeds; the last two rows of a cell are its bows."""

    programme: HeatProgramme
    u: np.ndarray
    scale: np.ndarray

    @property
    def all(self) -> ChainValues:
        """All of them."""
        return ChainValues(self.rows, self.slopes, self.sums, self.sum_slopes, self.curvature)

    @cached_property
    def _ends(self) -> np.ndarray:
        """Squared speeds at both ends of the cells (2, N)."""
        return self.programme.ends(self.u)

    @cached_property
    def _shares(self) -> np.ndarray:
        """The unknowns at both ends of the cells (2, N)."""
        size = self._scales
        return np.divide(self._ends, size, out=np.zeros_like(size), where=size > 0.0)

    @cached_property
    def _scales(self) -> np.ndarray:
        return self.programme.ends(self.scale)

    @cached_property
    def _times(self) -> CellTimes:
        return CellTimes.of(self.programme.often * self.programme.h, self._ends, self._scales)

    @cached_property
    def _torque(self) -> np.ndarray:
        """Torques at the looks (N, looks, n)."""
        at_rest, by_p, by_q = self.programme.heat.torque
        p, q = self._shares[..., None, None]
        return at_rest + by_p * p + by_q * q

    @cached_property
    def _heat(self) -> np.ndarray:
        """What heats the motors per time of a cell, and its slopes by p and q (3, N, n)."""
        torque, (_, by_p, by_q) = self._torque, self.programme.heat.torque
        heat = np.stack([0.5 * torque, by_p, by_q])
        heat *= torque
        mean = (2.0 / torque.shape[1]) * _over_looks(heat)
        mean[0] += self.programme.heat.steady
        return mean

    @cached_property
    def _bows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Squares of the plate's acceleration over its bound, less 1, at both ends (N, 2), slopes, second derivatives.

        The slopes (2, N, 2) and second derivatives (3, N, 2) are by p and q.
        """
        if self.programme.bows is None:
            return None
        (a_max, *curvatures), h = self.programme.bows.T, self.programme.h
        (p, q), (by_p, by_q) = self._ends, self._scales
        share = 1.0 / (2.0 * h * a_max)
        b, bends = (q - p) * share, np.stack(curvatures) / a_max
        values, slopes, second = np.zeros((len(h), 2)), np.zeros((2, len(h), 2)), np.zeros((3, len(h), 2))
        for end, (u, size) in enumerate(((p, by_p), (q, by_q))):
            turn = bends[end] ** 2
            values[:, end] = b * b + turn * u * u - 1.0
            slopes[0, :, end], slopes[1, :, end] = -2.0 * b * share * by_p, 2.0 * b * share * by_q
            slopes[end, :, end] += 2.0 * turn * u * size
            cross = 2.0 * share * share
            second[:, :, end] = cross * by_p * by_p, -cross * by_p * by_q, cross * by_q * by_q
            second[2 * end, :, end] += 2.0 * turn * size * size
        return values, slopes, second

    @property
    def rows(self) -> np.ndarray:
        """Limits in cells (N, k), at most 0."""
        a, b, c = self.programme.rows
        p, q = self._shares[..., None]
        rows = a * q + b * p - c
        return rows if self._bows is None else np.concatenate([rows, self._bows[0]], axis=1)

    @property
    def slopes(self) -> np.ndarray:
        """Slopes of the rows by the unknowns before and after the cell (2, N, k)."""
        slopes = self.programme.rows[1::-1]
        return slopes if self._bows is None else np.concatenate([slopes, self._bows[1]], axis=2)

    @property
    def sums(self) -> np.ndarray:
        """Time of the cycle, and heat of every motor (1 + n,), s."""
        times, heat = self._times.time, self.programme.heat
        fixed, by_p, by_q = heat.fixed
        p, q = self._shares[..., None]
        warm = times @ self._heat[0] + (fixed + by_p * p + by_q * q).sum(axis=0) + heat.beside
        return np.append(times.sum() + self.programme.rest, warm)

    @property
    def sum_slopes(self) -> np.ndarray:
        """Slopes of the sums by the unknowns (M, 1 + n)."""
        times, (heat, *slopes) = self._times, self._heat
        sides = []
        for by_end, slope, fixed in zip((times.p, times.q), slopes, self.programme.heat.fixed[1:], strict=True):
            warm = by_end[:, None] * heat + times.time[:, None] * slope + fixed
            sides.append(np.concatenate([by_end[:, None], warm], axis=1))
        return self.programme.chain.gathered(*sides)

    def curvature(self, pull: np.ndarray, price: np.ndarray) -> np.ndarray:
        """Second derivatives of weighted rows and sums by p twice, by p and q and by q twice, in cells (3, N)."""
        times, motors = self._times, price[1:]
        heat, by_p, by_q = self._heat @ motors
        heat = heat + price[0]
        _, p, q = self.programme.heat.torque
        share = 2.0 / p.shape[1]
        pp, pq, qq = (share * _over_looks(left * right) @ motors for left, right in ((p, p), (p, q), (q, q)))
        second = np.stack(
            [
                times.pp * heat + 2.0 * times.p * by_p + times.time * pp,
                times.pq * heat + times.p * by_q + times.q * by_p + times.time * pq,
                times.qq * heat + 2.0 * times.q * by_q + times.time * qq,
            ]
        )
        if self._bows is not None:
            second += (self._bows[2] * pull[:, -2:]).sum(axis=2)
        return second
