"""Answers of a model that have more than one part."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism import Robot


class JointSpace(NamedTuple):
    """`M` (..., n, n), `C` (..., n, n) and `G` (..., n) with `M qdd + C qd + G = tau`."""

    M: np.ndarray
    C: np.ndarray
    G: np.ndarray


class MixedSpace(NamedTuple):
    """`M_p` (..., n, dof) and `n_p` (..., n) with `tau = M_p xdd + n_p`."""

    M_p: np.ndarray
    n_p: np.ndarray


class Energy(NamedTuple):
    """Kinetic and potential energy (...), J."""

    kinetic: np.ndarray
    potential: np.ndarray


class DriveLoad(NamedTuple):
    """At the motor shafts `torque` (..., n), N m, and `speed` (..., n), rad/s; at the joints `joint_torque` (..., n).

    The torques at the joints, N m, are those of rigid bodies and reflected inertia, before friction and losses.
    """

    torque: np.ndarray
    speed: np.ndarray
    joint_torque: np.ndarray


class Kinematics(NamedTuple):
    """Joint angles `q` (..., n), rad, and inverse Jacobian `J` (..., n, dof) with `qd = J xd`."""

    q: np.ndarray
    J: np.ndarray


def check_square(robot: Robot) -> None:
    """Raise if a robot has more motors than freedoms, so that its joints are not coordinates."""
    if robot.redundant:
        raise ParameterError(robot.name, "has more motors than freedoms, so its joints are not coordinates")


def by_part(torque: np.ndarray) -> dict[str, np.ndarray]:
    """Torques (..., n) by what they are spent on.

    Args:
        torque: torques of all parts (..., parts, n), N m, in the order of `PARTS`.
    """
    # Inside: few commands ask for them.
    from parapick.formulas import PARTS

    return {name: torque[..., i, :] for i, name in enumerate(PARTS)}
