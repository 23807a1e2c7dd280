"""Tasks as verbs take them: a motion, a task, the name of a shipped task, or the path of a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.tasks.base_task import AnyTask
from parapick.tasks.files import load_task

if TYPE_CHECKING:
    # Every kind of task: a task of one kind is read without the others.
    from parapick.tasks.task_kinds import Task

TaskChoice: TypeAlias = "Task | Motion | str | os.PathLike[str]"
"""A motion, a task, the name of a shipped task, or the path of a task file."""


def task_of(task: TaskChoice) -> Task | Motion:
    """The task or motion that a verb is asked about.

    Args:
        task: a motion, a task, the name of a shipped task, or the path of a file.

    Raises:
        UnknownTaskError: no task of this name is shipped.
        TaskFileError: the file cannot be read or does not describe a task.
        ParameterError: it is something else, such as a robot.
    """
    if isinstance(task, (str, os.PathLike)):
        return load_task(task)
    if isinstance(task, (Motion, AnyTask)):
        return task
    valid = "it must be a Motion, a task, the name of a shipped task or the path of a file"
    raise ParameterError("task", f"is a {type(task).__name__}; {valid}")


def name_of(task: TaskChoice) -> str:
    """What a task is called where a word stands for it.

    Args:
        task: a motion, a task, the name of a shipped task, or the path of a file.
    """
    if isinstance(task, (str, os.PathLike)):
        return Path(task).stem
    return task.name if isinstance(task, AnyTask) else "motion"


def motion_for(task: TaskChoice, model: Model) -> Motion:
    """The motion of what a verb is asked about, for a robot.

    Args:
        task: a motion, a task, the name of a shipped task, or the path of a file.

    Raises:
        UnknownTaskError: no task of this name is shipped.
        TaskFileError: the file cannot be read or does not describe a task.
        MotionError: the task has no motion for this robot.
    """
    work = task_of(task)
    return work if isinstance(work, Motion) else work.motion(model)
