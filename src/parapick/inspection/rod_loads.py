"""What the rods bear along a motion: peaks, effective forces, and the reserve to buckling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ShapeError
from parapick.formulas import buckling_load
from parapick.mechanism import Robot
from parapick.model import InnerForces
from parapick.parameters import resolved


@final
@dataclass(frozen=True)
class RodLoads:
    """What every rod bears along a motion, the more loaded of its two ends counting.

    Attributes:
        peak_tension: largest pull (arms, rods), N; 0 where a rod is never pulled.
        peak_compression: largest push (arms, rods), N, as a positive number; 0 where a rod is never pushed.
        rms: root mean square of the axial force (arms, rods), N.
        buckling_load: Euler's load of a rod of each leg (arms,), N; None where the file lacks what it follows from.
        reserve: Euler's load over the largest push (arms, rods); infinite where a rod is never pushed, None without it.
    """

    peak_tension: np.ndarray
    peak_compression: np.ndarray
    rms: np.ndarray
    buckling_load: np.ndarray | None
    reserve: np.ndarray | None


def rod_loads(robot: Robot, time: ArrayLike, forces: InnerForces) -> RodLoads:
    """Peaks, effective forces and buckling reserve of the rods along a motion; NaN where a force is NaN.

    Args:
        time: instants (T,), s, growing.
        forces: inner forces of the motion, one state an instant.

    Raises:
        ShapeError: times and forces do not belong together.
    """
    t, axial = reals("time", time), np.stack([forces.axial_elbow, forces.axial_plate])
    if t.ndim != 1 or len(t) < 2 or axial.ndim != 4 or len(t) != axial.shape[1]:
        expected = f"(T,) of at least two instants, with axial forces (T, arms, rods); these are {axial.shape[1:]}"
        raise ShapeError("time", t.shape, expected)
    if not np.all(np.diff(t) > 0):
        raise ShapeError("time", t.shape, "growing instants")
    mean_square = np.trapezoid(axial * axial, t, axis=1) / (t[-1] - t[0])
    pull, push = (np.maximum(np.max(sign * axial, axis=(0, 1)), 0.0) for sign in (1, -1))
    limb = resolved(robot).limb
    load = reserve = None
    if limb.rod_modulus is not None and limb.rod_radius is not None:
        load = np.array([buckling_load(limb, leg) for leg in range(robot.arms)])
        reserve = np.divide(load[:, None], push, out=np.full(push.shape, np.inf), where=push != 0)
    return RodLoads(pull, push, np.sqrt(np.max(mean_square, axis=0)), load, reserve)
