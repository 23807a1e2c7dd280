"""Sine tests on the simulated loop: what amplitude and dry friction do to them, and when there is no answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from parapick.analysis import sampled_loop, sine_test
from parapick.control import PD, Controller, JointFriction, PlantChanges
from parapick.errors import ParameterError
from simulation.cases import cycle, delta

SERVO = Controller(PD(4000.0, 50.0), rate=2000.0)
STICKING = replace(SERVO, plant=PlantChanges(friction=JointFriction(coulomb=20.0, viscous=0.4)))
PLACE = cycle().start


def test_a_linear_loop_answers_in_proportion() -> None:
    small, large = (sine_test(delta(), PLACE, SERVO, [40.0], amplitude=one) for one in (0.01, 0.1))
    assert large == pytest.approx(small, rel=1e-3, abs=1e-3 * np.abs(small).max())
    expected = sampled_loop(delta(), PLACE, SERVO).response([40.0])[:, :, 0]
    assert small == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())


def test_dry_friction_is_left_out_unless_it_is_asked_for() -> None:
    """Without it the viscous part stays and the loop is linear; with it a joint that sticks is stiffer."""
    smooth = sine_test(delta(), PLACE, STICKING, [10.0], joint=2, amplitude=0.2)
    expected = sampled_loop(delta(), PLACE, STICKING).response([10.0])[:, :, 1]
    assert smooth == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())
    stuck = sine_test(delta(), PLACE, STICKING, [10.0], joint=2, amplitude=0.2, dry_friction=True)
    assert np.abs(stuck).max() < 0.6 * np.abs(smooth).max()


def test_a_limited_drive_is_asked_for_a_fifth_of_what_it_has() -> None:
    """The response of a linear loop depends on it only by rounding, so that the limit shows where it is reached."""
    limited = replace(SERVO, torque_max=20.0)
    usual = sine_test(delta(), PLACE, limited, [40.0])
    fifth = sine_test(delta(), PLACE, limited, [40.0], amplitude=4.0)
    assert usual == pytest.approx(fifth)
    beyond = sine_test(delta(), PLACE, limited, [40.0], amplitude=400.0)
    assert np.abs(beyond - usual).max() > 0.1 * np.abs(usual).max()


def test_a_loop_that_diverges_has_no_response() -> None:
    wild = replace(SERVO, law=PD(4e6, 5e5), rate=500.0, torque_max=None)
    with pytest.raises(ParameterError, match="controller: has no response at 20 Hz"):
        sine_test(delta(), PLACE, wild, [20.0])


@pytest.mark.parametrize("amplitude", [-1.0, 0.0, np.inf, np.nan])
def test_an_amplitude_must_be_finite_and_above_zero(amplitude: float) -> None:
    with pytest.raises(ParameterError, match=r"amplitude: is .* it must be finite and greater than 0"):
        sine_test(delta(), PLACE, SERVO, [20.0], amplitude=amplitude)
