"""Which points of the grid can be reached from home: the connected part of the workspace.

Two neighbouring points are connected where everything between them belongs to the workspace, not only the points
themselves: a singularity is a surface, and a grid steps over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.model.between import Standing, holds_between
from parapick.model.room import Room

PAIRS: Final = 500_000
"""Pairs of neighbours looked at at once: their poses take some tens of megabytes."""


@final
@dataclass(frozen=True)
class Points:
    """The points of a grid that belong to the workspace.

    Attributes:
        axes: coordinates of the grid along x, y and z (m), evenly spaced.
        yaw: yaw of the plate (rad); None for robots without yaw.
        inside: which points of the grid they are (nx, ny, nz); k of them.
        standing: room and orientation of each (k,), in the order of the grid.
    """

    axes: tuple[np.ndarray, np.ndarray, np.ndarray]
    yaw: float | None
    inside: np.ndarray
    standing: Standing

    def poses(self, flat: np.ndarray) -> np.ndarray:
        """Task vectors (n, dof) of points of the grid.

        Args:
            flat: their numbers in the flattened grid (n,).
        """
        return poses_at(self.axes, self.yaw, flat)


def poses_at(axes: tuple[np.ndarray, np.ndarray, np.ndarray], yaw: float | None, flat: np.ndarray) -> np.ndarray:
    """Task vectors (n, dof) of points of a grid, m and rad.

    Args:
        axes: coordinates of the grid along x, y and z (m).
        yaw: yaw of the plate (rad); None for robots without yaw.
        flat: numbers of the points in the flattened grid (n,).
    """
    places = np.unravel_index(flat, tuple(len(axis) for axis in axes))
    columns = [axis[i] for axis, i in zip(axes, places, strict=True)]
    return np.stack(columns if yaw is None else [*columns, np.full(len(flat), yaw)], axis=-1)


def connected_part(room: Room, points: Points) -> tuple[np.ndarray, bool]:
    """The part of the workspace connected to home (nx, ny, nz), and whether there is one.

    Where home does not belong to the workspace at this yaw, the largest part instead.

    Args:
        room: the robot and its smallest margin.
        points: the points that belong to the workspace.
    """
    flat = np.flatnonzero(points.inside)
    if len(flat) == 0:
        return np.zeros(points.inside.shape, dtype=bool), False
    parts = _parts(room, points, flat)
    start = _home(room, points)
    part = np.argmax(np.bincount(parts)) if start is None else parts[np.searchsorted(flat, start)]
    connected = np.zeros(points.inside.shape, dtype=bool)
    connected.flat[flat[parts == part]] = True
    return connected, start is not None


def _parts(room: Room, points: Points, flat: np.ndarray) -> np.ndarray:
    """Number of the part of every point of the workspace (k,).

    Points with so much room that it meets that of their neighbours are connected to begin with. The others, near the
    rim, begin as parts of their own, and pairs that are in one part already need not be looked at.
    """
    from scipy.ndimage import label

    step = max((float(axis[1] - axis[0]) for axis in points.axes if len(axis) > 1), default=0.0)
    wide = np.zeros(points.inside.shape, dtype=bool)
    wide[points.inside] = points.standing.radius >= step / 2
    labels = np.zeros(points.inside.shape, dtype=np.int32)
    label(wide, output=labels)
    parts = labels.flat[flat] - 1
    alone = np.flatnonzero(parts < 0)
    parts[alone] = labels.max() + np.arange(len(alone))
    for one, other in _neighbours(points, wide, flat):
        apart = parts[one] != parts[other]
        first, last = one[apart], other[apart]
        known = Standing(*(v[first] for v in points.standing)), Standing(*(v[last] for v in points.standing))
        holds = holds_between(room, points.poses(flat[first]), points.poses(flat[last]), known)
        parts = _merged(parts, parts[first[holds]], parts[last[holds]])
    return parts


def _merged(parts: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Numbers of the parts (k,) after parts `one` (n,) were joined with parts `other` (n,)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = int(parts.max()) + 1
    graph = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(size, size))
    return connected_components(graph, directed=False)[1][parts]


def _neighbours(points: Points, wide: np.ndarray, flat: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of neighbours (n,), as places in the list of points, of which at least one has not much room."""
    place = np.zeros(points.inside.shape, dtype=np.int32)
    place.flat[flat] = np.arange(len(flat))
    for axis in range(3):
        near, far = (slice(None),) * axis + (slice(None, -1),), (slice(None),) * axis + (slice(1, None),)
        both = points.inside[near] & points.inside[far] & ~(wide[near] & wide[far])
        one, other = place[near][both], place[far][both]
        for begin in range(0, len(one), PAIRS):
            yield one[begin : begin + PAIRS], other[begin : begin + PAIRS]


def _home(room: Room, points: Points) -> int | None:
    """Number in the flattened grid of a point that home is connected to, the nearest; None where there is none."""
    home = np.array(room.model.robot.home)
    if points.yaw is not None:
        home[3] = points.yaw
    corners = [
        np.clip(np.searchsorted(axis, x) + np.array([-1, 0]), 0, len(axis) - 1)
        for axis, x in zip(points.axes, home, strict=False)
    ]
    cell = np.ravel_multi_index(np.meshgrid(*corners, indexing="ij"), points.inside.shape).ravel()
    cell = cell[points.inside.flat[cell]]
    poses = points.poses(cell)
    cell = cell[np.argsort(np.linalg.norm(poses - home, axis=-1), kind="stable")]
    holds = holds_between(room, home, points.poses(cell))
    return int(cell[np.argmax(holds)]) if holds.any() else None
