"""The fastest profile of squared speeds on a grid: one pass backwards, one forwards.

Between two nodes of a path the acceleration b is constant, so that u changes by `2 h b`, and every row of limits must
hold at both ends of the cell. With p and q the squared speeds at its two ends that is a row `A q + B p <= C`. A plate
that can be held at rest has C > 0 everywhere, so p = q = 0 is always allowed. Eliminating q beforehand, for all cells
at once, leaves the largest p of every cell (after Fourier and Motzkin) and two recursions that only take minima:

    K_i     = min(largest p_i, (C + |A| K_(i+1)) / B  over rows with A < 0 < B)      from the end
    u_(i+1) = min(K_(i+1), (C - B u_i) / A            over rows with A > 0)          from the start

K is the largest squared speed from which the end can still be met. This is the reachability analysis of TOPP-RA (Pham
and Pham 2018) without its linear programmes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

# Share of a row's other coefficients below which the one of q is rounding.
_NOTHING: Final = 1e-13
# Squared speed (m2/s2) that stands for no bound: infinities would meet zeros.
UNBOUNDED: Final = 1e12


class CellRows(NamedTuple):
    """Rows `A q + B p <= C` of the cells of a grid, each (N, k), and caps on p and q (N,)."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    cap_p: np.ndarray
    cap_q: np.ndarray


def cell_rows(h: np.ndarray, alpha: np.ndarray, beta: np.ndarray, room: np.ndarray, cap: np.ndarray) -> CellRows:
    """Rows in the squared speeds at both ends of the cells.

    Args:
        h: lengths of the cells (N,), m.
        alpha: coefficients of the acceleration at both ends (N, 2, k).
        beta: coefficients of the squared speed (N, 2, k).
        room: what is left at rest (N, 2, k), greater than 0.
        cap: largest squared speeds (N, 2), m2/s2.
    """
    slope = alpha / (2.0 * h[:, None, None])
    A = np.concatenate([slope[:, 0], slope[:, 1] + beta[:, 1]], axis=1)
    B = np.concatenate([beta[:, 0] - slope[:, 0], -slope[:, 1]], axis=1)
    C = np.concatenate([room[:, 0], room[:, 1]], axis=1)
    return CellRows(np.where(np.abs(A) > _NOTHING * (np.abs(B) + C), A, 0.0), B, C, cap[:, 0], cap[:, 1])


def profile(rows: CellRows, start: float, end: float) -> tuple[np.ndarray, np.ndarray]:
    """The fastest squared speeds at the nodes, and the largest from which the end can be met, each (N + 1,).

    The first start at the given one even where it is too high, and end lower than wanted where the end cannot be met.

    Args:
        rows: the rows of the cells.
        start: squared speed at the start (m2/s2).
        end: squared speed at the end (m2/s2).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # Upper bounds q <= high + rise p, lower bounds q >= fall p - low.
        above, below = rows.A > 0.0, rows.A < 0.0
        high, rise = np.where(above, rows.C / rows.A, np.inf), np.where(above, -rows.B / rows.A, 0.0)
        low, fall = np.where(below, -rows.C / rows.A, np.inf), np.where(below, -rows.B / rows.A, 0.0)
        largest = _largest(rows, high, rise, low, fall)
        offset, factor = np.where(fall > 0.0, low / fall, np.inf), np.where(fall > 0.0, 1.0 / fall, 0.0)
    count = len(largest)
    cap_q = rows.cap_q.tolist()
    reachable = np.empty(count + 1)
    reachable[count] = min(end, cap_q[-1])
    for i in range(count - 1, -1, -1):
        met = min(largest[i], (offset[i] + factor[i] * reachable[i + 1]).min())
        reachable[i] = met if i == 0 else min(met, cap_q[i - 1])
    u = np.empty(count + 1)
    u[0] = start
    for i in range(count):
        u[i + 1] = max(0.0, min(reachable[i + 1], (high[i] + rise[i] * u[i]).min()))
    return u, reachable


def _largest(rows: CellRows, high: np.ndarray, rise: np.ndarray, low: np.ndarray, fall: np.ndarray) -> np.ndarray:
    """Largest p (N,) for which a q of at least 0 is left.

    What is left, the lowest upper bound of q less the highest lower one, is concave in p and not negative at p = 0.
    From the right, Newton's method runs down its lines to where it is zero, in as many steps as lines are met.
    """
    direct = (rows.A == 0.0) & (rows.B > 0.0)
    p = np.minimum(rows.cap_p, UNBOUNDED)
    p = np.minimum(p, np.where(direct, rows.C / rows.B, np.inf).min(axis=1))
    # q >= 0 and the cap on q are lines as well.
    zero = np.zeros((len(p), 1))
    high, rise = np.concatenate([high, np.minimum(rows.cap_q, UNBOUNDED)[:, None]], axis=1), np.hstack([rise, zero])
    low, fall = np.hstack([low, zero]), np.hstack([fall, zero])
    cells = np.arange(len(p))
    for _ in range(high.shape[1] + low.shape[1]):
        above, below = high[cells] + rise[cells] * p[cells, None], fall[cells] * p[cells, None] - low[cells]
        i, j = np.argmin(above, axis=1), np.argmax(below, axis=1)
        each = np.arange(len(cells))
        left, slope = above[each, i] - below[each, j], rise[cells, i] - fall[cells, j]
        met = np.where(slope < 0.0, (high[cells, i] + low[cells, j]) / -slope, 0.0)
        lower = (left < 0.0) & (met < p[cells])
        p[cells[lower]] = np.maximum(met[lower], 0.0)
        cells = cells[lower]
        if len(cells) == 0:
            break
    return p
