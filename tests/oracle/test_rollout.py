"""Let go from rest: the engine's own time steps against our forward dynamics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from oracle.descriptions import CASES, assembled
from parapick.errors import ParameterError, ShapeError
from parapick.model import Model
from parapick.multibody import inverse_dynamics, rollout

DURATION = 0.15
AWAY_MAX = 1e-6
"""Largest distance of the two motions after 0.15 s (m; yaw counts with the plate's own length)."""


def integrated(acceleration: Callable[..., np.ndarray], x: np.ndarray, steps: int) -> np.ndarray:
    """Where a second-order system is after the duration, from rest, by classical Runge-Kutta."""
    h, v = DURATION / steps, np.zeros_like(x)
    for _ in range(steps):
        k1 = acceleration(x, v)
        k2 = acceleration(x + h / 2 * v, v + h / 2 * k1)
        k3 = acceleration(x + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2)
        k4 = acceleration(x + h * v + h * h / 2 * k2, v + h * k3)
        x, v = x + h * v + h * h / 6 * (k1 + k2 + k3), v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


@pytest.mark.parametrize("name", CASES)
def test_fall_from_rest_agrees(name: str) -> None:
    case = CASES[name]
    model, start = Model(case.robot), case.poses(1, 3)[0]
    push = np.array([2.0, -1.0, 1.0, 3.0])[: len(start)]
    torque = model.inverse_dynamics(start, np.zeros_like(start), push)
    end = integrated(lambda x, v: model.forward_dynamics(x, v, torque), start, 150)
    record = rollout(assembled(name), start, torque, DURATION, 2e-4)
    scale = np.array([1.0, 1.0, 1.0, case.robot.plate.yaw_length])[: len(start)]
    assert np.max(np.abs(end - start)) > 0.01
    assert np.max(np.abs(scale * (record.x[-1] - end))) < AWAY_MAX
    np.testing.assert_allclose(model.inverse_kinematics(record.x[-1]), record.q[-1], rtol=0, atol=1e-4)
    assert record.loop_error < AWAY_MAX


def test_torque_may_be_constant_a_series_or_a_function() -> None:
    here, start = assembled("delta-3"), np.array([0.05, 0.0, -0.7])
    hold = inverse_dynamics(here, start, np.zeros(3), np.zeros(3)).tau
    constant = rollout(here, start, hold, 0.01)
    np.testing.assert_allclose(constant.x, np.broadcast_to(start, constant.x.shape), atol=1e-9)
    assert constant.t[-1] == pytest.approx(0.01)
    ramp = hold + np.linspace(0.0, 5.0, 100)[:, None]
    series = rollout(here, start, ramp, 0.01)
    function = rollout(here, start, lambda t: hold + 5.0 * round(t / 1e-4) / 99, 0.01)
    np.testing.assert_allclose(series.x, function.x, rtol=0, atol=1e-12)
    assert np.max(np.abs(series.x[-1] - start)) > 1e-4


def test_torque_beyond_the_drive_is_cut_off() -> None:
    here, start = assembled("delta-3"), np.array([0.0, 0.0, -0.7])
    strong, limit = (rollout(here, start, np.full(3, value), 0.01).x for value in (500.0, 90.0))
    np.testing.assert_array_equal(strong, limit)


def test_wrong_torque_or_time_is_refused() -> None:
    here, start = assembled("delta-3"), [0.0, 0.0, -0.7]
    with pytest.raises(ShapeError, match=r"torque has shape \(4,\)"):
        rollout(here, start, np.zeros(4), 0.01)
    with pytest.raises(ParameterError, match="torque: holds a number that is not finite"):
        rollout(here, start, [0.0, np.nan, 0.0], 0.01)
    with pytest.raises(ParameterError, match="duration"):
        rollout(here, start, np.zeros(3), -1.0)
    with pytest.raises(ParameterError, match="timestep"):
        rollout(here, start, np.zeros(3), 0.01, 1e-3)
