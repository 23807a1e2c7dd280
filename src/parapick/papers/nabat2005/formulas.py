"""Equations of nabat2005 in NumPy and in its own letters, in several readings: what its errata rest on."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

R_B, R_TP, ARM, ROD, H = 0.35, 0.10, 0.35, 0.80, 0.10
"""Geometry of the shipped Par4 (m): free choices of the document's record."""

AZIMUTH: Final = np.radians([45.0, 135.0, 225.0, 315.0])
U: Final = np.stack([np.cos(AZIMUTH), np.sin(AZIMUTH), np.zeros(4)], axis=-1)
V: Final = np.stack([-np.sin(AZIMUTH), np.cos(AZIMUTH), np.zeros(4)], axis=-1)
UP: Final = np.array([0.0, 0.0, 1.0])

MOVED: Final = (0, 1)
"""Chains on half plate 2, counted from 0: those that the yaw moves."""

POSE: Final = np.array([0.1, -0.05, -0.7, 0.3])
RATE: Final = np.array([1.5, -0.5, 0.3, 4.0])
CHANGE: Final = np.array([60.0, -40.0, 30.0, 200.0])
"""A state at which the readings are compared."""

GRAVITY: Final = 9.81


class Masses(NamedTuple):
    """Masses (kg), inertia of arm and motor (kg m2) and the arm's centre (m), in the letters of the document."""

    m1: float = 0.26
    m2: float = 0.18
    m3: float = 0.08
    m4: float = 3 * 0.071 / ARM**2
    m5: float = 0.15
    inertia: float = 0.003 + 0.071
    L_G: float = ARM / 2


MASSES: Final = Masses()


def plate_points(X: np.ndarray, moved: tuple[int, ...] = MOVED) -> np.ndarray:
    """B_i (4, 3), m: chains of `moved` sit on the half plate that the parallelogram carries round."""
    theta = X[3]
    swing = H * (np.array([-np.sin(theta), np.cos(theta), 0.0]) - np.array([0.0, 1.0, 0.0]))
    return X[:3] + R_TP * U + np.isin(np.arange(4), moved)[:, None] * swing


def inverse_kinematics(X: np.ndarray, moved: tuple[int, ...] = MOVED, arm: float = ARM, rod: float = ROD) -> np.ndarray:
    """Joint angles (4,), rad."""
    d = plate_points(X, moved) - R_B * U
    r, z = np.sum(d * U, axis=-1), d[:, 2]
    G = (np.sum(d * d, axis=-1) + arm**2 - rod**2) / (2 * arm)
    return np.arctan2(z, r) + np.arccos(G / np.hypot(r, z))


def arms(q: np.ndarray) -> np.ndarray:
    """P_i A_i (4, 3), m."""
    return ARM * (np.cos(q)[:, None] * U + np.sin(q)[:, None] * UP)


def forearms(X: np.ndarray, q: np.ndarray) -> np.ndarray:
    """A_i B_i (4, 3), m."""
    return plate_points(X) - R_B * U - arms(q)


def rows_of_19(X: np.ndarray, with_yaw: tuple[int, ...] = MOVED) -> np.ndarray:
    """J_x1 of (19) with the yaw entry in the given rows."""
    s = forearms(X, inverse_kinematics(X))
    yaw = -H * (s[:, 0] * np.cos(X[3]) + s[:, 1] * np.sin(X[3]))
    return np.column_stack([s, np.where(np.isin(np.arange(4), with_yaw), yaw, 0.0)])


def diagonal_of_20(X: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """(20) with the given unit vectors in the place of v_i."""
    q = inverse_kinematics(X)
    return np.sum(np.cross(forearms(X, q), arms(q)) * direction, axis=-1)


def jacobians(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J_1 and J_2 of (18) and (26), (4, 4): from joint rates to those of D and D'."""
    J1 = np.linalg.inv(rows_of_19(X) / diagonal_of_20(X, V)[:, None])
    T2 = np.eye(4)
    T2[:2, 3] = -H * np.cos(X[3]), -H * np.sin(X[3])
    return J1, T2 @ J1


def second_acceleration(X: np.ndarray, Xd: np.ndarray, Xdd: np.ndarray, *, swing: bool = True) -> np.ndarray:
    """X_2'' of (31), with or without its velocity term."""
    c, s = np.cos(X[3]), np.sin(X[3])
    acceleration = Xdd + np.array([-H * c * Xdd[3], -H * s * Xdd[3], 0.0, -Xdd[3]])
    return acceleration + (H * Xd[3] ** 2 * np.array([s, -c, 0.0, 0.0]) if swing else 0.0)


def torques(
    X: np.ndarray, Xd: np.ndarray, Xdd: np.ndarray, qdd: np.ndarray, masses: Masses = MASSES, **readings: bool | float
) -> np.ndarray:
    """(35), N m, in one of its readings.

    Args:
        X: task vector.
        Xd: its rate.
        Xdd: its acceleration.
        qdd: joint accelerations (4,), rad/s2.
        masses: masses.
        readings: `swing`, the velocity term of (31); `second`, X_2'' in (33); `vertical`, sin in (34); `forearm`, the
            length that (17) and (34) have (m).
    """
    J1, J2 = jacobians(X)
    q = inverse_kinematics(X)
    g = np.array([0.0, 0.0, GRAVITY, 0.0])
    keep = np.array([1.0, 1.0, 1.0, 0.0])
    length = float(readings.get("forearm", ARM))
    arm = (masses.inertia + masses.m5 * length**2) * qdd
    first = J1.T @ ((masses.m1 + masses.m3 + 2 * masses.m5) * keep * (Xdd + g))
    behind = second_acceleration(X, Xd, Xdd, swing=bool(readings.get("swing", True)))
    behind = behind if readings.get("second", True) else Xdd
    second = J2.T @ ((masses.m2 + masses.m3 + 2 * masses.m5) * keep * (behind + g))
    wave = np.sin(q) if readings.get("vertical", False) else np.cos(q)
    return arm + first + second + GRAVITY * (masses.m4 * masses.L_G + masses.m5 * length) * wave
