"""Tasks: motions as files, a page of numbers each, to be made for any robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.tasks.base_task import (
        AnyTask as AnyTask,
        CycleTask as CycleTask,
        MoveTask as MoveTask,
    )
    from parapick.tasks.belts import (
        ConveyorTask as ConveyorTask,
        StreamTask as StreamTask,
    )
    from parapick.tasks.choosing import (
        TaskChoice as TaskChoice,
        motion_for as motion_for,
        name_of as name_of,
        task_of as task_of,
    )
    from parapick.tasks.errors import (
        TaskFileError as TaskFileError,
        UnknownTaskError as UnknownTaskError,
    )
    from parapick.tasks.fastest import (
        fastest as fastest,
    )
    from parapick.tasks.files import (
        TASKS as TASKS,
        TaskEntry as TaskEntry,
        list_tasks as list_tasks,
        load_task as load_task,
        tasks_for as tasks_for,
    )
    from parapick.tasks.load_form import (
        LoadForm as LoadForm,
    )
    from parapick.tasks.moves import (
        AdeptTask as AdeptTask,
        GateTask as GateTask,
        LineTask as LineTask,
        ViaTask as ViaTask,
    )
    from parapick.tasks.phases import (
        PhasesTask as PhasesTask,
        PhaseTable as PhaseTable,
    )
    from parapick.tasks.pick_place import (
        PickPlaceTask as PickPlaceTask,
        Transfer as Transfer,
    )
    from parapick.tasks.planned_task import (
        PlannedTask as PlannedTask,
        meets_belts as meets_belts,
        planned_task as planned_task,
    )
    from parapick.tasks.rows import (
        task_rows as task_rows,
    )
    from parapick.tasks.sampled import (
        Recording as Recording,
        SampledTask as SampledTask,
        read_recording as read_recording,
    )
    from parapick.tasks.stations import (
        StationTable as StationTable,
    )
    from parapick.tasks.task_kinds import (
        Task as Task,
        read_task as read_task,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "base_task": "AnyTask CycleTask MoveTask",
        "belts": "ConveyorTask StreamTask",
        "choosing": "TaskChoice motion_for name_of task_of",
        "errors": "TaskFileError UnknownTaskError",
        "fastest": "fastest",
        "files": "TASKS TaskEntry list_tasks load_task tasks_for",
        "load_form": "LoadForm",
        "moves": "AdeptTask GateTask LineTask ViaTask",
        "phases": "PhaseTable PhasesTask",
        "pick_place": "PickPlaceTask Transfer",
        "planned_task": "PlannedTask meets_belts planned_task",
        "rows": "task_rows",
        "sampled": "Recording SampledTask read_recording",
        "stations": "StationTable",
        "task_kinds": "Task read_task",
    },
)
