"""Plane cuts through a map, as cells with edges that a figure can fill."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.capability.map import IndexMap

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


def level_cut(found: IndexMap, pose: Mapping[str, float]) -> Cut | None:
    """The cut at the height and the yaw of a pose, seen from above; None where the map has no such plane.

    Args:
        found: the map.
        pose: task vector by name (m, rad).
    """
    first, second = found.axes[:2]
    if min(len(first.values), len(second.values)) == 1:
        return None
    layer = (slice(None), slice(None), *(_nearest(axis.values, pose[axis.name]) for axis in found.axes[2:]))
    values, reason = found.values[layer], found.reason[layer]
    if found.lattice.polar:
        radius, azimuth = _edges(first.values), _edges(second.values)
        half = (second.values[1] - second.values[0]) / 2
        azimuth[0], azimuth[-1] = azimuth[0] - half, azimuth[-1] + half
        fine = np.interp(np.arange(ROUND * len(second.values) + 1) / ROUND, np.arange(len(azimuth)), azimuth)
        middle = found.lattice.region
        edges = (
            getattr(middle, "x", 0.0) + radius[:, None] * np.cos(fine),
            getattr(middle, "y", 0.0) + radius[:, None] * np.sin(fine),
        )
        values, reason = np.repeat(values, ROUND, axis=1), np.repeat(reason, ROUND, axis=1)
    else:
        edges = _corners(first.values, second.values)
    zero = np.zeros(3)
    title = f"from above, z = {pose['z']:.4g} m{_turn(pose)}"
    across = np.array([1.0, 0.0, 0.0])
    ring = found.lattice.polar
    return Cut(edges, values, reason, ("x (m)", "y (m)"), title, zero, across, upright=False, ring=ring)


def upright_cut(found: IndexMap, pose: Mapping[str, float]) -> Cut | None:
    """The upright cut through a pose at its yaw; None where the map has no such plane.

    It is the plane through the axis of a cylinder, and a plane along x of a box (along y if that has no width along x).

    Args:
        found: the map.
        pose: task vector by name (m, rad).
    """
    if len(found.axes[2].values) == 1:
        return None
    turned = tuple(_nearest(axis.values, pose[axis.name]) for axis in found.axes[3:])
    layer = (slice(None), slice(None), slice(None), *turned)
    values, reason = found.values[layer], found.reason[layer]
    return _through_axis(found, pose, values, reason) if found.lattice.polar else _along(found, pose, values, reason)


def _through_axis(found: IndexMap, pose: Mapping[str, float], values: np.ndarray, reason: np.ndarray) -> Cut | None:
    radius, azimuth, z = (axis.values for axis in found.axes[:3])
    if len(radius) == 1:
        return None
    x, y = (getattr(found.lattice.region, name, 0.0) for name in "xy")
    angle = math.atan2(pose["y"] - y, pose["x"] - x) % (2 * math.pi)
    here, there = _nearest_angle(azimuth, angle), _nearest_angle(azimuth, angle + math.pi)
    # The axis is counted once.
    along = np.concatenate([-radius[:0:-1], radius])
    values = np.concatenate([values[:0:-1, there], values[:, here]])
    reason = np.concatenate([reason[:0:-1, there], reason[:, here]])
    turn = float(azimuth[here])
    direction = np.array([math.cos(turn), math.sin(turn), 0.0])
    edges = _corners(along, z)
    label = f"from the axis towards azimuth {math.degrees(turn):.4g} deg (m)"
    title = f"upright, through the axis{_turn(pose)}"
    return Cut(edges, values, reason, (label, "z (m)"), title, np.array([x, y, 0.0]), direction, upright=True)


def _along(found: IndexMap, pose: Mapping[str, float], values: np.ndarray, reason: np.ndarray) -> Cut | None:
    first, second, third = found.axes[:3]
    axis, other = (0, second) if len(first.values) > 1 else (1, first)
    along = found.axes[axis]
    if len(along.values) == 1:
        return None
    place = _nearest(other.values, pose[other.name])
    values, reason = np.take(values, place, axis=1 - axis), np.take(reason, place, axis=1 - axis)
    edges = _corners(along.values, third.values)
    title = f"upright, {other.name} = {pose[other.name]:.4g} m{_turn(pose)}"
    labels = (f"{along.name} (m)", "z (m)")
    return Cut(edges, values, reason, labels, title, np.zeros(3), np.eye(3)[axis], upright=True)


def line_cut(found: IndexMap, pose: Mapping[str, float]) -> tuple[str, np.ndarray, np.ndarray] | None:
    """Label, coordinates and values along the first axis with length, through a pose; None for a single point.

    Args:
        found: the map.
        pose: task vector by name (m, rad).
    """
    long = [i for i, axis in enumerate(found.axes) if len(axis.values) > 1]
    if not long:
        return None
    axis = found.axes[long[0]]
    near = np.abs(found.lattice.poses() - np.array([pose[name] for name in found.task_names])).sum(axis=-1)
    place: list[Any] = list(np.unravel_index(int(np.argmin(near)), near.shape))
    place[long[0]] = slice(None)
    factor, unit = (180 / math.pi, "deg") if axis.unit == "rad" else (1.0, axis.unit)
    return f"{axis.name} ({unit})", axis.values * factor, found.values[tuple(place)]


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
