"""The nine phases of a cycle between two belts, once it is settled when and how they are met (righettini2024, 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from parapick.belts.checks import check_belt, check_work
from parapick.belts.types import (
    Approach,
    Belt,
    Handling,
    Item,
    PickPlace,
    task_vector,
)
from parapick.motion import (
    Law,
    LimitError,
    Motion,
    change_speed,
    hold,
    intercept,
    track,
)

PHASES: Final = (
    "a-b pick intercept",
    "b-c descent",
    "c-d grasp",
    "d-e ascent",
    "e-f place intercept",
    "f-g descent",
    "g-h release",
    "h-i ascent",
    "i-a stop",
)
"""Names of the phases, after the points of righettini2024 section 2.3."""

WAITING: Final = ("stop to wait", "wait")
"""Names of the phases before an intercept for which the robot has to wait."""


def pick_and_place(
    start: Sequence[float],
    item: Item,
    target: Item,
    work: PickPlace,
    pick: Approach,
    place: Approach,
    *,
    now: float = 0.0,
) -> Motion:
    """A cycle whose intercepts are given: where they lead follows from where the items are then.

    Args:
        start: task vector at rest from which it starts (m, rad).
        item: what is picked.
        target: where it is placed.
        work: what is done, with the durations of all strokes.
        pick: intercept of the item; with a stop or wait before it where it comes later.
        place: intercept of the target, in the same way.
        now: instant of the items' clock at which the motion starts (s).

    Returns:
        The phases of `PHASES`, with those of `WAITING` before an intercept that waits. At a target that does not move
        there is no stop at the end.

    Raises:
        LimitError: a duration that is missing or does not fit.
        BeltError: a belt that cannot be one.
    """
    check_work(work)
    for belt in (item.belt, target.belt):
        check_belt(belt)
    dof = len(start)
    parts: list[Motion] = []
    state, moving, clock = tuple(start), (0.0,) * dof, now
    for goal, approach, handling, names in (
        (item, pick, work.pick, PHASES[:4]),
        (target, place, work.place, PHASES[4:]),
    ):
        if approach.stop:
            parts.append(change_speed(state, moving, (), approach.stop, law=work.law, name=WAITING[0]))
            state, moving = tuple(parts[-1].end.tolist()), (0.0,) * dof
        if approach.wait:
            parts.append(hold(state, approach.wait, WAITING[1]))
        clock += approach.stop + approach.wait + approach.duration
        hover = goal.pose(clock, dof, work.dead_time) + [0.0, 0.0, handling.lift, 0.0][:dof]
        velocity = task_vector(goal.belt.velocity, dof)
        parts.append(approached(state, moving, hover.tolist(), velocity, approach, work, name=names[0]))
        parts.append(beside(goal.belt, handling, hover.tolist(), work.stop_time, work.law, names[1:]))
        state, moving, clock = tuple(parts[-1].end.tolist()), velocity, clock + handling.duration
    whole = reduce(Motion.then, parts)
    phases = {phase.name: phase for phase in whole.phases}
    loaded = whole.carrying(work.payload, phases[PHASES[2]].end, phases[PHASES[6]].start)
    return loaded.synchronized() if any(goal.belt.speed for goal in (item, target)) else loaded


def approached(
    start: Sequence[float],
    start_velocity: Sequence[float],
    end: Sequence[float],
    end_velocity: Sequence[float],
    approach: Approach,
    work: PickPlace,
    *,
    name: str = "intercept",
) -> Motion:
    """One intercept between task vectors (m, rad) with their velocities (m/s, rad/s), as a phase of a name."""
    if approach.timed is not None:
        return approach.timed.named(name)
    return intercept(
        start,
        end,
        duration=approach.duration,
        ramp_time=approach.ramp_time,
        velocities=(start_velocity, end_velocity),
        bend=approach.bend,
        law=work.law,
        yaw_law=work.yaw_law,
    ).named(name)


def beside(
    belt: Belt,
    handling: Handling,
    hover: Sequence[float],
    stop_time: float | None,
    law: Law,
    names: Sequence[str] = ("descent", "rest", "ascent", "stop"),
) -> Motion:
    """Down to a belt, rest and up at its speed, from a task vector above the item (m, rad); with a fourth name a stop.

    Raises:
        LimitError: a duration that is missing.
    """
    if handling.stroke_time is None:
        raise LimitError("stroke_time", "is not given; plan finds it, a motion of given phases needs it")
    dof = len(hover)
    velocity = task_vector(belt.velocity, dof)
    down, rise = ((0.0, 0.0, sign * handling.lift, 0.0)[:dof] for sign in (-1.0, 1.0))
    whole = track(hover, velocity, handling.stroke_time, stroke=down, law=handling.law, name=names[0])
    whole = whole.then(track(whole.end.tolist(), velocity, handling.rest, name=names[1]))
    up = track(whole.end.tolist(), velocity, handling.stroke_time, stroke=rise, law=handling.law, name=names[2])
    whole = whole.then(up)
    if len(names) < 4 or belt.speed == 0.0:
        return whole
    if stop_time is None:
        raise LimitError("stop_time", "is not given; plan finds it, a motion of given phases needs it")
    return whole.then(change_speed(whole.end.tolist(), velocity, (), stop_time, law=law, name=names[3]))
