"""Forces inside the robot at a batch of states: in the rods, at the elbows, at the plate joints and at the bearings.

`formulas/rod_forces.py` derives them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True)
class InnerForces:
    """Forces of a batch of states.

    The second rod of a pair stands from the first as `RodLeg.pair` says: counter-clockwise, seen from above, on a
    radial base and on rails, and against the motor axis on a placed one.

    Attributes:
        axial_elbow: axial force of every rod at its elbow end (..., arms, rods), N; tension is positive.
        axial_plate: the same at its plate end.
        elbow: force of all rods of a leg on its arm (..., arms, 3), N.
        plate: force of all rods of a leg on the plate (..., arms, 3), N.
        bearing: force of the frame on the arm at its motor axis (..., arms, 3), N; of a rail on its carriage without
            what the motor pushes.
        bearing_moment: moment of the frame on the arm there, without the motor's own torque (..., arms, 3), N m; of a
            rail on its carriage, about the joint of the rods.
    """

    axial_elbow: np.ndarray
    axial_plate: np.ndarray
    elbow: np.ndarray
    plate: np.ndarray
    bearing: np.ndarray
    bearing_moment: np.ndarray

    def __post_init__(self) -> None:
        # A kernel's matrix of one column is a vector; single rods get their axis back.
        for name in ("axial_elbow", "axial_plate"):
            if getattr(self, name).ndim < self.elbow.ndim:
                object.__setattr__(self, name, getattr(self, name)[..., None])
