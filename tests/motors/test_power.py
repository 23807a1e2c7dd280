"""Power and energy of motors over a series, against integrals done by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.errors import ShapeError
from parapick.motors import power_of

INSTANTS = np.linspace(0.0, 2.0, 2001)


def test_a_motor_that_accelerates_an_inertia_stores_its_energy() -> None:
    """J = 0.5 kg m2 at 3 rad/s2 from rest: the energy drawn is `J omega^2 / 2` at the end."""
    speed = 3.0 * INSTANTS
    power = power_of(INSTANTS, np.full((2001, 1), 1.5), speed[:, None])
    assert power.drawn == pytest.approx(0.5 * 0.5 * 6.0**2, rel=1e-12)
    assert power.returned == 0.0
    assert power.rms_torque == pytest.approx([1.5])
    assert power.peak_speed == pytest.approx([6.0])


def test_what_is_drawn_and_what_is_returned_of_an_oscillation_are_equal() -> None:
    """Torque `cos` and speed `sin` of 1 Hz: power is `sin(2 w t) / 2`, whose half waves have an area of `1 / (2 w)`."""
    turn = 2.0 * math.pi * INSTANTS
    power = power_of(INSTANTS, np.cos(turn)[:, None], np.sin(turn)[:, None])
    area = 4 / (2 * 2.0 * math.pi)
    assert power.drawn == pytest.approx(area, rel=1e-4)
    assert power.returned == pytest.approx(area, rel=1e-4)
    assert power.rms_torque == pytest.approx([math.sqrt(0.5)], rel=1e-3)
    assert power.peak_torque == pytest.approx([1.0])


def test_a_motor_that_brakes_feeds_the_others() -> None:
    """One motor drives with 10 W while the other brakes with 4 W: the bus gives 6 W."""
    torque, speed = np.full((2001, 2), 2.0), np.tile([5.0, -2.0], (2001, 1))
    power = power_of(INSTANTS, torque, speed)
    np.testing.assert_allclose(power.motors[0], [10.0, -4.0])
    np.testing.assert_allclose(power.bus, 6.0)
    assert power.drawn == pytest.approx(12.0)
    assert power.returned == 0.0
    np.testing.assert_allclose(power.peak_speed, [5.0, 2.0])


@given(st.lists(st.floats(-5.0, 5.0), min_size=8, max_size=8), st.floats(0.1, 10.0))
def test_energy_scales_with_torque_and_rms_with_its_size(entries: list[float], factor: float) -> None:
    torque, speed = np.array(entries[:4])[:, None], np.array(entries[4:])[:, None]
    time = [0.0, 0.1, 0.3, 0.4]
    once, scaled = power_of(time, torque, speed), power_of(time, factor * torque, speed)
    assert scaled.drawn == pytest.approx(factor * once.drawn, abs=1e-9)
    assert scaled.returned == pytest.approx(factor * once.returned, abs=1e-9)
    np.testing.assert_allclose(scaled.rms_torque, factor * once.rms_torque, atol=1e-9)
    assert np.all(once.rms_torque <= once.peak_torque + 1e-12)


@pytest.mark.parametrize(
    ("time", "torque", "speed"),
    [
        ([0.0], [[1.0]], [[1.0]]),
        ([0.0, 1.0], [[1.0], [1.0]], [[1.0, 1.0], [1.0, 1.0]]),
        ([0.0, 1.0, 2.0], [[1.0], [1.0]], [[1.0], [1.0]]),
        ([[0.0, 1.0]], [[1.0], [1.0]], [[1.0], [1.0]]),
    ],
)
def test_series_that_do_not_belong_together_are_refused(time: object, torque: object, speed: object) -> None:
    with pytest.raises(ShapeError, match="torque"):
        power_of(time, torque, speed)  # pyright: ignore[reportArgumentType]


def test_instants_that_do_not_grow_are_refused() -> None:
    with pytest.raises(ShapeError, match="growing"):
        power_of([0.0, 1.0, 1.0], np.ones((3, 1)), np.ones((3, 1)))
