"""Plate speeds, checked by joint rates and by a half-space intersection; the speed of spara."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import HalfspaceIntersection

import parapick as pp
from capability.shared import directions, task
from parapick import capability as cap
from poses import workspace_poses

ROBOTS = ("delta-nr", "r4-100g", "delta-r6", "par4", "delta-4")


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_along_a_direction_a_motor_reaches_its_speed(name: str, yaw: float) -> None:
    model = pp.load(name)
    yaw = 0.0 if model.robot.dof == 3 else yaw
    x, unit = workspace_poses(model, 20), directions(20)
    found = cap.speed_along(model, x, unit, speed=12.0, yaw=yaw)
    rates = np.abs(model.joint_rates(x, task(model, found[:, None] * unit, yaw)))
    if name == "delta-4":
        rates[:, -1] *= 5.0  # the gear of the telescope
    np.testing.assert_allclose(rates.max(axis=-1), 12.0, rtol=1e-10)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("yaw", [0.0, 1.0])
def test_any_and_best_are_those_of_the_polytope(name: str, yaw: float) -> None:
    model = pp.load(name)
    yaw = 0.0 if model.robot.dof == 3 else yaw
    for pose in workspace_poses(model, 5):
        jacobian = model.inverse_jacobian(pose)[: model.robot.arms]
        turning = jacobian[:, 3] * yaw if model.robot.dof == 4 else np.zeros(len(jacobian))
        rows, right = np.vstack([jacobian[:, :3], -jacobian[:, :3]]), np.concatenate([10 - turning, 10 + turning])
        corners = HalfspaceIntersection(np.column_stack([rows, -right]), np.zeros(3)).intersections
        found = cap.speed(model, pose, speed=10.0, yaw=yaw)
        assert found.any == pytest.approx((right / np.linalg.norm(rows, axis=1)).min(), rel=1e-12)
        assert found.best == pytest.approx(np.linalg.norm(corners, axis=1).max(), rel=1e-9)
        assert found.ratio == pytest.approx(found.best / found.any, rel=1e-14)


def test_spara_needs_8_08_rad_per_s_for_3_5_m_per_s() -> None:
    """spara, recomputed: the worst direction and pose of its box; 10 rad/s give 4.33 m/s everywhere."""
    model = pp.load("spara3")
    axes = np.linspace(0.55, 1.05, 41), np.linspace(-0.5, 0.5, 61), np.linspace(0, 0.3, 25)
    box = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    slowest = cap.speed(model, box, speed=1.0).any.min()
    assert 3.5 / slowest == pytest.approx(8.08, abs=0.005)
    assert 10 * slowest == pytest.approx(4.33, abs=0.005)


def test_the_speed_of_the_file_is_that_of_the_motor() -> None:
    model = pp.load("fivebar-spindle")
    x = workspace_poses(model, 3)
    limits = [500.0] * 4
    np.testing.assert_array_equal(cap.speed(model, x).any, cap.speed(model, x, speed=limits).any)


def test_a_yaw_rate_beyond_the_motor_leaves_nothing() -> None:
    model = pp.load("delta-4")
    found = cap.speed(model, model.robot.home, speed=12.0, yaw=3.0)
    assert found.any < 0
    assert np.isnan(found.best)
    assert np.isnan(cap.speed_along(model, model.robot.home, [1.0, 0.0, 0.0], speed=12.0, yaw=3.0))


def test_wrong_input_is_refused() -> None:
    model = pp.load("par4")
    with pytest.raises(
        pp.errors.ParameterError, match=r"drive\.peak_speed: the file of par4 does not state it; .* speed="
    ):
        cap.speed(model, model.robot.home)
    with pytest.raises(pp.errors.ParameterError, match=r"^drive\.peak_speed"):
        cap.speed(pp.load("delta-4"), [0, 0, -0.7, 0])
    with pytest.raises(pp.errors.ParameterError, match="speed: of motor 1 is 0 rad/s"):
        cap.speed(model, model.robot.home, speed=0.0)
    with pytest.raises(pp.errors.ParameterError, match="yaw: delta-r4 has no yaw"):
        cap.speed(pp.load("delta-r4"), [0, 0, -0.7], speed=1.0, yaw=1.0)
    assert np.isnan(cap.speed(model, [2.0, 0, -0.7, 0], speed=1.0).best)
