"""Which task a robot is evaluated on: the one that is named, or the Adept cycle where nothing is; and its words."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.answer import at_most, keeps
from parapick.errors import ParameterError
from parapick.evaluation.default_task import default_task
from parapick.motion import LimitError, Motion, path_of
from parapick.tasks import CycleTask, PlannedTask, planned_task
from parapick.units import range_objection

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.tasks import Task

_LIMITS: Final = {"v_max": ("speed", "m/s"), "a_max": ("acceleration", "m/s2"), "j_max": ("jerk", "m/s3")}
"""Limit of a task -> peak of the plate that it holds for, and its unit; peaks grow with pace, its square, its cube."""


def chosen_task(
    choice: str | os.PathLike[str] | Task | Motion | None,
    models: Sequence[Model],
    cycles_per_minute: float | None,
) -> Task | Motion:
    """The task or motion that is asked for, at another pace if one is given.

    Args:
        choice: a shipped task or the path of a file, a task, or a motion; nothing for the default.
        models: the robots that will do it.
        cycles_per_minute: cycles per minute instead of those of the task.

    Raises:
        ParameterError: a pace that cannot be.
    """
    _check(cycles_per_minute)
    if choice is None:
        task = default_task(models, cycles_per_minute)
    else:
        # Inside: a file may hold a task of any kind, on belts too.
        from parapick.tasks import task_of

        task = task_of(choice)
    if isinstance(task, CycleTask) and task.paced and cycles_per_minute is not None:
        task = task.at_pace(cycles_per_minute)
    return task


def planned_of(task: Task | Motion, model: Model, cycles_per_minute: float | None) -> PlannedTask:
    """A task planned for a robot, at the pace of the task itself.

    Args:
        task: the task or motion.
        cycles_per_minute: the pace that was asked for, for messages; see `chosen_task`.

    Raises:
        UnreachableCornerError: a corner of the task is out of the robot's reach.
        ParameterError: more cycles than the limits of the task allow.
    """
    if isinstance(task, Motion):
        return PlannedTask(task.with_payload(model.payload))
    try:
        return planned_task(task, model)
    except LimitError as error:
        if cycles_per_minute is None:
            raise
        slower = _slower(task, model, cycles_per_minute)
        if slower is None:
            if error.name == "cycles_per_minute":
                raise ParameterError(error.name, error.message) from error
            raise _not_allowed(cycles_per_minute, str(error)) from error
        return PlannedTask(slower)


def motion_of(task: Task | Motion, model: Model, cycles_per_minute: float | None) -> Motion:
    """The motion of a task for a robot, at the pace of the task itself; see `planned_of`."""
    return planned_of(task, model, cycles_per_minute).motion


def _slower(task: Task, model: Model, cycles_per_minute: float) -> Motion | None:
    """The motion by the limits of a task alone, run slower; None where they make none, or one that is slower already.

    A law without a cruise gives all strokes one acceleration, with which a long stroke may exceed a speed that the
    limits, stroke by stroke, would keep at the same pace.
    """
    if not isinstance(task, CycleTask) or not _limits(task):
        return None
    try:
        quickest = task.at_pace(None).motion(model)
    except LimitError:
        return None
    factor = (60.0 / cycles_per_minute - task.resting) / (quickest.duration - task.resting)
    return _with_rests(quickest, factor) if factor >= 1.0 else None


def _with_rests(motion: Motion, factor: float) -> Motion:
    """The motion with its moves run slower by a factor, while its rests last as long as they do."""
    slower = motion.slowed(factor)
    pieces = tuple(
        slow_piece if path_of(piece).pieces else piece
        for piece, slow_piece in zip(motion.pieces, slower.pieces, strict=True)
    )
    starts = Motion(pieces).starts

    def when(t: float) -> float:
        return float(np.interp(t, motion.starts, starts))

    phases = tuple(replace(phase, start=when(phase.start), end=when(phase.end)) for phase in motion.phases)
    return Motion(pieces, phases, tuple(replace(step, time=when(step.time)) for step in motion.bearing))


def at_pace(task: Task | Motion, own_motion: Motion, model: Model, cycles_per_minute: float) -> Motion:
    """The motion of a task at another pace.

    A task that states its cycles per minute is made anew, so that its law, its limits and its rests stay what they
    are. Any other motion is run slower or faster as a whole, faster only while it keeps the limits of its task.

    Args:
        task: the task or motion.
        own_motion: its motion at its own pace.
        cycles_per_minute: cycles per minute, there and back.

    Raises:
        ParameterError: a motion that meets a belt, or more cycles than the limits of the task allow.
    """
    if isinstance(task, CycleTask) and task.paced:
        other = task.at_pace(cycles_per_minute)
        return own_motion if other == task else motion_of(other, model, cycles_per_minute)
    if own_motion.is_synchronized:
        raise ParameterError(
            "cycles_per_minute",
            f"is {cycles_per_minute:g}; the motion meets a belt that moves, so its time is that of the belt: leave "
            "it out",
        )
    duration = 60.0 / cycles_per_minute
    allowed = most_allowed(task, own_motion)
    if duration < own_motion.duration and not keeps(cycles_per_minute, at_most=allowed):
        most = at_most(allowed, 6)
        raise _not_allowed(cycles_per_minute, f"at most {most} keep {_stated(task)}")
    return own_motion.slowed(duration / own_motion.duration)


def tried_at_pace(task: Task | Motion, own_motion: Motion, model: Model, cycles_per_minute: float) -> Motion:
    """As `at_pace`, for a search: what it refuses is in the words of the first limit that is in the way.

    How much a task allows is a search of its own, which is worth it for the one who reads the answer only.
    """
    if not isinstance(task, CycleTask) or not task.paced:
        return at_pace(task, own_motion, model, cycles_per_minute)
    other = task.at_pace(cycles_per_minute)
    try:
        return own_motion if other == task else other.tried(model)
    except LimitError:
        slower = _slower(other, model, cycles_per_minute)
        if slower is None:
            raise
        return slower


def most_allowed(task: Task | Motion, own_motion: Motion) -> float:
    """Most cycles per minute of a motion that is run faster as a whole: by the limits of its task, if it has any.

    Where limits hold for each stroke, the plate may exceed them at the task's own pace, but not go beyond that.

    Args:
        task: the task or motion.
        own_motion: its motion at its own pace.
    """
    limits = _limits(task)
    if not limits:
        return math.inf
    peaks = own_motion.peaks()
    faster = math.inf
    for power, (name, (peak, _)) in enumerate(_LIMITS.items(), start=1):
        if name in limits:
            faster = min(faster, max(limits[name] / getattr(peaks, peak).value, 1.0) ** (1.0 / power))
    return faster * 60.0 / own_motion.duration


def paced(task: Task | Motion) -> bool:
    """Whether a task takes cycles per minute itself; one that follows from motors or limits alone does not.

    Args:
        task: the task or motion.
    """
    return isinstance(task, CycleTask) and task.paced


def _limits(task: Task | Motion) -> dict[str, float]:
    """Limits that a task states for the plate, by name."""
    stated = {name: getattr(task, name, None) for name in _LIMITS}
    return {name: value for name, value in stated.items() if value is not None}


def _stated(task: Task | Motion) -> str:
    return " and ".join(f"{name} {value:g} {_LIMITS[name][1]}" for name, value in _limits(task).items())


def _not_allowed(cycles_per_minute: float, reason: str) -> ParameterError:
    text = f"is {cycles_per_minute:g}; the limits of the task do not allow it: {reason}"
    return ParameterError("cycles_per_minute", text)


def title_of(task: Task | Motion, cycles_per_minute: float | None) -> tuple[str, str]:
    """Name and title of what is evaluated, with what was asked for besides.

    Args:
        task: the task or motion.
        cycles_per_minute: cycles per minute, if they were asked for.
    """
    if isinstance(task, Motion):
        name, title = "motion", f"a motion of {task.duration:.4g} s"
    else:
        name, title = task.name, task.title or f"task {task.name}"
    changes = [f"{cycles_per_minute:g} per minute"] if cycles_per_minute is not None else []
    changes = [text for text in changes if text not in title]
    return name, f"{title}; here {', '.join(changes)}" if changes else title


def _check(cycles_per_minute: float | None) -> None:
    if cycles_per_minute is not None and not 0.0 < cycles_per_minute < math.inf:
        raise ParameterError(
            "cycles_per_minute", f"is {cycles_per_minute:g}; it must be a finite number greater than 0"
        )
    if cycles_per_minute is not None and (objection := range_objection(cycles_per_minute, "", positive=True)):
        raise ParameterError("cycles_per_minute", objection)


def load_words(model: Model, motion: Motion) -> str:
    """What the tool holds along a motion, gripper and payload each by itself; empty where nothing."""
    carried = sorted({step.mass for step in motion.payload if step.load})
    payload = f"payload {', '.join(f'{mass:g} kg' for mass in carried)}" if carried else ""
    gripper = f"gripper {model.gripper.mass:g} kg" if model.gripper else ""
    if not payload and (gripper or model.payload is not None):
        payload = "no payload"
    return ", ".join(text for text in (gripper, payload) if text)
