"""A survey of the workspace that a robot's file states: poses spread over it, which of them count, and the worst.

The worst is the first of equal points of a lattice, then looked for between its points in halved steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, final

import numpy as np

from parapick.capability.index_types import Index, IndexOptions
from parapick.capability.map import Extreme
from parapick.capability.map_region import Lattice, lattice, region_of, region_text
from parapick.extremes import first_smallest
from parapick.inspection import about, named
from parapick.mechanism import Robot
from parapick.model import Model, too_near

POSES: Final = 250_000
"""About as many poses are looked at: a third of a second."""

ROUNDS: Final = 34
"""Times the neighbourhood of the smallest value is halved: 10 digits finer than the lattice."""

EQUAL: Final = 1e-9
"""A pose is left for another one only if its value is smaller by this much, above 1 by this share of it: mirrored poses
differ by rounding."""

_STEPS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)


@final
@dataclass(frozen=True, eq=False)
class Survey:
    """Poses spread over the stated workspace.

    Attributes:
        model: the robot.
        margin: smallest margin to a singularity of the poses that count.
        lattice: the poses, spread evenly, the boundary included.
        reachable: which of them can be reached (N,).
        far: which of them are far enough from every singularity (N,).
    """

    model: Model
    margin: float
    lattice: Lattice
    reachable: np.ndarray
    far: np.ndarray

    @property
    def poses(self) -> np.ndarray:
        """The poses (N, dof), m and rad."""
        return self.lattice.poses().reshape(-1, self.model.robot.dof)

    @property
    def region_text(self) -> str:
        """The workspace in words."""
        return region_text(self.lattice.region, self.model.robot.dof)

    def share(self, poses: np.ndarray) -> float:
        """Share of the workspace that some of the poses stand for, from 0 to 1.

        Args:
            poses: which of them (N,).
        """
        return float(self.lattice.weights().ravel()[poses].sum())

    def data(self) -> dict[str, Any]:
        """Robot, workspace, and how many of the poses can be reached, as data."""
        counts = {"poses": self.reachable.size, "reachable_poses": int(np.count_nonzero(self.reachable))}
        return {**about(self.model), "workspace": asdict(self.lattice.region), **counts}

    def extremes(self, index: Index, options: IndexOptions) -> tuple[Extreme, Extreme] | None:
        """The worst and the best pose of the workspace by an index; None where no pose that counts has a value.

        Args:
            options: what it is asked for with.
        """
        values = self._values(index, options, self.poses, self.reachable & self.far)
        if np.isnan(values).all():
            return None
        sign = 1.0 if index.better == "high" else -1.0
        return self._least(index, options, values, sign), self._least(index, options, values, -sign)

    def worst(self, index: Index, options: IndexOptions) -> Extreme | None:
        """The worst pose of the workspace by an index; None where no pose that counts has a value.

        Args:
            options: what it is asked for with.
        """
        values = self._values(index, options, self.poses, self.reachable & self.far)
        if np.isnan(values).all():
            return None
        return self._least(index, options, values, 1.0 if index.better == "high" else -1.0)

    def _least(self, index: Index, options: IndexOptions, values: np.ndarray, sign: float) -> Extreme:
        """Where an index is smallest, or largest with the sign -1, from its values (N,) at the poses on."""

        def value_of(poses: np.ndarray) -> np.ndarray:
            usable = np.logical_and(*_usable(self.model, poses, self.margin))
            return sign * self._values(index, options, poses, usable)

        value, pose = smallest(self.lattice, sign * values, value_of)
        return Extreme(named(self.model.robot, pose), sign * value)

    def _values(self, index: Index, options: IndexOptions, poses: np.ndarray, usable: np.ndarray) -> np.ndarray:
        """Values (N,) of an index at poses (N, dof); NaN at those that do not count, and where it has none."""
        values = np.full(len(poses), np.nan)
        if usable.any():
            values[usable] = index.function(self.model, poses[usable], options)
        return np.where(np.isfinite(values), values, np.nan)


def survey(model: Model, margin: float = 0.0) -> Survey:
    """Poses spread over the workspace that a robot's file states.

    Args:
        margin: smallest margin to a singularity of the poses that count.

    Raises:
        ParameterError: the file states no workspace.
    """
    grid = lattice(model.robot, points=_points(model.robot))
    return Survey(model, margin, grid, *_usable(model, grid.poses().reshape(-1, model.robot.dof), margin))


def _points(robot: Robot) -> tuple[int, ...]:
    """Points along each axis: as many on all of them that have a length."""
    ends = region_of(robot).bounds[: robot.dof]
    # Steps in eighths of a turn: the worst place is often one of the robot's symmetry.
    steps = 8 * max(1, round(POSES ** (1 / sum(low < high for _, low, high in ends)) / 8))
    return tuple(1 if low == high else steps + (name != "azimuth") for name, low, high in ends)


def _usable(model: Model, poses: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Which poses can be reached (N,), and which of them are far enough from singularities (N,)."""
    reachable = model.reach(poses).ok
    if margin == 0.0:
        return reachable, reachable
    return reachable, too_near(model.margins(poses), margin) < 0


def smallest(
    lattice: Lattice, values: np.ndarray, value_of: Callable[[np.ndarray], np.ndarray]
) -> tuple[float, np.ndarray]:
    """The smallest value over a region and a pose (dof,) where it is.

    From the smallest value of the lattice on, its neighbourhood is searched again and again, each time half as wide.

    Args:
        lattice: poses spread over the region.
        values: what is looked for there (N,); infinite or NaN where there is none, but not everywhere.
        value_of: the same of any poses (n, dof).
    """
    start = first_smallest(values)
    center, value = lattice.coordinates(start), float(values[start])
    low, high = (np.array([axis.values[end] for axis in lattice.axes]) for end in (0, -1))
    half = np.array([axis.values[1] - axis.values[0] if len(axis.values) > 1 else 0.0 for axis in lattice.axes])
    stencil = np.array(list(itertools.product(_STEPS, repeat=len(half))))
    # The azimuth has no end.
    turns = np.array([axis.name == "azimuth" for axis in lattice.axes])
    for _ in range(ROUNDS):
        near = center + half * stencil
        near = np.where(turns, near, np.clip(near, low, high))
        near_values = value_of(lattice.placed(near))
        if np.nanmin(near_values, initial=np.inf) < value - EQUAL * max(1.0, abs(value)):
            here = int(np.nanargmin(near_values))
            center, value = near[here], float(near_values[here])
        half = half / 2
    return value, lattice.placed(center)
