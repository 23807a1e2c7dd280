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

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from parapick.kernel import Kernel, Recipe, Scan, known, known_scan
from parapick.timing.limit_rows import BACKWARD, BOUNDS, CAP, CURVATURE, FORWARD, UNBOUNDED, USE, RowForm

NOT_GIVEN: Final = -1.0
"""Stands for a squared speed that is not given."""

# Share of p by which Newton's method may still go, and calls of its kernel, of which two are enough.
_SETTLED: Final = 1e-12
_CALLS: Final = 40
# Where Newton's method starts, and the state of a pass before its first cell, where a speed is given.
_FROM: Final = np.array([UNBOUNDED])
_REST: Final = np.zeros(1)


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
    kernel = _kernel(BOUNDS, form)
    a_max = np.minimum(cells.a_max, UNBOUNDED) if form.bounded else cells.a_max
    sizes = [value[:, None] for value in (cells.h, cells.tight, a_max)[: 3 if form.bounded else 2]]
    given = [cells.before, cells.after, *sizes, *([guess] if form.rough else [])]
    step, p, ahead, back = kernel(*given, _FROM)
    again = np.flatnonzero(step > _SETTLED * p)
    for _ in range(_CALLS):
        if not len(again):
            break
        step, lower, *_ = kernel(*(value[again] for value in given), p[again, None])
        p[again] = lower
        again = again[step > _SETTLED * lower]
    # A node has the caps of both its cells.
    np.minimum(p[1:], cells.after[:-1, CAP], out=p[1:], where=end[:-1] < 0.0)
    last = np.minimum(end, cells.after[:, CAP])
    circle = []
    if form.bounded:
        curvature = cells.before[:, CURVATURE], cells.after[:, CURVATURE]
        circle = [np.column_stack([cells.h, *curvature, a_max / cells.tight])]
    series = [back, *circle, last[:, None], p[:, None]]
    reachable = _scan(BACKWARD, form)(_REST, *(one[::-1] for one in series)).outputs["u"][::-1, ::-1]
    series = [ahead, *circle, start[:, None], reachable[:, 1:]]
    return SpeedProfile(_scan(FORWARD, form)(_REST, *series).outputs["u"], reachable)


def use_of(form: RowForm, rows: np.ndarray, b: np.ndarray, u: np.ndarray, a_max: np.ndarray) -> np.ndarray:
    """Share of the limit nearest to being reached (...), of all limits and with all of the friction.

    Args:
        form: what the rows consist of.
        rows: rows at points (..., width).
        b: accelerations along the path (...), m/s2; the last dimension, or all, of length 1 where they are the same.
        u: squared speeds (...), m2/s2.
        a_max: bounds on the acceleration of the plate, as b, m/s2.
    """
    states = [b, u, a_max] if form.bounded else [b, u]
    # Rows one after the other: a kernel looks longer at arrays of more dimensions.
    flat = [np.repeat(one, u.size // one.size).reshape(-1, 1) for one in states]
    (use,) = _kernel(USE, form)(rows.reshape(-1, form.width), *flat)
    return use.reshape(u.shape)


@cache
def _kernel(name: str, form: RowForm) -> Kernel:
    def made() -> Kernel:
        from parapick.timing.pass_expressions import cell_bounds, limit_use

        return cell_bounds(form) if name == BOUNDS else limit_use(form)

    return known(Recipe(("parapick.timing",), name, form), made)


@cache
def _scan(name: str, form: RowForm) -> Scan:
    def made() -> Scan:
        from parapick.timing.pass_expressions import speed_pass

        return speed_pass(name, form)

    return known_scan(Recipe(("parapick.timing",), name, form), made)
