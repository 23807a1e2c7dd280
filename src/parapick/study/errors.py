"""What can be wrong with a study: its name, its file, or the folder it is run in."""

from __future__ import annotations

from difflib import get_close_matches
from typing import final

from parapick.errors import FileProblem, ParapickError


class StudyError(ParapickError):
    """A study cannot be run, or not here."""


@final
class NoStartError(StudyError):
    """No design so far keeps every requirement, so that a search, or a round about the best ones, has no start."""

    def __init__(self, count: int) -> None:
        super().__init__(f"none of {count} designs keeps every requirement, so there is nothing to start from")
        self.count = count


@final
class UnknownStudyError(StudyError):
    """No study of this name is shipped and no file of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        close = get_close_matches(name, known, n=3)
        hint = f"did you mean {' or '.join(close)}?" if close else f"shipped studies: {', '.join(known)}."
        super().__init__(f"no study named {name!r}; {hint} A path to a .toml file works too.")
        self.name = name
        self.close = tuple(close)
        self.known = known


@final
class StudyFileError(StudyError):
    """A study file cannot be read or does not describe a study; carries every problem found."""

    def __init__(self, file: str, problems: tuple[FileProblem, ...]) -> None:
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"{file}: {len(problems)} problem{'s' if len(problems) != 1 else ''}\n{lines}")
        self.file = file
        self.problems = problems


@final
class FolderError(StudyError):
    """A folder cannot hold the results of a study: it holds something else, or another process fills it."""

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(f"{folder}: {reason}")
        self.folder = folder
        self.reason = reason
