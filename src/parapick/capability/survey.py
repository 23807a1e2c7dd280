"""A survey of the workspace that a robot's file states: poses spread over it, which of them count, and the worst.

The worst is the first of equal points of a lattice, then looked for between its points in halved steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
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

POSES_SLOW: Final = 4_000
"""The same where a pose takes a fraction of a millisecond: a second or two."""

ROUNDS: Final = 34
"""Times the neighbourhood of the smallest value is halved: 10 digits finer than the lattice."""

ROUNDS_SLOW: Final = 14
"""The same where a pose takes a fraction of a millisecond: 4 digits, on a neighbourhood of fewer poses."""

VALLEYS: Final = 6
"""Valleys of a coarse lattice that are searched; more of them are rarely the deepest."""

MIRRORED: Final = 1e-6
"""Difference of depth, above 1 as a share of it, below which two valleys are mirrored ones: a lattice does not hold
every symmetry exactly."""

EQUAL: Final = 1e-9
"""A pose is left for another one only if its value is smaller by this much, above 1 by this share of it: mirrored poses
differ by rounding."""

_STEPS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)
_STEPS_SLOW: Final = (-1.0, 0.0, 1.0)


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
        slow: whether it is for indices of which a pose takes a fraction of a millisecond.
    """

    model: Model
    margin: float
    lattice: Lattice
    reachable: np.ndarray
    far: np.ndarray
    slow: bool = False

    @cached_property
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

        value, pose = smallest(self.lattice, sign * values, value_of, slow=self.slow)
        return Extreme(named(self.model.robot, pose), sign * value)

    def _values(self, index: Index, options: IndexOptions, poses: np.ndarray, usable: np.ndarray) -> np.ndarray:
        """Values (N,) of an index at poses (N, dof); NaN at those that do not count, and where it has none."""
        values = np.full(len(poses), np.nan)
        if usable.any():
            values[usable] = index.function(self.model, poses[usable], options)
        return np.where(np.isfinite(values), values, np.nan)


def survey(model: Model, margin: float = 0.0, *, slow: bool = False) -> Survey:
    """Poses spread over the workspace that a robot's file states.

    Args:
        margin: smallest margin to a singularity of the poses that count.
        slow: whether it is for indices of which a pose takes a fraction of a millisecond: fewer poses then.

    Raises:
        ParameterError: the file states no workspace.
    """
    grid = lattice(model.robot, points=_points(model.robot, POSES_SLOW if slow else POSES))
    usable = _usable(model, grid.poses().reshape(-1, model.robot.dof), margin)
    return Survey(model, margin, grid, *usable, slow)


def _points(robot: Robot, poses: int) -> tuple[int, ...]:
    """Points along each axis, about so many poses in all: as many on all of them that have a length."""
    ends = region_of(robot).bounds[: robot.dof]
    # Steps in eighths of a turn: the worst place is often one of the robot's symmetry.
    steps = 8 * max(1, round(poses ** (1 / sum(low < high for _, low, high in ends)) / 8))
    return tuple(1 if low == high else steps + (name != "azimuth") for name, low, high in ends)


def _usable(model: Model, poses: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """Which poses can be reached (N,), and which of them are far enough from singularities (N,)."""
    reachable = model.reach(poses).ok
    if margin == 0.0:
        return reachable, reachable
    return reachable, too_near(model.margins(poses), margin) < 0


def smallest(
    lattice: Lattice, values: np.ndarray, value_of: Callable[[np.ndarray], np.ndarray], *, slow: bool = False
) -> tuple[float, np.ndarray]:
    """The smallest value over a region and a pose (dof,) where it is.

    From the smallest value of the lattice on, its neighbourhood is searched again and again, each time half as wide.

    Args:
        lattice: poses spread over the region.
        values: what is looked for there (N,); infinite or NaN where there is none, but not everywhere.
        value_of: the same of any poses (n, dof).
        slow: whether that takes a fraction of a millisecond a pose.
    """
    starts = _valleys(lattice, values) if slow else [first_smallest(values)]
    places = [_refined(lattice, lattice.coordinates(start), float(values[start]), value_of, slow) for start in starts]
    return min(places, key=lambda place: place[0])


def _refined(
    lattice: Lattice, center: np.ndarray, value: float, value_of: Callable[[np.ndarray], np.ndarray], slow: bool
) -> tuple[float, np.ndarray]:
    """The smallest value about a start (dof,) of a lattice, in its own coordinates, and a pose (dof,) where it is."""
    low, high = (np.array([axis.values[end] for axis in lattice.axes]) for end in (0, -1))
    half = np.array([axis.values[1] - axis.values[0] if len(axis.values) > 1 else 0.0 for axis in lattice.axes])
    stencil = np.array(list(itertools.product(_STEPS_SLOW if slow else _STEPS, repeat=len(half))))
    # The azimuth has no end.
    turns = np.array([axis.name == "azimuth" for axis in lattice.axes])
    for _ in range(ROUNDS_SLOW if slow else ROUNDS):
        near = center + half * stencil
        near = np.where(turns, near, np.clip(near, low, high))
        near_values = value_of(lattice.placed(near))
        if np.nanmin(near_values, initial=np.inf) < value - EQUAL * max(1.0, abs(value)):
            here = int(np.nanargmin(near_values))
            center, value = near[here], float(near_values[here])
        half = half / 2
    return value, lattice.placed(center)


def _valleys(lattice: Lattice, values: np.ndarray) -> list[int]:
    """Points of a lattice that are below all their neighbours, the lowest first: a few of different heights.

    A coarse lattice may have its lowest point in another valley than the region has.
    """
    from scipy.ndimage import minimum_filter

    shape = tuple(len(axis.values) for axis in lattice.axes)
    grid = np.where(np.isfinite(values), values, np.inf).reshape(shape)
    ends: Any = ["wrap" if axis.name == "azimuth" else "nearest" for axis in lattice.axes]
    lowest = (grid == minimum_filter(grid, size=3, mode=ends)) & np.isfinite(grid)
    places = np.flatnonzero(lowest.ravel())
    starts: list[int] = []
    for place in places[np.argsort(values[places], kind="stable")]:
        # Mirrored valleys are as deep.
        if not starts or values[place] - values[starts[-1]] > MIRRORED * max(1.0, abs(values[place])):
            starts.append(int(place))
    return starts[:VALLEYS]
