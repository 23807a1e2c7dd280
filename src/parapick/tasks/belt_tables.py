"""The tables of tasks on belts: `[pick]`, `[place]` and `[items]`, in the words of `parapick.belts`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, final

import numpy as np

from parapick.belts import SLOWEST_ROW, Anywhere, Belt, BeltError, Handling, Item, Slots, Traffic, check_belt
from parapick.errors import FileProblem
from parapick.fields import inline, label, like, quantity
from parapick.forms import Whole
from parapick.limits import MOST


def allowed_misses() -> Any:
    """The field of tasks on belts that states which share of the items may be missed."""
    return quantity(
        "",
        "share of the items that come along which may be missed, such as 5 %; none if not given",
        default=0.0,
        at_least=0.0,
        at_most=1.0,
    )


@final
@dataclass(frozen=True, kw_only=True)
class PickTable:
    """The belt with the items, what is done there, and where the item is."""

    belt: Belt = inline("the belt")
    handling: Handling = inline("what is done there")
    position: float = like(Item, "position", default=0.0)
    time: float = like(Item, "time")
    yaw: float = like(Item, "yaw")
    across: float = like(Item, "across")

    def item(self, center: Sequence[float]) -> Item:
        """The item, in the robot's base.

        Args:
            center: what places are counted from (m).
        """
        return Item(_moved(self.belt, center, "pick belt"), self.position, self.time, self.yaw, self.across)


@final
@dataclass(frozen=True, kw_only=True)
class PlaceTable:
    """The belt where items are put, what is done there, and where they are put."""

    belt: Belt = inline("the belt")
    handling: Handling = inline("what is done there")
    position: float | None = quantity(
        "m", "where the box was read along the belt, from the belt's point; without it any place will do", default=None
    )
    time: float = like(Item, "time")
    pitch: float | None = like(Slots, "pitch", default=None)
    yaw: float = like(Item, "yaw")
    across: float = like(Item, "across")

    def target(self, center: Sequence[float]) -> Item | Anywhere | Slots:
        """Where items are put, in the robot's base: a box, boxes in a row, or anywhere.

        Args:
            center: what places are counted from (m).
        """
        belt = _moved(self.belt, center, "place belt")
        if self.position is None:
            return Anywhere(belt, self.yaw, self.across)
        if self.pitch is None:
            return Item(belt, self.position, self.time, self.yaw, self.across)
        return Slots(belt, self.pitch, self.position - belt.speed * self.time, self.yaw, self.across)


def _moved(belt: Belt, center: Sequence[float], name: str) -> Belt:
    """The belt in the robot's base, with its name in messages."""
    x, y, z = (np.array(center) + np.array(belt.point)).tolist()
    return replace(belt, point=(x, y, z), name=name)


@final
@dataclass(frozen=True, kw_only=True)
class ItemRow:
    """A belt along which items come evenly; one of them is at the belt's point at the time 0."""

    belt: Belt = inline("the belt")
    spacing: float | None = quantity("m", "from item to item along the belt", default=None, above=0.0)
    per_minute: float | None = quantity(
        "", "items per minute that come along, instead of their spacing", default=None, above=0.0
    )
    across: float = like(Item, "across")

    @property
    def pace(self) -> float:
        """Items per minute that come along."""
        return self.per_minute or 60.0 * self.belt.speed / (self.spacing or math.inf)

    def items(self, center: Sequence[float], yaw: float) -> Slots:
        """The items, in the robot's base.

        Args:
            center: what places are counted from (m).
            yaw: of the plate, with which they are gripped (rad).
        """
        belt = _moved(self.belt, center, "pick belt")
        return Slots(belt, 60.0 * belt.speed / self.pace, 0.0, yaw, self.across)

    def problems(self, path: str) -> Iterator[FileProblem]:
        """What cannot be, whatever the robot.

        Args:
            path: of this table in the file.
        """
        try:
            check_belt(self.belt)
        except BeltError as error:
            yield FileProblem(path, error.message)
        if self.belt.speed == 0.0:
            yield FileProblem(f"{path}.speed", "is 0; nothing comes along on a belt that does not move: use at")
        if (self.spacing is None) == (self.per_minute is None):
            given = "neither is given" if self.spacing is None else "both are given"
            yield FileProblem(f"{path}.spacing", f"or per_minute says how many items come; {given}")
        elif 0.0 < self.pace < SLOWEST_ROW:
            text = f"makes {self.pace:.4g} items per minute; a robot that waits for them needs at least {SLOWEST_ROW:g}"
            yield FileProblem(f"{path}.{'spacing' if self.per_minute is None else 'per_minute'}", text)


@final
@dataclass(frozen=True, kw_only=True)
class Arriving:
    """What comes along on the belt of the items; belt and yaw are those of `[pick]`."""

    per_minute: float = like(Traffic, "per_minute")
    duration: float = like(Traffic, "duration")
    seen: float = like(Traffic, "seen")
    seed: int = label("where chance comes from", default=0, form=Whole(0, MOST["seed"]))
    kind: Literal["poisson", "regular"] = like(Traffic, "kind")
    jitter: float = like(Traffic, "jitter")
    yaw_spread: float = like(Traffic, "yaw_spread")
    across_spread: float = like(Traffic, "across_spread")
    dead_time: float = like(Traffic, "dead_time")
    noise: float = like(Traffic, "noise")
    tolerance: float | None = quantity(
        "m", "how far the tool may be off an item and still grasp it; any distance without it", default=None, above=0.0
    )

    def traffic(self, item: Item) -> Traffic:
        """What comes, from an item on the belt.

        Args:
            item: belt and yaw of the items.
        """
        own = {field.name for field in fields(Traffic)} - {"belt", "yaw"}
        return Traffic(item.belt, yaw=item.yaw, **{name: getattr(self, name) for name in own})
