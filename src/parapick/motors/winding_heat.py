"""What heats the windings of motors: the loss in their copper, and the temperature that a repeated cycle ends at.

A motor has the largest temperature of its winding for ever at its continuous torque. What heats it, `Motors.heat`, over
the square of that torque is the share h of the rise that it would end at, and the winding follows by its time constant:

    theta dT/dt = T_a + h(t) (T_max - T_a) - T,    T(0) = T(cycle)

Between two samples h is straight, and the solution exact. Its mean over the cycle is that of h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from parapick.motors.motors import Motors

_SPAN: Final = 100.0
"""Time constants that are summed at once: the exponentials of more do not fit into numbers."""

_SHORT: Final = 1e-4
"""Steps in time constants below which the weights of their ends are series: their formulas lose half the digits."""


def copper_loss(motors: Motors, torque: np.ndarray) -> np.ndarray:
    """Loss in the copper of every motor (..., n), W: `3/2 R I^2`; 0 where the file does not state its winding.

    Args:
        torque: torques at the shafts (..., n), N m.
    """
    return np.square(torque) * motors.copper


def winding_temperature(motors: Motors, t: np.ndarray, heat: np.ndarray) -> np.ndarray:
    """Temperature of every winding over a cycle that is repeated for ever (T, n), degC; NaN where it is not known.

    Without a time constant it is the mean at every instant.

    Args:
        t: instants (T,), s.
        heat: what heats the motors (T, n), (N m)2, see `Motors.heat`.
    """
    temperature = np.full(np.shape(heat), np.nan)
    for motor, winding in enumerate(motors.windings):
        hottest = motors.temperature_max[motor]
        if winding is None or not (np.isfinite(hottest) and np.isfinite(motors.continuous_torque[motor])):
            continue
        share = heat[:, motor] / motors.continuous_torque[motor] ** 2
        around = motors.ambient[motor]
        temperature[:, motor] = around + (hottest - around) * periodic(t, share, winding.thermal_time)
    return temperature


def periodic(t: np.ndarray, series: np.ndarray, time_constant: float | None) -> np.ndarray:
    """What follows a series by a time constant when the series is repeated for ever (T, ...).

    Args:
        t: instants (T,), s, growing.
        series: what is followed (T, ...), straight between two instants.
        time_constant: how slowly (s); None for so slowly that only the mean is left.
    """
    if time_constant is None:
        mean = np.trapezoid(series, t, axis=0) / (t[-1] - t[0])
        return np.broadcast_to(mean, np.shape(series)).copy()
    age = (t - t[0]) / time_constant
    from_rest = _followed(age, series)
    # A start above rest decays, by the share that is left of it at every instant.
    left = np.exp(-age).reshape(-1, *(1,) * (series.ndim - 1))
    return from_rest + left * from_rest[-1] / -np.expm1(-age[-1])


def _followed(age: np.ndarray, series: np.ndarray) -> np.ndarray:
    """The same from 0 (T, ...), by the instants in time constants (T,)."""
    first, second = _weights(np.diff(age))
    column = (-1, *(1,) * (series.ndim - 1))
    gained = first.reshape(column) * series[:-1] + second.reshape(column) * series[1:]
    followed = np.zeros(np.shape(series))
    start = 0
    while start < len(age) - 1:
        end = int(np.searchsorted(age, age[start] + _SPAN, side="right")) - 1
        if end == start:
            end = start + 1
            followed[end] = followed[start] * np.exp(age[start] - age[end]) + gained[start]
        else:
            since = np.exp(age[start + 1 : end + 1] - age[start]).reshape(column)
            followed[start + 1 : end + 1] = (followed[start] + np.cumsum(since * gained[start:end], axis=0)) / since
        start = end
    return followed


def _weights(steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the first and of the last value of a straight stretch in what follows it, by its length (k,)."""
    # int_0^a e^(s - a) (1 - s/a) ds and int_0^a e^(s - a) s/a ds
    safe = np.maximum(steps, _SHORT)
    whole = -np.expm1(-steps)
    last = np.where(steps < _SHORT, steps / 2 - steps**2 / 6 + steps**3 / 24, 1.0 + np.expm1(-safe) / safe)
    return whole - last, last
