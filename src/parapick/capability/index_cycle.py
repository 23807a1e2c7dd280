"""The fastest pick-and-place cycle about each place: there and back over a gate, under the limits of the motors.

Peak torque and speed hold at every instant; rated torque holds for the effective torque over the cycle, which is
repeated without a rest and run slower as a whole where a motor would get too hot.
"""

from __future__ import annotations

import math

import numpy as np

from parapick.capability.index_types import Index, IndexOptions
from parapick.capability.limits import joint_torques
from parapick.model.model import Model
from parapick.motion import Path, gate_path, with_yaw
from parapick.timing import (
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
    enduring,
    fastest,
)


def cycle_time(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    """Duration of the fastest cycle there and back (s), its middle at each pose; NaN where it cannot be run.

    Args:
        model: the robot, with its payload.
        poses: task vectors (N, dof) halfway between pick and place, at their height, m and rad.
        options: size of the cycle and limits of the motors.
    """
    known = options.known(model)
    return np.array([_cycle(model, pose, known) for pose in poses])


def _cycle(model: Model, pose: np.ndarray, options: IndexOptions) -> float:
    half = options.width / 2 * np.array([math.cos(options.azimuth), math.sin(options.azimuth), 0.0])
    ends = (pose[:3] - half).tolist(), (pose[:3] + half).tolist()
    try:
        # Both ways are timed: friction and gearboxes make them differ.
        there, back = (
            fastest(model, _gate(model, a, b, pose, options), torque=options.torque) for a, b in (ends, ends[::-1])
        )
        cycle = there.then(back)
        return (cycle if options.rated is None else enduring(model, cycle, rated=options.rated)).duration
    except (HoldingTorqueError, OverheatingError, SingularPathError, UnreachablePathError):
        return math.nan


def _gate(model: Model, start: list[float], end: list[float], pose: np.ndarray, options: IndexOptions) -> Path:
    path = gate_path(start, end, options.height, options.corner_radius)
    return path if model.robot.dof == 3 else with_yaw(path, float(pose[3]), float(pose[3]))


def _has_torque(model: Model, options: IndexOptions) -> None:
    joint_torques(model, options.torque)
    model.motors.torque(options.known(model).rated, name="rated")


CYCLE = (
    Index(
        "cycle-time",
        "fastest cycle, {width:g} m over and {height:g} m up, there and back, {heat}",
        "s",
        "low",
        cycle_time,
        _has_torque,
        slow=True,
    ),
)
"""Indices that time a motion at each pose."""
