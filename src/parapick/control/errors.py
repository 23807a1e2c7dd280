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
class UnknownControlLawError(ParapickError):
    """No control law has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no control law named {name!r}; there are {', '.join(known)}")
        self.name = name
        self.known = known


@final
class UnknownControllerError(ParapickError):
    """No control law has this name, and no controller of this name is shipped."""

    def __init__(self, name: str, known: tuple[str, ...], laws: tuple[str, ...], other: str = "") -> None:
        close = tuple(get_close_matches(name, (*known, *laws), n=3))
        hint = f"did you mean {' or '.join(close)}?" if close else f"shipped controllers: {', '.join(known)}."
        what = f"it is the name of a {other}; " if other else ""
        valid = f"{what}control laws: {', '.join(laws)}; {hint} A path to a .toml file works too."
        super().__init__(f"no control law and no controller is named {name!r}; {valid}")
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
