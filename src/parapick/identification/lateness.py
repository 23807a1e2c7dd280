"""How much later one recorded signal is than another: least squares of a shift, with its confidence.

`y_i(t) = g_i x_i(t - d) + o_i` for every motor i, one d for all of them: a gain and an offset each, so that units,
torque constants and zeros do not count. The start is where the correlation of all motors together is largest within
`LATE_MAX`; from there Gauss and Newton. Both signals pass the same filter without phase, up to where they stand
out from their noise: a shift between samples smooths noise, and would be drawn to where it does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.identification.clipping import flat_channels
from parapick.identification.filtering import COARSEST, edge_of, low_passed
from parapick.identification.least_squares import Block, Fit, fitted
from parapick.identification.log import SAMPLES_MIN

LATE_MAX: Final = 0.05
"""Longest delay (s) that is looked for, as of torques before they act: a bus is late by some milliseconds."""

BAND: Final = 0.05
"""Most of the sampling rate that the cutoff may be: a spline follows what is left within a thousandth."""

THIN: Final = 4
"""Samples of which one is kept behind the filter: five in a period of the cutoff."""

ALIKE: Final = 0.95
"""Least correlation of the two where they lie best: noise of a tenth of a signal leaves 0.995."""

AGAIN: Final = 0.99
"""Correlation beside the best, as a share of it, from which a signal repeats itself and tells no delay."""

TRIED: Final = 100
"""Delays to either side whose correlation is looked at."""

OUT: Final = 20.0
"""Power over that of the noise from which a signal stands out: its slopes are then hardly those of the noise."""

BINS: Final = 5
"""Frequencies whose mean power is compared with the noise."""

FREE: Final = 0.1
"""Least share of samples at which drives give what they are asked for."""

_ROUNDS: Final = 20
_CLOSE: Final = 1e-10
"""Step (s) at which a shift is found: a thousandth of what is told."""


@final
@dataclass(frozen=True)
class Lateness:
    """How much later one signal is than another.

    Attributes:
        time: the delay (s); NaN where it cannot be told.
        half: half of its 95 % interval (s); NaN likewise.
        why: why it cannot be told; empty where it can.
    """

    time: float
    half: float
    why: str = ""

    @property
    def told(self) -> bool:
        """Whether it can be told."""
        return not self.why


def untold(why: str) -> Lateness:
    """No delay, and why.

    Args:
        why: the reason.
    """
    return Lateness(math.nan, math.nan, why)


def lateness(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> Lateness:
    """How much later a signal is than the one that it follows.

    Args:
        t: times (T,), s, evenly spaced.
        x: what is followed (T, n).
        y: what follows (T, n).
    """
    rate = (len(t) - 1) / float(t[-1] - t[0])
    moving = _changing(x) & _changing(y)
    if not moving.any():
        return untold("one of the two never changes, at any motor")
    cutoff = min(band_of(one[:, moving], rate) for one in (x, y))
    edge = edge_of(cutoff, rate)
    reach = math.ceil(LATE_MAX * rate)
    if len(t) < 2 * (reach + edge) + SAMPLES_MIN:
        least = (2 * (reach + edge) + SAMPLES_MIN) / rate
        return untold(f"the log is too short: delays of up to {1e3 * LATE_MAX:g} ms need {least:.3g} s of it")
    x, y = x[:, moving], y[:, moving]
    counted = _unlimited(x, y, edge)
    counted[: reach + edge] = counted[len(t) - reach - edge :] = False
    if counted.sum() < max(SAMPLES_MIN, FREE * counted.size):
        return untold("the drives are at their limit nearly all the time")
    smooth_x, smooth_y = (low_passed(one, cutoff, rate) for one in (x, y))
    lags = np.arange(-reach, reach + 1, max(1, reach // TRIED))
    correlations = _correlations(smooth_x, smooth_y, counted, lags)
    why = _unclear(correlations, lags / rate)
    if why:
        return untold(why)
    fit, time = _refined(t, smooth_x, smooth_y, counted, float(lags[np.argmax(correlations)]) / rate)
    return within_a_sample(time, fit.critical * float(fit.deviation[-1]), 1.0 / rate)


def within_a_sample(time: float, half: float, step: float) -> Lateness:
    """A delay whose interval is shorter than a sample; one that is surer of nothing is told by counting samples.

    Args:
        time: the delay (s).
        half: half of its 95 % interval (s).
        step: time between samples (s).
    """
    if not 2.0 * half <= step:
        return untold(f"its 95 % interval is +- {1e3 * half:.3g} ms, longer than a sample")
    return Lateness(time, half)


def band_of(values: np.ndarray, rate: float) -> float:
    """Frequency (Hz) up to which signals stand out from white noise, at most `BAND` of the rate.

    Noise above it has slopes of its own, and a shift that is fitted to slopes would be drawn to nothing by them.

    Args:
        values: the signals (T, n), evenly sampled.
        rate: samples per second (Hz).
    """
    window = np.hanning(len(values))[:, None]
    power = np.abs(np.fft.rfft(window * (values - values.mean(axis=0)), axis=0)) ** 2
    total = np.sum(power / _or_one(power.sum(axis=0)), axis=1)
    smooth = np.convolve(total, np.ones(BINS) / BINS, mode="same")
    floor = float(np.mean(total[len(total) // 2 :]))
    above = np.flatnonzero(smooth > OUT * floor)
    top = rate / len(values) * float(above[-1] if len(above) else 1)
    return float(np.clip(top, COARSEST, BAND * rate))


def _changing(values: np.ndarray) -> np.ndarray:
    """Motors (n,) whose signal is more than one value with exceptions."""
    flat = flat_channels(values)
    return np.array([motor not in flat for motor in range(values.shape[1])])


def _unlimited(x: np.ndarray, y: np.ndarray, edge: int) -> np.ndarray:
    """Samples (T, n) away from those at which more is asked for than ever comes."""
    beyond = np.abs(x) > np.abs(y).max(axis=0)
    spread = np.ones(2 * edge + 1)
    return np.column_stack([np.convolve(column, spread, mode="same") < 0.5 for column in beyond.T.astype(float)])


def _correlations(x: np.ndarray, y: np.ndarray, counted: np.ndarray, lags: np.ndarray) -> np.ndarray:
    """Correlation of both at delays of whole samples, all motors together (L,).

    Each motor counts by its own size: those in N m do not outvote those in N.
    """
    y, counted = y[::THIN], counted[::THIN]
    sizes = np.array([np.std(one[here]) if here.any() else 0.0 for one, here in zip(y.T, counted.T, strict=True)])
    x, y = x / _or_one(x.std(axis=0)), y / _or_one(sizes)
    found = []
    for lag in lags.tolist():
        moved = np.roll(x, lag, axis=0)[::THIN]
        product = both = own = 0.0
        for k, here in enumerate(counted.T):
            if not here.any():
                continue
            a, b = (one[here, k] - one[here, k].mean() for one in (moved, y))
            product, both, own = product + float(a @ b), both + float(a @ a), own + float(b @ b)
        found.append(product / math.sqrt(both * own) if both > 0.0 and own > 0.0 else 0.0)
    return np.array(found)


def _or_one(sizes: np.ndarray) -> np.ndarray:
    return np.where(sizes > 0.0, sizes, 1.0)


def _unclear(correlations: np.ndarray, times: np.ndarray) -> str:
    """Why a peak of the correlation tells no delay; empty where it does.

    Args:
        correlations: at each delay (L,).
        times: the delays (L,), s.
    """
    best = int(np.argmax(correlations))
    if not correlations[best] >= ALIKE:
        return (
            f"the two do not agree at any delay up to {1e3 * LATE_MAX:g} ms: their correlation is "
            f"{correlations[best]:.2f} at best, and {ALIKE:g} is needed"
        )
    if best in (0, len(correlations) - 1):
        return f"it is longer than the {1e3 * LATE_MAX:g} ms that are looked for"
    inner = correlations[1:-1]
    peaks = 1 + np.flatnonzero((inner > correlations[:-2]) & (inner >= correlations[2:]))
    others = [int(k) for k in peaks if k != best and correlations[k] >= AGAIN * correlations[best]]
    if others:
        ends = [f"{1e3 * times[k]:.3g} ms" for k in (best, others[0])]
        return f"the signals repeat themselves: it could be {' or '.join(ends)}"
    return ""


def _refined(t: np.ndarray, x: np.ndarray, y: np.ndarray, counted: np.ndarray, start: float) -> tuple[Fit, float]:
    """The fit of gains, offsets and a rest of the shift, and the shift."""
    from scipy.interpolate import CubicSpline

    curve, n, time = CubicSpline(t, x), x.shape[1], start
    gains = np.array([_gain(curve(t - start)[here, k], y[here, k]) for k, here in enumerate(counted.T)])
    for _ in range(_ROUNDS):
        block = _block(curve(t - time), -gains * curve(t - time, 1), y, counted)
        fit = fitted([block], sure=False)
        gains, step = fit.values[:n], float(fit.values[-1])
        time += step
        if abs(step) < _CLOSE:
            break
    return fitted([_block(curve(t - time), -gains * curve(t - time, 1), y, counted)]), time


def _gain(x: np.ndarray, y: np.ndarray) -> float:
    if not len(x):
        return 0.0
    a = x - x.mean()
    return float(a @ y / max(float(a @ a), np.finfo(float).tiny))


def _block(x: np.ndarray, slope: np.ndarray, y: np.ndarray, counted: np.ndarray) -> Block:
    """Rows of one motor each: its gain, its offset, and the slope of all by the delay, which stands last."""
    n = x.shape[1]
    columns = np.zeros((*x.shape, 2 * n + 1))
    for k in range(n):
        columns[:, k, k], columns[:, k, n + k] = x[:, k], 1.0
    columns[..., -1] = slope
    return Block(y[::THIN], columns[::THIN], counted[::THIN])
