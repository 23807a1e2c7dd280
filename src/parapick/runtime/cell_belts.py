"""Belts of a virtual cell and what lies on them: from belts and items as tasks have them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.belts import Belt, Item
from parapick.errors import ParameterError
from parapick.mechanism import Payload
from parapick.runtime.layout import BELTS_MAX, ITEMS_MAX

if TYPE_CHECKING:
    from parapick.tasks import PlannedTask

RESOLUTION: Final = 1e-5
"""Length (m) of a count of a belt's encoder. Chosen: 5000 lines, counted four times, on a roller of 64 mm."""

REACH: Final = 5e-3
"""Distance (m) within which a gripper takes an item, and a light barrier sees one. Chosen: a small suction cup."""


@final
@dataclass(frozen=True)
class CellBelts:
    """Belts and items of a virtual cell.

    Attributes:
        items: items, their positions read at a time of the task.
        belts: belts without items, such as those where items are put.
        load: what an item is to the tool (5): mass (kg), place of its centre (m), inertia (kg m2).
        resolution: length of a count of the belts' encoders (m).
        reach: distance within which the gripper takes an item (m).
        sensors: whether there is a light barrier where an item is read.
        dead_time: time (s) by which what is known of an item is late: it is further along its belt by then.
    """

    items: tuple[Item, ...] = ()
    belts: tuple[Belt, ...] = ()
    load: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)
    resolution: float = RESOLUTION
    reach: float = REACH
    sensors: bool = True
    dead_time: float = 0.0

    @property
    def lines(self) -> tuple[Belt, ...]:
        """Every belt once, in the order in which they come."""
        return tuple(dict.fromkeys([*(item.belt for item in self.items), *self.belts]))

    def fill(self, cell: Any) -> None:
        """Write belts and items into the settings of a cell.

        Args:
            cell: the settings, of type `CELL`.

        Raises:
            ParameterError: more than there is room for.
        """
        lines = self.lines
        if len(lines) > BELTS_MAX or len(self.items) > ITEMS_MAX:
            text = f"are {len(lines)} and {len(self.items)}; a virtual cell has room for {BELTS_MAX} and {ITEMS_MAX}"
            raise ParameterError("belts and items", text)
        cell["belts"], cell["items"], cell["reach"] = len(lines), len(self.items), self.reach
        for row, belt in zip(cell["belt"], lines, strict=False):
            self._fill_belt(row, belt)
        for row, item in zip(cell["item"], self.items, strict=False):
            row["position"], row["across"], row["load"] = float(item.along(self.dead_time)), item.across, self.load
            row["belt"], row["there"] = lines.index(item.belt), 1

    def _fill_belt(self, row: Any, belt: Belt) -> None:
        row["point"], row["along"] = belt.point, belt.unit
        row["across"] = belt.at(0.0, 1.0) - belt.at(0.0)
        row["speed"], row["resolution"] = belt.speed, self.resolution
        first = next((item.position for item in self.items if item.belt == belt), math.nan)
        row["sensor"] = first if self.sensors else math.nan


def belts_of(planned: PlannedTask) -> CellBelts | None:
    """Belts and items of a task; None for a task without belts that move.

    Args:
        planned: the task, planned for a robot.
    """
    if planned.plan is not None:
        cycles, items = (planned.plan,), (planned.plan.pick.item,)
    elif planned.stream is not None:
        cycles = planned.stream.cycles
        items = _by_time([each.item for each in (*planned.stream.picked, *planned.stream.missed)])
    elif planned.row is not None:
        cycles = tuple(pick.plan for pick in planned.row[1].picks)
        items = tuple(cycle.pick.item for cycle in cycles)
    else:
        return None
    load = Payload.of(cycles[0].work.payload).vector() if cycles else np.zeros(5)
    dead_time = cycles[0].work.dead_time if cycles else 0.0
    belts = tuple(cycle.place.item.belt for cycle in cycles)
    return CellBelts(items, belts, tuple(load.tolist()), dead_time=dead_time)


def _by_time(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(sorted(items, key=lambda item: item.time))
