"""The fastest profile of squared speeds along the cells of a grid, natively: one pass backwards, one forwards.

Between two nodes of a path the acceleration b is constant, so that u changes by `2 h b`, and every row of limits must
hold at both ends of the cell. With p and q the squared speeds at its two ends that is a row `A q + B p <= C`. A plate
that can be held at rest has C > 0 everywhere, so p = q = 0 is always allowed. Eliminating q beforehand, for all cells
at once, leaves the largest p of every cell (after Fourier and Motzkin) and two recursions that only take minima:

    K_i     = min(largest p_i, (C + |A| K_(i+1)) / B  over rows with A <= 0 < B)     from the end
    u_(i+1) = min(K_(i+1), (C - B u_i) / A            over rows with A > 0)          from the start

K is the largest squared speed from which the end can still be met. This is the reachability analysis of TOPP-RA (Pham
and Pham 2018) without its linear programmes. The bound on the plate's acceleration, a circle in b and `kappa u`, enters
exactly: its bounds on q and p are roots of quadratic equations.

Cells of several stretches lie one after the other: a pass starts anew wherever a squared speed is given.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from parapick.kernel import Kernel, Recipe, Scan, known, known_scan
from parapick.timing.limit_rows import BACKWARD, BOUNDS, CAP, CURVATURE, FORWARD, UNBOUNDED, USE, RowForm

NOT_GIVEN: Final = -1.0
"""Stands for a squared speed that is not given."""

# Share of p by which Newton's method may still go, and calls of its kernel, of which two are enough.
_SETTLED: Final = 1e-12
_CALLS: Final = 40


class Cells(NamedTuple):
    """Cells between pairs of points of a path.

    Attributes:
        before: rows at their starts (N, width).
        after: rows at their ends (N, width).
        h: lengths (N,), m.
        tight: how much tighter than given the limits are taken (N,).
        a_max: bounds on the acceleration of the plate (N,), m/s2.
    """

    before: np.ndarray
    after: np.ndarray
    h: np.ndarray
    tight: np.ndarray
    a_max: np.ndarray


class SpeedProfile(NamedTuple):
    """Squared speeds at both ends of cells (N, 2), m2/s2: the fastest, and the largest from which the end can be met.

    The first start as given even where that is too high, and end lower than given where the end cannot be met.
    """

    u: np.ndarray
    reachable: np.ndarray


def profile(form: RowForm, cells: Cells, start: np.ndarray, end: np.ndarray, guess: np.ndarray) -> SpeedProfile:
    """The fastest profile of cells.

    Args:
        form: what the rows consist of.
        cells: the cells, of one stretch after the other.
        start: squared speeds given at the starts of cells (N,), m2/s2; `NOT_GIVEN` but where a stretch begins.
        end: squared speeds given at the ends of cells (N,), m2/s2; `NOT_GIVEN` but where a stretch ends.
        guess: squared speeds at both ends of the cells (N, 2) around which viscous friction is linear.
    """
    a_max, p = np.minimum(cells.a_max, UNBOUNDED), np.full(len(cells.h), UNBOUNDED)
    numbers = np.column_stack([cells.h, cells.tight, a_max, guess])
    step, p, ahead, back = _kernel(BOUNDS, form)(cells.before, cells.after, numbers, p[:, None])
    for _ in range(_CALLS):
        if not (step > _SETTLED * p).any():
            break
        step, p, ahead, back = _kernel(BOUNDS, form)(cells.before, cells.after, numbers, p[:, None])
    # A node has the caps of both its cells.
    p[1:] = np.where(end[:-1] < 0.0, np.minimum(p[1:], cells.after[:-1, CAP]), p[1:])
    last = np.minimum(end, cells.after[:, CAP])
    curvature = cells.before[:, CURVATURE], cells.after[:, CURVATURE]
    circle = np.column_stack([cells.h, *curvature, a_max / cells.tight])
    given = np.column_stack([last, p])
    reachable = _scan(BACKWARD, form)([0.0], back[::-1], circle[::-1], given[::-1]).outputs["u"][::-1, ::-1]
    given = np.column_stack([start, reachable[:, 1]])
    return SpeedProfile(_scan(FORWARD, form)([0.0], ahead, circle, given).outputs["u"], reachable)


def use_of(form: RowForm, rows: np.ndarray, b: np.ndarray, u: np.ndarray, a_max: np.ndarray) -> np.ndarray:
    """Share of the limit nearest to being reached (...), of all limits and with all of the friction.

    Args:
        form: what the rows consist of.
        rows: rows at points (..., width).
        b: accelerations along the path (...), m/s2.
        u: squared speeds (...), m2/s2.
        a_max: bounds on the acceleration of the plate (...), m/s2.
    """
    state = np.empty((*u.shape, 3))
    state[..., 0], state[..., 1], state[..., 2] = b, u, a_max
    # Rows one after the other: a kernel looks longer at arrays of more dimensions.
    (use,) = _kernel(USE, form)(rows.reshape(-1, form.width), state.reshape(-1, 3))
    return use.reshape(u.shape)


def _kernel(name: str, form: RowForm) -> Kernel:
    def made() -> Kernel:
        from parapick.timing.pass_expressions import cell_bounds, limit_use

        return cell_bounds(form) if name == BOUNDS else limit_use(form)

    return known(Recipe(("parapick.timing",), name, form), made)


def _scan(name: str, form: RowForm) -> Scan:
    def made() -> Scan:
        from parapick.timing.pass_expressions import speed_pass

        return speed_pass(name, form)

    return known_scan(Recipe(("parapick.timing",), name, form), made)
