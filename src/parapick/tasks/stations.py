"""Where items are picked up and put down: a point, a grid, a list of points, a belt; and what is done there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, final

from parapick.errors import FileProblem, MotionError
from parapick.fields import label, quantity
from parapick.forms import Whole
from parapick.limits import MOST, count_objection
from parapick.ride import tool_ratio
from parapick.tasks.base_task import Frame, fitting, moved
from parapick.tasks.belt_tables import ItemRow
from parapick.tasks.points_form import PointsForm

if TYPE_CHECKING:
    from parapick.model import Model

RETREAT = 0.025
"""How far a tool rises from where it picked or placed before it goes over, where the file is silent (m)."""


class Station(NamedTuple):
    """A place where an item is picked up or put down.

    Attributes:
        name: what it is called, such as "row 2, column 1".
        pose: where (m, rad), in the robot's base.
        retreat: how far the plate rises from there before it goes over (m).
    """

    name: str
    pose: tuple[float, ...]
    retreat: float


@final
@dataclass(frozen=True, kw_only=True)
class PlaceGrid:
    """Places on a grid, counted from the first: columns before rows, rows before layers."""

    columns: int = label("places along the grid", default=1, form=Whole(1, MOST["places"]))
    rows: int = label("places across it", default=1, form=Whole(1, MOST["places"]))
    layers: int = label("layers, each above the one before", default=1, form=Whole(1, MOST["places"]))
    pitch: tuple[float, ...] = quantity(
        "", "from column to column, from row to row and from layer to layer", units=("m", "m", "m")
    )
    angle: float = quantity("rad", "direction of the columns, about z from x; rows are to the left of it", default=0.0)

    def cells(self) -> Iterator[tuple[str, tuple[float, float, float]]]:
        """Name of every place, and where it is from the first one (m)."""
        along, across, up = (*self.pitch, 0.0)[:3]
        c, s = math.cos(self.angle), math.sin(self.angle)
        for layer in range(self.layers):
            for row in range(self.rows):
                for column in range(self.columns):
                    x, y = column * along, row * across
                    name = f"row {row + 1}, column {column + 1}"
                    name += f", layer {layer + 1}" if self.layers > 1 else ""
                    yield name, (c * x - s * y, s * x + c * y, layer * up)

    def problems(self) -> Iterator[tuple[str, str]]:
        """What cannot be: places that fall together, or too many of them."""
        if objection := count_objection("places", self.columns * self.rows * self.layers):
            yield "columns", f"times rows and layers {objection}"
        for axis, (count, words) in enumerate(((self.columns, "column"), (self.rows, "row"), (self.layers, "layer"))):
            if count > 1 and not (*self.pitch, 0.0)[axis]:
                yield "pitch", f"has nothing from {words} to {words}, so the {count} {words}s fall together"


@final
@dataclass(frozen=True, kw_only=True)
class StationTable:
    """Where items are picked up or put down, and what is done there."""

    at: tuple[float, float, float] | None = quantity("m", "where: x, y, z; of a grid the first place", default=None)
    grid: PlaceGrid | None = label("a grid of places, from `at`", default=None)
    points: tuple[tuple[float, ...], ...] | None = label(
        "a list of places in their order, or the name of a CSV file with columns x, y, z and, where they turn, yaw",
        default=None,
        form=PointsForm(),
    )
    belt: ItemRow | None = label("a belt that brings the items, instead of places; for picks only", default=None)
    yaw: float | None = quantity("rad", "yaw of the plate there; 0 if not given", default=None)
    tool_yaw: float | None = quantity(
        "rad", "yaw of the tool there, instead of the plate's, which a gear or belt may amplify", default=None
    )
    retreat: float = quantity("m", "how far the plate rises from there before it goes over", default=RETREAT, above=0.0)
    time: float = quantity("s", "rest there, to grip or to release", default=0.0, at_least=0.0)

    @property
    def count(self) -> int:
        """How many places there are."""
        return sum(1 for _ in self.places(""))

    def stations(self, model: Model | None, frame: Frame, name: str) -> tuple[Station, ...]:
        """The places in their order, in the robot's base.

        Args:
            model: the robot, or none.
            frame: what coordinates are counted from.
            name: what a single place is called.

        Raises:
            MotionError: a yaw for a robot that has none, or a yaw of a tool without a robot.
        """
        return tuple(
            Station(cell, fitting(model, moved(model, frame, (*point[:3], self._yaw(model, point)))), self.retreat)
            for cell, point in self.places(name)
        )

    def places(self, name: str) -> Iterator[tuple[str, Sequence[float]]]:
        """Every place in its order: its name, and x, y, z (m) and its own yaw (rad), if any, as the task has them.

        Args:
            name: what a single place is called.
        """
        if self.points is not None:
            yield from ((f"point {i}", point) for i, point in enumerate(self.points, start=1))
        elif self.at is not None and self.grid is not None:
            x, y, z = self.at
            yield from ((cell, (x + dx, y + dy, z + dz)) for cell, (dx, dy, dz) in self.grid.cells())
        elif self.at is not None:
            yield name, self.at
        elif self.belt is not None:
            yield name, self.belt.belt.point

    def _yaw(self, model: Model | None, point: Sequence[float]) -> float:
        if len(point) > 3:
            return point[3]
        if self.tool_yaw is None:
            return self.yaw or 0.0
        if self.tool_yaw and model is None:
            raise MotionError("tool_yaw follows from a robot's plate; give a robot, or the yaw of the plate")
        return self.tool_yaw / tool_ratio(model) if model is not None else 0.0

    def problems(self, path: str) -> Iterator[FileProblem]:
        """What cannot be, whatever the robot.

        Args:
            path: of this table in the file.
        """
        given = [name for name in ("at", "points", "belt") if getattr(self, name) is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} are given" if given else "none of them is given"
            yield FileProblem(path, f"needs at, one place or the first of a grid, or points, or a belt; {found}")
        if self.belt is not None:
            yield from self.belt.problems(f"{path}.belt")
        if self.grid is not None:
            if self.at is None:
                yield FileProblem(f"{path}.grid", "is counted from at; give at, or leave grid out")
            yield from (FileProblem(f"{path}.grid.{name}", text) for name, text in self.grid.problems())
        if self.yaw is not None and self.tool_yaw is not None:
            yield FileProblem(
                f"{path}.tool_yaw", "is given beside yaw; give one of them: the tool's angle or the plate's"
            )
        if self.points is not None and len(self.points[0]) > 3 and (self.yaw is not None or self.tool_yaw is not None):
            yield FileProblem(f"{path}.yaw", "is given, and points have a yaw of their own; leave one of them out")
