"""What regions around an upright axis have in common: points in units of a disc, and their circle seen from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.mechanism.curve import Points
from parapick.mechanism.region_ends import evenly, mesh, snapped

_CIRCLE: Final = np.linspace(0.0, 2 * np.pi, 49)
"""Azimuths (rad) of the outline of a circle."""

HAIR: Final = 1e-30
"""Square of a distance (m2) that keeps the slope of a radius finite on the axis, and changes nothing else."""

COARSE: Final = (3, 24)
"""Counts of radii and azimuths that show where reach ends.

24 azimuths hold the planes of symmetry of 3, 4 and 6 legs and the planes halfway between them.
"""


def circle(x: float, y: float, radius: float) -> np.ndarray:
    """A circle as a closed line (n, 2), m.

    Args:
        x: x of its middle (m).
        y: y of its middle (m).
        radius: its radius (m).
    """
    return np.array([x, y]) + radius * np.stack([np.cos(_CIRCLE), np.sin(_CIRCLE)], axis=-1)


def disc_points(counts: Sequence[int], bends: Sequence[float] = ()) -> np.ndarray:
    """Points (n, k) of a solid body on a disc, in units from -1 to 1: rim, ends and inside.

    Args:
        counts: points along radius, azimuth, z and yaw, the first k of them; the axis is one point.
        bends: heights between both ends that shall be among the points, rising.
    """
    radius = np.linspace(0.0, 1.0, counts[0]) if counts[0] > 1 else np.ones(1)
    azimuth = np.linspace(0.0, 2 * np.pi, counts[1], endpoint=False)
    heights = [snapped(evenly(count), bends) for count in counts[2:3]]
    points = mesh([radius, azimuth, *heights, *map(evenly, counts[3:])])
    radius, azimuth = points[:, 0].copy(), points[:, 1].copy()
    points[:, 0], points[:, 1] = radius * np.cos(azimuth), radius * np.sin(azimuth)
    return points[(radius > 0.0) | (azimuth == 0.0)]


def disc_nearest(points: np.ndarray) -> np.ndarray:
    """Points (..., k) in units of a body on a disc, those outside moved to the nearest of it.

    Args:
        points: the points (..., k).
    """
    inside = np.clip(points, -1.0, 1.0)
    radius = np.hypot(points[..., 0], points[..., 1])[..., None]
    inside[..., :2] = points[..., :2] / np.maximum(radius, 1.0)
    return inside


def disc_places(x: float, y: float, coordinates: np.ndarray, narrowing: np.ndarray | float = 1.0) -> np.ndarray:
    """Task vectors (..., k) at radius, azimuth, z and yaw (..., k).

    Args:
        x: x of the axis (m).
        y: y of the axis (m).
        coordinates: radius (m), azimuth (rad), z (m) and yaw (rad), the first k of them.
        narrowing: share of the radius that counts (...).
    """
    radius, azimuth = coordinates[..., 0] * narrowing, coordinates[..., 1]
    flat = np.stack([x + radius * np.cos(azimuth), y + radius * np.sin(azimuth)], axis=-1)
    return np.concatenate([flat, coordinates[..., 2:]], axis=-1)


def radius_at(radii: Points, z: np.ndarray) -> np.ndarray:
    """Radius of a body at heights (...), m; beyond its ends that of the end.

    Args:
        radii: points of z and radius (m), the lowest first.
        z: the heights (m).
    """
    heights, sizes = np.array(radii).T
    return np.interp(z, heights, sizes)


def radii_text(radii: Points) -> str:
    """Radii over heights in words.

    Args:
        radii: points of z and radius (m).
    """
    return ", ".join(f"{radius:g} m at z {z:g} m" for z, radius in radii)
