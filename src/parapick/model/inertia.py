"""How much inertia each motor feels."""

from __future__ import annotations

import contextlib

import numpy as np


def felt_inertia(jacobian: np.ndarray, mass_matrix: np.ndarray) -> np.ndarray:
    """Inertia that each motor feels (..., n), kg m2: the diagonal of `D' M D` with D the pseudo-inverse of J_m.

    Of a square robot that is the diagonal of its joint-space mass matrix. The joints of a redundant robot are no
    coordinates; there they move together, as they must.

    Args:
        jacobian: inverse Jacobians J_m (..., n, dof).
        mass_matrix: task-space mass matrices M (..., dof, dof).
    """
    inverse = _inverse(jacobian)
    return np.sum(inverse * (mass_matrix @ inverse), axis=-2)


def _inverse(jacobian: np.ndarray) -> np.ndarray:
    """The pseudo-inverse; of square matrices that are regular the inverse, in a tenth of the time."""
    if jacobian.shape[-1] == jacobian.shape[-2]:
        with contextlib.suppress(np.linalg.LinAlgError):
            return np.linalg.inv(jacobian)
    return np.linalg.pinv(jacobian)
