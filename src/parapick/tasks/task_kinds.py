"""The kinds of tasks that there are, and the form of their files: a new kind is a class, a name here and a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from parapick import forms
from parapick.errors import FileProblem
from parapick.forms import Kinds, paths, read_document, source_problems
from parapick.tasks.belts import ConveyorTask, StreamTask
from parapick.tasks.moves import AdeptTask, GateTask, LineTask, ViaTask
from parapick.tasks.phases import PhasesTask
from parapick.tasks.pick_place import PickPlaceTask
from parapick.tasks.sampled import SampledTask

Task = AdeptTask | PickPlaceTask | GateTask | LineTask | ViaTask | PhasesTask | SampledTask | ConveyorTask | StreamTask
"""A task of any kind."""


@cache
def file_form() -> Kinds:
    """The form of a task file of any kind."""
    tables = forms.kinds_of(get_args(Task)).kinds
    named = {kind: replace(table, what=f"of a task of kind {kind!r}") for kind, table in tables.items()}
    return Kinds({kind: forms.file_of(table) for kind, table in named.items()})


def read_task(document: Mapping[str, Any], folder: Path | None = None) -> tuple[Task | None, tuple[FileProblem, ...]]:
    """The task of a document and everything that is wrong with it; no task where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
        folder: where the file lies, for the names of files in it; the current folder if not given.
    """
    table, values, problems = read_document(file_form(), document, folder)
    if table is None or problems:
        return None, problems
    task: Task = table.make(values)
    wrong = source_problems(task.sources, paths(task))
    wrong += task.problems()
    return (None if wrong else task), wrong
