"""Pick and place on moving belts: nine phases at the earliest intercepts that belts, items and limits allow.

The phases are those of righettini2024 section 2.3: intercept with matched velocity, descent, grasp, ascent, intercept,
descent, release, ascent, stop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, Protocol, final

import numpy as np

from parapick.motion.conveyor_contact import Contact, contact
from parapick.motion.conveyor_errors import BeltError, MissedItemError, NoInterceptError, point_text
from parapick.motion.conveyor_phases import pick_and_place
from parapick.motion.conveyor_search import Departure, Found, Goal, earliest, scanned
from parapick.motion.conveyor_types import (
    Anywhere,
    Approach,
    ConveyorLimits,
    Item,
    PickPlace,
    check_belt,
    check_limits,
    check_work,
    task_vector,
)
from parapick.motion.conveyor_use import Cell, drive_limits, worst
from parapick.motion.cycle import check_poses
from parapick.motion.errors import MotionError
from parapick.motion.motion import Motion

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion.follow import Followed, Worst
    from parapick.motion.peaks import Peaks

__all__ = ["Contacts", "Meeting", "PickPlan", "checked_cell", "plan", "planned"]

# The longest intercept that is looked for to something that does not run away (s).
_LONGEST: Final = 10.0
# Where no acceleration is stated and the drives' torques decide, this one bounds the search (m/s2): three times what
# the fastest robots of this kind reach.
_HARDEST: Final = 3000.0
# Places on a belt at which a free placing is tried; a second round looks between the neighbours of the best.
_PLACES: Final = 9


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


@final
@dataclass(frozen=True, eq=False)
class PickPlan:
    """A planned cycle.

    Attributes:
        motion: the motion; its time 0 is `start` of the items' clock.
        start: when it starts (s).
        pick: the meeting with the item.
        place: the meeting with the place.
        work: what is done, with the durations that were found.
        model: the robot.
    """

    motion: Motion
    start: float
    pick: Meeting
    place: Meeting
    work: PickPlace
    model: Model

    @property
    def end(self) -> float:
        """When the robot is free again (s)."""
        return self.start + self.motion.duration

    @cached_property
    def peaks(self) -> Peaks:
        """Largest speed and acceleration of the plate, and when (s of the motion)."""
        return self.motion.peaks()

    @cached_property
    def followed(self) -> Followed:
        """Worst slack, margins, joint speed and motor torque, each with time (s of the motion) and pose."""
        return self.motion.follow(self.model)

    @property
    def margins(self) -> tuple[Worst, ...]:
        """The smallest margin of each kind to a singularity, with time and pose."""
        return tuple(one for one in self.followed.worst if one.name in ("under-mobility", "over-mobility", "internal"))


def plan(
    model: Model,
    item: Item,
    place: Item | Anywhere | Sequence[Item],
    work: PickPlace,
    limits: ConveyorLimits,
    *,
    start: Sequence[float] | None = None,
    now: float = 0.0,
) -> PickPlan:
    """Plan a cycle: pick as early as the limits allow, then place as early as they allow.

    Args:
        model: the robot.
        item: what is picked.
        place: where it is put: a box on a belt, anywhere on a belt, or the first of several boxes that can be met.
        work: what is done in a cycle.
        limits: what has to hold.
        start: task vector at rest from which it starts (m, rad); the robot's home if not given.
        now: instant of the items' clock at which it starts (s).

    Raises:
        BeltError: a belt that the robot cannot reach or follow; says where and by how much.
        MissedItemError: an item that leaves before the robot can be there; says where, when and how late.
        NoInterceptError: no intercept keeps the limits, whenever; says which.
        LimitError: limits, heights or times that cannot be.
        UnreachableCornerError: a start that the robot cannot reach.
    """
    cell = checked_cell(model, work, limits)
    return planned(cell, item, place, model.robot.home if start is None else start, now, partial(contact, cell))


def checked_cell(model: Model, work: PickPlace, limits: ConveyorLimits) -> Cell:
    """A robot at its belts, with limits from which every duration follows.

    Args:
        model: the robot.
        work: what is done in a cycle.
        limits: what has to hold.

    Raises:
        LimitError: limits, heights or times that cannot be.
    """
    check_work(work)
    check_limits(limits)
    drive_limits(model, limits)
    return Cell(model, work, replace(limits, a_max=min(limits.a_max, _HARDEST)))


def planned(
    cell: Cell,
    item: Item,
    place: Item | Anywhere | Sequence[Item],
    start: Sequence[float],
    now: float,
    contacts: Contacts,
) -> PickPlan:
    """Plan a cycle in a cell.

    Args:
        cell: robot, work and limits, checked.
        item: what is picked.
        place: where it is put.
        start: task vector at rest from which it starts (m, rad).
        now: instant at which it starts (s).
        contacts: how a belt is served, from an item on it.
    """
    pose = _start_pose(cell, start)
    for goal in (item, *(place if isinstance(place, Sequence) else (place,))):
        _check_goal(cell, goal)
    picking = contacts(item, placing=False)
    pick = _met(cell, item, picking, Departure(pose, (0.0,) * cell.dof, now))
    leaving = pick.time + picking.handling.duration
    away = item.pose(leaving, cell.dof, cell.work.dead_time) + _up(cell, picking.handling.lift)
    velocity = task_vector(item.belt.velocity, cell.dof)
    departure = Departure(tuple(away.tolist()), velocity, leaving)
    put, placing = _placed(cell.loaded(), place, departure, contacts)
    work = replace(cell.work, pick=picking.handling, place=placing.handling, stop_time=placing.stop_time)
    motion = pick_and_place(pose, item, put.item, work, pick.approach, put.approach, now=now)
    return PickPlan(motion, now, pick, put, work, cell.model)


def _start_pose(cell: Cell, start: Sequence[float]) -> tuple[float, ...]:
    pose = tuple(float(value) for value in start)
    if len(pose) != cell.dof:
        raise MotionError(f"start has {len(pose)} coordinates; {cell.model.robot.name} has {cell.dof}")
    check_poses(cell.model, {"start": pose})
    return pose


def _check_goal(cell: Cell, goal: Item | Anywhere) -> None:
    check_belt(goal.belt)
    stated = (
        (goal.yaw, goal.across) if isinstance(goal, Anywhere) else (goal.yaw, goal.across, goal.position, goal.time)
    )
    if not np.isfinite(stated).all():
        raise MotionError(
            f"{goal.belt.name}: position, time, yaw and across must be finite numbers; they are in {goal}"
        )
    if cell.dof == 3 and goal.yaw:
        raise MotionError(
            f"{goal.belt.name}: yaw is {goal.yaw:g} rad; {cell.model.robot.name} has no yaw, so it must be 0"
        )


def _up(cell: Cell, lift: float) -> np.ndarray:
    return np.array((0.0, 0.0, lift, 0.0)[: cell.dof])


def _met(cell: Cell, item: Item, touching: Contact, start: Departure) -> Meeting:
    """The earliest meeting with an item."""
    dead_time, belt = cell.work.dead_time, item.belt

    def hover(t: np.ndarray) -> np.ndarray:
        return item.pose(t, cell.dof, dead_time) + _up(cell, touching.handling.lift)

    spans = _spans(item, touching, dead_time, start.time)
    velocity = task_vector(belt.velocity, cell.dof)
    found = earliest(cell, start, Goal(hover, velocity, tuple(span for span in spans if span[1] >= start.time)))
    if found.approach is not None:
        return _meeting(item, found, found.approach, hover, touching)
    # How late the robot is at the last place where it could have met the item.
    leaves = spans[-1][1]
    last = hover(np.array([leaves]))
    waiting = Goal(lambda t: np.repeat(last, len(t), axis=0), velocity, ((start.time, start.time + _LONGEST),))
    reached = earliest(cell, start, waiting)
    if reached.approach is None:
        _, quantity, share = worst(reached.used if len(found.used) == 0 else found.used)
        raise NoInterceptError(belt.name, quantity, share, start.pose)
    late = reached.time - leaves
    if late <= 0.0:
        _, quantity, share = worst(found.used)
        raise NoInterceptError(belt.name, quantity, share, start.pose)
    raise MissedItemError(
        belt.name,
        leaves,
        tuple(item.at(leaves, dead_time).tolist()),
        late,
        f"from {point_text(start.pose)} at {start.time:.4g} s the robot can be there at {reached.time:.4g} s, "
        f"{late:.4g} s late, when the item is {belt.speed * late:.4g} m further",
    )


def _spans(item: Item, touching: Contact, dead_time: float, now: float) -> list[tuple[float, float]]:
    """Instants (from, to), s, between which an item can be met; those that have passed too."""
    belt = item.belt
    here = float(item.along(item.time, dead_time))
    if belt.speed:
        instants = [tuple(item.time + (end - here) / belt.speed for end in stretch) for stretch in touching.stretches]
        return [(low, high) for low, high in instants]
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


def _placed(
    cell: Cell, place: Item | Anywhere | Sequence[Item], start: Departure, contacts: Contacts
) -> tuple[Meeting, Contact]:
    """The first of several places that can be met, or the earliest place along a belt."""
    if isinstance(place, Anywhere):
        touching = contacts(Item(place.belt, 0.0, 0.0, place.yaw, place.across), placing=True)
        return _placed_anywhere(cell, place, touching, start), touching
    if isinstance(place, Item):
        touching = contacts(place, placing=True)
        return _met(cell, place, touching, start), touching
    missed: MotionError = MotionError("there is no place to put the item; give at least one")
    for target in place:
        touching = contacts(target, placing=True)
        try:
            return _met(cell, target, touching, start), touching
        except (MissedItemError, NoInterceptError) as error:
            missed = error
    raise missed


def _placed_anywhere(cell: Cell, place: Anywhere, touching: Contact, start: Departure) -> Meeting:
    """The earliest meeting among places along a belt, then among those beside the best."""
    velocity = task_vector(place.belt.velocity, cell.dof)
    used: list[np.ndarray] = []

    def goal(position: float, until: float) -> Goal:
        spot = place.belt.at(position, place.across) + (0.0, 0.0, touching.handling.lift)
        above = np.array([task_vector((*spot, place.yaw), cell.dof)])
        return Goal(lambda t: np.repeat(above, len(t), axis=0), velocity, ((start.time, until),))

    def soonest(positions: np.ndarray, best: tuple[float, float]) -> tuple[float, float]:
        """Instant and position of the earliest of several places, if it is earlier than the best so far."""
        way = np.linalg.norm(place.belt.at(positions, place.across) - np.array(start.pose[:3]), axis=1)
        for position in positions[np.argsort(way)]:
            time, tried = scanned(cell, start, goal(position, best[0]))
            best = min(best, (time, float(position))) if time < best[0] else best
            used.append(tried)
        return best

    nowhere = (start.time + _LONGEST, math.nan)
    best = soonest(np.concatenate([np.linspace(*stretch, _PLACES) for stretch in touching.stretches]), nowhere)
    if best == nowhere:
        _, quantity, share = worst(np.concatenate([one for one in used if len(one)]))
        raise NoInterceptError(place.belt.name, quantity, share, start.pose)
    low, high = next(stretch for stretch in touching.stretches if stretch[0] <= best[1] <= stretch[1])
    step = 0.5 * (high - low) / (_PLACES - 1)
    best = soonest(np.clip([best[1] - step, best[1] + step], low, high), best)
    target = goal(best[1], start.time + _LONGEST)
    found = earliest(cell, start, replace(target, spans=((best[0], start.time + _LONGEST),)))
    if found.approach is None:
        _, quantity, share = worst(found.used)
        raise NoInterceptError(place.belt.name, quantity, share, start.pose)
    # A place that is chosen now has no reading; this one makes it be there when it is met.
    item = Item(place.belt, best[1], found.time + cell.work.dead_time, place.yaw, place.across)
    return _meeting(item, found, found.approach, target.pose, touching)
