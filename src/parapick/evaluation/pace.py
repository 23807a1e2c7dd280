"""The fastest pace a robot keeps up: peak torque and speed at every instant, and rated torque over the cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import ParameterError
from parapick.motion import fastest_cycle, motor_loads

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion

__all__ = ["Pace", "fastest_pace"]

_LOOKS: Final = 500.0
"""Samples of a cycle from which its effective torque is found; corners are added."""

_SLOWEST: Final = 1e3
"""A cycle this many times slower is at rest: a torque that is still too large is that of gravity."""

_CLOSE: Final = 1e-4
"""Share of the duration to which the slower cycle is found."""


@final
@dataclass(frozen=True, eq=False)
class Pace:
    """The fastest motion along a way.

    Attributes:
        motion: the motion.
        peak_limited: how long it would take if only peak torque and speed were limits (s).
    """

    motion: Motion
    peak_limited: float

    @property
    def hot(self) -> bool:
        """Whether it is the rated torque that decides."""
        return self.motion.duration > self.peak_limited


def fastest_pace(model: Model, motion: Motion) -> Pace:
    """The way of a motion, as fast as the drives can run through it again and again.

    Args:
        model: the robot, with masses.
        motion: the motion, from rest to rest.

    Raises:
        MotionError: there is no such timing; see `fastest_cycle`.
        ParameterError: the motors cannot even hold the plate without getting too hot.
    """
    quickest = fastest_cycle(model, motion)
    rated = model.motors.rated_torque
    if not np.isfinite(rated).any() or _heat(model, quickest, rated) <= 1.0:
        return Pace(quickest, quickest.duration)
    cool, hot = 2.0, 1.0
    while _heat(model, quickest.slowed(cool), rated) > 1.0:
        cool, hot = 2.0 * cool, cool
        if cool > _SLOWEST:
            raise ParameterError("drive.rated_torque", "is less than what holds the plate; no cycle is slow enough")
    while cool - hot > _CLOSE * cool:
        middle = 0.5 * (cool + hot)
        cool, hot = (middle, hot) if _heat(model, quickest.slowed(middle), rated) <= 1.0 else (cool, middle)
    return Pace(quickest.slowed(cool), quickest.duration)


def _heat(model: Model, motion: Motion, rated: np.ndarray) -> float:
    """Largest share of its rated torque that a motor's effective torque is."""
    samples = motion.sample(_LOOKS / motion.duration, corners=True)
    torque = motor_loads(model, samples).torque
    square = np.trapezoid(torque * torque, samples.t, axis=0) / (samples.t[-1] - samples.t[0])
    return float(np.max(np.sqrt(square) / rated))
