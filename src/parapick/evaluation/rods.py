"""Axial forces in the rods along a motion, and the loads at which they buckle."""

from __future__ import annotations

import numpy as np

from parapick.model import Model, Ride, buckling_load


def axial_forces(ride: Ride) -> np.ndarray:
    """Axial force at both ends of every rod (T, 2, arms, rods), N; tension is positive.

    Args:
        ride: the robot on its way, with masses.
    """
    forces = ride.inner_forces
    return np.stack([forces.axial_elbow, forces.axial_plate], axis=1)


def buckling_loads(model: Model) -> np.ndarray | None:
    """Euler's load of a rod of each leg (arms,), N; None where the file lacks what it follows from.

    Args:
        model: the robot.
    """
    limb = model.numbers.limb
    if limb.rod_modulus is None or limb.rod_radius is None:
        return None
    return np.array([buckling_load(limb, leg) for leg in range(model.robot.arms)])


def pushes(forces: np.ndarray) -> np.ndarray:
    """Push at the end that bears more (T, ...), negative where it pulls; minus infinity where no force is known.

    Args:
        forces: axial forces at both ends (T, 2, ...), tension positive.
    """
    return np.max(np.where(np.isnan(forces), -np.inf, -forces), axis=1)
