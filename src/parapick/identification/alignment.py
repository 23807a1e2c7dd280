"""How far the clock of a log is from that of a motion: by correlation of joint rates, then by least squares.

`t_log = t_motion + shift`. The correlation is that of the rates of all joints together, which has one sharp peak where
a motion does not repeat itself; of one that does, the shift with the largest overlap counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.errors import ParapickError

ALIKE: Final = 0.9
"""Least correlation of the joint rates of a log and of the motion that it is of: another motion has less."""

STEP: Final = 1e-3
"""Step (s) of the correlation; least squares goes on from there."""

_ROUNDS: Final = 30
_SAMPLES_MAX: Final = 2_000_000


@final
@dataclass(frozen=True)
class Shift:
    """How a log lies on a motion.

    Attributes:
        time: `t_log - t_motion` (s).
        correlation: of the joint rates there.
    """

    time: float
    correlation: float


def shift_of(t: np.ndarray, q: np.ndarray, t_ref: np.ndarray, q_ref: np.ndarray, what: str) -> Shift:
    """How far the clock of a log is ahead of that of a motion.

    Args:
        t: times of the log (T,), s.
        q: its joint angles (T, n), rad.
        t_ref: times of the motion (S,), s.
        q_ref: its joint angles (S, n), rad.
        what: what is laid over what, for messages.

    Raises:
        ParapickError: the log is not of this motion, or no joint of either moves.
    """
    rates, rates_ref = _rates(t, q), _rates(t_ref, q_ref)
    if not (rates.any() and rates_ref.any()):
        raise ParapickError(f"{what}: nothing moves, so that the two clocks cannot be compared")
    length = len(rates) + len(rates_ref) - 1
    spectra = np.fft.rfft(rates, length, axis=0) * np.conj(np.fft.rfft(rates_ref, length, axis=0))
    together = np.fft.irfft(spectra.sum(axis=1), length)
    # Lags beyond the log are those before its start.
    lag = int(np.argmax(together))
    lag = lag - length if lag >= len(rates) else lag
    shift = _refined(t, q, t_ref, q_ref, t[0] - t_ref[0] + STEP * lag)
    correlation = _correlation(t, q, t_ref, q_ref, shift)
    if not correlation >= ALIKE:
        raise ParapickError(
            f"{what}: joint rates correlate by {correlation:.2f} at best, and {ALIKE:g} is needed: the log is of "
            "another motion, or its joints are counted otherwise (order, sign, units)"
        )
    return Shift(shift, correlation)


def _rates(t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Joint rates at evenly spaced times."""
    count = min(int((t[-1] - t[0]) / STEP) + 1, _SAMPLES_MAX)
    even = t[0] + STEP * np.arange(count)
    return np.gradient(np.column_stack([np.interp(even, t, one) for one in q.T]), STEP, axis=0)


def _refined(t: np.ndarray, q: np.ndarray, t_ref: np.ndarray, q_ref: np.ndarray, shift: float) -> float:
    """Gauss and Newton's steps from a shift: `q(t) - q_ref(t - shift)` is least in the square."""
    from scipy.interpolate import CubicSpline

    curve = CubicSpline(t_ref, q_ref)
    for _ in range(_ROUNDS):
        here = _overlap(t, t_ref, shift)
        if here.sum() < 2:
            break
        times = t[here] - shift
        rate, error = curve(times, 1), q[here] - curve(times)
        # A joint may be counted from elsewhere, so that constant parts do not count.
        rate, error = rate - rate.mean(axis=0), error - error.mean(axis=0)
        step = -float(np.sum(rate * error) / max(float(np.sum(rate * rate)), 1e-300))
        shift += float(np.clip(step, -10.0 * STEP, 10.0 * STEP))
        if abs(step) < 1e-9:
            break
    return float(shift)


def _overlap(t: np.ndarray, t_ref: np.ndarray, shift: float) -> np.ndarray:
    return (t - shift >= t_ref[0]) & (t - shift <= t_ref[-1])


def _correlation(t: np.ndarray, q: np.ndarray, t_ref: np.ndarray, q_ref: np.ndarray, shift: float) -> float:
    """Correlation of the joint rates of both, seen at intervals that steps of encoders do not disturb."""
    here = _overlap(t, t_ref, shift)
    if here.sum() < 3:
        return 0.0
    even = np.arange(t[here][0], t[here][-1], 10.0 * STEP)
    one = np.column_stack([np.interp(even, t, column) for column in q.T])
    other = np.column_stack([np.interp(even - shift, t_ref, column) for column in q_ref.T])
    a, b = np.diff(one, axis=0).ravel(), np.diff(other, axis=0).ravel()
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size > 0.0 else 0.0
