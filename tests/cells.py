"""Every state that a cell can reach, found by taking the supervisor's steps with every kind of observation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

from parapick.supervision import COMMANDS, NAMES, CellMemory, Event, Observation, Rules, step

PERSISTENCE = 2
RULES = Rules(tuple(3 if name == "unrest" else PERSISTENCE for name in NAMES), 2)
SEEN = ("drive", "emergency", "workspace")
"""Guards of every kind: brakes, along the path, and armed in some states only; the others are each looked at below."""

ASKED = (None, *sorted(COMMANDS, key=lambda event: event.value), Event.FINISHED)
"""What may come as a command, an event of the machine among them."""


def beyond(*names: str) -> tuple[bool, ...]:
    return tuple(name in names for name in NAMES)


def observations() -> Iterator[Observation]:
    """Guards one by one, rest, arrival, and commands."""
    overs = [beyond(), *(beyond(name) for name in SEEN)]
    for over, still, arrived, command in product(overs, (True, False), (True, False), ASKED):
        yield Observation(over, still, arrived, command)


def clipped(memory: CellMemory) -> CellMemory:
    """The same memory, counts that lead to nothing new cut off."""
    counts = tuple(map(min, memory.counts, RULES.persistence))
    return replace(memory, counts=counts, rest=min(memory.rest, RULES.settled), event=None, cause=-1)


@cache
def explored() -> tuple[tuple[CellMemory, Observation, CellMemory], ...]:
    """Every step that can be taken from a cell that is off."""
    start = CellMemory()
    known, waiting, steps = {start}, deque([start]), []
    while waiting:
        memory = waiting.popleft()
        for seen in observations():
            taken = step(RULES, memory, seen)
            steps.append((memory, seen, taken))
            reached = clipped(taken)
            if reached not in known:
                known.add(reached)
                waiting.append(reached)
    return tuple(steps)
