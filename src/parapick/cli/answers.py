"""What the JSON answers of several commands begin with."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.model import Model


def named(robot: Robot, vector: Iterable[float]) -> dict[str, float]:
    """A task vector by the names of its coordinates."""
    return {name: float(value) for name, value in zip(robot.task_names, vector, strict=True)}


def about(model: Model) -> dict[str, Any]:
    """Which robot, in which working mode."""
    return {"robot": model.robot.name, "working_mode": dataclasses.asdict(model.working_mode)}


def at_pose(model: Model, vector: Iterable[float]) -> dict[str, Any]:
    """Which robot, in which working mode, at which pose, and whether it can be there."""
    pose = [float(value) for value in vector]
    reach = model.reach(pose)
    return {
        **about(model),
        "pose": named(model.robot, pose),
        "reachable": bool(reach.ok),
        "reason": reach.reason() or None,
    }
