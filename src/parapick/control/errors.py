"""What can be wrong with a control law."""

from __future__ import annotations

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
