"""The time of tasks as fast as the motors of each design allow; every design is timed on its own path, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from parapick.errors import ParapickError
from parapick.model.model import Model
from parapick.model.payload import Payload
from parapick.motion.motion import Motion
from parapick.timing.fastest import TimingLimits, fastest_each

if TYPE_CHECKING:
    from parapick.study.space import Space


def cycle_times(
    space: Space, tasks: tuple[Any, ...], payload: Payload | None, sharing: str, designs: np.ndarray
) -> np.ndarray:
    """Time of all tasks together (m,), s; NaN where a design cannot do one of them.

    Args:
        space: the designs.
        tasks: tasks with the fastest timing.
        payload: what the tool holds beyond its gripper, in the place of what the tasks carry; None for that.
        sharing: how a redundant robot's motors share.
        designs: values of the free numbers (m, free), SI.
    """
    models = [Model(space.robot_of(design), payload, sharing) for design in designs]
    total = np.zeros(len(designs))
    for task in tasks:
        limits = TimingLimits(v_max=task.v_max, a_max=task.a_max, j_max=task.j_max)
        routes = [_route(task, model) for model in models]
        able = [i for i, route in enumerate(routes) if route is not None]
        motions = fastest_each([models[i] for i in able], [routes[i] for i in able], limits) if able else []
        times = np.full(len(designs), np.nan)
        times[able] = [motion.duration if isinstance(motion, Motion) else np.nan for motion in motions]
        total += times
    return total


def _route(task: Any, model: Model) -> Any:
    """Where the task leads a robot; None where the robot does not get there."""
    try:
        return task.route(model)
    except ParapickError:
        return None
