"""What can be wrong with a control law, and with a controller file."""

from __future__ import annotations

from difflib import get_close_matches
from typing import final

from parapick.errors import FileProblem, ParapickError


@final
class LawError(ParapickError):
    """A control law has gains that cannot be meant, or does not fit the robot; carries every problem found."""

    def __init__(self, law: str, problems: tuple[FileProblem, ...]) -> None:
        super().__init__(f"control law {law}: {'; '.join(map(str, problems))}")
        self.law = law
        self.problems = problems


@final
class UnknownLawError(ParapickError):
    """No control law has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no control law named {name!r}; there are {', '.join(known)}")
        self.name = name
        self.known = known


@final
class UnknownControllerError(ParapickError):
    """No controller of this name is shipped and no file of this name exists."""

    def __init__(self, name: str, known: tuple[str, ...], laws: tuple[str, ...]) -> None:
        close = tuple(get_close_matches(name, (*known, *laws), n=3))
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        shipped = f"shipped controllers: {', '.join(known)}; control laws: {', '.join(laws)}."
        super().__init__(f"no controller named {name!r}; {hint}{shipped} A path to a .toml file works too.")
        self.name = name
        self.close = close
        self.known = known


@final
class ControllerFileError(ParapickError):
    """A controller file cannot be read or does not describe a controller; carries every problem found."""

    def __init__(self, file: str, problems: tuple[FileProblem, ...]) -> None:
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"{file}: {len(problems)} problem{'s' if len(problems) != 1 else ''}\n{lines}")
        self.file = file
        self.problems = problems
