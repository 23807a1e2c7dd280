"""What can be wrong with a task file: its name, or what it says."""

from __future__ import annotations

from difflib import get_close_matches
from typing import final

from parapick.errors import FileProblem
from parapick.motion.errors import MotionError


@final
class UnknownTaskError(MotionError):
    """No task of this name is shipped and no file of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        close = tuple(get_close_matches(name, known, n=3))
        hint = f"did you mean {' or '.join(close)}?" if close else f"shipped tasks: {', '.join(known)}."
        super().__init__(f"no task named {name!r}; {hint} A path to a .toml file works too.")
        self.name = name
        self.close = close
        self.known = known


@final
class TaskFileError(MotionError):
    """A task file cannot be read or does not describe a motion; carries every problem found."""

    def __init__(self, file: str, problems: tuple[FileProblem, ...]) -> None:
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"{file}: {len(problems)} problem{'s' if len(problems) != 1 else ''}\n{lines}")
        self.file = file
        self.problems = problems
