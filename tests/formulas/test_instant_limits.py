"""Limits of an instant: their values by other ways, and which of them count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parapick as pp
from parapick.formulas import INSTANT, instant_kinds
from parapick.mechanism import Friction, Gearbox
from parapick.ride import counted_note, instant_loads
from stated import constant_power, stating

ALL = {"joint_acceleration": 400.0, "joint_jerk": 9e3, "rod_pull": 150.0, "rod_push": 90.0}
CURVE = constant_power(30.0, 40.0, 200.0)


def states(model: pp.Model, count: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng, home = np.random.default_rng(3), np.array(model.robot.home)
    dof = len(home)
    return (
        home + 0.03 * rng.normal(size=(count, dof)),
        rng.normal(size=(count, dof)),
        30 * rng.normal(size=(count, dof)),
    )


def values(model: pp.Model, *state: np.ndarray, **more: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {loads.kind.key: (loads.values, loads.limits) for loads in instant_loads(model, *state, **more)}


@pytest.mark.parametrize("name", ["par4", "delta-4", "delta-r4"])
def test_values_are_those_of_drives_joints_and_rods(name: str) -> None:
    model = stating(name, curve=CURVE, gearbox=Gearbox(peak_torque=40.0), limits=ALL)
    state = states(model)
    xddd = 1e3 * np.random.default_rng(4).normal(size=state[0].shape)
    found = values(model, *state, xddd=xddd)
    sharing = "least-peak" if model.robot.redundant else "least-norm"
    drives = model.drive_torque(*state, sharing=sharing)
    acceleration = model.joint_accelerations(*state)
    forces = model.inner_forces(*state)
    ends = np.stack([forces.axial_elbow, forces.axial_plate])
    expected = {
        "curve": np.abs(drives.torque),
        "gearbox": np.abs(drives.joint_torque - model.motors.inertia * acceleration),
        "acceleration": np.abs(acceleration),
        "jerk": np.abs(model.joint_jerks(*state, xddd)),
        "rod_pull": ends.max(axis=0).reshape(len(acceleration), -1),
        "rod_push": -ends.min(axis=0).reshape(len(acceleration), -1),
    }
    assert list(found) == [kind.key for kind in INSTANT]
    for key, (value, _) in found.items():
        np.testing.assert_allclose(value, expected[key], rtol=0, atol=1e-9 * np.abs(expected[key]).max())
    np.testing.assert_allclose(found["curve"][1], model.motors.curve_torque(drives.speed), rtol=1e-12)
    assert np.unique(found["rod_push"][1]) == pytest.approx([ALL["rod_push"]])


def test_friction_of_the_gearbox_does_not_pass_it_and_that_of_the_joint_does() -> None:
    """Both load the motor; at the output of the gearbox only that of the joint is felt."""
    bare = stating("par4", gearbox=Gearbox(peak_torque=40.0))
    own = stating("par4", gearbox=Gearbox(peak_torque=40.0, static_friction=0.5, viscous_friction=0.02), ratio=2.0)
    without = replace(own, robot=replace(own.robot, drive=replace(own.robot.drive, gearbox=Gearbox(peak_torque=40.0))))
    joint = stating("par4", gearbox=Gearbox(peak_torque=40.0), friction=Friction(coulomb=1.0, viscous=0.08), ratio=2.0)
    state = states(bare)
    outputs = {key: values(model, *state)["gearbox"][0] for key, model in {"own": own, "without": without}.items()}
    np.testing.assert_allclose(outputs["own"], outputs["without"], rtol=1e-12)
    felt = values(joint, *state)["gearbox"][0]
    assert np.abs(felt - outputs["own"]).max() > 0.9
    np.testing.assert_allclose(own.motors.coulomb, joint.motors.coulomb)
    np.testing.assert_allclose(own.motors.viscous, joint.motors.viscous)
    np.testing.assert_allclose(own.drive_torque(*state).torque, joint.drive_torque(*state).torque, rtol=1e-12)


def test_motors_share_by_what_they_may_give_at_their_speed() -> None:
    """The largest share of the torque over speed is least: no internal torque makes it smaller."""
    from parapick.ride import null_space

    model = stating("delta-r4", curve=CURVE)
    x, xd, xdd = states(model, 20)
    loads = model.drive_torque(x, 3 * xd, xdd, sharing="least-peak")
    most = model.motors.curve_torque(loads.speed)
    share = np.abs(loads.torque) / most
    aside = null_space(model.inverse_jacobian(x))[..., 0]
    for step in (-0.05, 0.05):
        other = np.abs(loads.torque + step * aside) / most
        assert (other.max(axis=1) >= share.max(axis=1) - 1e-12).all()
    assert np.ptp(most, axis=1).max() > 1.0


def test_a_robot_without_masses_has_the_acceleration_of_its_joints() -> None:
    heavy = stating("par4", gearbox=Gearbox(peak_torque=40.0), limits=ALL)
    light = pp.Model(replace(heavy.robot, limb=replace(heavy.robot.limb, rod_mass=None)))
    assert [kind.key for kind in instant_kinds(light.robot)] == ["acceleration", "jerk"]
    state = states(heavy)
    light_values, heavy_values = (values(model, *state)["acceleration"][0] for model in (light, heavy))
    np.testing.assert_allclose(light_values, heavy_values, rtol=1e-12)


def test_what_counts_and_what_is_not_stated_is_said() -> None:
    assert counted_note(pp.load("par4")) == ()
    (note,) = counted_note(stating("par4", limits={"rod_pull": 150.0}), "no jerk")
    before, _, behind = note.partition("Not stated")
    assert "rod pull" in before
    for field in ("drive.curve.peak", "drive.gearbox.peak_torque", "limits.joint_acceleration", "limits.joint_jerk"):
        assert field in behind
    assert note.endswith("no jerk")
