"""What the tests of this room share: poses, directions, oracles that know no facets."""

from __future__ import annotations

import numpy as np

import parapick as pp

# One of each kind: three and four freedoms, square and redundant, with legs of the plate's own.
ROBOTS = ("delta-nr", "r4-100g", "delta-r6", "par4", "delta-4", "fivebar-spindle")
# At rest and at speed, where the kernels differ most.
STATES = [(name, False) for name in ROBOTS] + [("r4-100g", True), ("par4", True)]


def directions(count: int, seed: int = 0) -> np.ndarray:
    """Unit vectors (count, 3), uniform on the sphere."""
    drawn = np.random.default_rng(seed).normal(size=(count, 3))
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


def task(model: pp.Model, translation: np.ndarray, yaw: float = 0.0) -> np.ndarray:
    """Task vectors (..., dof) of translations (..., 3) and one yaw coordinate."""
    if model.robot.dof == 3:
        return translation
    return np.concatenate([translation, np.full((*translation.shape[:-1], 1), yaw)], axis=-1)


def limits(model: pp.Model) -> np.ndarray:
    """Peak torque of every motor at its joint (n,), N m."""
    robot = model.robot
    drives = [robot.drive] * robot.arms + [robot.plate.drive] * (robot.motors - robot.arms)
    return np.array([drive.peak_torque * drive.ratio for drive in drives if drive is not None])


def share(model: pp.Model, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> np.ndarray:
    """Largest share of a peak torque (...) that a state takes, with the best sharing where there is a choice.

    The shipped redundant robots have motors that are all alike, so the least peak torque is the least share.
    """
    torque = model.inverse_dynamics(x, xd, xdd, sharing="least-peak")
    return np.max(np.abs(torque) / limits(model), axis=-1)
