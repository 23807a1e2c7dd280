"""Laws the engine's answers must obey, whoever computes them: equilibrium, energy, power."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from scipy.optimize import brentq

from oracle.descriptions import CASES, assembled
from parapick.errors import ParapickError, ShapeError
from parapick.mechanism.plates import Rigid
from parapick.model import Model
from parapick.multibody import Assembly, assemble, inverse_dynamics, set_pose
from parapick.multibody.engine import mujoco

NAMES = tuple(CASES)
STEP = 1e-4


def state(name: str, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    case, rng = CASES[name], np.random.default_rng(seed)
    dof = case.robot.dof
    size = np.array([1.0, 1.0, 0.5, 3.0])[:dof]
    return case.poses(1, seed)[0], rng.normal(size=dof) * size, 20 * rng.normal(size=dof) * size


def energies(assembly: Assembly, x: np.ndarray, xd: np.ndarray) -> tuple[float, float]:
    """Kinetic and potential energy (J) that the engine itself states."""
    engine = set_pose(assembly, x).engine()
    loops, task = engine.loops()[0], engine.task()[0]
    rows = np.vstack([loops, task])
    velocity = np.linalg.pinv(rows, rcond=1e-10) @ np.concatenate([np.zeros(len(loops)), xd])
    engine.rates(velocity)
    mujoco().mj_energyVel(engine.model, engine.data)
    mujoco().mj_energyPos(engine.model, engine.data)
    potential, kinetic = engine.data.energy
    return float(kinetic), float(potential)


@pytest.mark.parametrize("name", NAMES)
def test_static_force_is_the_slope_of_potential_energy(name: str) -> None:
    here, (x, _, _) = assembled(name), state(name)
    rest = np.zeros_like(x)
    slope = [
        (energies(here, x + dx, rest)[1] - energies(here, x - dx, rest)[1]) / (2 * STEP) for dx in STEP * np.eye(len(x))
    ]
    force = inverse_dynamics(here, x, rest, rest).force
    assert np.max(np.abs(force)) > 0.1
    np.testing.assert_allclose(force, slope, rtol=0, atol=1e-5 * np.max(np.abs(force)))


@pytest.mark.parametrize("name", NAMES)
def test_motor_power_is_the_rate_of_energy(name: str) -> None:
    here, (x, xd, xdd) = assembled(name), state(name)
    loads = inverse_dynamics(here, x, xd, xdd)
    before, after = (sum(energies(here, x + t * xd + t * t * xdd / 2, xd + t * xdd)) for t in (-STEP, STEP))
    power = loads.tau @ loads.qd
    assert power == pytest.approx((after - before) / (2 * STEP), abs=1e-4 * np.abs(loads.tau * loads.qd).max())
    assert power == pytest.approx(loads.force @ xd, rel=1e-9)
    assert loads.power_left < 1e-9


@pytest.mark.parametrize(
    "name", [name for name in NAMES if isinstance(CASES[name].robot.plate, Rigid) and name != "swinging"]
)
def test_rods_carry_the_plate(name: str) -> None:
    """Newton's law for the plate, whose only neighbours are the rods."""
    robot, (x, xd, xdd) = CASES[name].robot, state(name)
    loads = inverse_dynamics(assembled(name), x, xd, xdd)
    mass = cast("float", robot.plate.mass)
    pushed = -loads.rod_plate.sum(axis=(0, 1))
    np.testing.assert_allclose(pushed, mass * (xdd[:3] + np.array([0.0, 0.0, robot.gravity])), rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", ["delta-3", "delta-4", "delta-6", "telescope", "rails", "inclined"])
def test_rods_of_a_pair_keep_the_plate_level(name: str) -> None:
    """The plate does not turn, so the moments of all rods about its centre cancel: pairs cannot share equally."""
    x, xd, xdd = state(name)
    loads, data = inverse_dynamics(assembled(name), x, xd, xdd), set_pose(assembled(name), x).data()
    robot = CASES[name].robot
    levers = [
        [data.site(f"plate{leg + 1}{rod}").xpos - data.site("tool").xpos for rod in "ab"] for leg in range(robot.arms)
    ]
    moments = np.cross(levers, loads.rod_plate).sum(axis=1)
    assert np.max(np.abs(moments)) > 0.1
    np.testing.assert_allclose(moments.sum(axis=0), 0.0, atol=1e-8)
    shared = loads.rod_plate.mean(axis=1, keepdims=True)
    assert np.max(np.abs(np.cross(levers, np.broadcast_to(shared, loads.rod_plate.shape)).sum(axis=(0, 1)))) > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_forces_of_a_leg_are_those_of_the_model(name: str) -> None:
    """Sums over the rods of a leg; how a pair shares them is another matter."""
    states = state(name)
    loads, inner = inverse_dynamics(assembled(name), *states), Model(CASES[name].robot).inner_forces(*states)
    peak = np.max(np.abs(inner.plate))
    # Level links hang on both their joints at once, and how the weight is shared there is not a matter of rigid bodies.
    known = slice(2) if CASES[name].robot.plate.kind == "spindle" else slice(3)
    plate, elbow = -loads.rod_plate.sum(axis=1), -loads.rod_elbow.sum(axis=1)
    np.testing.assert_allclose(plate[..., known], inner.plate[..., known], rtol=0, atol=1e-7 * peak)
    np.testing.assert_allclose(elbow[..., known], inner.elbow[..., known], rtol=0, atol=1e-7 * peak)
    tension, axial = loads.tension_plate.sum(axis=-1), inner.axial_plate.sum(axis=-1)
    np.testing.assert_allclose(tension, axial, rtol=0, atol=1e-7 * peak)
    tension, axial = loads.tension_elbow.sum(axis=-1), inner.axial_elbow.sum(axis=-1)
    np.testing.assert_allclose(tension, axial, rtol=0, atol=1e-7 * peak)


@pytest.mark.parametrize("name", ["delta-3", "delta-4", "par4", "h4", "asymmetric", "spara3", "five-bar"])
def test_motors_carry_arm_and_rods(name: str) -> None:
    """Euler's law for every arm: motor torque, its own inertia and weight, and the rods at its elbow."""
    x, xd, xdd = state(name)
    here = set_pose(assembled(name), x)
    loads, data = inverse_dynamics(here, x, xd, xdd), here.data()
    limb: Any = here.robot.limb
    drive: Any = here.robot.drive
    center, inertia = limb.arm_center or limb.arm / 2, limb.arm_inertia or limb.arm_mass * limb.arm**2 / 3
    whole = inertia + drive.ratio**2 * (drive.inertia + drive.gearbox_inertia)
    for leg, mount in enumerate(here.mounts):
        arm = data.site(f"elbow{leg + 1}").xpos - mount.point
        pull = np.cross(arm, -loads.rod_elbow[leg].sum(axis=0)) @ mount.axis
        weight = np.cross(center / limb.arm * arm, [0.0, 0.0, -limb.arm_mass * here.robot.gravity]) @ mount.axis
        left = loads.tau[leg] + pull + weight - whole * loads.qdd[leg]
        assert abs(left) < 1e-8 * np.abs(loads.tau).max()


@pytest.mark.parametrize("name", ["rails", "inclined", "rails-par4"])
def test_motors_carry_carriage_and_rods(name: str) -> None:
    """Newton's law for every carriage along its rail: motor force, its own inertia and weight, and its rods."""
    here, (x, xd, xdd) = assembled(name), state(name)
    loads, robot = inverse_dynamics(here, x, xd, xdd), here.robot
    masses = np.broadcast_to(getattr(robot.limb, "carriage_mass"), robot.arms)  # noqa: B009
    axes = np.array([mount.frame(0.0)[:, 0] for mount in here.mounts])
    whole = (masses + getattr(robot.drive, "reflected_mass")) * loads.qdd  # noqa: B009
    pull = np.sum(-loads.rod_elbow.sum(axis=1) * axes, axis=-1) - masses * robot.gravity * axes[:, 2]
    assert np.max(np.abs(loads.tau + pull - whole)) < 1e-8 * np.abs(loads.tau).max()


@pytest.mark.parametrize("name", ["delta-3", "par4"])
def test_rods_feel_no_bending_at_the_elbow(name: str) -> None:
    """Moments about the centre of a slender rod: the forces of its ends turn it, nothing else."""
    loads = inverse_dynamics(assembled(name), *state(name))
    limb: Any = CASES[name].robot.limb
    moment = limb.rod_length / 2 * np.cross(loads.rod_direction, loads.rod_plate - loads.rod_elbow)
    # The rod's rate of turn comes from its direction a moment earlier and later.
    x, xd, xdd = state(name)
    nearby = [set_pose(assembled(name), x + t * xd + t * t * xdd / 2) for t in (-STEP, 0.0, STEP)]
    d = [inverse_dynamics(here, here.x, 0 * xd, 0 * xd).rod_direction for here in nearby]
    bend = (d[0] - 2 * d[1] + d[2]) / STEP**2
    wanted = limb.rod_mass * limb.rod_length**2 / 12 * np.cross(d[1], bend)
    np.testing.assert_allclose(moment, wanted, rtol=0, atol=2e-4 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["delta-4", "par4", "spara3"])
def test_spin_of_thin_rods_does_not_matter(name: str) -> None:
    universal, ball = assembled(name), assemble(CASES[name].robot, elbow="ball")
    assert ball.model.nv == universal.model.nv + CASES[name].robot.arms * CASES[name].robot.limb.rods
    tau = inverse_dynamics(universal, *state(name)).tau
    np.testing.assert_allclose(inverse_dynamics(ball, *state(name)).tau, tau, rtol=0, atol=1e-8 * np.abs(tau).max())


def test_batch_has_the_shape_of_its_states() -> None:
    case = CASES["delta-4"]
    x = case.poses(4).reshape(2, 2, 3)
    loads = inverse_dynamics(assembled("delta-4"), x, np.zeros(3), np.ones(3))
    assert loads.tau.shape == (2, 2, 4)
    assert loads.jacobian.shape == (2, 2, 4, 3)
    assert loads.tension_plate.shape == loads.tension_elbow.shape == (2, 2, 4, 2)
    assert loads.power_left.shape == (2, 2)
    one = inverse_dynamics(assembled("delta-4"), x[1, 0], np.zeros(3), np.ones(3))
    np.testing.assert_allclose(loads.tau[1, 0], one.tau, rtol=1e-9)


def test_wrong_shape_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"xd has shape \(4,\)"):
        inverse_dynamics(assembled("delta-3"), np.array([0.0, 0.0, -0.7]), np.zeros(4), np.zeros(3))


def test_singular_pose_is_refused() -> None:
    """The type II singularity of papers/spara, erratum E3: all distal links in one plane, nothing to push along x."""

    def volume(x: float) -> float:
        data = set_pose(here, [x, 0.0, 0.3725]).data()
        return float(np.linalg.det([data.site(f"rod{k}").xpos - data.site(f"elbow{k}").xpos for k in (1, 2, 3)]))

    here = set_pose(assembled("spara3"), [0.25, 0.0, 0.3725])
    singular = float(cast("float", brentq(volume, 0.2, 0.25, xtol=1e-15)))
    assert singular == pytest.approx(0.2188, abs=1e-4)
    with pytest.raises(ParapickError, match="the pose is singular"):
        inverse_dynamics(here, [singular, 0.0, 0.3725], np.zeros(3), [1.0, 0.0, 0.0])
