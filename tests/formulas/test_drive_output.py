"""Torques at the outputs of gearboxes with those of the shafts: the same torques, and what the shafts leave over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.formulas import expression_of
from parapick.mechanism import Friction, Gearbox
from parapick.motors import LEAST_NORM, LEAST_PEAK, passed_torque
from parapick.ride import Ride


def geared(name: str, sharing: str) -> pp.Model:
    robot = pp.load(name).robot
    drive = replace(
        robot.drive,
        ratio=4.0,
        efficiency=0.9,
        inertia=1e-3,
        friction=Friction(coulomb=0.3),
        gearbox=Gearbox(mean_torque=20.0, static_friction=0.1),
    )
    return pp.Model(replace(robot, drive=drive), sharing=sharing)


@pytest.mark.parametrize("sharing", [LEAST_NORM, LEAST_PEAK])
def test_outputs_of_a_redundant_robot_follow_its_sharing(sharing: str) -> None:
    model = geared("r4-100g", sharing)
    ride = Ride.along(model, pp.adept_cycle(model, cycles_per_minute=100), 200.0)
    name = "least_peak_drive_output" if sharing == LEAST_PEAK else "drive_output"
    torque, speed, output = ride.kernel(name)
    np.testing.assert_allclose(torque, ride.loads.torque, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(speed, ride.loads.speed, rtol=1e-9, atol=1e-9)
    samples = ride.samples
    acceleration = model.joint_accelerations(samples.x, samples.xd, samples.xdd)
    moving = np.abs(ride.joint_speed) > 1e-6
    passed = passed_torque(model.motors, torque, ride.joint_speed, acceleration)
    np.testing.assert_allclose(passed[moving], output[moving], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", ["drive_output", "least_peak_drive_output"])
def test_an_expression_has_shafts_and_outputs(name: str) -> None:
    robot = geared("r4-100g", LEAST_NORM).robot
    shapes = {port: value.shape for port, value in expression_of(name, robot).outputs.items()}
    assert shapes == dict.fromkeys(("torque", "speed", "output"), (robot.motors, 1))
