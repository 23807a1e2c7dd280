"""Accelerations that the motors allow, checked by inverse dynamics: at the border a motor is at its limit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from capability.shared import STATES, directions, limits, share, task
from parapick import capability as cap
from parapick.mechanism.drive import Friction
from poses import workspace_poses

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

POSES = 12


def states(name: str, seed: int = 0) -> tuple[pp.Model, np.ndarray, np.ndarray]:
    """A robot with poses of its workspace and rates (POSES, dof)."""
    model = pp.load(name)
    x = workspace_poses(model, POSES, seed)
    speed = 0.1 if name == "fivebar-spindle" else 2.0
    return model, x, speed * np.random.default_rng(seed + 1).uniform(-1, 1, x.shape)


def rubbing(model: pp.Model, friction: Friction) -> pp.Model:
    drive = dataclasses.replace(model.robot.drive, friction=friction)
    return dataclasses.replace(model, robot=dataclasses.replace(model.robot, drive=drive))


@pytest.mark.parametrize(("name", "moving"), STATES)
def test_along_a_direction_a_motor_reaches_its_limit(name: str, moving: bool) -> None:
    model, x, xd = states(name)
    yaw = 0.0 if model.robot.dof == 3 else 20.0
    unit = directions(POSES)
    rate = xd if moving else None
    found = cap.acceleration_along(model, x, unit, rate, yaw=yaw)
    assert np.all(found > 0)
    used = share(model, x, xd if moving else np.zeros_like(x), task(model, found[:, None] * unit, yaw))
    np.testing.assert_allclose(used, 1.0, rtol=1e-9)


@pytest.mark.parametrize(("name", "moving"), STATES)
def test_any_direction_has_the_index_and_one_has_no_more(name: str, moving: bool) -> None:
    model, x, xd = states(name, 3)
    rate = xd if moving else None
    found = cap.acceleration(model, x, rate)
    sphere = directions(4000)
    along = cap.acceleration_along(model, x[:, None], sphere, None if rate is None else rate[:, None])
    assert np.all(along.min(axis=1) >= found.min_max * (1 - 1e-12))
    # 4000 directions miss the worst and the best by some per cent at most.
    np.testing.assert_allclose(along.min(axis=1), found.min_max, rtol=0.05)
    assert np.all(along.max(axis=1) <= found.max * (1 + 1e-12))
    assert np.all(along.max(axis=1) >= 0.85 * found.max)
    np.testing.assert_allclose(found.ratio, found.max / found.min_max, rtol=1e-14)
    np.testing.assert_allclose(cap.acceleration_any(model, x, rate), found.min_max, rtol=1e-12)


@pytest.mark.parametrize("name", ["r4-100g", "par4"])
def test_the_centre_is_the_acceleration_without_torque(name: str) -> None:
    model, x, xd = states(name)
    free = model.forward_dynamics(x, xd, np.zeros(model.robot.motors))
    np.testing.assert_allclose(cap.acceleration(model, x, xd).center, free, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "view"),
    [("r4-100g", {}), ("delta-r6", {}), ("delta-4", {}), *(("par4", v) for v in ({}, {"yaw": None}, {"length": 0.1}))],
)
def test_the_set_has_the_same_indices(name: str, view: dict[str, float]) -> None:
    """Vertices are feasible corners, and faces the nearest planes: the indices without the formulas of the kernel."""
    from scipy.spatial import ConvexHull

    model, x, _ = states(name)
    for pose in x[:3]:
        body = cap.acceleration_set(model, pose, **view)
        found = cap.acceleration(model, pose, **view)
        assert np.linalg.norm(body.vertices, axis=1).max() == pytest.approx(float(found.max), rel=1e-9)
        distances = -ConvexHull(body.vertices).equations[:, -1]
        assert distances.min() == pytest.approx(float(found.min_max), rel=1e-9)


@pytest.mark.parametrize("name", ["par4", "fivebar-spindle"])
def test_vertices_of_a_slice_and_of_a_scaled_set_use_the_motors_fully(name: str) -> None:
    model, x, xd = states(name)
    length = 0.1
    for pose, rate in zip(x[:3], xd[:3], strict=True):
        cut = cap.acceleration_set(model, pose, rate, yaw=30.0)
        np.testing.assert_allclose(share(model, pose, rate, task(model, cut.vertices, 30.0)), 1.0, rtol=1e-9)
        whole = cap.acceleration_set(model, pose, rate, length=length).vertices / [1.0, 1.0, 1.0, length]
        torque = np.abs(model.inverse_dynamics(pose, rate, whole)) / limits(model)
        np.testing.assert_allclose(torque, 1.0, rtol=1e-9)
        assert len(whole) == 16


def test_the_shadow_holds_the_slices() -> None:
    model, x, _ = states("par4")
    free = cap.acceleration(model, x, yaw=None)
    for yaw in (-500.0, 0.0, 500.0):
        held = cap.acceleration(model, x, yaw=yaw)
        assert np.all(held.min_max <= free.min_max)
        assert np.all(held.max <= free.max)
    # A yaw acceleration that is out of reach leaves nothing.
    beyond = 1.5 * cap.yaw_acceleration(model, x, gravity=False).reserve.max()
    assert np.all(cap.acceleration(model, x, yaw=10 * beyond).min_max < 0)
    assert np.isnan(cap.acceleration(model, x, yaw=10 * beyond).max).all()


@pytest.mark.parametrize("name", ["par4", "heli4", "delta-4"])
def test_yaw_reserve_uses_a_motor_fully_both_ways(name: str) -> None:
    model, x, xd = states(name)
    found = cap.yaw_acceleration(model, x, xd)
    for amount in (found.positive, -found.negative):
        xdd = np.zeros_like(x)
        xdd[:, 3] = amount
        np.testing.assert_allclose(share(model, x, xd, xdd), 1.0, rtol=1e-9)
    np.testing.assert_array_equal(found.reserve, np.minimum(found.positive, found.negative))


def test_payload_and_gravity_count() -> None:
    model, x, _ = states("delta-r4")
    heavy = cap.acceleration(model.with_payload(1.0), x).min_max
    assert np.all(heavy < cap.acceleration(model, x).min_max)
    still = cap.acceleration(model, x, gravity=False)
    np.testing.assert_array_equal(still.center, 0.0)
    np.testing.assert_allclose(still.min_max, cap.acceleration(model.with_gravity(0.0), x).min_max, rtol=1e-15)
    assert np.all(cap.acceleration(model, x).min_max < still.min_max)


def test_friction_at_speed_is_that_of_the_drives() -> None:
    """With friction the torque of the drive, and not that of the rigid bodies, is at its limit."""
    model, x, xd = states("par4")
    model = rubbing(model, Friction(coulomb=4.0, viscous=0.3, stribeck=2.0, stribeck_speed=0.5))
    unit = directions(POSES)
    found = cap.acceleration_along(model, x, unit, xd)
    load = model.drive_torque(x, xd, task(model, found[:, None] * unit))
    np.testing.assert_allclose(np.max(np.abs(load.torque), axis=-1), 90.0, rtol=1e-9)
    without = cap.acceleration_along(model, x, unit, xd, friction=False)
    assert np.all(without != found)
    np.testing.assert_allclose(without, cap.acceleration_along(pp.load("par4"), x, unit, xd), rtol=1e-14)


def test_dry_friction_at_rest_helps_neither_side() -> None:
    plain, x, _ = states("delta-r4")
    model = rubbing(plain, Friction(coulomb=4.0, viscous=0.3, stribeck=2.0, stribeck_speed=0.5))
    found = cap.acceleration(model, x)
    np.testing.assert_allclose(found.min_max, cap.acceleration(plain, x, torque=84.0).min_max, rtol=1e-14)
    np.testing.assert_allclose(cap.acceleration(model, x, friction=False).max, cap.acceleration(plain, x).max, rtol=0)
    # So it is for joints that stand still while the plate is said to move.
    np.testing.assert_allclose(cap.acceleration(model, x, np.zeros_like(x)).max, found.max, rtol=1e-12)


def test_torques_are_those_of_the_motor_side() -> None:
    model, x, _ = states("fivebar-spindle")
    peak = cap.acceleration(model, x).max
    np.testing.assert_allclose(cap.acceleration(model, x, torque=[1.4, 1.4, 0.72, 0.72]).max, peak, rtol=1e-15)
    assert np.all(cap.acceleration(model, x, torque="rated").max < peak)


@pytest.mark.parametrize("rod_model", ["halves", "variable-rate"])
def test_other_rod_models(rod_model: str) -> None:
    # Variable masses that follow the speeds have a mass matrix that is not symmetric; six motors take it inverted.
    model, x, xd = states("delta-r6" if rod_model == "variable-rate" else "par4")
    model, unit = model.with_rod_model(rod_model), directions(POSES)
    for rate in (None, xd):
        found = cap.acceleration_along(model, x, unit, rate)
        still = np.zeros_like(x) if rate is None else rate
        np.testing.assert_allclose(share(model, x, still, task(model, found[:, None] * unit)), 1.0, rtol=1e-9)
        ball = cap.acceleration_any(model, x, rate)
        along = cap.acceleration_along(model, x[:, None], directions(3000), None if rate is None else rate[:, None])
        assert np.all(along.min(axis=1) >= ball * (1 - 1e-12))
        np.testing.assert_allclose(along.min(axis=1), ball, rtol=0.05)


def test_nan_where_unreachable_and_shapes_of_batches() -> None:
    model = pp.load("par4")
    poses = np.array([[0.0, 0.0, -0.7, 0.0], [0.9, 0.0, -0.7, 0.0], [np.nan, 0.0, -0.7, 0.0]])
    found = cap.acceleration(model, poses)
    assert np.isnan(found.min_max).tolist() == [False, True, True]
    assert np.isnan(found.center).all(axis=-1).tolist() == [False, True, True]
    grid = workspace_poses(model, 12).reshape(3, 4, 4)
    found = cap.acceleration(model, grid)
    assert found.min_max.shape == (3, 4)
    assert found.center.shape == (3, 4, 4)
    for index in np.ndindex(3, 4):
        assert cap.acceleration(model, grid[index]).max == found.max[index]


def test_a_stretched_leg_gives_nan() -> None:
    model = pp.load("delta-nr").with_parameters({"base.radius": 0.1, "plate.radius": 0.1})
    # Below the motors all arms hang straight down and all rods with them: every lever is zero.
    assert np.isnan(cap.acceleration(model, [0.0, 0.0, -1.15]).min_max)


def test_a_direction_without_length_gives_nan() -> None:
    model = pp.load("par4")
    assert np.isnan(cap.acceleration_along(model, model.robot.home, [0.0, 0.0, 0.0]))


@pytest.mark.parametrize(
    ("robot", "options", "text"),
    [
        ("par4", {"torque": "rated"}, "drive.rated_torque: the file of par4 does not state it"),
        ("par4", {"torque": "most"}, "torque: is 'most'; valid are 'peak', 'rated' and numbers"),
        ("par4", {"torque": [90.0, 90.0]}, "torque: has 2 numbers; par4 has 4 motors"),
        ("par4", {"torque": -3.0}, "torque: of motor 1 is -3 N m"),
        ("par4", {"length": -1.0}, "length: is -1 m"),
        ("par4", {"length": 0.1, "yaw": 3.0}, "length: counts yaw among the freedoms"),
        ("par4", {"yaw": np.nan}, "yaw: is nan rad/s2"),
        ("delta-r4", {"yaw": 3.0}, "yaw: delta-r4 has no yaw"),
        ("delta-r4", {"length": 0.1}, "length: delta-r4 has no yaw"),
        ("spara3", {}, "drive.peak_torque: the file of spara3 does not state it"),
    ],
)
def test_wrong_options_are_refused(robot: str, options: dict[str, object], text: str) -> None:
    model = pp.load(robot)
    with pytest.raises(pp.errors.ParameterError) as caught:
        cap.acceleration(model, model.robot.home, **options)
    assert text in str(caught.value)


def test_robots_without_masses_or_yaw_are_refused() -> None:
    model = pp.load("irb360")
    with pytest.raises(pp.errors.MissingMassError, match=r"limb\.rod_mass"):
        cap.acceleration(model, model.robot.home, torque=10.0)
    with pytest.raises(pp.errors.ParameterError, match="its plate does not turn"):
        cap.yaw_acceleration(pp.load("delta-r4"), [0.0, 0.0, -0.7])
    with pytest.raises(pp.errors.UnreachableError):
        cap.acceleration_set(pp.load("delta-r4"), [0.9, 0.0, -0.7])
    with pytest.raises(pp.errors.ShapeError, match="one pose"):
        cap.acceleration_set(pp.load("delta-r4"), [[0.0, 0.0, -0.7]])
