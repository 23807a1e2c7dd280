"""Where joints turn back: found between samples, and both sides of it among the samples."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.motion import Motion
from parapick.ride import Ride
from parapick.ride.reversals import ASIDE, reversals


@pytest.fixture(scope="module")
def cycle() -> Motion:
    return pp.adept_cycle(pp.load("par4"), cycles_per_minute=120)


def test_rates_change_their_sign_at_reversals(cycle: Motion) -> None:
    model, samples = pp.load("par4"), cycle.sample(500.0, corners=True)
    turns = reversals(model, cycle, samples)
    assert len(turns)
    for turn in turns:
        before, after = (cycle.at(turn + step) for step in (-ASIDE, ASIDE))
        sides = [np.sign(model.joint_rates(pose.x, pose.xd)) for pose in (before, after)]
        assert (sides[0] != sides[1]).any()


def test_every_change_of_sign_between_samples_is_found(cycle: Motion) -> None:
    model = pp.load("par4")
    coarse, fine = (reversals(model, cycle, cycle.sample(rate, corners=True)) for rate in (1000.0, 16000.0))
    assert np.abs(coarse[:, None] - fine).min(axis=1).max() < 1e-3 * ASIDE


def test_samples_with_reversals_rise_and_keep_their_load(cycle: Motion) -> None:
    model = pp.load("par4")
    motion = cycle.with_payload(pp.Payload(0.5))
    plain = motion.sample(4000.0, corners=True)
    samples = Ride.along(model, motion, 4000.0).samples
    assert (np.diff(samples.t) >= 0.0).all()
    assert set(plain.t) <= set(samples.t)
    between = ~np.isin(samples.t, motion.knots)
    assert samples.load[between] == pytest.approx(motion.load_at(samples.t[between]))
    inner = samples.t[(samples.t > 0.0) & (samples.t < motion.duration)]
    assert samples.x[np.isin(samples.t, inner)] == pytest.approx(motion.at(inner).x, abs=1e-12)
