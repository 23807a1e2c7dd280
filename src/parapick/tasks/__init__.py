"""Tasks: motions as files, a page of numbers each, to be made for any robot."""

from __future__ import annotations

from parapick.tasks.belts import ConveyorTask, StreamTask
from parapick.tasks.errors import TaskFileError, UnknownTaskError
from parapick.tasks.files import TaskEntry, check_task, list_tasks, load_task
from parapick.tasks.kinds import Task, task_schema
from parapick.tasks.moves import AdeptTask, GateTask, LineTask, ViaTask

__all__ = [
    "AdeptTask",
    "ConveyorTask",
    "GateTask",
    "LineTask",
    "StreamTask",
    "Task",
    "TaskEntry",
    "TaskFileError",
    "UnknownTaskError",
    "ViaTask",
    "check_task",
    "list_tasks",
    "load_task",
    "task_schema",
]
