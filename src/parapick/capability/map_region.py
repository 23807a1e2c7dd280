"""Regions that maps are laid over: cylinders, boxes, bodies of revolution, their cuts, and lattices of poses in them.

A box is mapped along x, y and z, a cylinder along radius, azimuth and z, so that its rim and its axis are points of the
lattice: that is where the extremes mostly are. A body of revolution is mapped like the cylinder around it, drawn
together at every height to the radius it has there. Robots with yaw have it as the fourth axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.errors import ParameterError
from parapick.limits import MOST
from parapick.mechanism import (
    Region,
    Robot,
    Workspace,
    ends_text,
    snapped,
)

YAW_STEP: Final = math.radians(15.0)
"""Steps of yaw if the number of points is not given (rad)."""

SECTORS: Final = 24
"""The number of azimuths is a multiple of it: robots with 3, 4, 6 or 8 legs have their symmetry planes on the lattice,
and the places halfway between them."""

FEW: Final = 1000
"""Below so many points asked for, yaw has its ends and its middle only, and azimuths are half as dense as the rest."""

SECTORS_FEW: Final = 8
"""What the number of azimuths is a multiple of, then: the symmetry planes of four legs."""

ROUNDING: Final = 1e-9
"""Steps by which a quotient may exceed a whole number through rounding alone."""

SAME_HEIGHT: Final = 1e-9
"""Distance (m) by which a height may miss the end of a region through rounding alone."""


@final
@dataclass(frozen=True)
class Axis:
    """One axis of a lattice.

    Attributes:
        name: x, y, z, yaw, radius or azimuth.
        unit: m or rad.
        values: where its points are (k,), rising; a full turn of azimuths ends before it would repeat the first.
    """

    name: str
    unit: str
    values: np.ndarray


@final
@dataclass(frozen=True)
class Lattice:
    """Poses spread over a region.

    Attributes:
        region: the region.
        axes: one axis a coordinate: x, y, z or radius, azimuth, z, and yaw where the robot has it.
    """

    region: Region
    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of points along each axis."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def polar(self) -> bool:
        """Whether the first two axes are radius and azimuth."""
        return self.axes[0].name == "radius"

    def poses(self) -> np.ndarray:
        """Task vectors (shape, dof), m and rad."""
        return self.placed(np.stack(np.meshgrid(*(axis.values for axis in self.axes), indexing="ij"), axis=-1))

    def coordinates(self, point: int) -> np.ndarray:
        """Coordinates (dof,) of a point along the axes.

        Args:
            point: its number, in the order of `poses` flattened.
        """
        places = zip(self.axes, np.unravel_index(point, self.shape), strict=True)
        return np.array([axis.values[place] for axis, place in places])

    def placed(self, coordinates: np.ndarray) -> np.ndarray:
        """Task vectors (..., dof), m and rad, at any coordinates (..., dof) along the axes.

        Args:
            coordinates: x, y, z or radius, azimuth, z, and yaw where the robot has it.
        """
        return self.region.places(coordinates)

    def weights(self) -> np.ndarray:
        """Share of the region that each point stands for (shape); they add up to 1."""
        shares = np.ones(())
        for axis in self.axes:
            shares = shares[..., None] * _shares(axis, self._widths(axis))
        return np.broadcast_to(shares, self.shape)

    def _widths(self, axis: Axis) -> np.ndarray | float:
        """How much of the region lies at the heights of an axis, against where it is widest."""
        if axis.name != "z":
            return 1.0
        return self.region.narrowing(axis.values) ** (2 if self.polar else 1)


def _shares(axis: Axis, widths: np.ndarray | float) -> np.ndarray:
    """Share of an axis that each of its points stands for: up to halfway to its neighbours; of a radius, the area."""
    if len(axis.values) == 1 or axis.name == "azimuth":
        return np.full(len(axis.values), 1.0 / len(axis.values))
    between = (axis.values[1:] + axis.values[:-1]) / 2
    ends = np.concatenate([axis.values[:1], between, axis.values[-1:]])
    power = 2 if axis.name == "radius" else 1
    sizes = np.diff(ends**power) * widths
    return sizes / sizes.sum()


def region_of(robot: Robot) -> Workspace:
    """The workspace of a robot's file.

    Raises:
        ParameterError: the file states none.
    """
    if robot.workspace is None:
        text = f"the file of {robot.name} states none; add [workspace] to it, or give a pose or a region"
        raise ParameterError("workspace", text)
    return robot.workspace


def region_text(region: Region, dof: int) -> str:
    """A region in words.

    Args:
        region: a cylinder, a box or a body of revolution.
        dof: 4 for robots with yaw, whose ends are then said too.
    """
    return f"{region.text}, {', '.join(ends_text(*bounds) for bounds in region.bounds[2:dof])}"


def inside(region: Workspace, x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Which places lie in a region, its rim included.

    Args:
        region: a cylinder, a box or a body of revolution.
        x: x of the places (m); with y and z, arrays that fit together.
        y: their y (m).
        z: their z (m).
    """
    level = (z >= region.z_min - SAME_HEIGHT) & (z <= region.z_max + SAME_HEIGHT)
    return level & region.encloses(x, y, z)


def cut(
    region: Workspace,
    *,
    x: float | None = None,
    y: float | None = None,
    z: float | None = None,
    yaw: float | None = None,
) -> Region:
    """A slice of a region: the part of it at fixed coordinates.

    The height and the yaw may lie outside the region, the place in the plane may not. An upright cut through a cylinder
    is a box without width.

    Args:
        region: a cylinder, a box or a body of revolution.
        x: x of an upright cut (m).
        y: y of an upright cut (m).
        z: height of a level cut (m).
        yaw: yaw of the plate (rad).

    Raises:
        ParameterError: an upright cut that misses the region.
    """
    if z is not None:
        region = region.layer(z, z)
    if yaw is not None:
        region = replace(region, yaw_min=yaw, yaw_max=yaw)
    return region.upright_cut(x, y)


def lattice(
    robot: Robot,
    region: Region | None = None,
    *,
    spacing: float | None = None,
    points: Sequence[int] | None = None,
    count: int = 20_000,
    most: int = MOST["map"],
) -> Lattice:
    """Poses spread over a region, its boundary included.

    Args:
        robot: the robot; its yaw is the fourth axis where it has one.
        region: a cylinder, a box or a body of revolution; the workspace of the robot's file if not given.
        spacing: largest distance of neighbouring points (m); yaw goes in steps of at most 15 degrees.
        points: number of points along each axis instead: x, y, z or radius, azimuth, z, and yaw.
        count: about as many points if neither is given.
        most: most points there may be.

    Raises:
        ParameterError: a region that is none, or a spacing or numbers of points that do not fit it.
    """
    where = region_of(robot) if region is None else region
    where.check()
    ends = where.bounds[: robot.dof]
    numbers = _numbers(where, ends, spacing, count) if points is None else _checked(points, where, ends)
    if math.prod(numbers) > most:
        makes = f"makes {math.prod(numbers):.1e} points; at most {most} are computed"
        if spacing is None:
            raise ParameterError("points", makes)
        finest = _finest(where, ends, spacing, most)
        raise ParameterError("spacing", f"is {1e3 * spacing:g} mm, which {makes}: give at least {1e3 * finest:.3g} mm")
    axes = []
    for (name, low, high), number in zip(ends, numbers, strict=True):
        ticks = snapped(_ticks(name, low, high, number), where.bends if name == "z" else ())
        axes.append(Axis(name, "rad" if name in ("azimuth", "yaw") else "m", ticks))
    return Lattice(where, tuple(axes))


def _ticks(name: str, low: float, high: float, number: int) -> np.ndarray:
    if number > 1:
        return np.linspace(low, high, number, endpoint=name != "azimuth")
    # A single point stands in the middle; that of a radius on the rim, that of the azimuths at 0.
    return np.array([{"radius": high, "azimuth": low}.get(name, (low + high) / 2)])


def _numbers(
    region: Region, ends: Sequence[tuple[str, float, float]], spacing: float | None, count: int
) -> tuple[int, ...]:
    few = spacing is None and count < FEW
    turns = [_steps((high - low) / YAW_STEP) for name, low, high in ends if name == "yaw"]
    turns = [min(number, 3) if few else number for number in turns]
    step = _default_spacing(region, count / math.prod(turns)) if spacing is None else spacing
    if not 0 < step < math.inf:
        raise ParameterError("spacing", f"is {step:g} m; it must be a length greater than 0")
    numbers = []
    for name, low, high in ends[:3]:
        if name == "azimuth":
            around = 2 * math.pi * ends[0][2] / step
            numbers.append(SECTORS_FEW * max(1, round(around / 2 / SECTORS_FEW)) if few else _sectors(around))
        elif name == "radius":
            numbers.append(1 + math.ceil(high / step - ROUNDING))
        else:
            numbers.append(_steps((high - low) / step))
    return (*numbers, *turns)


def _finest(region: Region, ends: Sequence[tuple[str, float, float]], spacing: float, most: int) -> float:
    """A spacing (m) of not too many points, a few hundredths above the least one, rounded up to two digits."""
    while math.prod(_numbers(region, ends, spacing, FEW)) > most:
        spacing *= max(1.02, (math.prod(_numbers(region, ends, spacing, FEW)) / most) ** (1 / 3))
    unit = 10.0 ** (math.floor(math.log10(spacing)) - 1)
    return math.ceil(spacing / unit) * unit


def _sectors(quotient: float) -> int:
    """Azimuths of a circle with at least so many steps."""
    return SECTORS * max(1, math.ceil(quotient / SECTORS - ROUNDING))


def _steps(quotient: float) -> int:
    """Points at both ends and in between of an axis with so many steps; one point if it has no length.

    An odd number, so that one lies in the middle, where most robots have their axis.
    """
    return 1 + 2 * math.ceil(quotient / 2 - ROUNDING) if quotient > 0 else 1


def _default_spacing(region: Region, count: float) -> float:
    """A spacing that gives about `count` places."""
    flat, axes = region.spread
    height = region.z_max - region.z_min
    size, axes = (flat * height, axes + 1) if height > 0 else (flat, axes)
    return (size / max(count, 1.0)) ** (1 / axes) if axes else 1.0


def _checked(points: Sequence[int], region: Region, ends: Sequence[tuple[str, float, float]]) -> tuple[int, ...]:
    names = ", ".join(name for name, _, _ in ends)
    if len(points) != len(ends) or any(int(number) < 1 for number in points):
        raise ParameterError("points", f"is {tuple(points)}; give a number of at least 1 for each of {names}")
    for (name, low, high), number in zip(ends, points, strict=True):
        if number > 1 and not high > low:
            raise ParameterError("points", f"{name} has no length in this {region.kind}, so it takes 1 point")
    return tuple(int(number) for number in points)
