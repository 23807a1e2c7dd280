"""The compiled loop: one for all numbers, in batches, and for numbers that follow others."""

from __future__ import annotations

import dataclasses

import numpy as np

import parapick as pp
from loops import looped
from parapick.control import PD, Controller, SensedRates
from parapick.kernel import compilations
from parapick.model import Model
from parapick.parameters import Follow, leaves
from parapick.simulation import Loop, parameters_of
from parapick.simulation.loop import Drives
from parapick.simulation.native_loop import initial_state, scan_of
from parapick.simulation.plant import STAGES
from parapick.simulation.series import series_of
from simulation.cases import SERVO, cycle, delta


def test_numbers_are_named_by_their_owner() -> None:
    robot = delta().robot
    loop = Loop(robot, robot, PD((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)), Drives((90.0,) * 3))
    numbers = dict(leaves(loop))
    assert numbers["law.kp.2"] == 2.0
    assert numbers["plant.plate.mass"] == numbers["controller.plate.mass"] == robot.plate.mass
    assert numbers["drives.torque_max.3"] == 90.0


def test_many_gains_masses_and_limits_run_as_one_batch() -> None:
    law = PD((4000.0,) * 3, (50.0,) * 3)
    loops = [
        Loop(
            delta().robot,
            delta().with_parameters({"plate.mass": mass}).robot,
            dataclasses.replace(law, kp=(kp,) * 3),
            Drives((limit,) * 3),
        )
        for kp, mass, limit in ((4000.0, 0.6, 90.0), (2000.0, 0.6, 90.0), (4000.0, 0.9, 90.0), (4000.0, 0.6, 40.0))
    ]
    series = series_of(delta(), delta(), cycle(), Controller(law))
    scan = scan_of(loops[0])
    assert all(scan_of(loop) is scan for loop in loops)
    start = initial_state(loops[0], series.x[0], series.xd[0], scan.states)
    numbers = np.array([parameters_of(loop, 4000.0, 1) for loop in loops])
    runs = scan(start, *series.inputs, numbers, substeps=STAGES).outputs["x"]
    for loop, x in zip(loops, runs, strict=True):
        record = looped(
            Model(loop.controller),
            cycle(),
            loop.law,
            plant=Model(loop.plant),
            torque_max=loop.drives.torque_max,
            substeps=1,
        )
        np.testing.assert_array_equal(record.x, x)
    assert np.max(np.abs(runs[1:] - runs[0]), axis=(1, 2)).min() > 1e-5


def test_a_number_that_follows_another_is_followed_in_its_own_robot() -> None:
    robot = delta().robot
    length = robot.limb.rod_length
    mass = Follow("limb.rod_length", (0.0, robot.limb.rod_mass / length))
    linked = Model(dataclasses.replace(robot, limb=dataclasses.replace(robot.limb, rod_mass=mass)))
    plain = looped(delta(), cycle(), SERVO, substeps=1)
    np.testing.assert_allclose(looped(linked, cycle(), SERVO, substeps=1).x, plain.x, rtol=0, atol=1e-12)


def test_robots_alike_but_for_their_numbers_share_the_loop() -> None:
    law = PD(4000.0, 50.0, velocity=SensedRates())
    looped(delta(), cycle(), law)
    before = compilations()
    looped(delta(), cycle(), law, plant=delta().with_parameters({"limb.rod_length": 0.81, "plate.mass": 0.7}))
    looped(delta(), pp.adept_cycle(delta(), cycles_per_minute=100), law, torque_max=70.0, rate=2000.0)
    assert compilations() == before
