"""What motions ask of a robot before it moves: where the middle of its workspace is, and whether it reaches poses.

This is the one file of the room that knows a robot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from parapick.errors import UnreachableError
from parapick.motion.errors import UnreachableCornerError
from parapick.motion.shapes import gate_points

if TYPE_CHECKING:
    from parapick.model import Model


def workspace_center(model: Model) -> np.ndarray:
    """Middle (x, y, z) of the workspace of a robot's file (m); its home where the file has no workspace.

    Args:
        model: the robot.
    """
    robot = model.numbers
    region = robot.workspace
    if region is None:
        return np.array(robot.home[:3])
    return np.array([*region.middle, 0.5 * (region.z_min + region.z_max)])


def check_corners(model: Model, start: Sequence[float], end: Sequence[float], height: float) -> None:
    """Raise if a robot does not reach start, end or the points above them.

    Args:
        model: the robot.
        start: task vector of the start (m, rad).
        end: task vector of the end (m, rad).
        height: how far the gate rises above the higher of the two (m).

    Raises:
        UnreachableCornerError: it does not; says which corner, where, and what is missing.
    """
    points = gate_points(start, end, height)
    poses = [(*point, *pose[3:]) for point, pose in zip(points, (start, start, end, end), strict=True)]
    check_poses(model, dict(zip(("pick", "above pick", "above place", "place"), poses, strict=True)))


def check_poses(model: Model, poses: Mapping[str, Sequence[float]]) -> None:
    """Raise if a robot does not reach poses.

    Args:
        model: the robot.
        poses: task vectors (m, rad) by name.

    Raises:
        UnreachableCornerError: it does not reach one of them; says which, where, and what is missing.
    """
    for name, pose in poses.items():
        try:
            model.reach(np.array(pose, dtype=float)).raise_if_unreachable()
        except UnreachableError as error:
            raise UnreachableCornerError(name, error.pose, error.reason, error.slack, error.unit) from error
