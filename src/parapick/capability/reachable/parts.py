"""Which points of the grid can be reached from home: the connected part of the workspace.

Two neighbouring points are connected where everything between them belongs to the workspace, not only the points
themselves: a singularity is a surface, and a grid steps over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.capability.reachable.straight_path import Standing, holds_between
from parapick.model import Room

PAIRS: Final = 500_000
"""Pairs of neighbours looked at at once: their poses take some tens of megabytes."""


@final
@dataclass(frozen=True)
class WorkspaceGrid:
    """A grid at one yaw.

    Attributes:
        axes: coordinates along x, y and z (m), evenly spaced.
        yaw: yaw of the plate (rad); None for robots without yaw.
    """

    axes: tuple[np.ndarray, np.ndarray, np.ndarray]
    yaw: float | None

    @property
    def shape(self) -> tuple[int, ...]:
        """Points along each axis."""
        return tuple(len(axis) for axis in self.axes)

    def poses(self, flat: np.ndarray) -> np.ndarray:
        """Task vectors (n, dof) of points, m and rad.

        Args:
            flat: their numbers in the flattened grid (n,).
        """
        places = np.unravel_index(flat, self.shape)
        columns = [axis[i] for axis, i in zip(self.axes, places, strict=True)]
        return np.stack(columns if self.yaw is None else [*columns, np.full(len(flat), self.yaw)], axis=-1)


def connected_part(room: Room, grid: WorkspaceGrid, inside: np.ndarray, standing: Standing) -> tuple[np.ndarray, bool]:
    """The part of the workspace connected to home (nx, ny, nz), and whether there is one.

    Where home does not belong to the workspace at this yaw, the largest part instead.

    Args:
        room: the robot and its smallest margin.
        inside: which of its points belong to the workspace (nx, ny, nz); k of them.
        standing: room and orientation of each of these (k,), in the order of the grid.
    """
    flat, connected = np.flatnonzero(inside), np.zeros(grid.shape, dtype=bool)
    if len(flat) == 0:
        return connected, False
    parts = _parts(room, grid, inside, standing)
    start = _home(room, grid, inside)
    part = np.argmax(np.bincount(parts)) if start is None else parts[np.searchsorted(flat, start)]
    connected.flat[flat[parts == part]] = True
    return connected, start is not None


def _parts(room: Room, grid: WorkspaceGrid, inside: np.ndarray, standing: Standing) -> np.ndarray:
    """Number of the part of every point of the workspace (k,).

    Points with so much room that it meets that of their neighbours are connected to begin with. The others, near the
    rim, begin as parts of their own, and pairs that are in one part already need not be looked at.
    """
    from scipy.ndimage import label

    step = max((float(axis[1] - axis[0]) for axis in grid.axes if len(axis) > 1), default=0.0)
    flat, wide = np.flatnonzero(inside), np.zeros(grid.shape, dtype=bool)
    wide[inside] = standing.radius >= step / 2
    labels = np.zeros(grid.shape, dtype=np.int32)
    label(wide, output=labels)
    parts = labels.flat[flat] - 1
    alone = np.flatnonzero(parts < 0)
    parts[alone] = labels.max() + np.arange(len(alone))
    for one, other in _neighbours(inside, wide):
        apart = parts[one] != parts[other]
        first, last = one[apart], other[apart]
        known = Standing(*(v[first] for v in standing)), Standing(*(v[last] for v in standing))
        holds = holds_between(room, grid.poses(flat[first]), grid.poses(flat[last]), known)
        parts = _merged(parts, parts[first[holds]], parts[last[holds]])
    return parts


def _merged(parts: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Numbers of the parts (k,) after parts `one` (n,) were joined with parts `other` (n,)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = int(parts.max()) + 1
    graph = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(size, size))
    return connected_components(graph, directed=False)[1][parts]


def _neighbours(inside: np.ndarray, wide: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of neighbours (n,), as places in the list of points, of which at least one has not much room."""
    place = np.zeros(inside.shape, dtype=np.int32)
    place[inside] = np.arange(np.count_nonzero(inside))
    for axis in range(3):
        near, far = (slice(None),) * axis + (slice(None, -1),), (slice(None),) * axis + (slice(1, None),)
        both = inside[near] & inside[far] & ~(wide[near] & wide[far])
        one, other = place[near][both], place[far][both]
        for begin in range(0, len(one), PAIRS):
            yield one[begin : begin + PAIRS], other[begin : begin + PAIRS]


def _home(room: Room, grid: WorkspaceGrid, inside: np.ndarray) -> int | None:
    """Number in the flattened grid of a point that home is connected to, the nearest; None where there is none."""
    home = np.array(room.model.robot.home)
    if grid.yaw is not None:
        home[3] = grid.yaw
    corners = [
        np.clip(np.searchsorted(axis, x) + np.array([-1, 0]), 0, len(axis) - 1)
        for axis, x in zip(grid.axes, home, strict=False)
    ]
    cell = np.ravel_multi_index(np.meshgrid(*corners, indexing="ij"), inside.shape).ravel()
    cell = cell[inside.flat[cell]]
    poses = grid.poses(cell)
    cell = cell[np.argsort(np.linalg.norm(poses - home, axis=-1), kind="stable")]
    holds = holds_between(room, home, grid.poses(cell))
    return int(cell[np.argmax(holds)]) if holds.any() else None
