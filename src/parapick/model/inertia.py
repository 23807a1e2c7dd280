"""How much inertia each motor feels."""

from __future__ import annotations

import numpy as np


def felt_inertia(jacobian: np.ndarray, mass_matrix: np.ndarray) -> np.ndarray:
    """Inertia that each motor feels (..., n), kg m2: the diagonal of `D' M D` with D the pseudo-inverse of J_m.

    Of a square robot that is the diagonal of its joint-space mass matrix. The joints of a redundant robot are no
    coordinates; there they move together, as they must.

    Args:
        jacobian: inverse Jacobians J_m (..., n, dof).
        mass_matrix: task-space mass matrices M (..., dof, dof).
    """
    inverse = np.linalg.pinv(jacobian)
    return np.einsum("...ai,...ab,...bi->...i", inverse, mass_matrix, inverse)
