"""Zero-phase low passes and derivatives of logged signals.

A Butterworth filter of fourth order runs forwards and backwards over the samples, so that nothing is late; its
derivatives are those of quintic splines through what it leaves. Angles pass one of twice the cutoff, before the model
is evaluated along them; then torques and everything that explains them pass one of the cutoff, the same on both sides,
so that what it takes from one side it takes from the other.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from parapick.errors import ParameterError
from parapick.identification.log import SAMPLES_MIN, Log

ORDER: Final = 4
"""Order of the Butterworth filter, run twice."""

ANGLES: Final = 2.0
"""Cutoff of angles over that of torques: at the latter the angles still have 0.998 of their size."""

NOISE: Final = 0.01
"""Share of the accelerations that the steps of the encoders may add to them (RMS); the cutoff follows from it."""

FINEST: Final = 0.1
"""Most of the sampling rate that the cutoff of angles may be: derivatives by splines are good to 1e-4 there."""

COARSEST: Final = 4.0
"""Least cutoff (Hz) of torques that is chosen: slower motions than this have no accelerations to tell masses by."""


def low_passed(values: np.ndarray, cutoff: float, rate: float) -> np.ndarray:
    """Evenly spaced samples (T, ...) through the filter.

    Args:
        values: the samples.
        cutoff: corner frequency (Hz).
        rate: samples per second (Hz).
    """
    from scipy.signal import butter, sosfiltfilt

    padding = min(len(values) - 2, math.ceil(3.0 * rate / cutoff))
    return np.asarray(sosfiltfilt(butter(ORDER, cutoff, fs=rate, output="sos"), values, axis=0, padlen=padding))


def edge_of(cutoff: float, rate: float) -> int:
    """Samples at either end of a stretch that the filter makes up from what lies beyond it.

    Args:
        cutoff: corner frequency (Hz).
        rate: samples per second (Hz).
    """
    return math.ceil(rate / cutoff)


def derivative(t: np.ndarray, values: np.ndarray, order: int) -> np.ndarray:
    """Derivative (T, ...) of the quintic spline through samples.

    Args:
        t: times (T,), s.
        values: the samples.
        order: 1 or 2.
    """
    from scipy.interpolate import make_interp_spline

    return np.asarray(make_interp_spline(t, values, k=5)(t, nu=order))


def resolution_of(log: Log) -> np.ndarray:
    """Smallest step of every angle (n,), rad: that of its encoder, if the log is not finer; 0 where nothing moves."""
    steps = np.abs(np.diff(log.q, axis=0))
    return np.array([column[column > 0.0].min() if (column > 0.0).any() else 0.0 for column in steps.T])


def cutoff_of(log: Log, given: float | None = None) -> float:
    """Cutoff of torques (Hz): what is asked for, or the largest at which encoder steps add little to accelerations.

    An encoder of step s makes an error of variance `s^2 / 12`, spread evenly up to half the sampling rate f; a band up
    to B lets `(s^2 / 12) (2 / f) (2 pi)^4 B^5 / 5` of it into the accelerations.

    Args:
        given: what is asked for (Hz).

    Raises:
        ParameterError: a cutoff that the sampling rate of the log does not allow.
    """
    largest = FINEST * log.rate / ANGLES
    if given is not None:
        if not (math.isfinite(given) and 0.0 < given <= largest):
            text = f"is {given:g} Hz; samples {log.rate:.6g} per second allow up to {largest:.4g} Hz"
            raise ParameterError("cutoff", text)
        return given
    if largest < COARSEST:
        text = (
            f"cannot be chosen: {log.file} has {log.rate:.4g} samples per second; {2 * COARSEST / FINEST:g} are needed"
        )
        raise ParameterError("cutoff", text)
    variance, bands = resolution_of(log) ** 2 / 12.0, []
    for joint, size in enumerate(_accelerations(log, largest)):
        if variance[joint] > 0.0 and size > 0.0:
            ratio = 5.0 * (NOISE * size) ** 2 * log.rate / (2.0 * variance[joint] * (2.0 * math.pi) ** 4)
            bands.append(ratio**0.2)
    chosen = min(bands, default=largest * ANGLES) / ANGLES
    return float(np.clip(chosen, COARSEST, largest))


def _accelerations(log: Log, largest: float) -> np.ndarray:
    """RMS acceleration of every joint (n,), rad/s2, seen through a coarse filter: steps of encoders do not count."""
    stretch = max(log.stretches, key=lambda one: one.stop - one.start)
    t, q = log.t[stretch], log.q[stretch]
    if len(t) < SAMPLES_MIN:
        return np.zeros(log.q.shape[1])
    smooth = low_passed(q, min(2.0 * COARSEST, largest), log.rate)
    return np.sqrt(np.mean(derivative(t, smooth, 2) ** 2, axis=0))
