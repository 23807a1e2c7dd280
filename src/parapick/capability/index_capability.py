"""Indices of what the motors allow: accelerations, forces, payload, speeds and stiffness."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from parapick.arrays import reals
from parapick.capability.acceleration import acceleration, acceleration_any, yaw_acceleration
from parapick.capability.ellipsoid import ellipsoid
from parapick.capability.force import force, payload
from parapick.capability.index_types import Index, IndexOptions
from parapick.capability.limits import joint_speeds, joint_torques
from parapick.capability.speed import speed
from parapick.capability.stiffness import stiffness
from parapick.errors import ParameterError
from parapick.model.model import Model

_Function = Callable[[Model, np.ndarray, IndexOptions], np.ndarray]


def _part(whole: Callable[[Model, np.ndarray, IndexOptions], NamedTuple], name: str) -> _Function:
    """One field of an answer that has several."""
    return lambda model, poses, options: getattr(whole(model, poses, options), name)


def velocity_of(model: Model, options: IndexOptions) -> np.ndarray | None:
    """The velocity of the options as a task vector (dof,); without a yaw rate that is 0. None at rest.

    Args:
        model: the robot.
        options: the options.
    """
    if options.velocity is None:
        return None
    given = reals("velocity", options.velocity)
    dof = model.robot.dof
    if given.shape not in ((3,), (dof,)) or not np.isfinite(given).all():
        names = ", ".join(model.robot.task_names)
        raise ParameterError("velocity", f"is {options.velocity}; give finite numbers for {names} (m/s, rad/s)")
    return np.append(given, [0.0] * (dof - len(given)))


def _any(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    return acceleration_any(model, poses, velocity_of(model, options), torque=options.torque)


def _accelerations(model: Model, poses: np.ndarray, options: IndexOptions) -> NamedTuple:
    return acceleration(model, poses, velocity_of(model, options), torque=options.torque)


def _yaw(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    return yaw_acceleration(model, poses, velocity_of(model, options), torque=options.torque).reserve


def _radii(model: Model, poses: np.ndarray, options: IndexOptions) -> NamedTuple:
    return ellipsoid(model, poses, torque=options.torque)


def _forces(model: Model, poses: np.ndarray, options: IndexOptions) -> NamedTuple:
    return force(model, poses, torque=options.torque)


def _payload(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    return payload(model, poses, options.acceleration, torque=options.torque)


def _speeds(model: Model, poses: np.ndarray, options: IndexOptions) -> NamedTuple:
    return speed(model, poses, speed=options.speed)


def _stiffnesses(model: Model, poses: np.ndarray, options: IndexOptions) -> NamedTuple:
    return stiffness(model, poses, servo=options.servo, rods=options.rods, arms=options.arms)


def _has_torque(model: Model, options: IndexOptions) -> None:
    joint_torques(model, options.torque)
    velocity_of(model, options)
    model.kernel("mass_matrix")


def _has_yaw(model: Model, options: IndexOptions) -> None:
    if model.robot.dof < 4:
        raise ParameterError("yaw-acceleration", f"{model.robot.name} has no yaw")
    _has_torque(model, options)


def _has_speed(model: Model, options: IndexOptions) -> None:
    joint_speeds(model, options.speed)


def _has_stiffness(model: Model, options: IndexOptions) -> None:
    _stiffnesses(model, np.array(model.robot.home), options)


_SERVO = "servo {servo:g} {stiffness}"

CAPABILITY = (
    Index("acceleration", "acceleration in any direction{at}", "m/s2", "high", _any, _has_torque),
    Index(
        "acceleration-best",
        "acceleration in the best direction{at}",
        "m/s2",
        "high",
        _part(_accelerations, "max"),
        _has_torque,
    ),
    Index(
        "acceleration-ratio",
        "acceleration in the best over that in any direction{at}",
        "",
        "low",
        _part(_accelerations, "ratio"),
        _has_torque,
    ),
    Index("yaw-acceleration", "yaw acceleration, both ways{at}", "rad/s2", "high", _yaw, _has_yaw),
    Index(
        "ellipsoid",
        "smallest radius of the dynamic manipulability ellipsoid",
        "m/s2",
        "high",
        _part(_radii, "smallest"),
        _has_torque,
    ),
    Index("force", "force in any direction at standstill", "N", "high", _part(_forces, "min_max"), _has_torque),
    Index("force-best", "force in the best direction at standstill", "N", "high", _part(_forces, "max"), _has_torque),
    Index("payload", "payload with {acceleration:g} m/s2 in any direction", "kg", "high", _payload, _has_torque),
    Index("speed", "plate speed in any direction", "m/s", "high", _part(_speeds, "any"), _has_speed),
    Index("speed-best", "plate speed in the best direction", "m/s", "high", _part(_speeds, "best"), _has_speed),
    Index(
        "stiffness",
        f"stiffness in the softest direction, {_SERVO}",
        "N/m",
        "high",
        _part(_stiffnesses, "smallest"),
        _has_stiffness,
    ),
    Index(
        "stiffness-ratio",
        "stiffness in the stiffest over that in the softest direction",
        "",
        "low",
        _part(_stiffnesses, "ratio"),
        _has_stiffness,
    ),
)
"""Indices of what the motors allow."""
