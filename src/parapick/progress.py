"""How far long work is, said in one way by every room, and the one way to end it early.

Whatever takes long has an argument `progress`: a function that is called with a `Progress` before a part is computed or
after it is finished. It ends the work by raising: `parapick.errors.CancelledError`, or any exception of its own, which
then leaves the verb as it is. What was written before, such as the finished chunks of a study, stays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

__all__ = ["Listener", "Progress", "tell"]


@final
@dataclass(frozen=True)
class Progress:
    """How far long work is.

    Attributes:
        what: what is being done, or what is counted: a section, a robot, "points", "designs".
        done: how many parts are finished.
        total: of how many; None where that is not known.
        rate: parts finished per second; NaN where that is not known.
    """

    what: str
    done: int = 0
    total: int | None = None
    rate: float = math.nan

    @property
    def left(self) -> float:
        """Seconds that are left at this rate; NaN where that cannot be said."""
        if self.total is None or not self.rate > 0.0:
            return math.nan
        return (self.total - self.done) / self.rate

    def __str__(self) -> str:
        counted = f"{self.done} of {self.total} {self.what}" if self.total is not None else self.what
        if math.isnan(self.left):
            return counted
        return f"{counted}, {self.rate:.4g} per second, {self.left:.3g} s left"


Listener = Callable[[Progress], object]
"""What is called with the progress of long work; an exception that it raises ends the work."""


def tell(progress: Listener | None, what: str, done: int = 0, total: int | None = None) -> None:
    """Pass on how far something is, where somebody listens.

    Args:
        progress: who listens; None for nobody.
        what: what is being done, or what is counted.
        done: how many parts are finished.
        total: of how many; None where that is not known.
    """
    if progress is not None:
        progress(Progress(what, done, total))
