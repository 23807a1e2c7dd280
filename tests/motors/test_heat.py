"""What heats a motor: its torque, and its speed where the file states continuous torques over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Drive, TorqueCurve
from parapick.motors import Motors
from parapick.ride import Ride
from stated import stating

STALL, RATED, SPEED = 6.0, 3.0, 600.0


def motors_with(**changes: Any) -> Motors:
    """Motors of par4 with another drive."""
    return Motors.of(replace(pp.load("par4").robot, drive=Drive(**changes)))


FALLING = motors_with(stall_torque=STALL, rated_torque=RATED, rated_speed=SPEED)


def all_alike(value: float) -> np.ndarray:
    """The same for every motor of one state (1, n)."""
    return np.full((1, FALLING.count), value)


def test_without_a_curve_heat_is_the_square_of_the_torque() -> None:
    flat = motors_with(rated_torque=RATED)
    torque = np.array([[1.0, -2.0, 3.0, 0.0]])
    np.testing.assert_array_equal(flat.heat(torque, 100.0 * torque), torque**2)
    np.testing.assert_array_equal(flat.continuous_torque, RATED)
    assert flat.continuous_curves == (None,) * 4


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
def test_a_motor_at_its_continuous_torque_is_as_hot_at_every_speed(share: float) -> None:
    continuous = STALL + share * (RATED - STALL)
    heat = FALLING.heat(all_alike(-continuous), all_alike(-share * SPEED))
    np.testing.assert_allclose(heat, STALL**2, rtol=1e-14)
    np.testing.assert_array_equal(FALLING.continuous_torque, STALL)


def test_turning_alone_heats_and_beyond_the_last_point_the_line_goes_on_to_nothing() -> None:
    heat = [float(FALLING.heat(all_alike(0.0), all_alike(speed))[0, 0]) for speed in (0.0, 300.0, 900.0, 1200.0, 5e3)]
    # The line has 4.5 N m at half of the rated speed, 1.5 N m at one and a half of it, and nothing from twice on.
    np.testing.assert_allclose(heat, [0.0, 36 - 4.5**2, 36 - 1.5**2, 36.0, 36.0], rtol=1e-14, atol=1e-12)


def test_a_stated_curve_takes_the_place_of_the_line_and_need_not_begin_at_rest() -> None:
    points = ((100.0, 5.0), (200.0, 5.0), (400.0, 1.0))
    curved = motors_with(rated_torque=1.0, curve=TorqueCurve(continuous=points))
    heat = [float(curved.heat(all_alike(0.0), all_alike(speed))[0, 0]) for speed in (50.0, 200.0, 300.0, 425.0)]
    np.testing.assert_allclose(heat, [0.0, 0.0, 25 - 9, 25 - 0.5**2], rtol=1e-14, atol=1e-12)
    np.testing.assert_array_equal(curved.continuous_torque, 5.0)
    np.testing.assert_array_equal(curved.rated_torque, 1.0)


def test_stall_torque_needs_the_other_end_of_its_line() -> None:
    assert motors_with(stall_torque=STALL, rated_torque=RATED).continuous_curves == (None,) * 4


def test_a_ride_is_as_hot_as_its_torque_and_its_speed_together() -> None:
    plain = pp.load("par4")
    cycle = pp.adept_cycle(plain, cycles_per_minute=120)
    turning = stating("par4", stall_torque=60.0, rated_torque=30.0, rated_speed=8.0)
    ride, cool = (Ride.along(model, cycle, 2000.0) for model in (turning, plain))
    np.testing.assert_allclose(cool.heat_torque, cool.rms_torque, rtol=1e-13)
    # The line is 60 - 3.75 w: what it loses to its start, squared, by hand from the speeds of the joints.
    lost = 60.0**2 - (60.0 - 3.75 * np.abs(ride.joint_speed)) ** 2
    expected = np.sqrt(cool.rms_torque**2 + np.trapezoid(lost, ride.samples.t, axis=0) / cycle.duration)
    np.testing.assert_allclose(ride.heat_torque, expected, rtol=1e-12)
    assert (ride.heat_torque > 1.05 * cool.rms_torque).all()
