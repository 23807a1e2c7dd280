"""Inner forces: Newton's and Euler's laws for plate, rods and arms, each written out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.formulas.buckling import buckling_load
from parapick.mechanism.payload import Payload
from parapick.model.forces import InnerForces
from parapick.parameters import resolved
from poses import MASSIVE, ROBOTS, by_kind, workspace_poses

DELTAS = [name for name in ROBOTS if name.startswith(("delta-nr", "delta-r", "r4"))]


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


@pytest.mark.parametrize("name", by_kind(MASSIVE))
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
    shares = [
        c / length if c else 0.5
        for c, length in zip(
            _legs(robot.limb.rod_center, robot.arms), _legs(robot.limb.rod_length, robot.arms), strict=True
        )
    ]
    q = model.inverse_kinematics(x)
    found = []
    for row, angles in zip(x, q, strict=True):
        ends = np.array(plate(row)).T
        elbows = []
        for i, leg in enumerate(robot.rod_legs()):
            if robot.limb.body == "carriage":
                elbows.append(np.array(ca.DM(leg.base)).ravel() + angles[i] * np.array(ca.DM(leg.axis)).ravel())
                continue
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


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_axial_forces_are_what_the_ends_pull(name: str) -> None:
    """A massless rod carries one and the same force from end to end, along itself."""
    model = pp.load(name)
    limb = dataclasses.replace(model.robot.limb, rod_mass=0.0, rod_inertia=None, rod_model="slender")
    light = pp.Model(dataclasses.replace(model.robot, limb=limb))
    x, xd, xdd = states(light)
    forces = light.inner_forces(x, xd, xdd)
    assert forces.axial_plate.shape == (len(x), light.robot.arms, light.robot.limb.rods)
    np.testing.assert_allclose(forces.axial_elbow, forces.axial_plate, rtol=1e-9, atol=1e-8)
    size = np.linalg.norm(forces.plate, axis=-1)
    np.testing.assert_allclose(np.abs(np.sum(forces.axial_plate, axis=-1)), size, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(forces.elbow, -forces.plate, rtol=1e-9, atol=1e-8)


@dataclasses.dataclass(frozen=True)
class Rods:
    """Rods of a Delta by hand: unit vectors (T, legs, 3), their ends and forces on the plate (T, legs, 2, 3)."""

    along: np.ndarray
    pair: np.ndarray
    ends: np.ndarray
    on_plate: np.ndarray


def rods_of(model: pp.Model, x: np.ndarray, forces: InnerForces) -> Rods:
    """Ends are taken from the plate's centre; a pair stands along the tangent, counter-clockwise."""
    robot = model.robot
    angles, zeros = np.array(robot.base.angles), np.zeros(robot.arms)
    outward = np.stack([np.cos(angles), np.sin(angles), zeros], axis=-1)
    tangent = np.stack([-np.sin(angles), np.cos(angles), zeros], axis=-1)
    q = model.inverse_kinematics(x)[..., : robot.arms, None]
    elbow = (robot.base.radius + robot.limb.arm * np.cos(q)) * outward + robot.limb.arm * np.sin(q) * [0, 0, 1]
    joint = robot.plate.radius * outward
    along = (x[:, None, :3] + joint - elbow) / robot.limb.rod_length
    np.testing.assert_allclose(np.linalg.norm(along, axis=-1), 1, rtol=1e-9)
    across = forces.plate - np.sum(forces.plate * along, axis=-1, keepdims=True) * along
    on_plate = across[:, :, None, :] / 2 - forces.axial_plate[..., None] * along[:, :, None, :]
    sides = np.array([-0.5, 0.5])[:, None] * robot.limb.rod_spacing
    return Rods(along, tangent, joint[:, None, :] + sides * tangent[:, None, :], on_plate)


@pytest.mark.parametrize("name", [*DELTAS, "delta-4"])
def test_rods_keep_the_plate_level(name: str) -> None:
    """Euler's law for a plate that does not turn, with a load beside its centre; a telescope takes the yaw moment."""
    offset = np.array([0.05, -0.03, -0.08])
    model = pp.load(name).with_payload(Payload(mass=0.4, offset=(0.05, -0.03, -0.08), inertia=1e-3))
    x, xd, xdd = states(model)
    forces = model.inner_forces(x, xd, xdd)
    rods = rods_of(model, x, forces)
    np.testing.assert_allclose(np.sum(rods.on_plate, axis=2), forces.plate, rtol=0, atol=1e-9)
    moment = np.sum(np.cross(rods.ends, rods.on_plate), axis=(1, 2))
    acceleration = xdd[:, :3] + np.array([0.0, 0.0, model.robot.gravity])
    if model.robot.dof == 4:
        yaw = np.exp(1j * x[:, 3])
        arm = (offset[0] + 1j * offset[1]) * yaw
        turning = (1j * xdd[:, 3] - xd[:, 3] ** 2) * arm
        acceleration += np.stack([turning.real, turning.imag, np.zeros(len(x))], axis=-1)
        needed = np.cross(np.stack([arm.real, arm.imag, np.full(len(x), offset[2])], axis=-1), 0.4 * acceleration)
        needed[:, 2] = 0.0
    else:
        needed = np.cross(offset, 0.4 * acceleration)
    assert np.max(np.abs(needed)) > 1
    np.testing.assert_allclose(moment, needed, rtol=0, atol=1e-9 * np.max(np.abs(forces.axial_plate)))


@pytest.mark.parametrize("name", DELTAS)
def test_rods_carry_no_preload(name: str) -> None:
    """Differences of least norm do no work on a preload: differences that put no moment on the plate."""
    model = pp.load(name)
    x, xd, xdd = states(model)
    forces = model.inner_forces(x, xd, xdd)
    rods = rods_of(model, x, forces)
    difference = forces.axial_plate[..., 1] - forces.axial_plate[..., 0]
    preloads = [np.linalg.svd(rows.T)[2][3:] for rows in np.cross(rods.pair, rods.along)]
    assert preloads[0].shape == (model.robot.arms - 3, model.robot.arms)
    for own, preload in zip(difference, preloads, strict=True):
        np.testing.assert_allclose(preload @ own, 0, rtol=0, atol=1e-9 * np.max(np.abs(difference)))


def test_equal_shares_are_wrong_by_a_factor() -> None:
    model = pp.load("delta-nr")
    forces = model.inner_forces(*states(model))
    equal = np.max(np.abs(np.mean(forces.axial_elbow, axis=-1)))
    assert np.max(np.abs(forces.axial_elbow)) > 1.5 * equal


def test_pairs_of_unknown_spacing_share_equally() -> None:
    model = pp.load("par4")
    limb = dataclasses.replace(model.robot.limb, rod_spacing=None)
    plain = pp.Model(dataclasses.replace(model.robot, limb=limb))
    state = states(model)
    forces, known = plain.inner_forces(*state), model.inner_forces(*state)
    assert forces.axial_elbow.shape == (20, 4, 2)
    np.testing.assert_array_equal(forces.axial_elbow[..., 0], forces.axial_elbow[..., 1])
    np.testing.assert_allclose(np.sum(forces.axial_elbow, axis=-1), np.sum(known.axial_elbow, axis=-1), rtol=1e-9)
    np.testing.assert_allclose(forces.bearing, known.bearing, rtol=1e-9, atol=1e-9)


def test_wider_pairs_carry_smaller_differences() -> None:
    """The moment that keeps the plate level is the same, and so is the moment on the arm."""
    model = pp.load("par4")
    wide = model.with_parameters({"limb.rod_spacing": 0.2})
    state = states(model)
    forces, other = model.inner_forces(*state), wide.inner_forces(*state)
    difference, half = (np.diff(f.axial_plate, axis=-1) for f in (forces, other))
    np.testing.assert_allclose(difference, 2 * half, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(forces.bearing_moment, other.bearing_moment, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "arms"), [("spara3", 3), ("fivebar-spindle", 2)])
def test_single_rods_have_an_axis_too(name: str, arms: int) -> None:
    model = pp.load(name)
    x, xd, xdd = states(model, 4)
    assert model.inner_forces(x, xd, xdd).axial_elbow.shape == (4, arms, 1)
    assert model.inner_forces(x[0], xd[0], xdd[0]).axial_plate.shape == (arms, 1)


def test_no_forces_keep_the_plate_level_at_an_internal_singularity() -> None:
    """Pose of nabat2005, erratum E10: the motors hold the plate's centre, but nothing holds its orientation."""
    model = pp.load("par4")
    singular = np.array([-0.523, 0.517756789037, -0.343446008990, 0.602])
    rest = np.zeros(4)
    near = [model.inner_forces(singular + np.array([0, 0, d, 0]), rest, rest) for d in (0.0, 1e-3, 1e-2)]
    assert all(np.isnan(getattr(near[0], field.name)).all() for field in dataclasses.fields(InnerForces))
    assert np.isfinite(model.inverse_dynamics(singular, rest, rest)).all()
    assert np.max(np.abs(near[1].axial_plate)) > 5 * np.max(np.abs(near[2].axial_plate)) > 0


def test_hanging_plate_pulls_its_rods() -> None:
    model = pp.load("delta-nr")
    forces = model.inner_forces(model.robot.home, np.zeros(3), np.zeros(3))
    assert np.all(forces.axial_plate > 0)
    frame = np.sum(forces.bearing, axis=0)
    limb = model.robot.limb
    weight = 9.81 * (model.robot.plate.mass + 3 * (limb.arm_mass + 2 * limb.rod_mass))
    np.testing.assert_allclose(frame, [0, 0, weight], rtol=1e-9, atol=1e-9)


TUBE = dataclasses.replace(
    pp.load("par4").robot.limb, rod_modulus=70e9, rod_radius=0.008, rod_bore=0.007, rod_length=0.8
)


def test_buckling_load() -> None:
    expected = np.pi**2 * 70e9 * np.pi / 64 * (0.016**4 - 0.014**4) / 0.8**2
    assert buckling_load(TUBE) == pytest.approx(expected)
    with pytest.raises(ParameterError, match="rod_modulus"):
        buckling_load(dataclasses.replace(TUBE, rod_modulus=None))
