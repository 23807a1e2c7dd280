"""How much inertia every motor moves, against that of its own rotor."""

from __future__ import annotations

import numpy as np

from parapick.model import Ride
from parapick.model.inertia import felt_inertia


def inertia_ratios(ride: Ride) -> np.ndarray:
    """Load inertia over rotor inertia of every motor (n,), at its largest along the motion; NaN without a rotor.

    What is left of the inertia that a motor feels after its rotor is the load: gearbox, arm, rods, plate and payload.

    Args:
        ride: the robot on its way, with masses.
    """
    model, x = ride.model, ride.samples.x
    task = model.kernel("mass_matrix")(x, ride.held, model.parameters)[0]
    felt = felt_inertia(model.inverse_jacobian(x), task).max(axis=0)
    rotor = model.motors.rotor
    return np.divide(felt - rotor, rotor, out=np.full(len(rotor), np.nan), where=rotor > 0.0)
