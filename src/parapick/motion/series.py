"""What a motion is told in: named phases, payload steps, poses and time series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from parapick.model.payload import Payload

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
    """From a time on, the tool carries a load, on top of what the robot's model holds.

    Attributes:
        time: from when on (s).
        load: what it carries.
    """

    time: float
    load: Payload

    @property
    def mass(self) -> float:
        """Mass of the load (kg)."""
        return self.load.mass


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
        load: what is carried (N, 5) as kernels take it: mass (kg), offset (m), inertia (kg m2).
    """

    t: np.ndarray
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    load: np.ndarray

    @property
    def payload(self) -> np.ndarray:
        """Mass carried (N,), kg."""
        return self.load[:, 0]
