"""A cycle between two belts, planned: the earliest pick that belts, items and limits allow, then the earliest place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from parapick.answer import Answer, Table, columns, keeps
from parapick.belts.candidates import Departure
from parapick.belts.checks import check_belt, check_limits, check_numbers, check_work
from parapick.belts.contact import Contact, contact
from parapick.belts.errors import MissedItemError, NoInterceptError
from parapick.belts.limit_use import Cell, drive_limits
from parapick.belts.meeting import Contacts, Meeting, placed, served, up
from parapick.belts.phases import pick_and_place
from parapick.belts.types import (
    Anywhere,
    ConveyorLimits,
    Item,
    PickPlace,
    task_vector,
)
from parapick.errors import MotionError
from parapick.motion import Motion
from parapick.ride import (
    STATED,
    UnreachableCornerError,
    check_poses,
    outside_text,
    stated_slacks,
)
from parapick.robots import RobotChoice, model_of

if TYPE_CHECKING:
    from parapick.answer import Requirement
    from parapick.model import Model
    from parapick.motion import Peaks
    from parapick.ride import Ride


@final
@dataclass(frozen=True, eq=False, repr=False)
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
    def ok(self) -> bool:
        """Whether the robot can follow it: reach, joints, singularities and motors along the whole motion."""
        return self.followed.ok

    def answer(self) -> Answer:
        """When and where item and place are met, and every requirement along the motion."""
        rows = tuple(
            (name, met.time, *(float(value) for value in met.pose[:3]))
            for name, met in (("pick", self.pick), ("place", self.place))
        )
        heads = columns(("meeting", "time", "x", "y", "z"), ("", "s", "m", "m", "m"))
        meetings = Table("meetings", "when and where item and place are met", heads, rows)
        return Answer("plan", repr(self).strip("<>"), findings=self.followed.requirements, tables=(meetings,))

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "meetings".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        met = f"pick at {self.pick.time:.4g} s, place at {self.place.time:.4g} s"
        return f"<PickPlan of {self.model.robot.name}: {met}, free at {self.end:.4g} s>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    @property
    def end(self) -> float:
        """When the robot is free again (s)."""
        return self.start + self.motion.duration

    @cached_property
    def peaks(self) -> Peaks:
        """Largest speed and acceleration of the plate, and when (s of the motion)."""
        return self.motion.peaks()

    @cached_property
    def followed(self) -> Ride:
        """Worst slack, margins, joint speed and motor torque, each with time (s of the motion) and pose."""
        return self.motion.follow(self.model)

    @property
    def margins(self) -> tuple[Requirement, ...]:
        """The smallest margin of each kind to a singularity, with time and pose."""
        return self.followed.margin_requirements


def plan(
    robot: RobotChoice,
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
        robot: a model, the name of a shipped robot, or the path of a file.
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
    model = model_of(robot)
    cell = checked_cell(model, work, limits)
    return planned(cell, item, place, model.robot.home if start is None else start, now, known_contacts(cell))


def checked_cell(model: Model, work: PickPlace, limits: ConveyorLimits) -> Cell:
    """A robot at its belts, with limits from which every duration follows; raises `LimitError` for what cannot be."""
    check_work(work)
    if work.timing == "fastest":
        limits = _driven(model, limits)
    check_limits(limits)
    drive_limits(model, limits)
    # A payload of the model replaces that of the task; the tool bears it from grasp to release only.
    borne = work if model.payload is None else replace(work, payload=model.payload)
    return Cell(model.with_payload(None), borne, limits)


def known_contacts(cell: Cell) -> Contacts:
    """How belts are served, each found out once: on one that moves only yaw and distance across matter."""

    @cache
    def known(item: Item, placing: bool) -> Contact:
        return contact(cell, item, placing=placing)

    def contacts(item: Item, *, placing: bool) -> Contact:
        return known(replace(item, position=0.0, time=0.0) if item.belt.speed else item, placing)

    return contacts


def _driven(model: Model, limits: ConveyorLimits) -> ConveyorLimits:
    """Limits with those of the drives, as far as the robot's file states them: their whole peaks if nothing is said."""
    speed, torque = limits.motor_speed, limits.motor_torque
    if speed is None and np.isfinite(model.motors.peak_speed).any():
        speed = 1.0
    if torque is None and np.isfinite(model.motors.peak_torque).any():
        torque = 1.0
    return replace(limits, motor_speed=speed, motor_torque=torque)


def planned(
    cell: Cell,
    item: Item,
    place: Item | Anywhere | Sequence[Item],
    start: Sequence[float],
    now: float,
    contacts: Contacts,
) -> PickPlan:
    """Plan a cycle in a checked cell, from a task vector at rest (m, rad) at an instant (s); see `plan`."""
    pose = _start_pose(cell, start)
    for goal in (item, *(place if isinstance(place, Sequence) else (place,))):
        _check_goal(cell, goal)
    rest = Departure(pose, (0.0,) * cell.dof, now)
    picks = served(cell, item, contacts(item, placing=False), rest)
    cycles: list[tuple[Meeting, Meeting]] = []
    errors: list[MissedItemError | NoInterceptError] = []
    for pick in picks:
        # A cycle by a law throughout is one of those that are compared: the fastest timing is never slower.
        here = cell if pick is picks[-1] else replace(cell, work=replace(cell.work, timing="law"))
        try:
            cycles.append((pick, placed(here.loaded(), place, _departure(cell, item, pick), contacts)))
        except (MissedItemError, NoInterceptError) as error:
            errors.append(error)
    if not cycles:
        raise errors[-1]
    met, left = min(cycles, key=lambda both: both[1].end)
    work = replace(cell.work, pick=met.handling, place=left.handling, stop_time=left.stop_time)
    motion = pick_and_place(pose, item, left.item, work, met.approach, left.approach, now=now)
    return PickPlan(motion, now, met, left, work, cell.model)


def _departure(cell: Cell, item: Item, pick: Meeting) -> Departure:
    """Where and when the tool leaves the belt with an item."""
    away = item.pose(pick.end, cell.dof, cell.work.dead_time) + up(cell, pick.handling.lift)
    return Departure(tuple(away.tolist()), task_vector(item.belt.velocity, cell.dof), pick.end)


def _start_pose(cell: Cell, start: Sequence[float]) -> tuple[float, ...]:
    pose = tuple(float(value) for value in start)
    if len(pose) != cell.dof:
        raise MotionError(f"start has {len(pose)} coordinates; {cell.model.robot.name} has {cell.dof}")
    check_poses(cell.model, {"start": pose})
    x = np.array(pose)
    for (name, unit), slack in zip(STATED, stated_slacks(cell.model, x).values(), strict=False):
        if not keeps(slack, at_least=0.0):
            raise UnreachableCornerError("start", pose, f"{name}: {outside_text(cell.model, x)}", float(slack), unit)
    return pose


def _check_goal(cell: Cell, goal: Item | Anywhere) -> None:
    check_belt(goal.belt)
    check_numbers(goal)
    if cell.dof == 3 and goal.yaw:
        raise MotionError(
            f"{goal.belt.name}: yaw is {goal.yaw:g} rad; {cell.model.robot.name} has none, so it must be 0"
        )
