"""The kinds of tasks that there are: a new one is a class, a line here and a test."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from parapick.tasks.belts import ConveyorTask, StreamTask
from parapick.tasks.moves import AdeptTask, GateTask, LineTask, ViaTask

__all__ = ["KINDS", "Task"]

Task = AdeptTask | GateTask | LineTask | ViaTask | ConveyorTask | StreamTask
"""A task of any kind."""

KINDS: Final[Mapping[str, type[Task]]] = MappingProxyType(
    {
        "adept": AdeptTask,
        "gate": GateTask,
        "line": LineTask,
        "via": ViaTask,
        "conveyor": ConveyorTask,
        "stream": StreamTask,
    }
)
"""Kind, as in the file -> class."""
