"""A telescope whose halves swing and spin, and arms with their mass beside them: closed forms and a Lagrangian."""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from lagrangian import equations
from oracle.descriptions import CASES
from parapick.errors import RobotFileError
from parapick.identification.regressor import inertial_paths
from parapick.mechanism import Limb, Robot, problems
from parapick.mechanism.plates import Rigid, Telescope, TelescopeHalf
from parapick.model import Model
from parapick.parameters import values
from parapick.robots import ROBOTS
from parapick.study.body_measures import body_of


@cache
def swinging() -> Model:
    return Model(CASES["swinging"].robot)


def with_shaft(robot: Robot, **changes: object) -> Model:
    """A robot with another telescope."""
    plate = robot.plate
    assert isinstance(plate, Rigid)
    assert plate.telescope is not None
    return Model(
        dataclasses.replace(
            robot, plate=dataclasses.replace(plate, telescope=dataclasses.replace(plate.telescope, **changes))
        )
    )


def states(count: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    size = np.array([1.0, 1.0, 0.5, 3.0])
    return CASES["swinging"].poses(count), rng.normal(size=(count, 4)) * size, 30 * rng.normal(size=(count, 4)) * size


def test_torques_and_energies_equal_the_lagrangians() -> None:
    model, (x, xd, xdd) = swinging(), states()
    lagrange = equations(model.robot)
    rows = [lagrange(*row) for row in zip(x, xd, xdd, strict=True)]
    force = np.einsum("...ij,...i->...j", model.inverse_jacobian(x), model.inverse_dynamics(x, xd, xdd))
    expected = np.array([np.array(row[0]).ravel() for row in rows])
    assert np.max(np.abs(force - expected)) < 1e-11 * np.max(np.abs(expected))
    energy = model.energy(x, xd)
    np.testing.assert_allclose(energy.kinetic, [float(row[1]) for row in rows], rtol=1e-12)
    np.testing.assert_allclose(energy.potential, [float(row[2]) for row in rows], rtol=1e-12)


def test_forward_dynamics_undoes_them() -> None:
    model, (x, xd, xdd) = swinging(), states()
    np.testing.assert_allclose(model.forward_dynamics(x, xd, model.inverse_dynamics(x, xd, xdd)), xdd, rtol=1e-9)


def test_halves_without_mass_are_none() -> None:
    robot, (x, xd, xdd) = swinging().robot, states()
    none = with_shaft(robot, upper=None, lower=None)
    zero = with_shaft(robot, upper=TelescopeHalf(0.0, 0.3), lower=TelescopeHalf(0.0, 0.2))
    np.testing.assert_allclose(zero.inverse_dynamics(x, xd, xdd), none.inverse_dynamics(x, xd, xdd), atol=1e-12)


def test_a_hanging_shaft_weighs_on_the_plate_and_turns_as_the_tool_does() -> None:
    """On the axis the lower half hangs on the plate alone, and its spin adds to the inertia of the tool."""
    robot = swinging().robot
    none, half = with_shaft(robot, upper=None, lower=None), TelescopeHalf(0.5, 0.2, 0.02, 0.03)
    low = with_shaft(robot, upper=None, lower=half)
    x, rest = np.array([0.0, 0.0, -0.7, 0.4]), np.zeros(4)

    def force(model: Model, xdd: np.ndarray) -> np.ndarray:
        return model.inverse_jacobian(x).T @ model.inverse_dynamics(x, rest, xdd)

    added = force(low, rest) - force(none, rest)
    np.testing.assert_allclose(added, [0.0, 0.0, 0.5 * robot.gravity, 0.0], atol=1e-12)
    added = force(low, np.array([0.0, 0.0, 0.0, 5.0])) - force(none, np.array([0.0, 0.0, 0.0, 5.0]))
    np.testing.assert_allclose(added[3], 0.03 * 5.0, rtol=1e-12)
    # Sideways the half swings about the upper joint, 0.79 m up: its centre goes 0.59 / 0.79 of the way.
    added = force(low, np.array([7.0, 0.0, 0.0, 0.0])) - force(none, np.array([7.0, 0.0, 0.0, 0.0]))
    assert added[0] == pytest.approx((0.5 * (0.59 / 0.79) ** 2 + 0.02 / 0.79**2) * 7.0, rel=1e-12)


def test_the_shaft_spins_as_its_universal_joint_says() -> None:
    """The classical joint at an angle: between cos and 1 / cos of the tool's rate, and more where the plate moves."""
    shaft = Telescope(upper=TelescopeHalf(1.0, 0.3, 1.0, 1.0), height=0.1)
    symbols = ca.SX.sym("x", 4)
    axes = ca.Function("axes", [symbols], [ca.horzcat(*shaft.bodies(symbols)[0].axes)])

    def spin(x: np.ndarray, xd: np.ndarray, step: float = 1e-6) -> float:
        before, here, after = (np.array(axes(x + k * step * xd)) for k in (-1, 0, 1))
        return float(((after - before) / (2 * step))[:, 1] @ here[:, 2])

    x = np.array([0.3, 0.0, -0.8, 0.0])
    slant = math.atan2(0.3, 0.9)
    turn = np.array([0.0, 0.0, 0.0, 1.0])
    # The level arm of the cross lies in the plane of the slant, then across it.
    assert spin(x, turn) == pytest.approx(1 / math.cos(slant), rel=1e-6)
    assert spin(x + turn * math.pi / 2, turn) == pytest.approx(math.cos(slant), rel=1e-6)
    # At a yaw between, a swing alone spins the shaft: ((s . a) sd . (a x s)) / (1 - (s . a)^2).
    xd = np.array([0.2, 1.0, 0.1, 0.0])
    x[3] = 0.6
    length = math.hypot(0.3, 0.9)
    s, a = np.array([-0.3, 0.0, 0.9]) / length, np.array([math.cos(0.6), math.sin(0.6), 0.0])
    sd = -(xd[:3] - (xd[:3] @ s) * s) / length
    expected = (s @ a) * (sd @ np.cross(a, s)) / (1 - (s @ a) ** 2)
    assert abs(expected) > 0.1
    assert spin(x, xd) == pytest.approx(expected, rel=1e-6)


def test_an_arm_with_its_mass_beside_it_weighs_where_its_centre_is() -> None:
    """The weight of each arm by hand: how the height of its centre changes with the angle."""
    robot = swinging().robot
    assert isinstance(robot.limb, Limb)
    level = Model(dataclasses.replace(robot, limb=dataclasses.replace(robot.limb, arm_offset=None)))
    x, rest = CASES["swinging"].poses(5), np.zeros(4)
    added = swinging().inverse_dynamics(x, rest, rest) - level.inverse_dynamics(x, rest, rest)
    # q counts down, so the offset points down where the arm is level, and outward where it hangs.
    q = swinging().inverse_kinematics(x)[:, :3]
    slope = -np.array(robot.limb.arm_offset) * -np.sin(q) * 1.7 * robot.gravity
    np.testing.assert_allclose(added[:, :3], slope, atol=1e-12)
    assert np.abs(slope).max() > 0.1


@pytest.mark.parametrize("name", ["upper", "lower"])
def test_what_spins_with_more_than_a_disc_is_refused(name: str) -> None:
    robot = with_shaft(swinging().robot, **{name: TelescopeHalf(0.5, 0.2, 0.01, 0.021)}).robot
    (problem,) = problems(robot)
    assert problem.path == f"plate.telescope.{name}.spin_inertia"
    assert "0.02 kg m2" in problem.message


def test_an_arm_whose_centre_lies_too_far_aside_is_refused(tmp_path: Path) -> None:
    text = ROBOTS.find("codian-d4-1100").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(
        text.replace('"-4.37 mm"', '"-150 mm"').replace("MpPick, mechanicalsystem: row 13", "chosen: row 13")
    )
    with pytest.raises(RobotFileError, match=r"m c2") as caught:
        pp.load(path)
    assert caught.value.problems[0].path == "limb.arm_inertia"


def test_a_half_lacks_its_mass(tmp_path: Path) -> None:
    text = ROBOTS.find("codian-d4-1100").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text.replace('mass = "522 g"\n', "").replace('center = "240.49 mm"', 'center = "-1 mm"'))
    with pytest.raises(RobotFileError) as caught:
        pp.load(path)
    assert {"plate.telescope.upper.mass", "plate.telescope.lower.center"} == {p.path for p in caught.value.problems}


def test_masses_of_halves_are_named_for_identification() -> None:
    paths = inertial_paths(pp.load("codian-d4-1100").robot)
    assert {"plate.telescope.upper.mass", "plate.telescope.lower.spin_inertia"} <= set(paths)


def test_moving_mass_counts_the_halves() -> None:
    robot = pp.load("codian-d4-1100").robot
    numbers = np.array([values(robot)])
    total = 3 * (1.017 + 0.363) + 0.522 + 0.517 + 0.44
    assert body_of(robot, numbers)["moving_mass"] == pytest.approx(total)
