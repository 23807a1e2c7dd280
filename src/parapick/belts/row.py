"""Items that come along in a row, put down at one place after the other, again and again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, islice
from typing import TYPE_CHECKING, Final, NamedTuple, final

from parapick.belts.errors import MissedItemError, NoInterceptError
from parapick.belts.ladder import LADDER, TICK
from parapick.belts.limit_use import Cell
from parapick.belts.meeting import Contacts
from parapick.belts.plan import PickPlan, checked_cell, known_contacts, planned
from parapick.belts.traffic import Slots, check_place
from parapick.belts.types import ConveyorLimits, Item, PickPlace

if TYPE_CHECKING:
    from parapick.model import Model

_CLOSE: Final = 0.01
"""Share to which the largest rate that is kept is found: tries between would change it by less than is worth a plan."""

_INSTANT: Final = 1e-3
"""Of items that come within such a time (s), one is tried: where one is missed, so are they."""

_MOST: Final = 10_000.0
"""Items per minute beyond which no search goes: no robot picks a hundred and sixty a second."""

SLOWEST_ROW: Final = 120.0 / LADDER[-1].round()
"""Fewest items per minute of a row: a first item has up to two spacings to go, and the planner looks no further ahead
than its ladder of times."""


class RowPick(NamedTuple):
    """An item of a row that is picked.

    Attributes:
        number: of the item; greater ones come later.
        plan: its cycle.
    """

    number: int
    plan: PickPlan


@final
@dataclass(frozen=True, eq=False)
class RowPlan:
    """A pattern of places that is filled from a row of items again and again.

    Attributes:
        picks: one per place, in their order.
        missed: items that pass between them.
        period: time from item to item (s).
        behind: how much later, against the items, every pattern ends than the one before (s); 0 where the robot keeps
            up with the row.
    """

    picks: tuple[RowPick, ...]
    missed: int
    period: float
    behind: float

    @property
    def lasting(self) -> float:
        """How long a pattern takes as the row goes on (s): a late first one is caught up with by those that follow."""
        return len(self.picks) * self.period + self.behind

    @property
    def throughput(self) -> float:
        """Items per minute that are picked along this pattern."""
        starts, end = self.picks[0].plan.start, self.picks[-1].plan.end
        return 60.0 * len(self.picks) / (end - starts)

    @property
    def keeps(self) -> bool:
        """Whether every item of the row is picked, however long it goes on."""
        return not self.missed and not self.behind


def picked_from_row(
    model: Model,
    row: Slots,
    places: Sequence[Item],
    work: PickPlace,
    limits: ConveyorLimits,
    *,
    start: Sequence[float] | None = None,
) -> Iterator[PickPlan]:
    """Plan a cycle for every place, each when the one before is done, with the first item that can still be met.

    The first item has a whole pitch to go until it can be met, so that the robot is there. What passes while the robot
    is busy is let go.

    Args:
        row: the items, evenly along a belt.
        places: where they are put, none of which moves.
        work: what is done in a cycle.
        limits: what has to hold.
        start: task vector at rest from which the first cycle starts (m, rad); the robot's home if not given.

    Raises:
        BeltError: a belt or a place that the robot cannot reach or serve.
        NoInterceptError: no intercept keeps the limits, whenever; says which.
        LimitError: limits, heights or times that cannot be.
    """
    cell = checked_cell(model, work, limits)
    check_place(row)
    yield from (pick.plan for pick in _picks(cell, known_contacts(cell), row, places, start))


@final
@dataclass(frozen=True, eq=False)
class RowWork:
    """A robot that fills a pattern of places, which do not move, with the items of a row; see `picked_from_row`.

    Attributes:
        cell: the robot at its belts.
        contacts: how belts are served.
        row: the items, evenly along a belt.
        places: where they are put.
    """

    cell: Cell
    contacts: Contacts
    row: Slots
    places: tuple[Item, ...]

    @classmethod
    def of(cls, model: Model, row: Slots, places: Sequence[Item], work: PickPlace, limits: ConveyorLimits) -> RowWork:
        """The work, checked.

        Args:
            row: the items, evenly along a belt.
            places: where they are put, none of which moves.
            work: what is done in a cycle.
            limits: what has to hold.

        Raises:
            BeltError: a row that does not move, or cannot be.
            LimitError: limits, heights or times that cannot be.
        """
        cell = checked_cell(model, work, limits)
        check_place(row)
        return cls(cell, known_contacts(cell), row, tuple(places))

    @property
    def per_minute(self) -> float:
        """Items per minute that the row brings."""
        return 60.0 * self.row.belt.speed / self.row.pitch

    def plan(self, per_minute: float | None = None) -> RowPlan:
        """The pattern, from rest above its last place to there again.

        It begins as it goes on: the item before, which is put at the last place, is planned too and left out. Where
        the pattern ends later against the items than it began, the next one is planned until the robot has caught up.

        Args:
            per_minute: items per minute instead of those of the row.
        """
        row = self.row if per_minute is None else self._brought(per_minute)
        period, count = row.pitch / row.belt.speed, len(self.places)
        again = _picks(self.cell, self.contacts, row, chain(self.places[-1:], cycle(self.places)), None)
        first = next(again)
        picks = tuple(islice(again, count))
        missed = picks[-1].number - first.number - count
        lost = picks[-1].plan.end - first.plan.end - count * period
        behind = lost if missed else _behind((first, *picks), again, period)
        return RowPlan(picks, missed, period, behind)

    def keeps(self, per_minute: float) -> bool:
        """Whether every item of a row that brings so many per minute is picked, however long it goes on.

        Args:
            per_minute: items per minute.
        """
        return self.plan(per_minute).keeps

    def largest_rate(self, plan: RowPlan) -> float:
        """Most items per minute that the robot keeps up with, found to a hundredth and tried; 0 for none.

        The belt keeps its speed: its items come closer together.

        Args:
            plan: the pattern as the row brings the items.
        """
        low, high, quick = 0.0, self.per_minute, plan
        while quick.keeps and high < _MOST:
            low, high = high, 2.0 * high
            quick = self.plan(high)
        if quick.keeps:
            return high
        rate, step = quick.throughput / (1.0 + _CLOSE), _CLOSE
        while high > max(low * (1.0 + _CLOSE), SLOWEST_ROW):
            if not low < rate < high:
                rate = 0.5 * (low + high)
            if self.keeps(rate):
                low, rate = rate, rate * (1.0 + step)
            else:
                high, rate = rate, rate / (1.0 + step)
            step *= 2.0
        return low

    def _brought(self, per_minute: float) -> Slots:
        return replace(self.row, pitch=60.0 * self.row.belt.speed / per_minute)


def _behind(picks: Sequence[RowPick], again: Iterator[RowPick], period: float) -> float:
    """How much later against the items a pattern ends than the one before (s); 0 where the robot catches up.

    Args:
        picks: those of a pattern, after the one at its last place that came before.
        again: those that follow.
        period: time from item to item (s).
    """
    # Instants are found to this share of a time.
    ends, count, close = [pick.plan.end for pick in picks], len(picks) - 1, TICK * period
    if ends[-1] - ends[0] <= count * period + close:
        return 0.0
    end = ends[-1]
    for before, pick in zip(ends[1:], islice(again, count), strict=True):
        end = pick.plan.end
        if end - before <= count * period + close:
            return 0.0
    return end - ends[-1] - count * period


def _picks(
    cell: Cell, contacts: Contacts, row: Slots, places: Iterable[Item], start: Sequence[float] | None
) -> Iterator[RowPick]:
    """A pick for every place, each when the one before is done, with the first item that can still be met."""
    stretches = contacts(row.box(0), placing=False).stretches
    pose, now = tuple(cell.model.robot.home if start is None else start), 0.0
    number, period = row.first(stretches[0][0], now) + 1, row.pitch / row.belt.speed
    step = max(1, math.ceil(_INSTANT / period))
    for place in places:
        cycle_plan = None
        while cycle_plan is None:
            try:
                cycle_plan = planned(cell, row.box(number), place, pose, now, contacts)
            except MissedItemError as error:
                # Those that pass before the robot could be there are missed, too.
                number += max(step, math.floor(error.late / period))
            except NoInterceptError:
                # One that is on its way out may leave no time; one that has the whole stretch to go has all there is.
                if row.box(number).along(now, cell.work.dead_time) < stretches[0][0]:
                    raise
                number += step
        yield RowPick(number, cycle_plan)
        pose, now = tuple(cycle_plan.motion.end.tolist()), cycle_plan.end
        number = max(number + 1, row.first(stretches[-1][1], now))
