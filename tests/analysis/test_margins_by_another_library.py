"""Margins against python-control: loops of one joint from their transfer functions, of a robot from their matrices."""

from __future__ import annotations

import importlib
import math
from typing import Any

import numpy as np
import pytest

from parapick.analysis import sampled_loop
from parapick.analysis.stability_margins import grid_of, margins_of
from parapick.control import PD, Controller
from simulation.cases import cycle, delta

RATE = 1000.0


LOOPS = {
    "integrator with two lags": ([300.0], [2e-5, 0.012, 1.0, 0.0]),
    "lead": ([900.0, 20_000.0], [0.001, 1.0, 0.0, 0.0]),
    "resonance": ([2e4, 4e5], [1.0, 40.0, 250.0**2, 0.0]),
    "little gain": ([0.1], [0.01, 1.0]),
}
"""Numerator and denominator of continuous transfer functions, which stand behind a hold of zero order."""


@pytest.fixture(scope="module")
def control() -> Any:
    """The library, which takes longer to import than all else that tests import: not where they are only collected."""
    return importlib.import_module("control")


@pytest.mark.parametrize("name", LOOPS)
def test_margins_of_one_loop(control: Any, name: str) -> None:
    loop = control.sample_system(control.tf(*LOOPS[name]), 1.0 / RATE)
    closed = control.feedback(loop, 1)
    assert np.abs(closed.poles()).max() < 1.0
    frequencies = grid_of(closed.poles(), RATE, 2000)
    gains = loop(np.exp(2j * np.pi * frequencies / RATE))
    margins = margins_of(frequencies, gains[:, None, None], stable=True)
    # Their polynomial method warns of its own rounding for sampled loops; the other one solves on a spline.
    response = control.frd(loop, 2.0 * np.pi * np.geomspace(0.01, 0.4999 * RATE, 4000), smooth=True)
    growths, phases, distances, _, crossovers, _ = control.stability_margins(response, returnall=True)
    growing = [float(one) for one in growths if one > 1.0]
    assert margins.common.gain == pytest.approx(min(growing, default=math.inf), rel=2e-3)
    assert margins.common.phase == pytest.approx(math.radians(min(np.abs(phases), default=math.inf)), rel=2e-3)
    delays = [math.radians(one % 360.0) / omega for one, omega in zip(phases, crossovers, strict=True)]
    assert margins.common.delay == pytest.approx(min(delays, default=math.inf), rel=2e-3)
    (own,) = margins.joints
    worst = margins.worst
    assert (own.gain, own.phase, own.delay) == pytest.approx((worst.gain, worst.phase, worst.delay))
    nearest = min(*distances, np.abs(1.0 + loop(-1.0)), np.abs(1.0 + gains[0]))
    assert margins.singular == pytest.approx(nearest, rel=2e-3)


def test_the_loop_of_a_robot(control: Any) -> None:
    """Its return difference and its distance from instability, from its matrices alone."""
    loop = sampled_loop(delta(), cycle().start, Controller(PD(4000.0, 50.0), delay=1))
    opened, none = loop.opened, np.zeros((3, 3))
    gain = control.ss(opened.transition, opened.command, -opened.applied, none, 1.0 / loop.rate)
    for frequency in (3.0, 40.0, 600.0):
        theirs = gain(np.exp(2j * np.pi * frequency / loop.rate))
        assert loop.loop_gain([frequency])[0] == pytest.approx(theirs, rel=1e-6, abs=1e-9 * np.abs(theirs).max())
    closed = control.feedback(gain, np.eye(3))
    assert np.sort(np.abs(closed.poles()))[-6:] == pytest.approx(np.sort(np.abs(loop.poles))[-6:], rel=1e-6)
    frequencies = np.geomspace(1.0, 0.5 * loop.rate, 3000)
    response = control.frequency_response(gain, 2.0 * np.pi * frequencies).complex.transpose(2, 0, 1)
    singular = np.linalg.svd(np.eye(3) + response, compute_uv=False)[:, -1]
    assert loop.margins(2000).singular == pytest.approx(singular.min(), rel=1e-3)
    unstable = margins_of(frequencies, response, stable=False)
    assert (unstable.common.gain, unstable.common.delay) == (1.0, 0.0)
    assert unstable.singular == pytest.approx(singular.min())
