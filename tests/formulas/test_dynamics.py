"""Dynamics of every robot with masses: against a Lagrangian, against themselves, against printed numbers."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from lagrangian import equations
from parapick.errors import MissingMassError, ParameterError
from parapick.formulas.dynamics import PARTS
from poses import MASSIVE, by_kind, workspace_poses

COUNT = 40


def states(model: pp.Model, count: int = COUNT, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random poses in the workspace with rates of about 1 m/s and accelerations of about 100 m/s2."""
    rng = np.random.default_rng(seed)
    x = workspace_poses(model, count, seed)
    scale = np.array([1, 1, 1, 5.0])[: model.robot.dof]
    return x, scale * rng.normal(size=x.shape), 100 * scale * rng.normal(size=x.shape)


def task_force(model: pp.Model, x: np.ndarray, tau: np.ndarray) -> np.ndarray:
    return np.einsum("...ij,...i->...j", model.inverse_jacobian(x), tau)


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_torques_equal_the_lagrangian(name: str) -> None:
    check_torques(pp.load(name).with_rod_model("slender"))


# Robots whose rods differ: legs of every kind, and bars in the plate. "thirds" is "two-thirds" with another number.
@pytest.mark.parametrize("rod_model", ["halves", "two-thirds", "cylinder"])
@pytest.mark.parametrize("name", ["delta-linear", "delta-nr", "fivebar-spindle", "h4", "par4"])
def test_torques_of_rod_models_equal_the_lagrangian(name: str, rod_model: str) -> None:
    check_torques(pp.load(name).with_rod_model(rod_model))


@pytest.mark.soak
@pytest.mark.parametrize("rod_model", ["slender", "halves", "two-thirds", "thirds", "cylinder"])
@pytest.mark.parametrize("name", MASSIVE)
def test_torques_of_every_robot_and_rod_model_equal_the_lagrangian(name: str, rod_model: str) -> None:
    check_torques(pp.load(name).with_rod_model(rod_model))


def check_torques(model: pp.Model) -> None:
    """The torques of a model do the work of its Lagrangian's forces."""
    x, xd, xdd = states(model)
    lagrange = equations(model.robot)
    expected = np.array([np.array(lagrange(*row)[0]).ravel() for row in zip(x, xd, xdd, strict=True)])
    got = task_force(model, x, model.inverse_dynamics(x, xd, xdd))
    assert np.max(np.abs(got - expected)) < 1e-9 * np.max(np.abs(expected))


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_energies_equal_the_lagrangians(name: str) -> None:
    model = pp.load(name).with_payload(0.7)
    x, xd, xdd = states(model, 10)
    lagrange = equations(model.robot, payload=0.7)
    for row in zip(x, xd, xdd, strict=True):
        force, kinetic, potential = (np.array(v).ravel() for v in lagrange(*row))
        energy = model.energy(row[0], row[1])
        assert energy.kinetic == pytest.approx(kinetic[0], rel=1e-10)
        assert energy.potential == pytest.approx(potential[0], rel=1e-10, abs=1e-10)
        tau = model.inverse_dynamics(*row)
        np.testing.assert_allclose(task_force(model, row[0], tau), force, rtol=1e-9, atol=1e-9 * np.max(np.abs(force)))


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_forward_after_inverse_gives_the_acceleration_back(name: str) -> None:
    model = pp.load(name).with_payload(0.5)
    x, xd, xdd = states(model, 500)
    back = model.forward_dynamics(x, xd, model.inverse_dynamics(x, xd, xdd))
    assert np.max(np.abs(back - xdd)) < 1e-9 * np.max(np.abs(xdd))


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_task_space_form(name: str) -> None:
    model = pp.load(name)
    x, xd, xdd = states(model)
    matrix, rest = model.mass_matrix(x), model.bias(x, xd)
    np.testing.assert_allclose(matrix, np.swapaxes(matrix, -1, -2), rtol=1e-9, atol=1e-12)
    assert np.all(np.linalg.eigvalsh(matrix) > 0)
    force = np.einsum("...ij,...j->...i", matrix, xdd) + rest
    got = task_force(model, x, model.inverse_dynamics(x, xd, xdd))
    np.testing.assert_allclose(got, force, rtol=1e-9, atol=1e-9 * np.max(np.abs(force)))


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_power_balance(name: str) -> None:
    """Power in equals the rate of energy, along the exact motion x + xd t + xdd t^2/2."""
    model = pp.load(name).with_payload(0.3)
    x, xd, xdd = states(model, 30)
    power = np.sum(model.inverse_dynamics(x, xd, xdd) * model.joint_rates(x, xd), axis=-1)
    rate = np.zeros(len(x))
    step = 1e-4 / np.max(np.abs(xdd))
    for weight, k in ((1 / 12, -2), (-2 / 3, -1), (2 / 3, 1), (-1 / 12, 2)):
        t = k * step
        energy = model.energy(x + xd * t + xdd * t**2 / 2, xd + xdd * t)
        rate += weight * (energy.kinetic + energy.potential) / step
    assert np.max(np.abs(power - rate)) < 1e-7 * np.max(np.abs(power))


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_parts_add_up(name: str) -> None:
    model = pp.load(name).with_payload(1.0)
    x, xd, xdd = states(model)
    parts = model.torque_parts(x, xd, xdd)
    assert tuple(parts) == PARTS
    total = sum(parts.values())
    tau = model.inverse_dynamics(x, xd, xdd)
    np.testing.assert_allclose(total, tau, rtol=1e-10, atol=1e-10 * np.max(np.abs(tau)))
    weightless = model.with_gravity(0.0).inverse_dynamics(x, xd, xdd)
    np.testing.assert_allclose(tau - parts["gravity"], weightless, rtol=1e-9, atol=1e-9 * np.max(np.abs(tau)))


@pytest.mark.parametrize("name", by_kind([name for name in MASSIVE if not pp.load(name).robot.redundant]))
def test_joint_space_and_mixed_forms(name: str) -> None:
    model = pp.load(name)
    x, xd, xdd = states(model)
    tau = model.inverse_dynamics(x, xd, xdd)
    qd, qdd = model.joint_rates(x, xd), model.joint_accelerations(x, xd, xdd)
    matrix, coriolis, gravity = model.joint_space(x, xd)
    joint = np.einsum("...ij,...j->...i", matrix, qdd) + np.einsum("...ij,...j->...i", coriolis, qd) + gravity
    np.testing.assert_allclose(joint, tau, rtol=1e-8, atol=1e-8 * np.max(np.abs(tau)))
    mixed = model.mixed_space(x, xd)
    np.testing.assert_allclose(
        np.einsum("...ij,...j->...i", mixed.M_p, xdd) + mixed.n_p, tau, rtol=1e-9, atol=1e-9 * np.max(np.abs(tau))
    )
    step = 1e-6
    ahead, behind = model.joint_space(x + step * xd, xd).M, model.joint_space(x - step * xd, xd).M
    skew = (ahead - behind) / (2 * step) - 2 * coriolis
    assert np.max(np.abs(skew + np.swapaxes(skew, -1, -2))) < 1e-6 * np.max(np.abs(coriolis))


@pytest.mark.parametrize("name", [name for name in MASSIVE if pp.load(name).robot.redundant])
def test_sharing_rules(name: str) -> None:
    from scipy.optimize import linprog

    model = pp.load(name)
    x, xd, xdd = states(model, 20)
    plain = model.inverse_dynamics(x, xd, xdd)
    peak = model.inverse_dynamics(x, xd, xdd, sharing="least-peak")
    force = task_force(model, x, plain)
    np.testing.assert_allclose(task_force(model, x, peak), force, rtol=1e-9, atol=1e-9 * np.max(np.abs(force)))
    jacobian = model.inverse_jacobian(x)
    n = model.robot.motors
    for i in range(len(x)):
        np.testing.assert_allclose(plain[i], np.linalg.pinv(jacobian[i].T) @ force[i], rtol=1e-8, atol=1e-8)
        bounds = np.block([[np.eye(n), -np.ones((n, 1))], [-np.eye(n), -np.ones((n, 1))]])
        equal = np.c_[jacobian[i].T, np.zeros(model.robot.dof)]
        best = linprog([0] * n + [1], bounds, np.zeros(2 * n), equal, force[i], [(None, None)] * (n + 1))
        assert np.max(np.abs(peak[i])) == pytest.approx(best.fun, rel=1e-9)
        assert np.max(np.abs(peak[i])) <= np.max(np.abs(plain[i])) * (1 + 1e-12)


def test_golden_state_of_par4() -> None:
    """nabat2005, recomputed: the paper's model (halves), the slender rod, and at rest."""
    state = [0.1, -0.05, -0.7, 0.3], [1.5, -0.5, 0.3, 4.0], [60.0, -40.0, 30.0, 200.0]
    rest = state[0], [0.0] * 4, [0.0] * 4
    par4 = pp.load("par4")
    np.testing.assert_allclose(par4.inverse_dynamics(*state), [7.8792, -14.3288, 0.1658, 46.4893], atol=6e-5)
    halves = par4.with_rod_model("halves")
    np.testing.assert_allclose(halves.inverse_dynamics(*state), [7.2295, -16.5202, -1.0913, 50.6700], atol=6e-5)
    np.testing.assert_allclose(par4.inverse_dynamics(*rest), [4.1789, 4.3675, 3.8160, 5.5530], atol=6e-5)


def test_actuator_inertia_of_the_five_bar() -> None:
    """righettini2024 (3), corrected: M_act = diag(0.17142, 0.17142, 0.03664, 0.03664) kg m2."""
    model = pp.load("fivebar-spindle")
    parts = model.torque_parts(model.robot.home, np.zeros(4), np.array([1.0, 2.0, 3.0, 4.0]))
    qdd = model.joint_accelerations(model.robot.home, np.zeros(4), np.array([1.0, 2.0, 3.0, 4.0]))
    np.testing.assert_allclose(parts["motors"] / qdd, [0.17142, 0.17142, 0.03664, 0.03664], rtol=2e-4)


def test_singular_pose_is_nan_not_a_huge_number() -> None:
    """Par4 at 90 degrees and at its exact over-mobility: no torque holds the plate."""
    model = pp.load("fivebar-spindle")
    arm, half = model.robot.limb.arm, 0.09
    on_axis = np.sqrt(arm**2 - (arm - half) ** 2)
    x = np.array([0.0, on_axis, 0.0, 0.0])
    assert model.margins(x).over < 1e-7
    assert np.isnan(model.inverse_dynamics(x, np.zeros(4), np.ones(4))).all()


def test_drive_torque_has_friction_ratio_and_efficiency() -> None:
    model = pp.load("fivebar-spindle")
    x, xd, xdd = states(model, 20)
    plain = model.drive_torque(x, xd, xdd)
    ratio = np.array([64, 64, 40, 40])
    np.testing.assert_allclose(plain.torque * ratio, model.inverse_dynamics(x, xd, xdd), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(plain.speed, ratio * model.joint_rates(x, xd), rtol=1e-12)
    rubbed = model.with_parameters({"drive.friction.coulomb": 2.0, "drive.friction.viscous": 3.0})
    extra = rubbed.drive_torque(x, xd, xdd).torque - plain.torque
    qd = model.joint_rates(x, xd)
    np.testing.assert_allclose(extra[:, :2] * 64, 2 * np.sign(qd[:, :2]) + 3 * qd[:, :2], rtol=1e-9)
    np.testing.assert_allclose(extra[:, 2:], 0, atol=1e-12)
    lossy = model.with_parameters({"drive.efficiency": 0.8}).drive_torque(x, xd, xdd)
    motor = np.sum(lossy.torque * lossy.speed, axis=-1)
    joint = np.sum(plain.torque * plain.speed, axis=-1)
    assert np.all(motor >= joint)


def test_what_a_geometry_cannot_answer() -> None:
    import dataclasses

    par4 = pp.load("par4")
    limb = dataclasses.replace(par4.robot.limb, rod_mass=None)
    with pytest.raises(MissingMassError, match=r"limb.rod_mass"):
        pp.Model(dataclasses.replace(par4.robot, limb=limb)).inverse_dynamics(par4.robot.home, [0] * 4, [0] * 4)
    with pytest.raises(ParameterError, match=r"least-peak"):
        par4.inverse_dynamics(par4.robot.home, [0] * 4, [0] * 4, sharing="fair")
    with pytest.raises(ParameterError, match="payload: is -"):
        par4.with_payload(-1.0)
    with pytest.raises(ParameterError, match=r"slender"):
        par4.with_rod_model("bent")
