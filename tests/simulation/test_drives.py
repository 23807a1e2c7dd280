"""The drives of the plant are those of `evaluate`: gearbox losses and peak speeds; stuck joints stay where they are."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.control import PD, JointFriction, Measured, Reference, TaskSpaceID, tuned
from parapick.mechanism import Drive, Friction, TorqueCurve
from parapick.model import Model
from parapick.motion import hold, straight
from parapick.ride import Ride
from parapick.simulation import fault_of

GEARED = Drive(peak_torque=3.8, peak_speed=600.0, inertia=6e-5, ratio=30.0, efficiency=0.6, friction=Friction(1.0, 0.1))


@cache
def geared(**changes: Any) -> Model:
    """delta-nr with geared motors; lossy, and with a heavy rotor."""
    robot = pp.load("delta-nr").robot
    return Model(dataclasses.replace(robot, drive=dataclasses.replace(GEARED, **changes)))


def test_what_evaluate_says_the_motors_need_moves_the_plant() -> None:
    model = geared()
    motion = straight((-0.15, 0.03, -0.72), (0.14, -0.05, -0.68), duration=0.18)
    # The torque between two samples, which the drives hold.
    middle = motion.at(motion.sample(4000.0).t + 0.5 / 4000.0)
    needed = model.motors.ratio * model.drive_torque(*middle).torque

    def law(t: float, measured: Measured, reference: Reference) -> np.ndarray:
        error, rate = model.inverse_kinematics(reference.x) - measured.q, model.joint_rates(reference.x, reference.xd)
        return needed[round(4000.0 * t)] + 1000.0 * error + 20.0 * (rate - measured.qd)

    record = looped(model, motion, law, rate=4000.0)
    feedback = np.abs(record.command - needed).max(axis=1)
    assert np.median(feedback) < 0.005 * np.abs(needed).max()  # more only after a joint has turned back
    blind = looped(geared(efficiency=1.0), motion, law, rate=4000.0)
    # The same torques push a robot without losses away; of the lossy one the bristles at the start leave something.
    assert blind.distance.max() > 5 * record.distance.max()


def test_losses_agree_with_an_independent_engine() -> None:
    model = geared()
    motion = pp.adept_cycle(model, cycles_per_minute=100)
    law = PD(1500.0, 25.0)
    native, engine = (
        looped(model, motion, law, rate=4000.0, substeps=8, engine=engine) for engine in ("native", "mujoco")
    )
    assert native.distance.max() > 5e-4
    assert np.abs(native.x - engine.x).max() < 2e-5
    lossless = looped(geared(efficiency=1.0), motion, law, rate=4000.0, substeps=8)
    assert np.abs(native.x - lossless.x).max() > 2e-4


def test_what_evaluate_refuses_saturates_the_loop() -> None:
    model = geared()
    motion = pp.adept_cycle(model, cycles_per_minute=215, payload=0.5)
    made = pp.evaluate(model, motion, sections=["torque"])
    (peak,) = (finding for finding in made.findings if finding.name == "motor torque, peak")
    assert peak.use > 1.2
    record = looped(model, motion, TaskSpaceID.from_poles(20.0, 0.7))
    assert record.saturated.any()


def test_motors_drive_no_faster_than_their_peak_speed() -> None:
    model = geared(peak_speed=100.0)
    motion = pp.adept_cycle(model, cycles_per_minute=200)
    wanted = np.abs(Ride.along(model, motion).loads.speed).max()
    assert wanted > 250.0
    record = looped(model, motion, TaskSpaceID.from_poles(20.0, 0.7))
    # The others may pull a joint beyond the speed to which its own motor brings it.
    assert np.abs(record.qd * 30.0).max() < 0.7 * wanted
    assert record.overspeed.any()
    fault = fault_of(record)
    assert fault is not None
    assert fault.name in ("lost", "diverged")
    # Where the file's motors are quick enough, the limit changes nothing.
    quick, free = geared(), geared(peak_speed=1e5)
    same = [looped(one, pp.adept_cycle(one, cycles_per_minute=120), PD(1500.0, 25.0)) for one in (quick, free)]
    np.testing.assert_array_equal(same[0].x, same[1].x)


def test_motors_give_no_more_than_their_curve_at_their_speed() -> None:
    """A weak curve costs tracking, in both engines alike; one that is out of the way changes nothing."""
    weak, wide = (TorqueCurve(((0.0, 3.8), (60.0, 3.8), (150.0, least), (600.0, least))) for least in (0.6, 3.8))
    motion = pp.adept_cycle(geared(), cycles_per_minute=120)
    law = PD(1500.0, 25.0)
    native, engine = (
        looped(geared(curve=weak), motion, law, rate=4000.0, substeps=8, engine=engine)
        for engine in ("native", "mujoco")
    )
    free, same = (looped(one, motion, law, rate=4000.0, substeps=8) for one in (geared(), geared(curve=wide)))
    np.testing.assert_allclose(same.x, free.x, rtol=0, atol=1e-12)
    assert native.distance.max() > 1.2 * free.distance.max()
    assert np.abs(native.x - engine.x).max() < 5e-5


def test_a_stuck_joint_stays_where_it_is() -> None:
    model = pp.load("par4")
    place = (0.05, -0.03, -0.7, 0.1)
    record = looped(
        model,
        hold(place, 2.0),
        TaskSpaceID.from_poles(10.0, 0.7),
        friction=JointFriction(coulomb=5.0),
        encoder=65536,
        offset=(3e-4, 0.0, 0.0, 0.0),
    )
    assert fault_of(record) is None
    early, late = (record.distance[record.between(start, start + 0.2)].mean() for start in (0.2, 1.8))
    assert early > 2e-4
    assert abs(late - early) < 2e-7


def test_a_load_below_breakaway_does_not_creep() -> None:
    model = pp.load("delta-nr")
    place = (0.0, 0.0, -0.7)
    gravity = model.inverse_dynamics(place, np.zeros(3), np.zeros(3))

    def swinging(t: float, measured: Measured, reference: Reference) -> np.ndarray:
        return gravity + 2.5 + 2.0 * np.sin(2 * np.pi * 20.0 * t) - 3.0 * measured.qd

    creep = {}
    for kind in ("elasto-plastic", "dahl"):
        friction = JointFriction(coulomb=5.0, model=kind)
        record = looped(model, hold(place, 1.0), swinging, friction=friction, torque_max=None)
        half = len(record.t) // 2
        period = 200  # samples
        means = [record.q[k : k + period].mean(axis=0) for k in (half, half + 8 * period)]
        creep[kind] = np.abs(means[1] - means[0]).max() / 8
    assert creep["elasto-plastic"] < 1e-6  # rad per period
    assert creep["dahl"] > 5e-6


def test_a_loop_that_chatters_or_loses_the_path_is_named() -> None:
    par4 = pp.load("par4")
    motion = pp.load_task("adept-120").motion(par4)
    settings = {"encoder": 65536, "delay": 1}
    stiff = looped(par4, motion, tuned("pd", par4, motion, frequency=400.0), **settings)
    assert stiff.completed
    assert fault_of(stiff).name in ("chattering", "lost")
    assert fault_of(looped(par4, motion, tuned("pd", par4, motion), **settings)) is None
    weak = looped(par4, motion, tuned("tsid", par4, motion), torque_max=8.0, **settings)
    assert fault_of(weak).name == "lost"
    # Some saturation is no fault.
    tight = looped(par4, motion, tuned("tsid", par4, motion), torque_max=27.0, **settings)
    assert tight.saturated.any()
    assert fault_of(tight) is None


@pytest.mark.parametrize("kind", ["native", "python"])
def test_engines_agree_on_losses(kind: str) -> None:
    model = geared()
    record = looped(model, hold(model.robot.home, 0.02), PD(1500.0, 25.0), offset=(2e-3, 0.0, 0.0), engine=kind)
    other = looped(model, hold(model.robot.home, 0.02), PD(1500.0, 25.0), offset=(2e-3, 0.0, 0.0))
    np.testing.assert_allclose(record.x, other.x, rtol=0, atol=1e-12)
