"""wu2020: its geometry in NumPy, printed form beside corrected form, against the loops."""

from __future__ import annotations

import numpy as np
import pytest

# Table 1 (m, kg); H is the lift per radian.
A_X, A_Y, ARM, ROD, RADIUS, H = 0.300, 0.150, 0.300, 0.600, 0.100, 0.020 / (2 * np.pi)
ARM_MASS, ROD_MASS, GRAVITY = 0.730, 0.421, 9.81

LIMB = np.arange(1, 5)
BETA = (2 * LIMB - 1) * np.pi / 4
ALPHA = np.array([-1.0, 1.0, 1.0, -1.0]) * np.pi / 4
UPPER = LIMB % 2
J = np.array([0.0, 1.0, 0.0])
FORWARD = np.stack([np.cos(ALPHA), np.zeros(4), -np.sin(ALPHA)], axis=-1)
AXIS = np.stack([np.sin(ALPHA), np.zeros(4), np.cos(ALPHA)], axis=-1)
BASE = np.stack([np.sign(np.cos(BETA)) * A_X, np.sign(np.sin(BETA)) * A_Y, np.zeros(4)], axis=-1)

HOME = np.array([0.0, 0.0, -0.5, 0.0])
POSE = np.array([0.05, -0.03, -0.55, 0.4])
OUTWARD, PRINTED_MODE = np.array([-1, 1, -1, 1]), np.array([-1, -1, 1, 1])
CLOSED = 1e-12


def platform_points(chi: np.ndarray) -> np.ndarray:
    """c_i of (1c)."""
    return chi[:3] + np.stack([RADIUS * np.cos(BETA), RADIUS * np.sin(BETA), UPPER * H * chi[3]], axis=-1)


def arm_vectors(theta: np.ndarray) -> np.ndarray:
    """The right side of (1b)."""
    return ARM * (np.cos(theta)[:, None] * FORWARD + np.sin(theta)[:, None] * J)


def angles(chi: np.ndarray, signs: np.ndarray, across: np.ndarray) -> np.ndarray:
    """(3), (4) with J_i = 2 b (c_i - a_i) . across_i."""
    d = platform_points(chi) - BASE
    I_, J_, K_ = -2 * ARM * d @ J, 2 * ARM * np.sum(d * across, axis=-1), np.sum(d * d, axis=-1) + ARM**2 - ROD**2
    return 2 * np.arctan((-I_ + signs * np.sqrt(I_**2 + J_**2 - K_**2)) / (K_ - J_))


def rod_errors(chi: np.ndarray, elbows: np.ndarray) -> np.ndarray:
    return np.abs(np.linalg.norm(platform_points(chi) - elbows, axis=-1) - ROD)


def solved(chi: np.ndarray, signs: np.ndarray = OUTWARD) -> np.ndarray:
    return angles(chi, signs, np.cross(AXIS, J))


def test_home() -> None:
    theta = solved(HOME)
    np.testing.assert_allclose(np.degrees(theta), [105.87, 74.13, -74.13, -105.87], atol=0.005)
    assert rod_errors(HOME, BASE + arm_vectors(theta)).max() < CLOSED


def test_e2_elbow_of_1b_is_an_offset_from_the_base() -> None:
    assert rod_errors(POSE, BASE + arm_vectors(solved(POSE))).max() < CLOSED
    np.testing.assert_allclose(rod_errors(HOME, arm_vectors(solved(HOME))), 0.0907, atol=5e-5)


def test_e4_printed_j_of_4_opens_the_loops() -> None:
    for signs in (OUTWARD, -OUTWARD, PRINTED_MODE, -PRINTED_MODE):
        assert rod_errors(POSE, BASE + arm_vectors(solved(POSE, signs))).max() < CLOSED
        assert rod_errors(HOME, BASE + arm_vectors(angles(HOME, signs, AXIS))).min() > 0.011
    every = [rod_errors(HOME, BASE + arm_vectors(angles(HOME, s * np.ones(4), AXIS))) for s in (1, -1)]
    assert (np.min(every), np.max(every)) == pytest.approx((0.0120, 0.1980), abs=5e-5)


def test_e6_both_sub_platforms_keep_the_yaw_rate() -> None:
    d = platform_points(POSE) - BASE - arm_vectors(solved(POSE))
    J_l = np.column_stack([d, UPPER * H * d[:, 2]])
    J_u = np.column_stack([d, -(1 - UPPER) * H * d[:, 2]])
    rate = np.array([1.0, 1.0, 1.0, 10.0])
    H_u = np.eye(4)
    H_u[2, 3] = H
    np.testing.assert_allclose(J_u @ H_u @ rate, J_l @ rate, rtol=0, atol=CLOSED)
    printed_u, printed_l = H_u.copy(), np.diag([1.0, 1.0, 1.0, 0.0])
    printed_u[3, 3] = 0.0
    assert np.abs(J_u @ printed_u @ rate - J_l @ rate).max() == pytest.approx(0.0154, abs=5e-5)
    assert np.abs(J_l @ printed_l @ rate - J_l @ rate).max() == pytest.approx(0.0148, abs=5e-5)


def test_e7_arm_gravity_is_a_derivative_of_height() -> None:
    weight = (ARM_MASS / 2 + ROD_MASS) * GRAVITY
    theta, step = solved(HOME), 1e-6

    def potential(t: np.ndarray) -> np.ndarray:
        return weight * arm_vectors(t)[:, 2]

    torque = -(potential(theta + step) - potential(theta - step)) / (2 * step)
    corrected = -weight * ARM * np.sin(ALPHA) * np.sin(theta)
    np.testing.assert_allclose(corrected, torque, rtol=1e-8)
    np.testing.assert_allclose(corrected, [1.573, -1.573, 1.573, -1.573], atol=5e-4)
    np.testing.assert_allclose(-weight * ARM * np.sin(ALPHA) * np.cos(theta), -0.447, atol=5e-4)


def closest(signs: np.ndarray, chi: np.ndarray) -> float:
    """Smallest distance of two arms, by sampling both (m)."""
    along = np.linspace(0.0, 1.0, 201)[:, None]
    points = [base + along * arm for base, arm in zip(BASE, arm_vectors(solved(chi, signs)), strict=True)]
    pairs = [(points[i], points[k]) for i in range(4) for k in range(i)]
    return min(np.linalg.norm(p[:, None] - q[None], axis=-1).min() for p, q in pairs)


def test_e11_printed_working_mode_crosses_arms() -> None:
    assert closest(PRINTED_MODE, HOME) < 0.002
    assert closest(OUTWARD, HOME) == pytest.approx(0.3, abs=1e-9)
    for x in np.linspace(-0.1525, 0.1525, 7):
        assert closest(OUTWARD, np.array([x, 0.0, -0.5, 0.0])) > 0.29


def test_e10_slow_pole_outlasts_the_cycle() -> None:
    np.testing.assert_allclose(np.sort(np.roots([1.0, 1000.0, 955.0])), [-999.04, -0.956], rtol=1e-3)
