"""The tables of tasks on belts: what is at the belt where items are picked, and at the one where they are placed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, final

import numpy as np

from parapick.belts import Anywhere, Belt, Handling, Item, Slots, Traffic
from parapick.motion.law import Law, modified_trapezoid
from parapick.tasks import types as kinds

__all__ = ["Arriving", "PickTable", "PlaceTable", "belt_of", "handling_of"]

# Read by pydantic at the edge: a field that is not known is a mistake.
_STRICT: Final = {"extra": "forbid"}


def _strokes() -> Law:
    return modified_trapezoid(ramp=1.0 / 3.0)


@final
@dataclass(frozen=True, kw_only=True)
class PickTable:
    """The belt with the items, what is done there, and where the item is.

    Attributes:
        point: a point of the line along which the tool grips (m).
        direction: where the belt moves.
        speed: speed of the belt (m/s); 0 for a table.
        window: from where to where along the belt, from `point`, the tool may be at it (m); without it reach decides.
        lift: height at which the tool comes and goes (m).
        rest: how long it grasps (s).
        stroke_time: duration of each vertical stroke (s); without it the limits decide.
        law: law of the vertical strokes.
        position: where the item is along the belt, from `point`, when it is read (m).
        time: when it is read (s).
        yaw: yaw to grip with (rad).
        across: distance of the item to the left of the line (m).
    """

    __pydantic_config__ = _STRICT

    point: kinds.Place
    direction: kinds.Vector
    speed: kinds.BeltSpeed
    window: kinds.Window = None
    lift: kinds.Length
    rest: kinds.Span
    stroke_time: kinds.Seconds = None
    law: kinds.OneLaw = field(default_factory=_strokes)
    position: kinds.Position = 0.0
    time: kinds.Time = 0.0
    yaw: kinds.Angle = 0.0
    across: kinds.Position = 0.0

    def item(self, center: Sequence[float]) -> Item:
        """The item, in the robot's base.

        Args:
            center: what places are counted from (m).
        """
        return Item(belt_of(self, center, "pick"), self.position, self.time, self.yaw, self.across)


@final
@dataclass(frozen=True, kw_only=True)
class PlaceTable:
    """The belt where items are put, what is done there, and where they are put.

    Attributes:
        point: a point of the line along which the tool releases (m).
        direction: where the belt moves.
        speed: speed of the belt (m/s); 0 for a table.
        window: from where to where along the belt, from `point`, the tool may be at it (m); without it reach decides.
        lift: height at which the tool comes and goes (m).
        rest: how long it releases (s).
        stroke_time: duration of each vertical stroke (s); without it the limits decide.
        law: law of the vertical strokes.
        position: where the box is along the belt, from `point`, when it is read (m); without it any place will do.
        time: when it is read (s).
        pitch: distance from one box to the next (m), the first of which that can be met is filled; without it there is
            one.
        yaw: yaw to release with (rad).
        across: distance of the box to the left of the line (m).
    """

    __pydantic_config__ = _STRICT

    point: kinds.Place
    direction: kinds.Vector
    speed: kinds.BeltSpeed
    window: kinds.Window = None
    lift: kinds.Length
    rest: kinds.Span
    stroke_time: kinds.Seconds = None
    law: kinds.OneLaw = field(default_factory=_strokes)
    position: kinds.AnyPosition = None
    time: kinds.Time = 0.0
    pitch: kinds.Radius = None
    yaw: kinds.Angle = 0.0
    across: kinds.Position = 0.0

    def target(self, center: Sequence[float]) -> Item | Anywhere | Slots:
        """Where items are put, in the robot's base: a box, boxes in a row, or anywhere.

        Args:
            center: what places are counted from (m).
        """
        belt = belt_of(self, center, "place")
        if self.position is None:
            return Anywhere(belt, self.yaw, self.across)
        if self.pitch is None:
            return Item(belt, self.position, self.time, self.yaw, self.across)
        return Slots(belt, self.pitch, self.position - belt.speed * self.time, self.yaw, self.across)


@final
@dataclass(frozen=True, kw_only=True)
class Arriving:
    """What comes along on the belt of the items; see `parapick.belts.Traffic`.

    Attributes:
        per_minute: items a minute, on average.
        duration: how long they come (s).
        seen: where along the belt they are seen (m).
        seed: where chance comes from.
        kind: "poisson" for independent arrivals, "regular" for even ones.
        jitter: how far regular arrivals stray, as a share of their period.
        yaw_spread: how far yaws stray to either side (rad).
        across_spread: how far items lie off the line to either side (m).
        dead_time: how old readings are when they are stamped (s); what the planner makes of them is the task's.
        noise: standard deviation of the readings along the belt (m).
        tolerance: how far the tool may be off an item and still grasp it (m); any distance without it.
    """

    __pydantic_config__ = _STRICT

    per_minute: kinds.Amount
    duration: kinds.Span
    seen: kinds.Position
    seed: kinds.Count = 0
    kind: Literal["poisson", "regular"] = "poisson"
    jitter: kinds.Half = 0.0
    yaw_spread: kinds.Turn = 0.0
    across_spread: kinds.Spread = 0.0
    dead_time: kinds.Delay = 0.0
    noise: kinds.Spread = 0.0
    tolerance: kinds.Radius = None

    def traffic(self, item: Item) -> Traffic:
        """What comes, from an item on the belt.

        Args:
            item: belt and yaw of the items.
        """
        return Traffic(
            item.belt,
            self.per_minute,
            self.duration,
            self.seen,
            self.kind,
            self.jitter,
            item.yaw,
            self.yaw_spread,
            self.across_spread,
            self.dead_time,
            self.noise,
        )


def belt_of(table: PickTable | PlaceTable, center: Sequence[float], name: str) -> Belt:
    """The belt of a table, in the robot's base.

    Args:
        table: the table.
        center: what places are counted from (m).
        name: name in messages.
    """
    x, y, z = (np.array(center) + np.array(table.point)).tolist()
    return Belt((x, y, z), table.direction, table.speed, table.window or (-math.inf, math.inf), f"{name} belt")


def handling_of(table: PickTable | PlaceTable) -> Handling:
    """What is done at the belt of a table.

    Args:
        table: the table.
    """
    return Handling(table.lift, table.rest, table.stroke_time, table.law)
