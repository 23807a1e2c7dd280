"""Plane cuts through a map, as cells with edges that a figure can fill."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.capability import IndexMap
from parapick.mechanism import Region

ROUND: Final = 5
"""Straight pieces that one cell of azimuth is drawn with, so that circles look round."""


@final
@dataclass(frozen=True, eq=False)
class Cut:
    """Cells of a plane.

    Attributes:
        edges: horizontal and vertical coordinates of the corners, two arrays (a + 1, b + 1), m.
        values: values of the cells (a, b).
        reason: why a cell has none (a, b), an index into `MAP_REASONS`.
        labels: what the two coordinates are.
        title: where the cut lies.
        origin: point (3,) from which the horizontal coordinate counts, m.
        direction: direction (3,) in which it counts.
        upright: whether the vertical coordinate is z; otherwise it is y.
        ring: whether the cells run around a centre, the last of the first axis outermost.
    """

    edges: tuple[np.ndarray, np.ndarray]
    values: np.ndarray
    reason: np.ndarray
    labels: tuple[str, str]
    title: str
    origin: np.ndarray
    direction: np.ndarray
    upright: bool
    ring: bool = False

    def flat(self, points: np.ndarray) -> np.ndarray:
        """Where points lie in the picture (..., 2), m.

        Args:
            points: points (..., 3), m.
        """
        along = (points - self.origin) @ self.direction
        return np.stack([along, points[..., 2 if self.upright else 1]], axis=-1)


def level_cut(index_map: IndexMap, pose: Mapping[str, float]) -> Cut | None:
    """The cut at the height and the yaw of a pose, seen from above; None where the map has no such plane.

    Args:
        pose: task vector by name (m, rad).
    """
    first, second = index_map.axes[:2]
    if min(len(first.values), len(second.values)) == 1:
        return None
    layer = (slice(None), slice(None), *(_nearest(axis.values, pose[axis.name]) for axis in index_map.axes[2:]))
    polar = index_map.lattice.polar
    # Every cell of azimuth is drawn as several, with the same value.
    pieces = ROUND if polar else 1
    return Cut(
        edges=_ring_edges(index_map, pose["z"]) if polar else _corners(first.values, second.values),
        values=np.repeat(index_map.values[layer], pieces, axis=1),
        reason=np.repeat(index_map.reason[layer], pieces, axis=1),
        labels=("x (m)", "y (m)"),
        title=f"from above, z = {pose['z']:.4g} m{_turn(pose)}",
        origin=np.zeros(3),
        direction=np.array([1.0, 0.0, 0.0]),
        upright=False,
        ring=polar,
    )


def _ring_edges(index_map: IndexMap, z: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners x and y of the cells of a cylinder at the layer next to a height (m); its azimuths cover a whole turn."""
    radius, azimuth = (axis.values for axis in index_map.axes[:2])
    half = (azimuth[1] - azimuth[0]) / 2
    ends = _edges(azimuth)
    ends[0] -= half
    ends[-1] += half
    fine = np.interp(np.arange(ROUND * len(azimuth) + 1) / ROUND, np.arange(len(ends)), ends)
    heights = index_map.axes[2].values
    layer = heights[_nearest(heights, z)]
    rings = _edges(radius)[:, None] * index_map.lattice.region.narrowing(layer)
    x, y = _axis_point(index_map)
    return x + rings * np.cos(fine), y + rings * np.sin(fine)


def _axis_point(index_map: IndexMap) -> tuple[float, float]:
    """Where the axis of a cylinder stands (x, y), m; the origin where the region does not say."""
    region = index_map.lattice.region
    return getattr(region, "x", 0.0), getattr(region, "y", 0.0)


def upright_cut(index_map: IndexMap, pose: Mapping[str, float]) -> Cut | None:
    """The upright cut through a pose at its yaw; None where the map has no such plane.

    It is the plane through the axis of a cylinder, and a plane along x of a box (along y if that has no width along x).

    Args:
        pose: task vector by name (m, rad).
    """
    if len(index_map.axes[2].values) == 1:
        return None
    turned = tuple(_nearest(axis.values, pose[axis.name]) for axis in index_map.axes[3:])
    layer = (slice(None), slice(None), slice(None), *turned)
    values, reason = index_map.values[layer], index_map.reason[layer]
    make = _through_axis if index_map.lattice.polar else _along
    return make(index_map, pose, values, reason)


def _through_axis(index_map: IndexMap, pose: Mapping[str, float], values: np.ndarray, reason: np.ndarray) -> Cut | None:
    """The half planes of a cylinder at the azimuth of a pose and opposite to it, side by side; None for a line.

    Values and reasons are those of all points (radius, azimuth, z).
    """
    radius, azimuth, z = (axis.values for axis in index_map.axes[:3])
    if len(radius) == 1:
        return None
    x, y = _axis_point(index_map)
    angle = math.atan2(pose["y"] - y, pose["x"] - x)
    near = _nearest_angle(azimuth, angle)
    opposite = _nearest_angle(azimuth, angle + math.pi)

    def joined(cells: np.ndarray) -> np.ndarray:
        # The axis belongs to both half planes and is counted once.
        return np.concatenate([cells[:0:-1, opposite], cells[:, near]])

    along = np.concatenate([-radius[:0:-1], radius])
    turn = float(azimuth[near])
    return Cut(
        edges=_narrowed(_corners(along, z), index_map.lattice.region, 0.0),
        values=joined(values),
        reason=joined(reason),
        labels=(f"from the axis towards azimuth {math.degrees(turn):.4g} deg (m)", "z (m)"),
        title=f"upright, through the axis{_turn(pose)}",
        origin=np.array([x, y, 0.0]),
        direction=np.array([math.cos(turn), math.sin(turn), 0.0]),
        upright=True,
    )


def _along(index_map: IndexMap, pose: Mapping[str, float], values: np.ndarray, reason: np.ndarray) -> Cut | None:
    """The plane of a box along x, or along y where it has no width along x; None for a line.

    Values and reasons are those of all points (x, y, z).
    """
    first, second, third = index_map.axes[:3]
    axis, across = (0, second) if len(first.values) > 1 else (1, first)
    along = index_map.axes[axis]
    if len(along.values) == 1:
        return None
    place = _nearest(across.values, pose[across.name])
    return Cut(
        edges=_narrowed(_corners(along.values, third.values), index_map.lattice.region, _middle(along.values)),
        values=np.take(values, place, axis=1 - axis),
        reason=np.take(reason, place, axis=1 - axis),
        labels=(f"{along.name} (m)", "z (m)"),
        title=f"upright, {across.name} = {pose[across.name]:.4g} m{_turn(pose)}",
        origin=np.zeros(3),
        direction=np.eye(3)[axis],
        upright=True,
    )


def _narrowed(corners: tuple[np.ndarray, np.ndarray], region: Region, middle: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners of an upright cut, drawn together about a middle where the region is narrower at their heights."""
    along, z = corners
    return middle + (along - middle) * region.narrowing(z), z


def _middle(values: np.ndarray) -> float:
    return float(values[0] + values[-1]) / 2


def line_cut(index_map: IndexMap, pose: Mapping[str, float]) -> tuple[str, np.ndarray, np.ndarray] | None:
    """Label, coordinates and values along the first axis with length, through a pose; None for a single point.

    Args:
        pose: task vector by name (m, rad).
    """
    long = [i for i, axis in enumerate(index_map.axes) if len(axis.values) > 1]
    if not long:
        return None
    axis = index_map.axes[long[0]]
    near = np.abs(index_map.lattice.poses() - np.array([pose[name] for name in index_map.task_names])).sum(axis=-1)
    place: list[Any] = list(np.unravel_index(int(np.argmin(near)), near.shape))
    place[long[0]] = slice(None)
    factor, unit = (180 / math.pi, "deg") if axis.unit == "rad" else (1.0, axis.unit)
    return f"{axis.name} ({unit})", axis.values * factor, index_map.values[tuple(place)]


def _turn(pose: Mapping[str, float]) -> str:
    return f", yaw {math.degrees(pose['yaw']):.4g} deg" if "yaw" in pose else ""


def _nearest(values: np.ndarray, value: float) -> int:
    return int(np.argmin(np.abs(values - value)))


def _nearest_angle(values: np.ndarray, angle: float) -> int:
    return int(np.argmax(np.cos(values - angle)))


def _corners(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners of cells around points on two straight axes."""
    across, up = np.meshgrid(_edges(first), _edges(second), indexing="ij")
    return across, up


def _edges(values: np.ndarray) -> np.ndarray:
    """Ends of the cells: halfway between points, and the first and the last point itself."""
    return np.concatenate([values[:1], (values[1:] + values[:-1]) / 2, values[-1:]])
