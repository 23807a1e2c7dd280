"""Forces and payloads at standstill, checked by the statics and the dynamics of the model."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from capability.shared import directions, limits, share
from parapick import capability as cap
from poses import workspace_poses

POSES = 12


def square_case(name: str) -> tuple[pp.Model, np.ndarray, np.ndarray, np.ndarray]:
    """A square robot with poses, what holds it at rest (POSES, dof) and J_m'^-1."""
    model = pp.load(name)
    x = workspace_poses(model, POSES)
    return model, x, model.bias(x, np.zeros_like(x)), np.linalg.inv(np.swapaxes(model.inverse_jacobian(x), -1, -2))


@pytest.mark.parametrize("name", ["delta-nr", "par4"])
def test_a_motor_is_at_its_limit_at_the_largest_force(name: str) -> None:
    model, x, rest, inverse = square_case(name)
    unit = directions(POSES)
    found = cap.force_along(model, x, unit)
    force = np.zeros_like(x)
    force[:, :3] = found[:, None] * unit
    torque = np.einsum("...ij,...j->...i", inverse, rest + force)
    np.testing.assert_allclose(np.max(np.abs(torque) / limits(model), axis=-1), 1.0, rtol=1e-10)


@pytest.mark.parametrize("name", ["delta-nr", "r4-100g", "par4"])
def test_the_ball_and_the_farthest_point_bound_every_direction(name: str) -> None:
    model = pp.load(name)
    x = workspace_poses(model, POSES)
    found = cap.force(model, x)
    along = cap.force_along(model, x[:, None], directions(4000))
    assert np.all(along.min(axis=1) >= found.min_max * (1 - 1e-12))
    np.testing.assert_allclose(along.min(axis=1), found.min_max, rtol=0.05)
    assert np.all(along.max(axis=1) <= found.max * (1 + 1e-12))
    assert np.all(along.max(axis=1) >= 0.85 * found.max)


@pytest.mark.parametrize("lift", [0.0, 30.0])
@pytest.mark.parametrize("name", ["r4-100g", "par4"])
def test_the_payload_held_or_lifted_takes_all_of_a_motor(name: str, lift: float) -> None:
    model = pp.load(name).with_payload(0.5)
    x = workspace_poses(model, 4)
    zero, up = np.zeros(model.robot.dof), np.eye(model.robot.dof)[2]
    for pose, mass in zip(x, cap.force(model, x, lift=lift).payload, strict=True):
        laden = model.with_payload(0.5 + float(mass))
        assert share(laden, pose, zero, lift * up) == pytest.approx(1.0, rel=1e-9)


def test_without_gravity_any_payload_can_be_held() -> None:
    model = pp.load("delta-nr")
    assert np.isinf(cap.force(model, model.robot.home, gravity=False).payload)


@pytest.mark.parametrize("name", ["delta-nr", "r4-100g", "par4"])
@pytest.mark.parametrize("acceleration", [0.0, 20.0, 100.0])
def test_the_payload_for_an_acceleration_makes_it_the_index(name: str, acceleration: float) -> None:
    model = pp.load(name)
    x = workspace_poses(model, 6)
    for pose, mass in zip(x, cap.payload(model, x, acceleration), strict=True):
        assert mass > 0
        laden = model.with_payload(float(mass))
        assert cap.acceleration_any(laden, pose) == pytest.approx(acceleration, abs=1e-8)


def test_an_acceleration_that_the_empty_robot_lacks_leaves_no_payload() -> None:
    model = pp.load("delta-nr")
    x = workspace_poses(model, 6)
    index = cap.acceleration_any(model, x)
    wanted = float(np.median(index))
    found = cap.payload(model, x, wanted)
    np.testing.assert_array_equal(found > 0, index > wanted)
    np.testing.assert_array_equal(found[index < wanted], 0.0)


def test_nan_where_unreachable() -> None:
    model = pp.load("delta-nr")
    poses = [[0.0, 0.0, -0.7], [2.0, 0.0, -0.7]]
    assert np.isnan(cap.force(model, poses).max).tolist() == [False, True]
    assert np.isnan(cap.payload(model, poses, 10.0)).tolist() == [False, True]
    assert np.isnan(cap.force_along(model, poses, [1.0, 0.0, 0.0])).tolist() == [False, True]


def test_accelerations_downward_are_refused() -> None:
    model = pp.load("delta-nr")
    with pytest.raises(pp.errors.ParameterError, match="lift: is -1 m/s2"):
        cap.force(model, model.robot.home, lift=-1.0)
    with pytest.raises(pp.errors.ParameterError, match="acceleration: is nan m/s2"):
        cap.payload(model, model.robot.home, np.nan)
