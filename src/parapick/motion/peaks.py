"""The largest speed, acceleration and jerk of a motion, found between its knots and not only on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, final

import numpy as np

from parapick.model.extremes import first_largest
from parapick.motion.motion_pieces import State
from parapick.motion.piecewise import Side

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

    def __call__(self, t: np.ndarray, side: Side = "right") -> State:
        """Pose, velocity, acceleration and jerk at times (...), s."""
        ...


def peaks_of(state: AtTimes, knots: np.ndarray, jumps: np.ndarray) -> Peaks:
    """Find the peaks of a motion.

    Args:
        state: the motion.
        knots: times where a formula changes, both ends included (N,), s.
        jumps: times where the acceleration jumps (k,), s.
    """
    grid, states = _grid(state, knots)
    moving = [_peak(state, quantity, grid, quantity(states)) for quantity in (_speed, _acceleration, _jerk)]
    if len(jumps):
        moving[2] = Peak(math.inf, float(jumps[0]))
    turning = [Peak(0.0, 0.0)] * 2
    if states.x.shape[-1] > 3:
        turning = [_peak(state, quantity, grid, quantity(states)) for quantity in (_yaw_rate, _yaw_acceleration)]
    return Peaks(*moving, *turning)


def _speed(state: State) -> np.ndarray:
    return np.linalg.norm(state.xd[..., :3], axis=-1)


def _acceleration(state: State) -> np.ndarray:
    return np.linalg.norm(state.xdd[..., :3], axis=-1)


def _jerk(state: State) -> np.ndarray:
    return np.linalg.norm(state.xddd[..., :3], axis=-1)


def _yaw_rate(state: State) -> np.ndarray:
    return np.abs(state.xd[..., 3])


def _yaw_acceleration(state: State) -> np.ndarray:
    return np.abs(state.xdd[..., 3])


def _grid(state: AtTimes, knots: np.ndarray) -> tuple[np.ndarray, State]:
    """Times between the knots (intervals, points) with their states; each interval has its own limit at its ends."""
    low, high = knots[:-1, None], knots[1:, None]
    grid = low + (high - low) * np.linspace(0.0, 1.0, _GRID + 1)
    states, ends = state(grid), state(grid[:, -1], "left")
    for whole, last in zip(states, ends, strict=True):
        whole[:, -1] = last
    return grid, states


def _peak(state: AtTimes, quantity: Callable[[State], np.ndarray], grid: np.ndarray, value: np.ndarray) -> Peak:
    best = np.unravel_index(first_largest(value), value.shape)
    found = Peak(float(value[best]), float(grid[best]))
    # Candidates rise from at least one of their neighbours; a plateau has been seen already.
    before, after = _neighbours(value)
    high_enough = value >= _WORTH * found.value
    rows, columns = np.nonzero(
        (value >= before) & (value >= after) & ((value > before) | (value > after)) & high_enough
    )
    if len(rows) == 0:
        return found
    low, high = grid[rows, np.maximum(columns - 1, 0)], grid[rows, np.minimum(columns + 1, _GRID)]
    for _ in range(_ROUNDS):
        times, values = _looked_at(state, quantity, low, high)
        top = np.argmax(values, axis=-1)
        each = np.arange(len(top))
        low, high = times[each, np.maximum(top - 1, 0)], times[each, np.minimum(top + 1, _POINTS)]
    times, values = _looked_at(state, quantity, low, high)
    top, each = np.argmax(values, axis=-1), np.arange(len(low))
    tops = [found, *map(Peak, values[each, top].tolist(), times[each, top].tolist())]
    tops.sort(key=lambda peak: peak.time)
    return tops[first_largest(np.array([peak.value for peak in tops]))]


def _neighbours(value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values to the left and right within each interval; its ends are their own neighbours."""
    return np.concatenate([value[:, :1], value[:, :-1]], axis=1), np.concatenate([value[:, 1:], value[:, -1:]], axis=1)


def _looked_at(
    state: AtTimes, quantity: Callable[[State], np.ndarray], low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    times = np.linspace(low, high, _POINTS + 1, axis=-1)
    return times, quantity(state(times))
