"""A robot along a motion: whether it can follow, where it comes nearest to its limits, what its motors give."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.extremes import first_largest, first_smallest
from parapick.formulas import SLACKS
from parapick.mechanism import Drive, Friction
from parapick.model.singularity import NEAR
from parapick.motion import adept_cycle, gate, s_curve, straight
from parapick.motion.fitting import PlateLimits
from parapick.motion.gate import Gate
from parapick.motion.route import by_law
from parapick.ride import Ride, UnfollowableError, si_text


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


def test_the_worst_of_each_is_what_a_fine_series_shows(par4: pp.Model) -> None:
    cycle = adept_cycle(par4, cycles_per_minute=150, yaw=(-0.5, 0.5))
    followed = cycle.follow(par4)
    assert followed.ok
    assert followed.left_out == ()
    s = cycle.sample(20000, corners=True)
    reach, margins = par4.reach(s.x), par4.margins(s.x)
    smallest = {
        "leg slack": reach.legs.min(),
        "yaw slack": reach.yaw.min(),
        "under-mobility margin": margins.under.min(),
        "over-mobility margin": margins.over.min(),
        "internal margin": margins.internal.min(),
    }
    for name, value in smallest.items():
        assert followed[name].value == pytest.approx(value, rel=1e-4)
        assert followed[name].limit == (0.0 if name.endswith("slack") else NEAR)
    assert abs(followed["joint speed"].value) == pytest.approx(np.abs(par4.joint_rates(s.x, s.xd)).max(), rel=1e-4)
    torque = par4.drive_torque(s.x, s.xd, s.xdd).torque
    assert abs(followed["motor torque"].value) == pytest.approx(np.abs(torque).max(), rel=1e-4)


def test_the_worst_is_there_where_it_is_said_to_be(par4: pp.Model) -> None:
    cycle = adept_cycle(par4, cycles_per_minute=150)
    for worst in cycle.follow(par4).requirements:
        assert worst.place is not None
        states = [cycle.at(worst.place.time, "left"), cycle.at(worst.place.time, "right")]
        assert worst.place.pose == pytest.approx(states[0].x, abs=1e-9)
        if worst.name == "motor torque":
            torques = [par4.drive_torque(*state).torque[worst.place.motor - 1] for state in states]
            assert min(abs(worst.value - torque) for torque in torques) < 1e-9
            assert worst.limit == 90.0
            assert worst.use == pytest.approx(abs(worst.value) / 90.0)


def test_a_motion_out_of_reach_says_where_and_by_how_much(par4: pp.Model) -> None:
    motion = straight((0.0, 0.0, -0.7, 0.0), (0.95, 0.0, -0.7, 0.0), duration=2.0)
    followed = motion.follow(par4)
    assert not followed.ok
    slack = followed["leg slack"]
    assert slack.place is not None
    assert slack.place.time == pytest.approx(2.0)
    assert slack.place.pose == pytest.approx((0.95, 0.0, -0.7, 0.0))
    assert slack.value == slack.reserve == pytest.approx(float(par4.reach(motion.end).legs.min()))
    assert "negative is what is missing, at 2 s, pose (0.95, 0, -0.7, 0)" in followed.problems[0]
    with pytest.raises(UnfollowableError, match="cannot follow the motion: leg slack of leg"):
        followed.raise_if_not()


def test_an_error_carries_what_is_broken(par4: pp.Model) -> None:
    ride = straight((0.0, 0.0, -0.7, 0.0), (0.95, 0.0, -0.7, 0.0), duration=2.0).follow(par4)
    with pytest.raises(UnfollowableError) as caught:
        ride.raise_if_not()
    assert caught.value.requirements == ride.broken
    assert caught.value.problems == ride.problems
    assert {requirement.name for requirement in ride.broken} >= {"leg slack", "motor torque"}
    assert not any(requirement.ok for requirement in ride.broken)
    kinds = {requirement.name.rpartition(" ")[2] for requirement in ride.requirements}
    assert kinds == {"slack", "margin", "speed", "torque"}


def test_series_are_those_of_the_model_at_each_sample(par4: pp.Model) -> None:
    cycle = adept_cycle(par4, cycles_per_minute=150, yaw=(-0.5, 0.5))
    ride = Ride.along(par4, cycle, 500.0)
    s = ride.samples
    for k in range(0, len(s.t), 17):
        assert ride.q[k] == pytest.approx(par4.inverse_kinematics(s.x[k]))
        assert ride.joint_speed[k] == pytest.approx(par4.inverse_jacobian(s.x[k]) @ s.xd[k])
        reach = par4.reach(s.x[k])
        for kind in SLACKS:
            assert ride.reach.slack(kind)[k] == pytest.approx(reach.slack(kind))
    fine = cycle.sample(2e4)
    torque = par4.drive_torque(fine.x, fine.xd, fine.xdd).torque
    assert ride.rms_torque == pytest.approx(np.sqrt(np.mean(torque**2, axis=0)), rel=2e-3)


def test_a_ride_at_another_pace_is_that_of_the_slowed_motion(par4: pp.Model) -> None:
    cycle = adept_cycle(par4, cycles_per_minute=120, payload=0.5)
    fast, slow = Ride.along(par4, cycle, 1000.0), Ride.along(par4, cycle.slowed(2.0), 500.0)
    assert fast.sped_up(0.5).samples.t == pytest.approx(slow.samples.t, abs=1e-12)
    assert fast.sped_up(0.5).loads.torque == pytest.approx(slow.loads.torque, rel=1e-9, abs=1e-9)


def test_too_much_torque_is_a_problem(par4: pp.Model) -> None:
    followed = adept_cycle(par4, v_max=4.0, a_max=250.0).follow(par4)
    torque = followed["motor torque"]
    assert torque.place is not None
    assert len(followed.problems) == 1
    assert followed.problems[0].startswith(f"motor torque of leg {torque.place.motor}: ")
    assert "limit 90 N m" in followed.problems[0]
    assert f"{torque.value:.4g} N m" in followed.problems[0]
    assert torque.use is not None
    assert torque.use > 1


def test_too_much_speed_is_a_problem() -> None:
    model = pp.load("fivebar-spindle")
    x, y, z = model.robot.home[:3]
    pitch = 0.02
    fast = straight((x, y, z, 0.0), (x, y, z - 0.005, 0.0), law="cubic", duration=0.15)
    followed = fast.follow(model)
    screw = 0.005 / 0.15 * 1.5 * 2 * np.pi / pitch
    assert abs(followed["joint speed"].value) == pytest.approx(screw, rel=1e-6)
    assert followed["joint speed"].limit == pytest.approx(500 / 40)
    assert (followed["joint speed"].ok, followed["joint speed"].whose) == (screw <= 12.5, "leg 3")


def test_payload_counts_only_where_it_is_carried(par4: pp.Model) -> None:
    empty = adept_cycle(par4, cycles_per_minute=120)
    loaded = adept_cycle(par4, cycles_per_minute=120, payload=1.5)
    light, heavy = (motion.follow(par4)["motor torque"] for motion in (empty, loaded))
    assert abs(heavy.value) > 1.2 * abs(light.value)
    assert heavy.place is not None
    assert heavy.place.time <= 0.25 + 1e-9
    assert loaded.carrying(1.5, 0.0, 0.0).follow(par4)["motor torque"].value == pytest.approx(light.value)
    # Without a payload of its own a motion is followed with the model's.
    assert abs(empty.follow(par4.with_payload(1.5))["motor torque"].value) == pytest.approx(abs(heavy.value), rel=1e-3)


def test_a_robot_without_masses_is_followed_without_torque(par4: pp.Model) -> None:
    limb = dataclasses.replace(par4.robot.limb, rod_mass=None, arm_mass=None, arm_inertia=None)
    bare = pp.Model(dataclasses.replace(par4.robot, limb=limb))
    followed = adept_cycle(bare, cycles_per_minute=120).follow(bare)
    assert followed.ok
    assert followed.left_out[0].startswith("motor torque: par4 has no masses")
    with pytest.raises(MotionError, match="no quantity 'motor torque'; there are leg slack, yaw slack"):
        _ = followed["motor torque"]


def test_coordinates_must_be_those_of_the_robot(par4: pp.Model) -> None:
    with pytest.raises(MotionError, match="the motion has 3 coordinates; par4 has 4: x, y, z, yaw"):
        gate((0, 0, -0.7), (0.1, 0, -0.7), duration=1.0).follow(par4)


def test_a_motion_to_the_very_limit_is_followed(par4: pp.Model) -> None:
    limit = par4.robot.limits.yaw_max or 0.0
    assert limit > 0.0
    cycle = adept_cycle(par4, cycles_per_minute=60, law="half-sine", yaw=(0.0, limit))
    assert cycle.follow(par4).ok
    assert abs(cycle.follow(par4)["yaw slack"].value) < 1e-12


def test_every_motor_has_its_worst(par4: pp.Model) -> None:
    cycle = adept_cycle(par4, cycles_per_minute=150, azimuth=0.4, payload=0.5)
    followed = cycle.follow(par4)
    s = cycle.sample(4000, corners=True)
    torque = Ride(par4, s).loads.torque
    assert list(followed.torque_by_motor) == list(followed.speed_by_motor) == [1, 2, 3, 4]
    for motor, largest in followed.torque_by_motor.items():
        assert abs(largest.value) == pytest.approx(np.abs(torque[:, motor - 1]).max(), rel=1e-9)
        assert largest.whose == followed.speed_by_motor[motor].whose == f"leg {motor}"
    worst = max(followed.torque_by_motor.values(), key=lambda largest: abs(largest.value))
    assert worst == followed["motor torque"]


def test_loads_count_what_is_carried_and_the_gearbox() -> None:
    model = pp.load("fivebar-spindle")
    x, y, z = model.robot.home[:3]
    motion = straight((x, y, z, 0.0), (x, y - 0.05, z - 0.005, 0.3), duration=0.4).carrying(1.0, 0.0, 0.2)
    samples = motion.sample(500)
    empty = dataclasses.replace(samples, load=np.zeros_like(samples.load))
    loads, own = (Ride(model, carried).loads for carried in (samples, empty))
    half = len(samples.t) // 2
    heavy = model.with_payload(1.0)
    state = samples.x[:half], samples.xd[:half], samples.xdd[:half]
    assert loads.joint_torque[:half] == pytest.approx(heavy.inverse_dynamics(*state))
    assert loads.torque[:half] == pytest.approx(heavy.drive_torque(*state).torque)
    assert loads.torque[half + 1 :] == pytest.approx(own.torque[half + 1 :])
    assert loads.speed[:, 2] == pytest.approx(40 * loads.joint_speed[:, 2])


def test_redundant_robots_are_followed_with_the_least_peak() -> None:
    model = pp.load("r4-100g")
    cycle = adept_cycle(model, cycles_per_minute=120, azimuth=0.3)
    s = cycle.sample(4000, corners=True)
    peak, norm = (np.abs(Ride(model.with_sharing(rule), s).loads.torque).max() for rule in ("least-peak", "least-norm"))
    assert peak < 0.98 * norm
    assert abs(cycle.follow(model)["motor torque"].value) == pytest.approx(peak)


def test_of_equal_times_the_first_is_told(par4: pp.Model) -> None:
    there = straight((-0.1, 0.0, -0.7, 0.0), (0.1, 0.03, -0.68, 0.2), law="half-sine", duration=0.25)
    for motion in (there.then(there.reversed()), there.then(there.reversed()).repeated(3)):
        followed = motion.follow(par4)
        assert all(one.place is not None and one.place.time <= 0.25 + 1e-9 for one in followed.requirements)
        peaks = motion.peaks()
        assert max(peaks.speed.time, peaks.acceleration.time, peaks.yaw_rate.time) <= 0.25 + 1e-9


def test_the_first_of_equals_is_found_beside_nan_and_infinity() -> None:
    values = np.array([np.nan, 1.0, 5.0 - 1e-12, 5.0, np.nan, 2.0])
    assert first_largest(values) == 2
    assert first_smallest(-values) == 2
    assert first_largest(np.array([1.0, np.inf, np.inf])) == 1
    assert first_smallest(np.array([np.inf, 3.0, 3.0 + 1e-6])) == 1
    assert first_smallest(np.array([2.0, 1e-15, -1e-16])) == 1


def test_a_singularity_between_two_samples_is_seen() -> None:
    """h4-90 is singular wherever x = 0; no sample of this line lies there."""
    robot = pp.load("h4-90")
    line = straight((-0.1003, 0.0, -0.7, 0.0), (0.1007, 0.0, -0.7, 0.0), duration=0.5)
    found = line.follow(robot, rate=997.0)
    assert np.abs(line.sample(997.0, corners=True).x[:, 0]).min() > 0.0
    margin = found["internal margin"]
    assert not margin.ok
    assert "internal margin" in found.problems[0]
    assert "singular" in found.problems[0]
    assert margin.place is not None
    assert abs(margin.place.pose[0]) < 1e-3


def test_the_peak_where_a_joint_turns_back_is_seen() -> None:
    drive = Drive(inertia=2e-5, ratio=12.0, efficiency=0.82, friction=Friction(2.0), peak_torque=7.5)
    model = pp.Model(dataclasses.replace(pp.load("par4").robot, drive=drive))
    # A joint turns back where short jerk times let the torque rise steeply.
    steep = Gate(0.05, s_curve(), PlateLimits(5.0, 130.0, 65e3), overlap=0.107)
    motion = by_law(steep.route((0.075, 0.193, -0.674, 0.094), (0.016, -0.196, -0.672, -0.116)))
    plain, fine = (np.abs(Ride(model, motion.sample(rate, corners=True)).loads.torque).max() for rate in (4e3, 3e5))
    seen = abs(motion.follow(model)["motor torque"].value)
    assert plain < 0.985 * fine  # a fixed rate alone misses it
    assert seen == pytest.approx(fine, rel=1e-3)
    assert seen >= fine
    made = pp.evaluate(model, motion, sections=["torque"])
    assert abs(made.findings[0].value) == pytest.approx(seen, rel=1e-12)


def test_a_linear_motor_gives_a_force() -> None:
    """Found by the same name, and said with its own word and unit."""
    model = pp.load("delta-linear")
    worst = pp.adept_cycle(model, cycles_per_minute=120).follow(model)["motor torque"]
    assert (worst.title, worst.unit) == ("motor force", "N")
    for text in (worst.text, si_text(worst)):
        assert text.startswith(f"motor force of {worst.whose}: ")
        assert "N m" not in text
