"""The workspace that a robot's file states: its words, poses spread over it, and the worst pose in it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.mechanism import Robot
    from parapick.mechanism.region import Workspace

__all__ = ["lattice", "parts", "placed", "region_of", "region_text", "worst"]

POSES: Final = 250_000
"""About as many poses are looked at: a third of a second."""

ROUNDS: Final = 34
"""Times the neighbourhood of the worst pose is halved: 10 digits finer than the lattice."""

EQUAL: Final = 1e-9
"""Values this near to each other are equal: which of two mirrored poses is named must not depend on rounding."""

_SPANS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)


def region_of(robot: Robot) -> Workspace:
    """The workspace of the file.

    Raises:
        ParameterError: the file states none.
    """
    if robot.workspace is None:
        raise ParameterError("workspace", f"the file of {robot.name} states none; add [workspace] to it, or give X Y Z")
    return robot.workspace


def region_text(robot: Robot) -> str:
    """The workspace of the file in words."""
    region = region_of(robot)
    turn = ""
    if robot.dof == 4:
        turn = f", yaw {math.degrees(region.yaw_min):g} to {math.degrees(region.yaw_max):g} deg"
    return f"{region.text}, z {region.z_min:g} to {region.z_max:g} m{turn}"


def placed(robot: Robot, shares: np.ndarray) -> np.ndarray:
    """Poses (..., dof) of the workspace at shares (..., dof) between 0 and 1 of its coordinates.

    A cylinder's first two coordinates are the radius and the angle, which may be any number.
    """
    region = region_of(robot)
    low, high = (np.array([end[k] for end in region.bounds[: robot.dof]]) for k in (1, 2))
    return region.places(low + (high - low) * shares)


def lattice(robot: Robot) -> np.ndarray:
    """Shares (N, dof) of a lattice over the workspace, its boundary included."""
    extents = _extents(robot)
    axes = int(np.count_nonzero(extents))
    # Steps in eighths of a turn: the worst place is often one of the robot's symmetry.
    steps = 8 * max(1, round(POSES ** (1 / axes) / 8))
    ticks = [np.linspace(0.0, 1.0, steps + 1) if extent else np.zeros(1) for extent in extents]
    return np.stack([axis.ravel() for axis in np.meshgrid(*ticks, indexing="ij")], axis=-1)


def parts(robot: Robot, shares: np.ndarray) -> np.ndarray:
    """Part of the workspace that each pose of a lattice stands for (N,), up to halfway to its neighbours.

    Args:
        robot: the robot.
        shares: the lattice (N, dof).
    """
    found = np.ones(len(shares))
    for axis in range(robot.dof):
        ticks, which = np.unique(shares[:, axis], return_inverse=True)
        if len(ticks) > 1:
            # A ring of a cylinder is as large as its squared radii differ.
            power = 2 if axis == 0 and region_of(robot).polar else 1
            ends = np.concatenate([ticks[:1], (ticks[1:] + ticks[:-1]) / 2, ticks[-1:]])
            found = found * np.diff(ends**power)[which]
    return found


def _extents(robot: Robot) -> list[float]:
    region = region_of(robot)
    return [high - low for _, low, high in region.bounds[: robot.dof]]


def worst(
    robot: Robot, shares: np.ndarray, values: np.ndarray, value_of: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, np.ndarray]:
    """The smallest value over the workspace and a pose (dof,) where it is, of several equal ones the first.

    From the worst pose of the lattice on, its neighbourhood is searched again and again, each time half as wide.

    Args:
        robot: the robot.
        shares: the lattice (N, dof).
        values: what is looked for there (N,); infinite where there is none.
        value_of: the same of any poses (..., dof).
    """
    best = int(np.argmax(values <= np.min(values) + EQUAL))
    center, value = shares[best], float(values[best])
    stencil = np.array(list(itertools.product(_SPANS, repeat=robot.dof))) * (np.array(_extents(robot)) > 0)
    # The angle of a cylinder has no end.
    ends = np.array([not (axis == 1 and region_of(robot).polar) for axis in range(robot.dof)])
    half = 1.0 / (len(np.unique(shares[:, 0])) - 1)
    for _ in range(ROUNDS):
        near = center + half * stencil
        near = np.where(ends, np.clip(near, 0.0, 1.0), near)
        found = value_of(placed(robot, near))
        here = int(np.argmin(found))
        if found[here] < value - EQUAL:
            center, value = near[here], float(found[here])
        half /= 2
    return value, placed(robot, center)
