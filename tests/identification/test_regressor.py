"""Torques are linear in inertial numbers: the columns against torques of robots with other numbers."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.identification import base_parameters
from parapick.identification.regressor import columns_along
from parapick.mechanism import Payload
from parapick.parameters import leaves
from parapick.ride.samples import Pose

LOAD = Payload(0.7, (0.03, -0.02, 0.05), 0.004)
MOMENTS = [0.7, 0.7 * 0.03, -0.7 * 0.02, 0.7 * 0.05, 0.004 + 0.7 * (0.03**2 + 0.02**2)]


def states(dof: int, home: tuple[float, ...]) -> Pose:
    random = np.random.default_rng(1)
    x = np.array(home) + 0.02 * random.standard_normal((30, dof))
    return Pose(x, random.standard_normal((30, dof)), 10.0 * random.standard_normal((30, dof)))


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
@pytest.mark.parametrize("name", ["par4", "fivebar-spindle", "delta-linear", "delta-r4"])
def test_columns_give_the_torques_of_another_robot(name: str) -> None:
    model = pp.load(name)
    motion = states(model.robot.dof, model.robot.home)
    columns = columns_along(model, motion)
    numbers = dict(leaves(model.robot))
    paths = columns.paths[: -len(MOMENTS)]
    factors = 1.0 + 0.1 * np.arange(1, len(paths) + 1)
    other = {path: factor * numbers[path] for path, factor in zip(paths, factors, strict=True) if numbers[path] > 0.0}
    heavier = model.with_parameters(other).with_payload(LOAD)
    change = np.array([other.get(path, 0.0) - numbers[path] for path in paths] + MOMENTS)
    rotors = columns.rotor_torque + columns.rotors @ change
    rest = columns.torque + columns.rest @ change
    torque = heavier.inverse_dynamics(*motion)
    if model.robot.redundant:
        # Motors share as they like: what they do to the plate is what follows.
        both = np.einsum("tij,ti->tj", columns.jacobian, torque)
        assert rest + np.einsum("tij,ti->tj", columns.jacobian, rotors) == pytest.approx(both, abs=1e-9)
    else:
        assert rotors + rest == pytest.approx(torque, abs=1e-10)


@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
def test_sums_that_no_motion_tells_apart_are_named() -> None:
    known = base_parameters(pp.load("fivebar-spindle"))
    sums = {one.name: dict(one.others) for one in known.sums}
    # Rotors count by the square of their ratio; the horizontal arm's weight does nothing.
    assert sums["limb.arm_inertia"] == pytest.approx({"drive.inertia": 64.0**2, "drive.gearbox_inertia": 64.0**2})
    assert sums["plate.mass"] == pytest.approx({"gripper.mass": 1.0})
    assert "limb.arm_mass" in known.idle
    assert "gripper.mass offset.3" in known.idle
    assert known.dependent["drive.inertia"] == ("limb.arm_inertia",)


def test_a_sum_is_what_it_says() -> None:
    """Moving an amount from one number of a sum to another changes no torque."""
    model = pp.load("par4")
    motion = states(4, model.robot.home)
    numbers = dict(leaves(model.robot))
    sums = {one.name: one.others for one in base_parameters(model).sums}
    factor = sums["limb.arm_inertia"]["drive.inertia"]
    moved = {
        "limb.arm_inertia": numbers["limb.arm_inertia"] + factor * 0.001,
        "drive.inertia": numbers["drive.inertia"] - 0.001,
    }
    assert model.with_parameters(moved).inverse_dynamics(*motion) == pytest.approx(
        model.inverse_dynamics(*motion), abs=1e-11
    )
