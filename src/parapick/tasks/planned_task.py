"""A task planned for a robot: its motion, and what becomes of its items; once for everybody who asks about either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from parapick.belts import Picks

if TYPE_CHECKING:
    from parapick.belts import PickPlan, RowPlan, RowWork, Stream
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.tasks.belts import ConveyorTask, StreamTask
    from parapick.tasks.pick_place import PickPlaceTask
    from parapick.tasks.task_kinds import Task


@final
@dataclass(frozen=True, eq=False)
class PlannedTask:
    """A task, planned for a robot.

    Attributes:
        motion: its motion.
        picks: what becomes of its items; None where the task has none.
        plan: the cycle of a task of kind "conveyor".
        stream: what a robot makes of a task of kind "stream".
        row: the pattern that is filled from a belt, and the work that planned it.
    """

    motion: Motion
    picks: Picks | None = None
    plan: PickPlan | None = None
    stream: Stream | None = None
    row: tuple[RowWork, RowPlan] | None = None


def planned_task(task: Task, model: Model) -> PlannedTask:
    """A task, planned for a robot.

    Args:
        task: the task.

    Raises:
        MotionError: whatever the task's motion raises.
    """
    # By their kinds, for the classes would bring the whole planner of belts to every task.
    planner = {"conveyor": _conveyor, "stream": _stream, "pick-and-place": _pick_place}.get(task.kind)
    return PlannedTask(task.motion(model)) if planner is None else planner(task, model)  # pyright: ignore[reportArgumentType]


def meets_belts(task: object) -> bool:
    """Whether a task picks from belts that move, so that it is planned for one robot at a time.

    Args:
        task: a task of any kind.
    """
    kind = getattr(task, "kind", "")
    return kind in ("conveyor", "stream") or (kind == "pick-and-place" and getattr(task, "pick").belt is not None)  # noqa: B009


def _conveyor(task: ConveyorTask, model: Model) -> PlannedTask:
    plan = task.plan(model)
    return PlannedTask(plan.motion, Picks(1, plan.motion.duration), plan=plan)


def _stream(task: StreamTask, model: Model) -> PlannedTask:
    stream = task.stream(model)
    picks = Picks(
        len(stream.picked), stream.duration, len(stream.missed), task.items.per_minute, allowed=task.allow_missed
    )
    return PlannedTask(stream.motion(), picks, stream=stream)


def _pick_place(task: PickPlaceTask, model: Model) -> PlannedTask:
    belt = task.pick.belt
    if belt is None:
        motion = task.motion(model)
        return PlannedTask(motion, Picks(task.count, motion.duration))
    work = task.belt_work(model)
    plan = work.plan()
    motion = task.belt_motion(plan)
    picks = Picks(len(plan.picks), plan.lasting, plan.missed, belt.pace, plan.behind, task.allow_missed)
    return PlannedTask(motion, picks, row=(work, plan))
