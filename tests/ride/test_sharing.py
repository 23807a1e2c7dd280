"""Sharing along a motion, preload, and power over a series."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError, ShapeError
from parapick.motors.power import power_of
from parapick.ride.sharing import least_peak_along, null_space, preloaded

SAMPLES = 101


def motion(model: pp.Model) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A quintic along x over 0.3 m in 0.06 s: time, poses, rates, accelerations."""
    t = np.linspace(0, 0.06, SAMPLES)
    s = t / t[-1]
    stroke, start = np.array([0.3, 0.1, 0.0]), np.array([-0.15, -0.05, -0.7])
    place = 10 * s**3 - 15 * s**4 + 6 * s**5
    rate = (30 * s**2 - 60 * s**3 + 30 * s**4) / t[-1]
    acceleration = (60 * s - 180 * s**2 + 120 * s**3) / t[-1] ** 2
    return t, start + np.outer(place, stroke), np.outer(rate, stroke), np.outer(acceleration, stroke)


@pytest.mark.parametrize("name", ["delta-r4", "delta-r6"])
def test_without_a_bound_the_peak_is_that_of_the_worst_sample(name: str) -> None:
    model = pp.load(name)
    t, x, xd, xdd = motion(model)
    jacobian, plain = model.inverse_jacobian(x), model.inverse_dynamics(x, xd, xdd)
    force = np.einsum("tij,ti->tj", jacobian, plain)
    alone = model.inverse_dynamics(x, xd, xdd, sharing="least-peak")
    together = least_peak_along(jacobian, force, t)
    np.testing.assert_allclose(np.einsum("tij,ti->tj", jacobian, together), force, atol=1e-8 * np.max(np.abs(force)))
    assert np.max(np.abs(together)) == pytest.approx(np.max(np.abs(alone)), rel=1e-7)
    assert np.max(np.abs(together)) < 0.99 * np.max(np.abs(plain))


def test_a_rate_bound_costs_peak_and_holds() -> None:
    model = pp.load("delta-r4")
    t, x, xd, xdd = motion(model)
    jacobian, plain = model.inverse_jacobian(x), model.inverse_dynamics(x, xd, xdd)
    force = np.einsum("tij,ti->tj", jacobian, plain)
    rates = lambda tau: np.max(np.abs(np.diff(tau, axis=0) / np.diff(t)[:, None]))  # noqa: E731
    free = least_peak_along(jacobian, force, t)
    bound = 1.001 * rates(plain)
    slow = least_peak_along(jacobian, force, t, rate_max=bound)
    assert rates(slow) <= bound * (1 + 1e-7)
    assert np.max(np.abs(free)) <= np.max(np.abs(slow)) * (1 + 1e-7) <= np.max(np.abs(plain)) * (1 + 2e-7)
    with pytest.raises(ParameterError, match="rate_max"):
        least_peak_along(jacobian, force, t, rate_max=1.0)


@pytest.mark.parametrize("name", ["delta-r4", "delta-r6"])
def test_preload_moves_nothing(name: str) -> None:
    model = pp.load(name)
    t, x, xd, xdd = motion(model)
    del t
    jacobian, plain = model.inverse_jacobian(x), model.inverse_dynamics(x, xd, xdd)
    free = model.robot.motors - model.robot.dof
    assert null_space(jacobian).shape == (SAMPLES, model.robot.motors, free)
    tight = preloaded(plain, jacobian, np.full(free, 5.0))
    assert np.all(np.linalg.norm(tight - plain, axis=-1) == pytest.approx(5.0 * np.sqrt(free)))
    np.testing.assert_allclose(model.forward_dynamics(x, xd, tight), xdd, atol=1e-7 * np.max(np.abs(xdd)))
    with pytest.raises(ShapeError, match="internal"):
        preloaded(plain, jacobian, np.ones(free + 1))


def test_power_is_the_rate_of_energy() -> None:
    model = pp.load("delta-nr")
    t, x, xd, xdd = motion(model)
    load = model.drive_torque(x, xd, xdd)
    power = power_of(t, load.torque, load.speed)
    energy = np.sum(model.energy(x, xd), axis=0)
    work = power.drawn - power.returned
    assert work == pytest.approx(energy[-1] - energy[0], abs=2e-2 * power.drawn)
    assert power.drawn > 10 * abs(work)
    np.testing.assert_allclose(power.peak_torque, np.max(np.abs(load.torque), axis=0))
    assert np.all(power.rms_torque < power.peak_torque)
    with pytest.raises(ShapeError):
        power_of(t, load.torque[1:], load.speed)
