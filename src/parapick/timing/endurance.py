"""Motions that the motors keep up: run slower as a whole until none of them gets too hot.

What heats a motor that repeats a motion without a rest is its effective torque, the root of the mean square over the
motion; the rated torque is what it may have.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.model import Model
from parapick.motion import Motion
from parapick.motors import TorqueLimit
from parapick.ride import Ride
from parapick.timing.errors import OverheatingError
from parapick.timing.turning import turning

_LOOKS: Final = 500.0
"""Samples of a motion from which its effective torque is found; corners and reversals are added."""

_SLOWEST: Final = 1e-3
"""A motion at this share of its pace is at rest: a torque that is still too large is that of gravity."""


def enduring(model: Model, motion: Motion, *, rated: TorqueLimit = "rated") -> Motion:
    """The motion, run slower as a whole until no motor's effective torque is above its rated torque.

    The motion itself where none is.

    Args:
        model: the robot, with masses.
        motion: a motion that is repeated without a rest.
        rated: "rated" torque of the drives, numbers (N m, at the motor, one or one per motor), or None for no limit.

    Raises:
        OverheatingError: no motion is slow enough: a motor is too hot when it holds the plate.
        ParameterError: a rating that the file does not state, or numbers that no motor can keep.
    """
    limit = model.motors.continuous(rated)
    ride = Ride.along(model, motion, _LOOKS / motion.duration)

    def shares(pace: float) -> np.ndarray:
        return ride.sped_up(pace).heat_torque / limit

    def excess(used: np.ndarray) -> float:
        return math.log(max(float(used.max()), np.finfo(float).tiny))

    if excess(shares(1.0)) <= 0.0:
        return motion
    turn = turning(shares, excess, 1.0, _SLOWEST, 1.0)
    if turn.kept == 0.0:
        used = shares(_SLOWEST)
        motor = int(np.argmax(used))
        raise OverheatingError(
            motor + 1, float(used[motor] * limit[motor]), float(limit[motor]), model.motors.axes[motor].effort
        )
    return motion.slowed(1.0 / turn.kept)
