"""What can be wrong with a control law."""

from __future__ import annotations

from typing import final

from parapick.errors import FileProblem, ParapickError

__all__ = ["LawError"]


@final
class LawError(ParapickError):
    """A control law has gains that cannot be meant, or does not fit the robot; carries every problem found."""

    def __init__(self, law: str, problems: tuple[FileProblem, ...]) -> None:
        super().__init__(f"control law {law}: {'; '.join(map(str, problems))}")
        self.law = law
        self.problems = problems
