"""What a robot cannot follow: the requirements that a motion breaks, as an error."""

from __future__ import annotations

from typing import final

from parapick.answer import Requirement
from parapick.errors import MotionError
from parapick.ride.requirements import si_text


@final
class UnfollowableError(MotionError):
    """A robot cannot follow a motion.

    Attributes:
        requirements: every requirement that is broken.
        problems: the same in words.
    """

    def __init__(self, requirements: tuple[Requirement, ...]) -> None:
        self.requirements = requirements
        self.problems = tuple(map(si_text, requirements))
        super().__init__("the robot cannot follow the motion: " + "; ".join(self.problems))
