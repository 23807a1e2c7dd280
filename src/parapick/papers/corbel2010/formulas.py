"""Equations of corbel2010 in NumPy and in its own letters, with the misprints as switches: what its errata rest on.

The model of the robot comes from the closure of a leg; these forms are compared with it and are used for nothing else.
"""

from __future__ import annotations

from typing import Final

import numpy as np

R_B, R_TP, ARM, ROD = 0.35, 0.10, 0.35, 0.80
"""Table I (m)."""

ROBOTS: Final = {"delta-nr": 3, "delta-r4": 4, "delta-r6": 6}
"""Motors by robot."""


def cylinder(bottom: float, top: float, radius: float = 0.3, levels: int = 5) -> np.ndarray:
    """Poses (N, 3) of a cylinder about the z axis, its rim and both ends included.

    Args:
        bottom: lower end (m).
        top: upper end (m).
        radius: its radius (m).
        levels: heights.
    """
    z, r, angle = np.meshgrid(
        np.linspace(bottom, top, levels), np.linspace(0.0, radius, 5), np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    )
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=-1).reshape(-1, 3)


def azimuths(n: int) -> np.ndarray:
    """Directions of the motors (n,), rad."""
    return 2 * np.pi * np.arange(n) / n


def plate_points(x: np.ndarray, n: int) -> np.ndarray:
    """B_i in the frame O_b-u_i v_i z (..., n, 3), m."""
    c, s = np.cos(azimuths(n)), np.sin(azimuths(n))
    px, py, pz = x[..., None, 0], x[..., None, 1], x[..., None, 2]
    return np.stack([R_TP + c * px + s * py, -s * px + c * py, pz + 0 * c], axis=-1)


def elbow(B: np.ndarray, *, b_power: int = 2, origin: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(10)-(16): elbow (d, h), m.

    Args:
        B: plate points (..., n, 3), m.
        b_power: power of z_B in (13); 1 as printed.
        origin: where x_B is counted from (m); r_b as printed.
    """
    x, y, z = B[..., 0] - origin, B[..., 1], B[..., 2]
    A = ARM**2 - ROD**2 - R_B**2 + x**2 + y**2 + z**2
    B_ = 2 * x - 2 * R_B
    a = 4 * z**2 + B_**2
    b = 4 * R_B * z**b_power + A * B_
    c = A**2 + 4 * R_B**2 * z**2 - 4 * z**2 * ARM**2
    with np.errstate(invalid="ignore"):
        d = (b + np.sqrt(b**2 - a * c)) / a
    return d, (A - B_ * d) / (2 * z)


def angle(d: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The corrected (9), rad."""
    return np.arctan2(h, d - R_B)


def printed_angle(d: np.ndarray, h: np.ndarray) -> np.ndarray:
    """(9) as printed, rad."""
    with np.errstate(invalid="ignore"):
        return np.where(d - R_B >= 0, np.arcsin(h / ARM), np.pi - np.arcsin(h / ARM))


def rod_error(B: np.ndarray, d: np.ndarray, h: np.ndarray) -> np.ndarray:
    """|A B| - L with the elbow at (d, 0, h), m."""
    return np.sqrt((B[..., 0] - d) ** 2 + B[..., 1] ** 2 + (B[..., 2] - h) ** 2) - ROD


def rod_error_of_angle(B: np.ndarray, q: np.ndarray) -> np.ndarray:
    """|A B| - L with the arm at q, m."""
    return rod_error(B, R_B + ARM * np.cos(q), ARM * np.sin(q))


def turned(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Distance of two angles on the circle, rad."""
    return np.abs((q - p + np.pi) % (2 * np.pi) - np.pi)


def near_straight_down() -> tuple[np.ndarray, np.ndarray]:
    """Poses (N, 3) that put leg 1 within 1e-3 rad of q = -90 deg, and that angle (N,)."""
    offset, side, x_B, y_B = np.meshgrid(10.0 ** np.arange(-12, -3), [-1.0, 1.0], [-0.15, -0.05, 0.0], [0.0, 0.05, 0.1])
    q = (-np.pi / 2 + side * offset).ravel()
    x_B, y_B = x_B.ravel(), y_B.ravel()
    drop = np.sqrt(ROD**2 - (x_B - R_B - ARM * np.cos(q)) ** 2 - y_B**2)
    return np.stack([x_B - R_TP, y_B, ARM * np.sin(q) - drop], axis=-1), q


def unit_vectors(x: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """t_i, w_i = t_i x v_i and s_i of (6)-(8), each (..., n, 3), with the corrected inverse kinematics."""
    q = angle(*elbow(plate_points(x, n)))[..., None]
    u = np.stack([np.cos(azimuths(n)), np.sin(azimuths(n)), np.zeros(n)], axis=-1)
    v = np.stack([-np.sin(azimuths(n)), np.cos(azimuths(n)), np.zeros(n)], axis=-1)
    t = np.cos(q) * u + np.sin(q) * np.array([0.0, 0.0, 1.0])
    s = (x[..., None, :] + R_TP * u - R_B * u - ARM * t) / ROD
    return t, np.cross(t, v), s


def jacobian_rate(x: np.ndarray, xd: np.ndarray, n: int, sign: float) -> np.ndarray:
    """(30) with r = w and a sign of its first term; +1 as printed."""
    t, w, s = unit_vectors(x, n)
    ws = np.sum(w * s, axis=-1, keepdims=True)
    qd = np.sum(s * xd[..., None, :], axis=-1, keepdims=True) / (ARM * ws)
    wd, sd = -t * qd, (xd[..., None, :] - ARM * w * qd) / ROD
    first = np.sum(wd * s + w * sd, axis=-1, keepdims=True) / (ARM * ws**2) * s
    return sign * first + sd / (ARM * ws)
