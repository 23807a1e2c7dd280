"""When and how an item, one of several boxes, or any place along a belt is met: the earliest, or why not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, final

import numpy as np

from parapick.belts.contact import Contact
from parapick.belts.errors import BeltError, MissedItemError, NoInterceptError, point_text
from parapick.belts.quick import hastened
from parapick.belts.search import Found, earliest, scanned
from parapick.belts.tries import Departure, Goal
from parapick.belts.types import Anywhere, Approach, Belt, Item, task_vector
from parapick.belts.use import Cell, exact_use, fits, worst
from parapick.motion.errors import MotionError
from parapick.motion.tracking import change_speed

__all__ = ["Contacts", "Meeting", "met", "placed", "up"]

# The longest intercept that is looked for to something that does not run away (s).
_LONGEST: Final = 10.0
# Places on a belt at which a free placing is tried; a second round looks between the neighbours of the best.
_PLACES: Final = 9
# How often a stop that the drives do not allow is made twice as long.
_STOPS: Final = 6


class Contacts(Protocol):
    """How a belt is served."""

    def __call__(self, item: Item, *, placing: bool) -> Contact:
        """Strokes and stretches of a belt.

        Args:
            item: yaw and distance across the belt of what is met.
            placing: whether it is the belt on which items are put.
        """
        ...


@final
@dataclass(frozen=True)
class Meeting:
    """An intercept and what it meets.

    Attributes:
        item: what is met.
        time: when the tool is above it at the speed of its belt (s).
        pose: task vector then (m, rad).
        touch: when the grasp or release begins (s).
        approach: the intercept.
    """

    item: Item
    time: float
    pose: tuple[float, ...]
    touch: float
    approach: Approach


def up(cell: Cell, lift: float) -> np.ndarray:
    """What the task vector gains by a lift (dof,).

    Args:
        cell: the robot.
        lift: m.
    """
    return np.array((0.0, 0.0, lift, 0.0)[: cell.dof])


def met(cell: Cell, item: Item, touching: Contact, start: Departure) -> Meeting:
    """The earliest meeting with an item.

    Args:
        cell: robot, with what it carries, work and limits.
        item: the item.
        touching: how its belt is served.
        start: where and when the intercept starts.

    Raises:
        MissedItemError: the item leaves before the robot can be there.
        NoInterceptError: no intercept keeps the limits, whenever.
        BeltError: an item that stands still where it cannot be served.
    """
    dead_time, belt = cell.work.dead_time, item.belt

    def hover(t: np.ndarray) -> np.ndarray:
        return item.pose(t, cell.dof, dead_time) + up(cell, touching.handling.lift)

    spans = _spans(item, touching, dead_time, start.time)
    velocity = task_vector(belt.velocity, cell.dof)
    goal = Goal(hover, velocity, tuple(span for span in spans if span[1] >= start.time))
    found = earliest(cell, start, goal)
    if found.approach is None and not start.resting and goal.spans:
        # What comes late is waited for at rest: a slow intercept at the speed of the belt would lead far away.
        found = _met_from_rest(cell, start, goal, found)
    if cell.work.timing == "fastest":
        found = hastened(cell, start, goal, found)
    if found.approach is not None:
        return _meeting(item, found, found.approach, hover, touching)
    # How late the robot is at the last place where it could have met the item.
    leaves = spans[-1][1]
    last = hover(np.array([leaves]))
    waiting = Goal(lambda t: np.repeat(last, len(t), axis=0), velocity, ((start.time, start.time + _LONGEST),))
    reached = earliest(cell, start, waiting)
    if cell.work.timing == "fastest":
        reached = hastened(cell, start, waiting, reached)
    late = reached.time - leaves
    if not late > 0.0:
        raise _no_intercept(item.belt, start, found.used, reached.used)
    raise MissedItemError(
        belt.name,
        leaves,
        tuple(item.at(leaves, dead_time).tolist()),
        late,
        f"from {point_text(start.pose)} at {start.time:.4g} s the robot can be there at {reached.time:.4g} s, "
        f"{late:.4g} s late, when the item is {belt.speed * late:.4g} m further",
    )


def _met_from_rest(cell: Cell, start: Departure, goal: Goal, otherwise: Found) -> Found:
    """The earliest meeting after a stop, if there is a stop that keeps the limits; otherwise what is known already."""
    speed = float(np.linalg.norm(start.velocity))
    stop = cell.work.law.unit_ramp().acceleration_coefficient * speed / cell.limits.a_max
    for _ in range(_STOPS):
        motion = change_speed(start.pose, start.velocity, (), stop, law=cell.work.law)
        if fits(exact_use(cell, motion))[0]:
            rest = Departure(tuple(motion.end.tolist()), (0.0,) * cell.dof, start.time + stop)
            spans = tuple((max(low, rest.time), high) for low, high in goal.spans if high >= rest.time)
            found = earliest(cell, rest, replace(goal, spans=spans))
            return otherwise if found.approach is None else replace(found, approach=replace(found.approach, stop=stop))
        stop *= 2.0
    return otherwise


def _no_intercept(belt: Belt, start: Departure, *used: np.ndarray) -> NoInterceptError:
    """The error for what was tried, the first that anything was tried for."""
    _, quantity, share = worst(next(tried for tried in used if len(tried)))
    return NoInterceptError(belt.name, quantity, share, start.pose)


def _spans(item: Item, touching: Contact, dead_time: float, now: float) -> list[tuple[float, float]]:
    """Instants (from, to), s, between which an item can be met; those that have passed too."""
    belt = item.belt
    here = float(item.along(item.time, dead_time))
    if belt.speed:
        times = [[item.time + (end - here) / belt.speed for end in stretch] for stretch in touching.stretches]
        return [(low, min(high, max(low, now) + _LONGEST)) for low, high in times]
    if any(low <= here <= high for low, high in touching.stretches):
        return [(now, now + _LONGEST)]
    gap, low, high = min((max(low - here, here - high), low, high) for low, high in touching.stretches)
    raise BeltError(
        belt.name,
        f"what stands at {point_text(item.at(item.time))} cannot be served; nearest is the stretch from "
        f"{point_text(belt.at(low, item.across))} to {point_text(belt.at(high, item.across))}, {gap:.4g} m away",
        gap,
    )


def _meeting(
    item: Item, found: Found, approach: Approach, hover: Callable[[np.ndarray], np.ndarray], touching: Contact
) -> Meeting:
    pose = tuple(hover(np.array([found.time]))[0].tolist())
    return Meeting(item, found.time, pose, found.time + (touching.handling.stroke_time or 0.0), approach)


def placed(
    cell: Cell, place: Item | Anywhere | Sequence[Item], start: Departure, contacts: Contacts
) -> tuple[Meeting, Contact]:
    """The first of several places that can be met, or the earliest place along a belt.

    Args:
        cell: robot, with what it carries, work and limits.
        place: a box, several of them in the order of preference, or anywhere on a belt.
        start: where and when the intercept starts.
        contacts: how a belt is served.

    Raises:
        MissedItemError: the box, or the last of several, leaves before the robot can be there.
        NoInterceptError: no intercept keeps the limits, whenever.
        BeltError: a belt that the robot cannot reach or follow.
    """
    if isinstance(place, Anywhere):
        touching = contacts(Item(place.belt, 0.0, 0.0, place.yaw, place.across), placing=True)
        return _placed_anywhere(cell, place, touching, start), touching
    if isinstance(place, Item):
        touching = contacts(place, placing=True)
        return met(cell, place, touching, start), touching
    missed: MotionError = MotionError("there is no place to put the item; give at least one")
    for target in place:
        touching = contacts(target, placing=True)
        try:
            return met(cell, target, touching, start), touching
        except (MissedItemError, NoInterceptError) as error:
            missed = error
    raise missed


def _placed_anywhere(cell: Cell, place: Anywhere, touching: Contact, start: Departure) -> Meeting:
    """The earliest meeting among places along a belt, then among those beside the best."""
    velocity = task_vector(place.belt.velocity, cell.dof)
    used: list[np.ndarray] = []

    def goal(position: float, until: float) -> Goal:
        spot = Item(place.belt, position, 0.0, place.yaw, place.across).pose(np.zeros(1), cell.dof)
        above = spot + up(cell, touching.handling.lift)
        return Goal(lambda t: np.repeat(above, len(t), axis=0), velocity, ((start.time, until),))

    def soonest(positions: np.ndarray, best: tuple[float, float]) -> tuple[float, float]:
        """Instant and position of the earliest of several places, if it is earlier than the best so far."""
        way = np.linalg.norm(place.belt.at(positions, place.across) - np.array(start.pose[:3]), axis=1)
        for position in positions[np.argsort(way)]:
            seen = scanned(cell, start, goal(position, best[0]))
            best = (seen.time, float(position)) if seen.time < best[0] else best
            used.append(seen.used)
        return best

    nowhere = (start.time + _LONGEST, math.nan)
    best = soonest(np.concatenate([np.linspace(*stretch, _PLACES) for stretch in touching.stretches]), nowhere)
    if best == nowhere:
        raise _no_intercept(place.belt, start, *used)
    low, high = next(stretch for stretch in touching.stretches if stretch[0] <= best[1] <= stretch[1])
    step = 0.5 * (high - low) / (_PLACES - 1)
    best = soonest(np.clip([best[1] - step, best[1] + step], low, high), best)
    target = goal(best[1], start.time + _LONGEST)
    found = earliest(cell, start, replace(target, spans=((best[0], start.time + _LONGEST),)))
    if cell.work.timing == "fastest":
        found = hastened(cell, start, target, found)
    if found.approach is None:
        raise _no_intercept(place.belt, start, found.used, *used)
    # A place that is chosen now has no reading; this one makes it be there when it is met.
    item = Item(place.belt, best[1], found.time + cell.work.dead_time, place.yaw, place.across)
    return _meeting(item, found, found.approach, target.pose, touching)
