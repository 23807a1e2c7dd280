"""A ride with another load: what a load changes is computed anew, all else is that of the ride before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Gripper, combined
from parapick.model import Model
from parapick.motion import gate
from parapick.ride import Ride


@pytest.fixture(scope="module")
def model() -> Model:
    return pp.load("par4")


@pytest.fixture(scope="module")
def ride(model: Model) -> Ride:
    motion = gate((-0.1, -0.05, -0.72, 0.0), (0.1, 0.05, -0.7, 0.2), height=0.03, duration=0.4)
    return Ride.along(model, motion.carrying(0.2, 0.1, 0.3), 500.0)


def heavier(ride: Ride) -> np.ndarray:
    load = ride.samples.load.copy()
    load[load[:, 0] > 0.0, 0] = 1.5
    return load


@pytest.mark.parametrize("asked", [True, False])
def test_another_load_is_what_a_fresh_ride_says(ride: Ride, *, asked: bool) -> None:
    before = replace(ride)
    if asked:
        assert before.requirements
        assert before.heat_torque.any()
    loaded = before.bearing(heavier(ride))
    fresh = Ride(ride.model, replace(ride.samples, load=heavier(ride)))
    assert loaded.requirements == fresh.requirements
    np.testing.assert_array_equal(loaded.loads.torque, fresh.loads.torque)
    np.testing.assert_array_equal(loaded.heat_torque, fresh.heat_torque)
    assert not np.array_equal(loaded.loads.torque, ride.loads.torque)


def test_speeds_and_slacks_are_not_computed_again(ride: Ride) -> None:
    before = replace(ride)
    speed, reach = before.joint_speed, before.reach
    loaded = before.bearing(heavier(ride))
    assert loaded.joint_speed is speed
    assert loaded.reach is reach
    faster = before.sped_up(1.5)
    assert faster.reach is reach
    assert faster.joint_speed is not speed


def test_motors_are_those_of_the_robot_whatever_it_holds(model: Model) -> None:
    assert model.with_payload(0.5).motors is model.motors
    assert model.with_sharing("least-norm").motors is model.motors
    geared = model.with_parameters({"drive.ratio": 20.0})
    assert (geared.motors.ratio == 20.0).all()
    assert not (model.motors.ratio == 20.0).any()


@pytest.mark.parametrize("changes", [0, 1, 7, 40])
def test_what_the_tool_holds_is_found_where_it_changes(model: Model, ride: Ride, changes: int) -> None:
    random = np.random.default_rng(changes)
    cuts = np.sort(random.choice(np.arange(1, len(ride.samples.t)), changes, replace=False))
    loads = random.uniform(0.0, 0.4, (changes + 1, 5))
    # What is laid down and taken up again is no other load than before.
    loads[2::2] = loads[0]
    series = np.repeat(loads, np.diff([0, *cuts, len(ride.samples.t)]), axis=0)
    robot = replace(model.robot, gripper=Gripper(mass=0.3, offset=(0.01, 0.02, -0.05), inertia=1e-3))
    gripped = Ride(pp.Model(robot), replace(ride.samples, load=series))
    alone = [combined(gripped.model.gripper.vector(), load) for load in series]
    np.testing.assert_array_equal(gripped.held, alone)
