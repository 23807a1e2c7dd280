"""Jerks among the samples of a motion: by hand for a law, infinite where the acceleration jumps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import follow_path, line_path
from parapick.ride import Ride
from stated import stating

START, END = (-0.1, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0)


def test_the_jerk_of_a_quintic_is_that_of_its_formula() -> None:
    """x = D (10 t^3 - 15 t^4 + 6 t^5) has the third derivative 60 D (1 - 6 t + 6 t^2)."""
    samples = follow_path(line_path(START, END), "3-4-5", duration=0.5).sample(1000.0, corners=True)
    tau = samples.t / 0.5
    expected = 60 * 0.2 / 0.5**3 * (1 - 6 * tau + 6 * tau**2)
    np.testing.assert_allclose(samples.jerk[:, 0], expected, rtol=0, atol=1e-9 * expected.max())
    assert not samples.jerk[:, 1:].any()
    faster = samples.sped_up(2.0)
    np.testing.assert_allclose(faster.jerk, 8 * samples.jerk, rtol=1e-12)


def test_a_trapezoid_jumps_at_its_corners_and_nowhere_else() -> None:
    motion = follow_path(line_path(START, END), "trapezoidal", duration=0.6)
    samples = motion.sample(500.0, corners=True)
    jumps = np.isinf(samples.jerk[:, 0])
    np.testing.assert_allclose(np.unique(samples.t[jumps]), motion.corners, atol=1e-12)
    assert motion.corners == pytest.approx([0.0, 0.2, 0.4, 0.6])
    assert not samples.jerk[~jumps].any()
    # Other coordinates do not move.
    assert not np.isinf(samples.jerk[:, 1:]).any()


def test_reversals_keep_their_jerks() -> None:
    model = stating("par4", limits={"joint_acceleration": 1e6, "joint_jerk": 1e6}, efficiency=0.9)
    motion = pp.adept_cycle(model, cycles_per_minute=100, law="cycloid")
    samples = Ride.along(model, motion, 800.0).samples
    assert len(samples.t) > len(motion.sample(800.0, corners=True).t)
    inner = slice(1, -1)
    np.testing.assert_allclose(
        samples.between(0.1, 0.2).jerk[inner], samples.jerk[(samples.t >= 0.1) & (samples.t <= 0.2)][inner]
    )
    apart = ~np.isin(samples.t, motion.knots)
    np.testing.assert_allclose(samples.jerk[apart], motion.jerk(samples.t[apart]), rtol=1e-9, atol=1e-6)


def test_samples_of_which_no_jerk_is_known() -> None:
    samples = replace(follow_path(line_path(START, END), "3-4-5", duration=0.5).sample(100.0), xddd=None)
    assert samples.sped_up(2.0).xddd is None
    with pytest.raises(MotionError, match="no jerk"):
        _ = samples.jerk
