"""What a motion is told in: named phases, payload steps, poses and time series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

__all__ = ["PayloadStep", "Phase", "Pose", "Samples"]


@final
@dataclass(frozen=True)
class Phase:
    """A named stretch of a motion; phases may overlap.

    Attributes:
        name: such as `lift`.
        start: when it begins (s).
        end: when it ends (s).
    """

    name: str
    start: float
    end: float


@final
@dataclass(frozen=True)
class PayloadStep:
    """From a time on, the plate carries a mass.

    Attributes:
        time: from when on (s).
        mass: what it carries (kg).
    """

    time: float
    mass: float


class Pose(NamedTuple):
    """Task vectors, velocities and accelerations, each (..., dof); m and rad."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Samples:
    """A motion as a time series.

    Attributes:
        t: times (N,), s.
        x: task vectors (N, dof), m and rad.
        xd: velocities (N, dof).
        xdd: accelerations (N, dof).
        payload: mass carried (N,), kg.
    """

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    payload: np.ndarray
