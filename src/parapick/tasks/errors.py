"""What can be wrong with a task file: its name, or what it says."""

from __future__ import annotations

from typing import final

from parapick.errors import FileError, MotionError, UnknownFileError


@final
class UnknownTaskError(UnknownFileError, MotionError):
    """No task of this name is shipped and no file of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known, "task", "tasks")


@final
class TaskFileError(FileError, MotionError):
    """A task file cannot be read or does not describe a motion; carries every problem found."""
