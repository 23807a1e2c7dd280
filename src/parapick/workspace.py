"""Where a robot can go: the reachable set on a grid, with the reason wherever it cannot.

Every point of the grid is asked for its reach (legs, joint limits, passive joints, yaw, clearance) and for its
margins to the three kinds of singularity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.arrays import reals
from parapick.errors import ParameterError
from parapick.mechanism.parameters import resolved
from parapick.mechanism.region import Box, Cylinder
from parapick.model.model import Model
from parapick.model.reach import FAULTS

__all__ = ["REASONS", "WORDS", "WorkspaceMap", "workspace"]

MARGINS: Final = ("under-mobility", "over-mobility", "internal")

REASONS: Final = (*FAULTS, *MARGINS)
"""Why a point does not belong to the workspace; a reason is an index into this list, 0 where it belongs."""

WORDS: Final = {
    "": "reachable",
    "pose": "not a pose",
    "leg": "a leg does not reach",
    "joint": "joint limit",
    "elbow": "elbow limit",
    "cone": "ball joint limit",
    "yaw": "yaw limit",
    "clearance": "links too close",
    "under-mobility": "near under-mobility",
    "over-mobility": "near over-mobility",
    "internal": "near an internal singularity",
}
"""Reasons in words, for tables and figures."""

CHUNK: Final = 200_000
"""Points worked on at once: their slacks and margins together take some tens of megabytes."""

POINTS_MAX: Final = 200_000_000
"""A grid of more points would take minutes and gigabytes."""

POINTS: Final = 1_000_000
"""Points of the grid if no spacing is given."""


@final
@dataclass(frozen=True)
class WorkspaceMap:
    """The reachable set on a grid at one yaw.

    Attributes:
        axes: coordinates of the grid along x, y and z (m), evenly spaced.
        yaw: yaw of the plate (rad); None for robots without yaw.
        reason: index into `REASONS` of every point (nx, ny, nz); 0 where it belongs to the workspace.
        worst: number of the leg that fails (nx, ny, nz), from 1; 0 where no single leg does.
    """

    axes: tuple[np.ndarray, np.ndarray, np.ndarray]
    yaw: float | None
    reason: np.ndarray
    worst: np.ndarray

    @property
    def reachable(self) -> np.ndarray:
        """Which points belong to the workspace (nx, ny, nz)."""
        return self.reason == 0

    @property
    def spacing(self) -> tuple[float, ...]:
        """Distance of neighbouring points along x, y and z (m); 0 along an axis with one point."""
        return tuple(float(axis[1] - axis[0]) if len(axis) > 1 else 0.0 for axis in self.axes)

    @property
    def volume(self) -> float:
        """Volume of the workspace (m3); of a single layer, its area (m2)."""
        cell = np.prod([step for step in self.spacing if step > 0])
        return float(cell * np.count_nonzero(self.reachable))

    def counts(self) -> Mapping[str, int]:
        """Number of points by reason, the most frequent first; those that belong to the workspace are `reachable`."""
        codes, numbers = np.unique(self.reason, return_counts=True)
        named = {REASONS[code] or "reachable": int(number) for code, number in zip(codes, numbers, strict=True)}
        return dict(sorted(named.items(), key=lambda item: -item[1]))

    def layer(self, z: float) -> np.ndarray:
        """Reasons (nx, ny) of the layer nearest to a height.

        Args:
            z: height (m).
        """
        return self.reason[:, :, int(np.argmin(np.abs(self.axes[2] - z)))]

    def slab(self, z_min: float, z_max: float) -> np.ndarray:
        """Which columns (nx, ny) belong to the workspace at every height of a slab.

        Args:
            z_min: lower end (m).
            z_max: upper end (m).
        """
        tolerance = 1e-9
        inside = (self.axes[2] >= z_min - tolerance) & (self.axes[2] <= z_max + tolerance)
        if not inside.any():
            low, high = self.axes[2][0], self.axes[2][-1]
            raise ParameterError(
                "z_min", f"no layer lies in {z_min:g} to {z_max:g} m; the grid spans {low:g} to {high:g} m"
            )
        return np.all(self.reachable[:, :, inside], axis=2)

    def largest_cylinder(self, z_min: float, z_max: float, center: Sequence[float] | None = None) -> Cylinder:
        """The largest upright cylinder between two heights, to the resolution of the grid.

        All points of the grid inside belong to the workspace, and it stays inside the grid; its radius is 0 where there
        is none.

        Args:
            z_min: lower end (m).
            z_max: upper end (m).
            center: x and y of its axis (m); anywhere if not given.
        """
        from scipy.ndimage import distance_transform_edt

        fits = np.pad(self.slab(z_min, z_max), 1)
        distance = np.asarray(distance_transform_edt(fits, sampling=self.spacing[:2]))[1:-1, 1:-1]
        if center is None:
            i, j = np.unravel_index(int(np.argmax(distance)), distance.shape)
        else:
            i, j = (int(np.argmin(np.abs(axis - c))) for axis, c in zip(self.axes[:2], center, strict=True))
        step = max(self.spacing[:2])
        radius = max(float(distance[i, j]) - step, 0.0)
        x, y = float(self.axes[0][i]), float(self.axes[1][j])
        return Cylinder(radius=radius, z_min=z_min, z_max=z_max, x=x, y=y)

    def largest_box(self, z_min: float, z_max: float) -> Box:
        """The box along the axes with the largest base between two heights, to the resolution of the grid.

        Args:
            z_min: lower end (m).
            z_max: upper end (m).
        """
        i0, i1, j0, j1 = _largest_rectangle(self.slab(z_min, z_max))
        x, y = self.axes[0], self.axes[1]
        if i1 < i0:
            i0, i1, j0, j1 = 0, 0, 0, 0
        return Box(float(x[i0]), float(x[i1]), float(y[j0]), float(y[j1]), z_min, z_max)


def _largest_rectangle(mask: np.ndarray) -> tuple[int, int, int, int]:
    """First and last row and column of the largest rectangle of true points; rows reversed where there is none.

    Row by row, the run of true points that ends there is a histogram, whose largest rectangle a stack of rising bars
    finds.
    """
    runs = np.zeros(mask.shape[1], dtype=int)
    best, found = 0, (0, -1, 0, -1)
    for i, row in enumerate(mask):
        runs = np.where(row, runs + 1, 0)
        stack: list[int] = []
        for j in range(len(runs) + 1):
            height = runs[j] if j < len(runs) else 0
            while stack and runs[stack[-1]] >= height:
                tall = int(runs[stack.pop()])
                start = stack[-1] + 1 if stack else 0
                if tall * (j - start) > best:
                    best, found = tall * (j - start), (i - tall + 1, i, start, j - 1)
            stack.append(j)
    return found


def workspace(
    model: Model,
    *,
    low: Sequence[float] | None = None,
    high: Sequence[float] | None = None,
    spacing: float | None = None,
    yaw: float | None = None,
    margin: float = 0.05,
) -> WorkspaceMap:
    """The reachable set of a robot on a grid, natively and on all cores.

    Args:
        model: the robot.
        low: smallest x, y and z of the grid (m); all the robot could reach on its home's side of z = 0 if not given.
        high: largest x, y and z (m).
        spacing: distance of grid points (m); about a million points if not given.
        yaw: yaw of the plate (rad) for robots that have it; that of home if not given.
        margin: smallest margin to each kind of singularity that still belongs to the workspace.
    """
    limits = _box(model)
    first = reals("low", limits[0] if low is None else low)
    last = reals("high", limits[1] if high is None else high)
    if first.shape != (3,) or last.shape != (3,) or not np.all(first <= last) or not np.all(np.isfinite([first, last])):
        raise ParameterError("low", f"{first.tolist()} to {last.tolist()} is no box; give x, y, z with low <= high (m)")
    step = _spacing(last - first) if spacing is None else spacing
    if not (np.isfinite(step) and step > 0):
        raise ParameterError("spacing", f"is {step}; it must be a length greater than 0 (m)")
    count = math.prod(float(size) / step + 1.0 for size in last - first)
    if count > POINTS_MAX:
        raise ParameterError("spacing", f"of {step:g} m makes {count:.1e} points; there may be {POINTS_MAX:.0e}")
    axes = tuple(np.linspace(a, b, _odd(float(b - a) / step)) for a, b in zip(first, last, strict=True))
    turn = None
    if model.robot.dof == 4:
        turn = float(model.robot.home[3] if yaw is None else yaw)
    shape = tuple(len(axis) for axis in axes)
    reason, worst = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=np.int8)
    count = int(np.prod(shape))
    for start in range(0, count, CHUNK):
        flat = np.arange(start, min(start + CHUNK, count))
        x = np.stack([axis[i] for axis, i in zip(axes, np.unravel_index(flat, shape), strict=True)], axis=-1)
        if turn is not None:
            x = np.concatenate([x, np.full((len(x), 1), turn)], axis=-1)
        reason.flat[flat], worst.flat[flat] = _judged(model, x, margin)
    return WorkspaceMap(axes, turn, reason, worst)


def _odd(steps: float) -> int:
    """An odd number of points, so that one lies in the middle, where most robots have their axis."""
    return 2 * round(steps / 2) + 1


def _judged(model: Model, x: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Reason and worst leg of a chunk of poses."""
    reach = model.reach(x)
    reason = reach.fault.copy()
    worst = np.zeros(len(x), dtype=np.int8)
    for kind, slack in (("leg", reach.legs), ("joint", reach.joints), ("elbow", reach.elbow), ("cone", reach.cone)):
        here = reason == FAULTS.index(kind)
        if here.any():
            worst[here] = np.argmin(slack[here], axis=-1) + 1
    good = np.flatnonzero(reason == 0)
    margins = model.margins(x[good])
    for code, values in reversed(list(enumerate(margins, start=len(FAULTS)))):
        reason[good[~(values >= margin)]] = code
    return reason, worst


def _box(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """A box around all that any leg could reach, on home's side of z = 0; planar robots: at home's height."""
    robot = resolved(model.robot)
    ends = np.array([np.array(leg.base).ravel() for leg in robot.arm_legs()])
    span = float(np.max(robot.limb.arm) + np.max(robot.limb.rod_length))
    low, high = np.max(ends, axis=0) - span, np.min(ends, axis=0) + span
    slack = float(robot.plate.radius) + 0.01 * span
    low, high = low - slack, high + slack
    if robot.plate.kind == "spindle":
        low[2] = high[2] = robot.home[2]
    elif robot.home[2] < np.min(ends[:, 2]):
        high[2] = min(high[2], float(np.min(ends[:, 2])))
    return low, high


def _spacing(size: np.ndarray) -> float:
    """A spacing that gives about `POINTS` points."""
    used = size[size > 0]
    return float(np.prod(used) / POINTS) ** (1 / len(used))
