"""The dynamics of the documents, written out as they have them, beside ours."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp

FIVE_BAR_STATE = np.array([0.06, 0.31, -0.004, 0.7]), np.array([0.4, -0.7, 0.02, 3.0])


def five_bar(p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Joint angles, directions of proximal and distal links, and D_5R of righettini2024, by plain geometry."""
    lp, ld = 0.25, 0.25
    base = np.array([[-0.09, 0.0], [0.09, 0.0]])
    q = []
    for k, side in enumerate((1, -1)):
        reach = p - base[k]
        r = np.linalg.norm(reach)
        q.append(np.arctan2(reach[1], reach[0]) + side * np.arccos((lp**2 + r**2 - ld**2) / (2 * lp * r)))
    q = np.array(q)
    proximal = np.stack([np.cos(q), np.sin(q)], axis=-1)
    distal = (p - base - lp * proximal) / ld
    across = np.stack([-proximal[:, 1], proximal[:, 0]], axis=-1)
    levers = lp * np.sum(across * distal, axis=-1)
    return q, proximal, distal, np.linalg.solve(distal, np.diag(levers))


def mass_5r(p: np.ndarray) -> np.ndarray:
    """M_5R of righettini2024 (4), with r_p = r_d = l/2 and the printed inertias."""
    lp, ld, m, inertia, m_ee = 0.25, 0.25, 2.9, 5.22e-2, 0.36
    _, proximal, distal, D = five_bar(p)
    total = m_ee * D.T @ D + inertia * np.eye(2)
    for k in range(2):
        across = np.array([-proximal[k, 1], proximal[k, 0]])
        elbow = np.zeros((2, 2))
        elbow[:, k] = lp * across
        turn = np.array([-distal[k, 1], distal[k, 0]]) @ (D - elbow) / ld
        middle = elbow + ld / 2 * np.outer([-distal[k, 1], distal[k, 0]], turn)
        half = elbow / 2
        total += m * half.T @ half + m * middle.T @ middle + inertia * np.outer(turn, turn)
    return total


def test_mass_matrix_of_the_five_bar_is_the_documents() -> None:
    """righettini2024 (1), (3) corrected, (4), (10)."""
    model = pp.load("fivebar-spindle")
    p, pd = FIVE_BAR_STATE
    matrix = model.joint_space(p, pd).M
    actuators = np.array([64**2 * (17 + 24.85), 40**2 * (2.4 + 20.5)]) * 1e-6
    np.testing.assert_allclose(matrix[:2, :2], mass_5r(p[:2]) + actuators[0] * np.eye(2), rtol=1e-9)
    lift = 0.36 * 0.02**2 / (4 * np.pi**2)
    spindle = np.array([[1.2e-6 + lift, -lift], [-lift, 1.2e-6 + lift + 6.4e-6]]) + actuators[1] * np.eye(2)
    np.testing.assert_allclose(matrix[2:, 2:], spindle, rtol=1e-9)
    np.testing.assert_allclose(matrix[:2, 2:], 0, atol=1e-12)


def test_coriolis_matrix_of_the_five_bar_is_the_documents() -> None:
    """righettini2024 (6): sum of m D_c' dD_c/dt is the Christoffel matrix; here by differences of (4)."""
    model = pp.load("fivebar-spindle")
    p, pd = FIVE_BAR_STATE
    coriolis = model.joint_space(p, pd).C
    step = 1e-5
    q, *_, D = five_bar(p[:2])
    del q
    qd = np.linalg.solve(D, pd[:2])
    slopes = []
    for k in range(2):
        shift = D[:, k] * step
        # A step of the joint is a step of the tip to first order; the difference is central.
        slopes.append((mass_5r(p[:2] + shift) - mass_5r(p[:2] - shift)) / (2 * step))
    christoffel = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            terms = [(slopes[k][i, j] + slopes[j][i, k] - slopes[i][j, k]) * qd[k] for k in range(2)]
            christoffel[i, j] = sum(terms) / 2
    np.testing.assert_allclose(coriolis[:2, :2], christoffel, atol=1e-6 * np.max(np.abs(christoffel)))
    np.testing.assert_allclose(coriolis[2:, :], 0, atol=1e-12)


def test_gravity_of_the_five_bar_is_that_of_its_shaft() -> None:
    """righettini2024 (11): m g p / 2 pi (-1, 1), 0.0112 N m."""
    model = pp.load("fivebar-spindle")
    gravity = model.joint_space(*FIVE_BAR_STATE).G
    expected = 0.36 * 9.81 * 0.02 / (2 * np.pi)
    np.testing.assert_allclose(gravity, [0, 0, -expected, expected], atol=1e-12)
    assert expected == pytest.approx(0.0112, abs=5e-5)


def test_home_of_the_asymmetric_robot() -> None:
    """wu2020, recomputed independently: G and the eigenvalues of M at home, rods lumped in halves."""
    model = pp.load("asymmetric-screw").with_rod_model("halves")
    matrix, _, gravity = model.joint_space([0.0, 0.0, -0.5, 0.0], np.zeros(4))
    np.testing.assert_allclose(gravity, [-4.671, 5.058, -4.671, 5.058], atol=6e-4)
    np.testing.assert_allclose(np.linalg.eigvalsh(matrix), [0.171, 0.185, 0.230, 0.845], atol=6e-4)


@pytest.mark.parametrize(
    ("rod_model", "printed"),
    [
        ("slender", (-18.2329, 3.6741, 10.4194)),
        ("halves", (-19.5734, 3.9196, 10.9564)),
        ("variable-frozen", (-18.2772, 3.7369, 10.6528)),
    ],
)
def test_golden_state_of_spara(rod_model: str, printed: tuple[float, ...]) -> None:
    """spara, recomputed independently."""
    model = pp.load("spara3").with_rod_model(rod_model)
    torque = model.inverse_dynamics([0.9, 0.2, 0.1], [1.0, -2.0, 0.5], [20.0, -15.0, 10.0])
    np.testing.assert_allclose(torque, printed, atol=6e-5)


def lissajous(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A closed path in the box of spara3: position, velocity, acceleration (T, 3)."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    size = np.array([0.2, 0.4, 0.12])
    turns, phase = rng.integers(1, 4, 3), rng.uniform(0, 2 * np.pi, 3)
    angle = np.outer(t, turns) + phase
    rate = turns * 4.0
    centre = np.array([0.8, 0.0, 0.15])
    return centre + size * np.sin(angle), size * rate * np.cos(angle), -size * rate**2 * np.sin(angle)


RATIOS = {
    "variable-frozen": (0.36, 0.45),
    "variable-rate": (0.41, 0.51),
    "two-thirds": (0.38, 0.72),
    "thirds": (1.62, 1.71),
}
"""Spread over twelve random paths in an independent recomputation of spara. Its paths are not given; on ours two thirds
at the elbow come out worse (median 0.67, there 0.38 to 0.58) and the rest as there, so that range alone is wider."""


@pytest.mark.parametrize("rod_model", RATIOS)
def test_error_of_lumped_rods_relative_to_halves(rod_model: str) -> None:
    """Median over twelve paths; the note's order of thirds is worse than halves, all others are better."""
    spara = pp.load("spara3")
    ratios = []
    for seed in range(12):
        state = lissajous(seed)
        exact = spara.inverse_dynamics(*state)
        lumped, halves = (spara.with_rod_model(name).inverse_dynamics(*state) for name in (rod_model, "halves"))
        ratios.append(np.sqrt(np.mean((lumped - exact) ** 2) / np.mean((halves - exact) ** 2)))
    low, high = RATIOS[rod_model]
    assert low <= np.median(ratios) <= high


def test_variable_masses_differentiated_fully_are_the_slender_rod() -> None:
    """Lagrange's equations of the note's energy, masses differentiated too: nothing is gained over the exact rod."""
    import casadi as ca

    from lagrangian import Bodies, add_plate, elbow, motor_frames, plate_points

    robot = pp.load("spara3").robot
    x, xd, xdd = (ca.SX.sym(name, 3) for name in ("x", "xd", "xdd"))
    bodies = Bodies(x, xd, robot.gravity)
    add_plate(robot, bodies)
    for i, (frame, end) in enumerate(zip(motor_frames(robot), plate_points(robot, x), strict=True)):
        joint = elbow(frame, end, robot.limb.arm, robot.limb.rod_length[i], robot.branches[i])
        v1, v2, mass = bodies.rate(joint), bodies.rate(end), robot.limb.rod_mass[i]
        bodies.kinetic += robot.limb.arm_mass / 3 * ca.sumsqr(v1) / 2
        bodies.potential += robot.gravity * (robot.limb.arm_mass * (frame[0] + joint)[2] / 2)
        bodies.potential += robot.gravity * mass * (joint + end)[2] / 2
        shared = ca.dot(v1, v2) / (ca.sumsqr(v1) ** 2 + ca.sumsqr(v2) ** 2)
        bodies.kinetic += mass / 6 * (1 + ca.sumsqr(v1) * shared) * ca.sumsqr(v1)
        bodies.kinetic += mass / 6 * (1 + ca.sumsqr(v2) * shared) * ca.sumsqr(v2)
    momentum = ca.gradient(bodies.kinetic, xd)
    force = ca.jtimes(momentum, x, xd) + ca.jtimes(momentum, xd, xdd) - ca.gradient(bodies.kinetic, x)
    lagrange = ca.Function("f", [x, xd, xdd], [force + ca.gradient(bodies.potential, x)])
    model = pp.load("spara3")
    for state in zip(*lissajous(3), strict=True):
        ours = model.inverse_jacobian(state[0]).T @ model.inverse_dynamics(*state)
        theirs = np.array(lagrange(*state)).ravel()
        np.testing.assert_allclose(ours, theirs, atol=1e-9 * np.max(np.abs(theirs)))


def test_variable_masses_at_rest_are_guarded() -> None:
    """k is 0/0 at rest; the guard gives half the mass to each end, as the weight shares do."""
    spara = pp.load("spara3")
    rest = [0.9, 0.2, 0.1], np.zeros(3), [20.0, -15.0, 10.0]
    halves = spara.with_rod_model("halves").inverse_dynamics(*rest)
    for name in ("variable-frozen", "variable-rate"):
        np.testing.assert_allclose(spara.with_rod_model(name).inverse_dynamics(*rest), halves, rtol=1e-12)


def test_the_exact_rod_costs_little() -> None:
    """spara, cost of the rod models: at most 1.3 times the halves, and less than variable masses."""
    spara = pp.load("spara3")
    cost = {
        name: len(spara.with_rod_model(name).kernel("inverse_dynamics").trace.instructions)
        for name in ("slender", "halves", "variable-frozen", "variable-rate")
    }
    assert cost["slender"] <= 1.3 * cost["halves"]
    assert cost["slender"] < cost["variable-frozen"] < cost["variable-rate"]
