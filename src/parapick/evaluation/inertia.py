"""How much inertia every motor moves, against that of its own rotor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from parapick.evaluation.context import Context

__all__ = ["inertia_ratios"]


def inertia_ratios(context: Context) -> np.ndarray:
    """Load inertia over rotor inertia of every motor (n,), at its largest along the motion; NaN without a rotor.

    The inertia that motor i feels is the diagonal entry of the joint-space mass matrix, `D' M D` with M that of the
    task space and D the inverse of `J_m` (redundant robots: its pseudo-inverse, the joints moving together as they
    must). What is left after the rotor is the load: gearbox, arm, rods, plate and payload.

    Args:
        context: the robot on its way, with masses.
    """
    model, x = context.model, context.samples.x
    task = model.kernel("mass_matrix")(x, context.payload, model.parameters)[0]
    inverse = np.linalg.pinv(model.inverse_jacobian(x))
    felt = np.einsum("tji,tjk,tki->ti", inverse, task, inverse).max(axis=0)
    rotor = context.ratings.rotor
    return np.divide(felt - rotor, rotor, out=np.full(len(rotor), np.nan), where=rotor > 0.0)
