"""Tasks: motions as files, a page of numbers each, to be made for any robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.tasks.belts import ConveyorTask, StreamTask
    from parapick.tasks.common import CycleTask
    from parapick.tasks.errors import TaskFileError, UnknownTaskError
    from parapick.tasks.files import TaskEntry, check_task, list_tasks, load_task
    from parapick.tasks.kinds import Task, task_schema
    from parapick.tasks.moves import AdeptTask, GateTask, LineTask, ViaTask
    from parapick.tasks.phases import PhasesTask, PhaseTable
    from parapick.tasks.pick_place import PickPlaceTask, Transfer
    from parapick.tasks.sampled import Recording, SampledTask, read_recording

__all__ = [
    "AdeptTask",
    "ConveyorTask",
    "CycleTask",
    "GateTask",
    "LineTask",
    "PhaseTable",
    "PhasesTask",
    "PickPlaceTask",
    "Recording",
    "SampledTask",
    "StreamTask",
    "Task",
    "TaskEntry",
    "TaskFileError",
    "Transfer",
    "UnknownTaskError",
    "ViaTask",
    "check_task",
    "list_tasks",
    "load_task",
    "read_recording",
    "task_schema",
]

# Each is imported at its first use: a task of one kind needs no other.
__getattr__ = fetching(
    __name__,
    {
        "belts": ("ConveyorTask", "StreamTask"),
        "common": ("CycleTask",),
        "errors": ("TaskFileError", "UnknownTaskError"),
        "files": ("TaskEntry", "check_task", "list_tasks", "load_task"),
        "kinds": ("Task", "task_schema"),
        "moves": ("AdeptTask", "GateTask", "LineTask", "ViaTask"),
        "phases": ("PhaseTable", "PhasesTask"),
        "pick_place": ("PickPlaceTask", "Transfer"),
        "sampled": ("Recording", "SampledTask", "read_recording"),
    },
)
