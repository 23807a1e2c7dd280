"""Limits of guards, slow motions and the planned stop, each against what other functions say."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.ride.samples import Pose
from parapick.supervision import (
    GuardLimits,
    HomingError,
    StopLimits,
    Supervisor,
    guard_limits,
    slow_motion,
    stop_plan,
)
from parapick.supervision.watching import Past, Signals, Watch

RATE = 4000.0


@cache
def linear() -> Model:
    """A robot whose file states every limit there is."""
    return pp.load("delta-linear")


def limits(**given: object) -> dict[str, np.ndarray]:
    torque = np.full(3, np.inf)
    return guard_limits(linear(), Supervisor(GuardLimits(**given)), torque, RATE).values  # pyright: ignore[reportArgumentType]


def test_limits_are_those_of_the_file() -> None:
    values = limits()
    assert values["speed"].tolist() == [5.0] * 3
    assert values["torque"].tolist() == [750.0] * 3
    assert limits(speed=3.0)["speed"].tolist() == [3.0] * 3
    # What a loop limits, no guard lets through.
    bounded = guard_limits(linear(), Supervisor(), np.full(3, 400.0), RATE).values
    assert bounded["torque"].tolist() == [400.0] * 3


def test_limits_of_motors_are_those_at_the_joints_behind_their_gears() -> None:
    """A gear takes from the speed of a motor what it gives to its torque."""
    geared = pp.load("delta-4")
    values = guard_limits(geared, Supervisor(), np.full(4, np.inf), RATE).values
    # The file: 0.9 N m and 500 rad/s behind a gear of 5 for the tool, 120 N m without a gear for the arms.
    assert values["torque"] == pytest.approx([120.0, 120.0, 120.0, 4.5])
    assert values["speed"][3] == pytest.approx(100.0)


def test_what_guards_see_of_poses_is_what_the_model_says() -> None:
    """One row per pose, with a column per kind of limit."""
    model = linear()
    watch = Watch(model, guard_limits(model, Supervisor(), np.full(3, np.inf), RATE), np.full(3, 1e-6), RATE)
    x = np.array(model.robot.home) + np.array([[0.0, 0.0, 0.0], [0.1, -0.05, 0.02]])
    seen, reach = watch.at(x), model.reach(x)
    assert seen["singularity"] == pytest.approx(np.column_stack([*model.margins(x)]), nan_ok=True)
    assert seen["workspace"] == pytest.approx(model.numbers.workspace.slack(x))
    assert {name: len(values) for name, values in seen.items()} == {"position": 2, "workspace": 2, "singularity": 2}
    assert seen["position"][:, : reach.joints.shape[1]] == pytest.approx(reach.joints)
    for name, values in seen.items():
        assert values.shape[1] == len(watch.limits.values[name])
    signals = Signals(
        model.inverse_kinematics(x), x, x[::-1], np.zeros((2, 3)), np.zeros(2), np.zeros((2, 3)), np.zeros(2)
    )
    worse = watch.look(signals, Past.resting(signals.q_meas[0], signals.q_meas[0]))
    # The pose and the one ahead have changed places: the worse of both counts, at each of the two samples.
    assert worse.row(0)["singularity"] == pytest.approx(seen["singularity"].min(axis=0), rel=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"speed": 6.0}, r"guards.speed: of motor 1 is 6 m/s, outside what delta-linear .* at most 5 m/s"),
        ({"torque": (700.0, 760.0, 700.0)}, r"guards.torque: of motor 2 is 760 N, outside .* at most 750 N"),
        ({"position": -0.01}, r"guards.position: is -0.01: the guard would lie outside the stops"),
        ({"workspace": -0.01}, r"guards.workspace: is -0.01: the guard would lie outside the workspace"),
        ({"singularity": 0.0}, r"guards.singularity: is 0; it must be greater than 0"),
        ({"speed": "peak"}, r"guards.speed: is 'peak'; valid are \"file\""),
        ({"deadline": 0}, r"guards.deadline: is 0; it must be a whole number"),
        ({"following": (0.01, 0.02)}, r"guards.following: has 2 numbers; it must have 3"),
    ],
)
def test_limits_outside_the_file_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        limits(**given)


def test_what_is_off_and_what_the_file_does_not_state() -> None:
    found = guard_limits(pp.load("par4"), Supervisor(GuardLimits(workspace=None)), np.full(4, np.inf), RATE)
    assert found.off == ("workspace",)
    assert found.unstated == ("speed",)


def test_slack_of_a_workspace_is_the_distance_to_its_border() -> None:
    """Points at a known distance from the wall, the floor and the lid of the cylinder, inside and outside."""
    region = linear().numbers.workspace
    assert region is not None
    x = np.array([[0.15, 0.0, -1.0], [0.0, -0.23, -1.0], [0.0, 0.0, -1.19], [0.1, 0.0, -0.77]])
    np.testing.assert_allclose(region.slack(x)[:, 0], [0.05, -0.03, 0.01, -0.03], atol=1e-12)


def cycle() -> Motion:
    return pp.adept_cycle(linear(), cycles_per_minute=150)


def planned(torque: float, stop_time: float = 0.05, at: float = 0.1) -> tuple[StopLimits, object]:
    motion = cycle()
    held = StopLimits(linear(), linear().held.vector(), np.full(3, torque), 0.1, stop_time, RATE)
    return held, stop_plan(held, lambda s: Pose(*motion.at(s)), at, 1.0)


@pytest.mark.parametrize("at", [0.02, 0.1, 0.15, 0.19])
@pytest.mark.parametrize("torque", [750.0, 300.0])
def test_a_stop_stays_on_the_path_and_within_the_torques(at: float, torque: float) -> None:
    _, plan = planned(torque, at=at)
    motion = cycle()
    np.testing.assert_allclose(plan.x, motion.at(plan.s).x, atol=1e-12)
    assert plan.pace[0] == 1.0
    assert plan.pace[-1] == 0.0
    assert np.all(np.diff(plan.pace) <= 0.0)
    # The torques of the plan by the model's own function, motor side; linear motors have no gearbox.
    loads = linear().drive_torque(plan.x, plan.xd, plan.xdd).torque
    # Where even the motion alone needs more than its share, no stop can need less.
    alone = linear().drive_torque(*motion.at(plan.s[:1])).torque
    assert np.abs(loads).max() <= max(0.9 * torque, np.abs(alone).max()) + 1e-9
    # What is wanted moves as it says: positions are the integral of the velocities.
    middle = (plan.xd[1:] + plan.xd[:-1]) / 2 / RATE
    np.testing.assert_allclose(np.diff(plan.x, axis=0), middle, atol=2e-5)


def test_a_stop_takes_the_stated_time_where_the_motors_can_and_longer_where_not() -> None:
    durations = [len(planned(torque, at=0.1)[1].s) / RATE for torque in (1e6, 300.0, 150.0)]
    assert durations[0] == pytest.approx(0.05, abs=1.5 / RATE)
    assert durations[0] <= durations[1] < durations[2]
    quick, slow = (len(planned(1e6, time)[1].s) / RATE for time in (0.02, 0.08))
    assert (quick, slow) == pytest.approx((0.02, 0.08), abs=1.5 / RATE)


def test_a_slow_motion_keeps_its_speed_and_its_limits() -> None:
    model, start = linear(), (0.12, -0.1, -1.1)
    motion = slow_motion(model, start, model.robot.home, 0.25, "homing")
    np.testing.assert_allclose(motion.start, start)
    np.testing.assert_allclose(motion.end, model.robot.home, atol=1e-12)
    assert np.linalg.norm(motion.sample(1000.0).xd[:, :3], axis=-1).max() == pytest.approx(0.25, rel=1e-3)
    assert model.reach(motion.sample(1000.0).x).ok.all()


def test_home_that_cannot_be_reached_is_refused() -> None:
    """Beyond its reach there is no way; nor is there one for motors that cannot hold the plate."""
    model = linear()
    with pytest.raises(HomingError, match=r"cannot move slowly from .*leg 1"):
        slow_motion(model, (0.0, -0.6, -0.75), model.robot.home, 0.25, "homing")
    weak = model.with_parameters({"drive.peak_force": "10 N", "drive.rated_force": "5 N"})
    with pytest.raises(HomingError, match="more than 50 % of what its motors have"):
        slow_motion(weak, (0.1, 0.0, -1.0), model.robot.home, 0.25, "homing")


def test_yaw_alone_can_be_homed() -> None:
    par4 = pp.load("par4")
    motion = slow_motion(par4, (0.0, 0.0, -0.7, 0.5), par4.robot.home, 0.25, "homing")
    assert motion.duration == pytest.approx(15 / 8 * 0.5 * 0.1 / 0.25)
    assert np.ptp(motion.sample(500.0).x[:, 3]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"homing_speed": 0.0}, r"homing_speed: is 0 m/s; it must be greater than 0 m/s"),
        ({"stop_time": 0.0}, r"stop_time: is 0 s; it must be greater than 0 s"),
        ({"stop_reserve": -0.1}, r"stop_reserve: is -0.1; it must be at least 0"),
        ({"stop_reserve": 0.95}, r"stop_reserve: is 0.95; it must be at most 0.9"),
        ({"brake": 0.0}, r"brake: is 0 N; it must be greater than 0 N"),
    ],
)
def test_a_supervisor_that_cannot_be_is_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        guard_limits(linear(), Supervisor(**given), np.full(3, np.inf), RATE)  # pyright: ignore[reportArgumentType]


def test_what_a_supervisor_has_where_nothing_is_given() -> None:
    """The reduced speed of ISO 10218-1, and stops that leave the law a tenth of the torque."""
    usual = Supervisor()
    assert (usual.homing_speed, usual.stop_time, usual.stop_reserve) == (0.25, 0.05, 0.1)
    x, y, z = linear().robot.home
    motion = slow_motion(linear(), (x + 0.2, y, z), (x, y, z), usual.homing_speed, "homing")
    speed = np.linalg.norm(motion.sample(RATE).xd[:, :3], axis=-1).max()
    assert speed == pytest.approx(0.25, rel=1e-3)
