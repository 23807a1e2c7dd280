"""How fast a task can be done each way: by its own law, and by the fastest timing of its path; or why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from parapick.errors import ParapickError
from parapick.evaluation.pace import Pace, returns
from parapick.extremes import LIMIT_SLACK
from parapick.motion import Motion


@final
@dataclass(frozen=True, eq=False)
class Paces:
    """The paces of a task.

    Attributes:
        motion: the motion that is asked for.
        own_law: the fastest pace by the task's own law; None where nothing limits it, or there is none.
        timed: the pace of the fastest timing under limits of every instant and heat, run slower as a whole where that
            is not all that limits it; None where there is none.
        no_own_law: why there is no pace by its own law; empty where there is one, or nothing limits it.
        no_timed: why there is no other; empty where there is one.
        items: items that are picked along the motion, of which a pace counts; 1 where it counts cycles.
    """

    motion: Motion
    own_law: Pace | None = None
    timed: Pace | None = None
    no_own_law: str = ""
    no_timed: str = ""
    items: int = 1

    @property
    def of_belts(self) -> bool:
        """Whether the motion meets belts that move, so that its pace is theirs."""
        return self.motion.is_synchronized

    @property
    def cycle(self) -> bool:
        """Whether the motion can be repeated, and is counted per minute."""
        return returns(self.motion) and not self.of_belts

    @property
    def unit(self) -> str:
        """What is counted per minute."""
        return counted(self.items)

    @property
    def fastest(self) -> Pace | None:
        """The fastest timing that is known: the task's own law where the timed one has to be run slower than that."""
        return self.own_law if self.by_own_law else self.timed

    @property
    def slowed(self) -> Pace | None:
        """The fastest timing where it has to be run slower than the task's own law."""
        return self.timed if self.by_own_law else None

    @property
    def by_own_law(self) -> bool:
        """Whether the task's own law is faster than the fastest timing, which has to be run slower as a whole."""
        if self.timed is None or self.own_law is None:
            return False
        # No limit: durations that are equal but for rounding are not told apart.
        return self.timed.motion.duration > self.own_law.motion.duration * (1.0 + LIMIT_SLACK)


def counted(items: int) -> str:
    """What a pace counts: picks of a pattern, otherwise cycles.

    Args:
        items: items that are picked in a cycle.
    """
    return "picks" if items > 1 else "cycles"


def pace_or_reason(pace: Callable[[], Pace | None]) -> tuple[Pace | None, str]:
    """A pace, or why there is none.

    Args:
        pace: gives it; None where nothing limits it.
    """
    try:
        return pace(), ""
    except ParapickError as error:
        return None, str(error)
