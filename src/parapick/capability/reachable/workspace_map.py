"""The workspace on a grid at one yaw: its points, its volumes, and the bodies that fit into it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast, final

import numpy as np

from parapick.answer import Answer, Table
from parapick.capability.reachable.bodies import Body, largest, largest_rectangles, lies_inside
from parapick.deferred import fetched
from parapick.errors import ParameterError
from parapick.formulas import FAULTS, SLACKS
from parapick.mechanism import (
    Box,
    Cylinder,
    Workspace,
)
from parapick.model import MARGIN_KINDS, Model, Room

REASONS: Final = (*FAULTS, *MARGIN_KINDS)
"""Why a point does not belong to the workspace; a reason is an index into this list, 0 where it belongs."""

WORDS: Final = {
    "": "reachable",
    "pose": "not a pose",
    **{kind.name: kind.fault for kind in SLACKS},
    "under-mobility": "near under-mobility",
    "over-mobility": "near over-mobility",
    "internal": "near an internal singularity",
}
"""Reasons in words, for tables and figures."""

FINE: Final = 1 / 100
"""Share of the grid's spacing to which the sizes of bodies are found: far finer than the grid, which says where to
look, and a quarter of a millimetre for a spacing of 25 mm."""

CANDIDATES: Final = 4
"""Bodies equally large on the grid that are tried at most: many robots have two or four that mirror each other."""

_ROUNDING: Final = 1e-9
"""Distance (m) by which a height may miss a layer of the grid through rounding alone."""


@final
@dataclass(frozen=True)
class WorkspaceMap:
    """The workspace on a grid at one yaw.

    Attributes:
        axes: coordinates of the grid along x, y and z (m), evenly spaced.
        yaw: yaw of the plate (rad); None for robots without yaw.
        reason: index into `REASONS` of every point (nx, ny, nz); 0 where it belongs to the workspace.
        worst: number of the leg that fails (nx, ny, nz), from 1; 0 where no single leg does.
        connected: which points can be reached from home along the grid without leaving the workspace between two
            points (nx, ny, nz); where home does not belong to it, the largest part that hangs together.
        around_home: whether home belongs to `connected`.
        room: the robot, and the smallest margin that still belongs to the workspace.
    """

    axes: tuple[np.ndarray, np.ndarray, np.ndarray]
    yaw: float | None
    reason: np.ndarray
    worst: np.ndarray
    connected: np.ndarray
    around_home: bool
    room: Room

    def __repr__(self) -> str:
        size = f"{self.volume:.4g} {'m2' if len(self.axes[2]) == 1 else 'm3'}"
        return f"<WorkspaceMap of {self.model.robot.name}: {size} reachable, on a grid of {self.reason.size} points>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    @property
    def ok(self) -> bool:
        """Whether home belongs to the workspace."""
        return self.around_home

    def answer(self) -> Answer:
        """Its size, what its points are, and the largest bodies at the heights of the workspace of the robot's file."""
        place = "parapick.capability.reachable.workspace_answer"
        heights = fetched(place, "slab_heights")(self.model.robot, self, ())
        return fetched(place, "workspace_answer")(self, heights)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "points".
        """
        return self.answer().table(name)

    @property
    def model(self) -> Model:
        """The robot."""
        return cast("Model", self.room.model)

    @property
    def reachable(self) -> np.ndarray:
        """Which points belong to the workspace, connected or not (nx, ny, nz)."""
        return self.reason == 0

    @property
    def spacing(self) -> tuple[float, ...]:
        """Distance of neighbouring points along x, y and z (m); 0 along an axis with one point."""
        return tuple(float(axis[1] - axis[0]) if len(axis) > 1 else 0.0 for axis in self.axes)

    @property
    def volume(self) -> float:
        """Volume of all that can be reached, connected or not (m3); of a single layer, its area (m2)."""
        return self._cell * int(np.count_nonzero(self.reachable))

    @property
    def connected_volume(self) -> float:
        """Volume of the part connected to home, or of the largest part (m3); of a single layer, its area (m2)."""
        return self._cell * int(np.count_nonzero(self.connected))

    @property
    def _cell(self) -> float:
        return float(np.prod([step for step in self.spacing if step > 0]))

    def counts(self) -> Mapping[str, int]:
        """Number of points by reason, the most frequent first; those that belong to the workspace are `reachable`."""
        return counts_of(self.reason, REASONS)

    def layer(self, z: float) -> np.ndarray:
        """Reasons (nx, ny) of the layer nearest to a height.

        Args:
            z: height (m).
        """
        return self.reason[:, :, int(np.argmin(np.abs(self.axes[2] - z)))]

    def slab(self, z_min: float, z_max: float) -> np.ndarray:
        """Which columns (nx, ny) belong to the connected part in every layer of a slab.

        Between two layers, in the nearest one.

        Args:
            z_min: lower end (m).
            z_max: upper end (m).
        """
        layers = self.axes[2]
        if z_min > z_max or z_min > layers[-1] + _ROUNDING or z_max < layers[0] - _ROUNDING:
            raise ParameterError(
                "z_min",
                f"no layer lies in {z_min:g} to {z_max:g} m; the grid spans {layers[0]:g} to {layers[-1]:g} m",
            )
        inside = (layers >= z_min - _ROUNDING) & (layers <= z_max + _ROUNDING)
        if not inside.any():
            inside[np.argmin(np.abs(layers - (z_min + z_max) / 2))] = True
        return np.all(self.connected[:, :, inside], axis=2)

    def contains(self, body: Workspace) -> bool:
        """Whether a whole body belongs to the workspace at the yaw of the map, proven everywhere in it.

        Not only the points of the grid are looked at. A body is also refused where it comes nearer to the rim than
        about a hundredth of the spacing. Whether it is connected to home is for `connected` to say.

        Args:
            body: an upright cylinder or a box.
        """
        return lies_inside(self._radius, body, self._fine)

    def largest_cylinder(self, z_min: float, z_max: float, center: Sequence[float] | None = None) -> Cylinder:
        """The largest upright cylinder of the connected part between two heights.

        The grid says where it stands; its radius is the largest, to a hundredth of the spacing, with which all of it
        belongs to the workspace (see `contains`). The radius is 0 where there is none.

        Args:
            z_min: lower end (m).
            z_max: upper end (m).
            center: x and y of its axis (m); anywhere if not given.
        """
        from scipy.ndimage import distance_transform_edt

        fits = np.pad(self.slab(z_min, z_max), 1)
        distance = np.asarray(distance_transform_edt(fits, sampling=self.spacing[:2]))[1:-1, 1:-1]
        if center is None:
            columns = np.argwhere(np.isclose(distance, distance.max(), rtol=0.0, atol=_ROUNDING))
            places = [(float(self.axes[0][i]), float(self.axes[1][j])) for i, j in columns]
        else:
            places = [(float(center[0]), float(center[1]))]
        # The rim is less than a diagonal of the grid beyond the nearest column that fails.
        far = [distance[self._column(*place)] for place in places]
        radii = [float(d) + math.hypot(*self.spacing[:2]) if d else 0.0 for d in far]
        yaw = self.yaw or 0.0
        bodies = [
            Cylinder(radius, z_min, z_max, x=x, y=y, yaw_min=yaw, yaw_max=yaw)
            for (x, y), radius in zip(places, radii, strict=True)
        ]
        return self._largest(bodies)

    def largest_box(self, z_min: float, z_max: float) -> Box:
        """The box along the axes with the largest base of the connected part between two heights.

        The grid says where it stands and how long it is for its width; its size is the largest, to a hundredth of the
        spacing, with which all of it belongs to the workspace (see `contains`). The base is 0 where there is none.

        Args:
            z_min: lower end (m).
            z_max: upper end (m).
        """
        yaw, (across, along) = self.yaw or 0.0, self.spacing[:2]
        x, y = self.axes[:2]
        # Up to one spacing further on every side, where the next columns fail.
        ends = [
            (float(x[i0]) - across, float(x[i1]) + across, float(y[j0]) - along, float(y[j1]) + along)
            for i0, i1, j0, j1 in largest_rectangles(self.slab(z_min, z_max))
        ]
        bodies = [Box(*sides, z_min, z_max, yaw_min=yaw, yaw_max=yaw) for sides in ends]
        return self._largest(bodies or [Box(0.0, 0.0, 0.0, 0.0, z_min, z_max, yaw_min=yaw, yaw_max=yaw)])

    def _largest(self, bodies: Sequence[Body]) -> Body:
        """The largest of some bodies after each is shrunk until all of it belongs to the workspace.

        On a coarse grid many are equally large; those tried lie nearest to home, and evenly among the others.
        """
        near = sorted(bodies, key=lambda body: math.dist(body.middle, self.room.model.robot.home[:2]))
        tried = [near[i] for i in np.unique(np.linspace(0, len(near) - 1, CANDIDATES).round().astype(int))]
        best = tried[0].shrunk(0.0)
        for body in tried:
            if body.area > 0:
                least, fine = math.sqrt(best.area / body.area), self._fine / math.sqrt(body.area)
                share = largest(lambda share, body=body: self.contains(body.shrunk(share)), 1.0, fine, least)
                best = body.shrunk(share) if share > least else best
        return best

    def span(self, axis: int, place: Sequence[float], z_min: float, z_max: float) -> tuple[float, float] | None:
        """How far the plate can go straight from a place along x or y, at every height of a slab (m).

        To a hundredth of the spacing; None where it cannot be at the place itself.

        Args:
            axis: 0 for x, 1 for y.
            place: x and y to start from (m).
            z_min: lower end (m).
            z_max: upper end (m).
        """
        here = [float(value) for value in place[:2]]
        if not self.slab(z_min, z_max)[self._column(*here)] or not self.contains(_sheet(here, axis, 0.0, z_min, z_max)):
            return None
        ends = []
        for side, limit in ((-1.0, self.axes[axis][0]), (1.0, self.axes[axis][-1])):
            most = max(side * (float(limit) - here[axis]), 0.0)
            length = largest(
                lambda length, side=side: self.contains(_sheet(here, axis, side * length, z_min, z_max)),
                most,
                self._fine,
            )
            ends.append(here[axis] + side * length)
        return ends[0], ends[1]

    @property
    def _fine(self) -> float:
        return FINE * min(step for step in self.spacing if step > 0)

    def _radius(self, places: np.ndarray) -> np.ndarray:
        """Room (n,), m, around places (n, 3) at the yaw of the map."""
        if self.yaw is None:
            return self.room.radius(places)
        return self.room.radius(np.concatenate([places, np.full((len(places), 1), self.yaw)], axis=-1))

    def _column(self, x: float, y: float) -> tuple[int, int]:
        """Column of the grid nearest to a place."""
        i, j = (int(np.argmin(np.abs(axis - value))) for axis, value in zip(self.axes, (x, y), strict=False))
        return i, j


def _sheet(place: Sequence[float], axis: int, length: float, z_min: float, z_max: float) -> Box:
    """The upright sheet from a place to a signed distance from it along an axis, between two heights."""
    low, high = list(place), list(place)
    (low if length < 0 else high)[axis] += length
    return Box(low[0], high[0], low[1], high[1], z_min, z_max)


def counts_of(reason: np.ndarray, names: Sequence[str]) -> dict[str, int]:
    """Number of points by reason, the most frequent first; those that have none are `reachable`.

    Args:
        reason: index into the names of every point (...).
        names: the reasons; the first one is empty.
    """
    codes, numbers = np.unique(reason, return_counts=True)
    named = {names[int(code)] or "reachable": int(number) for code, number in zip(codes, numbers, strict=True)}
    return dict(sorted(named.items(), key=lambda item: -item[1]))
