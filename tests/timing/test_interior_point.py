"""Interior points along a chain of cells, beside SciPy's linear programmes, and the heat of cells beside quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import linprog, minimize

from parapick.timing.heat_programme import CellTimes, HeatProgramme, HeatTerms
from parapick.timing.interior_point import Chain, ChainValues, optimum

CELLS, ROWS, SUMS = 12, 5, 2


def linear_programme(seed: int) -> tuple[Chain, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A chain with random rows, their slopes and limits, and sums that fall with every unknown."""
    rng = np.random.default_rng(seed)
    before = np.arange(CELLS)
    chain = Chain(before, before + 1, np.ones(CELLS + 1, dtype=bool), np.ones(SUMS))
    slopes, limits = rng.uniform(-0.3, 1.0, (2, CELLS, ROWS)), rng.uniform(0.5, 2.0, (CELLS, ROWS))
    # The last rows of a cell are that its unknowns are not negative.
    slopes[:, :, -2:], limits[:, -2:] = -np.eye(2)[:, None], 0.0
    falls, starts = -rng.uniform(0.1, 1.0, (CELLS + 1, SUMS)), rng.uniform(20.0, 25.0, SUMS)
    return chain, slopes, limits, falls, starts


@pytest.mark.parametrize("seed", range(5))
def test_a_linear_programme_has_the_optimum_of_scipy(seed: int) -> None:
    chain, slopes, limits, falls, starts = linear_programme(seed)

    def at(x: np.ndarray) -> ChainValues:
        rows = chain.along(slopes, x) - limits
        return ChainValues(rows, slopes, starts + falls.T @ x, falls, lambda *_: np.zeros((3, CELLS)))

    found = optimum(chain, at, np.full(CELLS + 1, 0.1))
    assert found is not None
    rows = np.zeros((CELLS, ROWS, CELLS + 2))
    for cell in range(CELLS):
        rows[cell, :, cell], rows[cell, :, cell + 1] = slopes[0, cell], slopes[1, cell]
    every = np.concatenate([rows.reshape(-1, CELLS + 2), np.column_stack([falls.T, -np.ones(SUMS)])])
    cost = np.append(np.zeros(CELLS + 1), 1.0)
    wanted = linprog(cost, A_ub=every, b_ub=np.concatenate([limits.ravel(), -starts]))
    assert found.total == pytest.approx(wanted.fun, rel=1e-5)
    assert found.price.sum() == pytest.approx(1.0)


def test_a_programme_without_a_solution_has_none() -> None:
    chain, slopes, _, falls, starts = linear_programme(0)

    def at(x: np.ndarray) -> ChainValues:
        # Positive slopes below a negative limit: no positive unknowns keep it.
        rows = chain.along(np.abs(slopes), x) + 1.0
        return ChainValues(rows, np.abs(slopes), starts + falls.T @ x, falls, lambda *_: np.zeros((3, CELLS)))

    assert optimum(chain, at, np.full(CELLS + 1, 0.1)) is None


def programme(*, cools: bool = True, bowed: bool = False, stretches: int = 2) -> HeatProgramme:
    """A small programme: two motors, two stretches of five cells each."""
    rng, each = np.random.default_rng(7), 5
    count = each * stretches
    h = rng.uniform(0.01, 0.03, count)
    torque = np.zeros((3, count, 2, 2))
    inertia, weight = rng.uniform(0.02, 0.05, (count, 2, 2)), rng.uniform(-0.2, 0.2, (count, 2, 2))
    torque[0], torque[1] = weight, -inertia / (2.0 * h[:, None, None])
    torque[2] = -torque[1] + 0.01
    fixed = np.zeros((3, count, 2))
    fixed[0] = 1e-4
    rows = np.zeros((3, count, 2))
    rows[0], rows[1], rows[2] = 0.02 / h[:, None] * [1, -1], -0.02 / h[:, None] * [1, -1], 1.0
    bows = np.column_stack([np.full(count, 12.0), np.full((count, 2), 6.0)]) if bowed else None
    heat = HeatTerms(torque, np.full((count, 2), 0.02), fixed, np.array([1e-3, 2e-3]))
    first = np.arange(0, count, each)
    return HeatProgramme(h, first, np.ones(count), rows, bows, heat, 0.05, cools)


def sums_by_hand(whole: HeatProgramme, u: np.ndarray) -> tuple[float, np.ndarray]:
    """Time and heat of a programme at squared speeds at its nodes, cell by cell."""
    time, heat = whole.rest, whole.heat.beside.copy()
    for cell, (p, q) in enumerate(whole.ends(u).T):
        lasting = 2.0 * whole.h[cell] / (np.sqrt(p) + np.sqrt(q))
        torque = whole.heat.torque[:, cell]
        at = torque[0] + torque[1] * p + torque[2] * q
        heat += lasting * (np.mean(at**2, axis=0) + whole.heat.steady[cell]) + whole.heat.fixed[0, cell]
        time += lasting
    return time, heat


@pytest.mark.parametrize("bowed", [False, True])
def test_a_programme_has_the_optimum_of_a_general_solver(bowed: bool) -> None:
    whole = programme(bowed=bowed)
    free = whole.chain.free
    start = np.where(free, 0.1, 0.0)
    answer = whole.solved(start)
    assert answer is not None

    def nodes(x: np.ndarray) -> np.ndarray:
        u = np.zeros(len(free))
        u[free] = np.abs(x)
        return u

    def kept(x: np.ndarray) -> np.ndarray:
        u = nodes(x)
        p, q = whole.ends(u)
        a, b, c = whole.rows
        rows = (c - a * q[:, None] - b * p[:, None]).ravel()
        time, heat = sums_by_hand(whole, u)
        if whole.bows is not None:
            bound, *bends = whole.bows.T
            along = (q - p) / (2.0 * whole.h)
            for bend, speed in zip(bends, (p, q), strict=True):
                rows = np.append(rows, 1.0 - (along**2 + (bend * speed) ** 2) / bound**2)
        return np.concatenate([rows, time - heat])

    found = minimize(
        lambda x: sums_by_hand(whole, nodes(x))[0],
        0.8 * answer[0][free],
        constraints={"type": "ineq", "fun": kept},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-10},
    )
    assert found.success
    assert answer[1] == pytest.approx(found.fun, rel=1e-4)
    assert kept(answer[0][free]).min() >= -1e-5
    assert sums_by_hand(whole, answer[0])[0] == pytest.approx(answer[1], rel=1e-5)


def test_times_of_cells_and_their_derivatives() -> None:
    h, ends, step = np.array([0.02, 0.03]), np.array([[0.4, 0.0], [0.9, 0.5]]), 1e-5
    times = CellTimes.of(h, ends)
    for cell, (p, q) in enumerate(ends.T):
        lasting, _ = quad(lambda share, p=p, q=q: 1.0 / np.sqrt(p + (q - p) * share), 0.0, 1.0)
        assert times.time[cell] == pytest.approx(h[cell] * lasting, rel=1e-7)

    def moved(p: float, q: float) -> CellTimes:
        return CellTimes.of(h[:1], ends[:, :1] + [[p], [q]])

    assert times.p[0] == pytest.approx((moved(step, 0).time - moved(-step, 0).time)[0] / (2 * step), rel=1e-6)
    assert times.q[0] == pytest.approx((moved(0, step).time - moved(0, -step).time)[0] / (2 * step), rel=1e-6)
    assert times.pp[0] == pytest.approx((moved(step, 0).p - moved(-step, 0).p)[0] / (2 * step), rel=1e-6)
    assert times.pq[0] == pytest.approx((moved(0, step).p - moved(0, -step).p)[0] / (2 * step), rel=1e-6)
    assert times.qq[0] == pytest.approx((moved(0, step).q - moved(0, -step).q)[0] / (2 * step), rel=1e-6)
    # A node at rest is no unknown: nothing changes with it.
    assert times.p[1] == times.pp[1] == times.pq[1] == 0.0


def test_a_programme_meets_what_a_ride_found() -> None:
    whole, found = programme(), np.array([0.3, 0.4])
    u = np.where(whole.chain.free, 0.2, 0.0)
    assert whole.nodes(whole.ends(u)) == pytest.approx(u)
    assert sums_by_hand(whole.meeting(u, found), u)[1] == pytest.approx(found)
