"""Rods whose centre of mass is off the middle: their weight hangs by it, and point masses move as if it were not."""

from __future__ import annotations

import dataclasses
from functools import cache
from itertools import cycle
from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from lagrangian import elbow, equations, motor_frames, plate_points
from parapick.errors import ParameterError
from parapick.formulas.torques import energy, inverse_dynamics
from parapick.mechanism import Robot
from parapick.mechanism.limb import per_leg
from parapick.mechanism.rod import LUMPED, UNIFORM, VARIABLE
from parapick.parameters import resolved
from poses import MASSIVE, by_kind, workspace_poses

CENTERED = ("general", *LUMPED, *VARIABLE)
"""Rod models that take a centre."""

EMPTY = np.zeros(5)
"""No payload."""

SQUARE, REDUNDANT, SINGLE_RODS = ("par4", "halves"), ("delta-r4", "thirds"), ("spara3", "variable-rate")
"""Robots and rod models for what needs native kernels."""


@cache
def shipped(name: str) -> pp.Model:
    return pp.load(name)


def off_center(name: str, rod_model: str) -> Robot:
    """A shipped robot with the centres of its rods off the middle, on each leg elsewhere, and some inertia of its own.

    The inertia is that of a rod with a fifth of its mass on each end.
    """
    robot = shipped(name).robot
    legs = range(robot.arms)
    values = resolved(robot).limb
    lengths = [per_leg(values.rod_length, i) for i in legs]
    masses = [per_leg(values.rod_mass, i) for i in legs]
    limb = dataclasses.replace(
        robot.limb,
        rod_model=rod_model,
        rod_center=tuple((0.3 + 0.07 * i) * length for i, length in enumerate(lengths)),
        rod_inertia=tuple(0.15 * mass * length**2 for mass, length in zip(masses, lengths, strict=True)),
    )
    return dataclasses.replace(robot, limb=limb)


def states(model: pp.Model, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random poses in the workspace with rates of about 1 m/s and accelerations of about 10 m/s2, as gravity."""
    rng = np.random.default_rng(4)
    x = workspace_poses(model, count, 4)
    scale = np.array([1, 1, 1, 5.0])[: model.robot.dof]
    return x, scale * rng.normal(size=x.shape), 10 * scale * rng.normal(size=x.shape)


def rates(value: Any, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> np.ndarray:
    """Rate of a function of x and xd along the exact motion x + xd t + xdd t^2/2, to fourth order."""
    step = 1e-5
    weights = ((1 / 12, -2), (-2 / 3, -1), (2 / 3, 1), (-1 / 12, 2))
    rate = np.zeros(len(x))
    for weight, k in weights:
        t = k * step
        rate += weight * value(x + xd * t + xdd * t**2 / 2, xd + xdd * t) / step
    return rate


# "thirds" is "two-thirds" with another number.
@pytest.mark.parametrize("rod_model", [model for model in CENTERED if model != "thirds"])
@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_torques_equal_the_lagrangian(name: str, rod_model: str) -> None:
    """The expression of the kernel with the numbers of the robot in it; a kernel for each would take long."""
    robot, model = resolved(off_center(name, rod_model)), shipped(name)
    expression, lagrange = inverse_dynamics(robot), equations(robot)
    torque = ca.Function("torque", [*expression.inputs.values()], [expression.outputs["tau"]])
    x, xd, xdd = states(model, 12)
    force = np.array([np.array(lagrange(*row)[0]).ravel() for row in zip(x, xd, xdd, strict=True)])
    tau = np.array([np.array(torque(*row, EMPTY)).ravel() for row in zip(x, xd, xdd, strict=True)])
    got = np.einsum("nij,ni->nj", model.inverse_jacobian(x), tau)
    np.testing.assert_allclose(got, force, rtol=0, atol=1e-9 * np.max(np.abs(force)))


@pytest.mark.parametrize(("name", "rod_model"), [*zip(MASSIVE, cycle(CENTERED), strict=False)])
def test_energies_equal_the_lagrangians(name: str, rod_model: str) -> None:
    """Point masses, variable ones too, have their own kinetic energy and the potential energy of the real rod."""
    robot = resolved(off_center(name, rod_model))
    expression, lagrange = energy(robot), equations(robot)
    stored = ca.Function("stored", [*expression.inputs.values()], [*expression.outputs.values()])
    for x, xd, xdd in zip(*states(shipped(name), 12), strict=True):
        kinetic, potential = (float(value) for value in stored(x, xd, EMPTY))
        _, expected_kinetic, expected_potential = lagrange(x, xd, xdd)
        assert kinetic == pytest.approx(float(expected_kinetic), rel=1e-9)
        assert potential == pytest.approx(float(expected_potential), rel=1e-9, abs=1e-10)


@pytest.mark.parametrize(("name", "rod_model"), [SQUARE, REDUNDANT])
def test_power_in_is_the_rate_of_energy(name: str, rod_model: str) -> None:
    model = pp.Model(off_center(name, rod_model)).with_payload(0.3)
    x, xd, xdd = states(model, 20)
    power = np.sum(model.inverse_dynamics(x, xd, xdd) * model.joint_rates(x, xd), axis=-1)
    rate = rates(lambda *state: sum(model.energy(*state)), x, xd, xdd)
    assert np.max(np.abs(power - rate)) < 1e-8 * np.max(np.abs(power))


@pytest.mark.parametrize(("name", "rod_model"), [SQUARE, SINGLE_RODS])
def test_the_centre_shows_in_the_weight_and_nowhere_else(name: str, rod_model: str) -> None:
    """The torque against gravity has the power of the potential energy; the other parts are those of the middle."""
    model = pp.Model(off_center(name, rod_model))
    lengths = resolved(model.robot).limb.rod_length
    middle = {f"limb.rod_center.{i + 1}": per_leg(lengths, i) / 2 for i in range(model.robot.arms)}
    x, xd, xdd = states(model, 20)
    parts, others = (each.torque_parts(x, xd, xdd) for each in (model, model.with_parameters(middle)))
    power = np.sum(parts["gravity"] * model.joint_rates(x, xd), axis=-1)
    rate = rates(lambda *state: model.energy(*state).potential, x, xd, xdd)
    assert np.max(np.abs(power - rate)) < 1e-8 * np.max(np.abs(power))
    assert np.max(np.abs(parts["gravity"] - others["gravity"])) > 0.01 * np.max(np.abs(parts["gravity"]))
    for part in set(parts) - {"gravity"}:
        np.testing.assert_allclose(parts[part], others[part], rtol=0, atol=1e-12 * np.max(np.abs(parts["rods"])))


@pytest.mark.parametrize(("name", "rod_model"), [SQUARE, SINGLE_RODS])
def test_rods_at_rest_are_bodies_that_hang_by_their_centre(name: str, rod_model: str) -> None:
    """Newton's and Euler's laws for the rods of every leg, about the elbow."""
    robot = off_center(name, rod_model)
    model, x = pp.Model(robot), workspace_poses(shipped(name), 10, 5)
    forces = model.inner_forces(x, np.zeros_like(x), np.zeros_like(x))
    along = rods(robot, x)
    limb = resolved(robot).limb
    weight = limb.rods * robot.gravity * np.broadcast_to(limb.rod_mass, robot.arms)[:, None] * np.array([0.0, 0.0, 1.0])
    share = (np.array(limb.rod_center) / np.array(limb.rod_length))[:, None]
    size = np.max(np.abs(weight))
    np.testing.assert_allclose(-forces.elbow - forces.plate, np.broadcast_to(weight, along.shape), atol=1e-9 * size)
    held, hung = np.cross(along, -forces.plate), np.cross(share * along, weight)
    np.testing.assert_allclose(held, hung, rtol=0, atol=1e-9 * size)
    # The same along the rods: what comes in at one end and not out at the other is their weight.
    unit = along / np.linalg.norm(along, axis=-1, keepdims=True)
    lost = np.sum(forces.axial_plate - forces.axial_elbow, axis=-1)
    np.testing.assert_allclose(lost, np.sum(unit * weight, axis=-1), rtol=0, atol=1e-9 * size)


def rods(robot: Robot, x: np.ndarray) -> np.ndarray:
    """Elbow to plate joint (T, arms, 3), m, from the geometry of the independent Lagrangian."""
    robot = resolved(robot)
    pose = ca.SX.sym("x", robot.dof)
    legs = zip(motor_frames(robot), plate_points(robot, pose), strict=True)
    found = [
        end - elbow(frame, end, per_leg(robot.limb.arm, i), per_leg(robot.limb.rod_length, i), robot.branches[i])
        for i, (frame, end) in enumerate(legs)
    ]
    along = ca.Function("rods", [pose], [ca.horzcat(*found)])
    return np.array([np.array(along(row)).T for row in x])


@pytest.mark.parametrize("rod_model", UNIFORM)
def test_a_uniform_rod_has_no_other_centre_than_its_middle(rod_model: str) -> None:
    model = pp.Model(off_center("spara3", "halves"))
    with pytest.raises(ParameterError) as refused:
        model.with_rod_model(rod_model)
    assert refused.value.path == "limb.rod_center.1"
    for word in ("240 mm", "400 mm", rod_model, *CENTERED):
        assert word in str(refused.value)
    middle = {"limb.rod_center.1": 0.4, "limb.rod_center.2": 0.4, "limb.rod_center.3": 0.5}
    uniform = model.with_parameters(middle).with_rod_model(rod_model)
    with pytest.raises(ParameterError, match=r"limb\.rod_center\.2: is 410 mm.*general, halves"):
        uniform.with_parameters({"limb.rod_center.2": 0.41})
    with pytest.raises(ParameterError, match=r"limb\.rod_center\.3: is 500 mm.*the middle, 450 mm on leg 3"):
        uniform.with_parameters({"limb.rod_length.3": 0.9})


def test_a_rod_model_asks_for_the_numbers_it_needs() -> None:
    par4 = pp.load("par4")
    with pytest.raises(ParameterError, match=r"limb\.rod_inertia: is missing"):
        par4.with_rod_model("general")
