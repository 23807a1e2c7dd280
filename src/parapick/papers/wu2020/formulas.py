"""Geometry of wu2020 in NumPy and in its own letters, with the misprints as switches: what its errata rest on."""

from __future__ import annotations

import numpy as np

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
    """How far every rod's length is off (4,), m, with these elbows."""
    return np.abs(np.linalg.norm(platform_points(chi) - elbows, axis=-1) - ROD)


def solved(chi: np.ndarray, signs: np.ndarray = OUTWARD) -> np.ndarray:
    """Joint angles (4,), rad, by the corrected (4)."""
    return angles(chi, signs, np.cross(AXIS, J))


def closest(signs: np.ndarray, chi: np.ndarray) -> float:
    """Smallest distance of two arms, by sampling both (m)."""
    along = np.linspace(0.0, 1.0, 201)[:, None]
    points = [base + along * arm for base, arm in zip(BASE, arm_vectors(solved(chi, signs)), strict=True)]
    pairs = [(points[i], points[k]) for i in range(4) for k in range(i)]
    return min(np.linalg.norm(p[:, None] - q[None], axis=-1).min() for p, q in pairs)
