"""The relatives of the first robots: numbers recomputed independently, and what their files promise.

That every file is valid, sourced and in reach of its workspace is tested for all robots in test_shipped.py.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import parapick as pp
from parapick.errors import MissingMassError
from parapick.mechanism import Placed
from parapick.robots import load_robot
from poses import closing_poses, workspace_poses

FAMILY = ("h4", "h4-90", "i4", "heli4", "delta-4", "asymmetric-screw", "spara3", "r4-100g", "irb360")

DOCUMENTS = ("corbel2010", "nabat2005", "righettini2024", "wu2020", "spara", "williams2016")

CLOSED = 1e-12
"""Rods are about a metre long; rounding leaves some 1e-16 of that an operation."""


def test_the_family_is_shipped() -> None:
    assert set(FAMILY) <= {entry.name for entry in pp.list_robots()}


@pytest.mark.parametrize("name", FAMILY)
def test_every_source_is_a_document_or_a_choice(name: str) -> None:
    """A source names document and place, or says that the number was chosen, or that the document has none."""
    for path, source in load_robot(name).sources.items():
        origin, _, rest = source.partition(" ")
        documented = origin.rstrip(",:") in DOCUMENTS and len(rest) > 3
        assert documented or source.startswith(("chosen: ", "not in the document: ")), f"{path}: {source}"


@pytest.mark.parametrize("name", FAMILY)
def test_default_mode_is_outward(name: str) -> None:
    model = pp.load(name)
    assert model.working_mode.name == "outward"
    assert {"outward", "inward"} <= {mode.name for mode in model.robot.modes}


@pytest.mark.parametrize("name", FAMILY)
def test_joint_angles_do_not_jump_in_the_workspace(name: str) -> None:
    model = pp.load(name)
    arms = model.inverse_kinematics(workspace_poses(model, 4000))[:, : model.robot.arms]
    # An angle that wraps shows up at both ends of the circle.
    assert np.ptp(arms, axis=0).max() < math.radians(270)


# Smallest under-mobility, over-mobility and internal margin that the workspace of a file was chosen for.
MARGINS = {
    "h4": (0.79, 0.139, 0.334),
    "i4": (0.79, 0.71, 0.80),
    "heli4": (0.76, 0.48, 0.85),
    "delta-4": (0.79, 0.68, 0.60),
    "asymmetric-screw": (0.43, 0.21, 0.32),
    "spara3": (0.66, 0.51, np.inf),
    "r4-100g": (0.65, 0.49, 0.69),
    "irb360": (0.69, 0.36, 0.54),
}


def surface(model: pp.Model) -> np.ndarray:
    """Poses (n, dof) of the workspace, its corners, edges and rim among them."""
    region: Any = model.robot.workspace
    z, yaw = np.linspace(region.z_min, region.z_max, 5), np.linspace(region.yaw_min, region.yaw_max, 7)
    if region.kind == "box":
        x, y = np.linspace(region.x_min, region.x_max, 9), np.linspace(region.y_min, region.y_max, 9)
        return np.array(list(itertools.product(x, y, z, yaw)))[:, : model.robot.dof]
    polar = itertools.product(np.linspace(0.0, region.radius, 5), np.radians(np.arange(0, 360, 7.5)), z, yaw)
    r, azimuth, z, yaw = np.array(list(polar)).T
    return np.stack([r * np.cos(azimuth), r * np.sin(azimuth), z, yaw], axis=-1)[:, : model.robot.dof]


@pytest.mark.parametrize("name", MARGINS)
def test_workspace_keeps_clear_of_singularities(name: str) -> None:
    model = pp.load(name)
    x = surface(model)
    assert model.reach(x).ok.all()
    for found, promised in zip(model.margins(x), MARGINS[name], strict=True):
        assert promised <= found.min() or promised == pytest.approx(found.min())
        # A promise far below what the robot has would promise nothing.
        assert found.min() <= promised + 0.03


def test_parallel_motors_of_h4_stand_side_by_side() -> None:
    """The shift moves motor and plate joint alike: without it the joint angles are the same, and links coincide."""
    h4 = pp.load("h4")
    base: Any = h4.robot.base
    x = workspace_poses(h4, 100)
    inline = pp.Model(dataclasses.replace(h4.robot, base=dataclasses.replace(base, offsets=None)))
    np.testing.assert_allclose(inline.inverse_kinematics(x), h4.inverse_kinematics(x), rtol=0, atol=CLOSED)
    # At the same yaw both parallel legs stand at the same angle, so pairs of rods keep the motors' distance.
    q = h4.inverse_kinematics([0.0, 0.0, -0.7, 0.0])
    assert q[1] == pytest.approx(q[3], abs=CLOSED)
    spacing: Any = h4.robot.limb.rod_spacing
    # 29 mm is how far the crossbar's end comes back at 45 deg.
    gap = base.offsets[1][0] - base.offsets[3][0] - spacing - 0.1 * (1 - math.cos(math.pi / 4))
    assert gap == pytest.approx(0.071, abs=5e-4)


def test_h4_with_motors_at_90_degrees_moves_like_par4() -> None:
    h4, par4 = pp.load("h4-90"), pp.load("par4")
    x = workspace_poses(par4, 200)
    np.testing.assert_allclose(h4.inverse_kinematics(x), par4.inverse_kinematics(x), rtol=0, atol=CLOSED)
    xd, xdd = np.random.default_rng(0).normal(size=(2, *x.shape))
    # The two bars of par4 weigh what the crossbar does, and both move like it.
    np.testing.assert_allclose(h4.inverse_dynamics(x, xd, xdd), par4.inverse_dynamics(x, xd, xdd), atol=1e-10)


@pytest.mark.parametrize("name", ["h4", "h4-90", "i4", "heli4"])
def test_plate_weighs_what_corbel2010_says(name: str) -> None:
    """M_tp = 0.6 kg of Table II in every split: with weightless arms and rods the motors carry just that."""
    model = pp.load(name)
    bare = model.with_parameters({"limb.arm_mass": 0.0, "limb.rod_mass": 0.0})
    power = model.inverse_jacobian(model.robot.home).T @ bare.inverse_dynamics(
        model.robot.home, np.zeros(4), np.zeros(4)
    )
    assert power[2] == pytest.approx(0.6 * 9.81, abs=1e-9)


def test_rack_of_i4_moves_by_the_pinions_radius() -> None:
    """A turn of the pinion by one radian shifts the two pairs of plate joints by +-20 mm along x, and nothing else."""
    i4 = pp.load("i4")
    turned = i4.inverse_kinematics([0.04, 0.03, -0.7, 1.0])
    left, right = i4.inverse_kinematics([[x, 0.03, -0.7, 0.0] for x in (0.02, 0.06)])
    np.testing.assert_allclose(turned, [*left[:2], *right[2:]], rtol=0, atol=CLOSED)


@pytest.mark.parametrize("name", ["heli4", "asymmetric-screw"])
def test_turn_of_the_screw_lifts_the_upper_sub_platform_by_its_pitch(name: str) -> None:
    model = pp.load(name)
    plate: Any = model.robot.plate
    z = model.robot.home[2]
    still, lifted, turned = model.inverse_kinematics(
        [[0.03, 0.02, z, 0.0], [0.03, 0.02, z + plate.pitch, 0.0], [0.03, 0.02, z, 2 * math.pi]]
    )
    expected = np.where(plate.carried, lifted, still)
    np.testing.assert_allclose(turned, expected, rtol=0, atol=CLOSED)


def test_delta_4_is_delta_nr_with_a_shaft() -> None:
    delta4, delta = pp.load("delta-4"), pp.load("delta-nr")
    x = workspace_poses(delta4, 100)
    xd, xdd = np.random.default_rng(1).normal(size=(2, *x.shape))
    q = delta4.inverse_kinematics(x)
    np.testing.assert_allclose(q[:, :3], delta.inverse_kinematics(x[:, :3]), rtol=0, atol=CLOSED)
    np.testing.assert_array_equal(q[:, 3], x[:, 3])
    torque = delta4.inverse_dynamics(x, xd, xdd)
    expected = delta.inverse_dynamics(x[:, :3], xd[:, :3], xdd[:, :3])
    np.testing.assert_allclose(torque[:, :3], expected, rtol=0, atol=1e-10)
    # Shaft and tool, and the motor seen through its gear: 5e-5 + 25 x 6e-6 kg m2.
    np.testing.assert_allclose(torque[:, 3], 2e-4 * xdd[:, 3], rtol=1e-12)


WU_HOME = np.array([0.0, 0.0, -0.5, 0.0])


def wu_arms(model: pp.Model, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a_i and b_i of wu2020 (4, 3) with b_i = a_i + b R_y(alpha_i) (cos theta, sin theta, 0)."""
    base = model.robot.base
    assert isinstance(base, Placed)
    alpha = np.radians([-45, 45, 45, -45])
    theta = model.inverse_kinematics(x)
    arms = np.stack([np.cos(alpha) * np.cos(theta), np.sin(theta), -np.sin(alpha) * np.cos(theta)], axis=-1)
    points = np.array(base.points)
    return points, points + 0.3 * arms


def segment_distance(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Distance of the segments a-b and c-d: least squares in a square of parameters."""
    found = lsq_linear(np.stack([b - a, c - d], axis=-1), c - a, bounds=(0, 1), tol=1e-14)
    return math.sqrt(2 * found.cost)


def nearest_arms(model: pp.Model, x: np.ndarray) -> float:
    """Smallest distance of two arms' axes (m)."""
    ends = list(zip(*wu_arms(model, x), strict=True))
    return min(segment_distance(*one, *other) for one, other in itertools.combinations(ends, 2))


def test_asymmetric_home() -> None:
    model = pp.load("asymmetric-screw")
    q = np.degrees(model.inverse_kinematics(WU_HOME))
    np.testing.assert_allclose(q, [105.87, 74.13, -74.13, -105.87], rtol=0, atol=5e-3)
    _, elbows = wu_arms(model, WU_HOME)
    np.testing.assert_allclose(elbows[0], [0.2420, 0.4386, -0.0580], rtol=0, atol=5e-5)
    np.testing.assert_allclose(np.abs(elbows), np.abs(elbows[0]) * np.ones((4, 1)), rtol=0, atol=CLOSED)


def test_asymmetric_working_modes_are_the_signs_of_3() -> None:
    """Sixteen distinct modes at every pose, each the root of wu2020 (3) with its signs (J_i of (4) corrected)."""
    model = pp.load("asymmetric-screw")
    x = closing_poses(model, 200, share=0.02)
    beta, alpha = np.radians([45, 135, 225, 315]), np.radians([-45, 45, 45, -45])
    lift = np.array([1, 0, 1, 0]) * x[:, 3:] * 0.02 / (2 * math.pi)
    offsets = np.stack([np.sign(np.cos(beta)) * 0.3, np.sign(np.sin(beta)) * 0.15, 0 * beta], axis=-1)
    circle = 0.1 * np.stack([np.cos(beta), np.sin(beta), 0 * beta], axis=-1)
    d = x[:, None, :3] + circle - offsets + lift[..., None] * [0, 0, 1]
    forward = np.stack([np.cos(alpha), 0 * alpha, -np.sin(alpha)], axis=-1)
    I_, J_ = -0.6 * d[..., 1], -0.6 * np.sum(d * forward, axis=-1)
    K_ = np.sum(d * d, axis=-1) + 0.3**2 - 0.6**2
    answers = []
    for mode in model.working_modes:
        signs = np.array([1 if sign == "+" else -1 for sign in mode.signs])
        expected = 2 * np.arctan((-I_ + signs * np.sqrt(I_**2 + J_**2 - K_**2)) / (K_ - J_))
        answers.append(model.with_working_mode(mode.signs).inverse_kinematics(x))
        apart = np.angle(np.exp(1j * (answers[-1] - expected)))
        assert np.abs(apart).max() < 1e-9
    assert len(answers) == 16
    for one, other in itertools.combinations(answers, 2):
        assert np.abs(one - other).max(axis=-1).min() > 1e-3


def test_asymmetric_outward_mode_keeps_the_arms_apart_and_the_printed_one_does_not() -> None:
    model = pp.load("asymmetric-screw")
    assert (model.working_mode.signs, model.with_working_mode("printed").working_mode.signs) == ("-+-+", "--++")
    assert nearest_arms(model, WU_HOME) == pytest.approx(0.300, abs=1e-6)
    along = np.linspace(-0.1525, 0.1525, 9)
    assert min(nearest_arms(model, np.array([x, 0, -0.5, 0])) for x in along) > 0.29
    # Arms 2 and 3 turn in one plane, so they meet exactly; samples along the arms leave the 0.3 mm of papers/wu2020,
    # erratum E11.
    assert nearest_arms(model.with_working_mode("printed"), WU_HOME) < 1e-9


def test_asymmetric_reach_in_x_and_y() -> None:
    """Pure reach at z = -0.55 m, on steps of 5 mm: longer in y than in x."""
    model = pp.load("asymmetric-screw")
    steps = np.arange(0.0, 0.7, 0.005)
    for axis, printed in ((0, 0.470), (1, 0.575)):
        for side in (-1, 1):
            x = np.zeros((len(steps), 4))
            x[:, 2], x[:, axis] = -0.55, side * steps
            closes = model.reach(x).closes
            first_gap = int(np.argmin(closes))
            assert steps[first_gap - 1] == pytest.approx(printed)
            assert not closes[first_gap:].any()


def test_asymmetric_gravity_and_inertia_at_home() -> None:
    model = pp.load("asymmetric-screw")
    still = np.zeros(4)
    found = model.inverse_dynamics(WU_HOME, still, still)
    np.testing.assert_allclose(found, [-4.671, 5.058, -4.671, 5.058], rtol=0, atol=6e-4)
    M = model.with_rod_model("halves").joint_space(WU_HOME, still).M
    np.testing.assert_allclose(np.linalg.eigvalsh(M), [0.171, 0.185, 0.230, 0.845], rtol=0, atol=6e-4)


def test_spara_golden_pose() -> None:
    spara3 = pp.load("spara3")
    c = np.array([0.8, 0.0, 0.15])
    theta = spara3.inverse_kinematics(c)
    np.testing.assert_allclose(theta, [-0.573418, -2.568175, -0.974513], rtol=0, atol=6e-7)
    # J c' = K theta', so the rods over the rows of the inverse Jacobian are K.
    rods = (
        c
        - np.array([[0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.75]])
        - 0.65 * np.stack([-np.sin(theta), np.cos(theta) * [1, 1, 0], np.cos(theta) * [0, 0, 1]], axis=-1)
    )
    K = np.linalg.norm(rods, axis=-1) / np.linalg.norm(spara3.inverse_jacobian(c), axis=-1)
    np.testing.assert_allclose(np.linalg.norm(rods, axis=-1), [0.8, 0.8, 1.0], rtol=0, atol=CLOSED)
    np.testing.assert_allclose(K, [0.472090, 0.472090, 0.614714], rtol=0, atol=6e-7)
    np.testing.assert_allclose(spara3.inverse_jacobian(c) * [[-K[0]], [K[1]], [-K[2]]], rods, rtol=0, atol=CLOSED)
    other = spara3.forward_kinematics(theta, guess=[0.0, 0.0, 0.3])
    np.testing.assert_allclose(other, [-0.0222, 0.0, 0.2866], rtol=0, atol=6e-5)


@pytest.mark.parametrize(
    ("rod_model", "printed"),
    [("slender", (-18.2329, 3.6741, 10.4194)), ("halves", (-19.5734, 3.9196, 10.9564))],
)
def test_spara_golden_state(rod_model: str, printed: tuple[float, ...]) -> None:
    spara3 = pp.load("spara3").with_rod_model(rod_model)
    torque = spara3.inverse_dynamics([0.9, 0.2, 0.1], [1.0, -2.0, 0.5], [20.0, -15.0, 10.0])
    np.testing.assert_allclose(torque, printed, rtol=0, atol=6e-5)


@pytest.mark.parametrize(("arm", "arm_inertia"), [(0.200, 0.0050), (0.225, 0.0065), (0.250, 0.0080)])
@pytest.mark.parametrize(("rod", "pair"), [(0.50, 0.100), (0.55, 0.125), (0.60, 0.150)])
def test_r4_100g_masses_follow_the_lengths(arm: float, arm_inertia: float, rod: float, pair: float) -> None:
    """corbel2010 (24), (26), (50), (51): M_tot 1 + I_tot J'J is the mass matrix of every design of Table VI."""
    model = pp.load("r4-100g").with_parameters({"limb.arm": arm, "limb.rod_length": rod}).with_rod_model("halves")
    home = np.array(model.robot.home)
    J = model.inverse_jacobian(home)
    inertia, mass = 0.004 + arm_inertia + arm**2 * pair / 2, 0.2 + 4 * pair / 2
    for load in (0.0, 0.25):
        expected = (mass + load) * np.eye(3) + inertia * J.T @ J
        np.testing.assert_allclose(model.with_payload(load).mass_matrix(home), expected, rtol=0, atol=CLOSED)


def test_r4_100g_is_the_first_line_of_table_6() -> None:
    """corbel2010 (50), (51) and section V.C: I_tot = 0.0110 kg m2, and M_tot = 0.65 kg with the load."""
    model = pp.load("r4-100g").with_rod_model("halves").with_payload(0.25)
    home = np.array(model.robot.home)
    J = model.inverse_jacobian(home)
    np.testing.assert_allclose(model.mass_matrix(home), 0.65 * np.eye(3) + 0.011 * J.T @ J, rtol=0, atol=CLOSED)
    drive: Any = model.robot.drive
    assert drive.peak_torque == 127.0


def test_r4_100g_joint_limits_set_its_altitude() -> None:
    """corbel2010 section V: the far arm hangs straight down where |z| = l + sqrt(L^2 - (r_b - r_tp + 0.3)^2)."""
    model = pp.load("r4-100g")
    deepest = 0.2 + math.sqrt(0.5**2 - (0.12 - 0.05 + 0.3) ** 2)
    assert deepest == pytest.approx(0.5363, abs=5e-5)
    reach = model.reach([[-0.3, 0.0, -deepest + 1e-6], [-0.3, 0.0, -deepest - 1e-6]])
    np.testing.assert_array_equal(reach.ok, [True, False])
    assert reach.closes.all()
    assert "leg 1: the joint limit" in reach.reason((1,))


def test_irb360_worked_examples() -> None:
    """williams2016, in its leg order and sign: degrees down from the horizontal."""
    irb360 = pp.load("irb360")
    q = np.degrees(irb360.inverse_kinematics([0.0, 0.0, -0.9]))
    np.testing.assert_allclose(q, [-20.547] * 3, rtol=0, atol=5e-4)
    x = irb360.forward_kinematics(np.radians([10.0, 20.0, 30.0]))
    np.testing.assert_allclose(x, [0.10814, -0.18035, -1.24354], rtol=0, atol=5e-6)


def test_irb360_does_all_its_kinematics_without_masses() -> None:
    irb360 = pp.load("irb360")
    home, rate = irb360.robot.home, [0.1, 0.2, 0.3]
    assert np.isfinite(irb360.joint_accelerations(home, rate, rate)).all()
    assert irb360.reach(home).ok
    assert min(irb360.margins(home)) > 0.5
    with pytest.raises(MissingMassError, match="irb360 has no masses"):
        irb360.inverse_dynamics(home, rate, rate)
