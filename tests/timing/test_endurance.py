"""Motions that the motors keep up: their effective torque, integrated anew, is their rated torque."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Gearbox
from parapick.motion import Motion, gate
from parapick.ride import Ride
from parapick.timing import OverheatingError, endurance, enduring

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")


def rated(torque: float) -> pp.Model:
    robot = pp.load("delta-nr").robot
    return pp.Model(dataclasses.replace(robot, drive=dataclasses.replace(robot.drive, rated_torque=torque)))


def cycle() -> Motion:
    there = gate([-0.15, 0.0, -0.7], [0.15, 0.0, -0.7], height=0.05, a_max=100.0, v_max=4.0)
    return there.then(there.reversed())


def effective(model: pp.Model, motion: Motion) -> np.ndarray:
    """Root of the mean square of the motor torques, by the midpoints of ten thousand steps."""
    t = (np.arange(10_000) + 0.5) / 10_000 * motion.duration
    state = motion.at(t)
    return np.sqrt(np.mean(model.drive_torque(state.x, state.xd, state.xdd).torque ** 2, axis=0))


def test_a_hot_motion_is_slowed_until_a_motor_has_its_rated_torque() -> None:
    model, motion = rated(12.0), cycle()
    assert effective(model, motion).max() > 1.5 * 12.0
    slower = enduring(model, motion)
    assert effective(model, slower).max() == pytest.approx(12.0, rel=1e-3)
    factor = slower.duration / motion.duration
    assert np.allclose(slower.at(0.3 * slower.duration).x, motion.at(0.3 * motion.duration).x)
    assert factor > 1.0
    assert enduring(model, motion, rated=24.0).duration < slower.duration


def test_a_cool_motion_stays_what_it_is() -> None:
    motion = cycle()
    assert enduring(rated(1000.0), motion) is motion
    assert enduring(pp.load("delta-nr"), motion, rated=None) is motion


def test_a_rating_that_does_not_hold_the_plate_is_refused() -> None:
    with pytest.raises(OverheatingError, match=r"to hold the plate; its rated torque is 0\.1 N m"):
        enduring(rated(0.1), cycle())
    with pytest.raises(pp.errors.ParameterError, match=r"drive\.rated_torque: the file of delta-nr does not state it"):
        enduring(pp.load("delta-nr"), cycle())


def turning(stall: float) -> pp.Model:
    """Motors whose continuous torque falls to a fifth of the stall torque at 10 rad/s."""
    robot = pp.load("delta-nr").robot
    changes = {"stall_torque": stall, "rated_torque": 0.2 * stall, "rated_speed": 10.0}
    return pp.Model(dataclasses.replace(robot, drive=dataclasses.replace(robot.drive, **changes)))


def test_speed_heats_too_where_the_file_says_so() -> None:
    """The mean of `tau^2 + C(0)^2 - C(w)^2`, integrated anew at midpoints, is the square of the stall torque."""
    slower = endurance(turning(20.0), cycle())
    assert slower.decides == "motor torque, RMS"
    t = (np.arange(10_000) + 0.5) / 10_000 * slower.motion.duration
    state = slower.motion.at(t)
    load = turning(20.0).drive_torque(state.x, state.xd, state.xdd)
    line = 20.0 * np.maximum(1.0 - 0.08 * np.abs(load.speed), 0.0)
    heat = np.mean(load.torque**2 + 20.0**2 - line**2, axis=0)
    assert np.sqrt(heat.max()) == pytest.approx(20.0, rel=1e-3)
    assert slower.motion.duration > enduring(rated(20.0), cycle()).duration


def test_gearboxes_endure_without_a_rated_torque() -> None:
    robot = pp.load("delta-nr").robot
    drive = dataclasses.replace(robot.drive, gearbox=Gearbox(mean_torque=12.0))
    model = pp.Model(dataclasses.replace(robot, drive=drive))
    slower = endurance(model, cycle(), rated=None)
    assert slower.decides == "gearbox torque, mean"
    assert Ride.along(model, slower.motion).cycle.gearbox_mean.max() == pytest.approx(12.0, rel=1e-3)
