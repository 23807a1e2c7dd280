"""What motors give along a motion: torques and speeds at their shafts and at the joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class MotorLoads:
    """What the motors give along a motion. NaN where the robot cannot be.

    Attributes:
        t: instants (T,), s.
        torque: torques at the motor shafts with friction and gearbox (T, n), N m.
        speed: speeds of the motor shafts (T, n), rad/s.
        joint_torque: torques at the arm axes without friction (T, n), N m.
        joint_speed: speeds of the joints (T, n), rad/s.
    """

    t: np.ndarray
    torque: np.ndarray
    speed: np.ndarray
    joint_torque: np.ndarray
    joint_speed: np.ndarray
