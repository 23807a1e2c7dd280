"""Stiffness of the tool against the Jacobian, and against a robot whose links are taken as springs one by one."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick import capability as cap
from parapick.capability import Elasticity
from parapick.capability.capability_answer import capability_answer
from parapick.capability.index import INDICES
from parapick.capability.index_types import IndexOptions
from parapick.motors.motors import SERVO
from poses import workspace_poses


@pytest.mark.parametrize("name", ["delta-r4", "par4", "fivebar-spindle"])
def test_servos_alone_give_the_jacobian_squared(name: str) -> None:
    model = pp.load(name)
    x, servo = workspace_poses(model, 8), np.arange(1.0, model.robot.motors + 1) * 1e4
    jacobian = model.inverse_jacobian(x)
    expected = np.swapaxes(jacobian, -1, -2) @ (servo[:, None] * jacobian)
    found = cap.stiffness(model, x, servo=servo)
    np.testing.assert_allclose(found.matrix, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    # A force without a moment: the translational block of the compliance, inverted.
    soft = np.linalg.inv(np.linalg.inv(expected)[..., :3, :3])
    values = np.linalg.eigvalsh(soft)
    np.testing.assert_allclose(found.smallest, values[..., 0], rtol=1e-8)
    np.testing.assert_allclose(found.largest, values[..., -1], rtol=1e-8)
    np.testing.assert_allclose(found.ratio, found.largest / found.smallest, rtol=1e-14)


def test_one_default_for_the_servos_in_every_answer() -> None:
    """A pose asked of Python, of `capability`, of a map and of a study's measure: the same stiffness."""
    model = pp.load("delta-r4")
    one, twice = (cap.stiffness(model, model.robot.home, **options) for options in ({}, {"servo": 2 * SERVO}))
    assert twice.smallest == pytest.approx(2 * one.smallest, rel=1e-14)
    answer = capability_answer(model, model.robot.home, IndexOptions())
    row = {name: (title, value) for name, title, value, _ in answer.table("values").rows}["stiffness"]
    assert row[1] == pytest.approx(float(one.smallest), rel=1e-12)
    assert f"servo {SERVO:g} N m/rad" in row[0]
    index = INDICES["stiffness"]
    assert index.heading(IndexOptions()) == row[0]
    assert float(index.function(model, np.array([model.robot.home]), IndexOptions())[0]) == row[1]
    assert Elasticity().servo == IndexOptions().servo == SERVO


def test_rods_alone_are_springs_between_elbow_and_plate() -> None:
    """With motors that hardly give way the plate hangs on the rods: rows of lengths differentiated at fixed motors."""
    model = pp.load("par4")
    limb, axial, step = model.robot.limb, 2e6, 1e-6
    for pose in workspace_poses(model, 4):
        q = model.inverse_kinematics(pose)
        ahead, behind = (model.closure_residual(pose + sign * step * np.eye(4), q) for sign in (1, -1))
        rows = (ahead - behind).T / (2 * step)
        expected = rows.T @ rows * (limb.rods * axial / limb.rod_length)
        found = cap.stiffness(model, pose, servo=1e14, rods=axial)
        np.testing.assert_allclose(found.matrix, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())


def test_arms_alone_are_cantilevers() -> None:
    """At a pose where a rod stands across its arm the arm bends with 3 E I / l^3; along it, it does not."""
    model = pp.load("delta-nr").with_parameters({"base.radius": 0.1, "plate.radius": 0.1})
    # Level arms and rods that hang straight down would need elbows above the plate: take the general formula's limits.
    bending, pose = 5e3, np.array([0.0, 0.0, -0.7])
    q = model.inverse_kinematics(pose)
    arm = 0.35 * np.stack([np.cos(q), np.zeros(3), np.sin(q)], axis=-1)
    rod = np.array([0.0, 0.0, -0.7]) - arm
    across = 1 - (np.einsum("ij,ij->i", arm, rod) / (0.35 * 0.8)) ** 2
    angles = np.array(model.robot.base.angles)
    turned = [np.array([r[0] * np.cos(a), r[0] * np.sin(a), r[2]]) / 0.8 for r, a in zip(rod, angles, strict=True)]
    expected = sum(3 * bending / (0.35**3 * c) * np.outer(s, s) for c, s in zip(across, turned, strict=True))
    found = cap.stiffness(model, pose, servo=1e14, arms=bending)
    np.testing.assert_allclose(found.matrix, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_compliances_add_in_series() -> None:
    """A symmetric leg: the compliance of the plate is that of servos, rods and arms together."""
    model = pp.load("delta-nr")
    x = workspace_poses(model, 5)
    rigid = 1e16
    parts = [
        cap.stiffness(model, x, servo=1e4),
        cap.stiffness(model, x, servo=rigid, rods=1e6),
        cap.stiffness(model, x, servo=rigid, arms=1e4),
    ]
    whole = cap.stiffness(model, x, servo=1e4, rods=1e6, arms=1e4)
    # A robot with as many legs as freedoms: leg forces follow from the force alone, so compliances add as matrices.
    added = np.linalg.inv(sum(np.linalg.inv(part.matrix) for part in parts))
    np.testing.assert_allclose(whole.matrix, added, rtol=1e-6, atol=1e-6 * np.abs(added).max())


def test_rods_by_the_file() -> None:
    bare = pp.load("irb360")
    with pytest.raises(
        pp.errors.ParameterError, match=r"limb.rod_modulus: the file of irb360 does not state it; give rods="
    ):
        cap.stiffness(bare, bare.robot.home, rods="file")
    model = pp.load("par4")
    given = 70e9 * np.pi * (0.008**2 - 0.006**2)
    by_file, by_hand = (cap.stiffness(model, model.robot.home, servo=1e4, rods=rods) for rods in ("file", given))
    np.testing.assert_array_equal(by_file.matrix, by_hand.matrix)


def test_wrong_input_is_refused() -> None:
    model = pp.load("par4")
    for name, value in (("servo", 0.0), ("rods", -1.0), ("arms", 0.0)):
        with pytest.raises(pp.errors.ParameterError, match=f"{name}.* greater than 0"):
            cap.stiffness(model, model.robot.home, **{name: value})
    assert np.isnan(cap.stiffness(model, [2.0, 0, -0.7, 0]).matrix).all()
