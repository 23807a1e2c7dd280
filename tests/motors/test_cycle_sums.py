"""Sums over a cycle by hand: mean torque of gearboxes, loss in copper, temperature of windings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.integrate import solve_ivp

import parapick as pp
from parapick.formulas import motor_heat
from parapick.mechanism import Drive, Friction, Gearbox, TorqueCurve, Winding
from parapick.motors import (
    DriveCycle,
    Motors,
    copper_loss,
    cycle_kinds,
    mean_output,
    passed_torque,
    periodic,
    states_sums,
)
from parapick.ride import Ride

RATED, HOTTEST, AROUND = 2.0, 130.0, 30.0


def motors_with(**changes: Any) -> Motors:
    """Motors of par4 with another drive."""
    return Motors.of(replace(pp.load("par4").robot, drive=Drive(**changes)))


def wound(thermal_time: float | None) -> Motors:
    winding = Winding(thermal_time=thermal_time, temperature_max=HOTTEST, ambient=AROUND)
    return motors_with(rated_torque=RATED, winding=winding)


def cycle_of(motors: Motors, t: np.ndarray, torque: np.ndarray) -> DriveCycle:
    """Motors at rest that all give the same torque (T,)."""
    all_alike = np.repeat(torque[:, None], motors.count, axis=1)
    return DriveCycle(motors, t, all_alike, np.zeros_like(all_alike), lambda: all_alike)


def test_the_mean_of_two_levels_of_a_gearbox() -> None:
    """10 N m at 2 rad/s for 1 s, -20 N m at -4 rad/s for 0.5 s: (2 1000 + 2 8000) / 4, to the power of a third."""
    t = np.array([0.0, 1.0, 1.0, 1.5])
    output, speed = np.array([[10.0], [10.0], [-20.0], [-20.0]]), np.array([[2.0], [2.0], [-4.0], [-4.0]])
    assert mean_output(t, output, speed) == pytest.approx([4500.0 ** (1 / 3)], rel=1e-14)
    # The mean is that of torques while it turns: the side of the gearbox whose speed is taken does not matter.
    assert mean_output(t, output, 28.0 * speed) == pytest.approx([4500.0 ** (1 / 3)], rel=1e-14)


def test_a_gearbox_that_does_not_turn_has_no_mean() -> None:
    assert mean_output(np.array([0.0, 1.0]), np.full((2, 3), 5.0), np.zeros((2, 3))).tolist() == [0.0, 0.0, 0.0]


def test_what_a_gearbox_passes_is_what_the_joint_takes() -> None:
    """From the torques of the shafts, with losses and friction on both sides, against the formulas of the joints."""
    robot = pp.load("par4").robot
    drive = replace(
        robot.drive,
        efficiency=0.8,
        ratio=3.0,
        inertia=2e-3,
        friction=Friction(coulomb=0.7, viscous=0.1),
        gearbox=Gearbox(mean_torque=30.0, static_friction=0.3, viscous_friction=0.02),
    )
    model = pp.Model(replace(robot, drive=drive))
    ride = Ride.along(model, pp.adept_cycle(model, cycles_per_minute=120), 1000.0)
    samples = ride.samples
    acceleration = model.joint_accelerations(samples.x, samples.xd, samples.xdd)
    passed = passed_torque(model.motors, ride.loads.torque, ride.joint_speed, acceleration)
    # Within rounding of a reversal the side of the losses is not decided.
    moving = np.abs(ride.joint_speed) > 1e-6
    np.testing.assert_allclose(passed[moving], ride.cycle.outputs()[moving], rtol=1e-9, atol=1e-9)


def test_copper_takes_three_halves_of_resistance_and_squared_current() -> None:
    motors = motors_with(winding=Winding(resistance=1.2, torque_constant=0.8))
    np.testing.assert_allclose(copper_loss(motors, np.full((1, 4), 4.0)), 1.5 * 1.2 * 5.0**2, rtol=1e-14)
    assert not copper_loss(motors_with(winding=Winding(resistance=1.2)), np.ones((1, 4))).any()


@pytest.mark.parametrize("thermal_time", [None, 1e-3, 0.4, 500.0])
def test_a_constant_torque_heats_to_its_square(thermal_time: float | None) -> None:
    cycle = cycle_of(wound(thermal_time), np.linspace(0.0, 2.0, 7), np.full(7, 1.5))
    expected = AROUND + (1.5 / RATED) ** 2 * (HOTTEST - AROUND)
    np.testing.assert_allclose(cycle.temperature, expected, rtol=1e-12)
    assert cycle.heat_torque == pytest.approx([1.5] * 4, rel=1e-14)


def test_the_continuous_torque_heats_to_the_limit() -> None:
    (heat, winding) = cycle_of(wound(3.0), np.linspace(0.0, 1.0, 5), np.full(5, RATED)).loads
    assert heat.shares == pytest.approx([1.0] * 4, rel=1e-14)
    assert winding.shares == pytest.approx([1.0] * 4, rel=1e-12)


@pytest.mark.parametrize(("on", "off"), [(0.3, 0.7), (2.0, 0.1)])
def test_a_square_wave_heats_to_its_periodic_peak(on: float, off: float) -> None:
    """On for a, off for b time constants: the peak is `(1 - e^-a) / (1 - e^-(a + b))` of the steady rise."""
    constant, steps = 0.8, 40
    t = np.concatenate([np.linspace(0.0, on, steps), np.linspace(on, on + off, steps)])
    torque = np.repeat([RATED, 0.0], steps)
    temperature = cycle_of(wound(constant), t, torque).temperature[:, 0]
    a, b = on / constant, off / constant
    peak = (1.0 - np.exp(-a)) / (1.0 - np.exp(-a - b))
    assert temperature.max() == pytest.approx(AROUND + peak * (HOTTEST - AROUND), rel=1e-12)
    assert temperature[0] == pytest.approx(AROUND + peak * np.exp(-b) * (HOTTEST - AROUND), rel=1e-12)
    assert temperature[-1] == pytest.approx(temperature[0], rel=1e-12)


def test_a_straight_rise_is_followed_as_by_an_integrator() -> None:
    t, u, constant = np.array([0.0, 0.7, 1.0]), np.array([0.0, 3.0, 0.0]), 0.35
    followed = periodic(t, u, constant)
    solution = solve_ivp(
        lambda s, y: (np.interp(s, t, u) - y) / constant,
        (0.0, 1.0),
        [followed[0]],
        t_eval=t,
        rtol=1e-11,
        atol=1e-12,
        max_step=0.01,
    )
    np.testing.assert_allclose(followed, solution.y[0], rtol=1e-8)


def test_a_quick_follower_is_there_and_a_slow_one_has_the_mean() -> None:
    t = np.linspace(0.0, 1.0, 2001)
    u = 1.0 + np.sin(2 * np.pi * t)
    # Thousands of time constants a cycle, and a step of several: the exponentials of all of them have no number.
    np.testing.assert_allclose(periodic(t, u, 1e-4), u, atol=1e-3)
    np.testing.assert_allclose(periodic(t[::200], u[::200], 1e-4), u[::200], atol=1e-2)
    np.testing.assert_allclose(periodic(t, u, 1e5), 1.0, atol=1e-5)
    np.testing.assert_allclose(periodic(t, u, None), 1.0, rtol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0.0, 4.0), min_size=3, max_size=12), st.floats(-3.0, 3.0))
def test_a_follower_closes_its_cycle_and_stays_between_its_extremes(values: list[float], exponent: float) -> None:
    t = np.linspace(0.0, 1.0, len(values))
    followed = periodic(t, np.array(values), 10.0**exponent)
    assert followed[0] == pytest.approx(followed[-1], abs=1e-9)
    assert min(values) - 1e-9 <= followed.min()
    assert followed.max() <= max(values) + 1e-9


def test_formulas_heat_as_arrays_do() -> None:
    """Stall to rated line on the arms' drives, a stated curve in its place: on random torques and speeds."""
    random = np.random.default_rng(5)
    torque, speed = random.uniform(-8, 8, (50, 4)), random.uniform(-900, 900, (50, 4))
    lines: tuple[dict[str, Any], ...] = (
        {"stall_torque": 6.0, "rated_torque": 3.0, "rated_speed": 400.0},
        {"curve": TorqueCurve(continuous=((100.0, 5.0), (200.0, 5.0), (400.0, 1.0)))},
        {"rated_torque": 3.0},
    )
    for changes in lines:
        robot = replace(pp.load("par4").robot, drive=Drive(**changes))
        tau, omega = ca.SX.sym("tau", 4), ca.SX.sym("omega", 4)
        formula = ca.Function("heat", [tau, omega], [motor_heat(robot, tau, omega)])
        expected = np.array([np.array(formula(*row)).ravel() for row in zip(torque, speed, strict=True)])
        np.testing.assert_allclose(Motors.of(robot).heat(torque, speed), expected, rtol=1e-12, atol=1e-12)


def test_what_a_file_states_counts_and_a_rated_torque_alone_is_no_sum() -> None:
    flat = motors_with(rated_torque=RATED)
    assert [kind.key for kind in cycle_kinds(flat)] == ["heat"]
    assert not states_sums(flat)
    hot = wound(None)
    assert [kind.key for kind in cycle_kinds(hot)] == ["heat", "winding"]
    # The limit of a winding is that at its continuous torque: without one nothing follows from it.
    unrated = motors_with(winding=Winding(temperature_max=HOTTEST))
    assert cycle_kinds(unrated) == ()
    assert states_sums(unrated)
    assert np.isnan(cycle_of(unrated, np.array([0.0, 1.0]), np.ones(2)).temperature).all()
