"""What gearboxes pass at their outputs, and the mean of it that their life follows.

Makers rate gearboxes by the mean output torque

    mean = ( integral |w| |y|^3 dt / integral |w| dt )^(1/3)

of the torque y at the output and its speed w: the cubic mean weighted by the speed, of catalogues of strain wave and
planetary gears (the sum over steps of a load cycle, n_i t_i |T_i|^3, over that of n_i t_i, to the power of a third).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from parapick.motors.motors import Motors

LIFE_EXPONENT: Final = 3.0
"""Power of the torque that the life of a gearbox falls with, as catalogues have it (bearings: 3, or 10/3)."""


def mean_output(t: np.ndarray, output: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Mean torque at the output of every gearbox over a cycle (n,), N m; 0 where it does not turn.

    Args:
        t: instants (T,), s.
        output: torques at the outputs (T, n), N m.
        speed: speeds (T, n), rad/s; those of the shafts or of the outputs.
    """
    turned = np.trapezoid(np.abs(speed), t, axis=0)
    worn = np.trapezoid(np.abs(speed) * np.abs(output) ** LIFE_EXPONENT, t, axis=0)
    return np.divide(worn, turned, out=np.zeros_like(worn), where=turned > 0.0) ** (1.0 / LIFE_EXPONENT)


def passed_torque(motors: Motors, torque: np.ndarray, rate: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """Torque at the output of every gearbox (..., n), N m, of motors whose torques are known.

    What is left of the torque when rotor, brake, encoder and gearbox are accelerated passes the gearbox, which takes
    its losses and its friction.

    Args:
        torque: torques at the shafts (..., n), N m.
        rate: joint rates (..., n), rad/s.
        acceleration: joint accelerations (..., n), rad/s2.
    """
    passing = torque * motors.ratio - motors.inertia * acceleration
    driven = np.where(passing * rate >= 0.0, passing * motors.efficiency, passing / motors.efficiency)
    return driven - motors.gearbox_dry * np.sign(rate) - motors.gearbox_viscous * rate
