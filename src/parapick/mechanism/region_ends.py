"""What regions have in common: their ends in height and yaw, and how ends are counted, checked and named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import casadi as ca
import numpy as np

from parapick.errors import ParameterError

Bounds = tuple[str, float, float]
"""A coordinate of a region: its name, its smallest and its largest value (m, rad)."""

Extent = tuple[Any, Any]
"""Middle and half the length of a region along a task coordinate (m, rad): numbers, or expressions where fields are."""


class Upright(Protocol):
    """A region with ends in height (m) and yaw (rad)."""

    @property
    def z_min(self) -> float:
        """Lower end."""
        ...

    @property
    def z_max(self) -> float:
        """Upper end."""
        ...

    @property
    def yaw_min(self) -> float:
        """Smallest yaw."""
        ...

    @property
    def yaw_max(self) -> float:
        """Largest yaw."""
        ...


class Straight(Upright, Protocol):
    """A region that is as wide at all heights."""

    @property
    def width(self) -> tuple[float, float]:
        """Smallest and largest x (m)."""
        ...

    @property
    def outline(self) -> np.ndarray:
        """Its rim from above as a closed line (n, 2), m."""
        ...

    @property
    def extents(self) -> tuple[Extent, ...]:
        """Middle and half length along x, y, z and yaw."""
        ...


def end_rims(region: Straight) -> tuple[np.ndarray, ...]:
    """The rim at both ends, each a closed line (n, 3), m."""
    x, y = region.outline.T
    return tuple(np.stack([x, y, np.full_like(x, z)], axis=-1) for z in (region.z_min, region.z_max))


def side_box(region: Straight) -> np.ndarray:
    """Outline along y as a closed line (5, 2) of x and z, m."""
    (left, right), low, high = region.width, region.z_min, region.z_max
    return np.array([[left, low], [right, low], [right, high], [left, high], [left, low]])


def even_places(region: Straight, points: np.ndarray) -> np.ndarray:
    """Task vectors (..., k) of points (..., k) in units of the extents."""
    middle, half = np.array(region.extents)[: points.shape[-1]].T
    return middle + half * points


def even_place_expressions(region: Straight, point: Any) -> list[Any]:
    """The same of one point (dof x 1) as expressions."""
    return [middle + half * point[i] for i, (middle, half) in enumerate(region.extents[: point.numel()])]


def ends_text(name: str, low: float, high: float) -> str:
    """The ends of a coordinate in words; one of them where the region is cut there.

    Args:
        name: of the coordinate.
        low: its smallest value (m, rad).
        high: its largest value (m, rad).
    """
    factor, unit = (180.0 / math.pi, "deg") if name == "yaw" else (1.0, "m")
    ends = [f"{factor * low:g}"] if low == high else [f"{factor * low:g}", f"{factor * high:g}"]
    return f"{name} {' to '.join(ends)} {unit}"


def upright(region: Upright) -> tuple[Bounds, Bounds]:
    """Height and yaw with their ends."""
    return ("z", region.z_min, region.z_max), ("yaw", region.yaw_min, region.yaw_max)


def upright_extents(region: Upright) -> tuple[Extent, Extent]:
    """Height and yaw by middle and half length."""
    return extent(region.z_min, region.z_max), extent(region.yaw_min, region.yaw_max)


def extent(low: Any, high: Any) -> Extent:
    """Middle and half length between two ends."""
    return (low + high) / 2, (high - low) / 2


def evenly(count: int) -> np.ndarray:
    """So many numbers from -1 to 1; a single one in the middle."""
    return np.linspace(-1.0, 1.0, count) if count > 1 else np.zeros(1)


def snapped(values: np.ndarray, marks: Sequence[float]) -> np.ndarray:
    """Rising numbers, of which the inner one next to each mark lies on it; the ends stay.

    Args:
        values: the numbers (k,).
        marks: what lies between both ends, rising.
    """
    near = values.copy()
    for mark in marks if len(values) > 2 else ():
        near[1 + int(np.argmin(np.abs(near[1:-1] - mark)))] = mark
    return near


def mesh(lines: Sequence[np.ndarray]) -> np.ndarray:
    """All points (n, k) of which each coordinate is one of a line, the last counting fastest."""
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(lines))


def check_inside(name: str, value: float, low: float, high: float) -> None:
    """Raise `ParameterError` if a coordinate (m) is not between two ends."""
    if not low <= value <= high:
        raise ParameterError(name, f"is {value:g} m; the region spans {low:g} to {high:g} m")


def check_ends(bounds: Sequence[Bounds]) -> None:
    """Raise `ParameterError` if ends are not finite, or not in order."""
    for name, low, high in bounds:
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ParameterError(f"region.{name}_min", f"is {low:g} and {name}_max is {high:g}; give low <= high")


def left_between(value: Any, low: Any, high: Any) -> Any:
    """`between` as an expression."""
    return ca.fmin(value - low, high - value)


def with_upright_expressions(region: Upright, flat: Any, x: Any) -> list[Any]:
    """`with_upright_slack` as expressions."""
    place = ca.fmin(flat, left_between(x[2], region.z_min, region.z_max))
    return [place, *([left_between(x[3], region.yaw_min, region.yaw_max)] if x.numel() == 4 else [])]


def between(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """What is left to the nearer of two ends; negative beyond them."""
    return np.minimum(values - low, high - values)


def with_upright_slack(region: Upright, flat: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The smaller slack of base and height (..., 1), m; with yaw also that of yaw (..., 2), rad."""
    place = np.minimum(flat, between(x[..., 2], region.z_min, region.z_max))
    if x.shape[-1] < 4:
        return place[..., None]
    return np.stack([place, between(x[..., 3], region.yaw_min, region.yaw_max)], axis=-1)
