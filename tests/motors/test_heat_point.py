"""The point of a motion in the diagram of its motor: below the continuous torque where the motor is not too hot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Drive, TorqueCurve
from parapick.motors import Motors, heat_speeds, steady_limits, to_nothing

CURVES = {
    "line": ((0.0, 6.0), (600.0, 3.0)),
    "level, then falling": ((0.0, 5.0), (200.0, 5.0), (400.0, 1.0)),
    "from a speed on": ((100.0, 5.0), (300.0, 2.0)),
    "down to nothing": ((0.0, 5.0), (300.0, 0.0)),
    "level at the end": ((0.0, 5.0), (100.0, 2.0), (200.0, 2.0)),
}


def motors_of(points: tuple[tuple[float, float], ...]) -> Motors:
    """Motors of par4 with a continuous curve."""
    return Motors.of(replace(pp.load("par4").robot, drive=Drive(curve=TorqueCurve(continuous=points))))


def torque_at(points: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Torque of a curve that goes on along its last line, by hand."""
    (start, first), (end, last) = points[-2:]
    beyond = np.maximum(last + (speed - end) * (last - first) / (end - start), 0.0)
    return np.where(speed > end, beyond, np.interp(speed, *points.T))


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("fastest", [90.0, 250.0, 700.0])
def test_the_point_is_as_far_below_the_curve_as_the_heat_is_below_its_limit(name: str, fastest: float) -> None:
    motors, points = motors_of(CURVES[name]), np.array(CURVES[name])
    phase = np.linspace(0.0, np.pi, 4001)[:, None] * np.ones(4)
    speed, torque = fastest * np.sin(phase), 2.0 * np.cos(3 * phase)
    rms = np.sqrt(np.mean(torque**2, axis=0))
    heat = np.sqrt(np.mean(motors.heat(torque, speed), axis=0))
    mean = np.mean(np.abs(speed), axis=0)
    at = heat_speeds(motors, mean, heat, rms)
    squares = np.mean(torque_at(points, speed) ** 2, axis=0)
    np.testing.assert_allclose(torque_at(points, at) ** 2, squares, rtol=1e-7, atol=1e-9)
    assert np.all((at >= 0.0) & (at <= 1.01 * fastest))
    # Both say the same of a motor that is too hot.
    assert np.array_equal(rms > torque_at(points, at), heat > motors.continuous_torque)


def test_where_the_speed_does_not_matter_it_is_the_mean() -> None:
    flat = Motors.of(replace(pp.load("par4").robot, drive=Drive(rated_torque=3.0)))
    level = motors_of(CURVES["level, then falling"])
    mean, rms = np.array([10.0, 50.0, 120.0, 199.0]), np.full(4, 2.0)
    for motors in (flat, level):
        np.testing.assert_allclose(heat_speeds(motors, mean, rms, rms), mean, rtol=1e-6)


def test_a_curve_goes_on_to_nothing_where_its_last_line_falls() -> None:
    ends = {name: to_nothing(np.array(points)) for name, points in CURVES.items()}
    assert ends["line"].tolist() == [[0.0, 6.0], [600.0, 3.0], [1200.0, 0.0]]
    assert ends["from a speed on"][0].tolist() == [0.0, 5.0]
    assert ends["from a speed on"][-1] == pytest.approx([300.0 + 2.0 * 200.0 / 3.0, 0.0])
    assert ends["down to nothing"].tolist() == [[0.0, 5.0], [300.0, 0.0]]
    assert ends["level at the end"].tolist() == [[0.0, 5.0], [100.0, 2.0], [200.0, 2.0]]


def test_figures_name_a_torque_that_holds_at_all_speeds_and_one_that_does_not() -> None:
    flat = Motors.of(replace(pp.load("par4").robot, drive=Drive(rated_torque=3.0)))
    falling = Motors.of(
        replace(pp.load("par4").robot, drive=Drive(stall_torque=6.0, rated_torque=3.0, rated_speed=600.0))
    )
    assert flat.named(**steady_limits(flat)) == {"rated": 3.0}
    assert falling.named(**steady_limits(falling)) == {"continuous at rest": 6.0}
