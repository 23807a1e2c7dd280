"""The samples of a study's tasks: once for all designs, counted from the middle of the workspace where a task is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.evaluation import sampling_rate
from parapick.forms import FilePlace
from parapick.formulas import instant_kinds
from parapick.limits import MOST, count_objection
from parapick.mechanism import Payload, Robot
from parapick.motion import Motion
from parapick.parameters import resolved
from parapick.study.design_space import DesignSpace
from parapick.study.motion_fold import TaskSeries
from parapick.tasks import AdeptTask, AnyTask, MoveTask, SampledTask, StationTable, meets_belts

if TYPE_CHECKING:
    from parapick.study.description import StudyFile


class SampledTasks(NamedTuple):
    """The tasks by a law of time, and their samples in the same order.

    Attributes:
        tasks: the tasks.
        series: samples at the rate of the study, from which measures are taken.
        looked: samples at the rate at which `evaluate` looks at a motion, from which verdicts are taken; the same ones
            where the rates agree.
    """

    tasks: tuple[AnyTask, ...]
    series: tuple[TaskSeries, ...]
    looked: tuple[TaskSeries, ...]


def series_of(file: StudyFile, space: DesignSpace, place: FilePlace) -> SampledTasks:
    """The samples of the tasks by a law of time; poses are counted from the workspace where a task says so.

    Args:
        space: its designs.
        place: where the file's problems are noted.
    """
    sampled: list[tuple[AnyTask, TaskSeries, TaskSeries]] = []
    for i, task in enumerate(file.tasks):
        here = place.at("tasks").at(i)
        if is_timed(task):
            continue
        if not isinstance(task, (MoveTask, SampledTask)):
            here.refuse("must be a motion: by a law of time, by samples, with the fastest timing, or on belts")
            continue
        try:
            sampled.append((task, *_sampled(task, file, space)))
        except ParapickError as error:
            here.refuse(str(error))
    columns = zip(*sampled, strict=True) if sampled else ((), (), ())
    return SampledTasks(*map(tuple, columns))


def is_timed(task: Any) -> bool:
    """Whether a task follows from the motors or from belts: its motion is another one for every design.

    Args:
        task: the task.
    """
    return meets_belts(task) or (isinstance(task, MoveTask) and task.timing == "fastest")


def series_digest(series: TaskSeries) -> str:
    """A digest of the samples."""
    arrays = (series.t, *series.instant)
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def _sampled(task: AnyTask, file: StudyFile, space: DesignSpace) -> tuple[TaskSeries, TaskSeries]:
    """Samples at the rate of the study, and at that of verdicts."""
    placed = task.frame == "workspace" or (isinstance(task, AdeptTask) and task.center is None)
    stated = None if file.payload is None else Payload.of(file.payload)
    motion = _by_plate_yaw(task, space).motion(None).with_payload(stated)  # pyright: ignore[reportAttributeAccessIssue]
    if objection := count_objection("series", motion.duration * file.rate):
        slower = MOST["series"] / motion.duration
        raise ParapickError(
            f"its number of samples {objection}: it takes {motion.duration:g} s, so rate {slower:.3g} Hz"
        )

    def at(rate: float) -> TaskSeries:
        return motion_series(task.name, motion, space.robot, rate, placed=placed)

    measured, verdicts = at(file.rate), sampling_rate(motion.duration)
    return measured, measured if verdicts == file.rate else at(verdicts)


def motion_series(name: str, motion: Motion, robot: Robot, rate: float, *, placed: bool = False) -> TaskSeries:
    """Samples of a motion, both sides of every corner among them.

    Args:
        name: of the task.
        motion: the motion.
        robot: the robot, for its freedoms and whether it limits jerks.
        rate: samples per second (Hz).
        placed: whether poses are counted from the middle of the robot's workspace.
    """
    samples, dof = motion.sample(rate, corners=True), robot.dof
    x, xd, xdd = (_fitted(values, dof) for values in (samples.x, samples.xd, samples.xdd))
    jerked = any(not kind.of_state for kind in instant_kinds(robot))
    jerk = _fitted(samples.jerk, dof) if jerked else None
    return TaskSeries(name, placed, samples.t, x, xd, xdd, samples.load, jerk)


def _by_plate_yaw(task: AnyTask, space: DesignSpace) -> AnyTask:
    """The task with the plate's yaw where it states the tool's, which a gear or belt may amplify."""
    changes, ratio = dict(_stated_by_tool(task)), _yaw_ratio(space.robot)
    if changes and any(space.paths[i] == "plate.yaw_ratio" for i in space.varied):
        raise ParameterError("tool_yaw", "asks for another motion where plate.yaw_ratio is free; state the plate's yaw")
    return replace(
        task,
        **{name: replace(table, yaw=table.tool_yaw / ratio, tool_yaw=None) for name, table in changes.items()},
    )


def _stated_by_tool(task: AnyTask) -> Iterator[tuple[str, Any]]:
    for field in fields(task):
        table = getattr(task, field.name)
        if isinstance(table, StationTable) and table.tool_yaw is not None:
            yield field.name, table


def _yaw_ratio(robot: Robot) -> float:
    return float(getattr(resolved(robot).plate, "yaw_ratio", 1.0))


def _fitted(values: np.ndarray, dof: int) -> np.ndarray:
    """Task vectors with as many coordinates as the robot has."""
    if values.shape[1] > dof and np.any(values[:, dof:]):
        raise ParameterError("yaw", "is asked for; this robot has no yaw")
    wide = np.concatenate([values, np.zeros((len(values), 1))], axis=1) if values.shape[1] < dof else values
    return np.ascontiguousarray(wide[:, :dof])
