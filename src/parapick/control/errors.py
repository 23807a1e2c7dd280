"""What can be wrong with a control law, and with a controller file."""

from __future__ import annotations

from typing import final

from parapick.errors import FileError, FileProblem, ParapickError, UnknownFileError


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
class UnknownControllerError(UnknownFileError):
    """No control law has this name, and no controller of this name is shipped."""

    def __init__(self, name: str, known: tuple[str, ...], laws: tuple[str, ...], other: str = "") -> None:
        is_other = f"it is the name of a {other}; " if other else ""
        head = f"no control law and no controller is named {name!r}; {is_other}control laws: {', '.join(laws)}"
        super().__init__(name, known, "controller", "controllers", also=laws, head=head)


@final
class ControllerFileError(FileError):
    """A controller file cannot be read or does not describe a controller; carries every problem found."""
