"""How far a plate with a screw can turn, against the pitch of the screw."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.model.model import Model
from parapick.model.yaw_interval import YawInterval
from parapick.parameters import leaves


def yaw_range_against_pitch(
    model: Model,
    pitches: ArrayLike,
    position: ArrayLike,
    *,
    start: ArrayLike | None = None,
    margin: float | None = None,
    clearance: float | None = None,
) -> YawInterval:
    """Yaw intervals of a robot with a screw for several pitches of it.

    The sub-platforms can part only so far before a leg or a link stops them, and a turn parts them by the pitch: unless
    the plate's own yaw limits come first, the range is inversely proportional to the pitch. A small pitch buys range
    and pays with torque, for the inertia about the screw acts as I / h'^2 with h' = pitch / (2 pi).

    Args:
        model: a robot whose plate has a pitch.
        pitches: lift per turn (m), shape (p,).
        position: positions (..., 3), m.
        start: yaw to start from (rad); the robot's home if not given.
        margin: smallest value that each margin to a singularity must keep; not looked at if not given.
        clearance: smallest distance between links of different legs (m); not looked at if not given.

    Returns:
        The intervals, with the pitches as the first dimension: (p, ...).

    Raises:
        ParameterError: the plate has no pitch, or a pitch is not a positive number.
        ShapeError: pitches are not a list, or positions are not (..., 3).
    """
    if "plate.pitch" not in dict(leaves(model.robot)):
        raise ParameterError("plate.pitch", f"is not a parameter of {model.robot.name}; its plate has no screw")
    column = reals("pitches", pitches)
    if column.ndim != 1 or len(column) == 0:
        raise ShapeError("pitches", column.shape, "(p,) with p at least 1")
    intervals = [
        model.with_parameters({"plate.pitch": pitch}).yaw_interval(
            position, start=start, margin=margin, clearance=clearance
        )
        for pitch in column
    ]
    return YawInterval(
        *(np.stack([getattr(interval, field.name) for interval in intervals]) for field in fields(YawInterval))
    )
