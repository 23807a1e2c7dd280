"""The fastest motions of tasks as the motors of each design allow; all designs are timed side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parapick.errors import ParapickError
from parapick.model import Model
from parapick.motion import Motion
from parapick.timing import TimingLimits, fastest_each


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
