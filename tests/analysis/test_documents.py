"""What the documents say of their loops: the disturbance responses of righettini2024, the sampling of wu2020."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import ideal, sampled_loop, sampling_limit, sine_test
from parapick.control import load_controller
from parapick.errors import ParameterError
from parapick.tasks import load_task

POSE = (0.0, 0.33, 0.0, 0.0)
RATIOS = {1.0: 0.111, 5.0: 0.543, 10.0: 1.021, 20.0: 1.487}
"""Error of TSIID over that of TSID by frequency (Hz), righettini2024 Fig. 10 by an independent program."""


def test_righettini2024_disturbance_ratios() -> None:
    fivebar = pp.load("fivebar-spindle")
    laws = [load_controller(f"righettini2024-{name}") for name in ("tsiid", "tsid")]
    frequencies = [*RATIOS]
    measured = [np.abs(sine_test(fivebar, POSE, one, frequencies)[:, :2]) for one in laws]
    linear = [np.abs(sampled_loop(fivebar, POSE, one).response(frequencies)[:, :2, 0]) for one in laws]
    continuous = [np.abs(sampled_loop(fivebar, POSE, ideal(one)).response(frequencies)[:, :2, 0]) for one in laws]
    for pair in (measured, linear, continuous):
        for column in range(2):
            np.testing.assert_allclose(pair[0][:, column] / pair[1][:, column], [*RATIOS.values()], rtol=0.02)
    # What is measured is what the linear loop says. At 1 Hz the integral leaves a few encoder steps (16 bits) of error.
    for k in range(2):
        np.testing.assert_allclose(measured[k][1:], linear[k][1:], rtol=1e-3)
        np.testing.assert_allclose(measured[k][0], linear[k][0], rtol=1e-2)
    # Static compliance of TSID: 8.08e-3 and 8.87e-3 mm/(N m).
    still = np.abs(sampled_loop(fivebar, POSE, laws[1]).response([0.01])[0, :2, 0])
    np.testing.assert_allclose(1e6 * still, [8.08, 8.87], rtol=2e-3)


def test_wu2020_sampling_limit() -> None:
    robot = pp.load("asymmetric-screw")
    motion = load_task("wu2020-fit1").motion(robot)
    limit = sampling_limit(robot, motion, load_controller("wu2020-fit1"), [0.0, 0.3])
    # Held torques of a derivative gain of 1000 1/s on accelerations: |1 - kD T| < 1.
    assert limit == pytest.approx(2e-3, rel=2e-3)


def test_sine_test_refusals() -> None:
    fivebar, law = pp.load("fivebar-spindle"), load_controller("righettini2024-tsid")
    with pytest.raises(ParameterError, match="joint: is 5; fivebar-spindle has joints 1 to 4"):
        sine_test(fivebar, POSE, law, [1.0], joint=5)
    with pytest.raises(ParameterError, match="amplitude: is 0 N m"):
        sine_test(fivebar, POSE, law, [1.0], amplitude=0.0)
    with pytest.raises(ParameterError, match="half the control rate"):
        sine_test(fivebar, POSE, law, [2500.0])
