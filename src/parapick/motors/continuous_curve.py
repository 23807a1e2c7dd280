"""Continuous torque of a motor over its speed: what it still gives for ever, and how its heat grows with the speed."""

from __future__ import annotations

import numpy as np


def continuous_at(curve: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Torque of a continuous curve (...), N m; beyond its last point along its last line, to 0.

    Args:
        curve: speeds (rad/s) and torques (N m) of its points (points, 2).
        speed: magnitudes of speeds (...), rad/s.
    """
    (start, first), (end, last) = curve[-2:]
    line = last + (last - first) / (end - start) * (speed - end)
    return np.where(speed > end, np.maximum(line, 0.0), np.interp(speed, curve[:, 0], curve[:, 1]))


def turning_heat_slope(curve: np.ndarray | None, speed: np.ndarray) -> np.ndarray:
    """How what heats a motor changes with its speed (...), (N m)2 s/rad: `-2 C dC/dw`; 0 without a curve.

    Args:
        curve: as for `continuous_at`; None without one.
        speed: speeds of its shaft (...), rad/s.
    """
    if curve is None:
        return np.zeros(np.shape(speed))
    slopes = np.append(0.0, np.diff(curve[:, 1]) / np.diff(curve[:, 0]))
    line = np.minimum(np.searchsorted(curve[:, 0], np.abs(speed), side="right"), len(curve) - 1)
    return -2.0 * continuous_at(curve, np.abs(speed)) * slopes[line] * np.sign(speed)
