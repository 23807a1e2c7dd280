"""Where a motion lies in the diagram of a motor: its effective torque, at the speed that heats as its speeds do.

By `Motors.heat` a motor stays cool where the mean of `torque^2 + C(0)^2 - C(w)^2` is at most `C(0)^2`, C being its
continuous torque over speed. With the speed w* at which `C(w*)^2` is the mean of `C(w)^2`, that is: the effective
torque is at most `C(w*)`. So the point of a motion lies below the curve if, and only if, the motor is not too hot.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.motors.motors import Motors

ROUNDING: Final = 1e-9
"""Share of a curve's torque by which a mean of its torques misses its level parts by rounding."""


def heat_speeds(motors: Motors, mean_speed: np.ndarray, heat: np.ndarray, rms: np.ndarray) -> np.ndarray:
    """Speed (n,) at which the effective torque of every motor heats it as a motion does, rad/s, at the shaft.

    Where the continuous torque does not depend on the speed it is the mean speed.

    Args:
        motors: the motors.
        mean_speed: means of the magnitude of the speeds (n,), rad/s.
        heat: torques at rest that heat as much (n,), N m: `Ride.heat_torque`.
        rms: effective torques (n,), N m.
    """
    speeds = np.array(mean_speed, dtype=float)
    for motor, curve in enumerate(motors.continuous_curves):
        if curve is not None:
            most = float(motors.continuous_torque[motor])
            level = math.sqrt(max(most**2 + float(rms[motor] ** 2 - heat[motor] ** 2), 0.0))
            speeds[motor] = np.clip(speeds[motor], *_speeds_at(to_nothing(curve), level))
    return speeds


def steady_limits(motors: Motors) -> dict[str, np.ndarray]:
    """Continuous torque of every motor (n,), N m, by the name it has in figures; infinite where it has the other.

    Where the file states it over speed, that at rest is the largest.

    Args:
        motors: the motors.
    """
    falls = np.array([curve is not None for curve in motors.continuous_curves])
    flat, start = motors.rated_torque, motors.continuous_torque
    return {"rated": np.where(falls, np.inf, flat), "continuous at rest": np.where(falls, start, np.inf)}


def to_nothing(curve: np.ndarray) -> np.ndarray:
    """A continuous curve (k, 2) from rest on and along its last line down to no torque; as it ends if that is level.

    Args:
        curve: its points as stated (points, 2), rad/s and N m.
    """
    start = np.array([[0.0, curve[0, 1]]]) if curve[0, 0] > 0.0 else np.empty((0, 2))
    (before, first), (end, last) = curve[-2:]
    falls = first > last > 0.0
    rest = np.array([[end + last * (end - before) / (first - last), 0.0]]) if falls else np.empty((0, 2))
    return np.vstack([start, curve, rest])


def _speeds_at(curve: np.ndarray, torque: float) -> tuple[float, float]:
    """Smallest and largest speed at which a falling curve has a torque: one where it falls, two where it is level."""
    slack, torque = ROUNDING * curve[0, 1], max(torque, float(curve[-1, 1]))
    low = int(np.flatnonzero(curve[:, 1] <= torque + slack)[0])
    high = int(np.flatnonzero(curve[:, 1] >= torque - slack)[-1])
    least = _between(curve, low - 1, torque) if low else 0.0
    return least, math.inf if high == len(curve) - 1 else _between(curve, high, torque)


def _between(curve: np.ndarray, place: int, torque: float) -> float:
    """Speed at which a torque lies on the line behind a point."""
    (start, first), (end, last) = curve[place : place + 2]
    return float(start + (end - start) * (first - torque) / (first - last))
