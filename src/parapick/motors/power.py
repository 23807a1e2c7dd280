"""Motor power and energy over a series of torques and speeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ShapeError


@final
@dataclass(frozen=True)
class Power:
    """Power of the motors along a motion.

    Attributes:
        time: instants (T,), s.
        motors: mechanical power of each motor (T, n), W; negative where it brakes.
        rms_torque: root mean square torque of each motor (n,), N m.
        peak_torque: largest torque of each motor (n,), N m.
        peak_speed: largest speed of each motor (n,), rad/s.
    """

    time: np.ndarray
    motors: np.ndarray
    rms_torque: np.ndarray
    peak_torque: np.ndarray
    peak_speed: np.ndarray

    @property
    def bus(self) -> np.ndarray:
        """Power of all motors together (T,), W: what a common bus feeds them, braking motors feeding the others."""
        return np.sum(self.motors, axis=-1)

    @property
    def drawn(self) -> float:
        """Energy (J) the bus gives over the motion, with nothing stored."""
        return float(np.trapezoid(np.maximum(self.bus, 0.0), self.time))

    @property
    def returned(self) -> float:
        """Energy (J) the bus gets back, for a brake resistor or a capacitor."""
        return float(np.trapezoid(np.maximum(-self.bus, 0.0), self.time))


def power_of(time: ArrayLike, torque: ArrayLike, speed: ArrayLike) -> Power:
    """Power and effective torques of a series, by the trapezoidal rule.

    Args:
        time: instants (T,), s, growing.
        torque: motor torques (T, n), N m.
        speed: motor speeds (T, n), rad/s.
    """
    t, tau, omega = reals("time", time), reals("torque", torque), reals("speed", speed)
    if t.ndim != 1 or len(t) < 2 or tau.shape != omega.shape or tau.shape[:-1] != t.shape:
        raise ShapeError("torque", tau.shape, f"(T, n) as speed {omega.shape}, with time (T,) of at least two instants")
    if not np.all(np.diff(t) > 0):
        raise ShapeError("time", t.shape, "growing instants")
    mean_square = np.trapezoid(tau * tau, t, axis=0) / (t[-1] - t[0])
    return Power(t, tau * omega, np.sqrt(mean_square), np.max(np.abs(tau), axis=0), np.max(np.abs(omega), axis=0))
