"""Motions of tasks that are another one for every design: with the fastest timing, or on belts.

Those with the fastest timing are timed side by side; those on belts are planned one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parapick.errors import ParapickError
from parapick.model import Model
from parapick.motion import Motion
from parapick.tasks import PlannedTask, meets_belts, planned_task
from parapick.timing import TimingLimits, fastest_each


def planned_motions(task: Any, models: Sequence[Model]) -> list[PlannedTask | str]:
    """The task planned for every robot, or why it cannot be.

    Args:
        task: a task with the fastest timing, or on belts.
        models: the robots, with what they hold all along.
    """
    if meets_belts(task):
        return [_on_belts(task, model) for model in models]
    return [PlannedTask(motion) if isinstance(motion, Motion) else motion for motion in fastest_motions(task, models)]


def _on_belts(task: Any, model: Model) -> PlannedTask | str:
    try:
        return planned_task(task, model)
    except ParapickError as error:
        return str(error)


def fastest_motions(task: Any, models: Sequence[Model]) -> list[Motion | str]:
    """The motion of every robot, or why it has none.

    Args:
        task: a task with the fastest timing.
        models: the robots, with what they hold all along.
    """
    limits = TimingLimits(v_max=task.v_max, a_max=task.a_max, j_max=task.j_max)
    routes = [_route(task, model) for model in models]
    able = [i for i, route in enumerate(routes) if not isinstance(route, str)]
    timed = fastest_each([models[i] for i in able], [routes[i] for i in able], limits) if able else []
    motions: list[Motion | str] = [route if isinstance(route, str) else "" for route in routes]
    for i, motion in zip(able, timed, strict=True):
        motions[i] = motion if isinstance(motion, Motion) else str(motion)
    return motions


def _route(task: Any, model: Model) -> Any:
    """Where the task leads a robot; why not, where the robot does not get there."""
    try:
        return task.route(model)
    except ParapickError as error:
        return str(error)
