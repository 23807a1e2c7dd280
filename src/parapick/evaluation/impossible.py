"""What says that a robot cannot do a task: an answer, and no mistake in the task; the same for every command."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from parapick.answer import Answer, Requirement
from parapick.errors import ParapickError, UnreachableError
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.load_requirements import PEAK
from parapick.evaluation.run import Run
from parapick.inspection import subject
from parapick.model import SingularPoseError
from parapick.ride import UnreachableCornerError, broken_words
from parapick.tasks import PlannedTask
from parapick.timing import (
    CycleLimitError,
    HoldingTorqueError,
    OverheatingError,
    SingularPathError,
    UnreachablePathError,
)

if TYPE_CHECKING:
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion


def blocked() -> tuple[type[ParapickError], ...]:
    """Reasons why a task has no motion that a robot could follow; a corner out of reach is one more, with its place.

    Asked for where something was raised, so that tasks without belts need not import them.
    """
    from parapick.belts import BeltError, MissedItemError, NoInterceptError

    on_belts = (BeltError, MissedItemError, NoInterceptError)
    held = (HoldingTorqueError, OverheatingError, CycleLimitError)
    return (*on_belts, *held, SingularPathError, UnreachablePathError)


def asked_of(
    key: str,
    model: Model,
    task: str,
    plan: Callable[[], Motion | PlannedTask],
    follow: Callable[[Motion, tuple[Requirement, ...]], Answer],
    controllers: Collection[Controller] = (),
    laden: Callable[[], Iterable[tuple[Model, Motion]]] = tuple,
) -> Answer:
    """The answer about a robot that follows the motion of a task; no where it cannot do it, or has none.

    Args:
        key: of the answer.
        task: the task's name.
        plan: makes the motion of the task, or plans the task with its items.
        follow: answers along a motion, given every requirement of the robot on it and of its items, the same as those
            of an evaluation.
        controllers: those that the robot is asked about with; see `_counted`.
        laden: gives the robot with each of several payloads, and its motion, in the place of the one that is planned;
            of every requirement the worst counts.

    Raises:
        ParapickError: whatever the two raise for another reason.
    """
    from parapick.operation import TaskBeyondGuardError
    from parapick.supervision import HomingError

    try:
        planned = plan()
    except (UnreachableCornerError, *blocked()) as reason:
        return _impossible(key, model, task, reason)
    motion, picks = (planned.motion, planned.picks) if isinstance(planned, PlannedTask) else (planned, None)
    run = Run.of(model, motion, picks)
    needs = run.path_requirements
    try:
        runs = [Run.of(robot, along, picks) for robot, along in laden()] or [run]
        needs = _worst([need for one in runs for need in _counted(one, controllers)])
        return follow(motion, needs)
    except (UnreachableError, SingularPoseError, HomingError, TaskBeyondGuardError) as reason:
        if all(need.ok for need in needs):
            # Neither motion nor load, but what else was asked for: a start, a guard, a plant.
            raise
        return _impossible(key, model, task, reason, needs)


def _worst(requirements: list[Requirement]) -> tuple[Requirement, ...]:
    """Of every requirement the one that is nearest to its limit, or beyond it."""
    named: dict[str, list[Requirement]] = {}
    for need in requirements:
        named.setdefault(need.name, []).append(need)
    return tuple(limiting_of(needs) or needs[0] for needs in named.values())


def _counted(run: Run, controllers: Collection[Controller]) -> Iterator[Requirement]:
    """The requirements of a robot under controllers: the peak torque of its file counts unless all allow more.

    Who states greater limits, or none, asks about other motors than those of the file.
    """
    # Inside: an evaluation without loops has no need of them.
    from parapick.simulation import torque_limits

    motors = run.ride.model.motors
    peaks = motors.peak_torque * motors.ratio
    limits = [np.array(torque_limits(motors, controller.torque_max)) for controller in controllers]
    beyond = bool(limits) and all(bool(np.all((limit > peaks) | np.isinf(peaks))) for limit in limits)
    yield from (need for need in run.requirements if need.name != PEAK or not beyond)


def _impossible(
    key: str, model: Model, task: str, reason: ParapickError, needs: tuple[Requirement, ...] = ()
) -> Answer:
    data: dict[str, Any] = {"robot": model.robot.name, "task": task, "reason": str(reason)}
    refusal = "; ".join(filter(None, [broken_words(needs), str(reason)]))
    return Answer(key, subject(model, f"and the task {task}"), findings=needs, data=data, refusal=refusal)
