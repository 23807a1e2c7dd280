"""What an acceleration costs: the largest torque of a motor, in the direction that asks most of it."""

from __future__ import annotations

import numpy as np

from parapick.capability.index_types import Index, IndexOptions
from parapick.model.model import Model


def torque_for(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    """Largest torque at the arms (N,), N m, for an acceleration from rest in the worst direction, yaw held.

    The torques are `M_p xdd + n_p`, so motor i needs `a |row i of M_p| + |n_p,i|` where the acceleration points along
    its row. Redundant robots share by least norm. Friction is left out.

    Args:
        model: the robot, with its payload.
        poses: task vectors (N, dof), m and rad.
        options: the acceleration (m/s2).
    """
    matrix, rest = model.mixed_space(poses, np.zeros(model.robot.dof))
    arms = slice(0, model.robot.arms)
    rows = np.linalg.norm(matrix[..., arms, :3], axis=-1)
    return (options.acceleration * rows + np.abs(rest[..., arms])).max(axis=-1)


def _has_masses(model: Model, _: IndexOptions) -> None:
    model.kernel("mixed_space")


TORQUE = (
    Index(
        "torque",
        "{effort} for {acceleration:g} m/s2 in the worst direction",
        "N m",
        "low",
        torque_for,
        _has_masses,
    ),
)
"""Indices of what the motors must give."""
