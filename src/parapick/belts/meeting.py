"""When and how an item, one of several boxes, or any place along a belt is met, or why it cannot be.

All is done when the tool leaves the belt: to meet an item where it can be served quickly may be better than to meet it
early.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, final

import numpy as np

from parapick.answer import pose_text
from parapick.belts.candidates import Departure, Goals
from parapick.belts.contact import PITCH, Contact
from parapick.belts.errors import BeltError, MissedItemError, NoInterceptError
from parapick.belts.fastest_intercept import estimates, fastest_intercept, first_clear
from parapick.belts.ladder import LADDER, PARTS, STRIDE, TICK
from parapick.belts.limit_use import Cell, Use
from parapick.belts.search import SearchResult, earliest, meeting_times
from parapick.belts.types import Anywhere, Approach, Belt, Handling, Item, task_vector
from parapick.errors import MotionError
from parapick.motion import change_speed

_ONLY: Final = np.zeros(1, dtype=int)
# Distances, in pitches, at which places beside the best are tried, after each other. With fewer the best place
# between those that are tried first would be missed.
_BESIDE: Final = ((-4.0, -2.0, 2.0, 4.0), (-1.0, -0.5, 0.5, 1.0))
_NEVER: Final = SearchResult(math.inf, None, None)


class Contacts(Protocol):
    """How a belt is served."""

    def __call__(self, item: Item, *, placing: bool) -> Contact:
        """How the belt of an item is served, on which items are put if `placing`."""
        ...


@final
@dataclass(frozen=True)
class Meeting:
    """An intercept, what it meets and what is done then.

    Attributes:
        item: what is met.
        time: when the tool is above it at the speed of its belt (s).
        pose: task vector then (m, rad).
        approach: the intercept.
        handling: what is done, with the duration of the strokes.
        stop_time: duration of the stop behind it (s); None without one.
    """

    item: Item
    time: float
    pose: tuple[float, ...]
    approach: Approach
    handling: Handling
    stop_time: float | None = None

    @property
    def touch(self) -> float:
        """When the grasp or release begins (s)."""
        return self.time + (self.handling.stroke_time or 0.0)

    @property
    def end(self) -> float:
        """When all is done (s)."""
        return self.time + self.handling.duration + (self.stop_time or 0.0)


def up(cell: Cell, lift: float) -> np.ndarray:
    """Change of the task vector by a lift in m (dof,)."""
    return np.array((0.0, 0.0, lift, 0.0)[: cell.dof])


def served(cell: Cell, item: Item, touching: Contact, start: Departure) -> tuple[Meeting, ...]:
    """The meetings with an item after which all is done earliest: by a law and, if asked for, by the fastest timing.

    Raises:
        MissedItemError: the item leaves before the robot can be there.
        NoInterceptError: no intercept keeps the limits, whenever.
        BeltError: an item that does not move where it cannot be served.
    """
    dead_time, belt = cell.work.dead_time, item.belt
    here = float(item.along(start.time, dead_time))
    spans = _spans(item, touching, here)
    ahead = tuple((max(low, 0.0), high) for low, high in spans if high >= 0.0)
    pose = item.pose(start.time, cell.dof, dead_time) + up(cell, touching.handling.lift)
    velocity = np.array(task_vector(belt.velocity, cell.dof))
    goals = Goals(cell, start, pose[None], velocity, velocity, (ahead,), np.zeros(1))
    ways = {_met: _met(goals) if ahead else _NEVER}
    if ahead and cell.timed_fastest:
        ways[_met_fastest] = fastest_intercept(goals, ways[_met])
    meetings = []
    for meet, earliest_met in ways.items():
        met = (
            _met_later(goals, touching, earliest_met, here, meet)
            if belt.speed and earliest_met.approach
            else earliest_met
        )
        if met.approach is not None:
            meetings.append(_meeting(item, touching, goals, met.time, met.approach, here + belt.speed * met.time))
    # A gap in a stretch that is shorter than the pitch is seen only now.
    possible = tuple(meeting for meeting in meetings if meeting.end < math.inf)
    if not possible:
        raise _missed(item, goals, spans[-1][1], ways[_met].use)
    return possible


def _met(goals: Goals) -> SearchResult:
    """The earliest meeting by a law, at once or after a stop.

    What comes late is waited for at rest: a slow intercept from the speed of the belt would lead far away. Where the
    path leads back, it can also be quicker to stop first.
    """
    by_law = earliest(goals)
    return by_law if goals.start.resting else _met_from_rest(goals, by_law)


def _met_fastest(goals: Goals) -> SearchResult:
    """The earliest meeting with one goal, by a law or, if that is asked for, by the fastest timing."""
    by_law = _met(goals)
    return fastest_intercept(goals, by_law) if goals.cell.timed_fastest else by_law


def _met_from_rest(goals: Goals, otherwise: SearchResult) -> SearchResult:
    """The earliest meeting after a stop, if there is a stop that keeps the limits and what follows is not later."""
    stop, later = _after_stop(goals)
    if later is None:
        return otherwise
    after_stop = earliest(later, otherwise.time + float(goals.cost[0]) - stop)
    if after_stop.approach is None or stop + after_stop.time > otherwise.time * (1.0 + TICK):
        return otherwise
    return replace(after_stop, time=stop + after_stop.time, approach=replace(after_stop.approach, stop=stop))


def _after_stop(goals: Goals) -> tuple[float, Goals | None]:
    """How long the shortest stop takes (s), and goals as they are then; None where there is no stop in time."""
    cell, start = goals.cell, goals.start
    stop = shortest_stop(cell, start)
    spans = tuple(
        tuple((max(low - stop, 0.0), high - stop) for low, high in each if high > stop) for each in goals.spans
    )
    if math.isinf(stop) or not all(spans):
        return stop, None
    motion = change_speed(start.pose, start.velocity, (), stop, law=cell.work.law)
    rest = Departure(tuple(motion.end.tolist()), (0.0,) * cell.dof, start.time + stop)
    return stop, replace(goals, start=rest, pose=goals.pose + goals.drift * stop, spans=spans)


def _met_later(
    goals: Goals, touching: Contact, first: SearchResult, here: float, meet: Callable[[Goals], SearchResult]
) -> SearchResult:
    """A later meeting with an item, if it is served so much more quickly there that all is done earlier."""
    speed, best = touching.belt.speed, first

    def finish(times: np.ndarray) -> np.ndarray:
        return times + touching.cost(here + speed * times)

    places = np.array([*touching.costs])
    times = (places - here) / speed
    done = times + np.array([*touching.costs.values()])
    end = float(finish(np.array([first.time]))[0])
    step = PITCH / speed
    while step > TICK * min(end, LADDER[-1]):
        order = np.argsort(done)
        chosen = next((k for k in order if first.time < times[k] and done[k] < end), None)
        if chosen is None:
            break
        at = float(times[chosen])
        later = meet(replace(goals, spans=(((at, at),),)))
        if later.approach is None:
            break
        best, end, step = later, float(done[chosen]), step / PARTS
        times = at + step * np.arange(1 - PARTS, PARTS)
        done = finish(times)
    return best


def shortest_stop(cell: Cell, start: Departure) -> float:
    """Duration of the shortest stop from a departure that keeps the limits (s); infinite if there is none."""
    (x, y, z), (vx, vy, vz) = start.pose[:3], start.velocity[:3]
    belt = Belt((x, y, z), (vx, vy, vz), math.hypot(vx, vy, vz))
    yaw = start.pose[3] if cell.dof == 4 else 0.0
    stopping = replace(cell, work=replace(cell.work, stop_time=None))
    standing = Contact(stopping, Item(belt, 0.0, 0.0, yaw), Handling(0.0, 0.0), True)
    return float(standing.stopping(np.zeros(1), np.zeros(1))[0])


def _missed(item: Item, goals: Goals, leaves: float, use: Use | None) -> MissedItemError | NoInterceptError:
    """How late the robot is at the last place where it could have met the item, or why it cannot be there at all."""
    cell, start = goals.cell, goals.start
    last = goals.pose + goals.drift * leaves
    waiting = replace(goals, pose=last, drift=np.zeros(cell.dof), spans=(((0.0, LADDER[-1]),),))
    reached = _met_fastest(waiting)
    late, now = reached.time - leaves, start.time
    if reached.approach is None or not late > 0.0:
        return _no_intercept(item.belt, start, use, reached.use)
    return MissedItemError(
        item.belt.name,
        now + leaves,
        tuple(item.at(now + leaves, cell.work.dead_time).tolist()),
        late,
        f"from {pose_text(start.pose)} at {now:.4g} s the robot can be there at {now + reached.time:.4g} s, "
        f"{late:.4g} s late, when the item is {item.belt.speed * late:.4g} m further",
    )


def _no_intercept(belt: Belt, start: Departure, *uses: Use | None) -> NoInterceptError:
    """The error for what was tried, the first that anything was tried for."""
    _, quantity, share = next(use for use in uses if use is not None).worst()
    return NoInterceptError(belt.name, quantity, share, start.pose)


def _spans(item: Item, touching: Contact, here: float) -> list[tuple[float, float]]:
    """From when to when (s after the departure) an item can be met; what has passed is negative."""
    belt = item.belt
    if belt.speed:
        times = [[(end - here) / belt.speed for end in stretch] for stretch in touching.stretches]
        return [(low, min(high, max(low, 0.0) + LADDER[-1])) for low, high in times]
    if any(low <= here <= high for low, high in touching.stretches):
        return [(0.0, LADDER[-1])]
    gap, low, high = min((max(low - here, here - high), low, high) for low, high in touching.stretches)
    raise BeltError(
        belt.name,
        f"what is at {pose_text(item.at(item.time))} cannot be served; nearest is the stretch from "
        f"{pose_text(belt.at(low, item.across))} to {pose_text(belt.at(high, item.across))}, {gap:.4g} m away",
        gap,
    )


def _meeting(item: Item, touching: Contact, goals: Goals, after: float, approach: Approach, along: float) -> Meeting:
    """The meeting with an item a time after the departure (s), when it is at a position along its belt (m)."""
    pose = goals.at(_ONLY, np.array([after]))[0]
    return Meeting(item, goals.start.time + after, tuple(pose.tolist()), approach, *touching.timed(along))


def placed(cell: Cell, place: Item | Anywhere | Sequence[Item], start: Departure, contacts: Contacts) -> Meeting:
    """The first of several places that can be met, or the place along a belt where all is done earliest.

    Raises:
        MissedItemError: the box, or the last of several, leaves before the robot can be there.
        NoInterceptError: no intercept keeps the limits, whenever.
        BeltError: a belt that the robot cannot reach or follow.
    """
    if isinstance(place, Anywhere):
        touching = contacts(Item(place.belt, 0.0, 0.0, place.yaw, place.across), placing=True)
        return _placed_anywhere(cell, place, touching, start)
    missed: MotionError = MotionError("there is no place to put the item; give at least one")
    for target in (place,) if isinstance(place, Item) else place:
        try:
            return min(served(cell, target, contacts(target, placing=True), start), key=lambda meeting: meeting.end)
        except (MissedItemError, NoInterceptError) as error:
            missed = error
    raise missed


def _placed_anywhere(cell: Cell, place: Anywhere, touching: Contact, start: Departure) -> Meeting:
    """The place where all is done earliest: among places along the belt, then among those beside the best."""
    velocity = np.array(task_vector(place.belt.velocity, cell.dof))
    meetings: list[Meeting] = []
    uses: list[Use | None] = []

    def goals_at(along: np.ndarray, cost: np.ndarray) -> Goals:
        pose = touching.standing(along)[:, 0]
        return Goals(cell, start, pose, np.zeros(cell.dof), velocity, (((0.0, LADDER[-1]),),) * len(along), cost)

    def by_law(along: np.ndarray, cost: np.ndarray, before: float) -> np.ndarray:
        goals = goals_at(along, cost)
        done = meeting_times(goals, before) + cost
        stop, later = (0.0, None) if start.resting else _after_stop(goals)
        if later is None:
            return done
        return np.minimum(done, stop + meeting_times(later, min(before, done.min()) - stop) + cost)

    def by_estimate(along: np.ndarray, cost: np.ndarray, _: float) -> np.ndarray:
        guess = meetings[0].approach.duration if meetings else math.inf
        durations, tried = estimates(goals_at(along, cost), guess)
        clear = first_clear(tried, tried.time, tried.time) <= tried.time
        durations, tried, done = durations[clear], tried.take(clear), np.full(len(along), math.inf)
        np.minimum.at(done, tried.goal, durations + cost[tried.goal])
        return done

    def fastest(goals: Goals) -> SearchResult:
        return fastest_intercept(goals, _NEVER)

    for done, meet in ((by_law, _met), (by_estimate, fastest))[: 2 if cell.timed_fastest else 1]:
        spot = _best_spot(touching, done)
        goals = goals_at(np.array([spot]), touching.cost(np.array([spot])))
        result = meet(goals)
        uses.append(result.use)
        if result.approach is not None:
            # A place that is chosen now has no reading; this one makes it be there when it is met.
            reading = start.time + result.time + cell.work.dead_time
            item = Item(place.belt, spot, reading, place.yaw, place.across)
            meetings.append(_meeting(item, touching, goals, result.time, result.approach, spot))
    if not meetings:
        raise _no_intercept(place.belt, start, *uses)
    return min(meetings, key=lambda meeting: meeting.end)


def _best_spot(touching: Contact, done: Callable[[np.ndarray, np.ndarray, float], np.ndarray]) -> float:
    """The position along a belt (m) where all is done earliest: among some, those around the best, and between them."""
    every = np.array([*touching.costs.items()])
    pitches = np.round(every[:, 0] / PITCH)
    few = (every[:, 0] != pitches * PITCH) | (pitches % STRIDE == 0) | (len(every) <= STRIDE)
    some, (spot, end) = every[few], (0.0, math.inf)
    for beside in (*_BESIDE, ()):
        if (times := done(some[:, 0], some[:, 1], end)).min() < end:
            spot, end = float(some[np.argmin(times), 0]), float(times.min())
        along = spot + PITCH * np.array(beside)
        some = np.stack([along, touching.cost(along)], axis=1)
    return spot if end < math.inf else float(every[0, 0])
