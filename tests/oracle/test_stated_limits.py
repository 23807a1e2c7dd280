"""Torque at the output of gearboxes and forces along rods, against the joint forces of an independent engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oracle.descriptions import CASES, GEARED
from parapick.mechanism import Brake, Gearbox
from parapick.model import Model
from parapick.multibody import assemble, inverse_dynamics
from parapick.ride import instant_loads

NAMES = ("delta-3", "h4", "telescope")
"""Robots with as many pairs of rods as their plate needs: more may be preloaded."""
TOLERANCE = 1e-7
"""Share of the largest value, as far as the engine's constraints are solved."""


@pytest.mark.parametrize("name", NAMES)
def test_gearboxes_and_rods_bear_what_the_engine_says(name: str) -> None:
    case = CASES[name]
    drive = replace(GEARED, gearbox=Gearbox(peak_torque=1.0), brake=Brake(inertia=2e-5), encoder_inertia=1e-6)
    bounds = replace(case.robot.limits, rod_pull=1.0, rod_push=1.0)
    model = Model(replace(case.robot, drive=drive, limits=bounds))
    rng, dof = np.random.default_rng(5), case.robot.dof
    x, size = case.poses(4, 5), np.array([1.0, 1.0, 0.5, 3.0])[:dof]
    xd, xdd = rng.normal(size=(4, dof)) * size, 20 * rng.normal(size=(4, dof)) * size
    found = {loads.kind.key: loads.values for loads in instant_loads(model, x, xd, xdd)}
    whole = assemble(model.robot)
    # A gearbox passes what its joint would need with a rotor that weighs nothing.
    free = assemble(
        replace(model.robot, drive=replace(drive, inertia=0.0, gearbox_inertia=0.0, brake=None, encoder_inertia=None))
    )
    for k in range(len(x)):
        loads = inverse_dynamics(whole, x[k], xd[k], xdd[k])
        ends = np.stack([loads.tension_elbow, loads.tension_plate])
        for key, wanted in (("rod_pull", ends.max(axis=0)), ("rod_push", -ends.min(axis=0))):
            # The engine counts the rods of a pair the other way.
            own = found[key][k].reshape(wanted.shape)
            assert np.abs(np.sort(own) - np.sort(wanted)).max() <= TOLERANCE * np.abs(ends).max()
        arms = slice(0, model.robot.arms)
        passed = np.abs(inverse_dynamics(free, x[k], xd[k], xdd[k]).tau)[arms]
        assert np.abs(found["gearbox"][k][arms] - passed).max() <= TOLERANCE * passed.max()
