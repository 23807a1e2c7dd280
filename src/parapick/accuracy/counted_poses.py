"""Poses of a region at which errors count: within reach and far enough from singularities, and how much each counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.answer import pose_text
from parapick.capability import Lattice, lattice, region_of
from parapick.extremes import first_largest
from parapick.limits import MOST
from parapick.mechanism import Region, Robot
from parapick.model import MARGIN_KINDS, Model, too_near

POINTS: Final = {"radius": 3, "azimuth": 24, "x": 5, "y": 5, "z": 3, "yaw": 5}
"""Poses along each axis of a region if no spacing is given: errors change slowly, and are largest on the boundary. The
azimuths hold the symmetry planes of three legs and of four."""


@final
@dataclass(frozen=True, eq=False)
class CountedPoses:
    """Poses spread over a region, and which of them count.

    Attributes:
        region: the region.
        poses: those that count (N, dof), m and rad.
        weights: how much each counts (N,); their sum is 1 where there are any.
        left_out: how many do not count.
        reasons: why, in words.
        nearest: where the region comes nearest to a pose that counts, and what is missing there; empty where one does.
    """

    region: Region
    poses: np.ndarray
    weights: np.ndarray
    left_out: int
    reasons: tuple[str, ...]
    nearest: str


def counted_poses(model: Model, region: Region | None, spacing: float | None, margin: float) -> CountedPoses:
    """Poses of a region at which errors count.

    Args:
        model: the robot.
        region: a cylinder, a box or a body of revolution; the workspace of the robot's file if not given.
        spacing: largest distance of neighbouring poses (m); a few along each axis if not given.
        margin: smallest margin to a singularity.

    Raises:
        ParameterError: no region, one that is none of the robot's, or more poses than there may be.
    """
    grid = _grid(model.robot, region_of(model.robot) if region is None else region, spacing)
    usable, reasons = _usable(model, grid, margin)
    poses, weights = grid.poses().reshape(-1, model.robot.dof)[usable], grid.weights().ravel()[usable]
    nearest = "" if usable.any() else _nearest(model, grid, margin)
    share = weights / weights.sum() if usable.any() else weights
    return CountedPoses(grid.region, poses, share, int((~usable).sum()), reasons, nearest)


def _grid(robot: Robot, region: Region, spacing: float | None) -> Lattice:
    """Poses spread over a region."""
    if spacing is not None:
        return lattice(robot, region, spacing=spacing, most=MOST["tolerance"])
    return lattice(
        robot, region, points=[POINTS[name] if low < high else 1 for name, low, high in region.bounds[: robot.dof]]
    )


def _usable(model: Model, grid: Lattice, margin: float) -> tuple[np.ndarray, tuple[str, ...]]:
    """Which poses count (N,), and in words why others do not."""
    poses = grid.poses().reshape(-1, model.robot.dof)
    reachable = model.reach(poses).ok
    near = reachable & (too_near(model.margins(poses), margin) >= 0)
    reasons = {"out of reach": ~reachable, f"nearer to a singularity than {margin:g}": near}
    counts = {reason: np.count_nonzero(which) for reason, which in reasons.items()}
    texts = tuple(f"{count} of {len(poses)} poses, {reason}" for reason, count in counts.items() if count)
    return reachable & ~near, texts


def _nearest(model: Model, grid: Lattice, margin: float) -> str:
    """Where a region comes nearest to a pose that counts, and what is missing there, where no pose counts."""
    poses = grid.poses().reshape(-1, model.robot.dof)
    reach = model.reach(poses)
    if not reach.ok.any():
        nearest = first_largest(reach.legs.min(axis=-1))
        return f"nearest is {pose_text(poses[nearest])}: {reach.reason((nearest,))}"
    margins = np.where(reach.ok, np.array(model.margins(poses)), -np.inf)
    nearest = first_largest(margins.min(axis=0))
    kind = int(np.argmin(margins[:, nearest]))
    left = float(margins[kind, nearest])
    words = f"the {MARGIN_KINDS[kind]} margin is {left:.3g}, {margin - left:.3g} is missing"
    return f"nearest is {pose_text(poses[nearest])}: {words}"
