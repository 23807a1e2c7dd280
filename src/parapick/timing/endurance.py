"""Motions that the motors keep up: run slower as a whole until none of them gets too hot.

What heats a motor that repeats a motion without a rest is its effective torque, the root of the mean square over the
motion; the rated torque is what it may have.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.model.motors import TorqueLimit
from parapick.motion.loads import looked_at, motor_loads
from parapick.timing.errors import OverheatingError

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion.motion import Motion
    from parapick.motion.series import Samples


_LOOKS: Final = 500.0
"""Samples of a motion from which its effective torque is found; corners and reversals are added."""

_SLOWEST: Final = 1e3
"""A motion this many times slower is at rest: a torque that is still too large is that of gravity."""

_CLOSE: Final = 1e-5
"""Share of the duration to which the slower motion is found."""


def effective_torque(model: Model, samples: Samples) -> np.ndarray:
    """Root of the mean square of every motor's torque over a motion (n,), N m, at the shaft.

    Args:
        model: the robot, with masses.
        samples: the motion.
    """
    torque = motor_loads(model, samples).torque
    return np.sqrt(np.trapezoid(torque * torque, samples.t, axis=0) / (samples.t[-1] - samples.t[0]))


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
    limit = model.motors.torque(rated, name="rated")
    samples = looked_at(model, motion, _LOOKS / motion.duration)

    def heat(factor: float) -> float:
        return float(np.max(effective_torque(model, _slowed(samples, factor)) / limit))

    if heat(1.0) <= 1.0:
        return motion
    cool, hot = 2.0, 1.0
    while heat(cool) > 1.0:
        cool, hot = 2.0 * cool, cool
        if cool > _SLOWEST:
            shares = effective_torque(model, _slowed(samples, cool)) / limit
            motor = int(np.argmax(shares))
            raise OverheatingError(motor + 1, float(shares[motor] * limit[motor]), float(limit[motor]))
    while cool - hot > _CLOSE * cool:
        middle = 0.5 * (cool + hot)
        cool, hot = (middle, hot) if heat(middle) <= 1.0 else (cool, middle)
    return motion.slowed(cool)


def _slowed(samples: Samples, factor: float) -> Samples:
    """The samples of the motion in so many times its duration."""
    return replace(samples, t=samples.t * factor, xd=samples.xd / factor, xdd=samples.xdd / factor**2)
