"""The largest speed, acceleration and jerk of a motion, found between its knots and not only on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, final

import numpy as np

from parapick.model.extremes import first_largest
from parapick.motion.motion_pieces import MotionState
from parapick.motion.profile import Side

# Grid between two knots on which maxima are bracketed; those near the highest are refined. Each round looks at a
# bracket with sixteen points and keeps an eighth of it, so that six rounds find a smooth maximum to rounding.
_GRID: Final = 32
_WORTH: Final = 0.95
_POINTS: Final = 16
_ROUNDS: Final = 6


@final
@dataclass(frozen=True)
class Peak:
    """A largest value and when it is reached.

    Attributes:
        value: the value; its unit is that of the quantity.
        time: when (s).
    """

    value: float
    time: float


@final
@dataclass(frozen=True)
class Peaks:
    """The largest values of a motion. Speed, acceleration and jerk are Euclidean norms of the translation.

    Attributes:
        speed: m/s.
        acceleration: m/s2.
        jerk: m/s3; infinite where the acceleration jumps.
        yaw_rate: rad/s; 0 without yaw.
        yaw_acceleration: rad/s2; 0 without yaw.
    """

    speed: Peak
    acceleration: Peak
    jerk: Peak
    yaw_rate: Peak
    yaw_acceleration: Peak


class AtTimes(Protocol):
    """A motion by its times."""

    def __call__(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Pose, velocity, acceleration and jerk at times (...), s."""
        ...


_TRANSLATION, _YAW = slice(0, 3), slice(3, 4)


def peaks_of(state: AtTimes, knots: np.ndarray, jumps: np.ndarray) -> Peaks:
    """The peaks of a motion between its knots (s), where a formula changes; its acceleration jumps at `jumps` (s)."""
    low, high = knots[:-1, None], knots[1:, None]
    grid = low + (high - low) * np.linspace(0.0, 1.0, _GRID + 1)
    states = state(grid)
    # Each interval has its own limit at its end.
    for whole, last in zip(states, state(grid[:, -1], "left"), strict=True):
        whole[:, -1] = last

    def peak(order: int, part: slice) -> Peak:
        def size(states: MotionState) -> np.ndarray:
            return np.linalg.norm(states[order][..., part], axis=-1)

        return _peak(lambda t: size(state(t)), grid, size(states))

    jerk = Peak(math.inf, float(jumps[0])) if len(jumps) else peak(3, _TRANSLATION)
    return Peaks(peak(1, _TRANSLATION), peak(2, _TRANSLATION), jerk, peak(1, _YAW), peak(2, _YAW))


def _peak(size: Callable[[np.ndarray], np.ndarray], grid: np.ndarray, values: np.ndarray) -> Peak:
    """The largest value of a function of time, known on a grid (intervals, points), refined where it may be higher."""
    best = np.unravel_index(first_largest(values), values.shape)
    highest = Peak(float(values[best]), float(grid[best]))
    low, high = _brackets(grid, values, highest.value)
    if len(low) == 0:
        return highest
    times, each = np.linspace(low, high, _POINTS + 1, axis=-1), np.arange(len(low))
    for _ in range(_ROUNDS):
        top = np.argmax(size(times), axis=-1)
        low, high = times[each, np.maximum(top - 1, 0)], times[each, np.minimum(top + 1, _POINTS)]
        times = np.linspace(low, high, _POINTS + 1, axis=-1)
    looked = size(times)
    top = np.argmax(looked, axis=-1)
    tops = [highest, *map(Peak, looked[each, top].tolist(), times[each, top].tolist())]
    tops.sort(key=lambda peak: peak.time)
    return tops[first_largest(np.array([peak.value for peak in tops]))]


def _brackets(grid: np.ndarray, values: np.ndarray, highest: float) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours of grid points that nearly reach the highest value and rise from at least one of these neighbours.

    The ends of an interval are their own neighbours; a plateau has been seen already.
    """
    before, after = (np.take(values, np.clip(np.arange(_GRID + 1) + k, 0, _GRID), axis=1) for k in (-1, 1))
    rises = (values >= before) & (values >= after) & ((values > before) | (values > after))
    rows, columns = np.nonzero(rises & (values >= _WORTH * highest))
    return grid[rows, np.maximum(columns - 1, 0)], grid[rows, np.minimum(columns + 1, _GRID)]
