"""Filters and derivatives of logged signals, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from parapick.errors import ParameterError
from parapick.identification import Log
from parapick.identification.filtering import (
    ANGLES,
    COARSEST,
    FINEST,
    NOISE,
    ORDER,
    cutoff_of,
    derivative,
    edge_of,
    low_passed,
    resolution_of,
)

RATE = 1000.0
T = np.arange(4000) / RATE


def log_of(q: np.ndarray, rate: float = RATE) -> Log:
    t = np.arange(len(q)) / rate
    return Log("log.csv", t, q, None, None, {})


@pytest.mark.parametrize("frequency", [2.0, 20.0, 30.0, 60.0])
def test_a_sine_comes_through_without_delay_and_by_the_gain_of_two_passes(frequency: float) -> None:
    """`1 / (1 + (f / fc)^(2 n))`, once each way; digital filters bend f by the bilinear transform."""
    cutoff = 30.0
    wave = np.sin(2.0 * math.pi * frequency * T)
    bent = math.tan(math.pi * frequency / RATE) / math.tan(math.pi * cutoff / RATE)
    gain = 1.0 / (1.0 + bent ** (2 * ORDER))
    inner = slice(400, -400)
    assert low_passed(wave, cutoff, RATE)[inner] == pytest.approx(gain * wave[inner], abs=2e-6)


def test_a_straight_line_and_columns_stay() -> None:
    lines = np.column_stack([3.0 + 2.0 * T, -T, 0.0 * T])
    passed = low_passed(lines, 20.0, RATE)
    assert passed[400:-400] == pytest.approx(lines[400:-400], abs=1e-9)
    # What lies beyond the ends is made up: a line goes on there, up to what the filter remembers.
    assert passed == pytest.approx(lines, abs=2e-5)
    assert edge_of(20.0, RATE) == 50


def test_derivatives_of_quintics_are_exact() -> None:
    t = np.array([0.0, 0.3, 0.4, 0.9, 1.3, 1.4, 2.0, 2.6, 3.0])
    quintic = np.polynomial.Polynomial([1.0, -2.0, 0.5, 3.0, -1.0, 0.2])
    assert derivative(t, quintic(t), 1) == pytest.approx(quintic.deriv(1)(t), abs=1e-8)
    assert derivative(t, quintic(t)[:, None], 2)[:, 0] == pytest.approx(quintic.deriv(2)(t), abs=1e-7)


def test_the_resolution_is_the_smallest_step() -> None:
    step = 2.0 * math.pi / 4096
    q = np.column_stack([step * np.round(np.sin(3.0 * T) / step), np.zeros_like(T)])
    assert resolution_of(log_of(q)) == pytest.approx([step, 0.0])


def test_the_cutoff_lets_encoder_steps_add_what_is_said() -> None:
    """Steps of a coarse encoder, through the filter it asks for: one percent of the accelerations, RMS."""
    step, t = 2.0 * math.pi / 8192, np.arange(20000) / RATE
    smooth = np.sin(9.0 * t) + 0.4 * np.sin(17.0 * t + 1.0)
    stepped = step * np.round(smooth / step)
    cutoff = cutoff_of(log_of(stepped[:, None]))
    assert COARSEST < cutoff < FINEST * RATE / ANGLES
    error = derivative(t, low_passed(stepped - smooth, ANGLES * cutoff, RATE), 2)[500:-500]
    exact = -81.0 * np.sin(9.0 * t) - 0.4 * 289.0 * np.sin(17.0 * t + 1.0)
    share = np.sqrt(np.mean(error**2)) / np.sqrt(np.mean(exact**2))
    assert share == pytest.approx(NOISE, rel=0.25)


def test_a_finer_encoder_allows_a_larger_cutoff_and_a_given_one_counts() -> None:
    q = np.sin(9.0 * T)
    steps = [2.0 * math.pi / 2**bits for bits in (10, 13, 16)]
    chosen = [cutoff_of(log_of((step * np.round(q / step))[:, None])) for step in steps]
    assert chosen == sorted(chosen)
    assert chosen[0] < chosen[-1]
    assert cutoff_of(log_of(q[:, None]), 17.0) == 17.0


@pytest.mark.parametrize("given", [0.0, -3.0, math.nan, 51.0])
def test_a_cutoff_that_the_rate_does_not_allow(given: float) -> None:
    with pytest.raises(ParameterError, match=r"cutoff: is .* samples 1000 per second allow up to 50 Hz"):
        cutoff_of(log_of(np.sin(T)[:, None]), given)


def test_too_few_samples_a_second() -> None:
    with pytest.raises(ParameterError, match=r"log.csv has 50 samples per second; 80 are needed"):
        cutoff_of(log_of(np.sin(T)[:, None], 50.0))


def test_a_log_of_short_stretches_takes_the_largest_cutoff() -> None:
    t = np.concatenate([np.arange(40) / RATE + k for k in range(3)])
    log = Log("log.csv", t, np.sin(5.0 * t)[:, None], None, None, {})
    assert cutoff_of(log) == pytest.approx(FINEST * RATE / ANGLES)
