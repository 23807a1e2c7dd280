"""Poses that a task asks for: the middle of a robot's workspace, and whether the robot reaches them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from parapick.answer import pose_text
from parapick.errors import MotionError, UnreachableError
from parapick.model import Model


@final
class UnreachableCornerError(MotionError):
    """A corner of a motion lies where the robot cannot go.

    Attributes:
        corner: name of the corner, such as `place`.
        pose: its task vector (m, rad).
        reason: what is missing there.
        slack: by how much; negative.
        unit: of the slack, m or rad.
    """

    def __init__(self, corner: str, pose: tuple[float, ...], reason: str, slack: float, unit: str) -> None:
        super().__init__(f"corner {corner!r} at {pose_text(pose)} is out of reach: {reason}")
        self.corner = corner
        self.pose = pose
        self.reason = reason
        self.slack = slack
        self.unit = unit


def workspace_center(model: Model) -> np.ndarray:
    """Middle (x, y, z) of the workspace of a robot's file (m); its home where the file has no workspace."""
    robot = model.numbers
    region = robot.workspace
    if region is None:
        return np.array(robot.home[:3])
    return np.array([*region.middle, 0.5 * (region.z_min + region.z_max)])


def tool_ratio(model: Model) -> float:
    """Turns of the tool per turn of the plate's yaw, which is what poses state: a gear or belt may amplify it."""
    return float(getattr(model.numbers.plate, "yaw_ratio", 1.0))


def check_poses(model: Model, poses: Mapping[str, Sequence[float]]) -> None:
    """Raise if a robot does not reach poses.

    Args:
        poses: task vectors (m, rad) by name.

    Raises:
        UnreachableCornerError: it does not reach one of them; says which, where, and what is missing.
    """
    if not poses or model.reach(np.array([*poses.values()], dtype=float)).ok.all():
        return
    for name, pose in poses.items():
        try:
            model.reach(np.array(pose, dtype=float)).raise_if_unreachable()
        except UnreachableError as error:
            raise UnreachableCornerError(name, error.pose, error.reason, error.slack, error.unit) from error
