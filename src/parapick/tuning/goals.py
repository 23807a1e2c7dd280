"""What a tuning minimises, and what its loops must keep."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, final

from parapick.answer import Requirement, against
from parapick.errors import ParameterError
from parapick.measures import MEASURES
from parapick.search import Bound

OBJECTIVES: Final = {name: measure for name, measure in MEASURES.items() if measure.over == "loop"}
"""Objectives by name: the measures of a closed loop."""

SINGULAR: Final = 0.5
"""Smallest singular value of `I + L` that is kept where nothing else is asked for: a sensitivity of at most 2, the
usual bound. The optimum of a merely stable loop may be next to instability."""

OVERS: Final = ("worst", "mean")
"""How the scenarios make one number."""


MARGINS: Final = {"delay": "delay margin", "singular": "smallest singular value of I + L"}
"""Margins that a goal may ask for."""


class LoopMargins(NamedTuple):
    """Margins of the linear loops of a candidate: the least over scenarios and poses.

    Attributes:
        stable: whether no pole of any lies outside the unit circle, by `SampledLoop.stable`.
        delay: delay margin (s); 0 where unstable.
        singular: smallest singular value of `I + L`; 0 where unstable.
        radius: largest magnitude of a pole.
    """

    stable: bool
    delay: float
    singular: float
    radius: float


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
        return OBJECTIVES[self.objective].unit

    @property
    def bounds(self) -> dict[str, Bound]:
        """The margins that are asked for, by the name of what has them in `LoopMargins`."""
        return {
            name: Bound(title, at_least=getattr(self, name)) for name, title in MARGINS.items() if getattr(self, name)
        }

    def requirements(self, margins: LoopMargins) -> tuple[Requirement, ...]:
        """What every candidate must keep, with its margins against it: that it is stable, and what is asked for.

        Args:
            margins: those of its linear loops.
        """
        stability = replace(
            against("stability", "largest magnitude of a pole", margins.radius, unit="", at_most=1.0), ok=margins.stable
        )
        units = {"delay": "s", "singular": ""}
        asked = (bound.requirements(getattr(margins, name), units[name]) for name, bound in self.bounds.items())
        return (stability, *(requirement for both in asked for requirement in both))

    def kept(self, margins: LoopMargins) -> bool:
        """Whether a candidate keeps what it must.

        Args:
            margins: those of its linear loops.
        """
        return all(requirement.ok for requirement in self.requirements(margins))


def check_goal(goal: Goal) -> None:
    """Raise if a goal cannot be meant.

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
