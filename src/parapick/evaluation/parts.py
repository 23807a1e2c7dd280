"""What the torque of every motor is spent on, at its shaft; the parts add up to the torque.

`torque = sum of the bodies' parts + sharing + friction + gearbox`, each over the ratio of the drive. "sharing" is what
a redundant robot's motors add to the least norm so that the largest of them is least; "gearbox" is what its efficiency
adds or takes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.model import Ride
from parapick.model.dynamics import PARTS

_NOTHING: Final = 1e-9
"""Share of the largest torque (N m) below which a part is nothing but rounding, and left out."""


def torque_parts(ride: Ride) -> dict[str, np.ndarray]:
    """Torque at the motor shafts (T, n), N m, by what it is spent on; parts that are nothing are left out.

    Args:
        ride: the robot on its way.
    """
    loads, ratio = ride.loads, ride.model.motors.ratio
    (bodies,) = ride.kernel("inverse_dynamics_parts")
    parts = {name: bodies[:, i, :] / ratio for i, name in enumerate(PARTS)}
    parts["sharing"] = (loads.joint_torque - bodies.sum(axis=1)) / ratio
    parts["friction"] = _friction(ride) / ratio
    parts["gearbox"] = loads.torque - np.sum(list(parts.values()), axis=0)
    least = _NOTHING * float(np.max(np.abs(loads.torque)))
    return {name: values for name, values in parts.items() if np.max(np.abs(values)) > least}


def _friction(ride: Ride) -> np.ndarray:
    """Friction at the joints (T, n), N m."""
    motors, rates = ride.model.motors, ride.joint_speed
    return motors.dry(rates) * np.sign(rates) + motors.viscous * rates
