"""What is lost at or near a singular pose: the kind, the margin, and the motion or force that goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.errors import ShapeError
from parapick.mechanism import Robot
from parapick.model.reach import reach_at
from parapick.model.robot_kernels import RobotKernels

Kind = Literal["under-mobility", "over-mobility", "internal"]

NEAR: Final = 1e-6
"""Margin below which a pose is called singular; at 0 the matrices lose rank, and rounding leaves about 1e-16."""


@final
@dataclass(frozen=True)
class Singularity:
    """One kind of singularity at one pose.

    Attributes:
        kind: under-mobility (a motor moves, the plate does not), over-mobility (the plate moves, no motor does), or
            internal (parts of the plate turn, no motor does).
        margin: dimensionless; 0 is singular.
        leg: number of the leg that is closest to folding or stretching, from 1; None for the other kinds.
        motion: under-mobility: the plate direction (dof) in which no speed is left, over-mobility: the plate motion
            (dof) that no motor feels, internal: the internal speeds (k); of unit length, yaw in rad per yaw length.
        force: over-mobility: the pattern of rod forces (n) that pulls on nothing but the lost motion; else empty.
    """

    kind: Kind
    margin: float
    leg: int | None
    motion: tuple[float, ...]
    force: tuple[float, ...] = ()

    @property
    def singular(self) -> bool:
        """Whether the pose is singular in this kind, to rounding."""
        return self.margin < NEAR

    def __str__(self) -> str:
        # Adding zero makes a rounded -0 a plain 0.
        motion = ", ".join(f"{round(value, 3) + 0.0:+.3f}" for value in self.motion)
        if self.kind == "under-mobility":
            return f"leg {self.leg} is nearest to folding or stretching; there the plate cannot move along ({motion})"
        if self.kind == "over-mobility":
            return f"the plate motion held worst is ({motion})"
        return f"the internal motion held worst is ({motion})"


def singularities_at(kernels: RobotKernels, x: ArrayLike) -> Sequence[Singularity]:
    """The kinds of singularity at one pose, the nearest first.

    Args:
        x: one task vector (dof,), m and rad.

    Raises:
        ShapeError: several poses.
        UnreachableError: a pose that cannot be reached.
    """
    levers, plate, *internal = kernels("constraint_matrices", x)
    if np.ndim(x) != 1:
        raise ShapeError("x", np.shape(x), f"({kernels.robot.dof},), one pose")
    if np.isnan(levers).any():
        reach_at(kernels, x).raise_if_unreachable()
    return singularities(kernels.robot, levers, plate, internal[0] if internal else None)


def singularities(
    robot: Robot, levers: np.ndarray, plate: np.ndarray, internal: np.ndarray | None
) -> Sequence[Singularity]:
    """The kinds a robot has at one pose, the smallest margin first.

    Args:
        levers: diagonal of J_q (arms), dimensionless.
        plate: J_x (n, dof), dimensionless.
        internal: J_int (pairs, k), or None.
    """
    leg = int(np.argmin(np.abs(levers)))
    direction = plate[leg] / np.linalg.norm(plate[leg])
    kinds = [Singularity("under-mobility", float(abs(levers[leg])), leg + 1, _rounded(direction))]
    left, values, right = np.linalg.svd(plate)
    kinds.append(
        Singularity("over-mobility", float(values[-1]), None, _rounded(right[-1]), _rounded(left[:, robot.dof - 1]))
    )
    if internal is not None:
        _, values, right = np.linalg.svd(internal)
        kinds.append(Singularity("internal", float(values[-1]), None, _rounded(right[-1])))
    return sorted(kinds, key=lambda kind: kind.margin)


def _rounded(vector: np.ndarray) -> tuple[float, ...]:
    """The same direction with its largest entry positive, so that it does not depend on the SVD's choice of sign."""
    sign = np.sign(vector[np.argmax(np.abs(vector))])
    return tuple(float(value) for value in sign * vector)
