"""Poles of a sampled loop in the s-plane: what rates of decay and swing its poles in the z-plane stand for."""

from __future__ import annotations

from typing import Final

import numpy as np

FAST: Final = 1e-3
"""Magnitude of a pole below which it is gone within a sample: that of a delay, or of a Newton step."""


def s_plane(poles: np.ndarray, rate: float) -> np.ndarray:
    """Poles in the s-plane, `s = ln(z) / T` (1/s), in their order; those that are gone within a sample are left out.

    Args:
        poles: poles in the z-plane.
        rate: control rate 1/T (Hz).
    """
    return np.emath.log(poles[np.abs(poles) > FAST]) * rate
