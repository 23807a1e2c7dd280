"""The lemniscate sine: the speed of a plate that takes a circular corner as fast as its acceleration allows.

`sl` solves `(dw/dx)^2 = 1 - w^4` with `sl(0) = 0`. It has period `2 varpi` and is symmetric about `varpi / 2`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

VARPI: Final = math.gamma(0.25) ** 2 / (2 * math.sqrt(2 * math.pi))
"""Half the period: 2.622..., what pi is to the sine."""

# Fourier series of sl. Term n is about exp(-pi n) of the first: twelve reach double precision.
_ORDERS: Final = 2 * np.arange(13) + 1
_WEIGHTS: Final = (2 * math.pi / VARPI) * (-1.0) ** np.arange(13) / np.cosh(_ORDERS * math.pi / 2)

# Series of arcsl in w^4, used for w^4 <= 0.1716 only (see arcsl), where twenty-four terms reach double precision.
_POWERS: Final = np.arange(24)
_SERIES: Final = np.cumprod(np.concatenate([[1.0], (2 * _POWERS[1:] - 1) / (2 * _POWERS[1:])])) / (4 * _POWERS + 1)
_TURN: Final = math.sqrt(math.sqrt(2.0) - 1.0)


def sl(x: ArrayLike) -> np.ndarray:
    """Lemniscate sine, shape like `x`.

    Args:
        x: arguments.
    """
    return np.sin(np.multiply.outer(x, _ORDERS * (math.pi / VARPI))) @ _WEIGHTS


def sl_slope(x: ArrayLike) -> np.ndarray:
    """Derivative of `sl`: `sqrt(1 - sl^4)` with its sign, without the loss of digits at its zero.

    Args:
        x: arguments.
    """
    rates = _ORDERS * (math.pi / VARPI)
    return np.cos(np.multiply.outer(x, rates)) @ (_WEIGHTS * rates)


def arcsl(w: float) -> float:
    """Inverse of `sl` on [0, 1]: the integral of `1 / sqrt(1 - w^4)`.

    Args:
        w: value of `sl`, from 0 to 1.
    """
    if w > _TURN:
        # sl(varpi/2 - x)^2 = (1 - sl^2) / (1 + sl^2) leads back to small values.
        return VARPI / 2 - arcsl(math.sqrt(max(0.0, (1.0 - w * w) / (1.0 + w * w))))
    return float(w * (_SERIES @ w ** (4.0 * _POWERS)))
