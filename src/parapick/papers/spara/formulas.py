"""The spara note's formulas in NumPy, printed form beside corrected form: what its errata rest on."""

from __future__ import annotations

import numpy as np

# Our geometry (m): papers/spara, free choices.
BASE = np.array([[0.0, 0.10, 0.0], [0.0, -0.10, 0.0], [0.0, 0.0, 0.75]])
ARM, ROD = 0.65, np.array([0.80, 0.80, 1.00])
MODE = np.array([-1, 1, -1])


def coefficients(c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B, C of the note with b_i = c."""
    d = BASE - c
    return 2 * d[[0, 1, 2], [1, 1, 2]], -2 * d[:, 0], (ROD**2 - ARM**2 - np.sum(d * d, axis=-1)) / ARM


def printed(c: np.ndarray, signs: np.ndarray = MODE) -> np.ndarray:
    """Joint angles (3,), rad, by the half-angle form of the note."""
    A, B, C = coefficients(c)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * np.arctan((B + signs * np.sqrt(B**2 - (A + C) * (C - A))) / (A + C))


def corrected(c: np.ndarray, signs: np.ndarray = MODE) -> np.ndarray:
    """Joint angles (3,), rad, by two arctangents."""
    A, B, C = coefficients(c)
    with np.errstate(invalid="ignore"):
        return np.arctan2(B, A) + signs * np.arctan2(np.sqrt(A**2 + B**2 - C**2), C)


def directions(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """e_i and de_i/dtheta_i."""
    s, c, o = np.sin(theta), np.cos(theta), np.zeros(3)
    rows = np.arange(3)[:, None] < 2
    e = np.where(rows, np.stack([-s, c, o], axis=-1), np.stack([-s, o, c], axis=-1))
    return e, np.where(rows, np.stack([-c, -s, o], axis=-1), np.stack([-c, o, -s], axis=-1))


def distal(c: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """The distal links (3, 3), m."""
    return c - BASE - ARM * directions(theta)[0]


def turned(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Distance of two angles on the circle, rad."""
    return np.abs((p - q + np.pi) % (2 * np.pi) - np.pi)


def beside_pi(offset: float) -> np.ndarray:
    """Platform point for which leg 1 has a root at pi - offset."""
    theta = np.pi - offset
    link = np.array([0.3, -0.5, 0.2])
    return BASE[0] + ARM * np.array([-np.sin(theta), np.cos(theta), 0.0]) + ROD[0] * link / np.linalg.norm(link)


def slender(v1: np.ndarray, v2: np.ndarray) -> np.ndarray:
    """Kinetic energy of a uniform rod of unit mass, from its centre and its turning: |v|^2 / 2 + |v2 - v1|^2 / 24."""
    centre = (v1 + v2) / 2
    return np.sum(centre**2, axis=-1) / 2 + np.sum((v2 - v1) ** 2, axis=-1) / 24
