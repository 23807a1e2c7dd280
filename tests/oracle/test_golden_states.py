"""Numbers of independent recomputations, met by the engine alone: nothing of our model takes part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oracle.descriptions import assembled, par4, spara
from parapick.mechanism import Robot
from parapick.mechanism.limb import RodModel
from parapick.mechanism.plates import Parallelogram
from parapick.multibody import Assembly, assemble, inverse_dynamics, set_pose

PAR4 = ((0.1, -0.05, -0.7, 0.3), (1.5, -0.5, 0.3, 4.0), (60.0, -40.0, 30.0, 200.0))
SPARA = ((0.9, 0.2, 0.1), (1.0, -2.0, 0.5), (20.0, -15.0, 10.0))


def with_rods(robot: Robot, model: RodModel) -> Assembly:
    return assemble(replace(robot, limb=replace(robot.limb, rod_model=model)))


def test_nabat2005_golden_pose() -> None:
    q = set_pose(assembled("par4"), PAR4[0]).q
    np.testing.assert_allclose(q, (-0.400704, -0.610940, -0.510572, -0.191733), atol=5e-7)


def test_nabat2005_golden_state() -> None:
    slender = inverse_dynamics(assembled("par4"), *PAR4).tau
    np.testing.assert_allclose(slender, (7.8792, -14.3288, 0.1658, 46.4893), atol=5.1e-5)
    paper = inverse_dynamics(with_rods(par4(), "halves"), *PAR4).tau
    np.testing.assert_allclose(paper, (7.2295, -16.5202, -1.0913, 50.6700), atol=5.1e-5)


def test_nabat2005_static_torques() -> None:
    static = inverse_dynamics(assembled("par4"), PAR4[0], np.zeros(4), np.zeros(4)).tau
    np.testing.assert_allclose(static, (4.1789, 4.3675, 3.8160, 5.5530), atol=5.1e-5)


def test_nabat2005_rods_of_8_mm_change_torques_by_a_millinewtonmetre() -> None:
    thin = inverse_dynamics(assembled("par4"), *PAR4).tau
    thick = inverse_dynamics(assemble(par4(), rod_radius=0.004), *PAR4).tau
    assert 1e-5 < np.max(np.abs(thick - thin)) < 1.3e-3


def test_wu2020_home() -> None:
    here, rest = assembled("asymmetric"), np.zeros(4)
    np.testing.assert_allclose(np.degrees(here.q), (105.87, 74.13, -74.13, -105.87), atol=5e-3)
    loads = inverse_dynamics(here, here.x, rest, rest)
    np.testing.assert_allclose(loads.tau, (-4.671, 5.058, -4.671, 5.058), atol=5.1e-4)
    np.testing.assert_allclose(np.linalg.eigvalsh(joint_mass(here)), (0.171, 0.185, 0.230, 0.845), atol=5.1e-4)


def joint_mass(here: Assembly) -> np.ndarray:
    """Joint-space mass matrix at the pose of an assembly, from unit accelerations."""
    dof = len(here.x)
    loads = inverse_dynamics(here, here.x, np.zeros(dof), np.vstack([np.zeros(dof), np.eye(dof)]))
    task = (loads.force[1:] - loads.force[0]).T
    inverse = np.linalg.inv(loads.jacobian[0])
    return inverse.T @ task @ inverse


def test_spara_golden_pose() -> None:
    np.testing.assert_allclose(assembled("spara3").q, (-0.573418, -2.568175, -0.974513), atol=5e-7)


def test_spara_golden_state() -> None:
    slender = inverse_dynamics(assembled("spara3"), *SPARA).tau
    np.testing.assert_allclose(slender, (-18.2329, 3.6741, 10.4194), atol=5.1e-5)
    halves = inverse_dynamics(with_rods(spara(), "halves"), *SPARA).tau
    np.testing.assert_allclose(halves, (-19.5734, 3.9196, 10.9564), atol=5.1e-5)
    # The engine of the independent computation: cylinders of 10 mm radius on universal joints, spin included.
    cylinders = inverse_dynamics(assemble(spara(), rod_radius=0.01), *SPARA).tau
    np.testing.assert_allclose(cylinders, (-18.2332, 3.6742, 10.4195), atol=5.1e-5)


@pytest.mark.parametrize("x", [(0.0, 0.33, 0.0, 0.0), (0.1, 0.3, -0.005, 2.0)])
def test_righettini2024_mass_matrix_in_closed_form(x: tuple[float, ...]) -> None:
    here = set_pose(assembled("five-bar"), x)
    np.testing.assert_allclose(joint_mass(here), five_bar_mass(here.q, np.array(x[:2])), rtol=0, atol=1e-9)


def five_bar_mass(q: np.ndarray, tip: np.ndarray) -> np.ndarray:
    """righettini2024 (3)-(5), (10), corrected by its erratum E1, with the links' inertia as printed (erratum E4)."""
    length, half, mass, inertia, shaft = 0.25, 0.125, 2.9, 0.0522, 0.36
    u = np.stack([np.cos(q[:2]), np.sin(q[:2])], axis=1)
    n = np.stack([-u[:, 1], u[:, 0]], axis=1)
    elbows = np.array([[-0.09, 0.0], [0.09, 0.0]]) + length * u
    e = (tip - elbows) / length
    f = np.stack([-e[:, 1], e[:, 0]], axis=1)
    tip_rate = np.linalg.solve(e, np.diag(length * np.sum(n * e, axis=1)))
    plane = (inertia + mass * half**2) * np.eye(2) + shaft * tip_rate.T @ tip_rate
    for k in range(2):
        elbow = length * np.outer(n[k], np.eye(2)[k])
        turn = f[k] @ (tip_rate - elbow) / length
        centre = elbow + half * np.outer(f[k], turn)
        plane += mass * centre.T @ centre + inertia * np.outer(turn, turn)
    lift = 0.02 / (2 * np.pi)
    spindle = shaft * lift**2 * np.array([[1.0, -1.0], [-1.0, 1.0]]) + np.diag([1.2e-6, 1.2e-6 + 6.4e-6])
    whole = np.zeros((4, 4))
    whole[:2, :2], whole[2:, 2:] = plane, spindle
    return whole + np.diag([0.1714176, 0.1714176, 0.03664, 0.03664])


def test_golden_states_see_a_wrong_robot() -> None:
    """One percent more mass on the plate moves Par4's golden torques by far more than the tolerance."""
    robot = par4()
    assert isinstance(robot.plate, Parallelogram)
    heavy = replace(robot, plate=replace(robot.plate, mass=1.01 * 0.26))
    change = inverse_dynamics(assemble(heavy), *PAR4).tau - inverse_dynamics(assembled("par4"), *PAR4).tau
    assert np.max(np.abs(change)) > 100 * 5.1e-5
