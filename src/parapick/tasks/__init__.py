"""Tasks: motions as files, a page of numbers each, to be made for any robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
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

# Each is imported at its first use: a task of one kind needs no other.
__getattr__ = fetching(
    __name__,
    {
        "belts": ("ConveyorTask", "StreamTask"),
        "errors": ("TaskFileError", "UnknownTaskError"),
        "files": ("TaskEntry", "check_task", "list_tasks", "load_task"),
        "kinds": ("Task", "task_schema"),
        "moves": ("AdeptTask", "GateTask", "LineTask", "ViaTask"),
    },
)
