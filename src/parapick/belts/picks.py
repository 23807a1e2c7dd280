"""What becomes of the items of a task: how many of those that come are picked, and how many per minute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from parapick.answer import Requirement, against

ITEMS: Final = "items picked"
"""Name of the requirement that a belt's items are picked."""


@final
@dataclass(frozen=True)
class Picks:
    """The items of a task.

    Attributes:
        picked: items that are picked along the motion of the task.
        duration: how long that takes (s); of a row, as it goes on.
        missed: items that come along meanwhile and are let pass.
        brought: items per minute that come along; None where they lie still and wait.
        behind: how much later, against the items, every pattern ends than the one before (s); 0 where the robot keeps
            up with them.
        allowed: share of the items that may be missed.
    """

    picked: int
    duration: float
    missed: int = 0
    brought: float | None = None
    behind: float = 0.0
    allowed: float = 0.0

    @property
    def per_minute(self) -> float:
        """Items picked per minute along the motion."""
        return 60.0 * self.picked / self.duration if self.duration else 0.0

    @property
    def share(self) -> float:
        """Share of the items that come along which are picked, if the task goes on; 1 where none comes.

        A robot that falls behind a row misses none at first: in the end it picks what it can while the belt brings
        more.
        """
        if self.brought is None:
            return 1.0
        if self.behind:
            due = 60.0 * self.picked / self.brought
            return due / (due + self.behind)
        return self.picked / (self.picked + self.missed) if self.missed else 1.0

    @property
    def requirement(self) -> Requirement | None:
        """That the items which come along are picked; None where they lie still and wait."""
        if self.brought is None:
            return None
        share, least = 100.0 * self.share, 100.0 * (1.0 - self.allowed)
        return against(ITEMS, "", share, at_least=least, unit="%", words=self.words)

    @property
    def words(self) -> str:
        """How many of the items that come along are picked, in words."""
        share = f"{100.0 * self.share:.3g} %"
        if self.brought is not None and self.behind:
            return (
                f"{self.share * self.brought:.4g} of the {self.brought:.4g} items per minute that the belt brings are "
                f"picked ({share})"
            )
        if self.missed:
            return f"{self.picked} of {self.picked + self.missed} items are picked ({share})"
        return f"all {self.picked} items are picked"
