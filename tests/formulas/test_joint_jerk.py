"""Jerks of joints: against differences of accelerations, where the plate's is infinite, and by what is carried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Gripper, Payload, jerk_ratings
from parapick.ride import instant_loads
from poses import by_kind, closing_poses
from stated import stating

STEP = 1e-5
"""Time (s) of a difference: its error is the square of it, rounding one over it."""

LIMITS = {"joint_acceleration": 1e6, "joint_jerk": 1e5}


def states(model: pp.Model, count: int = 12) -> list[np.ndarray]:
    rng = np.random.default_rng(11)
    x = closing_poses(model, count, 7, share=0.05)
    return [x, *(size * rng.normal(size=x.shape) for size in (1.0, 10.0, 100.0))]


@pytest.mark.parametrize("name", by_kind())
def test_jerks_are_differences_of_accelerations(name: str) -> None:
    model = pp.load(name)
    x, xd, xdd, xddd = states(model)

    def at(t: float) -> np.ndarray:
        place = x + t * (xd + t * (xdd / 2 + t * xddd / 6)), xd + t * (xdd + t * xddd / 2), xdd + t * xddd
        return model.joint_accelerations(*place)

    jerks, difference = model.joint_jerks(x, xd, xdd, xddd), (at(STEP) - at(-STEP)) / (2 * STEP)
    np.testing.assert_allclose(jerks, difference, rtol=0, atol=1e-6 * np.abs(jerks).max())


def jerk_of(model: pp.Model, state: list[np.ndarray], **more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x, xd, xdd, xddd = state
    (loads,) = (one for one in instant_loads(model, x, xd, xdd, xddd=xddd, **more) if one.kind.key == "jerk")
    return loads.values, loads.limits


def test_an_infinite_jerk_is_felt_by_the_joints_that_move_with_it() -> None:
    model = stating("fivebar-spindle", limits=LIMITS)
    state = states(model)
    finite, _ = jerk_of(model, state)
    assert np.isfinite(finite).all()
    yaw, sideways = (np.isin(np.arange(4), [coordinate]) for coordinate in (3, 0))
    spun, _ = jerk_of(model, [*state[:3], np.where(yaw, np.inf, state[3])])
    # The spindle turns the tool, and has nothing to do with the arms.
    slopes = model.inverse_jacobian(state[0])
    felt = np.abs(slopes[..., 3]) > 1e-9
    assert felt.any()
    assert not felt.all()
    np.testing.assert_array_equal(np.isinf(spun), felt)
    assert not np.isnan(spun).any()
    pushed, _ = jerk_of(model, [*state[:3], np.where(sideways, -np.inf, state[3])])
    np.testing.assert_array_equal(np.isinf(pushed), np.abs(slopes[..., 0]) > 1e-9)


def test_a_robot_without_masses_has_them_too() -> None:
    heavy = stating("par4", limits={**LIMITS, "rod_pull": 100.0})
    light = pp.Model(replace(heavy.robot, limb=replace(heavy.robot.limb, rod_mass=None)))
    np.testing.assert_allclose(jerk_of(light, states(heavy))[0], jerk_of(heavy, states(heavy))[0], rtol=1e-10)


POINTS = ((0.35, 1.0), (1.0, 0.5), (2.0, 0.5), (3.0, 0.25))


@pytest.mark.parametrize(
    ("mass", "share"), [(0.0, 1.0), (0.35, 1.0), (0.675, 0.75), (1.0, 0.5), (1.5, 0.5), (2.5, 0.375), (9.0, 0.25)]
)
def test_a_payload_leaves_a_share_that_is_straight_between_points(mass: float, share: float) -> None:
    model = stating("par4", limits={**LIMITS, "jerk_over_payload": POINTS})
    assert jerk_ratings(model.numbers, mass) == pytest.approx((1e5 * share,) * 4, rel=1e-12)
    assert jerk_of(model.with_payload(mass), states(model, 2))[1] == pytest.approx(1e5 * share, rel=1e-12)


def test_what_is_carried_counts_and_not_the_gripper() -> None:
    bare = stating("par4", limits={**LIMITS, "jerk_over_payload": POINTS})
    held = pp.Model(replace(bare.robot, gripper=Gripper(mass=0.5)))
    series = np.stack([(held.gripper + Payload.of(mass)).vector() for mass in (0.0, 0.675, 2.0)])
    limits = jerk_of(held, states(held, 3), held=series)[1]
    assert limits[:, 0] == pytest.approx([1e5, 0.75e5, 0.5e5], rel=1e-12)


def test_sides_have_limits_of_their_own_and_rails_their_units() -> None:
    uneven = stating("par4", limits={"joint_acceleration": 1e6, "joint_jerk": (1e5, 2e5, 3e5, 4e5)})
    assert jerk_of(uneven, states(uneven, 2))[1][0].tolist() == [1e5, 2e5, 3e5, 4e5]
    rails = stating("delta-linear", limits={"carriage_acceleration": 1e6, "carriage_jerk": 1e3})
    assert jerk_of(rails, states(rails, 2))[1][0].tolist() == [1e3] * 3
    along = pp.adept_cycle(rails, cycles_per_minute=60, law="3-4-5").follow(rails)
    assert along["joint jerk"].unit == "m/s3"
