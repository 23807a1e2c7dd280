"""Limits on motor torques as limits on one weighted sum a row, also for more motors than freedoms.

The torques within `|tau_k| <= P_k` give the plate the forces `J' tau` of a zonotope. A force lies in it if for the
normal c of every facet `|c . J' tau| <= sum_k |e_k| P_k` with `e = J c`: a limit on the sum of `e_k tau_k`, whatever
valid torques are put in. Without redundancy the facets are those of a box and every sum has one term.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np


def torque_weights(jacobian: np.ndarray) -> np.ndarray:
    """Weights e (..., facets, n) of the motors by inverse Jacobians (..., n, d), one row a pair of opposite facets.

    A row of zeros stands for generators that are parallel and span no facet.
    """
    from parapick.model.redundancy import PARALLEL

    n, d = jacobian.shape[-2:]
    if n == d:
        return np.broadcast_to(np.eye(n), (*jacobian.shape[:-2], n, n))
    rows = []
    for spanning in combinations(range(n), d - 1):
        generators = jacobian[..., spanning, :]
        normal = _normal(generators)
        weights = np.einsum("...nd,...d->...n", jacobian, normal)
        # Zero but for rounding, whose sign would decide between two limits.
        weights[..., spanning] = 0.0
        size = np.prod(np.linalg.norm(generators, axis=-1), axis=-1)
        regular = np.linalg.norm(normal, axis=-1) > PARALLEL * size
        rows.append(np.where(regular[..., None], weights, 0.0))
    return np.stack(rows, axis=-2)


def _normal(rows: np.ndarray) -> np.ndarray:
    """Vector (..., d) orthogonal to d - 1 rows: the generalised cross product."""
    columns = range(rows.shape[-1])
    minors = [np.linalg.det(rows[..., [k for k in columns if k != i]]) for i in columns]
    return np.stack([(-1) ** i * minor for i, minor in enumerate(minors)], axis=-1)
