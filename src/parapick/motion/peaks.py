"""The largest speed, acceleration and jerk of a motion, found between its knots and not only on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol, final

import numpy as np

from parapick.extremes import first_largest
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


class AtTimes(Protocol):
    """A motion by its times."""

    def __call__(self, t: np.ndarray, side: Side = "right") -> MotionState:
        """Pose, velocity, acceleration and jerk at times (...), s."""
        ...


_TRANSLATION, _YAW = slice(0, 3), slice(3, 4)


@final
@dataclass(frozen=True, eq=False)
class Peaks:
    """The largest values of a motion, each found when it is asked for.

    Speed, acceleration and jerk are Euclidean norms of the translation.

    Attributes:
        state: the motion.
        knots: where a formula changes (s).
        jumps: where the acceleration jumps (s).
    """

    state: AtTimes
    knots: np.ndarray
    jumps: np.ndarray

    @cached_property
    def speed(self) -> Peak:
        """The largest speed, m/s."""
        return self._peak(1, _TRANSLATION)

    @cached_property
    def acceleration(self) -> Peak:
        """The largest acceleration, m/s2."""
        return self._peak(2, _TRANSLATION)

    @cached_property
    def jerk(self) -> Peak:
        """The largest jerk, m/s3; infinite where the acceleration jumps."""
        return Peak(math.inf, float(self.jumps[0])) if len(self.jumps) else self._peak(3, _TRANSLATION)

    @cached_property
    def yaw_rate(self) -> Peak:
        """The largest yaw rate, rad/s; 0 without yaw."""
        return self._peak(1, _YAW)

    @cached_property
    def yaw_acceleration(self) -> Peak:
        """The largest yaw acceleration, rad/s2; 0 without yaw."""
        return self._peak(2, _YAW)

    @cached_property
    def _between(self) -> tuple[np.ndarray, MotionState]:
        """Times between the knots (intervals, points), s, and the states there."""
        low, high = self.knots[:-1, None], self.knots[1:, None]
        grid = low + (high - low) * np.linspace(0.0, 1.0, _GRID + 1)
        states = self.state(grid)
        # Each interval has its own limit at its end.
        for whole, last in zip(states, self.state(grid[:, -1], "left"), strict=True):
            whole[:, -1] = last
        return grid, states

    def _peak(self, order: int, part: slice) -> Peak:
        def size(states: MotionState) -> np.ndarray:
            return np.linalg.norm(states[order][..., part], axis=-1)

        grid, states = self._between
        return _peak(lambda t: size(self.state(t)), grid, size(states))


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
