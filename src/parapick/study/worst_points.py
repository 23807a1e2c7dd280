"""Where in the solid workspace a design has least left of its limits, between the points of the study too.

Designs are evaluated at the points that the study states. Here one design is looked at more closely: at more points,
and from the worst of them on by ever smaller steps downhill, until the place is known to a millionth of the workspace.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from parapick.formulas import SLACKS
from parapick.model import Model
from parapick.study.region_fold import region_points
from parapick.study.work import Work

DENSER: Final = 3
"""How many times as many steps each axis of the workspace has where one design is looked at."""

LEAST: Final = 3
"""Points along an axis at least."""

NEAR: Final = 0.05
"""First steps downhill, as a share of half the workspace."""

ZOOMS: Final = 40
"""Steps downhill: each halves the next one, or moves to a better point."""


SMALLEST: Final = "smallest joint"
LARGEST: Final = "largest joint"
"""Kinds of slack beside those of `SLACKS`: each side of a joint's range."""


JointLimits = tuple[tuple[Any, Any], ...]
"""Smallest and largest coordinate of every leg with rods, None where nothing limits it."""


class WorstPoint(NamedTuple):
    """Where least is left of a limit.

    Attributes:
        kind: kind of the limit: one of `SLACKS`, of joints `SMALLEST` or `LARGEST`.
        leg: whose it is, from 0; the column of the slack.
        point: the place in units of the workspace (dof,).
        pose: its task vector (dof,), m and rad.
        left: what is left (m, rad); negative is what is missing.
    """

    kind: str
    leg: int
    point: np.ndarray
    pose: np.ndarray
    left: float


def worst_points(work: Work, design: np.ndarray) -> list[WorstPoint]:
    """The place of least slack of every kind and leg of a design.

    Args:
        work: what designs are evaluated with.
        design: values of the free numbers (free,), SI.
    """
    model = Model(work.space.robot_of(design))
    points = region_points(model.robot, _denser(model, work.counts))
    limits = model.numbers.joint_limits()
    slacks = _slacks(model, points, limits)
    names = [(kind, leg) for kind, values in slacks.items() for leg in range(values.shape[-1])]
    whole = np.concatenate([*slacks.values()], axis=-1)
    known = [i for i in range(len(names)) if np.isfinite(whole[:, i]).any()]
    starts = points[[int(np.nanargmin(whole[:, i])) for i in known]]
    places, left = _downhill(model, starts, known, limits)
    poses = poses_at(model, places)
    return [WorstPoint(*names[i], places[k], poses[k], float(left[k])) for k, i in enumerate(known)]


def _denser(model: Model, counts: tuple[int, ...]) -> tuple[int, ...]:
    """Points along each axis: more than the study has, the ends of the workspace among them."""
    more = [max(DENSER * (count - 1) + 1, LEAST) for count in counts]
    region: Any = model.numbers.workspace
    return (*more[:3], 1 if region.yaw_max == region.yaw_min else more[-1])[: len(counts)]


def _downhill(
    model: Model, starts: np.ndarray, columns: list[int], limits: JointLimits
) -> tuple[np.ndarray, np.ndarray]:
    """The least slacks near starts (k, dof), each of its own column, and where they are."""
    dof, rows = starts.shape[1], np.arange(len(starts))
    region: Any = model.numbers.workspace
    around = np.stack(np.meshgrid(*([(-1.0, 0.0, 1.0)] * dof), indexing="ij"), axis=-1).reshape(-1, dof)
    middle, here = len(around) // 2, starts
    sizes = np.full((len(starts), 1), NEAR)
    left = np.full(len(starts), np.inf)
    for _ in range(ZOOMS):
        near = region.nearest(here[:, None, :] + sizes[:, None, :] * around)
        values = np.concatenate([*_slacks(model, near.reshape(-1, dof), limits).values()], axis=-1)
        slacks = values.reshape(len(starts), len(around), -1)[rows, :, columns]
        best = np.nanargmin(np.where(np.isnan(slacks), np.inf, slacks), axis=1)
        here, left = near[rows, best], slacks[rows, best]
        sizes = np.where((best == middle)[:, None], sizes / 2.0, sizes)
    return here, left


def _slacks(model: Model, points: np.ndarray, limits: JointLimits) -> dict[str, np.ndarray]:
    """Slacks (N, legs) by kind, those of joints for each side; infinite where legs do not close."""
    poses = poses_at(model, points)
    reach, q = model.reach(poses), model.inverse_kinematics(poses)
    slacks = {kind.name: reach.slack(kind) for kind in SLACKS}
    del slacks["joint"]
    for side, (name, sign) in enumerate(((SMALLEST, 1.0), (LARGEST, -1.0))):
        ends = [np.nan if pair[side] is None else float(pair[side]) for pair in limits]
        slacks[name] = sign * (q[:, : len(ends)] - np.array(ends))
    return {name: np.where(np.isnan(values), np.inf, values) for name, values in slacks.items()}


def poses_at(model: Model, points: np.ndarray) -> np.ndarray:
    """Task vectors of points that are counted in units of the workspace.

    Args:
        points: the points (..., dof), each coordinate from -1 to 1.
    """
    region: Any = model.numbers.workspace
    return region.unit_places(points)
