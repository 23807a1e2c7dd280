"""Torques of redundant robots along a motion: least peak with a bound on the torque rate, and internal preload.

Works on series of the inverse Jacobian J (T, n, d) and of the task force W (T, d), `J' tau = W`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError

_FEASIBLE: Final = 0
"""Status of SciPy's linprog for a solved problem."""


def null_space(jacobian: ArrayLike) -> np.ndarray:
    """Torques that move nothing (..., n, n - d): orthonormal columns N with `J' N = 0`.

    Args:
        jacobian: inverse Jacobians (..., n, d).
    """
    matrix = reals("jacobian", jacobian)
    left, _, _ = np.linalg.svd(matrix)
    return left[..., matrix.shape[-1] :]


def preloaded(torque: ArrayLike, jacobian: ArrayLike, internal: ArrayLike) -> np.ndarray:
    """Torques (..., n) with internal preload added: the plate feels nothing of it, the gears lose their backlash.

    Args:
        torque: torques (..., n), N m.
        jacobian: inverse Jacobians (..., n, d).
        internal: amounts (..., n - d) of the columns of `null_space`, N m.
    """
    directions = null_space(jacobian)
    amounts = reals("internal", internal)
    if amounts.shape[-1:] != directions.shape[-1:]:
        raise ShapeError("internal", amounts.shape, f"(..., {directions.shape[-1]})")
    return reals("torque", torque) + np.einsum("...ij,...j->...i", directions, amounts)


def least_peak_along(
    jacobian: ArrayLike, force: ArrayLike, time: ArrayLike, rate_max: float | None = None
) -> np.ndarray:
    """Torques (T, n) along a motion whose largest magnitude over all samples is least, and whose rate is bounded.

    One linear programme over the whole series: the peak is that of the worst sample, so elsewhere the torques are
    free to change slowly. Without a bound every sample could be solved alone (`sharing="least-peak"`), at rates up to
    1.8 times those of the least norm on the 300 mm lines of corbel2010 section V.

    Args:
        jacobian: inverse Jacobians (T, n, d).
        force: task forces (T, d), N and N m: `J' tau` of any valid torques.
        time: instants (T,), s.
        rate_max: largest torque rate (N m/s); no bound if not given.

    Raises:
        ParameterError: no torques keep the rate.
    """
    matrix, wanted, t = reals("jacobian", jacobian), reals("force", force), reals("time", time)
    if matrix.ndim != 3 or wanted.shape != (matrix.shape[0], matrix.shape[2]) or t.shape != matrix.shape[:1]:
        raise ShapeError("jacobian, force, time", matrix.shape, "(T, n, d), (T, d) and (T,)")
    plain = np.einsum("tij,tj->ti", np.linalg.pinv(np.swapaxes(matrix, 1, 2)), wanted)
    directions = null_space(matrix)
    free = _solved(plain, directions, t, rate_max)
    return plain + np.einsum("tij,tj->ti", directions, free)


def _solved(plain: np.ndarray, directions: np.ndarray, t: np.ndarray, rate_max: float | None) -> np.ndarray:
    """Amounts (T, k) of the null-space directions, from the linear programme."""
    from scipy.optimize import linprog
    from scipy.sparse import block_diag, csr_matrix, hstack, vstack

    samples, motors, free = directions.shape
    spread = csr_matrix(block_diag(list(directions)))
    peak = csr_matrix(np.ones((samples * motors, 1)))
    rows = [hstack([spread, -peak]), hstack([-spread, -peak])]
    right = [-plain.ravel(), plain.ravel()]
    if rate_max is not None:
        step = spread[motors:, :] - spread[:-motors, :]
        change = np.diff(plain, axis=0).ravel()
        room = np.repeat(rate_max * np.diff(t), motors)
        zero = csr_matrix((step.shape[0], 1))
        rows += [hstack([step, zero]), hstack([-step, zero])]
        right += [room - change, room + change]
    cost = np.zeros(samples * free + 1)
    cost[-1] = 1.0
    answer = linprog(
        cost, A_ub=vstack(rows, format="csr"), b_ub=np.concatenate(right), bounds=(None, None), method="highs"
    )
    if answer.status != _FEASIBLE:
        raise ParameterError("rate_max", f"is {rate_max:g} N m/s; no sharing of these torques changes so slowly")
    return answer.x[:-1].reshape(samples, free)
