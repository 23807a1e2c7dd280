"""All assembly modes: every real solution of the forward problem, found by Newton's method from many places."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from parapick.mechanism import Robot, stance
from parapick.model.robot_kernels import RobotKernels
from parapick.parameters import resolved

STARTS: Final = 4096
"""Starting poses; a few hundred find every mode of the shipped robots, the rest costs a millisecond."""

SAME: Final = 1e-7
"""Solutions closer than this (m, rad) are one: each closes to 1e-12 m, and two modes this close are a singularity."""

CLOSED: Final = 1e-9
"""A solution that leaves less than this (m) of every closure is real."""


def assembly_modes(kernels: RobotKernels, q: ArrayLike) -> np.ndarray:
    """Every real solution (k, dof) of the forward problem of one set of joint angles, the closest to home first.

    Args:
        q: joint angles (n,), rad.
    """
    robot = kernels.robot
    poses = kernels("forward_kinematics", q, starting_poses(robot))[0]
    poses = poses[~np.isnan(poses).any(axis=-1)]
    size = max(1.0, float(np.max(stance(resolved(robot)).rod)))
    return distinct(robot, poses[fitting(kernels("closure_residual", poses, q)[0], size)])


def starting_poses(robot: Robot, count: int = STARTS) -> np.ndarray:
    """Poses (count, dof) spread evenly, always the same, over all the plate could be; home is the first.

    A Kronecker sequence on the box of half width arm + rod about home; yaw over a whole turn, or over what moves the
    plate by as much.

    Args:
        count: number of poses.
    """
    this = resolved(robot)
    span = float(np.max(stance(this).extent))
    turn = math.pi if this.plate.traits.yaw_is_an_angle else span / float(this.plate.yaw_length)
    half = np.array([span, span, span, turn])[: this.dof]
    root = _plastic(this.dof)
    steps = root ** -np.arange(1, this.dof + 1)
    places = (0.5 + np.outer(np.arange(count), steps)) % 1.0
    poses = np.array(this.home) + (2 * places - 1) * half
    poses[0] = this.home
    return poses


def _plastic(dimension: int) -> float:
    """The root of g^(d+1) = g + 1, whose negative powers fill a cube evenly (Roberts' sequence)."""
    g = 1.5
    for _ in range(60):
        g = (1 + g) ** (1 / (dimension + 1))
    return g


def fitting(residuals: np.ndarray, size: float = 1.0) -> np.ndarray:
    """Which solutions (k,) fit: the best, and those that leave no more than twice as much of the closures.

    Only redundant robots have others: places where least squares stops although the encoders do not agree.

    Args:
        residuals: what each solution leaves of the closures (k, n).
        size: longest rod (m), at least 1: rounding grows with it.
    """
    left = np.max(np.abs(residuals), axis=-1, initial=0.0)
    return left <= max(CLOSED * size, 2 * np.min(left, initial=np.inf))


def distinct(robot: Robot, solutions: np.ndarray) -> np.ndarray:
    """The different ones among solutions (k, dof), the closest to home first; yaw of swinging plates within (-pi, pi].

    Args:
        solutions: solutions.
    """
    poses = solutions
    if robot.plate.traits.yaw_is_an_angle:
        poses = poses.copy()
        poses[:, 3] = math.pi - (math.pi - poses[:, 3]) % (2 * math.pi)
    kept: list[np.ndarray] = []
    order = np.argsort(np.linalg.norm(poses - np.array(robot.home), axis=-1), kind="stable")
    rest = poses[order]
    while len(rest):
        kept.append(rest[0])
        rest = rest[_apart(robot, rest - rest[0]) > SAME]
    return np.array(kept).reshape(-1, robot.dof)


def _apart(robot: Robot, differences: np.ndarray) -> np.ndarray:
    """Largest entry of differences of solutions (k, dof); half a turn either way is one yaw of a swinging plate."""
    if robot.plate.traits.yaw_is_an_angle:
        differences[:, 3] -= 2 * math.pi * np.round(differences[:, 3] / (2 * math.pi))
    return np.max(np.abs(differences), axis=-1)
