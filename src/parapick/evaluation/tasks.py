"""Which task a robot is evaluated on: the one that is named, or the Adept cycle where nothing is."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from parapick.errors import ParameterError
from parapick.evaluation.default_task import default_task
from parapick.model.payload import NOTHING, Load, Payload
from parapick.motion import AdeptTask, LimitError, Motion, load_task

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Task

__all__ = ["asked", "motion_of", "title_of"]


def asked(
    given: str | os.PathLike[str] | Task | Motion | None,
    models: Sequence[Model],
    payload: Load | None,
    cycles_per_minute: float | None,
) -> Task | Motion:
    """The task or motion that is asked for, with another payload or pace if one is given.

    Args:
        given: a shipped task or the path of a file, a task, or a motion; nothing for the default.
        models: the robots that will do it.
        payload: what is carried instead of the task's own load: a mass (kg), a text such as "500 g", or a `Payload`.
        cycles_per_minute: cycles a minute instead of those of the task.

    Raises:
        ParameterError: a payload or pace that cannot be.
    """
    _check(cycles_per_minute)
    load = None if payload is None else Payload.of(payload)
    if given is None:
        found = default_task(models, cycles_per_minute)
    else:
        found = load_task(given) if isinstance(given, (str, os.PathLike)) else given
    if isinstance(found, AdeptTask) and _paced(found) and cycles_per_minute is not None:
        found = replace(found, cycles_per_minute=cycles_per_minute)
    if load is None:
        return found
    if isinstance(found, Motion):
        return _carrying(found, load)
    return replace(found, payload=load.mass if load == Payload(load.mass) else load)


def motion_of(found: Task | Motion, model: Model, cycles_per_minute: float | None) -> Motion:
    """The motion of a task for a robot.

    An Adept cycle keeps its pace by itself; any other motion is run slower or faster as a whole.

    Args:
        found: the task or motion.
        model: the robot.
        cycles_per_minute: cycles a minute instead of those of the task.

    Raises:
        UnreachableCornerError: a corner of the task is out of the robot's reach.
        ParameterError: more cycles than the limits of the task allow.
    """
    try:
        motion = found if isinstance(found, Motion) else found.motion(model)
    except LimitError as error:
        if cycles_per_minute is None:
            raise
        reason = f"is {cycles_per_minute:g}; the limits of the task do not allow it: {error}"
        raise ParameterError("cycles_per_minute", reason) from error
    if cycles_per_minute is None or _paced(found):
        return motion
    return motion.slowed(60.0 / cycles_per_minute / motion.duration)


def _paced(found: Task | Motion) -> bool:
    """Whether a task takes cycles a minute itself; a law that follows from limits alone does not."""
    return isinstance(found, AdeptTask) and found.law != "fastest"


def title_of(found: Task | Motion, payload: Load | None, cycles_per_minute: float | None) -> tuple[str, str]:
    """Name and title of what is evaluated, with what was asked for besides.

    Args:
        found: the task or motion.
        payload: what is carried, if a load was asked for.
        cycles_per_minute: cycles a minute, if they were asked for.
    """
    if isinstance(found, Motion):
        name, title = "motion", f"a motion of {found.duration:.4g} s"
    else:
        name, title = found.name, found.title or f"task {found.name}"
    changes = [f"{cycles_per_minute:g} a minute"] if cycles_per_minute is not None else []
    changes = [text for text in changes if text not in title]
    if payload is not None:
        changes.append(f"with {Payload.of(payload).mass:g} kg")
    return name, f"{title}; here {', '.join(changes)}" if changes else title


def _check(cycles_per_minute: float | None) -> None:
    if cycles_per_minute is not None and not 0.0 < cycles_per_minute < math.inf:
        raise ParameterError(
            "cycles_per_minute", f"is {cycles_per_minute:g}; it must be a finite number greater than 0"
        )


def _carrying(motion: Motion, load: Payload) -> Motion:
    """The motion with another load where it carries one; all along where it carries none."""
    if not motion.payload:
        return motion.carrying(load, 0.0, motion.duration)
    return replace(motion, payload=tuple(replace(step, load=load if step.load else NOTHING) for step in motion.payload))
