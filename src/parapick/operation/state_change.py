"""Changes of the operating state in a supervised run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.supervision import Event, State


@final
@dataclass(frozen=True)
class Change:
    """A change of the operating state.

    Attributes:
        time: when (s).
        sample: at which sample.
        before: the state before.
        event: what happened.
        after: the state from this sample on.
        guard: name of the guard that caused it; empty where none did.
    """

    time: float
    sample: int
    before: State
    event: Event
    after: State
    guard: str = ""
