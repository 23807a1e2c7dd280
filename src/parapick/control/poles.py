"""Gains from where the poles of the error should lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import poses_of, reals
from parapick.control.fields import Numbers, per_gain, per_joint
from parapick.errors import ParameterError, ShapeError
from parapick.model import felt_inertia

if TYPE_CHECKING:
    from parapick.model import Model


FREQUENCY: Final = 20.0
DAMPING: Final = 0.7
"""Poles of the error where none are given: 20 Hz (well below what a 4 kHz loop with a 500 Hz velocity filter allows),
damped so that a step overshoots by 5 %."""

INTEGRAL: Final = 0.1
"""Integral gains as a share r of K_i = r w K_p; the ideal loop stays stable while r < 2 damping."""


def _array(name: str, value: float | Sequence[float] | ArrayLike) -> np.ndarray:
    numbers = reals(name, value)
    if numbers.ndim > 1:
        raise ShapeError(name, numbers.shape, "a number, or one per axis")
    if not (np.all(np.isfinite(numbers)) and np.all(numbers > 0)):
        raise ParameterError(name, f"is {value}; it must be finite and greater than 0")
    return numbers


def as_numbers(value: np.ndarray) -> Numbers:
    """An array as numbers of a description: a float, or one per axis.

    Args:
        value: a number, or one per axis.
    """
    return float(value) if value.ndim == 0 else tuple(value.tolist())


@final
@dataclass(frozen=True)
class Poles:
    """Where the poles of the error lie, from which a law finds its gains."""

    frequency: Numbers = per_gain("Hz", "natural frequency of the error", default=FREQUENCY, above=0.0)
    damping: Numbers = per_gain("", "damping ratio of the error; a cascade has its own", default=DAMPING, above=0.0)
    integral: Numbers = per_gain(
        "", "share r of integral gains, K_i = r w K_p; below twice the damping", default=INTEGRAL, above=0.0
    )
    inertia: Numbers | None = per_joint(
        "kg m2", "inertia that each motor feels; without it the mean along the motion", default=None, above=0.0
    )

    @property
    def felt(self) -> Numbers:
        """Inertia that each motor feels (kg m2).

        Raises:
            ParameterError: it is not stated and was not looked at along a motion.
        """
        if self.inertia is None:
            raise ParameterError("poles.inertia", "is not known; state it, or use `with_gains` along a motion")
        return self.inertia


def second_order(frequency: ArrayLike, damping: ArrayLike, inertia: ArrayLike = 1.0) -> tuple[Numbers, Numbers]:
    """Gains of `I e'' + K_d e' + K_p e = 0` with given poles: `K_p = I w^2`, `K_d = 2 zeta w I`, w = 2 pi f.

    Args:
        frequency: natural frequency f (Hz), for all axes or one per axis.
        damping: damping ratio zeta, for all axes or one per axis.
        inertia: inertia I that the error moves (kg m2); 1 where the gains act on accelerations.

    Returns:
        K_p and K_d.
    """
    w, zeta = 2 * math.pi * _array("frequency", frequency), _array("damping", damping)
    moved = _array("inertia", inertia)
    return as_numbers(moved * w * w), as_numbers(2 * zeta * w * moved)


def double_pole(poles: Poles) -> Numbers:
    """Rate (1/s) at which a pair of poles decays, `zeta w`: where both of two real poles lie in its place."""
    w = 2 * math.pi * _array("frequency", poles.frequency)
    return as_numbers(w * _array("damping", poles.damping))


def integral_gain(kp: Numbers, frequency: ArrayLike, ratio: ArrayLike) -> Numbers:
    """Integral gain as a share of the proportional one: `K_i = r w K_p`.

    Args:
        kp: proportional gain.
        frequency: natural frequency (Hz) with w = 2 pi f, for all axes or one per axis.
        ratio: r; the ideal loop stays stable while r < 2 zeta.
    """
    return as_numbers(reals("kp", kp) * _array("ratio", ratio) * 2 * math.pi * _array("frequency", frequency))


def cascade(
    position: ArrayLike, velocity: ArrayLike, inertia: ArrayLike, reset: ArrayLike
) -> tuple[Numbers, Numbers, Numbers]:
    """Gains of a velocity loop inside a position loop: `K_p = w_p`, `K_v = w_v I`, `K_i = reset w_v K_v`, w = 2 pi f.

    Args:
        position: bandwidth of the position loop (Hz), for all axes or one per axis.
        velocity: bandwidth of the velocity loop (Hz).
        inertia: inertia I that the velocity loop moves (kg m2).
        reset: corner of the integral as a share of the velocity bandwidth.

    Returns:
        K_p, K_v and K_i.
    """
    inner = 2 * math.pi * _array("velocity", velocity)
    gain = inner * _array("inertia", inertia)
    integral = _array("reset", reset) * inner * gain
    return as_numbers(2 * math.pi * _array("position", position)), as_numbers(gain), as_numbers(integral)


def inertia_at_joints(model: Model, x: ArrayLike) -> np.ndarray:
    """Mean inertia that each motor feels (n), kg m2, with the gripper; see `parapick.model.inertia`.

    A controller has one set of gains, whatever the tool carries: a payload does not count.

    Args:
        x: task vectors (..., dof) to average over, such as a motion's.
    """
    poses = poses_of("x", x, model.robot.dof)
    empty = model.with_payload(None)
    return felt_inertia(empty.inverse_jacobian(poses), empty.mass_matrix(poses)).mean(axis=0)
