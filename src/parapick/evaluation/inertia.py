"""How much inertia every motor moves, against that of its own rotor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from parapick.model.inertia import felt_inertia

if TYPE_CHECKING:
    from parapick.evaluation.context import Context

__all__ = ["inertia_ratios"]


def inertia_ratios(context: Context) -> np.ndarray:
    """Load inertia over rotor inertia of every motor (n,), at its largest along the motion; NaN without a rotor.

    What is left of the inertia that a motor feels after its rotor is the load: gearbox, arm, rods, plate and payload.

    Args:
        context: the robot on its way, with masses.
    """
    model, x = context.model, context.samples.x
    task = model.kernel("mass_matrix")(x, context.payload, model.parameters)[0]
    felt = felt_inertia(model.inverse_jacobian(x), task).max(axis=0)
    rotor = context.motors.rotor
    return np.divide(felt - rotor, rotor, out=np.full(len(rotor), np.nan), where=rotor > 0.0)
