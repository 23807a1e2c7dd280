"""Buffeting, of which wu2020 speaks: what a loop does faster than its motion asks for, as kinetic energy."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.errors import ParameterError
from parapick.model import Model
from parapick.simulation import Record

ABOVE: Final = 40.0
"""Frequency (Hz) above which an error is buffeting: twice that of the usual poles of a loop, so that how it follows its
motion counts little, and shaking by play, ripple and noise does."""


def fast_part(signal: np.ndarray, rate: float, above: float = ABOVE) -> np.ndarray:
    """What of signals (T, k) lies above a frequency, by their spectrum.

    Args:
        signal: the signals, one row per sample.
        rate: control rate (Hz).
        above: frequency (Hz).
    """
    spectrum = np.fft.rfft(signal, axis=0)
    slow = np.fft.rfftfreq(len(signal), 1.0 / rate) < above
    spectrum[slow] = 0.0
    return np.fft.irfft(spectrum, len(signal), axis=0)


def buffeting_energy(model: Model, record: Record, above: float = ABOVE) -> np.ndarray:
    """Kinetic energy (T,), J, of the fast part of the velocity error: `v' M v / 2`, v what lies above a frequency.

    Args:
        model: the robot, whose mass matrix counts.
        above: frequency (Hz).

    Raises:
        ParameterError: a loop that diverged, or a frequency beyond half the control rate.
    """
    if not record.completed:
        raise ParameterError("record", "diverged; its buffeting is not that of a loop")
    if not 0.0 < above < 0.5 * record.rate:
        half = f"half the control rate, {record.rate / 2:g} Hz"
        raise ParameterError("above", f"is {above:g} Hz; it must be above 0 and below {half}")
    shaking = fast_part(record.xd - record.xd_ref, record.rate, above)
    return 0.5 * np.einsum("ti,tij,tj->t", shaking, model.mass_matrix(record.x_ref), shaking)
