"""Indices of geometry alone: margins, conditioning, manipulability, clearance, joint speed."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from parapick.capability.index_types import Index, IndexOptions
from parapick.errors import ParameterError
from parapick.model.model import Model


def _margin(which: int) -> Callable[[Model, np.ndarray, IndexOptions], np.ndarray]:
    return lambda model, poses, _: model.margins(poses)[which]


def _smallest_margin(model: Model, poses: np.ndarray, _: IndexOptions) -> np.ndarray:
    return reduce(np.minimum, model.margins(poses))


def _conditioning(which: int) -> Callable[[Model, np.ndarray, IndexOptions], np.ndarray]:
    return lambda model, poses, _: model.indices(poses)[which]


def _clearance(model: Model, poses: np.ndarray, _: IndexOptions) -> np.ndarray:
    return model.clearance(poses).distance


def _joint_speed(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
    """A plate speed v in the direction of row i of the Jacobian asks v times its norm of motor i: no direction more."""
    rows = np.linalg.norm(model.inverse_jacobian(poses)[..., : model.robot.arms, :3], axis=-1)
    return options.plate_speed * rows.max(axis=-1)


def _has_rod_pairs(model: Model, _: IndexOptions) -> None:
    """The internal kind exists where rod pairs hold the plate."""
    if np.isinf(model.margins(np.array(model.robot.home)).internal):
        raise ParameterError(
            "internal", f"{model.robot.name} has no rod pairs that hold a plate, so no internal margin"
        )


def _has_pairs(model: Model, _: IndexOptions) -> None:
    if not model.clearance(np.array(model.robot.home)).pairs:
        raise ParameterError("clearance", f"{model.robot.name} has no two links of different legs to compare")


KINEMATIC = (
    Index("margin", "smallest margin to any singularity", "", "high", _smallest_margin, margin=0.0),
    Index("under-mobility", "margin to under-mobility", "", "high", _margin(0), margin=0.0),
    Index("over-mobility", "margin to over-mobility", "", "high", _margin(1), margin=0.0),
    Index("internal", "margin to internal singularities", "", "high", _margin(2), _has_rod_pairs, margin=0.0),
    Index("conditioning", "conditioning of the Jacobian", "", "high", _conditioning(0), margin=0.0),
    Index("plate-conditioning", "conditioning of J_x", "", "high", _conditioning(1), margin=0.0),
    Index("internal-conditioning", "conditioning of J_int", "", "high", _conditioning(2), _has_rod_pairs, margin=0.0),
    Index(
        "manipulability",
        "manipulability (m/rad to the power of the freedoms)",
        "",
        "high",
        _conditioning(3),
    ),
    Index("clearance", "distance of links of different legs", "m", "high", _clearance, _has_pairs, margin=0.0),
    Index("joint-speed", "joint speed for {plate_speed:g} m/s in the worst direction", "rad/s", "low", _joint_speed),
)
"""Indices that need no masses."""
