"""What can be wrong with a study: its name, its file, or the folder it is run in."""

from __future__ import annotations

from typing import final

from parapick.errors import FileError, ParapickError, UnknownFileError


class StudyError(ParapickError):
    """A study cannot be run, or not here."""


@final
class NoStartError(StudyError):
    """No design so far keeps every requirement, so that a search, or a round about the best ones, has no start."""

    def __init__(self, count: int) -> None:
        super().__init__(f"none of {count} designs keeps every requirement, so there is nothing to start from")
        self.count = count


@final
class UnknownStudyError(UnknownFileError, StudyError):
    """No study of this name is shipped and no file of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known, "study", "studies")


@final
class StudyFileError(FileError, StudyError):
    """A study file cannot be read or does not describe a study; carries every problem found."""


@final
class FolderError(StudyError):
    """A folder cannot hold the results of a study: it holds something else, or another process fills it."""

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(f"{folder}: {reason}")
        self.folder = folder
        self.reason = reason
