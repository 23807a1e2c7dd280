"""What a tuning minimises, and what its loops must keep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.errors import ParameterError

OBJECTIVES: Final = {
    "integral": ("rad s", "integral of the norm of the joint error, wu2020 (26)"),
    "peak": ("m", "largest distance of the plate from its reference"),
    "rms": ("m", "root mean square of the distance of the plate from its reference"),
}
"""Objectives by name, with unit and meaning."""

SINGULAR: Final = 0.5
"""Smallest singular value of `I + L` that is kept where nothing else is asked for: a sensitivity of at most 2, the
usual bound. The optimum of a merely stable loop may be next to instability."""

OVERS: Final = ("worst", "mean")
"""How the scenarios make one number."""


@final
@dataclass(frozen=True)
class Goal:
    """What is minimised, and what every scenario must keep.

    Attributes:
        objective: a name of `OBJECTIVES`.
        over: the worst of the scenarios, or their mean.
        delay: least delay margin (s), joint by joint and common, at rest at poses along the motion.
        singular: least smallest singular value of `I + L` there; 0 for loops that need only be stable.
    """

    objective: Literal["integral", "peak", "rms"] = "rms"
    over: Literal["worst", "mean"] = "worst"
    delay: float = 0.0
    singular: float = SINGULAR

    @property
    def unit(self) -> str:
        """SI unit of the objective."""
        return OBJECTIVES[self.objective][0]


def check_goal(goal: Goal) -> None:
    """Raise if a goal cannot be meant.

    Args:
        goal: the goal.

    Raises:
        ParameterError: an unknown objective, a margin that no loop can have.
    """
    if goal.objective not in OBJECTIVES:
        raise ParameterError("objective", f"is {goal.objective!r}; valid are {', '.join(OBJECTIVES)}")
    if goal.over not in OVERS:
        raise ParameterError("over", f"is {goal.over!r}; valid are {', '.join(OVERS)}")
    if not 0.0 <= goal.delay < math.inf:
        raise ParameterError("delay", f"is {goal.delay:g} s; a margin must be finite and at least 0")
    if not 0.0 <= goal.singular < 1.0:
        text = "it must be at least 0 and below 1, which no loop reaches at all frequencies"
        raise ParameterError("singular", f"is {goal.singular:g}; {text}")
