"""Gain, phase and delay margins of a sampled loop, joint by joint and for all joints at once.

The loop is opened at the torques that the drives are asked for. Joint by joint: one joint's loop with all others
closed, `L_i = 1 / S_ii - 1` with `S = (I + L)^-1`. All at once: the same factor, phase or delay in every joint, from
the eigenvalues of L; and the smallest singular value of `I + L`, how far the loop is from a perturbation of any kind.

A delay of whole samples is exact; between them a margin says what a delay of that phase would do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.analysis.s_plane import s_plane

LOWEST: Final = 1e-5
"""Lowest frequency looked at, as a share of the control rate: 0.04 Hz at 4 kHz."""

POINTS: Final = 240
"""Frequencies looked at, evenly spread in logarithm; more are set around every pole."""

LOSS_MIN: Final = 1e-3
"""Smallest factor on the gain that counts as one: where it falls further, rounding decides the phase."""

AROUND: Final = (-3.0, -1.5, -0.7, -0.3, 0.0, 0.3, 0.7, 1.5, 3.0)
"""Frequencies looked at around a pole, in half-widths of its resonance."""

SMALLEST: Final = 1e-300
"""Gain below which a loop has none: what it is raised to, so that it has a logarithm."""


@final
@dataclass(frozen=True)
class LoopMargin:
    """How far a loop is from instability; infinite where no factor, phase or delay makes it unstable.

    Attributes:
        gain: factor by which the loop's gain may grow.
        gain_loss: factor to which it may fall; 0 where it may vanish.
        phase: phase that it may lose or win (rad).
        delay: time by which torques may come later (s).
        crossover: frequency (Hz) at which the delay margin is reached; NaN without one.
    """

    gain: float
    gain_loss: float
    phase: float
    delay: float
    crossover: float


@final
@dataclass(frozen=True)
class StabilityMargins:
    """Margins of a sampled loop; all are 0 (factors 1) where it is unstable already.

    Attributes:
        joints: each joint's loop with the others closed.
        common: the same change in every joint at once.
        singular: smallest singular value of `I + L` over all frequencies.
        singular_at: frequency (Hz) of it.
    """

    joints: tuple[LoopMargin, ...]
    common: LoopMargin
    singular: float
    singular_at: float

    @property
    def worst(self) -> LoopMargin:
        """The smallest of each margin, joint by joint and common."""
        every = (*self.joints, self.common)
        shortest = min(every, key=lambda margin: margin.delay)
        return LoopMargin(
            gain=min(margin.gain for margin in every),
            gain_loss=max(margin.gain_loss for margin in every),
            phase=min(margin.phase for margin in every),
            delay=shortest.delay,
            crossover=shortest.crossover,
        )


NONE: Final = LoopMargin(1.0, 1.0, 0.0, 0.0, math.nan)
"""Margin of a loop that is unstable already."""


def margins_of(frequencies: np.ndarray, gains: np.ndarray, *, stable: bool) -> StabilityMargins:
    """Margins from the gain of a loop opened at its command.

    Args:
        frequencies: frequencies (F,), Hz, rising.
        gains: loop gain L (F, n, n).
        stable: whether the closed loop is.
    """
    n = gains.shape[1]
    least = _least_singular(frequencies, gains)
    if not stable:
        return StabilityMargins((NONE,) * n, NONE, *least)
    joints = (_margin(frequencies, gain) for gain in _joint_gains(gains))
    common = _worst(_margin(frequencies, locus) for locus in _loci(gains).T)
    return StabilityMargins(tuple(joints), common, *least)


def _least_singular(frequencies: np.ndarray, gains: np.ndarray) -> tuple[float, float]:
    """The smallest singular value of `I + L`, and the frequency (Hz) of it."""
    singulars = np.linalg.svd(np.eye(gains.shape[1]) + gains, compute_uv=False)[:, -1]
    place = int(np.argmin(singulars))
    return float(singulars[place]), float(frequencies[place])


def _least_delay(frequencies: np.ndarray, gains: np.ndarray) -> float:
    """The smallest delay margin (s) of a stable loop, joint by joint and common."""
    return min(_delay(frequencies, gain) for gain in (*_joint_gains(gains), *_loci(gains).T))


ONE_NUMBER: Final[Mapping[str, Callable[[np.ndarray, np.ndarray], float]]] = {
    "delay": _least_delay,
    "singular": lambda frequencies, gains: _least_singular(frequencies, gains)[0],
}
"""Margins of a stable loop that are one number, without all else of `margins_of`, from frequencies and loop gain."""


def _joint_gains(gains: np.ndarray) -> list[np.ndarray]:
    """The loop gain of each joint with the other loops closed (F,)."""
    n = gains.shape[1]
    sensitivities = np.diagonal(np.linalg.inv(np.eye(n) + gains), axis1=1, axis2=2)
    return [1.0 / sensitivities[:, k] - 1.0 for k in range(n)]


def grid_of(poles: np.ndarray, rate: float, points: int = POINTS) -> np.ndarray:
    """Frequencies (F,), Hz, at which a loop is looked at: evenly in logarithm, and finer around its poles.

    Args:
        poles: its poles in the z-plane.
        rate: control rate (Hz).
        points: how many evenly.
    """
    even = np.geomspace(LOWEST * rate, 0.5 * rate, points)
    rates = s_plane(poles[np.imag(poles) >= 0.0], rate) / (2 * math.pi)
    decay, swing = np.abs(np.real(rates)), np.imag(rates)
    resonant = np.abs(swing) > decay
    near = (swing[resonant, None] + decay[resonant, None] * np.array(AROUND)).ravel()
    inside = near[(near > even[0]) & (near < even[-1])]
    return np.unique(np.concatenate([even, inside]))


def _loci(gains: np.ndarray) -> np.ndarray:
    """Eigenvalues of the loop gain, each followed from frequency to frequency (F, n)."""
    values = np.linalg.eigvals(gains)
    before, after = values[:-1, :, None], values[1:, None, :]
    apart = np.abs(after - before) / (np.abs(after) + np.abs(before) + SMALLEST)
    followers, order = _followers(apart), np.arange(values.shape[1])
    # Most values are followed by the one at their own place.
    turns = np.flatnonzero((followers != order).any(axis=1))
    orders = np.tile(order, (len(followers), 1))
    for turn in turns.tolist():
        order = followers[turn][order]
        orders[turn:] = order
    values[1:] = np.take_along_axis(values[1:], orders, axis=1)
    return values


def _followers(apart: np.ndarray) -> np.ndarray:
    """Which value follows each (F - 1, n): the closest pairs first, so that no two have the same."""
    steps, n, _ = apart.shape
    follow, left, step = np.zeros((steps, n), dtype=int), apart.copy(), np.arange(steps)
    for _ in range(n):
        row, column = np.divmod(left.reshape(steps, n * n).argmin(axis=1), n)
        follow[step, row] = column
        left[step, row], left[step, :, column] = np.inf, np.inf
    return follow


def _worst(margins: Iterator[LoopMargin]) -> LoopMargin:
    every = tuple(margins)
    return StabilityMargins(every[1:], every[0], 0.0, 0.0).worst


def _size(gain: np.ndarray) -> np.ndarray:
    """Logarithm of the size of a gain (F,)."""
    return np.log(np.maximum(np.abs(gain), SMALLEST))


def _phase(gain: np.ndarray) -> np.ndarray:
    """Phase of a gain (F,), without jumps."""
    return np.unwrap(np.angle(gain))


def _delay(frequencies: np.ndarray, gain: np.ndarray) -> float:
    """Delay margin from a loop gain at frequencies (F,)."""
    size, least = _size(gain), math.inf
    if not np.any(size[:-1] * size[1:] < 0.0):
        return least
    for angle, frequency in _zeros(frequencies, size, _phase(gain)):
        delay = _lag(angle) / (2 * math.pi * frequency)
        if delay < least:
            least = delay
    return least


def _lag(angle: float) -> float:
    """Phase (rad) that a delay may still take before the gain is at -1."""
    return (angle + math.pi) % (2 * math.pi)


def _margin(frequencies: np.ndarray, gain: np.ndarray) -> LoopMargin:
    """Margins from a loop gain at frequencies (F,), interpolated in logarithm and phase between them."""
    size, phase = _size(gain), _phase(gain)
    growth, loss = math.inf, 0.0
    for value, _ in _crossings(frequencies, phase, size):
        factor = math.exp(-value)
        if factor > 1.0:
            growth = min(growth, factor)
        elif factor > LOSS_MIN:
            loss = max(loss, factor)
    turn, delay, crossover = math.inf, math.inf, math.nan
    for angle, frequency in _zeros(frequencies, size, phase):
        lag = _lag(angle)
        turn = min(turn, lag, 2 * math.pi - lag)
        if lag / (2 * math.pi * frequency) < delay:
            delay, crossover = lag / (2 * math.pi * frequency), frequency
    return LoopMargin(growth, loss, turn, delay, crossover)


def _zeros(frequencies: np.ndarray, values: np.ndarray, beside: np.ndarray) -> Iterator[tuple[float, float]]:
    """Where values pass 0: what another quantity is there, and the frequency."""
    for k in np.flatnonzero(values[:-1] * values[1:] < 0.0):
        share = values[k] / (values[k] - values[k + 1])
        ratio = frequencies[k + 1] / frequencies[k]
        yield float(beside[k] + share * (beside[k + 1] - beside[k])), float(frequencies[k] * ratio**share)


def _crossings(frequencies: np.ndarray, phase: np.ndarray, size: np.ndarray) -> Iterator[tuple[float, float]]:
    """Where the phase is an odd multiple of pi: logarithm of the size there, and the frequency."""
    turns = (phase - math.pi) / (2 * math.pi)
    for level in range(math.ceil(turns.min()), math.floor(turns.max()) + 1):
        yield from _zeros(frequencies, turns - level, size)
