"""Lossy gearboxes before heavy rotors: at what an index states, the drives give their peak torque, and no less."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from capability.lossy import least_use, lossy_states, nearest_limit, used
from capability.shared import directions, task
from parapick import capability as cap
from parapick.capability.effort import effort, settings_of
from parapick.parameters import symbols_of

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

SEEDS = (0, 1, 2, 3)
SQUARE = ("delta-nr", "par4")
YAWS = np.linspace(-1500.0, 1500.0, 151)


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("name", SQUARE)
def test_along_a_direction_a_motor_gives_its_peak(name: str, moving: bool) -> None:
    for seed in SEEDS:
        model, x, xd = lossy_states(name, seed)
        unit, rate = directions(len(x), seed), xd if moving else np.zeros_like(xd)
        found = cap.acceleration_along(model, x, unit, xd if moving else None)
        np.testing.assert_allclose(used(model, x, rate, task(model, found[:, None] * unit)), 1.0, rtol=1e-9)
        assert np.all(used(model, x, rate, task(model, 1.001 * found[:, None] * unit)) > 1.0)


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("name", SQUARE)
def test_any_direction_is_the_nearest_limit_of_a_motor(name: str, moving: bool) -> None:
    for seed in SEEDS:
        model, x, xd = lossy_states(name, seed)
        rate = xd if moving else np.zeros_like(xd)
        found = cap.acceleration_any(model, x, xd if moving else None)
        worst = np.array([nearest_limit(model, pose, speed) for pose, speed in zip(x, rate, strict=True)])
        np.testing.assert_allclose(used(model, x, rate, task(model, worst)), 1.0, rtol=1e-9)
        np.testing.assert_allclose(found, np.linalg.norm(worst, axis=-1), rtol=1e-9)
        everywhere = task(model, found[:, None, None] * directions(400, seed))
        assert np.all(used(model, x[:, None], rate[:, None], everywhere) <= 1.0 + 1e-9)


@pytest.mark.parametrize("name", SQUARE)
def test_the_best_direction_is_as_good_as_any(name: str) -> None:
    model, x, xd = lossy_states(name, 4)
    best = cap.acceleration(model, x, xd).max
    along = cap.acceleration_along(model, x[:, None], directions(2000), xd[:, None])
    assert np.all(along.max(axis=1) <= best * (1 + 1e-9))
    assert np.all(along.max(axis=1) >= 0.85 * best)


def test_in_the_corners_all_motors_give_their_peak() -> None:
    model, x, xd = lossy_states("delta-nr", 4)
    for pose, rate, far in zip(x, xd, cap.acceleration(model, x, xd).max, strict=True):
        corners = cap.acceleration_set(model, pose, rate).vertices
        assert len(corners) == 8
        assert np.linalg.norm(corners, axis=-1).max() == pytest.approx(float(far), rel=1e-9)
        torque = model.drive_torque(pose, rate, corners).torque
        np.testing.assert_allclose(np.abs(torque) / model.motors.peak_torque, 1.0, rtol=1e-9)


def test_with_yaw_left_free_a_direction_has_the_best_of_all_yaw_accelerations() -> None:
    model, x, xd = lossy_states("par4", 2)
    free = cap.acceleration_any(model, x, xd, yaw=None)
    sphere = directions(300)
    reach = np.array([cap.acceleration_along(model, x[:, None], sphere, xd[:, None], yaw=yaw) for yaw in YAWS])
    nearest = np.nanmax(reach, axis=0).min(axis=1)
    assert np.all(nearest > cap.acceleration_any(model, x, xd))
    # The yaw accelerations and directions tried miss the best and the nearest by some per cent at most.
    np.testing.assert_allclose(nearest, free, rtol=0.05)
    assert np.all(nearest >= 0.99 * free)


def test_yaw_reserve_uses_a_motor_fully_both_ways() -> None:
    model, x, xd = lossy_states("par4", 6)
    found = cap.yaw_acceleration(model, x, xd)
    for amount in (found.positive, -found.negative):
        xdd = np.zeros_like(x)
        xdd[:, 3] = amount
        np.testing.assert_allclose(used(model, x, xd, xdd), 1.0, rtol=1e-9)


def test_the_centre_is_the_acceleration_without_torque() -> None:
    model, x, xd = lossy_states("delta-nr", 7)
    torque = model.drive_torque(x, xd, cap.acceleration(model, x, xd).center).torque
    np.testing.assert_allclose(torque / model.motors.peak_torque, 0.0, atol=1e-9)


def test_motors_of_a_redundant_robot_share_as_well_as_they_can() -> None:
    """Their least use by linear programmes: `drive_torque` does not find it where a rotor needs more than it all."""
    for seed in (5, 6):
        model, x, xd = lossy_states("delta-r4", seed)
        unit = directions(len(x), seed)
        resting = cap.acceleration_along(model, x, unit)
        np.testing.assert_allclose(used(model, x, np.zeros_like(x), resting[:, None] * unit), 1.0, rtol=1e-9)
        found = cap.acceleration_along(model, x, unit, xd)
        for pose, rate, end in zip(x[:2], xd[:2], found[:2, None] * unit[:2], strict=True):
            assert least_use(model, pose, rate, end) == pytest.approx(1.0, abs=1e-6)
        ball = cap.acceleration_any(model, x, xd)
        along = cap.acceleration_along(model, x[:, None], directions(1000), xd[:, None])
        assert np.all(along.min(axis=1) >= ball * (1 - 1e-9))
        np.testing.assert_allclose(along.min(axis=1), ball, rtol=0.08)


@pytest.mark.parametrize("name", ["delta-nr", "par4", "delta-r4"])
def test_the_payload_is_what_lets_a_motor_reach_its_peak(name: str) -> None:
    """On top of what the model holds: with it the acceleration is possible in any direction, just so."""
    for seed in SEEDS:
        model, x, _ = lossy_states(name, seed)
        asked = 0.4 * float(cap.acceleration_any(model, x).min())
        for pose, mass in zip(x, cap.payload(model, x, asked), strict=True):
            loaded = model.with_payload(model.payload.mass + float(mass))
            assert cap.acceleration_any(loaded, pose) == pytest.approx(asked, rel=1e-9)
            share = used(loaded, pose, np.zeros_like(pose), task(model, asked * directions(3000, seed)))
            assert 0.99 < share.max() <= 1.0 + 1e-9
            if name != "delta-r4":
                worst = nearest_limit(loaded, pose, np.zeros_like(pose))
                assert used(loaded, pose, np.zeros_like(pose), task(model, worst)) == pytest.approx(1.0, abs=1e-6)
                assert np.linalg.norm(worst) == pytest.approx(asked, rel=1e-6)


def test_what_is_lifted_lets_a_motor_reach_its_peak() -> None:
    model, x, _ = lossy_states("delta-nr", 8)
    lift = 0.3 * float(cap.acceleration_any(model, x).min())
    up, still = np.array([0.0, 0.0, lift]), np.zeros(3)
    for pose, mass in zip(x, cap.force(model, x, lift=lift).payload, strict=True):
        assert used(model.with_payload(model.payload.mass + float(mass)), pose, still, up) == pytest.approx(
            1.0, rel=1e-9
        )


def test_a_joint_that_stands_still_is_driven_either_way() -> None:
    model, x, _ = lossy_states("delta-nr", 9)
    np.testing.assert_allclose(
        cap.acceleration_any(model, x, np.zeros_like(x)), cap.acceleration_any(model, x), rtol=1e-9
    )


def test_a_gearbox_without_losses_costs_nothing() -> None:
    """Losses are structure: without them the kernels hold nothing of them, at speed either."""
    model, x, xd = lossy_states("delta-nr", 10)
    drive = dataclasses.replace(model.robot.drive, efficiency=1.0)
    lossless = dataclasses.replace(model, robot=dataclasses.replace(model.robot, drive=drive))
    _, robot = symbols_of(lossless.kernels.structure)
    assert effort(robot, settings_of(robot, lossy=False), moving=True).gears is None
    nearly = dataclasses.replace(drive, efficiency=1.0 - 1e-12)
    almost = dataclasses.replace(model, robot=dataclasses.replace(model.robot, drive=nearly))
    for rate in (None, xd):
        whole, other = cap.acceleration(lossless, x, rate), cap.acceleration(almost, x, rate)
        for one, same in zip(whole, other, strict=True):
            np.testing.assert_allclose(one, same, rtol=1e-9, atol=1e-9)
    assert lossless.kernels.structure == almost.kernels.structure
    assert not lossless.motors.lossy
    assert almost.motors.lossy


def test_losses_help_a_motor_that_brakes() -> None:
    model, x, _ = lossy_states("delta-nr", 11)
    unit = directions(len(x), 11)
    slow = 1e-3 * unit
    # Friction apart, a joint that hardly moves is driven like one at rest towards its motion, and brakes better.
    braking = cap.acceleration_along(model, x, -unit, slow)
    assert np.all(braking > cap.acceleration_along(model, x, -unit))
    driving = cap.acceleration_along(model, x, unit, slow)
    assert np.all(driving >= cap.acceleration_along(model, x, unit) * (1 - 1e-3))
