"""Inner forces: Newton's and Euler's laws for plate, rods and arms, each written out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from poses import ROBOTS, workspace_poses

import parapick as pp
from parapick.errors import ParameterError
from parapick.mechanism import resolved
from parapick.model.dynamics import missing_masses
from parapick.model.forces import buckling_load

DELTAS = [name for name in ROBOTS if name.startswith(("delta-nr", "delta-r", "r4"))]
MASSIVE = [name for name in ROBOTS if not missing_masses(pp.load(name).robot)]


def states(model: pp.Model, count: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x = workspace_poses(model, count, 1)
    return x, rng.normal(size=x.shape), 50 * rng.normal(size=x.shape)


@pytest.mark.parametrize("name", DELTAS)
def test_rods_carry_the_plate_and_its_load(name: str) -> None:
    model = pp.load(name).with_payload(0.4)
    x, xd, xdd = states(model)
    carried = np.sum(model.inner_forces(x, xd, xdd).plate, axis=-2)
    needed = (model.robot.plate.mass + 0.4) * (xdd + np.array([0, 0, model.robot.gravity]))
    np.testing.assert_allclose(carried, needed, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", MASSIVE)
def test_rods_obey_newton(name: str) -> None:
    """What arm and plate exert on the rods of a leg moves their mass and carries their weight."""
    model = pp.load(name)
    robot = resolved(model.robot)
    x, xd, xdd = states(model)
    forces = model.inner_forces(x, xd, xdd)
    on_rods = -(forces.elbow + forces.plate)
    step = 1e-5
    points = [centres(model, x + xd * t + xdd * t**2 / 2) for t in (-step, 0.0, step)]
    acceleration = (points[0] - 2 * points[1] + points[2]) / step**2
    masses = robot.limb.rods * np.broadcast_to(robot.limb.rod_mass, robot.arms)[:, None]
    needed = masses * (acceleration + np.array([0, 0, robot.gravity]))
    np.testing.assert_allclose(on_rods, needed, atol=2e-4 * np.max(np.abs(needed)))


def centres(model: pp.Model, x: np.ndarray) -> np.ndarray:
    """Centres of mass of the rods (T, arms, 3), from elbows by joint angles and plate points by rod directions."""
    import casadi as ca

    robot = resolved(model.robot)
    symbol = ca.SX.sym("x", robot.dof)
    plate = ca.Function("plate", [symbol], [ca.horzcat(*robot.points(symbol))])
    shares = [c / length if c else 0.5 for c, length in zip(_legs(robot.limb.rod_center, robot.arms), _legs(robot.limb.rod_length, robot.arms), strict=True)]
    q = model.inverse_kinematics(x)
    found = []
    for row, angles in zip(x, q, strict=True):
        ends = np.array(plate(row)).T
        elbows = []
        for i, leg in enumerate(robot.legs()[: robot.arms]):
            phi = float(leg.zero) + float(leg.sign) * angles[i]
            arm = float(leg.arm) * (np.cos(phi) * np.array(ca.DM(leg.forward)) + np.sin(phi) * np.array(ca.DM(leg.up)))
            elbows.append((np.array(ca.DM(leg.base)) + arm).ravel())
        share = np.array(shares)[:, None]
        found.append((1 - share) * np.array(elbows) + share * ends)
    return np.array(found)


def _legs(value: object, count: int) -> list:
    return list(value) if isinstance(value, tuple) else [value] * count


@pytest.mark.parametrize("name", ["delta-nr", "par4", "delta-r6"])
def test_arm_torque_is_what_turns_the_arm_and_pushes_its_rods(name: str) -> None:
    model = pp.load(name)
    robot = model.robot
    x, xd, xdd = states(model)
    forces, tau = model.inner_forces(x, xd, xdd), model.inverse_dynamics(x, xd, xdd)
    q, qdd = model.inverse_kinematics(x), model.joint_accelerations(x, xd, xdd)
    angles = np.array(robot.base.angles)
    inertia = robot.drive.inertia + robot.limb.arm_inertia
    own = inertia * qdd + robot.limb.arm_mass * robot.gravity * robot.limb.arm_center * np.cos(q)
    tangent = np.stack([-np.sin(q) * np.cos(angles), -np.sin(q) * np.sin(angles), np.cos(q)], axis=-1)
    pushed = -robot.limb.arm * np.sum(tangent * forces.elbow, axis=-1)
    np.testing.assert_allclose(own + pushed, tau, rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("name", MASSIVE)
def test_axial_forces_are_what_the_ends_pull(name: str) -> None:
    """A massless rod carries one and the same force from end to end, along itself."""
    model = pp.load(name)
    limb = dataclasses.replace(model.robot.limb, rod_mass=0.0, rod_inertia=None, rod_model="slender")
    light = pp.Model(dataclasses.replace(model.robot, limb=limb))
    x, xd, xdd = states(light)
    forces = light.inner_forces(x, xd, xdd)
    np.testing.assert_allclose(forces.axial_elbow, forces.axial_plate, rtol=1e-9, atol=1e-8)
    size = np.linalg.norm(forces.plate, axis=-1) / light.robot.limb.rods
    np.testing.assert_allclose(np.abs(forces.axial_plate), size, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(forces.elbow, -forces.plate, rtol=1e-9, atol=1e-8)


def test_hanging_plate_pulls_its_rods() -> None:
    model = pp.load("delta-nr")
    forces = model.inner_forces(model.robot.home, np.zeros(3), np.zeros(3))
    assert np.all(forces.axial_plate > 0)
    frame = np.sum(forces.bearing, axis=0)
    limb = model.robot.limb
    weight = 9.81 * (model.robot.plate.mass + 3 * (limb.arm_mass + 2 * limb.rod_mass))
    np.testing.assert_allclose(frame, [0, 0, weight], rtol=1e-9, atol=1e-9)


def test_buckling_load() -> None:
    limb = pp.load("par4").robot.limb
    tube = dataclasses.replace(limb, rod_modulus=70e9, rod_radius=0.008, rod_bore=0.007, rod_length=0.8)
    expected = np.pi**2 * 70e9 * np.pi / 64 * (0.016**4 - 0.014**4) / 0.8**2
    assert buckling_load(tube) == pytest.approx(expected)
    with pytest.raises(ParameterError, match="rod_modulus"):
        buckling_load(dataclasses.replace(limb, rod_modulus=None))
